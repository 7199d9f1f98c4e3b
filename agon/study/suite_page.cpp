#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agon/base/text.h"
#include "agon/study/figure.h"
#include "agon/study/suite.h"

namespace agon {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "th,td{padding:.15rem .6rem;text-align:right;white-space:nowrap}th:first-child,td:first-child{text-align:left}"
    "thead th{border-bottom:1px solid #888;vertical-align:bottom}tr.match{background:#eef4fb}"
    "td.best{font-weight:bold}td.published{color:#777}.scroll{overflow-x:auto}svg{max-width:100%;height:auto}"
    ".note{color:#555}.fails{color:#a33}.holds{color:#1d6b35}";

std::string escaped_paragraph(const std::string& text, const std::string& kind = "") {
  return (kind.empty() ? "<p>" : "<p class=\"" + kind + "\">") + html_escaped(text) + "</p>\n";
}

// Dark, distinct colours, one per opponent; a match has the colour of its opponent.
std::map<std::string, std::string> colours(const Suite& suite) {
  static const std::vector<std::string> wheel = {"#1f5fa8", "#c4511d", "#2a7f3f", "#8b3fa0", "#b8860b",
                                                 "#0f8a8a", "#a8325e", "#5b6b1f", "#3d3d9e", "#8a5a3c",
                                                 "#4f7fa5", "#9a9a9a", "#d08a8a"};
  std::map<std::string, std::string> out;
  size_t next = 0;
  for (const SuiteBlock& block : suite.blocks) {
    for (const SuiteRow& row : block.lines) {
      if (row.opponent.empty() && out.count(row.algorithm) == 0) out[row.algorithm] = wheel[next++ % wheel.size()];
    }
  }
  return out;
}

using Pick = Spread SuiteRow::*;

// Systems that agon does not have, by their published figures.
void add_published_only(const Suite& suite, Figure& figure) {
  static const std::vector<std::string> greys = {"#555555", "#888888", "#b0b0b0"};
  std::map<std::string, FigureSeries> by_system;
  for (size_t k = 0; k < suite.blocks.size(); ++k) {
    for (const auto& [system, figures] : suite.blocks[k].published_only) {
      by_system[system].points.push_back({static_cast<double>(k), figures.score});
    }
  }
  for (auto& [system, series] : by_system) {
    series.name = "published: " + system;
    series.colour = greys[figure.series.size() % greys.size()];
    series.dashed = true;
    series.stroke = 1;
    figure.series.push_back(std::move(series));
  }
}

// The paper's chart: a line per algorithm, a position per data set. A filled star marks the only best, an open star a
// tie for the best.
std::string chart(const Suite& suite, const std::string& title, Pick pick, bool SuiteRow::*best, bool matches) {
  Figure figure{.title = title, .x = "data set, smallest first", .left = "composite Score", .right = ""};
  figure.width = 960;
  const std::map<std::string, std::string> colour = colours(suite);
  std::vector<std::string> algorithms;
  for (const SuiteBlock& block : suite.blocks) {
    figure.x_names.push_back(fmt::format("{} ({})", block.data, block.nodes));
    for (const SuiteRow& row : block.lines) {
      const bool shown =
          row.opponent.empty() ? !matches : matches || row.opponent == "ges" || row.opponent == "grandag";
      if (shown && std::find(algorithms.begin(), algorithms.end(), row.algorithm) == algorithms.end()) {
        algorithms.push_back(row.algorithm);
      }
    }
  }
  FigureSeries published{.name = "published: best of Ours", .colour = "#000000", .dashed = true};
  for (const std::string& algorithm : algorithms) {
    FigureSeries series;
    for (size_t k = 0; k < suite.blocks.size(); ++k) {
      const SuiteRow* row = suite.blocks[k].row(algorithm);
      if (row == nullptr || row->cells == 0) continue;
      series.name = row->title;
      series.colour = colour.at(row->opponent.empty() ? row->algorithm : row->opponent);
      series.stroke = row->opponent.empty() ? 1 : 2.5;
      const auto& lines = suite.blocks[k].lines;
      const long sharers = std::count_if(lines.begin(), lines.end(), [&](const SuiteRow& r) { return r.*best; });
      const Spread& spread = row->*pick;
      series.points.push_back({static_cast<double>(k), spread.mean, spread.mean - spread.error,
                               spread.mean + spread.error, row->*best ? (sharers > 1 ? "☆" : "★") : ""});
    }
    if (!series.points.empty()) figure.series.push_back(std::move(series));
  }
  for (size_t k = 0; k < suite.blocks.size(); ++k) {
    double ours = -1;
    for (const SuiteRow& row : suite.blocks[k].lines) {
      if (!row.opponent.empty() && row.published) ours = std::max(ours, row.published->score);
    }
    if (ours >= 0) published.points.push_back({static_cast<double>(k), ours});
  }
  if (!published.points.empty()) figure.series.push_back(std::move(published));
  if (!matches && pick == &SuiteRow::score) add_published_only(suite, figure);
  return figure.svg();
}

class Rows {
 public:
  std::string html;
  void cell(const std::string& words, const std::string& kind = "") {
    html += (kind.empty() ? "<td>" : "<td class=\"" + kind + "\">") + html_escaped(words) + "</td>";
  }
  void figure(const Spread& spread, int digits, int samples, bool best = false) {
    cell(fmt::format("{:.{}f}", spread.mean, digits) +
             (samples > 1 ? fmt::format(" ± {:.{}f}", spread.error, digits) : "") + (best ? " ★" : ""),
         best ? "best" : "");
  }
};

std::string block_html(const SuiteBlock& block) {
  Rows rows;
  for (const SuiteRow& row : block.lines) {
    const int n = row.cells;
    rows.html += row.opponent.empty() ? "<tr>" : "<tr class=\"match\">";
    std::string name = row.title;
    if (row.limited > 0) name += fmt::format(" ({} of {} cut by the limit)", row.limited, n);
    if (row.failed > 0) name += fmt::format(" ({} failed)", row.failed);
    rows.cell(name);
    if (n == 0) {
      for (int k = 0; k < 4; ++k) rows.cell("");
    } else {
      rows.figure(row.tpr, 2, n);
      rows.figure(row.fdr, 2, n);
      rows.figure(row.shd, 1, n);
      rows.figure(row.score, 3, n, row.best_score);
    }
    if (const auto& p = row.published) {
      rows.cell(fmt::format("{:.2f} / {:.2f} / {:g} / {:.2f}", p->tpr, p->fdr, p->shd, p->score), "published");
    } else {
      rows.cell("");
    }
    if (n > 0) {
      rows.figure(row.class_mean, 3, n, row.best_class);
      rows.figure(row.class_best, 3, n);
      if (row.shd_cpdag) rows.figure(*row.shd_cpdag, 1, n, row.best_cpdag);
      if (!row.shd_cpdag) rows.cell("");
      rows.figure(row.skeleton_f1, 3, n);
      rows.cell(fmt::format("{:.1f}{}", row.bic.mean, row.best_bic ? " ★" : ""), row.best_bic ? "best" : "");
      rows.figure(row.behind, 1, n);
      rows.figure(row.seconds, 2, n);
      rows.cell(fmt::format("{:.0f}", row.megabytes));
      rows.cell(row.found_by);
    }
    rows.html += "</tr>\n";
  }
  for (const auto& [name, p] : block.published_only) {
    rows.html += "<tr>";
    rows.cell(name + " (published only)", "published");
    for (int k = 0; k < 4; ++k) rows.cell("");
    rows.cell(fmt::format("{:.2f} / {:.2f} / {:g} / {:.2f}", p.tpr, p.fdr, p.shd, p.score), "published");
    rows.html += "</tr>\n";
  }
  std::string out = fmt::format("<section><h2>{}</h2>\n", html_escaped(block.title));
  out += escaped_paragraph(fmt::format("{} nodes, {} edges, {}, {}, {}", block.nodes, block.edges,
                                       counted(static_cast<long long>(block.rows), "row"),
                                       counted(block.samples, "sample"), block.score));
  if (!block.note.empty()) out += escaped_paragraph(block.note, "note");
  out +=
      "<div class=\"scroll\"><table><thead><tr><th>algorithm</th><th>TPR</th><th>FDR</th><th>SHD</th><th>Score</th>"
      "<th>published<br>TPR / FDR / SHD / Score</th><th>Score,<br>class mean</th><th>Score,<br>best of class</th>"
      "<th>CPDAG SHD</th><th>skeleton F1</th><th>BIC</th><th>behind<br>the best</th><th>CPU s</th><th>MB</th><th>found "
      "by</th></tr>"
      "</thead><tbody>\n";
  return out + rows.html + "</tbody></table></div></section>\n";
}

}  // namespace

