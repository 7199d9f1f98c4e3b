#include "agon/data/dream4.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "agon/base/error.h"
#include "agon/data/records.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

struct Line {
  size_t number;
  std::vector<std::string> cells;
};

// The lines that are not blank, split at tabs. The published files put names in quotes.
std::vector<Line> read_lines(const std::string& path) {
  const std::string text = read_text_file(path);
  RecordReader reader(text_source(text), path, {.delimiter = '\t', .comment = ""}, 1 << 16);
  std::vector<Line> lines;
  std::vector<Cell> cells;
  while (reader.next(cells)) {
    if (is_blank(cells)) continue;
    lines.push_back({reader.line(), {}});
    for (const Cell& cell : cells) lines.back().cells.emplace_back(cell.text());
  }
  return lines;
}

std::string place(const std::string& path, const Line& line) { return fmt::format("{}:{}", path, line.number); }

Dataset read_expression(const std::string& path) {
  const std::vector<Line> lines = read_lines(path);
  if (lines.size() < 2) throw InputError(path, "found no row of numbers, expected a header and rows");
  const std::vector<std::string>& names = lines.front().cells;
  std::vector<std::vector<double>> values(names.size());
  for (size_t row = 1; row < lines.size(); ++row) {
    const auto& cells = lines[row].cells;
    if (cells.size() != names.size()) {
      throw InputError(place(path, lines[row]),
                       fmt::format("found {} columns, expected {}", cells.size(), names.size()));
    }
    for (size_t k = 0; k < cells.size(); ++k) {
      double value = 0;
      const char* end = cells[k].data() + cells[k].size();
      const auto [stop, error] = fast_float::from_chars(cells[k].data(), end, value);
      if (error != std::errc() || stop != end || !std::isfinite(value)) {
        throw InputError(place(path, lines[row]), fmt::format("column {}: found {}, expected a number",
                                                              agon::quoted(names[k]), agon::quoted(cells[k])));
      }
      values[k].push_back(value);
    }
  }
  std::vector<Column> columns;
  for (size_t k = 0; k < names.size(); ++k) columns.push_back(continuous_column(names[k], std::move(values[k])));
  return make_dataset(std::move(columns), path);
}

std::vector<std::pair<std::string, std::string>> read_gold_standard(const std::string& path, const Dataset& data) {
  std::vector<std::pair<std::string, std::string>> edges;
  for (const Line& line : read_lines(path)) {
    if (line.cells.size() != 3 || (line.cells[2] != "0" && line.cells[2] != "1")) {
      throw InputError(place(path, line), "expected three columns: from, to, and 0 or 1");
    }
    for (int k = 0; k < 2; ++k) {
      if (data.index_of(line.cells[k]) < 0) {
        throw InputError(place(path, line),
                         fmt::format("gene {} is not a column of {}", agon::quoted(line.cells[k]), data.source()));
      }
    }
    if (line.cells[2] == "1") edges.emplace_back(line.cells[0], line.cells[1]);
  }
  return edges;
}

}  // namespace

Dream4 read_dream4(const std::string& folder, int network) {
  namespace fs = std::filesystem;
  if (network < 1 || network > 5) {
    throw UsageError(fmt::format("DREAM4 has the networks 1 to 5 of size 100, not {}", network));
  }
  const std::string hint = "DREAM4 comes from Synapse (syn3049712, free registration)";
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw InputError(folder, "is not a folder, expected the one with DREAM4", hint);
  const std::string expression = fmt::format("insilico_size100_{}_multifactorial.tsv", network);
  const std::vector<std::string> standards = {
      fmt::format("insilico_size100_{}_goldstandard.tsv", network),
      fmt::format("DREAM4_GoldStandard_InSilico_Size100_multifactorial_{}.tsv", network),
      fmt::format("DREAM4_GoldStandard_InSilico_Size100_{}.tsv", network)};
  std::string standard;
  for (const std::string& name : standards) {
    if (standard.empty() && fs::exists(fs::path(folder) / name, error)) standard = name;
  }
  std::string missing;
  if (!fs::exists(fs::path(folder) / expression, error)) missing = expression;
  if (standard.empty()) missing += (missing.empty() ? "" : " and ") + standards.front();
  if (!missing.empty()) throw InputError(folder, "this folder lacks " + missing, hint);

  Dream4 out;
  out.data = read_expression((fs::path(folder) / expression).string());
  out.truth = read_gold_standard((fs::path(folder) / standard).string(), out.data);
  return out;
}

}  // namespace agon
