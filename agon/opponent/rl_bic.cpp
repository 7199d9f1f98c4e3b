#include "agon/opponent/rl_bic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "agon/nn/dense_kernels.h"
#include "agon/opponent/rl_answer.h"

namespace agon {
namespace {

constexpr int kMany = 30;  // from so many variables on the authors use longer inputs, more iterations, and a bias
constexpr double kManyBias = -10;

long iterations_of(int d, const RlBicOptions& o) {
  if (o.iterations > 0) return o.iterations;
  if (o.soft_knowledge) return 10'000;
  if (d >= kMany) return 40'000;
  return o.regression == Regression::kQuadratic ? 30'000 : 20'000;
}

int rows_of(int d, const RlBicOptions& o) {
  if (o.rows > 0) return o.rows;
  return d >= kMany || o.regression == Regression::kGaussianProcess ? 128 : 64;
}

double decayed(double rate, long iteration) {  // rate * 0.96^(iteration / 5000)
  double x = static_cast<double>(iteration) / 5000 * same_log(0.96);
  dense_kernels<double>().exp(&x, 1, &x);
  return rate * x;
}

class EdgeTraining {
 public:
  EdgeTraining(const RlTask& task, const RlBicOptions& options, Rng rng)
      : task_(task),
        o_(options),
        d_(task.table.variables()),
        rows_(rows_of(d_, options)),
        policy_(options, d_, rows_, task.fixed, task.with_bias, task.bias, rng.split("weights")),
        draw_rows_(rng.split("rows")),
        draw_edges_(rng.split("edges")),
        penalties_(d_),
        all_dags_(count_dags()) {}

  RlBicLearned learn(const Watch& watch, const SavedSearch& saved) {
    if (saved.from != nullptr) {
      Archive archive{std::string_view(*saved.from)};
      exchange_state(archive);
      archive.finish();
    }
    RlBicLearned out;
    const long most = iterations_of(d_, o_);
    while (out.stopped_by.empty() && iterations_ < most) {
      if (watch.stop_requested()) {
        out.stopped_by = watch.stop_reason();
        out.unfinished = state();
        if (saved.save) saved.save(out.unfinished);
        break;
      }
      if (saved.wanted()) saved.save(state());
      if (o_.patience > 0 && iterations_ - last_better_ >= o_.patience) {
        out.stopped_by = "patience";
        break;
      }
      iterate(iterations_);
      ++iterations_;
      if (all_dags_ > 0 && seen_.size() == all_dags_) out.stopped_by = "all graphs seen";
      if (first_acyclic_ < 0 && best_acyclic() != nullptr) first_acyclic_ = iterations_;
      if (iterations_ % o_.penalty_every == 0) raise();
      if (iterations_ % 50 == 0) report(watch, iterations_, most);
    }
    if (out.stopped_by.empty()) out.stopped_by = "iterations done";
    finish(out);
    return out;
  }

 private:
  // How many DAGs the policy can sample; 0: too many to wait for all of them.
  size_t count_dags() {
    if (d_ > 3) return 0;
    size_t found = 0;
    const int pairs = d_ * d_;
    for (unsigned code = 0; code < 1u << pairs; ++code) {
      ParentLists parents(d_);
      bool possible = true;
      for (int pair = 0; pair < pairs; ++pair) {
        const bool there = (code >> pair & 1) != 0;
        if (task_.fixed[pair] != 0 && there != (task_.fixed[pair] > 0)) possible = false;
        if (there) parents[pair / d_].push_back(pair % d_);
      }
      found += possible && count_cycles_(parents) <= kCyclic;
    }
    return found;
  }