std::string suite_chart(const Suite& suite) {
  return chart(suite, "Composite Score by data set", &SuiteRow::score, &SuiteRow::best_score, false);
}

std::string suite_page(const Suite& suite) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>agon: the benchmarks of the paper</title><style>{}</style></head><body>\n"
      "<h1>The benchmarks of the paper</h1>\n",
      kStyle);
  out += escaped_paragraph(fmt::format(
      "agon {}, {}, {} of at most {:g} s of CPU time each{}. ★ marks the best of a column and all that tie with it.",
      suite.version, suite.source, counted(suite.cells, "cell"), suite.limit,
      suite.missing > 0 ? fmt::format("; {} not finished", counted(suite.missing, "cell")) : ""));
  out += "<ul>\n";
  for (const SuiteClaim& claim : suite.claims) {
    out += fmt::format("<li><b class=\"{}\">{}</b> {}: {}</li>\n", claim.holds.value_or(false) ? "holds" : "fails",
                       !claim.holds   ? "open"
                       : *claim.holds ? "holds"
                                      : "does not hold",
                       html_escaped(claim.claim), html_escaped(claim.text));
  }
  out += "</ul>\n";
  for (const std::string& note : suite.notes) out += escaped_paragraph(note, "note");
  out += escaped_paragraph(
      "Means over samples ± standard errors. CPU s is CPU time on one thread, of a match with its opponent's; MB the "
      "most "
      "memory its process had; behind the best: nats below the best score any algorithm reached on the sample. In the "
      "charts ★ is the best of its data set alone and ☆ shares that place; bars are standard errors; thick lines are "
      "matches.");
  out += suite_chart(suite);
  out += chart(suite, "Composite Score by data set: the match from every opponent", &SuiteRow::score,
               &SuiteRow::best_score, true);
  out += chart(suite, "Mean composite Score of the class: what data can decide", &SuiteRow::class_mean,
               &SuiteRow::best_class, false);
  for (const SuiteBlock& block : suite.blocks) out += block_html(block);
  return out + "</body></html>\n";
}

}  // namespace agon
