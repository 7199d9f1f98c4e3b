#include "agon/report/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/suggest.h"
#include "agon/report/sentences.h"
#include "agon/report/table.h"

namespace agon {
namespace {

std::string score_table(const RunRecord& record, const TextStyle& style) {
  Table table({"", ">score", ">edges"});
  const auto line = [&](const std::string& what, double score, size_t edges) {
    table.row({what, fmt::format("{:.3f}", score), std::to_string(edges)});
  };
  line("empty graph", record.score.empty, 0);
  if (record.match) {
    for (const OpponentRecord& o : record.match->opponents) line("opponent " + o.name, o.score, o.edges.size());
  }
  line(record.match ? "champion"
       : record.pag ? "a DAG made from the PAG"
                    : "answer",
       record.score.value, record.edges.size());
  const double from = record.match ? record.match->opponents[record.match->best].score : record.score.empty;
  const double gain = record.score.value - from;
  table.row({record.match ? "gain over the best opponent" : "gain",
             {fmt::format("{:+.3f}", gain), gain >= 0.0005 ? Tone::kGood : Tone::kPlain}});
  return table.text(style, "  ");
}

void head_of_match(Table& head, const RunRecord& record) {
  head.row({{"match", Tone::kStrong}, match_sentence(record)});
  if (!record.reason.empty()) head.row({"", record.reason});
  head.row({"", progress_sentence(*record.match)});
}

void head_of_search(Table& head, const RunRecord& record) {
  head.row({{"search", Tone::kStrong}, fmt::format("{}: {}", record.algorithm, record.reason)});
  const std::string from = record.own_start       ? ""
                           : record.start.empty() ? "from the empty graph, "
                                                  : fmt::format("from {}, ", shown(record.start));
  head.row({"", fmt::format("{}{} in {}; stopped by: {}", from, counted(record.moves, "step"),
                            duration_text(record.seconds), record.stopped_by)});
}

// Data and kinds, the score and why it was chosen, knowledge, what searched and for how long.
std::string head_text(const RunRecord& record, const TextStyle& style) {
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
  for (const std::string& name : isolated_constants(record)) constant.push_back(shown(name));
  if (!constant.empty()) head.row({"", "constant, so without edges: " + listed(constant)});
  std::vector<std::string> identifiers;
  for (const ColumnRecord& column : data.columns) {
    if (column.identifier) identifiers.push_back(shown(column.name));
  }
  if (!identifiers.empty()) {
    head.row({"", fmt::format("identifiers, so without edges: {}; --discrete makes categories of them",
                              listed(identifiers))});
  }
  if (data.weight > 0 && !data.summary) {
    head.row({"", fmt::format("rows have weights: they count as {:.6g} in all", data.weight)});
  }
  if (data.summary) head.row({"", "known by their matrix alone"});
  if (data.missing.cells > 0) {
    head.row({{"missing", Tone::kStrong}, missing_text(data)});
    if (!data.missing.policy.empty()) {
      head.row({"", fmt::format("{}: {}", data.missing.policy, data.missing.assumption)});
    }
  }
  head.row({{"score", Tone::kStrong}, fmt::format("{}, {}", record.score.name, record.score.reason)});
  if (record.has_knowledge()) head.row({{"known", Tone::kStrong}, knowledge_sentence(record.knowledge)});
  if (record.match) {
    head_of_match(head, record);
  } else {
    head_of_search(head, record);
  }
  return head.text(style);
}

// The edges of a PAG; with a bootstrap, also the share of resamples in which the two variables are adjacent.
std::string pag_table(const RunRecord& record, const TextStyle& style) {
  std::vector<std::string> headings = {"", "", ""};
  if (record.bootstrap) headings.push_back(">P(edge)");
  Table table(headings);
  for (const NamedEdge& edge : *record.pag) {
    std::vector<TableCell> row = {shown(edge.a), glyph(edge), shown(edge.b)};
    if (record.bootstrap) row.emplace_back(fmt::format("{:.3f}", edge_share(*record.bootstrap, edge.a, edge.b)));
    table.row(std::move(row));
  }
  return table.text(style, "  ");
}

std::string edge_table(const RunRecord& record, const TextStyle& style) {
  std::vector<std::string> headings = {"from", "", "to", "arrow", ">score lost if removed"};
  if (record.bootstrap) headings.insert(headings.end(), {">P(edge)", ">P(->)", ">P(<-)"});
  Table table(headings);
  for (const EdgeRecord& edge : record.edges) {
    std::vector<TableCell> row = {shown(edge.from),
                                  edge.compelled ? "-->" : "---",
                                  shown(edge.to),
                                  {arrow_kind(edge), edge.by_knowledge ? Tone::kPlain
                                                     : edge.compelled  ? Tone::kGood
                                                                       : Tone::kDoubtful},
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

}  // namespace

std::string summary_text(const RunRecord& record, const TextStyle& style) {
  std::string text = head_text(record, style) + "\n" + score_table(record, style) + "\n";
  if (record.pag && !record.pag->empty()) {
    text += pag_table(record, style) + "\n";
  } else if (!record.pag && !record.edges.empty()) {
    text += edge_table(record, style) + "\n";
  }
  text += wrapped(arrows_sentence(record), style);
  if (record.varsortability) text += wrapped(varsortability_sentence(*record.varsortability), style);
  if (record.bootstrap) {
    for (const std::string& sentence : bootstrap_sentences(record)) text += wrapped(sentence, style);
  }
  if (record.certificate) {
    text += "\n" + wrapped("certificate, derived again from the data by code the search does not use", style);
    for (const std::string& line : plain_lines(*record.certificate)) text += wrapped(line, style, "  ", 2);
  }
  if (record.comparison) text += fmt::format("\n{}", comparison_text(*record.comparison, style));
  return text;
}

}  // namespace agon
