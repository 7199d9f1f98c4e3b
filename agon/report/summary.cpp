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
            fmt::format("{} against {}: {} in {}; stopped by: {}", match.challenger, listed(opponents),
                        counted(record.moves, "move"), duration_text(record.seconds), record.stopped_by)});
  const size_t challengers = match.history.size() - 1;
  head.row({"", challengers == 0 ? fmt::format("no move improved {}'s graph", match.found_by)
                                 : fmt::format("{} found, the last after {}",
                                               counted(static_cast<long long>(challengers), "better graph"),
                                               counted(match.history.back().moves, "move"))});
}

std::string edge_table(const std::vector<EdgeRecord>& edges, const TextStyle& style) {
  Table table({"from", "", "to", "arrow", ">score lost if removed"});
  for (const EdgeRecord& edge : edges) {
    table.row({shown(edge.from), edge.compelled ? "-->" : "---", shown(edge.to),
               edge.by_knowledge ? "by knowledge"
               : edge.compelled  ? TableCell("compelled", Tone::kGood)
                                 : TableCell("reversible", Tone::kDoubtful),
               fmt::format("{:.3f}", edge.loss)});
  }
  return table.text(style, "  ");
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
  if (!record.edges.empty()) text += edge_table(record.edges, style) + "\n";
  text += wrapped(arrows_text(record), style);
  if (!certificate.empty()) {
    text += "\n" + wrapped("certificate, derived again from the data by code the search does not use", style);
    for (const std::string& line : certificate) text += wrapped(line, style, "  ", 2);
  }
  if (comparison) text += fmt::format("\n{}", comparison_text(*comparison, style));
  return text;
}

}  // namespace agon
