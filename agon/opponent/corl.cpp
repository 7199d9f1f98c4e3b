#include "agon/opponent/corl.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "agon/opponent/rl_answer.h"

namespace agon {
namespace {

// Predicts rewards. Of steps: width -> 2 width -> width -> 1, ReLU after each, no biases but one added at the end. Of
// orders: width -> width ReLU -> 1. Its gradient stays in it.
class Critic {
 public:
  Critic(int width, bool of_steps, double rate, Rng rng) {
    if (of_steps) {
      layers_ = {{width, 2 * width, false, true, layout_},
                 {2 * width, width, false, true, layout_},
                 {width, 1, false, true, layout_}};
      shift_ = layout_.add_constant(1, 0);
    } else {
      layers_ = {{width, width, true, true, layout_}, {width, 1, true, false, layout_}};
    }
    weights_ = layout_.draw<float>(rng);
    gradient_ = NetVector<float>::Zero(layout_.size());
    adam_ = Adam<float>({.learning_rate = rate, .beta2 = 0.99, .epsilon = 1e-7, .epsilon_first = true}, layout_.size());
    out_.resize(layers_.size());
  }

  const std::vector<float>& judge(const float* x, long columns) {
    const float* from = x;
    for (size_t l = 0; l < layers_.size(); ++l) {
      out_[l].resize(layers_[l].out * columns);
      layers_[l].forward(weights_.data(), from, columns, out_[l].data(), scratch_);
      from = out_[l].data();
    }
    judged_ = out_.back();
    if (shift_ >= 0) {
      for (float& v : judged_) v += weights_[shift_];
    }
    return judged_;
  }

  // A step against the squared error, whose mean over the columns has the gradient -2 surprise / columns.
  void learn(const float* x, long columns, const std::vector<float>& surprise) {
    gradient_.setZero();
    std::vector<float> by(surprise), next;
    for (float& v : by) v *= -2.0f / static_cast<float>(columns);
    if (shift_ >= 0) gradient_[shift_] = std::accumulate(by.begin(), by.end(), 0.0f);
    for (size_t l = layers_.size(); l-- > 0;) {
      next.resize(layers_[l].in * columns);
      layers_[l].backward(weights_.data(), l == 0 ? x : out_[l - 1].data(), out_[l].data(), by.data(), columns,
                          gradient_.data(), l == 0 ? nullptr : next.data(), false, scratch_);
      by.swap(next);
    }
    adam_.step(weights_, gradient_, layout_.tensors(), 1);
  }

  void exchange_state(Archive& archive) {
    archive(weights_);
    Archive::demand(weights_.size() == layout_.size());
    adam_.exchange_state(archive);
  }

 private:
  WeightLayout layout_;
  std::vector<Linear<float>> layers_;
  long shift_ = -1;
  NetVector<float> weights_, gradient_;
  Adam<float> adam_{{}, 1};
  std::vector<std::vector<float>> out_;
  std::vector<float> judged_, scratch_;
};

// What an order earns: per place, and as a whole. Larger is better.
class OrderReward {
 public:
  OrderReward(RlAnswer& answer, const CorlOptions& options) : answer_(answer), o_(options) {
    const int d = answer.table().variables();
    for (int child = 0; child < d; ++child) {
      bool any = false;
      for (int parent = 0; parent < d; ++parent) any = any || (child != parent && answer.forbidden(child, parent));
      restricted_.push_back(any);
    }
  }

  // The parents that a variable has when these stand before it.
  std::vector<int> parents(int child, std::vector<int> before) {
    std::sort(before.begin(), before.end());
    std::erase_if(before, [&](int p) { return answer_.forbidden(child, p); });
    return o_.own_score ? answer_.own().select(child, before) : before;
  }

  double operator()(const std::vector<int>& order, std::vector<double>& by_place) {
    const int d = static_cast<int>(order.size());
    by_place.resize(d);
    if (o_.own_score) return own(order, by_place);
    answer_.fits().residuals_in_order(order, residual_);
    double sum = 0, logs = 0;
    for (int t = 0; t < d; ++t) {
      const int v = order[t];
      double r = residual_[v];
      if (restricted_[v]) r = answer_.fits().residual(v, parents(v, {order.begin(), order.begin() + t}));
      const double log = o_.variances == Variances::kDifferent ? same_log(r + 1e-8) : 0;
      by_place[t] = o_.variances == Variances::kEqual ? -r : -log;
      sum += r;
      logs += log;
    }
    return o_.variances == Variances::kEqual ? -same_log(sum + 1e-8) : -logs;
  }

 private:
  double own(const std::vector<int>& order, std::vector<double>& by_place) {
    double sum = 0;
    for (size_t t = 0; t < order.size(); ++t) {
      const int v = order[t];
      std::vector<int> before(order.begin(), order.begin() + static_cast<long>(t));
      std::sort(before.begin(), before.end());
      std::string key(reinterpret_cast<const char*>(&v), sizeof v);
      key.append(reinterpret_cast<const char*>(before.data()), before.size() * sizeof(int));
      const auto [place, fresh] = cache_.try_emplace(key, 0.0);
      if (fresh) place->second = answer_.own().local(v, parents(v, before)) / answer_.table().rows;
      by_place[t] = place->second;
      sum += place->second;
    }
    return sum;
  }

