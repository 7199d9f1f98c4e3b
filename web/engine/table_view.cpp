#include "web/engine/table_view.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

namespace agon::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBars = 16;

// The levels that most rows have, and the rest together.
Json level_bars(const Column& column) {
  std::vector<size_t> counts(column.levels.size(), 0);
  for (size_t row = 0; row < column.rows(); ++row) {
    if (!column.is_missing(row)) ++counts[column.codes[row]];
  }
  std::vector<size_t> shown(counts.size());
  std::iota(shown.begin(), shown.end(), size_t{0});
  Json bars = Json::array();
  size_t rest = 0;
  if (shown.size() > kBars) {
    std::stable_sort(shown.begin(), shown.end(), [&](size_t a, size_t b) { return counts[a] > counts[b]; });
    for (size_t k = kBars - 1; k < shown.size(); ++k) rest += counts[shown[k]];
    shown.resize(kBars - 1);
  }
  for (const size_t level : shown) bars.push_back({{"label", column.levels[level]}, {"rows", counts[level]}});
  if (rest > 0) bars.push_back({{"label", "others"}, {"rows", rest}});
  return bars;
}

// Intervals of equal width between the smallest and the largest number.
Json number_bars(const Column& column) {
  double low = INFINITY, high = -INFINITY;
  for (const double x : column.values) {
    if (std::isnan(x)) continue;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  Json bars = Json::array();
  if (!(low <= high)) return bars;
  std::vector<size_t> counts(kBars, 0);
  const double width = (high - low) / kBars;
  for (const double x : column.values) {
    if (std::isnan(x)) continue;
    ++counts[width > 0 ? std::min(kBars - 1, static_cast<int>((x - low) / width)) : 0];
  }
  for (int k = 0; k < kBars; ++k) {
    bars.push_back(
        {{"from", low + k * width}, {"to", k == kBars - 1 ? high : low + (k + 1) * width}, {"rows", counts[k]}});
  }
  return bars;
}

}  // namespace

Json table_view(const LoadedData& data) {
  const Dataset& table = data.table;
  Json columns = Json::array();
  for (const int node : table.file_order()) {
    const Column& column = table.column(node);
    const auto record = std::find_if(data.record.columns.begin(), data.record.columns.end(),
                                     [&](const ColumnRecord& c) { return c.name == column.name; });
    columns.push_back({{"name", column.name},
                       {"kind", to_string(column.kind)},
                       {"reason", record->reason},
                       {"levels", record->levels},
                       {"missing", record->missing},
                       {"constant", record->constant},
                       {"identifier", record->identifier},
                       {"bars", column.kind == ColumnKind::kCategorical ? level_bars(column) : number_bars(column)}});
  }
  Json findings = Json::array();
  for (const FindingRecord& finding : data.record.findings) {
    findings.push_back(
        {{"severity", finding.severity}, {"kind", finding.kind}, {"columns", finding.columns}, {"text", finding.text}});
  }
  return {{"source", data.record.source},
          {"rows", data.record.rows},
          {"checksum", data.record.checksum},
          {"kinds_inferred", data.record.kinds_inferred},
          {"missing_cells", data.record.missing.cells},
          {"missing_rows", data.record.missing.rows},
          {"experiments", data.record.regimes.size()},
          {"columns", columns},
          {"findings", findings},
          {"notes", data.record.notes},
          {"warnings", data.record.warnings}};
}

}  // namespace agon::web
