#include "agon/report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "agon/base/suggest.h"
#include "agon/data/embedded_files.h"
#include "agon/report/record_json.h"
#include "agon/report/sentences.h"
#include "agon/report/table.h"

namespace agon {
namespace {

// A page, written piece by piece. Whatever goes through text() and into cells is escaped.
class Page {
 public:
  std::string html;

  void raw(std::string_view markup) { html += markup; }
  void text(std::string_view words) { html += html_escaped(words); }
  void paragraph(std::string_view words, const std::string& kind = "") {
    raw(kind.empty() ? "<p>" : "<p class=\"" + kind + "\">");
    text(words);
    raw("</p>\n");
  }
  void open_section(const std::string& id, const std::string& title) {
    raw(fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n<h2 id=\"{0}-title\">{1}</h2>\n", id, title));
  }
  void close_section() { raw("</section>\n"); }
  void entry(std::string_view term, std::string_view meaning) {
    raw("<dt>");
    text(term);
    raw("</dt><dd>");
    text(meaning);
    raw("</dd>\n");
  }

  void list(const std::vector<std::string>& sentences) {
    raw("<ul>\n");
    for (const std::string& sentence : sentences) {
      raw("<li>");
      text(sentence);
      raw("</li>\n");
    }
    raw("</ul>\n");
  }

  // A heading that starts with '>' is that of a column of numbers, flush right.
  void open_table(const std::vector<std::string>& headings, const std::string& attributes = "") {
    raw(fmt::format("<div class=\"wide scroll\"><table {}><thead><tr>", attributes));
    for (const std::string& heading : headings) {
      const bool is_number = heading.starts_with('>');
      raw(is_number ? "<th scope=\"col\" class=\"number\">" : "<th scope=\"col\">");
      text(is_number ? heading.substr(1) : heading);
      raw("</th>");
    }
    raw("</tr></thead><tbody>\n");
  }
  void close_table() { raw("</tbody></table></div>\n"); }
  void open_row(const std::string& attributes = "") { raw(attributes.empty() ? "<tr>" : "<tr " + attributes + ">"); }
  void close_row() { raw("</tr>\n"); }
  void cell(std::string_view words, const std::string& kind = "") {
    raw(kind.empty() ? "<td>" : "<td class=\"" + kind + "\">");
    text(words);
    raw("</td>");
  }
  void number(double value, int digits = 3) {
    raw(fmt::format("<td class=\"number\" data-value=\"{}\">{:.{}f}</td>", value, value, digits));
  }
  void number(int value) { number(static_cast<double>(value), 0); }
  void number(long value) { number(static_cast<double>(value), 0); }
  void number(size_t value) { number(static_cast<double>(value), 0); }
  template <class Figure>
  void number(const std::optional<Figure>& value) {
    if (value) return number(*value);
    cell("", "number");
  }
};

void head(Page& page, const RunRecord& record) {
  const size_t edges = record.pag ? record.pag->size() : record.edges.size();
  page.raw("<header>\n<h1>");
  page.text(record.data.source);
  page.raw("</h1>\n");
  page.paragraph(fmt::format("agon {} found a graph of {} over {} in {}. {}", record.version,
                             counted(static_cast<long long>(edges), "edge"),
                             counted(static_cast<long long>(record.data.columns.size()), "variable"),
                             counted(static_cast<long long>(record.data.rows), "row"), arrows_sentence(record)));
  page.raw("</header>\n<nav aria-label=\"sections\">");
  for (const auto& [id, title, there] : std::initializer_list<std::tuple<const char*, const char*, bool>>{
           {"graph", "Graph", true},
           {"trusted", "Most trusted edges", shows_consensus(record)},
           {"match", "Match", record.match.has_value()},
           {"edges", "Edges", true},
           {"certificate", "Certificate", record.certificate.has_value()},
           {"measures", "Against the truth", record.comparison.has_value()},
           {"experiments", "Experiments", !record.data.regimes.empty()},
           {"data", "Data", true},
           {"provenance", "Provenance", true}}) {
    if (there) page.raw(fmt::format("<a href=\"#{}\">{}</a>\n", id, title));
  }
  page.raw("</nav>\n<ul class=\"figures\">");
  const auto figure = [&](const std::string& value, std::string_view meaning) {
    page.raw("<li><b>");
    page.text(value);
    page.raw("</b> ");
    page.text(meaning);
    page.raw("</li>\n");
  };
  const double from = record.match ? record.match->opponents[record.match->best].score : record.score.empty;
  figure(fmt::format("{:.3f}", record.score.value), "score, " + record.score.name);
  figure(fmt::format("{:+.3f}", record.score.value - from),
         record.match ? "over the best opponent" : "over the empty graph");
  if (!record.pag) {
    const auto unsure = std::ranges::count_if(record.edges, is_unsure);
    figure(fmt::format("{} of {}", with_commas(static_cast<long long>(record.mpdag.directed.size())),
                       with_commas(static_cast<long long>(record.edges.size()))),
           unsure == 0 ? "arrows fixed in the class"
                       : fmt::format("arrows fixed in the class, {} unsure", with_commas(unsure)));
  }
  if (record.certificate) {
    figure(record.certificate->never_worse ? "never worse" : "WORSE",
           fmt::format("by {} than an opponent, recomputed", record.score.name));
    if (record.certificate->one_optimal) {
      figure("1-optimal", "no single edit improves it");
    } else {
      figure("not shown 1-optimal", "a single edit may still improve it");
    }
    const Optimum& optimum = record.certificate->optimum;
    const std::string limit = optimum.max_parents == 0
                                  ? ""
                                  : fmt::format(" with at most {} per node", counted(optimum.max_parents, "parent"));
    if (optimum.status == Optimum::Status::kProven) {
      figure("optimal", fmt::format("no DAG{} scores higher, proven", limit));
    } else if (optimum.status == Optimum::Status::kGap) {
      figure(fmt::format("{:.4g} nats", optimum.gap), fmt::format("at most, to the best DAG{}", limit));
    }
  }
  page.raw("</ul>\n");
}

// Some sentences begin in lower case because the text puts words before them; here they stand alone.
std::string capitalised(std::string sentence) {
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] = static_cast<char>(sentence[0] - 32);
  return sentence;
}

