#include "agon/agent/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "agon/agent/learning_options.h"
#include "agon/agent/local_player.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/data/simulate.h"
#include "agon/opponent/ges.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

// States are frozen after this many moves per node of ordinary play, but never after more than kLastMove moves.
constexpr int kStages[] = {0, 20, 100, 400, 1600};
constexpr long kLastMove = 100'000;
constexpr int kFewSuccesses = 8;  // a state with fewer, but not none, gets up to four times as many trials

double between(double low, double high, double share) { return low * std::pow(high / low, share); }

// One perturbation: the features of its edits, in order.
struct Tried {
  std::vector<float> features;
  int length() const { return static_cast<int>(features.size()) / kEditFeatures; }
};

struct StateLog {
  std::vector<Tried> successes, failures;
};

struct ProblemLog {
  std::vector<StateLog> states;
  long perturbations = 0, successes = 0;
};

// Keeps a uniform sample, of bounded size, of the items offered to it (Vitter 1985, algorithm R).
class Reservoir {
 public:
  Reservoir(std::vector<Tried>& kept, size_t most) : kept_(kept), most_(most) {}
  void offer(const Tried& tried, Rng& rng) {
    ++seen_;
    if (kept_.size() < most_) {
      kept_.push_back(tried);
    } else if (const int place = rng.below(static_cast<int>(seen_)); static_cast<size_t>(place) < most_) {
      kept_[place] = tried;
    }
  }

 private:
  std::vector<Tried>& kept_;
  size_t most_;
  long seen_ = 0;
};

// Tries perturbations from the game's current graph, which is 1-optimal, and restores it each time.
StateLog try_from(Game& game, const TrainOptions& options, Rng rng, ProblemLog& counts) {
  StateLog log;
  Reservoir successes(log.successes, static_cast<size_t>(options.most_successes));
  Reservoir failures(log.failures, static_cast<size_t>(options.most_successes * options.failures));
  Proposer proposer(game.size(), {.kind = ProposalKind::kUniform});
  std::vector<Undo> played;
  Tried tried;
  long found = 0;
  for (int k = 0; k < 4 * options.perturbations; ++k) {
    if (k >= options.perturbations && (found == 0 || found >= kFewSuccesses)) break;
    ++counts.perturbations;
    played.clear();
    tried.features.clear();
    const int length = 1 + rng.below(options.longest);
    proposer.begin(length);
    double net = 0;
    for (int e = 0; e < length; ++e) {
      const std::optional<EdgeMove> move = proposer.next(game, rng);
      if (!move) break;
      tried.features.resize(tried.features.size() + kEditFeatures);
      proposer.features().write(game, *move, tried.features.data() + tried.features.size() - kEditFeatures);
      played.push_back(game.play(*move));
      proposer.played(*move);
      net += played.back().gain;
    }
    if (played.empty()) continue;
    const size_t edits = played.size();
    ascend(game, played);
    for (size_t u = edits; u < played.size(); ++u) net += played[u].gain;
    for (size_t u = played.size(); u-- > 0;) game.take_back(played[u]);
    const bool success = net > game.tolerance();
    found += success;
    (success ? successes : failures).offer(tried, rng);
  }
  counts.successes += found;
  return log;
}

// The graph of GES, or that of steepest ascent from the empty graph or a random one: after GES there is nothing left to
// find on most random discrete networks.
Dag warm_start(const Problem& problem, Rng rng) {
  const double kind = rng.uniform();
  if (kind < (problem.discrete ? 0.2 : 0.7)) return ges(*problem.score).dag;
  const int p = problem.score->size();
  if (kind < 0.85) return Dag(p);
  Dag dag = dag_from_parents(random_graph({.nodes = p, .average_degree = 2}, rng.split("graph")));
  for (const Edge& e : dag.edges()) {  // no more parents than the score allows
    const ScoreTraits& traits = problem.score->traits();
    const bool idle = traits.constant[e.from] || traits.constant[e.to];
    if (idle || dag.parents(e.to).count() > std::min(3, traits.max_parents)) dag.remove_edge(e.from, e.to);
  }
  return dag;
}

