#include "agon/graph/knowledge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <stdexcept>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/live_dag.h"
#include "agon/graph/named_graph.h"

namespace agon {
namespace {

std::string dotted(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '.');
  return name;
}

std::string shown(Edge edge, const std::vector<std::string>& names) {
  return to_string(NamedEdge{names[edge.from], names[edge.to]});
}

long count_bits(const BitRows& rows) {
  long total = 0;
  for (Node v = 0; v < rows.size(); ++v) total += rows[v].count();
  return total;
}

bool contains(const std::vector<Node>& sorted, Node v) { return std::binary_search(sorted.begin(), sorted.end(), v); }

// What the tiers (in their order) forbid, a row of bits at a time: `later` are all nodes of tiers behind the one at
// hand.
void forbid_by_tiers(const std::vector<Tier>& tiers, BitRows& forbidden_parents) {
  const int p = forbidden_parents.size(), tier_count = static_cast<int>(tiers.size());
  NodeSet later(p);
  for (int t = tier_count - 1; t >= 0; --t) {
    const Tier& tier = tiers[t];
    for (Node child : tier.members) forbidden_parents.merge_row(child, later);
    NodeSet own(p);
    for (Node v : tier.members) own.insert(v);
    if (!tier.edges_within) {
      for (Node child : tier.members) {
        forbidden_parents.merge_row(child, own);
        forbidden_parents.reset(child, child);
      }
    }
    if (tier.only_to_next) {
      for (int far = t + 2; far < tier_count; ++far) {
        for (Node child : tiers[far].members) forbidden_parents.merge_row(child, own);
      }
    }
    later |= own;
  }
}

// InputError that shows the way round when the required edges form a cycle; `place_of(edge)` says where one was stated.
template <class PlaceOf>
void refuse_cycle(const std::vector<Edge>& required, const std::vector<std::string>& names, PlaceOf place_of) {
  const std::vector<Node> cycle = find_cycle(static_cast<int>(names.size()), required);
  if (cycle.empty()) return;
  std::vector<std::string> way, places;
  for (size_t i = 0; i < cycle.size(); ++i) {
    way.push_back(names[cycle[i]]);
    places.push_back(place_of(Edge{cycle[i], cycle[(i + 1) % cycle.size()]}));
  }
  way.push_back(way.front());
  throw InputError(places.front(),
                   fmt::format("the required edges form a cycle: {} ({})", joined(way, " --> "), listed(places, 6)));
}

}  // namespace

bool Knowledge::allows(EdgeMove move) const {
  const Edge edge{move.from, move.to}, reverse{move.to, move.from};
  switch (move.kind) {
    case MoveKind::kAdd:
      return !is_forbidden(edge);
    case MoveKind::kRemove:
      return !is_required(edge);
    case MoveKind::kReverse:
      break;
  }
  return !is_required(edge) && !is_forbidden(reverse);
}