// What may be wrong with the data, and where the resamples contradict the graph. The first sentence about the bootstrap
// says what its shares are; each of the others is such a contradiction.
std::vector<std::string> warnings(const RunRecord& record) {
  std::vector<std::string> list = record.data.warnings;
  if (!record.score.remark.empty()) list.push_back(capitalised(record.score.remark) + ".");
  for (const FindingRecord& finding : record.data.findings) {
    if (finding.severity != "info") list.push_back(finding.text);
  }
  if (record.bootstrap) {
    const std::vector<std::string> sentences = bootstrap_sentences(record);
    list.insert(list.end(), sentences.begin() + 1, sentences.end());
  }
  return list;
}

// What an arrow, a strength and a share mean.
std::vector<std::string> explanations(const RunRecord& record) {
  std::vector<std::string> list = {assumptions_sentence(record), strength_sentence(record), losses_sentence(record)};
  if (record.varsortability) list.push_back(varsortability_sentence(*record.varsortability));
  if (record.posterior) {
    for (const std::string& sentence : posterior_sentences(record)) list.push_back(sentence);
  }
  if (record.bootstrap) list.push_back(capitalised(bootstrap_sentences(record).front()));
  std::erase(list, "");
  return list;
}

// The script puts the drawing between the warnings and the explanations.
void graph_part(Page& page, const RunRecord& record, bool alive) {
  page.open_section("graph", "Graph");
  if (const std::vector<std::string> list = warnings(record); !list.empty()) {
    page.raw("<div id=\"warnings\" class=\"warning\">\n");
    page.list(list);
    page.raw("</div>\n");
  }
  if (alive) {
    page.raw(
        "<noscript><p>The drawing needs a browser with scripts switched on; the edges are listed "
        "below.</p></noscript>\n");
  } else if (report_is_interactive()) {
    page.paragraph("A plain page, as asked for: the edges are listed below.", "faint");
  } else {
    page.paragraph(
        "This agon was built without Node, so the page has no drawing and no chart: the edges are listed below. "
        "Build it again with Node and npm installed, then: agon report result.json.",
        "warning");
  }
  page.raw("<div id=\"reading\">\n");
  for (const std::string& sentence : explanations(record)) page.paragraph(sentence, "faint");
  page.raw("</div>\n");
  page.close_section();
}

