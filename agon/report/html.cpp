#include "agon/report/html.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "agon/base/error.h"
#include "agon/data/embedded_files.h"
#include "agon/data/json_text.h"
#include "agon/report/table.h"

namespace agon {
namespace {

using Json = nlohmann::ordered_json;

// A page, written piece by piece; what goes through text() and cells is escaped.
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

  // '>' before a heading: numbers, flush right.
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
  void number(const Json& value) {
    if (value.is_null()) {
      cell("", "number");
    } else {
      number(value.get<double>(), value.is_number_integer() ? 0 : 3);
    }
  }
};

const Json* find(const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() || at->is_null() ? nullptr : &*at;
}

const std::string& word(const Json& json) { return json.get_ref<const std::string&>(); }
// Not get<long long>(), which turns fractions of any size into whole numbers.
long long whole(const Json& json) { return json.get_ref<const Json::number_integer_t&>(); }

struct Facts {  // what several parts of the page say
  const Json& result;
  const bool is_match = result.contains("opponent");
  const Json& pdag = result.contains("mpdag") ? result.at("mpdag") : result.at("cpdag");
  const double score = result.at("score").at("value").get<double>();
  const double gain = score - result.at("score").at(is_match ? "opponent" : "empty").get<double>();
  const size_t edges = result.at("dag").at("edges").size();
  const size_t determined = pdag.at("directed").size();
};

void head(Page& page, const Facts& facts) {
  const Json& data = facts.result.at("data");
  page.raw("<header>\n<h1>");
  page.text(word(data.at("source")));
  page.raw("</h1>\n");
  const auto rows = whole(data.at("rows")), columns = whole(data.at("columns"));
  page.paragraph(fmt::format(
      "agon {} found a graph of {} over {} in {}. {}", word(facts.result.at("agon")),
      counted(static_cast<long long>(facts.edges), "edge"), counted(columns, "variable"), counted(rows, "row"),
      facts.edges == 0 ? ""
      : facts.determined == facts.edges
          ? "All its arrows are determined."
          : fmt::format("{} of {} are determined; the other {} may point either way.", facts.determined,
                        counted(static_cast<long long>(facts.edges), "arrow"), facts.edges - facts.determined)));
  page.raw("</header>\n<nav aria-label=\"sections\">");
  for (const auto& [id, title, there] : std::initializer_list<std::tuple<const char*, const char*, bool>>{
           {"graph", "Graph", true},
           {"match", "Match", facts.is_match},
           {"edges", "Edges", true},
           {"certificate", "Certificate", facts.result.contains("certificate")},
           {"measures", "Against the truth", facts.result.contains("metrics")},
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
  figure(fmt::format("{:.3f}", facts.score), "score, " + word(facts.result.at("score").at("name")));
  figure(fmt::format("{:+.3f}", facts.gain), facts.is_match ? "over the best opponent" : "over the empty graph");
  figure(fmt::format("{} of {}", facts.determined, facts.edges), "arrows determined");
  if (const Json* certificate = find(facts.result, "certificate")) {
    figure(certificate->at("never_worse").get<bool>() ? "never worse" : "WORSE", "than an opponent, recomputed");
    figure(certificate->at("one_optimal").get<bool>() ? "1-optimal" : "not shown 1-optimal",
           "no single edit improves it");
  }
  page.raw("</ul>\n");
}

void graph_part(Page& page, bool alive) {
  page.open_section("graph", "Graph");
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
  page.close_section();
}

void match_part(Page& page, const Facts& facts) {
  const Json& run = facts.result.at("run");
  page.open_section("match", "Match");
  const size_t better = facts.result.at("history").size() - 1;
  page.paragraph(fmt::format("Challenger {}: {} in {}; stopped by: {}. {}", word(run.at("challenger")),
                             counted(whole(run.at("moves")), "move"), duration_text(run.at("seconds").get<double>()),
                             word(run.at("stopped_by")),
                             better == 0 ? fmt::format("No move improved the graph of {}.", word(run.at("found_by")))
                                         : counted(static_cast<long long>(better), "better graph") + " found."));
  page.open_table({"", ">score", ">edges", ">seconds"});
  const auto row = [&](const std::string& name, double score, size_t edges, const Json& seconds) {
    page.open_row();
    page.cell(name);
    page.number(score);
    page.number(static_cast<double>(edges), 0);
    page.number(seconds);
    page.close_row();
  };
  row("empty graph", facts.result.at("score").at("empty").get<double>(), 0, nullptr);
  const Json one = Json::array({facts.result.at("opponent")});
  const Json* all = find(facts.result, "opponents");
  for (const Json& opponent : all ? *all : one) {
    row("opponent " + word(opponent.at("name")), opponent.at("score").get<double>(), opponent.at("edges").size(),
        opponent.at("seconds"));
  }
  row("champion", facts.score, facts.edges, nullptr);
  page.close_table();
  if (const Json* arms = find(run, "arms"); arms && arms->size() > 1) {
    page.open_table({"arm of the challenger", ">moves", ">episodes", ">gained", ">champions"});
    for (const Json& arm : *arms) {
      page.open_row();
      page.cell(word(arm.at("name")));
      for (const char* figure : {"moves", "episodes", "gained", "champions"}) page.number(arm.at(figure));
      page.close_row();
    }
    page.close_table();
  }
  page.close_section();
}

void edges_part(Page& page, const Facts& facts) {
  page.open_section("edges", "Edges");
  const Json* bootstrap = find(facts.result, "bootstrap");
  if (facts.edges == 0) page.paragraph("The answer has no edges.");
  if (facts.edges > 0) {
    std::vector<std::string> headings = {"from", "", "to", "arrow", ">score lost if removed"};
    if (bootstrap) headings.insert(headings.end(), {">P(edge)", ">P(→)", ">P(←)", ">P(—)"});
    page.open_table(headings, "id=\"edge-table\" class=\"sortable\"");
    for (const Json& edge : facts.result.at("edges")) {
      const bool compelled = edge.at("compelled").get<bool>();
      const Json* known = find(edge, "by_knowledge");
      page.open_row(fmt::format("data-from=\"{}\" data-to=\"{}\"", html_escaped(word(edge.at("from"))),
                                html_escaped(word(edge.at("to")))));
      page.cell(word(edge.at("from")));
      page.cell(compelled ? "→" : "—");
      page.cell(word(edge.at("to")));
      page.cell(known && known->get<bool>() ? "by knowledge"
                : compelled                 ? "compelled"
                                            : "reversible",
                compelled ? "compelled-cell" : "reversible-cell");
      page.number(edge.at("loss").get<double>());
      if (bootstrap) {
        const Json& shares = edge.at("confidence");
        for (const char* share : {"edge", "forward", "backward", "undirected"})
          page.number(shares.at(share).get<double>());
      }
      page.close_row();
    }
    page.close_table();
  }
  if (bootstrap) {
    page.paragraph(
        fmt::format("Confidence: shares of {} of the rows, each searched by {}. P(→) is the arrow from left to right, "
                    "P(←) the other way, P(—) an edge whose way the resample leaves open.",
                    counted(whole(bootstrap->at("resamples")), "resample"), word(bootstrap->at("search"))),
        "faint");
    std::set<std::pair<std::string, std::string>> shown;
    for (const Json& edge : facts.result.at("edges")) {
      shown.insert(std::minmax(word(edge.at("from")), word(edge.at("to"))));
    }
    std::vector<std::string> absent;
    for (const Json& pair : bootstrap->at("pairs")) {
      const double share = pair.at("edge").get<double>();
      const std::string &a = word(pair.at("a")), &b = word(pair.at("b"));
      if (share >= 0.5 && !shown.contains(std::minmax(a, b)))
        absent.push_back(fmt::format("{} and {} ({:.3f})", a, b, share));
    }
    if (!absent.empty()) {
      page.paragraph(fmt::format("Not in the graph, yet in half of the resamples: {}.", fmt::join(absent, ", ")));
    }
  }
  page.close_section();
}

void certificate_part(Page& page, const Json& certificate) {
  page.open_section("certificate", "Certificate");
  page.paragraph("Derived again from the data, by code the search does not use.", "faint");
  page.raw("<ul>\n");
  for (const Json& line : certificate.at("lines")) {
    page.raw("<li>");
    page.text(word(line));
    page.raw("</li>\n");
  }
  page.raw("</ul>\n");
  page.close_section();
}

void measures_part(Page& page, const Json& metrics) {
  page.open_section("measures", "Against the truth");
  const Json &truth = metrics.at("truth"), &counts = metrics.at("counts");
  page.paragraph(fmt::format("{} ({}): {} right, {} reversed, {} extra, {} missing.", word(truth.at("source")),
                             counted(whole(truth.at("edges")), "edge"), whole(counts.at("correct")),
                             whole(counts.at("reversed")), whole(counts.at("extra")), whole(counts.at("missing"))));
  page.open_table({"", ">graph", ">mean of its class", ">empty graph", ">random graphs"});
  for (const auto& [key, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"shd_cpdag", "SHD of CPDAGs"},
                                                                  {"skeleton_f1", "skeleton F1"},
                                                                  {"skeleton_precision", "skeleton precision"},
                                                                  {"skeleton_recall", "skeleton recall"},
                                                                  {"shd", "SHD (a reversal counts once)"},
                                                                  {"tpr", "TPR, directed"},
                                                                  {"fdr", "FDR, directed"},
                                                                  {"score", "Score = (TPR + 1 - FDR + 1/(1+SHD))/3"},
                                                                  {"sid", "SID"}}) {
    page.open_row();
    page.cell(name);
    for (const Json* column : {&metrics, &metrics.at("class_mean"), &metrics.at("controls").at("empty"),
                               &metrics.at("controls").at("random")}) {
      page.number(column->at(key));
    }
    page.close_row();
  }
  page.close_table();
  page.close_section();
}

void data_part(Page& page, const Facts& facts) {
  const Json& data = facts.result.at("data");
  page.open_section("data", "Data");
  page.raw("<dl>");
  page.entry("source", word(data.at("source")));
  page.entry("rows", with_commas(whole(data.at("rows"))));
  if (const auto dropped = whole(data.at("rows_dropped")); dropped > 0) {
    page.entry("rows dropped for missing cells", with_commas(dropped));
  }
  page.entry("variables", with_commas(whole(data.at("columns"))));
  page.entry("checksum", word(data.at("checksum")));
  const Json& score = facts.result.at("score");
  page.entry("score", fmt::format("{}, {}", word(score.at("name")), word(score.at("reason"))));
  if (const Json* known = find(facts.result, "knowledge")) {
    page.entry("knowledge", fmt::format("{}, {}, {}: {}", counted(whole(known->at("required")), "required edge"),
                                        counted(whole(known->at("forbidden")), "forbidden edge"),
                                        counted(whole(known->at("tiers")), "tier"),
                                        known->at("satisfied").get<bool>() ? "all hold" : "NOT ALL HOLD"));
  }
  page.raw("</dl>\n");
  for (const Json& finding : data.at("findings")) {
    const std::string& severity = word(finding.at("severity"));
    page.paragraph(severity + ": " + word(finding.at("text")), severity == "info" ? "" : "warning");
  }
  std::set<std::string> constant;
  for (const Json& name : data.at("constant")) constant.insert(word(name));
  std::map<std::string, long> levels;
  for (const auto& [name, count] : data.at("levels").items()) levels[name] = whole(count);
  page.open_table({"variable", "kind", ">levels", ""}, "class=\"sortable\"");
  for (const auto& [name, kind] : data.at("kinds").items()) {
    page.open_row();
    page.cell(name);
    page.cell(word(kind));
    const auto found = levels.find(name);
    page.number(found == levels.end() ? Json(nullptr) : Json(found->second));
    page.cell(constant.contains(name) ? "constant" : "");
    page.close_row();
  }
  page.close_table();
  page.close_section();
}

void provenance_part(Page& page, const Facts& facts) {
  const Json& run = facts.result.at("run");
  page.open_section("provenance", "Provenance");
  page.paragraph("To repeat it, with the same answer for any number of threads and any order of columns:");
  page.raw("<pre><code>");
  page.text(word(run.at("command")));
  page.raw("</code></pre>\n<dl>");
  page.entry("agon", word(facts.result.at("agon")));
  page.entry("seed", std::to_string(run.at("seed").get_ref<const Json::number_unsigned_t&>()));
  page.entry("threads", std::to_string(whole(run.at("threads"))));
  page.entry("algorithm", word(run.at("algorithm")));
  page.entry("stopped by", word(run.at("stopped_by")));
  page.entry("time", duration_text(run.at("seconds").get<double>()));
  page.raw("</dl>\n<details><summary>Options in force, and how the algorithms got there</summary>\n<dl>");
  for (const auto& [name, value] : run.at("options").items()) {
    page.entry("--" + name, value.is_string() ? word(value) : value.dump());
  }
  page.raw("</dl>\n<ul>\n");
  for (const Json& sentence : run.at("story")) {
    page.raw("<li>");
    page.text(word(sentence));
    page.raw("</li>\n");
  }
  page.raw("</ul>\n</details>\n");
  page.close_section();
}

// Of a page without the script: enough to read the tables.
constexpr std::string_view kPlainStyle =
    ":root{color-scheme:light dark}body{margin:0 auto;max-width:1100px;padding:0 20px 60px;font:15px/1.5 system-ui,"
    "sans-serif}table{border-collapse:collapse}th,td{padding:2px 12px 2px 0;text-align:left}.number{text-align:right}"
    "pre{white-space:pre-wrap}nav a{margin-right:14px}";

// JSON that may stand in a script element: no '<' can end it or open a comment.
std::string json_for_page(const Json& result) {
  std::string out;
  for (const char c : result.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

Json parse_result(std::string_view text, const std::string& place) {
  Json result;
  try {
    result = parse_json<Json>(text, place);
  } catch (const Json::exception&) {  // not an object then, which is said below
  }
  if (!result.is_object())
    throw InputError(place, "is not JSON", "agon discover DATA --out DIR writes DIR/result.json");
  const Json* schema = find(result, "schema");
  if (!schema || *schema != 1) {
    throw InputError(place, "is not a result of agon (schema 1)",
                     "agon discover DATA --out DIR writes DIR/result.json");
  }
  return result;
}

}  // namespace

bool report_is_interactive() { return !embedded_file("report.js").empty(); }

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string html_report(std::string_view text, const std::string& place, PageKind kind) {
  const Json result = parse_result(text, place);
  const bool alive = kind == PageKind::kInteractive && report_is_interactive();
  Page page;
  page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
  page.raw(
      fmt::format("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                  "'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; script-src {}\">\n",
                  alive ? fmt::format("'sha256-{}'", embedded_file("report.sha256")) : "'none'"));
  page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
  try {
    page.text(word(result.at("data").at("source")) + " - agon");
    page.raw("</title>\n<style>");
    page.raw(alive ? embedded_file("report.css") : kPlainStyle);
    page.raw("</style>\n</head>\n<body>\n");
    const Facts facts{result};
    head(page, facts);
    page.raw("<main>\n");
    graph_part(page, alive);
    if (facts.is_match) match_part(page, facts);
    edges_part(page, facts);
    if (const Json* certificate = find(result, "certificate")) certificate_part(page, *certificate);
    if (const Json* metrics = find(result, "metrics")) measures_part(page, *metrics);
    data_part(page, facts);
    provenance_part(page, facts);
    page.raw("</main>\n<footer>");
    if (alive) page.raw("Drawn with Cytoscape.js, dagre and uPlot (MIT licences, in the script of this page).");
    page.raw("</footer>\n");
  } catch (const nlohmann::json::exception& error) {
    throw InputError(place, std::string("is not a whole result of agon: ") + error.what(),
                     "agon discover DATA --out DIR writes one");
  }
  if (alive) {
    page.raw("<script type=\"application/json\" id=\"result\">");
    page.raw(json_for_page(result));
    page.raw("</script>\n<script>");
    page.raw(embedded_file("report.js"));
    page.raw("</script>\n");
  }
  page.raw("</body>\n</html>\n");
  return std::move(page.html);
}

}  // namespace agon
