#include "agon/run/regimes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr double kNoteworthy = 3;  // nats; the strength below which an edge is weak

const TreatmentTotal& best_of(const std::vector<TreatmentTotal>& totals) {
  return *std::max_element(totals.begin(), totals.end(),
                           [](const TreatmentTotal& a, const TreatmentTotal& b) { return a.total < b.total; });
}

// By regime: the weight of its rows that were seen, and the sum of what they hold.
struct RegimeMeans {
  explicit RegimeMeans(size_t regimes) : sum(regimes, 0), weight(regimes, 0) {}
  void add(size_t regime, double w, double x) {
    sum[regime] += w * x;
    weight[regime] += w;
  }
  // How far the mean of each regime is from that of all other rows, in units of `far`, where that is more than `most`.
  void raise(std::vector<double>& most, double far) const {
    const double all = std::accumulate(sum.begin(), sum.end(), 0.0);
    const double all_weight = std::accumulate(weight.begin(), weight.end(), 0.0);
    for (size_t k = 0; k < sum.size(); ++k) {
      if (weight[k] == 0 || weight[k] == all_weight) continue;
      const double apart = std::abs(sum[k] / weight[k] - (all - sum[k]) / (all_weight - weight[k]));
      most[k] = std::max(most[k], apart / far);
    }
  }
  std::vector<double> sum, weight;
};

// The means of the ranks, from 0 to twice the number of cells seen. Where rows count once each they are exact.
RegimeMeans mean_ranks(const Dataset& data, const Column& column, const std::vector<uint32_t>& regime) {
  auto order = ascending(column.values);
  if (column.has_missing()) std::erase_if(order, [&](const auto& cell) { return column.is_missing(cell.second); });
  RegimeMeans out(data.regimes().size());
  for (size_t first = 0, end = 0; first < order.size(); first = end) {
    while (end < order.size() && order[end].first == order[first].first) ++end;
    const double rank = static_cast<double>(first + end);
    for (size_t k = first; k < end; ++k) out.add(regime[order[k].second], data.weight(order[k].second), rank);
  }
  return out;
}

// How far apart the rows of a regime and all other rows are in one column, in units of what counts as moved: half a
// standard deviation of the ranks, or 15 % of the rows at another level. `regime` is by row.
std::vector<double> distances_by_regime(const Dataset& data, const Column& column,
                                        const std::vector<uint32_t>& regime) {
  std::vector<double> most(data.regimes().size(), 0);
  if (column.kind == ColumnKind::kContinuous) {
    const double seen = static_cast<double>(data.rows() - column.missing.count());
    mean_ranks(data, column, regime).raise(most, seen * std::sqrt(1.0 / 12));
    return most;
  }
  for (size_t level = 0; level < column.levels.size(); ++level) {
    RegimeMeans means(most.size());
    for (size_t row = 0; row < data.rows(); ++row) {
      if (!column.is_missing(row)) means.add(regime[row], data.weight(row), column.codes[row] == level);
    }
    means.raise(most, 0.15);
  }
  return most;
}

}  // namespace

std::vector<RegimeTreatment> possible_treatments(const Dataset& data) {
  const RegimeTreatment full = full_treatment(data);
  std::vector<RegimeTreatment> out;
  for (const bool targets : {false, true}) {
    for (const bool within : {false, true}) {
      if ((targets && !full.targets) || (within && !full.within)) continue;
      out.push_back({.targets = targets, .within = within});
    }
  }
  return out;
}

TreatmentChoice choose_among(const Dataset& data, std::vector<TreatmentTotal> totals) {
  const bool targets = full_treatment(data).targets;
  std::vector<TreatmentTotal> allowed;
  for (const TreatmentTotal& total : totals) {
    if (total.treatment.targets == targets) allowed.push_back(total);
  }
  TreatmentChoice out{best_of(allowed).treatment, std::move(totals)};
  out.soft = std::ranges::any_of(data.regimes(), [](const Regime& regime) {
    return !regime.targets.empty() && regime.intervention == Intervention::kSoft;
  });
  if (out.totals.size() == 1) out.totals.clear();
  return out;
}

RegimeTreatment TreatmentChoice::best() const { return totals.empty() ? used : best_of(totals).treatment; }

std::string TreatmentChoice::remark() const {
  if (totals.empty()) return "";
  const TreatmentTotal& best = best_of(totals);
  const auto own = std::find_if(totals.begin(), totals.end(), [&](const auto& t) { return t.treatment == used; });
  const double ahead = best.total - own->total;
  const RegimeTreatment without{.targets = false, .within = used.within};
  for (const TreatmentTotal& other : totals) {
    if (!used.targets || other.treatment != without) continue;
    if (std::abs(other.total - own->total) > 1e-9 * (1 + std::abs(own->total))) continue;
    return soft && used.within
               ? "soft targets say nothing here: every variable has a mean of its own in each batch anyway"
               : "the targets make no difference to the fit";
  }
  if (best.treatment == used || ahead < kNoteworthy) return "";
  if (used.targets && !best.treatment.targets && best.treatment.within == used.within) {
    return fmt::format("without targets the fit is better by {:.0f} nats: the interventions look soft", ahead);
  }
  if (used.targets && !best.treatment.targets) {
    return fmt::format(
        "without targets ({}) the fit is better by {:.0f} nats: the interventions look soft, or miss "
        "what they aim at",
        to_string(best.treatment), ahead);
  }
  return fmt::format("the fit is better by {:.0f} nats under \"{}\"", ahead, to_string(best.treatment));
}

std::vector<RegimeRecord> describe_regimes(const Dataset& data) {
  std::vector<RegimeRecord> out;
  for (const Regime& regime : data.regimes()) {
    const std::string kind = regime.targets.empty() ? "" : to_string(regime.intervention);
    out.push_back({regime.name, 0, regime.targets, kind, regime.batch, {}});
  }
  std::vector<uint32_t> regime(data.has_regimes() ? data.rows() : 0);
  for (size_t row = 0; row < regime.size(); ++row) {
    regime[row] = static_cast<uint32_t>(data.regime_of(row));
    ++out[regime[row]].rows;
  }
  std::vector<std::vector<std::pair<double, std::string>>> moved(out.size());
  for (const Column& column : data.columns()) {
    if (!data.has_regimes() || column.is_isolated()) continue;
    const std::vector<double> distances = distances_by_regime(data, column, regime);
    for (size_t k = 0; k < out.size(); ++k) {
      if (distances[k] > 1) moved[k].push_back({-distances[k], column.name});
    }
  }
  for (size_t k = 0; k < out.size(); ++k) {
    std::sort(moved[k].begin(), moved[k].end());
    for (auto& [distance, name] : moved[k]) out[k].moved.push_back(std::move(name));
  }
  return out;
}

}  // namespace agon