// The other sections are about the graph that scores highest.
void trusted_part(Page& page, const RunRecord& record) {
  const PosteriorRecord& posterior = *record.posterior;
  const std::set<NamePair> fixed(posterior.consensus->mpdag.directed.begin(),
                                 posterior.consensus->mpdag.directed.end());
  std::map<NamePair, PairPosterior> probabilities;
  for (const PairProbability& pair : posterior.pairs) probabilities[{pair.a, pair.b}] = pair.posterior;
  page.open_section("trusted", "Most trusted edges");
  page.paragraph(consensus_sentence(record));
  if (posterior.consensus->edges.empty()) return page.close_section();
  std::vector<std::string> headings = {"from", "", "to", "arrow"};
  const std::vector<std::string> more = posterior_headings();
  headings.insert(headings.end(), more.begin(), more.end());
  page.open_table(headings, "id=\"trusted-table\" class=\"sortable\"");
  for (const NamePair& edge : posterior.consensus->edges) {
    const bool in_order = edge.first < edge.second;
    PairPosterior pair = probabilities[std::minmax(edge.first, edge.second)];
    if (!in_order) std::swap(pair.forward, pair.backward);
    page.open_row();
    page.cell(edge.first);
    page.cell(fixed.contains(edge) ? "→" : "—");
    page.cell(edge.second);
    page.cell(fixed.contains(edge) ? "fixed" : "open");
    for (const double probability : {pair.edge, pair.forward, pair.backward}) page.number(probability, 2);
    page.close_row();
  }
  page.close_table();
  page.close_section();
}

void match_part(Page& page, const RunRecord& record) {
  const MatchRecord& match = *record.match;
  page.open_section("match", "Match");
  page.paragraph(capitalised(match_sentence(record)) + ". " + capitalised(progress_sentence(match)) + ".");
  page.open_table({"", ">score", ">edges", ">seconds"});
  const auto row = [&](const std::string& name, double score, size_t edges, std::optional<double> seconds) {
    page.open_row();
    page.cell(name);
    page.number(score);
    page.number(edges);
    page.number(seconds);
    page.close_row();
  };
  row("empty graph", record.score.empty, 0, std::nullopt);
  for (const OpponentRecord& o : match.opponents) row("opponent " + o.name, o.score, o.edges.size(), o.seconds);
  row("champion", record.score.value, record.edges.size(), std::nullopt);
  page.close_table();
  if (match.arms.size() > 1) {
    page.open_table({"arm of the challenger", ">moves", ">episodes", ">gained", ">champions"});
    for (const ArmRecord& arm : match.arms) {
      page.open_row();
      page.cell(arm.name);
      page.number(arm.moves);
      page.number(arm.episodes);
      page.number(arm.gained);
      page.number(arm.champions);
      page.close_row();
    }
    page.close_table();
  }
  page.close_section();
}

// How an arrow is coloured: only one that nothing speaks against looks certain.
std::string arrow_cell(const EdgeRecord& edge) {
  if (edge.by_knowledge) return "known-cell";
  if (edge.by_experiment && !is_unsure(edge)) return "set-cell";
  return edge.fixed && !is_unsure(edge) ? "fixed-cell" : "open-cell";
}

// The classes of a row are what the script draws the edge by.
void dag_table(Page& page, const RunRecord& record) {
  std::vector<std::string> headings = {"from", "", "to", "arrow", ">strength (nats)"};
  const auto add = [&](const std::vector<std::string>& more) {
    headings.insert(headings.end(), more.begin(), more.end());
  };
  if (shows_losses(record)) add(loss_headings());
  if (shows_posterior(record)) add(posterior_headings());
  if (record.bootstrap) add(share_headings(record));
  headings.emplace_back("remark");
  page.open_table(headings, "id=\"edge-table\" class=\"sortable\"");
  for (const EdgeRecord& edge : by_strength(record.edges)) {
    page.open_row(fmt::format("data-from=\"{}\" data-to=\"{}\" class=\"{}{}\"", html_escaped(edge.from),
                              html_escaped(edge.to), is_weak(edge) ? "weak " : "", is_unsure(edge) ? "unsure" : ""));
    page.cell(edge.from);
    page.cell(edge.fixed ? "→" : "—");
    page.cell(edge.to);
    page.cell(arrow_kind(edge), arrow_cell(edge));
    page.number(edge.strength);
    if (shows_losses(record)) {
      page.cell(loss_text(edge.adjacency_loss), "number");
      page.cell(loss_text(edge.direction_loss), "number");
    }
    if (shows_posterior(record)) {
      const PairPosterior pair = edge.posterior.value_or(PairPosterior{});
      for (const double probability : {pair.edge, pair.forward, pair.backward}) page.number(probability, 2);
    }
    if (record.bootstrap) {
      const PairShares shares = edge.shares.value_or(PairShares{});
      for (const double share : {shares.edge, shares.forward, shares.backward}) page.number(share, 2);
    }
    page.cell(remark(edge), "open-cell");
    page.close_row();
  }
  page.close_table();
}

