#include "agon/data/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/kinds.h"
#include "agon/data/sums.h"

namespace agon {
namespace {

// The indicators of distinct rows.
Sums as_moments(const Sums& counted, const std::vector<SummaryColumn>& columns) {
  Sums out;
  const size_t q = width_of(columns);
  out.rows = counted.rows;
  out.weight = counted.weight;
  out.squares = counted.squares;
  if (counted.weight == 0) return out;
  out.mean.assign(q, 0);
  out.scatter.assign(q * (q + 1) / 2, 0);
  std::vector<size_t> ones;
  for (const auto& [cell, weight] : counted.cells) {
    ones.clear();
    for (size_t c = 0, at = 0; c < columns.size(); at += columns[c++].width()) {
      if (columns[c].width() > 0) ones.push_back(at + cell[c]);
    }
    for (const size_t a : ones) {
      out.mean[a] += weight;
      for (const size_t b : ones) {
        if (b <= a) out.scatter[packed(a, b)] += weight;
      }
    }
  }
  for (size_t a = 0, at = 0; a < q; ++a) {
    for (size_t b = 0; b <= a; ++b, ++at) out.scatter[at] -= out.mean[a] * (out.mean[b] / out.weight);
  }
  for (double& mean : out.mean) mean /= out.weight;
  return out;
}

Summary with_moments(Summary summary, const std::string& place) {
  if (summary.form == SummaryForm::kMoments) return summary;
  summary.form = SummaryForm::kMoments;
  for (std::vector<Sums>& part : summary.parts) {
    for (Sums& sums : part) {
      for (const auto& [cell, weight] : sums.cells) {
        if (std::find(cell.begin(), cell.end(), kGapCode) == cell.end()) continue;
        throw InputError(place, "distinct rows with missing cells cannot become moments",
                         "summarize both with --missing drop-rows");
      }
      sums = as_moments(sums, summary.columns);
    }
  }
  return summary;
}

// What the columns of two summaries are together.
std::vector<SummaryColumn> united(const Summary& a, const Summary& b, const std::string& place) {
  std::map<std::string, const SummaryColumn*> other;
  for (const SummaryColumn& column : b.columns) other[column.name] = &column;
  std::vector<std::string> missing, extra;
  std::set<std::string> known;
  for (const SummaryColumn& column : a.columns) {
    known.insert(column.name);
    if (!other.contains(column.name)) missing.push_back(quoted(column.name));
  }
  for (const SummaryColumn& column : b.columns) {
    if (!known.contains(column.name)) extra.push_back(quoted(column.name));
  }
  if (!missing.empty() || !extra.empty()) {
    std::string what = "its columns are others";
    if (!missing.empty()) what += ": without " + listed(missing);
    if (!extra.empty()) what += (missing.empty() ? ": with " : ", and with ") + listed(extra);
    throw InputError(place, what, "only summaries of the same columns can be added; --drop leaves columns out");
  }
  std::vector<SummaryColumn> out = a.columns;
  for (SummaryColumn& column : out) {
    const SummaryColumn& second = *other[column.name];
    if (column.kind != second.kind && !column.identifier && !second.identifier) {
      throw InputError(place,
                       fmt::format("column {} is {}, and was {} before", quoted(column.name), to_string(second.kind),
                                   to_string(column.kind)),
                       fmt::format("summarize all parts with --discrete {0}, or all with --continuous {0}",
                                   shell_word(column.name)));
    }
    column.identifier = column.identifier || second.identifier;
    if (column.identifier) {
      column.kind = ColumnKind::kCategorical;
      column.levels.clear();
      continue;
    }
    std::vector<std::string> levels;
    std::set_union(column.levels.begin(), column.levels.end(), second.levels.begin(), second.levels.end(),
                   std::back_inserter(levels), label_less);
    column.levels = std::move(levels);
  }
  return out;
}

// The same sums in another order of columns and among more levels.
class Relabelling {
 public:
  Relabelling(const std::vector<SummaryColumn>& from, const std::vector<SummaryColumn>& to) : q_(width_of(to)) {
    std::map<std::string, size_t> old_place;
    std::vector<size_t> old_start(1, 0);
    for (size_t c = 0; c < from.size(); ++c) {
      old_place[from[c].name] = c;
      old_start.push_back(old_start.back() + from[c].width());
    }
    place_.assign(old_start.back(), kGone);
    size_t at = 0;
    for (const SummaryColumn& column : to) {
      const size_t c = old_place.at(column.name);
      column_.push_back(c);
      std::vector<uint32_t>& code = code_.emplace_back();
      const auto& labels = from[c].levels;
      for (size_t k = 0; k < labels.size() && !column.identifier; ++k) {
        const auto found = std::lower_bound(column.levels.begin(), column.levels.end(), labels[k], label_less);
        code.push_back(static_cast<uint32_t>(found - column.levels.begin()));
        place_[old_start[c] + k] = at + code.back();
      }
      if (column.kind == ColumnKind::kContinuous && column.width() > 0) place_[old_start[c]] = at;
      at += column.width();
    }
  }

