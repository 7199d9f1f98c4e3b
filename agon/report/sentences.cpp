#include "agon/report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/suggest.h"
#include "agon/report/table.h"

namespace agon {
namespace {

std::string levels_text(size_t fewest, size_t most) {
  return fewest == most ? counted(static_cast<long long>(most), "level") : fmt::format("{} to {} levels", fewest, most);
}

// How many edges of a PAG have which marks, and what these mean.
std::string pag_sentence(const std::vector<NamedEdge>& edges) {
  if (edges.empty()) return "The answer is a PAG without edges.";
  size_t causes = 0, hidden = 0;
  for (const NamedEdge& edge : edges) {
    causes += edge.is_directed();
    hidden += edge.at_a == Mark::kArrow && edge.at_b == Mark::kArrow;
  }
  return fmt::format(
      "The answer is a PAG, which allows for hidden common causes: of its {}, {} (-->) {} a cause, {} (<->) {} a "
      "hidden "
      "common cause, and circles leave the rest open. The DAG is made from it by rule, for those who need one.",
      counted(static_cast<long long>(edges.size()), "edge"), causes, causes == 1 ? "is" : "are", hidden,
      hidden == 1 ? "is" : "are");
}

}  // namespace

std::string kinds_text(const DataRecord& data) {
  std::string text;
  for (const ColumnKind kind : {ColumnKind::kCategorical, ColumnKind::kContinuous}) {
    std::vector<std::string> names;
    size_t fewest = SIZE_MAX, most = 0;
    for (const ColumnRecord& column : data.columns) {
      if (column.kind != kind || column.identifier) continue;
      names.push_back(shown(column.name));
      fewest = std::min(fewest, column.levels);
      most = std::max(most, column.levels);
    }
    if (names.empty()) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", with_commas(static_cast<long long>(names.size())), to_string(kind));
    if (kind == ColumnKind::kCategorical) text += fmt::format(" ({})", levels_text(fewest, most));
    if (names.size() < data.columns.size()) text += ": " + listed(names);
  }
  return text;
}

std::string missing_text(const DataRecord& data) {
  if (data.missing.cells == 0) return "";
  std::vector<const ColumnRecord*> columns;
  for (const ColumnRecord& column : data.columns) {
    if (column.missing > 0) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const auto* a, const auto* b) { return a->missing > b->missing; });
  const double rows = static_cast<double>(data.rows);
  std::vector<std::string> shares;
  for (const ColumnRecord* column : columns) {
    shares.push_back(
        fmt::format("{} {:.1f} %", shown(column->name), 100 * static_cast<double>(column->missing) / rows));
  }
  const double all = rows * static_cast<double>(data.columns.size());
  return fmt::format("{} of {} cells ({:.1f} %), in {} of {} rows: {}",
                     with_commas(static_cast<long long>(data.missing.cells)), with_commas(std::llround(all)),
                     100 * static_cast<double>(data.missing.cells) / all,
                     with_commas(static_cast<long long>(data.missing.rows)),
                     with_commas(static_cast<long long>(data.rows)), listed(shares, 6));
}

std::string arrows_sentence(const RunRecord& record) {
  if (record.pag) return pag_sentence(*record.pag);
  const size_t all = record.edges.size(), compelled = record.mpdag.directed.size();
  if (all == 0) return "The answer has no edges.";
  const bool is_known = record.has_knowledge();
  const char* who = is_known ? "Data and knowledge" : "The data";
  const char* what = is_known ? " (MPDAG)" : "";
  if (compelled == all) return fmt::format("{} determine all {}{}.", who, counted(all, "arrow"), what);
  if (compelled == 0) {
    return all == 1 ? fmt::format("{} do not determine which way it points.", who)
                    : fmt::format("{} determine none of the {} arrows: each may point either way.", who, all);
  }
  return fmt::format("{} determine {} of {} arrows{}; the other {} may point either way.", who, compelled, all, what,
                     all - compelled);
}

std::string knowledge_sentence(const KnowledgeRecord& known) {
  std::vector<std::string> parts, sources;
  if (known.required > 0) parts.push_back(counted(known.required, "required edge"));
  if (known.forbidden > 0) parts.push_back(counted(known.forbidden, "forbidden edge"));
  if (known.tiers > 0) parts.push_back(counted(static_cast<long long>(known.tiers), "tier"));
  for (const std::string& source : known.sources) sources.push_back(shown(source));
  return fmt::format("{}: {} ({})", parts.empty() ? "nothing" : listed(parts),
                     known.satisfied ? "all hold" : "NOT ALL HOLD", listed(sources));
}

std::string match_sentence(const RunRecord& record) {
  std::vector<std::string> opponents;
  for (const OpponentRecord& o : record.match->opponents) {
    opponents.push_back(fmt::format("{} ({})", o.name, duration_text(o.seconds)));
  }
  return fmt::format("challenger {} against {}: {} in {}; stopped by: {}", record.match->challenger, listed(opponents),
                     counted(record.moves, "move"), duration_text(record.seconds), record.stopped_by);
}