  RlAnswer& answer_;
  const CorlOptions& o_;
  std::vector<char> restricted_;
  std::vector<double> residual_;
  std::unordered_map<std::string, double> cache_;
};

class OrderTraining {
 public:
  OrderTraining(RlAnswer& answer, const CorlOptions& options, Rng rng)
      : table_(answer.table()),
        o_(options),
        d_(table_.variables()),
        reward_(answer, options),
        policy_(options, d_, required_causes(answer), rng.split("weights")),
        critic_(options.width, options.per_step, options.critic_rate, rng.split("critic")),
        draw_rows_(rng.split("rows")),
        draw_orders_(rng.split("orders")),
        all_orders_(count_orders(required_causes(answer))) {}

  void learn(const Watch& watch, const SavedSearch& saved) {
    if (saved.from != nullptr) {
      Archive archive{std::string_view(*saved.from)};
      exchange_state(archive);
      archive.finish();
    }
    while (iterations_ < o_.iterations) {
      if (watch.stop_requested()) {
        stopped_by_ = watch.stop_reason();
        unfinished_ = state();
        if (saved.save) saved.save(unfinished_);
        break;
      }
      if (saved.wanted()) saved.save(state());
      if (o_.patience > 0 && iterations_ - last_better_ >= o_.patience) {
        stopped_by_ = "patience";
        break;
      }
      iterate();
      ++iterations_;
      if (all_orders_ > 0 && seen_.size() == all_orders_) {
        stopped_by_ = "all orders seen";
        break;
      }
      if (iterations_ % 50 == 0) {
        watch.tell({fmt::format("reward {:.4f}, best order {:.4f}", mean_reward_, best_),
                    iterations_,
                    -1,
                    best_,
                    {},
                    o_.iterations,
                    "iteration"});
      }
    }
    if (stopped_by_.empty()) stopped_by_ = "iterations done";
  }

  // The parents of the best order; none before the first iteration.
  ParentLists parents() {
    ParentLists out(d_);
    for (size_t t = 0; t < best_order_.size(); ++t) {
      out[best_order_[t]] =
          reward_.parents(best_order_[t], {best_order_.begin(), best_order_.begin() + static_cast<long>(t)});
    }
    return out;
  }
  double best() const { return best_; }
  long iterations() const { return iterations_; }
  long last_better() const { return last_better_; }
  const std::string& stopped_by() const { return stopped_by_; }
  const std::string& unfinished() const { return unfinished_; }  // if a stop was requested: where (SearchResult)

 private:
  static std::vector<std::vector<int>> required_causes(const RlAnswer& answer) {
    const int d = answer.table().variables();
    std::vector<std::vector<int>> before(d);
    for (int child = 0; child < d; ++child) {
      for (int parent = 0; parent < d; ++parent) {
        if (child != parent && answer.required(child, parent)) before[child].push_back(parent);
      }
    }
    return before;
  }

  // Everything that the next iteration depends on.
  void exchange_state(Archive& archive) {
    archive(iterations_);
    policy_.exchange_state(archive);
    critic_.exchange_state(archive);
    archive(draw_rows_);
    archive(draw_orders_);
    std::vector<std::vector<int>> seen(seen_.begin(), seen_.end());
    archive(seen);
    seen_ = {seen.begin(), seen.end()};
    archive(baseline_);
    archive(mean_reward_);
    archive(best_);
    archive(last_better_);
    archive(best_order_);
  }

  std::string state() {
    Archive archive;
    exchange_state(archive);
    return archive.bytes();
  }

  // How many orders the policy can sample; 0: too many to wait for all of them.
  static size_t count_orders(const std::vector<std::vector<int>>& before) {
    if (before.size() > 4) return 0;
    std::vector<int> order(before.size()), place(before.size());
    std::iota(order.begin(), order.end(), 0);
    size_t found = 0;
    do {
      for (size_t t = 0; t < order.size(); ++t) place[order[t]] = static_cast<int>(t);
      bool possible = true;
      for (size_t v = 0; v < before.size(); ++v) {
        for (const int u : before[v]) possible = possible && place[u] < place[v];
      }
      found += possible;
    } while (std::next_permutation(order.begin(), order.end()));
    return found;
  }

  void iterate() {
    const int batch = o_.batch;
    inputs_.resize(static_cast<size_t>(o_.rows) * d_ * batch);
    for (int b = 0; b < batch; ++b) {
      for (int k = 0; k < o_.rows; ++k) {
        const int row = draw_rows_.below(table_.rows);
        for (int i = 0; i < d_; ++i) inputs_[(static_cast<size_t>(k) * d_ + i) * batch + b] = table_.at(row, i);
      }
    }
    policy_.sample(inputs_.data(), draw_orders_);
    returns_.assign(static_cast<size_t>(d_) * batch, 0);
    whole_.resize(batch);
    mean_reward_ = 0;
    order_.resize(d_);
    for (int b = 0; b < batch; ++b) {
      for (int t = 0; t < d_; ++t) order_[t] = policy_.chosen(t, b);
      whole_[b] = reward_(order_, by_place_);
      mean_reward_ += whole_[b] / batch;
      if (all_orders_ > 0) seen_.insert(order_);
      if (best_order_.empty() || whole_[b] > best_) {
        best_ = whole_[b];
        best_order_ = order_;
        last_better_ = iterations_;
      }
      const std::vector<double> ahead = discounted_returns(by_place_, o_.discount);
      for (int t = 0; t < d_; ++t) returns_[t * batch + b] = ahead[t];
    }
    if (o_.per_step) {
      learn_steps();
    } else {
      learn_orders();
    }
  }

