#include "agon/score/local_score.h"

#include <algorithm>

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
  for (size_t k = 0; k < parents.size(); ++k) gains[k] = score.local(child, without(parents, parents[k])) - now;
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
