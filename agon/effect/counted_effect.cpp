#include "agon/effect/counted_effect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "agon/base/text.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr double kFewRows = 5;  // in a cell: a warning from below this

// Which rows a question may use, and which of them say how the adjustment set is distributed.
struct UsableRows {
  std::vector<size_t> rows;
  std::vector<char> observed;  // by place in `rows`
};

UsableRows usable_rows(const Dataset& data, const std::vector<Node>& paths) {
  std::vector<char> usable(data.has_regimes() ? data.regimes().size() : 1, 1), plain = usable;
  for (size_t k = 0; data.has_regimes() && k < usable.size(); ++k) {
    const std::vector<int>& targets = data.targets(static_cast<int>(k));
    plain[k] = targets.empty();
    usable[k] = std::none_of(targets.begin(), targets.end(),
                             [&](int target) { return std::binary_search(paths.begin(), paths.end(), target); });
  }
  UsableRows out;
  bool any_plain = false;
  for (size_t row = 0; row < data.rows(); ++row) {
    const size_t k = data.has_regimes() ? static_cast<size_t>(data.regime_of(row)) : 0;
    if (!usable[k]) continue;
    out.rows.push_back(row);
    out.observed.push_back(plain[k]);
    any_plain = any_plain || plain[k];
  }
  if (!any_plain) out.observed.assign(out.rows.size(), 1);
  return out;
}

// The cell of each row: rows with the same levels of the set have the same number, by first appearance.
std::vector<size_t> cells_of(const Dataset& data, const std::vector<size_t>& rows, const std::vector<Node>& set,
                             size_t& count) {
  std::vector<size_t> cell(rows.size(), 0);
  count = 1;
  for (const Node v : set) {
    const Column& column = data.column(v);
    std::unordered_map<size_t, size_t> number;
    for (size_t k = 0; k < rows.size(); ++k) {
      const size_t key = cell[k] * column.levels.size() + column.codes[rows[k]];
      cell[k] = number.try_emplace(key, number.size()).first->second;
    }
    count = number.size();
  }
  return cell;
}

Estimate interval(double value, double variance) {
  static const double half = normal_quantile(0.5 + kConfidence / 2);
  const double error = std::sqrt(std::max(0.0, variance));
  return {value, error, value - half * error, value + half * error};
}

// What is set: a column, or several as one.
struct Settings {
  std::string name;
  std::vector<std::string> levels;
  std::vector<uint32_t> codes;  // by row
};

Settings settings_of(const Dataset& data, const std::vector<Node>& causes) {
  Settings out;
  out.levels.emplace_back();
  out.codes.resize(data.rows());
  for (const Node cause : causes) {
    const Column& column = data.column(cause);
    const std::string between = out.name.empty() ? "" : ", ";
    out.name += between + column.name;
    std::vector<std::string> levels;
    for (const std::string& before : out.levels) {
      for (const std::string& level : column.levels) levels.push_back(before + between + level);
    }
    out.levels = std::move(levels);
    for (size_t row = 0; row < data.rows(); ++row) {
      out.codes[row] = static_cast<uint32_t>(out.codes[row] * column.levels.size() + column.codes[row]);
    }
  }
  return out;
}

EffectFigures no_rows_left(EffectFigures out) {
  out.standardised = kUnknown;
  out.change.assign(out.readings.size(), {kUnknown, kUnknown, kUnknown, kUnknown});
  out.warnings.push_back("every experiment set a variable on the way to the outcome: no rows are left");
  return out;
}

// How strongly the settings, as often as they occur, move the outcome. `theta` by setting and reading.
void standardise(EffectFigures& out, const std::vector<double>& theta, const std::vector<double>& share_of_x,
                 const std::vector<double>& share_of_y) {
  const size_t settings = share_of_x.size(), readings = share_of_y.size();
  double brought = 0, spread = 0;
  for (size_t r = 0; r < readings; ++r) {
    double mean = 0, square = 0;
    for (size_t k = 0; k < settings; ++k) {
      const double share = share_of_x[k] / out.rows, p = theta[k * readings + r];
      if (share == 0) continue;  // `p` may be unknown
      mean += share * p;
      square += share * p * p;
    }
    brought += std::max(0.0, square - mean * mean);
    spread += share_of_y[r] / out.rows * (1 - share_of_y[r] / out.rows);
  }
  out.standardised = spread > 0 ? std::sqrt(brought / spread) : kUnknown;
  out.has_sign = settings == 2 && readings == 2;
  if (out.has_sign && theta[3] < theta[1]) out.standardised = -out.standardised;
}

std::vector<std::vector<size_t>> by_cell(const std::vector<size_t>& cell, size_t cells) {
  std::vector<std::vector<size_t>> out(cells);
  for (size_t k = 0; k < cell.size(); ++k) out[cell[k]].push_back(k);
  return out;
}