std::string progress_sentence(const MatchRecord& match) {
  const size_t better = match.history.size() - 1;
  if (better == 0) return fmt::format("no move improved {}'s graph", match.found_by);
  return fmt::format("{} found, the last by {} after {}", counted(static_cast<long long>(better), "better graph"),
                     match.found_by, counted(match.history.back().moves, "move"));
}

std::vector<std::string> bootstrap_sentences(const RunRecord& record) {
  const BootstrapRecord& b = *record.bootstrap;
  const std::string done = b.stopped_by.empty() ? counted(b.resamples, "resample")
                                                : fmt::format("{} of {} ({})", with_commas(b.resamples),
                                                              counted(b.asked, "resample"), b.stopped_by);
  if (b.resamples == 0) return {fmt::format("confidence: none, {} of the rows finished.", done)};
  const std::string head = fmt::format("confidence: shares of {} of the rows, each searched by {}, in {}.", done,
                                       b.search, duration_text(b.seconds));
  const char* meaning = record.pag ? " P(edge) is how often the two are adjacent."
                                   : " P(->) is the arrow from left to right, P(<-) the other way; in the rest of "
                                     "P(edge) the resample leaves the way open.";
  std::vector<std::string> sentences = {head + meaning};
  std::vector<std::string> absent, weak, against;
  for (const PairRecord& pair : b.pairs) {
    if (!pair.shown && pair.shares.edge >= 0.5) {
      absent.push_back(fmt::format("{} and {} ({:.3f})", shown(pair.a), shown(pair.b), pair.shares.edge));
    }
  }
  for (const EdgeRecord& edge : record.edges) {
    const std::string name = fmt::format("{} and {}", shown(edge.from), shown(edge.to));
    const PairShares shares = edge.confidence.value_or(PairShares{});
    if (shares.edge < 0.5) weak.push_back(name);
    if (edge.compelled && shares.backward > shares.forward) against.push_back(name);
  }
  if (!absent.empty()) sentences.push_back("Not in the graph, yet in half of the resamples: " + listed(absent));
  if (!weak.empty()) sentences.push_back("In the graph, yet in fewer than half of the resamples: " + listed(weak));
  if (!against.empty()) sentences.push_back("Arrows that more resamples turn than keep: " + listed(against));
  return sentences;
}

double edge_share(const BootstrapRecord& bootstrap, const std::string& a, const std::string& b) {
  const NamePair pair = std::minmax(a, b);
  const auto at =
      std::lower_bound(bootstrap.pairs.begin(), bootstrap.pairs.end(), pair,
                       [](const PairRecord& one, const NamePair& wanted) { return NamePair(one.a, one.b) < wanted; });
  return at != bootstrap.pairs.end() && NamePair(at->a, at->b) == pair ? at->shares.edge : 0;
}

std::string varsortability_sentence(double varsortability) {
  return fmt::format(
      "Varsortability of the answer {:.2f}: the share of its causal paths along which the variance of the columns "
      "grows. "
      "Near 1 the scales of the values would suggest its order by themselves; the search saw standardised columns.",
      varsortability);
}

std::string arrow_kind(const EdgeRecord& edge) {
  return edge.by_knowledge ? "by knowledge" : edge.compelled ? "compelled" : "reversible";
}

// The edge is in normalized() form: the less pointed end first.
std::string mark_meaning(const NamedEdge& edge) {
  const std::string a = shown(edge.a), b = shown(edge.b);
  switch (edge.at_b) {
    case Mark::kArrow:
      return edge.at_a == Mark::kTail    ? fmt::format("{} causes {}", a, b)
             : edge.at_a == Mark::kArrow ? "a hidden common cause; neither causes the other"
                                         : fmt::format("{} does not cause {}; the rest is open", b, a);
    case Mark::kTail:
      return edge.at_a == Mark::kTail ? "both cause what the rows were selected by"
                                      : fmt::format("{} causes {}, or what the rows were selected by", b, a);
    case Mark::kCircle:
      break;
  }
  return edge.at_a == Mark::kTail ? fmt::format("{} causes {}, or what the rows were selected by", a, b)
                                  : "adjacent; nothing else is known";
}

std::vector<std::string> isolated_constants(const RunRecord& record) {
  std::vector<std::string> names;
  for (const ColumnRecord& column : record.data.columns) {
    const auto touches = [&](const EdgeRecord& edge) { return edge.from == column.name || edge.to == column.name; };
    if (column.constant && std::none_of(record.edges.begin(), record.edges.end(), touches)) {
      names.push_back(column.name);
    }
  }
  return names;
}

}  // namespace agon
