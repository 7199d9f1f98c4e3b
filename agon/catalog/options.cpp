#include "agon/catalog/options.h"

#include <cassert>
#include <cstdlib>

namespace agon {

const char* to_string(OptionGroup group) {
  switch (group) {
    case OptionGroup::kData:
      return "Data";
    case OptionGroup::kSearch:
      return "Search";
    case OptionGroup::kChallenger:
      return "Challenger";
    case OptionGroup::kTraining:
      return "Training";
    case OptionGroup::kResources:
      return "Resources";
    case OptionGroup::kOutput:
      break;
  }
  return "Output";
}

const std::vector<OptionEntry>& option_entries() {
  using enum OptionGroup;
  static const std::vector<OptionEntry> table = {
      {"rows", "N", kData, "rows to take of an embedded data set (default: what `agon list datasets` says)"},
      {"data-seed", "N", kData, "seed of the sample that --rows and embedded networks are drawn with (default 0)"},
      {"folder", "DIR", kData, "where a data set is that must be obtained first (dream4, see `agon list datasets`)"},
      {"data-dir", "DIR", kData, "tables to take instead of embedded ones: DIR/NAME/data.csv with DIR/NAME/truth.csv"},
      {"no-header", "", kData, "the file has no line of names; columns are called V1, V2, ..."},
      {"delimiter", "D", kData, "comma, tab, semicolon, pipe, space, colon or one character (default: found out)"},
      {"quote", "C", kData, "character around quoted cells, or none (default \")", {"quote-char"}},
      {"comment", "S", kData, "lines that begin so are skipped, or none (default #)", {"comment-marker"}},
      {"na",
       "TOKEN",
       kData,
       "a spelling of a missing cell beside the usual ones (empty, NA, NaN, ?, NULL, ...); repeatable, commas separate",
       {"missing-marker"}},
      {"missing", "POLICY", kData, "what to do about missing cells: error or drop-rows (default error)"},
      {"discrete", "NAMES", kData, "columns to read as categories, whatever they look like"},
      {"continuous", "NAMES", kData, "columns to read as numbers, however few values they have"},
      {"data-type", "KIND", kData,
       "kind of all columns not named elsewhere: continuous, discrete or mixed (default mixed)"},
      {"drop", "NAMES", kData, "columns to leave out"},
      {"exclude-var", "FILE", kData, "file with the names of columns to leave out, one per line"},

      {"score", "NAME", kSearch, "score to maximise, or auto: by the kinds of the columns (default auto)"},
      {"penalty",
       "C",
       kSearch,
       "factor on the 1/2 ln n of the BIC scores, >= 0 (default 1, the textbook BIC; Tetrad uses 2)",
       {"penaltyDiscount", "penalty-discount"}},
      {"ess", "A", kSearch, "equivalent sample size of bdeu, > 0 (default 10)"},
      {"max-parents", "M", kSearch, "most parents of a node, >= 1 (default: what the score can carry)"},
      {"start", "GRAPH", kSearch,
       "graph to start from: a file, or the name of an embedded data set for its true graph (default: the empty "
       "graph)"},
      {"knowledge", "FILE", kSearch,
       "required and forbidden edges and tiers: a knowledge file of Tetrad, or CSV with from,to,type; repeatable"},
      {"required", "FILE", kSearch, "edges that must stand: CSV with from,to; repeatable"},
      {"forbidden", "FILE", kSearch, "edges that must not stand: CSV with from,to; repeatable"},
      {"on-conflict", "WHAT", kSearch,
       "what to do about an edge both required and forbidden: refuse, or required (also called whitelist): it stands "
       "(default refuse)"},
      {"opponent", "NAME,...", kSearch,
       "who proposes the graphs to beat, see `agon list opponents` (default: ges,boss; with --start: file)"},
      {"test",
       "NAME",
       kSearch,
       "pc, fci: test of independence: g2 or chi2 for categories, fisher-z (on ranks) or fisher-z-raw (on the values) "
       "for numbers; auto is the first of each (default auto)",
       {"independence-test"}},
      {"alpha", "A", kSearch,
       "pc, fci: level of the tests; a p-value above it means independent, between 0 and 1 (default 0.01)"},
      {"max-conditioning",
       "M",
       kSearch,
       "pc, fci: most columns that a test holds fixed, -1: no limit (default -1, but 2 in the second step of fci)",
       {"depth"}},
      {"moves", "N", kSearch,
       "most game moves of the challenger; 0: the opponents alone (default: by the number of columns, and play ends "
       "early when no gain is expected)"},
      {"prune", "HOW", kSearch,
       "cam: after play each node is regressed on its parents, and graphs without the insignificant ones are "
       "candidates; "
       "or none (default none)"},
      {"edge-budget", "B", kSearch, "most edges of a graph, never fewer than an opponent's (default: does not bind)"},
      {"bootstrap",
       "N",
       kSearch,
       "draw the rows again N times, search each drawing, and give every edge its share of them (default 0: none)",
       {"numberResampling"}},
      {"time-limit", "T", kSearch,
       "stop after this long with the best so far: 60s, 2m, 500ms; --bootstrap gets half of it (default: none)"},
      {"threads", "N", kSearch, "threads to use; the answer is the same for any number (default: all cores)"},
      {"seed", "N", kSearch,
       "seed of everything random: the play of the challenger, the orders of boss, the networks of grandag, the "
       "random graphs beside --truth; the other searches draw nothing (default 0)"},

      {"challenger", "NAME", kChallenger,
       "who plays: local (perturb near a place, climb), flat (single edits, Double DQN), paper (the published one), or "
       "auto: several compete for the moves (default auto)"},
      {"proposal", "NAME|FILE", kChallenger,
       "how local draws its edits: trained (a network that ships with agon), rule, delta, uniform, or a file that "
       "`agon train` wrote (default trained)"},
      {"no-learning", "", kChallenger, "nothing is learned during the match: the unlearned twin of the challenger"},
      {"patience", "N", kChallenger,
       "moves without a new champion after which play ends (default: by the number of columns)"},
      {"round-moves", "N", kChallenger, "moves of a player between two looks at the others, >= 1 (default 5000)"},
      {"players", "N", kChallenger, "players at least, each with a random stream of its own, >= 1 (default 2)"},
      {"lambda", "X", kChallenger, "price of an edge in the reward of flat and paper, >= 0 (default 0.005)"},
      {"step-cost", "X", kChallenger, "price of a move in the reward of paper, >= 0 (default 0.01)"},
      {"longest", "N", kChallenger, "local: most edits of a perturbation, >= 1 (default 20)"},
      {"fixed-length", "", kChallenger,
       "local: lengths of perturbations are uniform, not by what succeeded (default: by what succeeded)"},
      {"temperature", "T", kChallenger,
       "local: a loss of d nats is kept with probability exp(-d/T); 0: never (default 1.5)"},
      {"return-after", "N", kChallenger,
       "local: kept perturbations without a new champion after which play returns to it, >= 1 (default 200)"},
      {"locality", "X", kChallenger,
       "local: share of edits at a node that the perturbation has touched, 0 to 1 (default 0.9)"},
      {"candidates", "K", kChallenger,
       "local: edits drawn per decision, >= 1 (default 8); flat alone: moves its network sees (default 32)"},
      {"sharpness", "X", kChallenger, "local, rule and trained: factor on the scores of candidates, > 0 (default 8)"},
      {"uniform-share", "X", kChallenger, "local: share of picks that ignore the scores, 0 to 1 (default 0.05)"},
      {"delta-temperature", "T", kChallenger, "local, delta: nats by which gains are divided, > 0 (default 5)"},
      {"fixed-start", "", kChallenger,
       "flat: every episode begins at the opponent's graph (default: at the champion, once there is a better one)"},
      {"episode-moves", "T", kChallenger,
       "flat, paper: moves of an episode; 0: 20 per column, flat at most 300 (default 0)"},
      {"discount", "G", kChallenger, "flat, paper: weight of what follows, 0 to below 1 (default 0.95, paper 0.99)"},
      {"future-bound", "W", kChallenger, "flat: the future of a move counts for at most W nats, > 0 (default 10)"},
      {"value-temperature", "T", kChallenger,
       "local, learning: what is learned is divided by this before the pick, > 0 (default 0.1)"},
      {"hidden", "N,...", kChallenger, "widths of the network's hidden layers (default 32; paper 512,512)"},
      {"learning-rate", "X", kChallenger, "step of Adam, > 0 (default 0.001, paper 0.0005, train 0.004)"},
      {"target-rate", "X", kChallenger,
       "share of the online network that moves into the target network per update, above 0 to 1 (default 0.01, paper "
       "0.005)"},
      {"batch", "N", kChallenger, "transitions per update, >= 1 (default 16, paper 512); train: successes (32)"},
      {"train-every", "N", kChallenger, "moves per update, >= 1 (default 4, paper 1)"},
      {"replay", "N", kChallenger, "transitions kept, at least a batch (default 8000, paper 200000)"},
      {"epsilon", "X", kChallenger,
       "flat, paper: share of random moves at the start, from the floor to 1 (default 0.25, paper 1)"},
      {"epsilon-floor", "X", kChallenger, "flat, paper: share of random moves in the end, above 0 (default 0.05)"},
      {"epsilon-steps", "N", kChallenger, "flat, paper: moves from one to the other (default 20000, paper 400000)"},

      {"problems", "N", kTraining, "random problems to learn from, >= 1 (default 400)"},
      {"held-out", "N", kTraining, "further problems that only the report looks at, >= 0 (default 40)"},
      {"perturbations", "N", kTraining,
       "perturbations tried per frozen state, >= 1; up to four times as many where few succeed (default 500)"},
      {"epochs", "N", kTraining, "passes over the successes, >= 1 (default 60)"},
      {"nodes", "LOW,HIGH", kTraining, "range of the number of variables (default 15,250)"},
      {"degree", "LOW,HIGH", kTraining, "range of the average degree (default 2,8)"},
      {"sizes", "LOW,HIGH", kTraining, "range of the number of rows (default 100,5000)"},
      {"discrete-share", "X", kTraining, "share of discrete problems, the others are linear Gaussian (default 0.5)"},

      {"trials", "N", kSearch,
       "how often to try, >= 1: matches of theorem1 (default 300), problems of theorem2 (40), drawings per size of "
       "theorem3 (4000)"},
      {"suite", "NAME", kSearch,
       "what to repeat: paper, the benchmarks of the paper; signature, the number that commits cite (default "
       "signature)"},
      {"quick", "", kSearch, "2 samples and 2 s per cell: five minutes on two cores"},
      {"only", "NAME,...", kSearch, "data sets to take (default: all)"},
      {"algorithms", "NAME,...", kSearch,
       "algorithms to take, each with the match from its graph; the empty and the true graph are always there "
       "(default: all)"},
      {"samples", "N", kSearch, "samples of each network, >= 1 (default 5, quick 2)"},
      {"cell-limit", "T", kSearch,
       "CPU time of one algorithm on one sample; the best until then counts, and is marked (default 60s, quick 2s)"},
      {"jobs", "N", kSearch, "processes at a time, one cell each (default: all cores)"},

      {"memory-limit", "SIZE", kResources,
       "memory the search may use, as 500M or 2G: caches are made smaller until it fits, which costs time and changes "
       "no "
       "answer; what cannot fit is refused (default: what the machine has)"},
      {"checkpoint", "DIR", kResources,
       "keep in this folder what was done so far: a run that was killed goes on when the same command is given again, "
       "and ends with the same result (default: nothing is kept)"},
      {"checkpoint-every", "T", kResources,
       "time between two checkpoints, longer where saving takes long: 30s, 500ms (default 10s)"},

      {"truth", "GRAPH", kOutput, "known graph (file, or name of an embedded data set) to compare the answer with"},
      {"out", "DIR", kOutput,
       "folder to write result.json, report.html and the graphs to; made if it does not exist (of bench: its cells and "
       "tables, default bench-paper)"},
      {"format", "F,...", kOutput, "formats of the graphs in --out, see `agon list formats` (default csv)"},
      {"json-graph", "", kOutput, "the graphs in --out as JSON too: the same as adding json to --format"},
      {"prefix", "P", kOutput, "the names of the files in --out begin with this: P_result.json (default: nothing)"},
      {"plain", "", kOutput, "a page of tables alone, without script"},
      {"json", "", kOutput, "print the result as JSON instead of text"},
      {"quiet", "", kOutput, "no log on stderr", {"q"}},
      {"output",
       "FILE",
       kOutput,
       "file to write to, - is standard output (default: of sample that, of report report.html beside the result)",
       {"o"}},
      {"count", "N", kData, "rows to draw", {"n"}},
  };
  return table;
}

const OptionEntry& option_entry(std::string_view name) {
  for (const OptionEntry& entry : option_entries()) {
    if (entry.name == name) return entry;
  }
  assert(!"option without a description");
  std::abort();
}

}  // namespace agon