  // Everything that the next iteration depends on.
  void exchange_state(Archive& archive) {
    archive(iterations_);
    policy_.exchange_state(archive);
    archive(draw_rows_);
    archive(draw_edges_);
    archive(penalties_);
    front_.exchange_state(archive);
    std::vector<std::vector<uint64_t>> seen(seen_.begin(), seen_.end());
    archive(seen);
    seen_ = {seen.begin(), seen.end()};
    archive(baseline_);
    archive(mean_reward_);
    archive(last_better_);
    archive(first_acyclic_);
    if (task_.exchange_cost) task_.exchange_cost(archive);
  }

  std::string state() {
    Archive archive;
    exchange_state(archive);
    return archive.bytes();
  }

  const SampledGraph* best_acyclic() const {
    return front_.best(penalties_.lambda1, penalties_.lambda2, penalties_.beta, true);
  }

  void iterate(long iteration) {
    draw_inputs();
    policy_.forward(inputs_.data());
    policy_.sample(draw_edges_, sample_);
    const int batch = o_.batch;
    reward_.resize(batch);
    double mean = 0;
    for (int b = 0; b < batch; ++b) {
      reward_[b] = judge(b, iteration);
      mean += reward_[b] / batch;
    }
    mean_reward_ = mean;
    baseline_ = 0.99 * baseline_ + 0.01 * mean;
    advantage_.resize(batch);
    for (int b = 0; b < batch; ++b) {
      advantage_[b] = static_cast<float>(reward_[b] - baseline_ - static_cast<double>(policy_.judged()[b]));
    }
    const double rate = decayed(o_.rate, iteration);
    policy_.actor_gradient(sample_, advantage_, static_cast<float>(rate));
    policy_.critic_gradient(advantage_);
    policy_.step(rate);
  }

  void draw_inputs() {
    const int batch = o_.batch;
    inputs_.resize(static_cast<size_t>(rows_) * d_ * batch);
    for (int b = 0; b < batch; ++b) {
      for (int k = 0; k < rows_; ++k) {
        const int row = draw_rows_.below(task_.table.rows);
        for (int i = 0; i < d_; ++i) inputs_[(static_cast<size_t>(k) * d_ + i) * batch + b] = task_.table.at(row, i);
      }
    }
  }

  // Remembers the graph of an episode where it may matter, and returns its reward.
  double judge(int b, long iteration) {
    graph_.bits.assign((static_cast<size_t>(d_) * d_ + 63) / 64, 0);
    parents_.resize(d_);
    graph_.contradictions = 0;
    for (int child = 0; child < d_; ++child) {
      parents_[child].clear();
      for (int parent = 0; parent < d_; ++parent) {
        const size_t pair = static_cast<size_t>(child) * d_ + parent;
        const bool there = sample_[pair * o_.batch + b] != 0;
        if (there) {
          parents_[child].push_back(parent);
          graph_.bits[pair / 64] |= uint64_t{1} << (pair % 64);
        }
        if (!task_.stated.empty() && task_.stated[pair] != 0 && there != (task_.stated[pair] > 0)) {
          ++graph_.contradictions;
        }
      }
    }
    graph_.score = task_.cost(parents_);
    graph_.cycles = count_cycles_(parents_);
    const SampledGraph* before = best_acyclic();
    const double known = before != nullptr ? before->score : 0;
    front_.offer(graph_);
    if (all_dags_ > 0 && graph_.cycles <= kCyclic) seen_.insert(graph_.bits);
    if (graph_.cycles <= kCyclic && (before == nullptr || graph_.score < known)) last_better_ = iteration;
    const bool cyclic = graph_.cycles > kCyclic;
    return -(graph_.score + (cyclic ? penalties_.lambda1 : 0) + penalties_.lambda2 * graph_.cycles +
             penalties_.beta * graph_.contradictions);
  }

  void raise() {
    const SampledGraph* best = front_.best(penalties_.lambda1, penalties_.lambda2, penalties_.beta, false);
    const double beta = penalties_.beta;
    penalties_.update(best->cycles <= kCyclic, best->score);
    if (!o_.soft_knowledge) penalties_.beta = beta;
  }