void pag_table(Page& page, const RunRecord& record) {
  std::vector<std::string> headings = {"", "", "", "what it says"};
  if (record.bootstrap) headings.push_back(">P(edge)");
  page.open_table(headings, "id=\"edge-table\" class=\"sortable\"");
  for (const NamedEdge& edge : *record.pag) {
    page.open_row(fmt::format("data-from=\"{}\" data-to=\"{}\"", html_escaped(edge.a), html_escaped(edge.b)));
    page.cell(edge.a);
    page.cell(glyph(edge));
    page.cell(edge.b);
    page.cell(mark_meaning(edge));
    if (record.bootstrap) page.number(edge_share(*record.bootstrap, edge.a, edge.b));
    page.close_row();
  }
  page.close_table();
}

void edges_part(Page& page, const RunRecord& record) {
  page.open_section("edges", "Edges");
  if (record.pag ? record.pag->empty() : record.edges.empty()) {
    page.paragraph("The answer has no edges.");
  } else if (record.pag) {
    pag_table(page, record);
  } else {
    dag_table(page, record);
  }
  page.close_section();
}

void certificate_part(Page& page, const Certificate& certificate) {
  page.open_section("certificate", "Certificate");
  page.paragraph("Derived again from the data, by code the search does not use.", "faint");
  page.list(plain_lines(certificate));
  page.close_section();
}

void measures_part(Page& page, const Comparison& c) {
  page.open_section("measures", "Against the truth");
  page.paragraph(capitalised(comparison_sentence(c)) + ".");
  page.open_table({"", ">graph", ">mean of its class", ">empty graph", ">random graphs"});
  for_each_measure(c,
                   [&](const char* name, const auto& graph, const auto& mean, const auto& empty, const auto& random) {
                     page.open_row();
                     page.cell(name);
                     page.number(graph);
                     page.number(mean);
                     page.number(empty);
                     page.number(random);
                     page.close_row();
                   });
  page.close_table();
  if (!c.stopped_by.empty()) page.paragraph(cut_sentence(c));
  page.close_section();
}

void experiments_part(Page& page, const RunRecord& record) {
  page.open_section("experiments", "Experiments");
  page.paragraph(fmt::format(
      "Experiments: {}. Moved: variables that are higher or lower there than in the other rows, the most moved first.",
      experiments_text(record)));
  const auto names = [](const std::vector<std::string>& list) { return list.empty() ? "–" : listed(list); };
  page.open_table({"experiment", ">rows", "targets", "moved"}, "id=\"experiment-table\" class=\"sortable\"");
  for (const RegimeRecord& regime : record.data.regimes) {
    page.open_row();
    page.cell(regime.name);
    page.number(regime.rows);
    page.cell(names(regime.targets));
    page.cell(names(regime.moved));
    page.close_row();
  }
  page.close_table();
  if (!record.score.treatments.empty()) {
    page.open_table({"rows read as", ">best score found", ""}, "id=\"treatment-table\"");
    for (const TreatmentRecord& treatment : record.score.treatments) {
      page.open_row();
      page.cell(treatment.name);
      page.number(treatment.total);
      page.cell(treatment.used ? "used" : "");
      page.close_row();
    }
    page.close_table();
  }
  if (!record.score.remark.empty()) page.paragraph(capitalised(record.score.remark) + ".");
  page.close_section();
}

void data_part(Page& page, const RunRecord& record) {
  const DataRecord& data = record.data;
  page.open_section("data", "Data");
  page.raw("<dl>");
  page.entry("source", data.source);
  page.entry("rows", with_commas(static_cast<long long>(data.rows)));
  if (data.rows_dropped > 0) {
    page.entry("rows dropped for missing cells", with_commas(static_cast<long long>(data.rows_dropped)));
  }
  if (data.weight > 0) page.entry("weight of all rows", fmt::format("{:.6g}", data.weight));
  if (data.missing.cells > 0) page.entry("missing", missing_text(data));
  if (!data.missing.policy.empty()) {
    page.entry("what was done about them", fmt::format("{}: {}", data.missing.policy, data.missing.assumption));
  }
  page.entry("variables", with_commas(static_cast<long long>(data.columns.size())));
  page.entry("checksum", data.checksum);
  page.entry("score", score_sentence(record.score));
  if (record.score.next) page.entry("the next score", next_score_sentence(*record.score.next, record.edges.size()));
  if (record.has_knowledge()) page.entry("knowledge", knowledge_sentence(record.knowledge));
  page.raw("</dl>\n");
  for (const FindingRecord& finding : data.findings) {
    if (finding.severity == "info") page.paragraph(finding.text);  // warnings are beside the graph
  }
  const bool has_gaps = data.missing.cells > 0;
  page.open_table(has_gaps ? std::vector<std::string>{"variable", "kind", ">levels", ">missing", ""}
                           : std::vector<std::string>{"variable", "kind", ">levels", ""},
                  "class=\"sortable\"");
  for (const ColumnRecord& column : data.columns) {
    page.open_row();
    page.cell(column.name);
    page.cell(to_string(column.kind));
    page.number(column.kind == ColumnKind::kCategorical ? std::optional(column.levels) : std::nullopt);
    if (has_gaps) {
      page.cell(fmt::format("{:.1f} %", 100 * static_cast<double>(column.missing) / static_cast<double>(data.rows)));
    }
    page.cell(column.constant ? "constant" : column.identifier ? "identifier" : column.reason);
    page.close_row();
  }
  page.close_table();
  page.close_section();
}

