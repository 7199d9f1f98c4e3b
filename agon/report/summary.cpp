#include "agon/report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/suggest.h"
#include "agon/report/table.h"

namespace agon {
namespace {

std::string levels_text(size_t fewest, size_t most) {
  return fewest == most ? counted(static_cast<long long>(most), "level") : fmt::format("{} to {} levels", fewest, most);
}

std::string score_table(const RunRecord& record, const TextStyle& style) {
  Table table({"", ">score", ">edges"});
  const auto line = [&](const std::string& what, double score, size_t edges) {
    table.row({what, fmt::format("{:.3f}", score), std::to_string(edges)});
  };
  line("empty graph", record.score.empty, 0);
  if (record.match) {
    for (const OpponentRecord& o : record.match->opponents) line("opponent " + o.name, o.score, o.edges.size());
  }
  line(record.match ? "champion" : "answer", record.score.value, record.edges.size());
  const double from = record.match ? record.match->opponents[record.match->best].score : record.score.empty;
  const double gain = record.score.value - from;
  table.row({record.match ? "gain over the best opponent" : "gain",
             {fmt::format("{:+.3f}", gain), gain >= 0.0005 ? Tone::kGood : Tone::kPlain}});
  return table.text(style, "  ");
}

void head_of_match(Table& head, const RunRecord& record) {
  const MatchRecord& match = *record.match;
  std::vector<std::string> opponents;
  for (const OpponentRecord& o : match.opponents) {
    opponents.push_back(fmt::format("{} ({})", o.name, duration_text(o.seconds)));
  }
  head.row({{"match", Tone::kStrong},
            fmt::format("challenger {} against {}: {} in {}; stopped by: {}", match.challenger, listed(opponents),
                        counted(record.moves, "move"), duration_text(record.seconds), record.stopped_by)});
  if (!match.reason.empty()) head.row({"", match.reason});
  const size_t challengers = match.history.size() - 1;
  head.row({"", challengers == 0 ? fmt::format("no move improved {}'s graph", match.found_by)
                                 : fmt::format("{} found, the last by {} after {}",
                                               counted(static_cast<long long>(challengers), "better graph"),
                                               match.found_by, counted(match.history.back().moves, "move"))});
}

std::string edge_table(const RunRecord& record, const TextStyle& style) {
  std::vector<std::string> headings = {"from", "", "to", "arrow", ">score lost if removed"};
  if (record.bootstrap) headings.insert(headings.end(), {">P(edge)", ">P(->)", ">P(<-)"});
  Table table(headings);
  for (const EdgeRecord& edge : record.edges) {
    std::vector<TableCell> row = {shown(edge.from), edge.compelled ? "-->" : "---", shown(edge.to),
                                  edge.by_knowledge ? TableCell("by knowledge")
                                  : edge.compelled  ? TableCell("compelled", Tone::kGood)
                                                    : TableCell("reversible", Tone::kDoubtful),
                                  fmt::format("{:.3f}", edge.loss)};
    if (record.bootstrap) {
      const PairShares shares = edge.confidence.value_or(PairShares{});
      row.emplace_back(fmt::format("{:.3f}", shares.edge), shares.edge < 0.5 ? Tone::kDoubtful : Tone::kPlain);
      row.emplace_back(fmt::format("{:.3f}", shares.forward));
      row.emplace_back(fmt::format("{:.3f}", shares.backward),
                       edge.compelled && shares.backward > shares.forward ? Tone::kDoubtful : Tone::kPlain);
    }
    table.row(std::move(row));
  }
  return table.text(style, "  ");
}

// What the shares are, and where they and the graph disagree.
std::string bootstrap_text(const RunRecord& record, const TextStyle& style) {
  const BootstrapRecord& b = *record.bootstrap;
  const std::string done = b.stopped_by.empty() ? counted(b.resamples, "resample")
                                                : fmt::format("{} of {} ({})", with_commas(b.resamples),
                                                              counted(b.asked, "resample"), b.stopped_by);
  if (b.resamples == 0) return wrapped(fmt::format("confidence: none, {} of the rows finished.", done), style);
  std::string text = wrapped(
      fmt::format(
          "confidence: shares of {} of the rows, each searched by {}, in {}. P(->) is the arrow from left to right, "
          "P(<-) the other way; in the rest of P(edge) the resample leaves the way open.",
          done, b.search, duration_text(b.seconds)),
      style);
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
  if (!absent.empty()) text += wrapped("Not in the graph, yet in half of the resamples: " + listed(absent), style);
  if (!weak.empty()) text += wrapped("In the graph, yet in fewer than half of the resamples: " + listed(weak), style);
  if (!against.empty()) text += wrapped("Arrows that more resamples turn than keep: " + listed(against), style);
  return text;
}

std::string arrows_text(const RunRecord& record) {
  const size_t all = record.edges.size(), compelled = record.mpdag.directed.size();
  if (all == 0) return "The answer has no edges.";
  const bool is_known = !record.knowledge.sources.empty();
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

std::string knowledge_text(const KnowledgeRecord& known) {
  std::vector<std::string> parts, sources;
  if (known.required > 0) parts.push_back(counted(known.required, "required edge"));
  if (known.forbidden > 0) parts.push_back(counted(known.forbidden, "forbidden edge"));
  if (known.tiers > 0) parts.push_back(counted(static_cast<long long>(known.tiers), "tier"));
  for (const std::string& source : known.sources) sources.push_back(shown(source));
  return fmt::format("{}: {} ({})", parts.empty() ? "nothing" : listed(parts),
                     known.satisfied ? "all hold" : "NOT ALL HOLD", listed(sources));
}

}  // namespace

std::string kinds_text(const DataRecord& data) {
  std::string text;
  for (const ColumnKind kind : {ColumnKind::kCategorical, ColumnKind::kContinuous}) {
    std::vector<std::string> names;
    size_t fewest = SIZE_MAX, most = 0;
    for (const ColumnRecord& column : data.columns) {
      if (column.kind != kind) continue;
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

std::string summary_text(const RunRecord& record, const Comparison* comparison,
                         const std::vector<std::string>& certificate, const TextStyle& style) {
  const DataRecord& data = record.data;
  Table head({"", "~"});
  head.row({{"data", Tone::kStrong},
            fmt::format("{}: {}, {}{}", shown(data.source), counted(static_cast<long long>(data.rows), "row"),
                        counted(static_cast<long long>(data.columns.size()), "column"),
                        data.rows_dropped ? fmt::format(" ({} dropped for missing cells)",
                                                        counted(static_cast<long long>(data.rows_dropped), "row"))
                                          : "")});
  head.row({{"kinds", Tone::kStrong}, kinds_text(data)});
  if (data.kinds_inferred) head.row({"", kKindRule});
  std::vector<std::string> constant;
  for (const ColumnRecord& column : data.columns) {
    const auto touches = [&](const EdgeRecord& edge) { return edge.from == column.name || edge.to == column.name; };
    if (column.constant && std::none_of(record.edges.begin(), record.edges.end(), touches)) {
      constant.push_back(shown(column.name));
    }
  }
  if (!constant.empty()) head.row({"", "constant, so without edges: " + listed(constant)});
  head.row({{"score", Tone::kStrong}, fmt::format("{}, {}", record.score.name, record.score.reason)});
  if (!record.knowledge.sources.empty()) head.row({{"known", Tone::kStrong}, knowledge_text(record.knowledge)});
  if (record.match) {
    head_of_match(head, record);
  } else {
    head.row({{"search", Tone::kStrong}, fmt::format("{}: {}", record.algorithm, record.algorithm_reason)});
    const std::string from = record.own_start       ? ""
                             : record.start.empty() ? "from the empty graph, "
                                                    : fmt::format("from {}, ", shown(record.start));
    head.row({"", fmt::format("{}{} in {}; stopped by: {}", from, counted(record.moves, "step"),
                              duration_text(record.seconds), record.stopped_by)});
  }

  std::string text = head.text(style) + "\n" + score_table(record, style) + "\n";
  if (!record.edges.empty()) text += edge_table(record, style) + "\n";
  text += wrapped(arrows_text(record), style);
  if (record.varsortability) {
    text += wrapped(fmt::format("Varsortability of the answer {:.2f}: the share of its causal paths along which the "
                                "variance of the columns grows. Near 1 the scales of the values would suggest its "
                                "order by themselves; the search saw standardised columns.",
                                *record.varsortability),
                    style);
  }
  if (record.bootstrap) text += bootstrap_text(record, style);
  if (!certificate.empty()) {
    text += "\n" + wrapped("certificate, derived again from the data by code the search does not use", style);
    for (const std::string& line : certificate) text += wrapped(line, style, "  ", 2);
  }
  if (comparison) text += fmt::format("\n{}", comparison_text(*comparison, style));
  return text;
}

}  // namespace agon
