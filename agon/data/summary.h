// agon/data/summary.h
//
// A table reduced to sums, for more rows than anybody wants to keep or to move: what is summed in one place can be
// added to what is summed in another, and the file of the sum is as small for a billion rows as for a thousand.
//
//   Summary monday = summarize(read_csv("asia.csv").data);
//   Summary week = merge(monday, monday);                     // any order, any grouping
//   write_file_atomically("week.summary", summary_text(week));
//   Dataset d = to_table(week, "week.summary").data;          // for every score, search and certificate
//
// Two forms, one per table:
//   kCounts    every column is categorical: the distinct rows, and how often each occurred. Nothing is lost but the
//              order of the rows
//   kMoments   otherwise: how many rows, the means, and the centred sums of products of all columns, where a category
//              is one indicator (0 or 1) per level
// and either of them for every experiment by itself, where rows come from experiments.
//
// What may be relied on:
// - merge() is commutative and associative: exactly for counts, up to rounding for moments, whose scatter is updated as
//   Chan, Golub and LeVeque do (1983, The American Statistician 37), so that neither a large mean nor the number of
//   merges costs digits.
// - Columns and levels are united by name. The columns of both must be the same; their order need not be, and a level
//   that occurs in one alone is one that the other saw 0 times.
// - Scores of the table that to_table() makes are those of the rows: discrete ones of counts, gaussian-bic, and
//   mixed-bic on the raw scale, of moments. Moments have no ranks, so the copula is out of reach, and no rows to
//   resample.
// - With `parts`, the sums of rows that were summarized together are kept apart through every merge; from
//   kFewestParts on they are what a bootstrap resamples.
// - Weights stay what they are until to_table(): sampling weights are rescaled to the effective number of rows of the
//   whole.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/data/experiments.h"

namespace agon {

struct SummaryColumn {
  std::string name;
  ColumnKind kind = ColumnKind::kContinuous;
  bool identifier = false;               // isolated: nothing is summed of it
  std::vector<std::string> levels = {};  // of a category: those that occurred, in label order

  size_t width() const { return identifier ? 0 : kind == ColumnKind::kContinuous ? 1 : levels.size(); }
};

// Sums over some rows that were recorded alike.
struct Sums {
  double rows = 0;     // how many
  double weight = 0;   // of their weights w; the same without weights
  double squares = 0;  // of w^2
  // kMoments, q being the widths of all columns: means, and the lower triangle by rows of sum w (x - mean)(x - mean)'.
  std::vector<double> mean = {}, scatter = {};
  // kCounts: weight by row, as codes of the columns in their order; kGapCode where the cell is missing.
  std::map<std::vector<uint32_t>, double> cells = {};

  bool operator==(const Sums&) const = default;
};
constexpr uint32_t kGapCode = UINT32_MAX;
constexpr size_t kMostCells = 1'000'000;  // distinct rows; a table with more is hardly shorter than its rows
constexpr size_t kFewestParts = 20;       // of which a bootstrap says something

enum class SummaryForm { kMoments, kCounts };

struct Summary {
  SummaryForm form = SummaryForm::kMoments;
  std::vector<SummaryColumn> columns;
  bool weighted = false;  // rows had counts, or
  bool sampling = false;  // sampling weights
  double dropped = 0;     // rows left out because a cell was missing
  bool keeps_parts = false;
  std::vector<Regime> regimes = {};           // by name; one without a name, or several with
  std::vector<std::vector<Sums>> parts = {};  // by part and regime; a single part unless parts are kept

  double rows() const;
  double weight() const;
};

struct SummarizeOptions {
  bool parts = false;  // the rows are a part, to be kept apart from others
  bool drop_missing =
      false;             // leave out rows with missing cells; else gaps of categories are counted, of numbers refused
  bool moments = false;  // also of a table of categories
};

// InputError for missing cells where there are numbers, unless they are dropped; for too many distinct rows or levels,
// and for sums that leave the range of doubles.
Summary summarize(const Dataset& data, const SummarizeOptions& options = {});

// The same of a table with columns of labels, which are no variables: they say which experiment a row comes from, and
// what was set there. A part of a table may hold rows of a single experiment, which make_dataset() would not take.
Summary summarize(const Dataset& data, const ExperimentOptions& experiments, const std::vector<ExperimentTargets>& file,
                  const SummarizeOptions& options);

// InputError, with `place` in front, for other columns, another kind of one, other targets of an experiment of the same
// name, and weights of another sort.
void add(Summary& to, const Summary& from, const std::string& place = "the summaries");
Summary merge(const Summary& a, const Summary& b, const std::string& place = "the summaries");  // the same by value

struct SummaryTable {
  Dataset data;
  std::vector<std::string> notes;  // what the summary lost, and what it left out
};
// Of counts, a table of the distinct rows with weights. Of moments, rows that stand for a matrix (moment_table.h), per
// regime and part; a category is a column of its indicators that knows its levels. InputError for moments that are no
// moments of rows: a matrix that is not positive semidefinite.
SummaryTable to_table(const Summary& summary, const std::string& source);

// The file of a summary: a line with version, length and checksum, then JSON. read_summary throws InputError for a file
// that was cut short or changed, and for sums that no rows can have; each with one sentence.
std::string summary_text(const Summary& summary);
Summary parse_summary(std::string_view text, const std::string& place);
Summary read_summary(const std::string& path, const Watch& watch = {});  // "-" is standard input
bool is_summary_text(std::string_view text);  // by the first line, which needs to be there whole
bool is_summary_file(const std::string& path, const Watch& watch = {});

namespace detail {
// What follows the first line, which vouches for it.
Summary parse_summary_body(std::string_view json, const std::string& place);
}  // namespace detail

}  // namespace agon