  void learn_steps() {
    const long columns = static_cast<long>(d_) * o_.batch;
    const std::vector<float>& judged = critic_.judge(policy_.states().data(), columns);
    weight_.assign(columns, 0.0f);
    surprise_.resize(columns);
    const double share = 1.0 / (static_cast<double>(std::max(1, d_ - 1)) * o_.batch);
    for (long k = 0; k < columns; ++k) {
      surprise_[k] = static_cast<float>(returns_[k] - static_cast<double>(judged[k]));
      if (k < columns - o_.batch) weight_[k] = static_cast<float>(static_cast<double>(surprise_[k]) * share);
    }
    policy_.actor_gradient(weight_);
    policy_.step(o_.actor_rate);
    critic_.learn(policy_.states().data(), columns, surprise_);
  }

  void learn_orders() {
    const int batch = o_.batch;
    const std::vector<float>& judged = critic_.judge(policy_.mean().data(), batch);
    baseline_ = 0.99 * baseline_ + 0.01 * mean_reward_;
    surprise_.resize(batch);
    weight_.resize(static_cast<size_t>(d_) * batch);
    for (int b = 0; b < batch; ++b) {
      surprise_[b] = static_cast<float>(whole_[b] - baseline_ - static_cast<double>(judged[b]));
      for (int t = 0; t < d_; ++t) weight_[t * batch + b] = surprise_[b] / static_cast<float>(batch);
    }
    policy_.actor_gradient(weight_);
    policy_.step(o_.actor_rate);
    critic_.learn(policy_.mean().data(), batch, surprise_);
  }

  const StandardTable& table_;
  const CorlOptions& o_;
  int d_;
  OrderReward reward_;
  OrderPolicy<float> policy_;
  Critic critic_;
  Rng draw_rows_, draw_orders_;
  size_t all_orders_;
  std::set<std::vector<int>> seen_;  // the orders sampled, where they are few
  double baseline_ = -1, mean_reward_ = 0, best_ = 0;
  long iterations_ = 0, last_better_ = 0;
  std::string stopped_by_, unfinished_;
  std::vector<int> order_, best_order_;
  std::vector<double> by_place_, returns_, whole_;
  std::vector<float> inputs_, weight_, surprise_;
};

}  // namespace

std::vector<double> discounted_returns(const std::vector<double>& rewards, double discount) {
  std::vector<double> out(rewards.size());
  double ahead = 0;
  for (size_t t = rewards.size(); t-- > 0;) out[t] = ahead = rewards[t] + discount * ahead;
  return out;
}

CorlForecast corl_forecast(int variables, const CorlOptions& o) {
  const double d = variables, t = d * o.batch, h = o.width;
  const double forward = 2 * t * h * (o.rows + o.blocks * 11 * h + 14 * h);
  const double attention = t * d * o.blocks * (4 * h + 60.0 * o.heads);
  const double seconds = 3 * forward / 60e9 + 2 * attention / 20e9 + 2 * t * d * h * 3e-9;
  const double bytes = 4 * t * (o.blocks * (14 * h + d * o.heads) + 2 * d * h);
  return {seconds * static_cast<double>(o.iterations), bytes};
}

SearchResult corl(const Dataset& data, const LocalScore& score, const CorlOptions& options, Rng rng, const Watch& watch,
                  const Knowledge& knowledge, const SavedSearch& saved) {
  RlAnswer answer(data, score, knowledge,
                  {Regression::kLinear, options.own_score, options.standardise, options.threshold});
  const int d = answer.table().variables();
  const CorlForecast ahead = corl_forecast(d, options);
  refuse_long("corl", d, ahead.seconds, ahead.bytes, options.iterations != CorlOptions{}.iterations || watch.deadline,
              watch);
  if (d < 2) {
    SearchResult out = answer.finish(ParentLists(d), {"fewer than two columns vary: nothing to learn"});
    out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "nothing to learn";
    return out;
  }
  OrderTraining training(answer, options, rng);
  training.learn(watch, saved);
  std::vector<std::string> story = {
      fmt::format("{} iterations with rewards per {}, best order {:.4f} found in iteration {}, stopped by: {}",
                  training.iterations(), options.per_step ? "step" : "order", training.best(),
                  training.last_better() + 1, training.stopped_by())};
  SearchResult out = answer.finish(training.parents(), std::move(story));
  out.steps = training.iterations();
  out.stopped_by = training.stopped_by();
  out.unfinished = training.unfinished();
  return out;
}

}  // namespace agon