  void report(const Watch& watch, long done, long most) const {
    const SampledGraph* best = best_acyclic();
    const std::string found = best != nullptr ? fmt::format("best S {:.3f}", best->score) : "no DAG yet";
    const int edges = best != nullptr ? edges_of(*best) : -1;
    watch.tell({fmt::format("reward {:.3f}, {}, lambda {:.3g} and {:.0e}", mean_reward_, found, penalties_.lambda1,
                            penalties_.lambda2),
                done,
                edges,
                best != nullptr ? -best->score : 0,
                {},
                most,
                "iteration"});
  }

  static int edges_of(const SampledGraph& graph) {
    int count = 0;
    for (const uint64_t word : graph.bits) count += __builtin_popcountll(word);
    return count;
  }

  void finish(RlBicLearned& out) const {
    out.iterations = iterations_;
    out.first_acyclic = first_acyclic_;
    out.parents.assign(d_, {});
    out.last_reward = mean_reward_;
    out.penalties = penalties_;
    const SampledGraph* best = best_acyclic();
    out.acyclic = best != nullptr;
    if (best == nullptr) best = front_.best(penalties_.lambda1, penalties_.lambda2, penalties_.beta, false);
    if (best == nullptr) return;  // stopped before the first sample
    out.score = best->score;
    for (int child = 0; child < d_; ++child) {
      for (int parent = 0; parent < d_; ++parent) {
        const size_t pair = static_cast<size_t>(child) * d_ + parent;
        if ((best->bits[pair / 64] >> (pair % 64) & 1) != 0) out.parents[child].push_back(parent);
      }
    }
  }

