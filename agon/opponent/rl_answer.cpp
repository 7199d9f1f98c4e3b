#include "agon/opponent/rl_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/graph/varsortability.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {

// ---- rewards by the score of the run ----

OwnCost::OwnCost(const LocalScore& score, const std::vector<int>& node, double rows)
    : score_(score),
      node_(node),
      rows_(std::max(2.0, rows)),
      price_(0.5 * same_log(rows_)),
      cap_(score.traits().max_parents) {
  const int d = static_cast<int>(node.size());
  for (int child = 0; child < d; ++child) {
    std::vector<int> others;
    for (int v = 0; v < d; ++v) {
      if (v != child) others.push_back(v);
    }
    high_ -= local(child, {}) / rows_;
    low_ -= local(child, select(child, others)) / rows_;
  }
}

double OwnCost::local(int child, const std::vector<int>& parents) {
  std::string key(reinterpret_cast<const char*>(&child), sizeof child);
  key.append(reinterpret_cast<const char*>(parents.data()), parents.size() * sizeof(int));
  const auto [place, fresh] = cache_.try_emplace(key, 0.0);
  if (!fresh) return place->second;
  std::vector<Node> nodes;
  for (const int p : parents) nodes.push_back(node_[p]);
  double surplus = 0;
  while (static_cast<int>(nodes.size()) > cap_) {  // the score at the cap, less a price for what is beyond it
    nodes.pop_back();
    surplus += price_;
  }
  double value = 0;
  try {
    value = score_.local(node_[child], nodes) - surplus;
  } catch (const ScoreUndefined&) {
    value = score_.local(node_[child], std::vector<Node>{}) - price_ * static_cast<double>(parents.size());
  }
  return cache_.at(key) = value;
}

std::vector<int> OwnCost::select(int child, const std::vector<int>& candidates) {
  std::vector<int> chosen;
  double value = local(child, chosen);
  while (static_cast<int>(chosen.size()) < cap_) {
    std::vector<int> best;
    for (const int c : candidates) {
      if (std::ranges::binary_search(chosen, c)) continue;
      std::vector<int> with = chosen;
      with.insert(std::upper_bound(with.begin(), with.end(), c), c);
      const double gained = local(child, with);
      if (gained > value) value = gained, best = std::move(with);
    }
    if (best.empty()) break;
    chosen = std::move(best);
  }
  return chosen;
}

double OwnCost::operator()(const ParentLists& parents) {
  double s = 0;
  for (int child = 0; child < static_cast<int>(parents.size()); ++child) s -= local(child, parents[child]) / rows_;
  low_ = std::min(low_, s);
  return high_ > low_ ? 5 * (s - low_) / (high_ - low_) : 0;
}

// ---- from the policy's graph to an answer ----

RlAnswer::RlAnswer(const Dataset& data, const LocalScore& score, const Knowledge& knowledge,
                   const RlAnswerOptions& options)
    : data_(data), score_(score), knowledge_(knowledge), options_(options) {
  const bool standard = options.standardise || options.regression == Regression::kGaussianProcess;
  table_ = standard ? agon::standardise(data) : as_it_is(data);
  if (options.own_score) {
    own_ = std::make_unique<OwnCost>(score, table_.node, table_.rows);
  } else {
    fits_ = std::make_unique<Regressions>(table_, options.regression);
  }
}

bool RlAnswer::forbidden(int child, int parent) const {
  return knowledge_.is_forbidden({table_.node[parent], table_.node[child]});
}

bool RlAnswer::required(int child, int parent) const {
  return knowledge_.is_required({table_.node[parent], table_.node[child]});
}

SearchResult RlAnswer::finish(const ParentLists& parents, std::vector<std::string> story) const {
  const bool standard = options_.standardise || options_.regression == Regression::kGaussianProcess;
  const bool prunes = fits_ != nullptr && options_.regression != Regression::kGaussianProcess;
  SearchResult out;
  out.story = std::move(story);
  if (table_.categorical > 0) {
    out.story.push_back(fmt::format("{} categorical of {} columns are used as {}codes", table_.categorical,
                                    data_.size(), standard ? "standardised " : ""));
  }
  std::vector<WeightedEdge> edges;
  size_t before = 0;
  for (int child = 0; child < static_cast<int>(parents.size()); ++child) {
    const std::vector<double> weight =
        fits_ != nullptr ? fits_->coefficients(child, parents[child]) : std::vector<double>(parents[child].size(), 1.0);
    for (size_t k = 0; k < parents[child].size(); ++k) {
      ++before;
      if (prunes && !(weight[k] > options_.threshold)) continue;
      edges.push_back({{table_.node[parents[child][k]], table_.node[child]}, weight[k]});
    }
  }
  if (prunes) {
    out.story.push_back(fmt::format("pruned {} of {} edges, whose coefficients are at most {:g}", before - edges.size(),
                                    before, options_.threshold));
  }
  LeftOut left;
  out.dag = dag_from_weights(std::move(edges), score_, knowledge_, &left);
  if (left.cycle + left.forbidden + left.over_cap + left.unscored > 0) {
    out.story.push_back(
        fmt::format("{} edges left out that would close a cycle, {} forbidden, {} beyond the most parents, {} whose "
                    "parents would determine the child",
                    left.cycle, left.forbidden, left.over_cap, left.unscored));
  }
  if (data_.all_of(ColumnKind::kContinuous)) {
    out.varsortability = varsortability(data_.size(), out.dag.edges(), column_variances(data_));
  }
  if (out.varsortability && fits_ != nullptr) {
    out.story.push_back(fmt::format(
        "varsortability of the answer {:.2f}: {}", *out.varsortability,
        standard ? "of the values as they are, which the search did not see; its columns were standardised"
                 : "the search saw the values as they are, so that their scales may have decided directions"));
  }
  out.score = total(score_, out.dag);
  return out;
}

void refuse_long(const std::string& who, int variables, double seconds, double bytes, bool limited,
                 const Watch& watch) {
  constexpr double kMostHours = 6, kMostBytes = 4e9;
  const double hours = seconds / 3600;
  if (limited || (hours <= kMostHours && bytes <= kMostBytes)) {
    return watch.tell({fmt::format("predicted: about {:.0f} min of one core, {:.0f} MB", std::ceil(seconds / 60),
                                   std::ceil(bytes / 1e6)),
                       0, -1});
  }
  throw UsageError(fmt::format("{} would need about {:.0f} h of one core and {:.1f} GB for {} columns", who, hours,
                               bytes / 1e9, variables),
                   "give a time limit (--time-limit) or a number of iterations (--iterations), after which it answers "
                   "with the best graph so far; GES and BOSS need seconds");
}

}  // namespace agon