ProblemLog log_problem(const TrainOptions& options, Rng rng) {
  const Problem problem = random_problem(options.range, rng.split("problem"));
  const Knowledge nothing;
  ColumnCache cache(*problem.score, size_t{64} << 20);
  Game game(cache, warm_start(problem, rng.split("start")), {}, nothing);
  ascend(game);
  Champion champion{game.dag(), game.score(), {}};
  LocalOptions uniform;
  uniform.proposal.kind = ProposalKind::kUniform;
  uniform.temperature = 0;
  LocalPlayer player(game, uniform, rng.split("play"));
  ProblemLog log;
  long played = 0;
  for (size_t stage = 0; stage < std::size(kStages); ++stage) {
    const long until = std::min(kLastMove, static_cast<long>(kStages[stage]) * game.size());
    if (until > played) played += player.play(game, champion, {.moves = until - played}).moves;
    log.states.push_back(try_from(game, options, rng.split("try", stage), log));
  }
  return log;
}

// A success and the failures it is compared with.
struct Group {
  const Tried* success;
  std::vector<const Tried*> failures;
};

std::vector<Group> draw_groups(const std::vector<ProblemLog>& logs, int failures, Rng& rng) {
  std::vector<Group> groups;
  for (const ProblemLog& log : logs) {
    for (const StateLog& state : log.states) {
      if (state.failures.empty()) continue;
      for (const Tried& success : state.successes) {
        Group group{&success, {}};
        for (int k = 0; k < failures; ++k) {
          group.failures.push_back(&state.failures[rng.below(static_cast<int>(state.failures.size()))]);
        }
        groups.push_back(std::move(group));
      }
    }
  }
  return groups;
}

// The network and the bonus for each length, with working memory for a pass over a batch.
class Ranker {
 public:
  Ranker(const Mlp& net, int longest) : net_(net), bonus_(NetVector<float>::Zero(longest + 1)) {}

  Mlp& net() { return net_; }
  NetVector<float>& bonus() { return bonus_; }

  // Scores the members of each group, the success first.
  void score(std::span<const Group> groups) {
    members_.clear();
    long edits = 0;
    for (const Group& group : groups) {
      members_.push_back(group.success);
      members_.insert(members_.end(), group.failures.begin(), group.failures.end());
    }
    for (const Tried* t : members_) edits += t->length();
    inputs_.resize(kEditFeatures, edits);
    long at = 0;
    for (const Tried* t : members_) {
      std::copy(t->features.begin(), t->features.end(), inputs_.col(at).data());
      at += t->length();
    }
    const NetMatrix<float>& out = net_.forward(inputs_, work_);
    scores_.assign(members_.size(), 0);
    at = 0;
    for (size_t k = 0; k < members_.size(); ++k) {
      const int length = members_[k]->length();
      scores_[k] = bonus_[length] + out.block(0, at, 1, length).sum();
      at += length;
    }
  }
  const std::vector<float>& scores() const { return scores_; }

  // Scores the groups and returns their mean loss; fills the derivatives.
  double loss(std::span<const Group> groups, NetVector<float>& by_net, NetVector<float>& by_bonus) {
    score(groups);
    by_net.setZero(net_.weights().size());
    by_bonus.setZero(bonus_.size());
    by_output_.resize(1, inputs_.cols());
    double sum = 0;
    size_t member = 0;
    long at = 0;
    const float share = 1.0f / static_cast<float>(groups.size());
    for (const Group& group : groups) {
      const size_t size = 1 + group.failures.size();
      const float most = *std::max_element(&scores_[member], &scores_[member] + size);
      float total = 0;
      for (size_t k = 0; k < size; ++k) total += std::exp(scores_[member + k] - most);
      sum -= static_cast<double>(scores_[member] - most - std::log(total));
      for (size_t k = 0; k < size; ++k, ++member) {
        const float by_score = share * (std::exp(scores_[member] - most) / total - (k == 0 ? 1.0f : 0.0f));
        const int length = members_[member]->length();
        by_bonus[length] += by_score;
        by_output_.block(0, at, 1, length).setConstant(by_score);
        at += length;
      }
    }
    net_.backward(work_, by_output_, by_net);
    return sum / static_cast<double>(groups.size());
  }

 private:
  Mlp net_;
  NetVector<float> bonus_;
  std::vector<const Tried*> members_;
  std::vector<float> scores_;
  NetMatrix<float> inputs_, by_output_;
  MlpWork<float> work_;
};

