#include "agon/referee/likelihood_cuts.h"

#include <algorithm>
#include <map>

namespace agon {
namespace {

constexpr int kMostCuts = 10;                // of a round
constexpr int kMostSearchSteps = 60;         // of a search
constexpr double kNanosecondsPerGain = 300;  // of one gain, new or known

class LikelihoodSearch {
 public:
  LikelihoodSearch(const RelaxedPoint& point, const FitGains& gains) : point_(point), gains_(gains) {
    families_of_.resize(point.nodes);
    for (const WeightedFamily& f : point.families) families_of_[f.child].push_back(&f);
  }

  LikelihoodCuts run(double least) {
    NodeBits all;
    for (Node v = 0; v < point_.nodes; ++v) all.insert(v);
    climb(all);
    for (Node v = 0; v < point_.nodes; ++v) {
      NodeBits seed;
      for (const WeightedFamily* f : families_of_[v]) {
        if (f->weight < 1 - 1e-6) seed = seed | f->parents;
      }
      seed.insert(v);
      if (seed.count() > 2) climb(seed);
    }
    std::vector<std::pair<double, NodeBits>> ranked;
    for (const auto& [nodes, excess] : found_) {
      if (excess >= least) ranked.push_back({-excess, nodes});
    }
    std::ranges::sort(ranked);
    LikelihoodCuts out{.cuts = {}, .work = kNanosecondsPerGain * static_cast<double>(asked_)};
    for (const auto& [excess, nodes] : ranked) {
      if (out.cuts.size() == kMostCuts) break;
      out.cuts.push_back({ProofCut::kLikelihood, 0, nodes.to_vector(), {}});
    }
    return out;
  }

 private:
  double gain(Node j, NodeBits given) const {
    ++asked_;
    return static_cast<double>(gains_.of(j, given).down) * kProofUnit;
  }
  double fit_of(Node j, NodeBits nodes) const {  // what its families add, inside
    double out = 0;
    for (const WeightedFamily* f : families_of_[j]) out += f->weight * gain(j, f->parents & nodes);
    return out;
  }
  double excess(NodeBits nodes) const {
    double out = -static_cast<double>(gains_.of_all(nodes).up) * kProofUnit;
    for (const Node j : nodes.to_vector()) out += fit_of(j, nodes);
    return out;
  }
  // Of removing v from `nodes`, which hold it.
  double lost_by_removal(Node v, NodeBits nodes) const {
    const NodeBits rest = nodes.without(v);
    double out = fit_of(v, nodes) - gain(v, rest);
    for (const Node j : rest.to_vector()) {
      for (const WeightedFamily* f : families_of_[j]) {
        if (f->parents.contains(v)) out += f->weight * (gain(j, f->parents & nodes) - gain(j, f->parents & rest));
      }
    }
    return out;
  }

  void climb(NodeBits nodes) {
    double now = excess(nodes);
    for (int step = 0; step < kMostSearchSteps; ++step) {
      double best = 1e-9;
      NodeBits next;
      for (Node v = 0; v < point_.nodes; ++v) {
        NodeBits tried = nodes;
        const bool inside = nodes.contains(v);
        if (inside) {
          tried.erase(v);
        } else {
          tried.insert(v);
        }
        if (tried.count() < 2) continue;
        const double change = inside ? -lost_by_removal(v, nodes) : lost_by_removal(v, tried);
        if (change > best) {
          best = change;
          next = tried;
        }
      }
      if (next.empty()) break;
      nodes = next;
      now += best;
      if (found_.contains(nodes)) return;
    }
    if (now > 0) found_.emplace(nodes, now);
  }

  const RelaxedPoint& point_;
  const FitGains& gains_;
  std::vector<std::vector<const WeightedFamily*>> families_of_;
  std::map<NodeBits, double> found_;  // sets, by how much they are violated
  mutable long asked_ = 0;
};

}  // namespace

LikelihoodCuts violated_likelihood_cuts(const RelaxedPoint& point, const FitGains& gains, double least) {
  return LikelihoodSearch(point, gains).run(least);
}

}  // namespace agon