std::vector<Edge> Knowledge::required_edges() const {
  std::vector<Edge> edges;
  for (Node child = 0; child < size(); ++child) {
    for (Node parent : required_parents_[child]) edges.push_back({parent, child});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

KnowledgeBuilder::KnowledgeBuilder(const std::vector<std::string>& names) : names_(names) {
  for (size_t v = 0; v < names.size(); ++v) {
    node_of_.emplace(names[v], static_cast<Node>(v));
    const auto [at, fresh] = node_of_dotted_.emplace(dotted(names[v]), static_cast<Node>(v));
    if (!fresh) at->second = -1;
  }
}

Node KnowledgeBuilder::node(const std::string& name, const std::string& place) const {
  if (const auto at = node_of_.find(name); at != node_of_.end()) return at->second;
  if (const auto at = node_of_dotted_.find(name); at != node_of_dotted_.end() && at->second >= 0) return at->second;
  const std::string near = did_you_mean(name, names_);
  throw InputError(
      place, fmt::format("no variable of the data is called {}", quoted(name)),
      near.empty() ? "the data has " + listed(names_) + "; a column that labels or weights rows is none" : near);
}

std::vector<Node> KnowledgeBuilder::nodes(const std::vector<std::string>& names, const std::string& place) const {
  std::vector<Node> out;
  for (const std::string& name : names) out.push_back(node(name, place));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void KnowledgeBuilder::require(const std::string& from, const std::string& to, const std::string& place) {
  pairs(PairKind::kRequired, {from}, {to}, place);
}

void KnowledgeBuilder::forbid(const std::string& from, const std::string& to, const std::string& place) {
  pairs(PairKind::kForbidden, {from}, {to}, place);
}

void KnowledgeBuilder::pairs(PairKind kind, const std::vector<std::string>& from, const std::vector<std::string>& to,
                             const std::string& place) {
  Statement statement{kind, nodes(from, place), nodes(to, place), place};
  if (statement.from.size() == 1 && statement.from == statement.to) {
    throw InputError(place, fmt::format("found an edge from {} to itself", quoted(from.front())));
  }
  statements_.push_back(std::move(statement));
}

void KnowledgeBuilder::tier(int number, const std::vector<std::string>& members, bool edges_within, bool only_to_next,
                            const std::string& place) {
  tier_statements_.push_back({number, nodes(members, place), edges_within, only_to_next, place});
}

// Where the edge was first stated.
std::string KnowledgeBuilder::place_of(PairKind kind, Edge edge) const {
  for (const Statement& statement : statements_) {
    if (statement.kind == kind && contains(statement.from, edge.from) && contains(statement.to, edge.to)) {
      return statement.place;
    }
  }
  return "";
}

std::string KnowledgeBuilder::why_forbidden(Edge edge, const std::vector<Tier>& tiers,
                                            const std::vector<int>& tier_of) const {
  if (const std::string place = place_of(PairKind::kForbidden, edge); !place.empty()) {
    return fmt::format("forbidden ({})", place);
  }
  const auto stands = [&](Node v) {
    for (const TierStatement& statement : tier_statements_) {
      if (contains(statement.members, v)) return statement.place;
    }
    return std::string();
  };
  const int from = tier_of[edge.from], to = tier_of[edge.to];
  const std::string places = fmt::format("({}; {})", stands(edge.from), stands(edge.to));
  if (from > to) {
    return fmt::format("against the tiers: {} is in tier {}, {} in tier {} {}", quoted(names_[edge.from]),
                       tiers[from].number, quoted(names_[edge.to]), tiers[to].number, places);
  }
  if (from == to) return fmt::format("within tier {}, which has no edges {}", tiers[from].number, places);
  return fmt::format("past the next tier: tier {} causes only the next, {} is in tier {} {}", tiers[from].number,
                     quoted(names_[edge.to]), tiers[to].number, places);
}

Knowledge KnowledgeBuilder::build(OnConflict on_conflict) const {
  const int p = static_cast<int>(names_.size());
  Knowledge out(p);
  BitRows& required = out.required_parents_;
  BitRows& forbidden = out.forbidden_parents_;

  // 1. Tiers by number.
  std::map<int, Tier> by_number;
  std::vector<const TierStatement*> stated(p);
  for (const TierStatement& statement : tier_statements_) {
    Tier& tier = by_number[statement.number];
    tier.number = statement.number;
    tier.edges_within = tier.edges_within && statement.edges_within;
    tier.only_to_next = tier.only_to_next || statement.only_to_next;
    for (Node v : statement.members) {
      if (stated[v] && stated[v]->number != statement.number) {
        throw InputError(statement.place, fmt::format("{} is put into tier {} and into tier {} ({})", quoted(names_[v]),
                                                      statement.number, stated[v]->number, stated[v]->place));
      }
      if (!stated[v]) tier.members.push_back(v);
      stated[v] = &statement;
    }
  }
  std::vector<int> tier_of(p, -1);
  for (auto& [number, tier] : by_number) {
    std::sort(tier.members.begin(), tier.members.end());
    for (Node v : tier.members) tier_of[v] = static_cast<int>(out.tiers_.size());
    out.tiers_.push_back(std::move(tier));
  }

  // 2. What the tiers forbid.
  forbid_by_tiers(out.tiers_, forbidden);

  // 3. Edges stated one by one or in groups.
  for (const Statement& statement : statements_) {
    BitRows& rows = statement.kind == PairKind::kRequired ? required : forbidden;
    for (Node to : statement.to) {
      for (Node from : statement.from) {
        if (from != to) rows.set(to, from);
      }
    }
  }

  // 4. Contradictions.
  const std::vector<Edge> edges = out.required_edges();
  std::string first;
  std::string first_place;
  int conflicts = 0;
  for (const Edge& edge : edges) {
    if (edge.from < edge.to && required.test(edge.from, edge.to)) {
      const Edge back{edge.to, edge.from};
      const std::string place = place_of(PairKind::kRequired, edge);
      throw InputError(place,
                       fmt::format("{} is required, and so is {} ({})", shown(edge, names_), shown(back, names_),
                                   place_of(PairKind::kRequired, back)),
                       "remove one of the two: a graph without cycles cannot have both");
    }
    if (!forbidden.test(edge.to, edge.from)) continue;
    if (on_conflict == OnConflict::kRequiredWins) {
      forbidden.reset(edge.to, edge.from);
      continue;
    }
    if (++conflicts == 1) {
      first_place = place_of(PairKind::kRequired, edge);
      first = fmt::format("{} is required and {}", shown(edge, names_), why_forbidden(edge, out.tiers_, tier_of));
    }
  }
  if (conflicts > 0) {
    if (conflicts > 1) first += fmt::format("; and {} more such edge{}", conflicts - 1, conflicts == 2 ? "" : "s");
    throw InputError(first_place, first, "remove one of the two, or let what is required win: --on-conflict required");
  }
  refuse_cycle(edges, names_, [&](Edge edge) { return place_of(PairKind::kRequired, edge); });

  // 5. The reverse of a required edge is forbidden.
  for (const Edge& edge : edges) forbidden.set(edge.from, edge.to);
  out.required_count_ = static_cast<int>(edges.size());
  out.forbidden_count_ = count_bits(forbidden);
  return out;
}

std::string summary(const Knowledge& knowledge) {
  std::vector<std::string> parts;
  const auto add = [&parts](long count, const char* one, const char* many) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
  };
  add(static_cast<long>(knowledge.tiers().size()), "tier", "tiers");
  add(knowledge.required_count(), "required edge", "required edges");
  add(knowledge.forbidden_count(), "forbidden edge", "forbidden edges");
  return parts.empty() ? "none" : joined(parts, ", ");
}

bool satisfies(const Dag& dag, const Knowledge& knowledge) {
  for (Node v = 0; v < knowledge.size(); ++v) {
    if (!knowledge.required_parents(v).is_subset_of(dag.parents(v))) return false;
    if (knowledge.forbidden_parents(v).intersects(dag.parents(v))) return false;
  }
  return true;
}

std::vector<std::string> violations(const Dag& dag, const Knowledge& knowledge, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const Edge& edge : knowledge.required_edges()) {
    if (!dag.has_edge(edge.from, edge.to)) out.push_back(shown(edge, names) + " is required and missing");
  }
  for (const Edge& edge : dag.edges()) {
    if (knowledge.is_forbidden(edge)) out.push_back(shown(edge, names) + " is forbidden and present");
  }
  return out;
}

void check_satisfied(const Dag& dag, const Knowledge& knowledge, const std::vector<std::string>& names) {
  if (const std::vector<std::string> broken = violations(dag, knowledge, names); !broken.empty()) {
    throw std::logic_error(fmt::format("the answer breaks the knowledge: {}", joined(broken, "; ")));
  }
}

Dag repair(const Dag& dag, const Knowledge& knowledge) {
  if (satisfies(dag, knowledge)) return dag;
  Dag start(dag.size());
  for (const Edge& edge : knowledge.required_edges()) start.add_edge(edge.from, edge.to);
  LiveDag live(std::move(start));
  for (const Edge& edge : dag.edges()) {
    if (knowledge.allows(edge) && live.is_legal_addition(edge.from, edge.to)) {
      live.apply({MoveKind::kAdd, edge.from, edge.to});
    }
  }
  return live.dag();
}

Pdag mpdag_of(const Dag& dag, const Knowledge& knowledge, const std::vector<int>& row_set) {
  assert(satisfies(dag, knowledge));
  Pdag pdag = cpdag_of(dag, row_set).pdag();
  if (knowledge.empty()) return pdag;
  for (const Edge& pair : pdag.undirected_edges()) {
    const Edge edge = dag.has_edge(pair.from, pair.to) ? pair : Edge{pair.to, pair.from};
    if (knowledge.is_forbidden({edge.to, edge.from})) pdag.orient(edge.from, edge.to);
  }
  close_under_meek(pdag);
  return pdag;
}

}  // namespace agon
