#include "agon/score/discrete_family.h"

#include "agon/score/discrete_score.h"

namespace agon {
namespace {

constexpr size_t kLogTableSize = size_t{1} << 20;

}  // namespace

ScoreTraits discrete_traits(const std::string& name, const Dataset& data, const ScoreOptions& options) {
  ScoreTraits traits;
  traits.name = name;
  traits.max_parents = options.max_parents > 0 ? options.max_parents : discrete_parent_cap(data);
  for (const Column& column : data.columns()) traits.constant.push_back(column.is_isolated());
  return traits;
}

std::vector<double> x_log_x_table(size_t rows) {
  std::vector<double> table(std::min(kLogTableSize, rows + 1));
  for (size_t n = 2; n < table.size(); ++n) table[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
  return table;
}

}  // namespace agon