// The weights of the usable rows.
struct Tally {
  std::vector<double> alone, of_x, of_y;  // by setting and reading, by setting, by reading
  double n = 0, observed = 0;
};

Tally tally_of(const Dataset& data, const Settings& x, const Column& y, const UsableRows& usable) {
  const size_t settings = x.levels.size(), readings = y.levels.size();
  Tally out;
  out.alone.resize(settings * readings);
  out.of_x.resize(settings);
  out.of_y.resize(readings);
  for (size_t k = 0; k < usable.rows.size(); ++k) {
    const size_t row = usable.rows[k];
    const double weight = data.weight(row);
    out.alone[x.codes[row] * readings + y.codes[row]] += weight;
    out.of_x[x.codes[row]] += weight;
    out.of_y[y.codes[row]] += weight;
    out.n += weight;
    out.observed += usable.observed[k] ? weight : 0;
  }
  return out;
}

// The back-door formula.
EffectFigures by_cells(const Dataset& data, const Settings& x, Node outcome, const Adjustment& adjustment,
                       const LevelPair& pair) {
  const Column& y = data.column(outcome);
  const size_t settings = x.levels.size(), readings = y.levels.size();
  const auto index_of = [&](const std::string& level, size_t otherwise) {
    if (level.empty()) return otherwise;
    return static_cast<size_t>(std::find(x.levels.begin(), x.levels.end(), level) - x.levels.begin());
  };
  const size_t from = index_of(pair.from, 0), to = index_of(pair.to, settings - 1);
  EffectFigures out{.settings = x.levels, .readings = y.levels, .from = x.levels[from], .to = x.levels[to]};

  const UsableRows usable = usable_rows(data, adjustment.paths);
  if (usable.rows.empty()) return no_rows_left(std::move(out));
  size_t cells = 0;
  const std::vector<size_t> cell = cells_of(data, usable.rows, adjustment.set, cells);
  const std::vector<std::vector<size_t>> rows_of = by_cell(cell, cells);  // places in usable.rows
  const Tally tally = tally_of(data, x, y, usable);
  const double n = out.rows = tally.n;

  // One pass for the probabilities, one for how far the cells are from them.
  std::vector<double> theta(settings * readings, 0), noise(theta.size(), 0), apart(theta.size(), 0);
  std::vector<double> difference_apart(readings, 0);
  double unseen = 0, thin = 0;  // shares of the rows: a level never occurs in their cell, or in few rows
  std::vector<double> counts(settings * readings), in_cell(settings), m(settings * readings);
  for (const bool second : {false, true}) {
    for (const std::vector<size_t>& members : rows_of) {
      std::fill(counts.begin(), counts.end(), 0);
      std::fill(in_cell.begin(), in_cell.end(), 0);
      double share = 0;
      for (const size_t k : members) {
        const size_t row = usable.rows[k];
        counts[x.codes[row] * readings + y.codes[row]] += data.weight(row);
        in_cell[x.codes[row]] += data.weight(row);
        share += usable.observed[k] ? data.weight(row) / tally.observed : 0;
      }
      double fewest = n;
      for (size_t a = 0; a < settings; ++a) {
        fewest = std::min(fewest, in_cell[a]);
        for (size_t r = 0; r < readings; ++r) {
          const size_t at = a * readings + r;
          const double denominator = in_cell[a] > 0 ? in_cell[a] : tally.of_x[a];
          m[at] = denominator > 0 ? (in_cell[a] > 0 ? counts[at] : tally.alone[at]) / denominator : 1.0 / readings;
          if (!second) {
            theta[at] += share * m[at];
            const double smooth = (m[at] * denominator + 1.0 / static_cast<double>(readings)) / (denominator + 1);
            noise[at] += denominator > 0 ? share * share * smooth * (1 - smooth) / denominator : 0;
          } else {
            apart[at] += share * (m[at] - theta[at]) * (m[at] - theta[at]);
          }
        }
      }
      if (second) {
        for (size_t r = 0; r < readings; ++r) {
          const size_t a = from * readings + r, b = to * readings + r;
          const double delta = m[b] - m[a] - (theta[b] - theta[a]);
          difference_apart[r] += share * delta * delta;
        }
      } else {
        unseen += fewest > 0 ? 0 : share;
        thin += fewest < kFewRows ? share : 0;
      }
    }
  }

  for (size_t a = 0; a < settings; ++a) {
    out.under.emplace_back();
    for (size_t r = 0; r < readings; ++r) {
      const size_t at = a * readings + r;
      Estimate e = interval(theta[at], noise[at] + apart[at] / n);
      e.low = std::max(0.0, e.low);
      e.high = std::min(1.0, e.high);
      out.under.back().push_back(e);
    }
  }
  for (size_t r = 0; r < readings; ++r) {
    const size_t a = from * readings + r, b = to * readings + r;
    out.change.push_back(interval(theta[b] - theta[a], noise[a] + noise[b] + difference_apart[r] / n));
  }
  standardise(out, theta, tally.of_x, tally.of_y);

  if (unseen > 0) {
    out.warnings.push_back(fmt::format(
        "{:.1f} % of the rows are in cells of the adjustment set in which some level of {} never occurs: there its "
        "effect is a guess",
        100 * unseen, shown(x.name)));
  }
  if (thin > 0.05) {
    out.warnings.push_back(fmt::format(
        "{:.1f} % of the rows are in cells of the adjustment set with fewer than {:g} rows of some level of {}",
        100 * thin, kFewRows, shown(x.name)));
  }
  return out;
}

