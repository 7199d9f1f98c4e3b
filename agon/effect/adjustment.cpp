#include "agon/effect/adjustment.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "agon/graph/d_separation.h"

namespace agon {
namespace {

NodeSet only(int nodes, Node v) {
  NodeSet out(nodes);
  out.insert(v);
  return out;
}

// The nodes on directed paths from a cause to the outcome that meet no other cause, without the causes.
NodeSet joint_paths(const Dag& dag, const std::vector<Node>& causes, Node outcome) {
  Dag cut = dag;  // no path enters a cause
  NodeSet from(dag.size());
  for (const Node cause : causes) {
    for (const Node parent : dag.parent_list(cause)) cut.remove_edge(parent, cause);
    from.insert(cause);
  }
  NodeSet paths = descendants(cut, from);
  paths &= ancestors(cut, only(dag.size(), outcome));
  paths -= from;
  return paths;
}

PossibleEffect effect_together(const Dag& dag, const std::vector<Node>& causes, Node outcome, double share) {
  PossibleEffect out{.share = share, .on_outcome = {}, .among = {}};
  if (const auto joint = joint_adjustment(dag, causes, outcome)) {
    out.on_outcome.assign(causes.size(), *joint);
    return out;
  }
  out.by_parents = true;
  const std::vector<Node> paths = joint_paths(dag, causes, outcome).to_vector();
  for (const Node cause : causes) out.on_outcome.push_back({.set = dag.parent_list(cause), .paths = paths});
  return out;
}

PossibleEffect effect_in(const Dag& dag, const std::vector<Node>& causes, Node outcome, double share,
                         SeveralCauses how) {
  if (causes.size() > 1 && how == SeveralCauses::kTogether) return effect_together(dag, causes, outcome, share);
  PossibleEffect out{.share = share, .on_outcome = {}, .among = {}};
  for (const Node cause : causes) out.on_outcome.push_back(optimal_adjustment(dag, cause, outcome));
  if (causes.size() == 1) return out;
  for (const Node cause : causes) {
    std::vector<Adjustment>& row = out.among.emplace_back();
    for (const Node other : causes) {
      row.push_back(cause == other ? Adjustment{.none = true} : optimal_adjustment(dag, cause, other));
    }
  }
  return out;
}

// What tells effects apart, and puts them in order.
std::vector<std::vector<Node>> answer_of(const PossibleEffect& effect) {
  std::vector<std::vector<Node>> out = {{effect.by_parents}};
  const auto add = [&](const Adjustment& adjustment) {
    out.push_back({adjustment.none});
    out.push_back(adjustment.set);
  };
  for (const Adjustment& adjustment : effect.on_outcome) add(adjustment);
  for (const auto& row : effect.among) {
    for (const Adjustment& adjustment : row) add(adjustment);
  }
  return out;
}

void merge_paths(Adjustment& into, const Adjustment& other) {
  std::vector<Node> both;
  std::set_union(into.paths.begin(), into.paths.end(), other.paths.begin(), other.paths.end(),
                 std::back_inserter(both));
  into.paths = std::move(both);
}

void merge(PossibleEffect& into, const PossibleEffect& other) {
  into.share += other.share;
  for (size_t i = 0; i < into.on_outcome.size(); ++i) merge_paths(into.on_outcome[i], other.on_outcome[i]);
  for (size_t i = 0; i < into.among.size(); ++i) {
    for (size_t j = 0; j < into.among[i].size(); ++j) merge_paths(into.among[i][j], other.among[i][j]);
  }
}

}  // namespace

Adjustment optimal_adjustment(const Dag& dag, Node cause, Node outcome) {
  const int p = dag.size();
  NodeSet paths = descendants(dag, only(p, cause));
  if (!paths.contains(outcome)) return {.none = true};
  paths &= ancestors(dag, only(p, outcome));
  paths.erase(cause);
  NodeSet set(p);
  for (const Node v : paths) set |= dag.parents(v);
  set -= descendants(dag, paths);
  set.erase(cause);
  return {.none = false, .set = set.to_vector(), .paths = paths.to_vector()};
}

bool EffectSet::counted() const {
  return std::none_of(list.begin(), list.end(), [](const auto& effect) { return std::isnan(effect.share); });
}

std::optional<Adjustment> joint_adjustment(const Dag& dag, const std::vector<Node>& causes, Node outcome) {
  const NodeSet paths = joint_paths(dag, causes, outcome);
  if (!paths.contains(outcome)) return Adjustment{.none = true};
  NodeSet set(dag.size());
  for (const Node v : paths) set |= dag.parents(v);
  set -= descendants(dag, paths);
  Dag rest = dag;  // the proper back-door graph (van der Zander, Liskiewicz & Textor 2014)
  for (const Node cause : causes) {
    set.erase(cause);
    for (const Node v : paths) {
      if (rest.has_edge(cause, v)) rest.remove_edge(cause, v);
    }
  }
  for (const Node cause : causes) {
    if (!d_separated(rest, cause, outcome, set)) return std::nullopt;
  }
  return Adjustment{.none = false, .set = set.to_vector(), .paths = paths.to_vector()};
}

EffectSet possible_effects(const CausalClass& graphs, const std::vector<Node>& causes, Node outcome,
                           SeveralCauses how) {
  EffectSet out{.causes = causes, .outcome = outcome, .list = {}, .deciding = {}};
  const Ways ways = graphs.ways_around(causes);
  out.too_many = ways.too_many;
  std::map<std::vector<std::vector<Node>>, size_t> place;  // in the list, by answer
  for (const Way& way : ways.list) {
    PossibleEffect effect = effect_in(graphs.member(ways, way), causes, outcome, way.share, how);
    const auto [at, is_new] = place.try_emplace(answer_of(effect), out.list.size());
    if (is_new) {
      out.list.push_back(std::move(effect));
    } else {
      merge(out.list[at->second], effect);
    }
  }
  out.identified = out.list.size() == 1;
  std::set<Edge> deciding;
  if (!out.identified) {
    for (const Way& way : ways.list) {
      const Pdag learnt = graphs.after(ways, way).graph();
      for (const Node cause : causes) {
        for (const Node next : graphs.graph().neighbours(cause)) {
          if (deciding.contains({next, cause})) continue;  // both are causes
          if (learnt.has_directed(cause, next) && possible_descendants(learnt, next).contains(outcome)) {
            deciding.insert({cause, next});
          }
        }
      }
    }
  }
  out.deciding.assign(deciding.begin(), deciding.end());
  std::sort(out.list.begin(), out.list.end(), [](const PossibleEffect& a, const PossibleEffect& b) {
    const bool known = !std::isnan(a.share) && !std::isnan(b.share);
    if (known && std::abs(a.share - b.share) > 1e-12) return a.share > b.share;
    return answer_of(a) < answer_of(b);
  });
  return out;
}

bool same_estimate(const Adjustment& a, const Adjustment& b) { return a.none == b.none && a.set == b.set; }

bool is_valid_adjustment(const Dag& dag, Node cause, Node outcome, const std::vector<Node>& set) {
  const Adjustment optimal = optimal_adjustment(dag, cause, outcome);
  NodeSet paths(dag.size()), given(dag.size());
  for (const Node v : optimal.paths) paths.insert(v);
  for (const Node v : set) given.insert(v);
  if (given.contains(cause) || given.contains(outcome)) return false;
  if (given.intersects(descendants(dag, paths))) return false;
  Dag rest = dag;  // the proper back-door graph (van der Zander, Liskiewicz & Textor 2014)
  for (const Node v : optimal.paths) {
    if (rest.has_edge(cause, v)) rest.remove_edge(cause, v);
  }
  return d_separated(rest, cause, outcome, given);
}

NodeSet possible_descendants(const Pdag& closed, Node v) {
  const int p = closed.size();
  NodeSet reached = only(p, v);
  std::set<std::pair<Node, Node>> seen;  // the last open edge of an unshielded path
  std::vector<std::pair<Node, Node>> waiting;
  for (const Node u : closed.neighbours(v)) waiting.push_back({v, u});
  while (!waiting.empty()) {
    const auto [before, at] = waiting.back();
    waiting.pop_back();
    if (!seen.insert({before, at}).second) continue;
    reached.insert(at);
    for (const Node next : closed.neighbours(at)) {
      if (next != before && !closed.adjacent(before, next)) waiting.push_back({at, next});
    }
  }
  std::vector<Node> open = reached.to_vector();
  for (size_t k = 0; k < open.size(); ++k) {
    for (const Node child : closed.children(open[k])) {
      if (reached.contains(child)) continue;
      reached.insert(child);
      open.push_back(child);
    }
  }
  return reached;
}

}  // namespace agon
