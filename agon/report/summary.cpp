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

// What the data are, and which columns have no part in the search.
void head_of_data(Table& head, const RunRecord& record, Detail detail) {
  const DataRecord& data = record.data;
  const std::string size = fmt::format(
      "{}: {}, {}{}", shown(data.source), counted(static_cast<long long>(data.rows), "row"),
      counted(static_cast<long long>(data.columns.size()), "column"),
      data.rows_dropped
          ? fmt::format(" ({} dropped for missing cells)", counted(static_cast<long long>(data.rows_dropped), "row"))
          : "");
  head.row({{"data", Tone::kStrong}, size});
  head.row({{"kinds", Tone::kStrong}, kinds_text(data)});
  if (data.kinds_inferred && detail == Detail::kFull) head.row({"", kKindRule});
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
  if (const std::string text = experiments_text(record); !text.empty()) {
    head.row({{"experiments", Tone::kStrong}, text});
    if (!record.score.remark.empty()) head.row({"", {record.score.remark, Tone::kDoubtful}});
  }
  if (data.summary) head.row({"", "known by their matrix alone"});
  if (data.missing.cells > 0) {
    head.row({{"missing", Tone::kStrong}, missing_text(data)});
    if (!data.missing.policy.empty()) {
      head.row({"", fmt::format("{}: {}", data.missing.policy, data.missing.assumption)});
    }
  }
}

// Data and kinds, the score and why it was chosen, knowledge, what searched and for how long, the certificate.
std::string head_text(const RunRecord& record, const TextStyle& style, Detail detail) {
  Table head({"", "~"});
  head_of_data(head, record, detail);
  head.row({{"score", Tone::kStrong}, score_sentence(record.score)});
  if (record.score.next) head.row({"", next_score_sentence(*record.score.next, record.edges.size())});
  if (record.has_knowledge()) head.row({{"known", Tone::kStrong}, knowledge_sentence(record.knowledge)});
  if (!record.match) {
    head_of_search(head, record);
  } else if (detail == Detail::kFull) {
    head_of_match(head, record);
  } else {
    head.row({{"match", Tone::kStrong}, match_line(record)});
  }
  if (record.certificate && detail == Detail::kBrief) {
    head.row({{"certificate", Tone::kStrong}, certificate_line(*record.certificate, record.score.name)});
    if (const std::string line = optimum_line(*record.certificate); !line.empty()) {
      head.row({{"optimum", Tone::kStrong}, line});
    }
  }
  return head.text(style);
}

std::string listed_or_dash(const std::vector<std::string>& names) {
  std::vector<std::string> safe;
  for (const std::string& name : names) safe.push_back(shown(name));
  return safe.empty() ? "-" : listed(safe);
}

// The experiments, and what the best graph scores under each way to read their rows.
std::string experiments_tables(const RunRecord& record, const TextStyle& style) {
  Table experiments({"experiment", ">rows", "targets", "~moved"});
  for (const RegimeRecord& regime : record.data.regimes) {
    experiments.row({shown(regime.name), with_commas(static_cast<long long>(regime.rows)),
                     listed_or_dash(regime.targets), listed_or_dash(regime.moved)});
  }
  std::string text = experiments.text(style, "  ");
  if (record.score.treatments.empty()) return text;
  Table treatments({"rows read as", ">best score found", ""});
  for (const TreatmentRecord& treatment : record.score.treatments) {
    treatments.row({treatment.name, fmt::format("{:.3f}", treatment.total), treatment.used ? "used" : ""});
  }
  return text + "\n" + treatments.text(style, "  ");
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

// Green is for what nothing speaks against: a fixed arrow that is not unsure.
Tone arrow_tone(const EdgeRecord& edge) {
  if (edge.by_knowledge) return Tone::kPlain;
  return edge.fixed && !is_unsure(edge) ? Tone::kGood : Tone::kDoubtful;
}

std::string edge_table(const RunRecord& record, const TextStyle& style, size_t most) {
  std::vector<std::string> headings = {"from", "", "to", "arrow", ">strength"};
  const auto add = [&](const std::vector<std::string>& more) {
    headings.insert(headings.end(), more.begin(), more.end());
  };
  if (shows_losses(record)) add(loss_headings());
  if (shows_posterior(record)) add(posterior_headings());
  if (record.bootstrap) add(share_headings(record));
  headings.emplace_back("");
  Table table(headings);
  std::vector<EdgeRecord> edges = by_strength(record.edges);
  if (edges.size() > most) edges.resize(most);
  for (const EdgeRecord& edge : edges) {
    std::vector<TableCell> row = {shown(edge.from),
                                  edge.fixed ? "-->" : "---",
                                  shown(edge.to),
                                  {arrow_kind(edge), arrow_tone(edge)},
                                  fmt::format("{:.1f}", edge.strength)};
    if (shows_losses(record)) {
      row.emplace_back(loss_text(edge.adjacency_loss));
      row.emplace_back(loss_text(edge.direction_loss));
    }
    if (shows_posterior(record)) {
      const PairPosterior pair = edge.posterior.value_or(PairPosterior{});
      for (const double probability : {pair.edge, pair.forward, pair.backward}) {
        row.emplace_back(fmt::format("{:.2f}", probability));
      }
    }
    if (record.bootstrap) {
      const PairShares shares = edge.shares.value_or(PairShares{});
      for (const double share : {shares.edge, shares.forward, shares.backward}) {
        row.emplace_back(fmt::format("{:.2f}", share));
      }
    }
    row.emplace_back(remark(edge), Tone::kDoubtful);
    table.row(std::move(row));
  }
  std::string text = table.text(style, "  ");
  if (record.edges.size() > most) {
    text += wrapped(fmt::format("The {} strongest of {} edges; --verbose lists all, --out DIR writes them.", most,
                                with_commas(static_cast<long long>(record.edges.size()))),
                    style, "  ");
  }
  return text;
}

// The edges, and how far they can be trusted.
std::string answer_text(const RunRecord& record, const TextStyle& style, Detail detail) {
  std::string text;
  if (record.pag && !record.pag->empty()) {
    text += pag_table(record, style) + "\n";
  } else if (!record.pag && !record.edges.empty()) {
    text += edge_table(record, style, detail == Detail::kFull ? record.edges.size() : kMostEdges) + "\n";
  }
  std::vector<std::string> sentences = {arrows_sentence(record), assumptions_sentence(record),
                                        strength_sentence(record), losses_sentence(record)};
  if (record.varsortability) sentences.push_back(varsortability_sentence(*record.varsortability));
  if (record.posterior) {
    for (const std::string& sentence : posterior_sentences(record)) sentences.push_back(sentence);
  }
  if (record.bootstrap) {
    for (const std::string& sentence : bootstrap_sentences(record)) sentences.push_back(sentence);
  }
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) text += wrapped(sentence, style);
  }
  return text;
}

}  // namespace

std::string summary_text(const RunRecord& record, const TextStyle& style, Detail detail) {
  std::string text = answer_text(record, style, detail) + "\n" + head_text(record, style, detail);
  if (detail == Detail::kFull && !record.data.regimes.empty()) text += "\n" + experiments_tables(record, style);
  if (detail == Detail::kFull) text += "\n" + score_table(record, style);
  if (detail == Detail::kFull && record.certificate) {
    text += "\n" + wrapped("certificate, derived again from the data by code the search does not use", style);
    for (const std::string& line : plain_lines(*record.certificate)) text += wrapped(line, style, "  ", 2);
  }
  if (record.comparison) text += fmt::format("\n{}", comparison_text(*record.comparison, style));
  return text;
}

}  // namespace agon
