// agon/opponent/rl_answer.h
//
// What RL-BIC2, KCRL and CORL share around their training: the table and its regressions, rewards by the score of the
// run, the way from a graph of the policy to an answer, and the refusal of tables that would take too long.
//
//   RlAnswer answer(data, score, knowledge, {.regression = Regression::kLinear});
//   answer.finish(parents, story);        // pruned, repaired, scored
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/rl_reward.h"
#include "agon/score/local_score.h"

namespace agon {

struct RlAnswerOptions {
  Regression regression = Regression::kLinear;
  bool own_score = false;  // the answer is not pruned
  bool standardise = false;
  double threshold = 0.3;
};

// The relative score of graphs by the score of a run: 5 for the empty graph, 0 if every node had the best parents that
// forward selection finds without regard to cycles. A better graph lowers that end.
class OwnCost {
 public:
  OwnCost(const LocalScore& score, const std::vector<int>& node, double rows);
  double operator()(const ParentLists& parents);
  double local(int child, const std::vector<int>& parents);
  void exchange_state(Archive& archive) { archive(low_); }
  // Forward selection among the candidates (ascending); returns the parents, ascending.
  std::vector<int> select(int child, const std::vector<int>& candidates);

 private:
  const LocalScore& score_;
  const std::vector<int>& node_;
  double rows_, price_;
  int cap_;
  std::unordered_map<std::string, double> cache_;
  double high_ = 0, low_ = 0;
};

class RlAnswer {
 public:
  RlAnswer(const Dataset& data, const LocalScore& score, const Knowledge& knowledge, const RlAnswerOptions& options);

  const StandardTable& table() const { return table_; }
  Regressions& fits() { return *fits_; }  // not with own_score
  OwnCost& own() { return *own_; }        // only with own_score
  bool forbidden(int child, int parent) const;
  bool required(int child, int parent) const;
  // A graph of variables becomes a Dag of nodes: parents with weak coefficients go, then cycles lose their weakest
  // edge, and what the knowledge demands is put in. Sentences about it follow those of the story.
  SearchResult finish(const ParentLists& parents, std::vector<std::string> story) const;

 private:
  const Dataset& data_;
  const LocalScore& score_;
  const Knowledge& knowledge_;
  RlAnswerOptions options_;
  StandardTable table_;
  std::unique_ptr<Regressions> fits_;
  std::unique_ptr<OwnCost> own_;
};

// Tells the watch what a run will take. Throws UsageError, with that forecast, for one of more than six hours or 4 GB
// that is not `limited` by a time or a number of iterations.
void refuse_long(const std::string& who, int variables, double seconds, double bytes, bool limited, const Watch& watch);

}  // namespace agon