RankingQuality quality(Ranker& ranker, const std::vector<ProblemLog>& logs, const TrainOptions& options, Rng rng) {
  const std::vector<Group> groups = draw_groups(logs, options.failures, rng);
  RankingQuality q;
  q.groups = static_cast<long>(groups.size());
  if (groups.empty()) return q;
  NetVector<float> by_net, by_bonus;
  double order = 0;
  for (size_t first = 0; first < groups.size(); first += 256) {
    const std::span<const Group> part(&groups[first], std::min<size_t>(256, groups.size() - first));
    q.loss += ranker.loss(part, by_net, by_bonus) * static_cast<double>(part.size());
    const size_t size = 1 + static_cast<size_t>(options.failures);
    for (size_t g = 0; g < part.size(); ++g) {
      const float* s = &ranker.scores()[g * size];
      int beaten = 0;
      for (size_t k = 1; k < size; ++k) {
        beaten += s[0] > s[k];
        order += s[0] > s[k] ? 1 : s[0] == s[k] ? 0.5 : 0;
      }
      q.top += beaten == options.failures;
    }
  }
  const double count = static_cast<double>(groups.size());
  q.loss /= count;
  q.top /= count;
  q.auc = order / (count * options.failures);
  return q;
}

}  // namespace

Problem random_problem(const ProblemRange& range, Rng rng) {
  Problem problem;
  problem.discrete = rng.uniform() < range.discrete_share;
  const int p = static_cast<int>(between(range.least_nodes, range.most_nodes + 0.99, rng.uniform()));
  const double most_degree = problem.discrete ? std::max(range.least_degree, range.most_degree / 2) : range.most_degree;
  const double degree = std::min(rng.uniform(range.least_degree, most_degree), p / 3.0);
  const int n = static_cast<int>(between(range.least_rows, range.most_rows, rng.uniform()));
  const bool scale_free = rng.uniform() < 0.3;
  const auto parents = random_graph(
      {.model = scale_free ? GraphModel::kScaleFree : GraphModel::kErdosRenyi, .nodes = p, .average_degree = degree},
      rng.split("graph"));
  problem.name = fmt::format("{} {} p={} degree={:.1f} n={}", problem.discrete ? "discrete" : "gaussian",
                             scale_free ? "sf" : "er", p, degree, n);
  std::vector<std::vector<int>> true_parents;
  if (problem.discrete) {
    const int most_levels = 2 + rng.below(3);
    // A hub of a scale-free graph may have many parents. Six are kept, since a sample cannot fill larger tables.
    std::vector<std::vector<int>> kept = parents;
    for (std::vector<int>& list : kept) list.resize(std::min<size_t>(list.size(), 6));
    const BayesNet net = random_bayes_net(kept, 2, most_levels, between(0.1, 1.0, rng.uniform()), rng.split("tables"));
    problem.data = std::make_unique<Dataset>(sample(net, static_cast<size_t>(n), rng.split("rows"), problem.name));
    for (const Column& column : problem.data->columns()) {
      const int node = net.index_of(column.name);
      std::vector<int> list;
      for (int q : kept[node]) list.push_back(problem.data->index_of(net.names[q]));
      std::sort(list.begin(), list.end());
      true_parents.push_back(list);
    }
    problem.score = std::make_unique<DiscreteBic>(*problem.data);
  } else {
    Simulated s = simulate_sem(parents, static_cast<size_t>(n), {.weight_low = rng.uniform(0.2, 0.6), .weight_high = 1},
                               rng.split("rows"));
    problem.data = std::make_unique<Dataset>(std::move(s.data));
    true_parents = s.parents;
    const ScoreOptions options = {.penalty = rng.uniform() < 0.5 ? 1.0 : 2.0};
    problem.score = std::make_unique<GaussianBic>(*problem.data, GaussianBic::Scale::kRaw, options);
  }
  problem.truth = dag_from_parents(true_parents);
  return problem;
}

