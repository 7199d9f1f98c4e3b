#include "agon/referee/acyclic_mixture.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace agon {
namespace {

constexpr float kImpossible = -1e9F;
constexpr double kEnters = 1e-5;  // by how much a choice must exceed 1 to improve the mixture
constexpr double kPivot = 1e-8;   // smaller ones count as 0
constexpr int kStepsPerRow = 25;  // of the simplex method, after which it gives up
constexpr double kShaken = 1e-6;  // shares are raised by about this much, so that steps do not stand still

// min sum of multiples, such that each pattern is covered at least as much as its share.
class MixtureProgram {
 public:
  explicit MixtureProgram(const std::vector<Pattern>& patterns) : m_(patterns.size()) {
    // One choice for each pattern alone: a basis that is its own inverse.
    inverse_.assign(m_ * m_, 0);
    for (size_t k = 0; k < m_; ++k) {
      inverse_[k * m_ + k] = 1;
      amount_.push_back(patterns[k].share + kShaken * (1 + static_cast<double>(k * 37 % 101) / 101));
      duals.push_back(1);
      cost += amount_.back();
    }
  }

  // Brings in the choice of these patterns. False if numbers no longer allow it.
  bool bring_in(const std::vector<int>& chosen) {
    double gain = -1;
    for (const int k : chosen) gain += duals[k];
    column_.assign(m_, 0);
    for (size_t i = 0; i < m_; ++i) {
      for (const int k : chosen) column_[i] += inverse_[i * m_ + static_cast<size_t>(k)];
    }
    return pivot(gain);
  }
  // Lets a pattern be covered more than needed, if its dual says that this pays. True if there was one.
  bool drop_cover(bool& failed) {
    const size_t k = static_cast<size_t>(std::ranges::min_element(duals) - duals.begin());
    if (duals[k] > -1e-7) return false;
    for (size_t i = 0; i < m_; ++i) column_[i] = -inverse_[i * m_ + k];
    failed = !pivot(-duals[k]);
    return !failed;
  }

  std::vector<double> duals;  // by pattern
  double cost = 0;            // of the mixture so far

 private:
  // The column enters, its reduced cost being -gain.
  bool pivot(double gain) {
    size_t out = m_;
    double ratio = 1e300;
    for (size_t i = 0; i < m_; ++i) {
      if (column_[i] <= kPivot) continue;
      const double here = amount_[i] / column_[i];
      if (here < ratio - 1e-12 || (here < ratio + 1e-12 && column_[i] > column_[out])) {
        ratio = here;
        out = i;
      }
    }
    if (out == m_) return false;
    double* leaving = &inverse_[out * m_];
    const double at = column_[out];
    for (size_t k = 0; k < m_; ++k) duals[k] -= gain / at * leaving[k];
    for (size_t k = 0; k < m_; ++k) leaving[k] /= at;
    for (size_t i = 0; i < m_; ++i) {
      const double factor = column_[i];
      if (i == out || factor == 0) continue;
      double* row = &inverse_[i * m_];
      for (size_t k = 0; k < m_; ++k) row[k] -= factor * leaving[k];
      amount_[i] = std::max(0.0, amount_[i] - factor * ratio);
    }
    amount_[out] = ratio;
    cost -= gain * ratio;
    return true;
  }

  size_t m_;
  std::vector<double> inverse_, amount_, column_;
};

}  // namespace

AcyclicChoice::AcyclicChoice(int size) : size_(size), row_(size_t{1} << size), whole_(size_t{1} << size) {}

double AcyclicChoice::best(const std::vector<Pattern>& patterns, const std::vector<double>& weights,
                           std::vector<int>* chosen, int forced, uint32_t forced_parents) {
  const size_t sets = size_t{1} << size_;
  work += 0.8 * static_cast<double>(sets) * (size_ + 2);
  std::array<float, kMost> nothing{};
  if (forced >= 0) nothing[static_cast<size_t>(forced)] = kImpossible;
  std::ranges::fill(row_, nothing);
  std::ranges::fill(whole_, kImpossible);
  if (forced >= 0) row_[forced_parents][static_cast<size_t>(forced)] = 0;
  for (size_t k = 0; k < patterns.size(); ++k) {
    if (patterns[k].child == forced) continue;
    float& slot = row_[patterns[k].parents][static_cast<size_t>(patterns[k].child)];
    slot = std::max(slot, static_cast<float>(weights[k]));
  }
  // Sets in the order of their numbers: all subsets come before. A row takes what its subsets allow; then each node
  // that is not placed is placed next.
  whole_[0] = 0;
  for (size_t s = 0; s < sets; ++s) {
    auto& row = row_[s];
    for (size_t rest = s; rest != 0; rest &= rest - 1) {
      const auto& less = row_[s ^ (rest & (~rest + 1))];
      for (int j = 0; j < kMost; ++j) row[j] = std::max(row[j], less[j]);
    }
    const float now = whole_[s];
    for (size_t rest = (sets - 1) ^ s; rest != 0; rest &= rest - 1) {
      float& next = whole_[s | (rest & (~rest + 1))];
      next = std::max(next, now + row[std::countr_zero(rest)]);
    }
  }
  if (chosen != nullptr) trace(patterns, weights, *chosen);
  return whole_[sets - 1];
}

void AcyclicChoice::trace(const std::vector<Pattern>& patterns, const std::vector<double>& weights,
                          std::vector<int>& chosen) const {
  chosen.clear();
  for (size_t s = (size_t{1} << size_) - 1; s != 0;) {
    for (int j = 0; j < size_; ++j) {
      const size_t rest = s & ~(size_t{1} << j);
      if (rest == s || whole_[rest] + row_[rest][j] != whole_[s]) continue;
      for (size_t k = 0; k < patterns.size() && row_[rest][j] > 0; ++k) {
        if (patterns[k].child != j || (patterns[k].parents & ~rest) != 0) continue;
        if (static_cast<float>(weights[k]) != row_[rest][j]) continue;
        chosen.push_back(static_cast<int>(k));
        break;
      }
      s = rest;
      break;
    }
  }
}

std::vector<double> facet(const std::vector<Pattern>& patterns, AcyclicChoice& choice, double least) {
  MixtureProgram program(patterns);
  std::vector<int> chosen;
  std::vector<double> weights;
  const int steps = kStepsPerRow * static_cast<int>(patterns.size()) + 100;
  for (int step = 0; step < steps; ++step) {
    choice.work += 1.5 * static_cast<double>(patterns.size() * patterns.size()) + 200;
    if (program.cost < 1 + least) return {};
    bool failed = false;
    if (program.drop_cover(failed)) continue;
    if (failed) return {};
    weights = program.duals;
    for (double& w : weights) w = std::max(0.0, w);
    choice.best(patterns, weights, &chosen);
    double sum = 0;
    for (const int k : chosen) sum += weights[static_cast<size_t>(k)];
    if (sum <= 1 + kEnters) return weights;
    if (!program.bring_in(chosen)) return {};
  }
  return {};
}

}  // namespace agon
