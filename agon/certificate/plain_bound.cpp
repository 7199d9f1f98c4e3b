#include "agon/certificate/plain_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "agon/base/hash.h"

namespace agon {
namespace {

constexpr int64_t kNoScore = INT64_MIN / 4;
constexpr size_t kMostRemembered = 1 << 20;  // gains of sets, of about 100 bytes each

// Nodes in parts within which every node can reach every other along "i is in a family of j", parents' parts first
// (Tarjan 1972, by reachability: there are at most 128 nodes).
std::vector<std::vector<Node>> parts_of(const SearchSpace& space) {
  const int p = static_cast<int>(space.of.size());
  std::vector<NodeBits> ancestors(p);
  for (Node j = 0; j < p; ++j) {
    for (const BoundedFamily& family : space.of[j]) ancestors[j] = ancestors[j] | family.parents;
  }
  for (Node via = 0; via < p; ++via) {
    for (Node j = 0; j < p; ++j) {
      if (ancestors[j].contains(via)) ancestors[j] = ancestors[j] | ancestors[via];
    }
  }
  std::vector<std::vector<Node>> parts;
  std::vector<char> placed(p, 0);
  for (Node j = 0; j < p; ++j) {
    if (placed[j]) continue;
    parts.emplace_back();
    for (Node i = j; i < p; ++i) {
      if (i != j && !(ancestors[j].contains(i) && ancestors[i].contains(j))) continue;
      placed[i] = 1;
      parts.back().push_back(i);
    }
  }
  return parts;
}

// The best acyclic choice within one part; arcs from outside close no cycle.
struct PartResult {
  int64_t score = kNoScore;
  std::vector<std::pair<Node, NodeBits>> families;
};
PartResult best_of_part(const SearchSpace& space, const std::vector<Node>& part) {
  const int c = static_cast<int>(part.size());
  const size_t sets = size_t{1} << c;
  std::vector<int> place(space.of.size(), -1);
  for (int k = 0; k < c; ++k) place[part[k]] = k;
  // best[k][S]: of the families of the k-th node with all parents of this part in S.
  std::vector<std::vector<int64_t>> best(c, std::vector<int64_t>(sets, kNoScore));
  const auto mask_of = [&](NodeBits parents) {
    size_t mask = 0;
    for (int k = 0; k < c; ++k) mask |= parents.contains(part[k]) ? size_t{1} << k : 0;
    return mask;
  };
  for (int k = 0; k < c; ++k) {
    for (const BoundedFamily& family : space.of[part[k]]) {
      int64_t& slot = best[k][mask_of(family.parents)];
      slot = std::max(slot, family.score);
    }
    for (int bit = 0; bit < c; ++bit) {
      const size_t flag = size_t{1} << bit;
      for (size_t s = 0; s < sets; ++s) {
        if ((s & flag) != 0) best[k][s] = std::max(best[k][s], best[k][s ^ flag]);
      }
    }
  }
  std::vector<int64_t> whole(sets, kNoScore);
  whole[0] = 0;
  for (size_t s = 1; s < sets; ++s) {
    for (int k = 0; k < c; ++k) {
      const size_t rest = s ^ (size_t{1} << k);
      if ((s >> k & 1) == 0 || whole[rest] == kNoScore || best[k][rest] == kNoScore) continue;
      whole[s] = std::max(whole[s], whole[rest] + best[k][rest]);
    }
  }
  PartResult out{whole[sets - 1], {}};
  for (size_t s = sets - 1; s != 0 && out.score != kNoScore;) {
    for (int k = 0; k < c; ++k) {
      const size_t rest = s ^ (size_t{1} << k);
      if ((s >> k & 1) == 0 || whole[rest] == kNoScore || best[k][rest] == kNoScore) continue;
      if (whole[rest] + best[k][rest] != whole[s]) continue;
      const auto& list = space.of[part[k]];
      const auto family = std::ranges::find_if(
          list, [&](const BoundedFamily& f) { return f.score == best[k][rest] && (mask_of(f.parents) & ~rest) == 0; });
      out.families.push_back({part[k], family->parents});
      s = rest;
      break;
    }
  }
  return out;
}

void check(const ProofCut& cut, int p) {
  const auto refuse = [](const std::string& what) { throw InvalidCut(what); };
  if (cut.nodes.empty() || cut.nodes.front() < 0 || cut.nodes.back() >= p) refuse("a cut with unknown nodes");
  const int64_t size = static_cast<int64_t>(cut.nodes.size());
  if (cut.cluster == ProofCut::kLikelihood) return;
  if (cut.cluster > 0) {
    if (cut.cluster > size || cut.right != size - cut.cluster) refuse("a cluster with a wrong right side");
    return;
  }
  if (cut.cluster < 0 || size > kMostLocalNodes) refuse("a local cut with too many nodes");
  const NodeBits nodes = bits_of(cut.nodes);
  for (const ProofCut::Generator& g : cut.generators) {
    const NodeBits parents = bits_of(g.parents);
    if (!nodes.contains(g.child) || !parents.is_subset_of(nodes) || parents.contains(g.child) || g.weight < 0) {
      refuse("a generator outside the nodes of its cut");
    }
  }
  if (const int64_t highest = highest_weight(cut); highest > cut.right) {
    refuse(fmt::format("a local cut with the right side {}, and a graph with the weight {}", cut.right, highest));
  }
}

}  // namespace

int64_t highest_weight(const ProofCut& cut) {
  SearchSpace space;
  space.of.resize(cut.nodes.size());
  const auto place = [&](Node v) {
    return static_cast<Node>(std::ranges::lower_bound(cut.nodes, v) - cut.nodes.begin());
  };
  for (auto& list : space.of) list.push_back({0, {}});
  for (const ProofCut::Generator& g : cut.generators) {
    NodeBits parents;
    for (const Node q : g.parents) parents.insert(place(q));
    space.of[place(g.child)].push_back({g.weight, parents});
  }
  std::vector<Node> all;
  for (Node v = 0; v < static_cast<Node>(cut.nodes.size()); ++v) all.push_back(v);
  return best_of_part(space, all).score;
}

plain::SetValue FitGains::of(Node j, NodeBits given) const {
  if (memo_.size() > kMostRemembered) memo_.clear();
  const auto [at, is_new] = memo_.try_emplace({j, given});
  if (!is_new) return at->second;
  const auto walk = sets_->walk();
  plain::SetValue before = sets_->of_empty();
  for (const Node v : given.to_vector()) {
    before = walk->with(v);
    walk->push(v);
  }
  const plain::SetValue with = walk->with(j);
  at->second = {with.up - before.down, with.down - before.up};
  return at->second;
}

plain::SetValue FitGains::of_all(NodeBits nodes) const {
  const auto walk = sets_->walk();
  plain::SetValue all = sets_->of_empty();
  for (const Node v : nodes.to_vector()) {
    all = walk->with(v);
    walk->push(v);
  }
  return {all.up - sets_->of_empty().down, all.down - sets_->of_empty().up};
}

size_t FitGains::Hash::operator()(const std::pair<Node, NodeBits>& key) const {
  return hash_combine(hash_combine(mix64(key.second.low), key.second.high), static_cast<uint64_t>(key.first));
}

Cuts::Cuts(const std::vector<ProofCut>& cuts, int nodes, std::shared_ptr<const plain::SetScores> sets)
    : Cuts(nodes, std::move(sets)) {
  for (const ProofCut& cut : cuts) add(cut);
}

int Cuts::add(const ProofCut& cut) {
  check(cut, static_cast<int>(of_.size()));
  Compiled compiled{cut.cluster, cut.right, bits_of(cut.nodes), {}};
  if (cut.cluster == ProofCut::kLikelihood) {
    if (!gains_.known()) throw InvalidCut("a likelihood cut, and the score has no likelihood of sets");
    compiled.right = gains_.of_all(compiled.nodes).up;
  }
  for (const ProofCut::Generator& g : cut.generators) {
    compiled.generators.push_back({g.child, bits_of(g.parents), g.weight});
  }
  std::ranges::stable_sort(compiled.generators, [](const auto& a, const auto& b) {
    return std::tuple(a.child, -a.weight) < std::tuple(b.child, -b.weight);
  });
  const int index = static_cast<int>(cuts_.size());
  for (const Node v : cut.nodes) of_[v].push_back(index);
  cuts_.push_back(std::move(compiled));
  return index;
}

int64_t Cuts::weight(int cut, Node j, NodeBits parents) const {
  const Compiled& c = cuts_[cut];
  if (c.cluster > 0) return (parents & c.nodes).count() >= c.cluster ? 1 : 0;
  if (c.cluster == ProofCut::kLikelihood) return gains_.of(j, parents & c.nodes).down;
  auto g = std::ranges::lower_bound(c.generators, j, {}, &Compiled::Generator::child);
  for (; g != c.generators.end() && g->child == j; ++g) {
    if (g->parents.is_subset_of(parents)) return g->weight;
  }
  return 0;
}

Units Cuts::worth(int cut, Units multiplier) const {
  const Units exact = multiplier * cuts_[cut].right;
  return cuts_[cut].cluster == ProofCut::kLikelihood ? -(-exact >> 32) : exact;
}

Units Cuts::charge(int cut, Units multiplier, Node j, NodeBits parents) const {
  const Units exact = multiplier * weight(cut, j, parents);
  return cuts_[cut].cluster == ProofCut::kLikelihood ? exact >> 32 : exact;
}

bool SearchSpace::has_empty() const {
  return std::ranges::any_of(of, [](const auto& list) { return list.empty(); });
}

DualBound bound_of(const SearchSpace& space, const Cuts& cuts, const std::vector<ProofMultiplier>& multipliers) {
  DualBound out;
  const size_t p = space.of.size();
  std::vector<Units> of_cut(cuts.size(), 0);
  for (const ProofMultiplier& m : multipliers) of_cut[m.cut] += m.value;
  for (size_t k = 0; k < cuts.size(); ++k) out.total += cuts.worth(static_cast<int>(k), of_cut[k]);
  out.best.resize(p);
  out.of.resize(p);
  for (size_t j = 0; j < p; ++j) {
    const Node node = static_cast<Node>(j);
    std::vector<int> active;
    for (const int cut : cuts.of(node)) {
      if (of_cut[cut] > 0) active.push_back(cut);
    }
    for (const BoundedFamily& family : space.of[j]) {
      Units z = family.score;
      for (const int cut : active) z -= cuts.charge(cut, of_cut[cut], node, family.parents);
      out.of[j].push_back(z);
    }
    out.best[j] = *std::ranges::max_element(out.of[j]);
    out.total += out.best[j];
  }
  return out;
}

long droppable(const SearchSpace& space, const DualBound& bound, Units goal) {
  long out = 0;
  for (size_t j = 0; j < space.of.size(); ++j) {
    const Units least = goal - bound.total + bound.best[j];
    out += std::ranges::count_if(bound.of[j], [&](Units z) { return z <= least; });
  }
  return out;
}

long drop(SearchSpace& space, const DualBound& bound, Units goal) {
  long dropped = 0;
  for (size_t j = 0; j < space.of.size(); ++j) {
    const Units least = goal - bound.total + bound.best[j];
    auto& list = space.of[j];
    size_t kept = 0;
    for (size_t k = 0; k < list.size(); ++k) {
      if (bound.of[j][k] > least) list[kept++] = list[k];
    }
    dropped += static_cast<long>(list.size() - kept);
    list.resize(kept);
  }
  return dropped;
}

void decide(SearchSpace& space, Node from, Node to, bool stands) {
  if (!stands) {
    std::erase_if(space.of[to], [&](const BoundedFamily& f) { return f.parents.contains(from); });
    return;
  }
  std::erase_if(space.of[to], [&](const BoundedFamily& f) { return !f.parents.contains(from); });
  const Node p = static_cast<Node>(space.of.size());
  space.reached.resize(p);
  NodeBits beyond = space.reached[to];
  beyond.insert(to);
  for (Node v = 0; v < p; ++v) {
    if (v == from || space.reached[v].contains(from)) space.reached[v] = space.reached[v] | beyond;
  }
  // A parent that forced arcs lead to would close a cycle.
  for (Node v = 0; v < p; ++v) {
    std::erase_if(space.of[v], [&](const BoundedFamily& f) { return f.parents.intersects(space.reached[v]); });
  }
}

int largest_part(const SearchSpace& space) {
  size_t largest = 0;
  for (const auto& part : parts_of(space)) largest = std::max(largest, part.size());
  return static_cast<int>(largest);
}

std::optional<DpResult> best_by_dp(const SearchSpace& space) {
  DpResult out{0, Dag(static_cast<int>(space.of.size()))};
  for (const std::vector<Node>& part : parts_of(space)) {
    if (part.size() > kMostDpNodes) return std::nullopt;
    const PartResult best = best_of_part(space, part);
    if (best.score == kNoScore) return std::nullopt;
    out.score += best.score;
    for (const auto& [child, parents] : best.families) {
      for (const Node q : parents.to_vector()) out.dag.add_edge(q, child);
    }
  }
  return out;
}

}  // namespace agon