  Sums of(const Sums& sums) const {
    Sums out{.rows = sums.rows, .weight = sums.weight, .squares = sums.squares};
    for (const auto& [cell, weight] : sums.cells) {
      std::vector<uint32_t> moved;
      for (size_t k = 0; k < column_.size(); ++k) {
        const uint32_t code = cell[column_[k]];
        moved.push_back(code_[k].empty() ? 0 : code == kGapCode ? code : code_[k][code]);
      }
      out.cells[moved] += weight;
    }
    if (sums.mean.empty()) return out;
    out.mean.assign(q_, 0);
    out.scatter.assign(q_ * (q_ + 1) / 2, 0);
    for (size_t a = 0; a < sums.mean.size(); ++a) {
      if (place_[a] == kGone) continue;
      out.mean[place_[a]] = sums.mean[a];
      for (size_t b = 0; b <= a; ++b) {
        if (place_[b] == kGone) continue;
        const auto [low, high] = std::minmax(place_[a], place_[b]);
        out.scatter[packed(high, low)] = sums.scatter[packed(a, b)];
      }
    }
    return out;
  }

 private:
  static constexpr size_t kGone = SIZE_MAX;
  size_t q_;
  std::vector<size_t> column_;               // by new column: the old one
  std::vector<std::vector<uint32_t>> code_;  // by new column and old code
  std::vector<size_t> place_;                // by old place among the widths
};

bool same_layout(const std::vector<SummaryColumn>& a, const std::vector<SummaryColumn>& b) {
  return std::ranges::equal(a, b, [](const SummaryColumn& x, const SummaryColumn& y) {
    return x.name == y.name && x.identifier == y.identifier && x.levels == y.levels;
  });
}

std::vector<Regime> united_regimes(const Summary& a, const Summary& b, const std::string& place) {
  std::map<std::string, Regime> by_name;
  for (const Summary* summary : {&a, &b}) {
    for (const Regime& regime : summary->regimes) {
      const auto [at, fresh] = by_name.emplace(regime.name, regime);
      if (fresh || at->second == regime) continue;
      throw InputError(place,
                       fmt::format("the experiment {} set {}, and {} before", quoted(regime.name),
                                   regime.targets.empty() ? "nothing" : listed(regime.targets),
                                   at->second.targets.empty() ? "nothing" : listed(at->second.targets)),
                       "experiments of one name are the same experiment; say the same of it everywhere");
    }
  }
  std::vector<Regime> out;
  for (auto& [name, regime] : by_name) out.push_back(std::move(regime));
  if (out.size() > 1 && out.front().name.empty()) {
    throw InputError(place, "some rows come from experiments, and others say nothing about it",
                     "summarize all parts with the same --targets, --experiment and --within");
  }
  return out;
}

std::vector<std::vector<Sums>> moved_parts(const Summary& summary, const std::vector<SummaryColumn>& columns,
                                           const std::vector<Regime>& regimes) {
  std::optional<Relabelling> relabelling;
  if (!same_layout(summary.columns, columns)) relabelling.emplace(summary.columns, columns);
  std::vector<std::vector<Sums>> out;
  for (const std::vector<Sums>& part : summary.parts) {
    std::vector<Sums>& moved = out.emplace_back(regimes.size());
    for (size_t k = 0; k < part.size(); ++k) {
      const auto at = std::ranges::find(regimes, summary.regimes[k].name, &Regime::name);
      moved[static_cast<size_t>(at - regimes.begin())] = relabelling ? relabelling->of(part[k]) : part[k];
    }
  }
  return out;
}

}  // namespace

double Summary::rows() const {
  double sum = 0;
  for (const std::vector<Sums>& part : parts) {
    for (const Sums& sums : part) sum += sums.rows;
  }
  return sum;
}

double Summary::weight() const {
  double sum = 0;
  for (const std::vector<Sums>& part : parts) {
    for (const Sums& sums : part) sum += sums.weight;
  }
  return sum;
}

void add(Summary& to, const Summary& from, const std::string& place) {
  if (to.form != from.form) {
    to = with_moments(std::move(to), place);
    if (from.form != SummaryForm::kMoments) return add(to, with_moments(from, place), place);
  }
  if (to.sampling != from.sampling) {
    throw InputError(place, "some rows have sampling weights, and others have none",
                     "summarize all parts with the same --weights");
  }
  std::vector<SummaryColumn> columns = united(to, from, place);
  std::vector<Regime> regimes = united_regimes(to, from, place);
  const bool keeps_parts = to.keeps_parts && from.keeps_parts;
  if (!same_layout(to.columns, columns) || to.regimes != regimes) to.parts = moved_parts(to, columns, regimes);
  to.columns = std::move(columns);
  to.regimes = std::move(regimes);
  const auto fold = [&](const std::vector<Sums>& part) {
    for (size_t r = 0; r < part.size(); ++r) add_sums(to.parts[0][r], part[r]);
  };
  if (!keeps_parts) {
    for (size_t k = 1; k < to.parts.size(); ++k) fold(to.parts[k]);
    to.parts.resize(1);
  }
  for (std::vector<Sums>& part : moved_parts(from, to.columns, to.regimes)) {
    keeps_parts ? to.parts.push_back(std::move(part)) : fold(part);
  }
  to.keeps_parts = keeps_parts;
  to.weighted = to.weighted || from.weighted;
  to.dropped += from.dropped;
  refuse_too_much(to, place);
}

Summary merge(const Summary& a, const Summary& b, const std::string& place) {
  Summary out = a;
  add(out, b, place);
  return out;
}

}  // namespace agon
