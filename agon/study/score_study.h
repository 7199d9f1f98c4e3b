// agon/study/score_study.h
//
// Which score comes nearest to the truth: every score of categorical tables, on samples of known networks, with the
// same search. `agon bench --suite scores` runs it.
//
//   std::vector<ScoreCell> cells;
//   for (const StudyNetwork& network : study_networks({.only = {"asia", "alarm"}})) {
//     for (const ScoreCell& cell : study_sample(network, 1000, 1, score_contenders(), watch)) cells.push_back(cell);
//   }
//   out << score_study_page(cells);          // Markdown: ranks, SHD by network, what wins where
//   out << score_cells_csv(cells);           // a line per score and sample
//
// What may be relied on: the columns of each sample get new names, so that ties are decided in another order in each.
// No search sees the truth or the held-out rows. Every figure but the seconds is the same on each run.
//
// The search is BOSS. A score that is not score-equivalent cannot be searched by classes: there it is the better of two
// runs of tabu search, from the empty graph and from the graph that BOSS finds by qnml.
//
// In each sample the rows themselves choose one of the scores too: every score that is the same for all members of a
// class learns from the first two thirds, and its graph predicts the rest. Of those that do not predict significantly
// worse than the best (paired over rows, at 5 %), the one with the fewest edges is chosen. This is out-of-sample tuning
// after Biza, Tsamardinos & Triantafillou (2020, PGM), who predict each variable from its Markov boundary and prefer
// the smallest boundaries; here the tables of the graph predict.
//
// And they choose by stability (StARS: Liu, Roeder & Wasserman 2010, NIPS), in networks of up to 40 nodes: every such
// score learns from ten subsamples of 10 sqrt(n) rows. A pair that is adjacent in a share t of them is unstable by
// 2 t (1 - t). Of the scores, in the order of how many edges they find, the last is taken before the mean over all
// pairs exceeds 0.05. They have a path of penalties for one score, and twenty subsamples.
//
// Networks are divided into two halves by a hash of their names, before anything is known of them: a rule for choosing
// a score may be read off the first, and is judged on the second.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/bayes_net.h"
#include "agon/score/local_score.h"

namespace agon {

struct ScoreContender {
  std::string label;  // "discrete-bic 2": the score, and its parameter where that is not its default
  std::string score;  // in the catalog
  ScoreOptions options = {};
};
// All scores for categorical tables; the BIC scores with penalty 1 and 2, the Bayesian ones with equivalent sample size
// 1 and 10. The first is discrete-bic with penalty 1, which the others are compared with.
std::vector<ScoreContender> score_contenders();

struct StudyNetwork {
  std::string name;
  std::function<BayesNet(int sample)> make;  // a network of its own for each sample, if it is random
};
struct StudyChoice {
  std::vector<std::string> only = {};  // names; empty: all
  std::string data_dir = {};           // networks to take beside the embedded ones: DIR/NAME.bif
  int most_nodes = 0;                  // leave out larger ones; 0: none
};
// Embedded networks, those of the folder, and random ones. UsageError for a name that is not among them.
std::vector<StudyNetwork> study_networks(const StudyChoice& choice);
bool judges_rules(const std::string& network);  // is in the second half
// Other names, dealt at random. agon works in an order of columns that depends on the names alone.
BayesNet renamed(BayesNet net, Rng rng);

struct ScoreCell {
  std::string network;
  int nodes = 0, true_edges = 0;
  double levels = 0;  // of a variable, on average
  size_t rows = 0;
  int sample = 1;
  std::string contender;
  int edges = 0, shd = 0;  // shd: between CPDAGs
  double skeleton_f1 = 0;
  std::optional<long> sid = {};  // absent for wide networks, where it would take long
  double held_out = 0;           // log-likelihood of a row that was not learned from, nats
  double seconds = 0;            // CPU time of the search
  bool chosen = false;           // by the rows themselves; the graph is that of all rows
  bool stable = false;           // by stability; no cell of a sample, where that was not tried
};

// One sample of a network, and every contender on it. Fewer cells when the watch asks to stop.
std::vector<ScoreCell> study_sample(const StudyNetwork& network, size_t rows, int sample,
                                    const std::vector<ScoreContender>& contenders, const Watch& watch);

// The mean log-likelihood of the rows of `all` from `learned` on, with probabilities (N_ca + 1 / r) / (N_c + 1) from
// the rows before.
double held_out_likelihood(const Dataset& all, size_t learned, const Dag& dag);
// The same for each of those rows.
std::vector<double> held_out_rows(const Dataset& all, size_t learned, const Dag& dag);

// Of graphs with so many edges, whose log-likelihoods of the same rows are given: the index of the one with the fewest
// edges (then of the best) among those that are not significantly worse than the best.
size_t choose_out_of_sample(const std::vector<std::vector<double>>& likelihoods, const std::vector<int>& edges);

// Of scores that find so many edges on average, with such instabilities: the index of the one that StARS takes.
size_t choose_stable(const std::vector<double>& edges, const std::vector<double>& instabilities);

std::string score_cells_csv(const std::vector<ScoreCell>& cells);
std::string score_study_page(const std::vector<ScoreCell>& cells);

}  // namespace agon
