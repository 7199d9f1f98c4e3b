#include "agon/study/suite_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "agon/base/suggest.h"
#include "agon/catalog/opponents.h"
#include "agon/study/published.h"
#include "agon/version.h"

namespace agon {
namespace {

constexpr const char* kSafety = "never below the opponent";

// A difference below this share of the score is rounding: two members of a class may differ in the last digits.
constexpr double kRounding = 1e-9;

// "2 ges; 3 local trained": who found the answers of a match, most often first. No commas, for the CSV.
std::string finders(const std::vector<const SuiteCell*>& cells) {
  std::map<std::string, int> counts;
  for (const SuiteCell* cell : cells) {
    if (!cell->found_by.empty()) ++counts[cell->found_by];
  }
  std::vector<std::pair<int, std::string>> ranked;
  for (const auto& [name, count] : counts) ranked.emplace_back(-count, name);
  std::sort(ranked.begin(), ranked.end());
  std::string out;
  for (const auto& [count, name] : ranked) out += fmt::format("{}{} {}", out.empty() ? "" : "; ", -count, name);
  for (size_t at = 0; (at = out.find(", ", at)) != std::string::npos;) out.replace(at, 2, " and ");
  return out;
}

template <class Get>
Spread over(const std::vector<const SuiteCell*>& cells, Get get) {
  std::vector<double> values;
  for (const SuiteCell* cell : cells) values.push_back(get(*cell));
  return spread_of(values);
}

SuiteRow row_of(const std::string& algorithm, const std::vector<const SuiteCell*>& cells,
                const std::map<int, double>& best) {
  SuiteRow row;
  row.algorithm = algorithm;
  row.title = suite_title(algorithm);
  row.opponent = opponent_of(algorithm);
  std::vector<const SuiteCell*> done;
  for (const SuiteCell* cell : cells) {
    if (!cell->failed.empty()) {
      row.failed += 1;
      continue;
    }
    done.push_back(cell);
    row.limited += cell->limited;
    row.megabytes = std::max(row.megabytes, cell->megabytes);
  }
  row.cells = static_cast<int>(done.size());
  if (done.empty()) return row;
  row.tpr = over(done, [](const SuiteCell& c) { return c.tpr; });
  row.fdr = over(done, [](const SuiteCell& c) { return c.fdr; });
  row.shd = over(done, [](const SuiteCell& c) { return c.shd; });
  row.score = over(done, [](const SuiteCell& c) { return c.score; });
  row.skeleton_f1 = over(done, [](const SuiteCell& c) { return c.skeleton_f1; });
  row.class_mean = over(done, [](const SuiteCell& c) { return c.class_mean; });
  row.class_best = over(done, [](const SuiteCell& c) { return c.class_best; });
  row.source_order = over(done, [](const SuiteCell& c) { return c.source_order; });
  row.shuffled_order = over(done, [](const SuiteCell& c) { return c.shuffled_order; });
  row.gcastle_tpr = over(done, [](const SuiteCell& c) { return c.gcastle.tpr; });
  row.gcastle_fdr = over(done, [](const SuiteCell& c) { return c.gcastle.fdr; });
  row.gcastle_shd = over(done, [](const SuiteCell& c) { return c.gcastle.shd; });
  row.gcastle_score = over(done, [](const SuiteCell& c) { return c.gcastle.score; });
  row.found_by = finders(done);
  if (done[0]->shd_cpdag) row.shd_cpdag = over(done, [](const SuiteCell& c) { return c.shd_cpdag.value_or(0); });
  row.bic = over(done, [](const SuiteCell& c) { return c.bic; });
  row.behind = over(done, [&](const SuiteCell& c) {
    const double behind = best.at(c.sample) - c.bic;  // the true graph may be ahead
    return std::abs(behind) > kRounding * std::abs(c.bic) ? behind : 0;
  });
  if (done[0]->margin) row.margin = over(done, [](const SuiteCell& c) { return c.margin.value_or(0); });
  row.moves = over(done, [](const SuiteCell& c) { return static_cast<double>(c.moves); });
  row.seconds = over(done, [](const SuiteCell& c) { return c.seconds + c.opponent_seconds; });
  return row;
}

// Marks the rows that no other row beats in the digits shown; the true graph does not compete. `sign` is -1 where less
// is better.
template <class Get>
void mark_best(std::vector<SuiteRow>& rows, bool SuiteRow::*best, double digits, double sign, Get get) {
  double most = -std::numeric_limits<double>::infinity();
  const auto shown = [&](const SuiteRow& row) { return std::round(sign * get(row) * digits) / digits; };
  const auto competes = [](const SuiteRow& row) { return row.cells > 0 && row.algorithm != kTrueGraph; };
  for (const SuiteRow& row : rows) {
    if (competes(row)) most = std::max(most, shown(row));
  }
  for (SuiteRow& row : rows) row.*best = competes(row) && shown(row) >= most;
}

// Algorithms that learn run only when they are named; their published figures are shown anyway.
bool stands_alone(const PublishedRow& row, const SuiteBlock& block) {
  if (row.algorithm.empty()) return true;
  const bool is_match = !opponent_of(row.algorithm).empty();
  return !is_match && !opponent_entry(row.algorithm).learns.empty() && block.row(row.algorithm) == nullptr;
}

SuiteBlock block_of(const SuiteTable& table, const std::vector<std::string>& algorithms,
                    const std::vector<SuiteCell>& all) {
  SuiteBlock block;
  block.data = table.name;
  block.title = table.title;
  block.samples = table.samples;
  block.score = suite_score(table.kind);
  block.note = published_note(table.name);
  std::map<std::string, std::vector<const SuiteCell*>> by_algorithm;
  std::map<int, double> best;  // score by sample
  for (const SuiteCell& cell : all) {
    if (cell.data != table.name) continue;
    by_algorithm[cell.algorithm].push_back(&cell);
    if (!cell.failed.empty()) continue;
    block.rows = cell.rows;
    block.nodes = cell.columns;
    block.edges = cell.true_edges;
    const auto [at, is_new] = best.emplace(cell.sample, -std::numeric_limits<double>::infinity());
    if (cell.algorithm != kTrueGraph) at->second = std::max(at->second, cell.bic);
  }
  for (const std::string& algorithm : algorithms) {
    if (by_algorithm.count(algorithm) == 0) continue;
    SuiteRow row = row_of(algorithm, by_algorithm.at(algorithm), best);
    if (const PublishedFigures* figures = published(table.name, algorithm)) row.published = *figures;
    block.lines.push_back(std::move(row));
  }
  for (const PublishedRow& row : published_rows()) {
    if (row.data == table.name && stands_alone(row, block)) block.published_only.emplace_back(row.system, row.figures);
  }
  mark_best(block.lines, &SuiteRow::best_score, 1e2, 1, [](const SuiteRow& r) { return r.score.mean; });
  mark_best(block.lines, &SuiteRow::best_class, 1e2, 1, [](const SuiteRow& r) { return r.class_mean.mean; });
  mark_best(block.lines, &SuiteRow::best_bic, 1e1, -1, [](const SuiteRow& r) { return r.behind.mean; });
  if (!block.lines.empty() && block.lines[0].shd_cpdag) {
    mark_best(block.lines, &SuiteRow::best_cpdag, 1e1, -1,
              [](const SuiteRow& r) { return r.shd_cpdag ? r.shd_cpdag->mean : 1e9; });
  }
  return block;
}

SuiteClaim safety(const std::vector<SuiteCell>& cells) {
  int matches = 0, raised = 0;
  std::vector<std::string> below;
  for (const SuiteCell& cell : cells) {
    if (!cell.margin) continue;
    ++matches;
    const double rounding = kRounding * std::abs(cell.bic);
    raised += *cell.margin > rounding;
    if (*cell.margin < -rounding) below.push_back(fmt::format("{} {} {}", cell.data, cell.sample, cell.algorithm));
  }
  SuiteClaim claim{kSafety, {}, "no match was played"};
  if (matches == 0) return claim;
  claim.holds = below.empty();
  claim.text = below.empty() ? fmt::format("in all {} matches; above it in {}", matches, raised)
                             : fmt::format("below it in {} of {} matches: {}", below.size(), matches, listed(below));
  return claim;
}

// The first match from the graph of GES, whoever plays it.
const SuiteRow* match_from_ges(const SuiteBlock& block) {
  for (const SuiteRow& row : block.lines) {
    if (row.opponent == "ges") return &row;
  }
  return nullptr;
}

// True for the data sets whose published truth was aligned with the data.
bool is_aligned(const std::string& data) { return data != "sachs" && data != "dream4" && data != "andes"; }

void compare_with_published(const std::vector<SuiteBlock>& blocks, std::vector<SuiteClaim>& claims) {
  for (const SuiteBlock& block : blocks) {
    const SuiteRow* ours = match_from_ges(block);
    double figure = -1;
    for (const char* name : {"match-ges", "match-grandag"}) {
      if (const PublishedFigures* p = published(block.data, name)) figure = std::max(figure, p->score);
    }
    if (ours == nullptr || ours->cells == 0 || figure < 0 || !is_aligned(block.data)) continue;
    const double shown = std::round(100 * ours->score.mean) / 100;
    claims.push_back({fmt::format("Score on {} at least published", block.data), shown >= figure,
                      fmt::format("{} {:.2f}, published {:.2f}; its class: mean {:.2f}, best {:.2f}, the member by the "
                                  "order of columns in the source {:.2f}, in the shuffled table {:.2f}",
                                  ours->title, ours->score.mean, figure, ours->class_mean.mean, ours->class_best.mean,
                                  ours->source_order.mean, ours->shuffled_order.mean)});
  }
}

void compare_with_ges(const std::vector<SuiteBlock>& blocks, std::vector<SuiteClaim>& claims) {
  for (const SuiteBlock& block : blocks) {
    const SuiteRow *ours = match_from_ges(block), *ges = block.row("ges");
    if (ours == nullptr || ges == nullptr || !ours->shd_cpdag || !ges->shd_cpdag) continue;
    std::string text = fmt::format("{:.1f} against {:.1f}; mean BIC above that of ges by {:.2f}", ours->shd_cpdag->mean,
                                   ges->shd_cpdag->mean, ours->margin ? ours->margin->mean : 0);
    if (const SuiteRow* truth = block.row(kTrueGraph); truth != nullptr && truth->cells > 0) {
      const double above = ours->bic.mean - truth->bic.mean;
      text += std::abs(above) < 0.05 ? ", that of the true graph"
                                     : fmt::format(", {} that of the true graph by {:.1f}",
                                                   above < 0 ? "below" : "above", std::abs(above));
    }
    claims.push_back({fmt::format("CPDAG SHD on {} at most that of ges", block.data),
                      ours->shd_cpdag->mean <= ges->shd_cpdag->mean + 1e-9, text});
  }
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  const double n = static_cast<double>(values.size());
  if (values.empty()) return spread;
  for (const double v : values) spread.mean += v / n;
  double squares = 0;
  for (const double v : values) squares += (v - spread.mean) * (v - spread.mean);
  if (values.size() > 1) spread.error = std::sqrt(squares / (n - 1) / n);
  return spread;
}

Suite summarise(const std::vector<SuiteTable>& tables, const std::vector<std::string>& algorithms,
                const std::vector<SuiteCell>& cells, double limit) {
  Suite suite;
  suite.version = AGON_VERSION;
  suite.limit = limit;
  size_t planned = 0;
  bool files = false;
  for (const SuiteTable& table : tables) {
    planned += (algorithms.size() - (table.has_true_dag ? 0 : 1)) * static_cast<size_t>(table.samples);
    files = files || !table.data_file.empty();
    suite.blocks.push_back(block_of(table, algorithms, cells));
  }
  suite.source =
      tables.size() > 0 && files ? "tables from files where there are any" : "tables sampled from embedded networks";
  suite.cells = static_cast<int>(cells.size());
  suite.missing = static_cast<int>(planned) - suite.cells;
  suite.claims.push_back(safety(cells));
  compare_with_published(suite.blocks, suite.claims);
  compare_with_ges(suite.blocks, suite.claims);
  suite.notes = {
      "Score = (TPR + 1 - FDR + 1/(1+SHD))/3 judges one member of a class that no data can tell apart; class mean is "
      "its mean over members drawn at random, and the figure to compare by. The order of columns decides nothing "
      "here."};
  if (suite.missing > 0) suite.notes.push_back(fmt::format("{} of {} cells are not finished.", suite.missing, planned));
  return suite;
}

bool promise_holds(const Suite& suite) {
  for (const SuiteClaim& claim : suite.claims) {
    if (claim.claim == kSafety && claim.holds == false) return false;
  }
  return true;
}

}  // namespace agon
