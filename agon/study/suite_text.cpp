#include <fmt/format.h>

#include "agon/study/suite.h"

namespace agon {
namespace {

constexpr const char* kLegend =
    "* best of its column, = one of several that share the best, at the digits shown. Means over samples ± standard "
    "errors. CPU s: CPU time on one thread, of a match with its opponent's; MB: most memory of the process. behind: "
    "nats "
    "below the best score any algorithm reached on the sample. (k cut): so many answers are the best until the limit "
    "of "
    "a cell. found by: who found the answers of a match, and how many of them.";

std::string figure(const Spread& spread, int digits, int samples) {
  return samples > 1 ? fmt::format("{:.{}f}±{:.{}f}", spread.mean, digits, spread.error, digits)
                     : fmt::format("{:.{}f}", spread.mean, digits);
}

// The mark of the best in a column; always one letter, so that numbers line up.
std::string mark(bool best, int sharers) { return !best ? " " : sharers > 1 ? "=" : "*"; }

std::string name_of(const SuiteRow& row) {
  std::string name = row.title;
  if (row.limited > 0) name += fmt::format(" ({} cut)", row.limited);
  if (row.failed > 0) name += fmt::format(" ({} failed)", row.failed);
  return name;
}

std::string block_text(const SuiteBlock& block, const TextStyle& style) {
  int score = 0, mean = 0, cpdag = 0, bic = 0;
  for (const SuiteRow& row : block.lines) {
    score += row.best_score, mean += row.best_class, cpdag += row.best_cpdag, bic += row.best_bic;
  }
  Table table({"", ">TPR", ">FDR", ">SHD", ">Score ", ">published", ">class mean ", ">CPDAG SHD ", ">BIC ", ">behind",
               "found by", ">CPU s", ">MB"});
  for (const SuiteRow& row : block.lines) {
    const Tone tone = row.opponent.empty() ? Tone::kPlain : Tone::kStrong;
    const std::string published = row.published ? fmt::format("{:.2f}", row.published->score) : "";
    if (row.cells == 0) {
      table.row({{name_of(row), tone}, "", "", "", "", published});
      continue;
    }
    const int n = row.cells;
    const auto marked = [&](const Spread& spread, int digits, bool best, int sharers) {
      return TableCell(figure(spread, digits, n) + mark(best, sharers), best ? Tone::kGood : Tone::kPlain);
    };
    table.row({{name_of(row), tone},
               figure(row.tpr, 2, n),
               figure(row.fdr, 2, n),
               figure(row.shd, 1, n),
               marked(row.score, 2, row.best_score, score),
               published,
               marked(row.class_mean, 2, row.best_class, mean),
               row.shd_cpdag ? marked(*row.shd_cpdag, 1, row.best_cpdag, cpdag) : TableCell(""),
               fmt::format("{:.1f}{}", row.bic.mean, mark(row.best_bic, bic)),
               fmt::format("{:.1f}", row.behind.mean),
               row.found_by,
               fmt::format("{:.2f}", row.seconds.mean),
               fmt::format("{:.0f}", row.megabytes)});
  }
  std::string out =
      fmt::format("{}: {} nodes, {} edges, {}, {}, {}\n", block.title, block.nodes, block.edges,
                  counted(static_cast<long long>(block.rows), "row"), counted(block.samples, "sample"), block.score);
  out += table.text(style, "  ");
  if (!block.published_only.empty()) {
    std::string others;
    for (const auto& [name, figures] : block.published_only) {
      others += fmt::format("{}{} {:.2f}", others.empty() ? "" : ", ", name, figures.score);
    }
    out += wrapped("published for systems that are not here: " + others, style, "  ");
  }
  if (!block.note.empty()) out += wrapped(block.note, style, "  ");
  return out;
}

}  // namespace

std::string suite_text(const Suite& suite, const TextStyle& style) {
  std::string out;
  for (const SuiteBlock& block : suite.blocks) out += block_text(block, style) + "\n";
  Table claims({"", "", "~"});
  for (const SuiteClaim& claim : suite.claims) {
    claims.row({{!claim.holds   ? "open"
                 : *claim.holds ? "holds"
                                : "NO",
                 !claim.holds   ? Tone::kFaint
                 : *claim.holds ? Tone::kGood
                                : Tone::kDoubtful},
                claim.claim,
                claim.text});
  }
  out += claims.text(style) + "\n" + wrapped(kLegend, style);
  for (const std::string& note : suite.notes) out += wrapped(note, style);
  return out;
}

}  // namespace agon