void describe(TrainOptions& o, const Describe& option) {
  ProblemRange& range = o.range;
  option(o.problems, {.name = "problems", .value = "N", .help = "random problems to learn from", .range = at_least(1)});
  option(o.held_out, {.name = "held-out",
                      .value = "N",
                      .help = "further problems that only the report looks at",
                      .range = at_least(0)});
  option(o.perturbations, {.name = "perturbations",
                           .value = "N",
                           .help = "perturbations tried per frozen state, up to four times as many where few succeed",
                           .range = at_least(1)});
  option(o.epochs, {.name = "epochs", .value = "N", .help = "passes over the successes", .range = at_least(1)});
  option(OptionField::limits(range.least_nodes, range.most_nodes),
         {.name = "nodes", .value = "LOW,HIGH", .help = "least and most variables", .range = at_least(2)});
  option(OptionField::limits(range.least_degree, range.most_degree),
         {.name = "degree", .value = "LOW,HIGH", .help = "least and greatest average degree", .range = more_than(0)});
  option(OptionField::limits(range.least_rows, range.most_rows),
         {.name = "sizes", .value = "LOW,HIGH", .help = "least and most rows", .range = at_least(10)});
  option(range.discrete_share, {.name = "discrete-share",
                                .value = "X",
                                .help = "share of discrete problems, the others are linear Gaussian",
                                .range = at_least(0).at_most(1)});
  option(o.hidden, {.name = "hidden",
                    .value = "N,...",
                    .help = "widths of the network's hidden layers",
                    .range = at_least(1).at_most(4096)});
  option(o.learning_rate, {.name = "learning-rate",
                           .value = "X",
                           .help = "step size of Adam at first, falling to a tenth",
                           .range = more_than(0)});
  option(o.batch, {.name = "batch", .value = "N", .help = "successes per update", .range = at_least(1)});
}

void check(const TrainOptions& o) {
  check_described("training", o);
  const ProblemRange& range = o.range;
  if (range.least_nodes > range.most_nodes || range.least_rows > range.most_rows ||
      range.least_degree > range.most_degree) {
    throw UsageError("training: the range of nodes, rows or degrees is empty");
  }
  if (o.longest < 1 || o.failures < 1 || o.most_successes < 1) {
    throw UsageError("training: longest, failures and most_successes must be 1 or more");
  }
}

TrainResult train_proposal(const TrainOptions& options, Rng rng, const Watch& watch) {
  check(options);
  // 1, 2. Problems and their frozen states. Each problem has a random stream of its own.
  std::vector<ProblemLog> logs(static_cast<size_t>(options.problems)), unseen(static_cast<size_t>(options.held_out));
  TrainResult result;
  std::mutex told;
  long finished = 0;
  parallel_for(options.problems + options.held_out, options.threads, [&](int k) {
    if (watch.stop_requested()) return;
    const bool learns = k < options.problems;
    ProblemLog log = learns ? log_problem(options, rng.split("problem", static_cast<uint64_t>(k)))
                            : log_problem(options, rng.split("held out", static_cast<uint64_t>(k - options.problems)));
    (learns ? logs[k] : unseen[k - options.problems]) = std::move(log);
    const std::lock_guard lock(told);
    watch.tell({"problems", ++finished, 0, 0});
  });
  for (const ProblemLog& log : logs) {
    result.states += static_cast<long>(log.states.size());
    result.perturbations += log.perturbations;
    result.successes += log.successes;
  }

  // 3. Ranking.
  Ranker ranker(
      Mlp({.inputs = kEditFeatures, .hidden = options.hidden, .outputs = 1, .zero_last = true}, rng.split("network")),
      options.longest);
  Adam<float> net_adam({.learning_rate = options.learning_rate}, ranker.net().weights().size());
  Adam<float> bonus_adam({.learning_rate = options.learning_rate}, ranker.bonus().size());
  NetVector<float> by_net, by_bonus;
  Rng order = rng.split("order");
  for (int epoch = 0; epoch < options.epochs && !watch.stop_requested(); ++epoch) {
    std::vector<Group> groups = draw_groups(logs, options.failures, order);
    order.shuffle(groups);
    double sum = 0;
    for (size_t first = 0; first < groups.size(); first += static_cast<size_t>(options.batch)) {
      const size_t count = std::min(static_cast<size_t>(options.batch), groups.size() - first);
      const std::span<const Group> part(&groups[first], count);
      sum += ranker.loss(part, by_net, by_bonus) * static_cast<double>(count);
      const double done = (epoch + static_cast<double>(first) / static_cast<double>(groups.size())) / options.epochs;
      const double rate = options.learning_rate * (1 - 0.9 * done);
      net_adam.set_learning_rate(rate);
      bonus_adam.set_learning_rate(rate);
      net_adam.step(ranker.net().weights(), by_net);
      bonus_adam.step(ranker.bonus(), by_bonus);
    }
    watch.tell({"epochs", epoch + 1, 0, groups.empty() ? 0 : sum / static_cast<double>(groups.size())});
  }
  result.network = ranker.net();
  result.length_bonus.assign(ranker.bonus().begin(), ranker.bonus().end());
  result.trained_on = quality(ranker, logs, options, rng.split("quality"));
  result.held_out = quality(ranker, unseen, options, rng.split("quality"));
  return result;
}

}  // namespace agon