std::string option_text(const OptionValue& value) {
  if (const std::string* text = std::get_if<std::string>(&value)) return *text;
  return option_json(value);
}

void provenance_part(Page& page, const RunRecord& record) {
  page.open_section("provenance", "Provenance");
  page.paragraph("To repeat it, with the same answer for any number of threads and any order of columns:");
  page.raw("<pre><code>");
  page.text(record.command);
  page.raw("</code></pre>\n<dl>");
  page.entry("agon", record.version);
  page.entry("seed", std::to_string(record.seed));
  page.entry("threads", std::to_string(record.threads));
  page.entry("algorithm", record.algorithm);
  page.entry("stopped by", record.stopped_by);
  page.entry("time", duration_text(record.seconds));
  page.raw("</dl>\n<details><summary>Options in force, and how the algorithms got there</summary>\n<dl>");
  for (const auto& [name, value] : record.options) page.entry("--" + name, option_text(value));
  page.raw("</dl>\n");
  page.list(record.story);
  page.raw("</details>\n");
  page.close_section();
}

// The style of a page without the script: enough to read the tables.
constexpr std::string_view kPlainStyle =
    ":root{color-scheme:light dark}body{margin:0 auto;max-width:1100px;padding:0 20px 60px;font:15px/1.5 system-ui,"
    "sans-serif}table{border-collapse:collapse}th,td{padding:2px 12px 2px 0;text-align:left}.number{text-align:right}"
    "pre{white-space:pre-wrap}nav a{margin-right:14px}";

// JSON that is safe inside a script element: without '<' it can neither end the element nor open a comment.
std::string json_for_page(const std::string& line) {
  std::string out;
  for (const char c : line) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

bool report_is_interactive() { return !embedded_file("report.js").empty(); }

std::string html_report(const RunRecord& record, PageKind kind, const std::string& effects) {
  const bool alive = kind == PageKind::kInteractive && report_is_interactive();
  Page page;
  page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  page.raw(
      fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; script-src {}\">\n",
                  alive ? fmt::format("'sha256-{}'; worker-src blob:", embedded_file("report.sha256")) : "'none'"));
  page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
  page.text(record.data.source + " - agon");
  page.raw("</title>\n<style>");
  page.raw(alive ? embedded_file("report.css") : kPlainStyle);
  page.raw("</style>\n</head>\n<body>\n");
  head(page, record);
  page.raw("<main>\n");
  graph_part(page, record, alive);
  if (shows_consensus(record)) trusted_part(page, record);
  if (record.match) match_part(page, record);
  edges_part(page, record);
  if (record.certificate) certificate_part(page, *record.certificate);
  if (record.comparison) measures_part(page, *record.comparison);
  if (!record.data.regimes.empty()) experiments_part(page, record);
  data_part(page, record);
  provenance_part(page, record);
  page.raw("</main>\n<footer>");
  if (alive) page.raw("Drawn with Cytoscape.js, dagre and uPlot (MIT licences, in the script of this page).");
  page.raw("</footer>\n");
  if (alive) {
    page.raw("<script type=\"application/json\" id=\"result\">");
    page.raw(json_for_page(write_record_line(record)));
    if (!effects.empty()) {
      page.raw("</script>\n<script type=\"application/json\" id=\"effects\">");
      page.raw(json_for_page(effects));
    }
    page.raw("</script>\n<script>");
    page.raw(embedded_file("report.js"));
    page.raw("</script>\n");
  }
  page.raw("</body>\n</html>\n");
  return std::move(page.html);
}

}  // namespace agon
