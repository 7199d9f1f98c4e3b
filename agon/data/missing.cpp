#include "agon/data/missing.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

constexpr std::array kTreatments = {MissingTreatment::kAuto,  MissingTreatment::kEm,       MissingTreatment::kDraws,
                                    MissingTreatment::kLevel, MissingTreatment::kDropRows, MissingTreatment::kError};

Column with_level(const Column& old) {
  Column column;
  column.name = old.name;
  column.kind = old.kind;
  column.levels = old.levels;
  column.drawn = old.drawn;
  column.identifier = old.identifier;
  const auto known = std::find(column.levels.begin(), column.levels.end(), kMissingLevel);
  const auto level = static_cast<uint32_t>(known - column.levels.begin());
  if (known == column.levels.end()) column.levels.emplace_back(kMissingLevel);
  column.codes.reserve(old.codes.size());
  for (size_t row = 0; row < old.codes.size(); ++row) {
    column.codes.push_back(old.is_missing(row) ? level : old.codes[row]);
  }
  return column;
}

}  // namespace

const char* to_string(MissingTreatment treatment) {
  switch (treatment) {
    case MissingTreatment::kAuto:
      return "auto";
    case MissingTreatment::kEm:
      return "em";
    case MissingTreatment::kDraws:
      return "draws";
    case MissingTreatment::kLevel:
      return "level";
    case MissingTreatment::kDropRows:
      return "drop-rows";
    case MissingTreatment::kError:
      return "error";
  }
  return "";
}

MissingTreatment missing_treatment(const std::string& text) {
  std::vector<std::string> names;
  for (const MissingTreatment treatment : kTreatments) {
    if (text == to_string(treatment)) return treatment;
    names.emplace_back(to_string(treatment));
  }
  throw UsageError("--missing must be one of " + listed(names) + ", not " + quoted(text), did_you_mean(text, names));
}

Dataset with_missing_level(Dataset data) {
  if (!data.has_missing()) return data;
  std::vector<Column> columns;
  for (const int node : data.file_order()) {
    const Column& column = data.column(node);
    const bool changes = column.kind == ColumnKind::kCategorical && column.has_missing();
    columns.push_back(changes ? with_level(column) : column);
  }
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

MissingFigures missing_figures(const Dataset& data) {
  MissingFigures figures;
  if (!data.has_missing()) return figures;
  std::vector<uint32_t> gaps(data.rows());
  for (const Column& column : data.columns()) {
    for (size_t row = 0; row < column.missing.end(); ++row) gaps[row] += column.missing[row];
  }
  for (const uint32_t count : gaps) {
    figures.cells += count;
    figures.rows += count > 0;
    figures.empty_rows += count == static_cast<uint32_t>(data.size());
  }
  return figures;
}

}  // namespace agon
