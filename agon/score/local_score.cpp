#include "agon/score/local_score.h"

#include <algorithm>
#include <cmath>

namespace agon {
namespace {

std::vector<Node> with(Parents parents, Node v) {
  std::vector<Node> out(parents.begin(), parents.end());
  out.insert(std::upper_bound(out.begin(), out.end(), v), v);
  return out;
}

std::vector<Node> without(Parents parents, Node v) {
  std::vector<Node> out(parents.begin(), parents.end());
  std::erase(out, v);
  return out;
}

}  // namespace

double LocalScore::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  return plain_addition_gains(*this, child, parents, gains);
}

double LocalScore::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  return plain_removal_gains(*this, child, parents, gains);
}

double LocalScore::column_gains(Node child, Parents parents, std::span<double> additions,
                                std::span<double> removals) const {
  const double now = addition_gains(child, parents, additions);
  if (!parents.empty()) removal_gains(child, parents, removals);
  return now;
}

double LocalScore::addition_gain(Node child, Parents parents, Node v) const {
  std::vector<double> gains(size());
  addition_gains(child, parents, gains);
  return gains[v];
}

double LocalScore::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  std::vector<double> gains(size());
  const double now = addition_gains(child, parents, gains);
  sort_positive(gains, best);
  return now;
}

void LocalScore::pair_additions(Node, Parents, std::vector<PairGain>& best) const { best.clear(); }

void sort_positive(std::span<const double> gains, std::vector<ParentGain>& best) {
  best.clear();
  for (Node v = 0; v < static_cast<Node>(gains.size()); ++v) {
    if (gains[v] > 0) best.push_back({gains[v], v});
  }
  sort_by_gain(best);
}

void sort_by_gain(std::vector<ParentGain>& additions) {
  std::sort(additions.begin(), additions.end(), [](const ParentGain& a, const ParentGain& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.node < b.node;
  });
}

void sort_by_gain(std::vector<PairGain>& additions) {
  std::sort(additions.begin(), additions.end(), [](const PairGain& a, const PairGain& b) {
    if (a.gain != b.gain) return a.gain > b.gain;
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

double tie_tolerance(const LocalScore& score) {
  double magnitude = 0;
  for (Node v = 0; v < score.size(); ++v) magnitude += std::abs(score.local(v, {}));
  return 1e-9 * (1 + magnitude / std::max(1, score.size()));
}

double plain_addition_gains(const LocalScore& score, Node child, Parents parents, std::span<double> gains) {
  const double now = score.local(child, parents);
  for (Node v = 0; v < score.size(); ++v) {
    gains[v] = kNoGain;
    if (!may_add(score.traits(), child, parents, v)) continue;
    try {
      gains[v] = score.local(child, with(parents, v)) - now;
    } catch (const ScoreUndefined&) {
    }
  }
  return now;
}

double plain_removal_gains(const LocalScore& score, Node child, Parents parents, std::span<double> gains) {
  const double now = score.local(child, parents);
  for (size_t k = 0; k < parents.size(); ++k) {
    gains[k] = kNoGain;
    try {
      gains[k] = score.local(child, without(parents, parents[k])) - now;
    } catch (const ScoreUndefined&) {  // nearly dependent parents: the child counts as determined only without this one
    }
  }
  return now;
}

bool may_add(const ScoreTraits& traits, Node child, Parents parents, Node v) {
  return v != child && !traits.constant[v] && !traits.constant[child] &&
         static_cast<int>(parents.size()) < traits.max_parents &&
         !std::binary_search(parents.begin(), parents.end(), v);
}

double total(const LocalScore& score, const Dag& dag) {
  double sum = 0;
  for (Node v = 0; v < dag.size(); ++v) sum += score.local(v, dag.parent_list(v));
  return sum;
}

double gain(const LocalScore& score, const Dag& dag, EdgeMove move) {
  const std::vector<Node> at_to = dag.parent_list(move.to);
  if (move.kind == MoveKind::kAdd) return score.local(move.to, with(at_to, move.from)) - score.local(move.to, at_to);
  double g = score.local(move.to, without(at_to, move.from)) - score.local(move.to, at_to);
  if (move.kind == MoveKind::kReverse) {
    const std::vector<Node> at_from = dag.parent_list(move.from);
    g += score.local(move.from, with(at_from, move.to)) - score.local(move.from, at_from);
  }
  return g;
}

}  // namespace agon