// The truncated factorisation, by weighted rows. `parents` by cause.
EffectFigures by_weights(const Dataset& data, const std::vector<Node>& causes, Node outcome,
                         const std::vector<Adjustment>& parents) {
  const Settings x = settings_of(data, causes);
  const Column& y = data.column(outcome);
  const size_t settings = x.levels.size(), readings = y.levels.size();
  EffectFigures out{.settings = x.levels, .readings = y.levels, .from = x.levels.front(), .to = x.levels.back()};
  UsableRows usable = usable_rows(data, parents[0].paths);
  std::vector<size_t> rows;  // in which nothing was set: elsewhere a cause did not come about as its parents have it
  for (size_t k = 0; k < usable.rows.size(); ++k) {
    if (usable.observed[k]) rows.push_back(usable.rows[k]);
  }
  if (rows.empty()) return no_rows_left(std::move(out));

  std::vector<double> weight(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) weight[k] = data.weight(rows[k]);
  for (size_t i = 0; i < causes.size(); ++i) {
    const Column& cause = data.column(causes[i]);
    size_t cells = 0;
    const std::vector<size_t> cell = cells_of(data, rows, parents[i].set, cells);
    std::vector<double> in_cell(cells, 0), with_level(cells * cause.levels.size(), 0);
    for (size_t k = 0; k < rows.size(); ++k) {
      in_cell[cell[k]] += data.weight(rows[k]);
      with_level[cell[k] * cause.levels.size() + cause.codes[rows[k]]] += data.weight(rows[k]);
    }
    for (size_t k = 0; k < rows.size(); ++k) {
      weight[k] *= in_cell[cell[k]] / with_level[cell[k] * cause.levels.size() + cause.codes[rows[k]]];
    }
  }

  std::vector<double> theta(settings * readings, 0), whole(settings, 0), squares(settings, 0);
  std::vector<double> share_of_x(settings, 0), share_of_y(readings, 0);
  for (size_t k = 0; k < rows.size(); ++k) {
    const size_t a = x.codes[rows[k]], r = y.codes[rows[k]];
    theta[a * readings + r] += weight[k];
    whole[a] += weight[k];
    squares[a] += weight[k] * weight[k] / data.weight(rows[k]);
    share_of_x[a] += data.weight(rows[k]);
    share_of_y[r] += data.weight(rows[k]);
    out.rows += data.weight(rows[k]);
  }
  std::vector<std::string> unseen, thin;
  for (size_t a = 0; a < settings; ++a) {
    if (whole[a] == 0) {
      unseen.push_back(shown(x.levels[a]));
    } else if (whole[a] * whole[a] / squares[a] < kFewRows) {
      thin.push_back(shown(x.levels[a]));
    }
    out.under.emplace_back();
    for (size_t r = 0; r < readings; ++r) {
      double& p = theta[a * readings + r];
      p = whole[a] > 0 ? p / whole[a] : kUnknown;
      out.under.back().push_back({p, kUnknown, kUnknown, kUnknown});
    }
  }
  for (size_t r = 0; r < readings; ++r) {
    const double change = theta[(settings - 1) * readings + r] - theta[r];
    out.change.push_back({change, kUnknown, kUnknown, kUnknown});
  }
  standardise(out, theta, share_of_x, share_of_y);
  if (!unseen.empty()) {
    out.warnings.push_back(
        fmt::format("no row has {} = {}: nothing is known of setting them so", shown(x.name), joined(unseen, " or ")));
  }
  if (!thin.empty()) {
    out.warnings.push_back(
        fmt::format("the rows with {} = {} are worth fewer than {:g}", shown(x.name), joined(thin, " or "), kFewRows));
  }
  return out;
}

}  // namespace

EffectFigures counted_effect(const Dataset& data, Node cause, Node outcome, const Adjustment& adjustment,
                             const LevelPair& pair) {
  return by_cells(data, settings_of(data, {cause}), outcome, adjustment, pair);
}

EffectFigures counted_effect(const Dataset& data, const std::vector<Node>& causes, Node outcome,
                             const PossibleEffect& effect) {
  if (effect.by_parents) return by_weights(data, causes, outcome, effect.on_outcome);
  return by_cells(data, settings_of(data, causes), outcome, effect.on_outcome[0], {});
}

}  // namespace agon