  const RlTask& task_;
  const RlBicOptions& o_;
  int d_, rows_;
  EdgePolicy<float> policy_;
  Rng draw_rows_, draw_edges_;
  PenaltySchedule penalties_;
  CycleCount count_cycles_;
  ParetoFront front_;
  size_t all_dags_;
  std::set<std::vector<uint64_t>> seen_;  // the DAGs sampled, where they are few
  double baseline_ = -1, mean_reward_ = 0;
  long iterations_ = 0, last_better_ = 0, first_acyclic_ = -1;
  std::vector<float> inputs_, advantage_;
  std::vector<double> reward_;
  std::vector<char> sample_;
  ParentLists parents_;
  SampledGraph graph_;
};

}  // namespace

RlBicLearned learn_rl_bic(const RlTask& task, const RlBicOptions& options, Rng rng, const Watch& watch,
                          const SavedSearch& saved) {
  return EdgeTraining(task, options, rng).learn(watch, saved);
}

LearnerForecast rl_bic_forecast(int variables, double rows, const RlBicOptions& o) {
  const double d = variables, t = d * o.batch, h = o.width;
  const double forward = 2 * t * h * (rows_of(variables, o) + o.blocks * 11 * h + 2 * o.units);
  const double attention = t * d * o.blocks * (4 * h + 60.0 * o.heads);
  double seconds = (5 * forward / 60e9 + 3 * attention / 20e9 + t * d * o.units * 3e-9 + t * d * 2e-8) *
                   static_cast<double>(iterations_of(variables, o));
  if (o.regression == Regression::kGaussianProcess) {
    seconds += std::min(variables * std::pow(2.0, variables - 1), 64.0 * d * 200) * rows * rows * rows / 3 / 8e9;
  }
  const double bytes = 4 * t * (o.blocks * (14 * h + d * o.heads) + d * o.units + rows_of(variables, o));
  return {seconds, bytes};
}

namespace {

// Which entries the policy does not decide, and, with soft knowledge, what is said about each.
void set_knowledge(const RlAnswer& answer, int d, bool soft, RlTask& task) {
  task.fixed.assign(static_cast<size_t>(d) * d, 0);
  if (soft) task.stated.assign(task.fixed.size(), 0);
  for (int child = 0; child < d; ++child) {
    for (int parent = 0; parent < d; ++parent) {
      const int pair = child * d + parent;
      if (child == parent) {
        task.fixed[pair] = -1;
        continue;
      }
      std::vector<signed char>& told = soft ? task.stated : task.fixed;
      if (answer.required(child, parent)) told[pair] = 1;
      if (answer.forbidden(child, parent)) told[pair] = -1;
    }
  }
}

std::string knowledge_story(const RlAnswer& answer, const ParentLists& parents) {
  int stated = 0, there = 0, denied = 0, absent = 0;
  const int d = static_cast<int>(parents.size());
  for (int child = 0; child < d; ++child) {
    for (int parent = 0; parent < d; ++parent) {
      if (child == parent) continue;
      const bool has = std::ranges::binary_search(parents[child], parent);
      stated += answer.required(child, parent);
      there += answer.required(child, parent) && has;
      denied += answer.forbidden(child, parent);
      absent += answer.forbidden(child, parent) && !has;
    }
  }
  return fmt::format("by itself the agent had {} of {} required edges and avoided {} of {} forbidden ones", there,
                     stated, absent, denied);
}

}  // namespace

SearchResult rl_bic(const Dataset& data, const LocalScore& score, const RlBicOptions& options, Rng rng,
                    const Watch& watch, const Knowledge& knowledge, const SavedSearch& saved) {
  RlAnswer answer(data, score, knowledge,
                  {options.regression, options.own_score, options.standardise, options.threshold});
  const int d = answer.table().variables();
  const LearnerForecast ahead = rl_bic_forecast(d, answer.table().rows, options);
  refuse_long(options.soft_knowledge ? "kcrl" : "rl-bic", d, ahead.seconds, ahead.bytes,
              options.iterations > 0 || watch.deadline, watch);
  if (d < 2) {
    SearchResult out = answer.finish(ParentLists(d), {"fewer than two columns vary: nothing to learn"});
    out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "nothing to learn";
    return out;
  }
  RlTask task{.table = answer.table(), .cost = {}, .fixed = {}, .stated = {}};
  set_knowledge(answer, d, options.soft_knowledge, task);
  std::optional<GraphScore> by_regression;
  if (options.own_score) {
    task.cost = [&answer](const ParentLists& parents) { return answer.own()(parents); };
    task.exchange_cost = [&answer](Archive& archive) { answer.own().exchange_state(archive); };
    task.with_bias = d > 3;
    task.bias = d > 3 ? same_log(2.0 / (d - 3)) : 0;  // two parents a node: tables of many are slow and worthless
  } else {
    by_regression.emplace(answer.fits(), options.variances);
    task.cost = [&by_regression](const ParentLists& parents) { return by_regression->relative(parents); };
    task.with_bias = d >= kMany && !options.soft_knowledge;
    task.bias = kManyBias;
  }
  if (options.bias) task.with_bias = true, task.bias = *options.bias;
  const RlBicLearned learned = learn_rl_bic(task, options, rng, watch, saved);
  std::vector<std::string> story;
  story.push_back(
      fmt::format("{} iterations, {} with S {:.4f} (5: empty graph, 0: complete), mean reward {:.3f}, "
                  "penalties {:.3g} and {:.0e}, stopped by: {}",
                  learned.iterations, learned.acyclic ? "best DAG" : "no DAG sampled, best graph", learned.score,
                  learned.last_reward, learned.penalties.lambda1, learned.penalties.lambda2, learned.stopped_by));
  if (learned.first_acyclic > 0) story.push_back(fmt::format("first DAG in iteration {}", learned.first_acyclic));
  if (options.soft_knowledge && !knowledge.empty()) story.push_back(knowledge_story(answer, learned.parents));
  SearchResult out = answer.finish(learned.parents, std::move(story));
  out.steps = learned.iterations;
  out.stopped_by = learned.stopped_by;
  out.unfinished = learned.unfinished;
  return out;
}

}  // namespace agon
