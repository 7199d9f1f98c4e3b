#include "agon/agent/arms.h"

#include <numeric>

#include "agon/agent/flat_player.h"
#include "agon/agent/local_player.h"
#include "agon/agent/paper_player.h"

namespace agon {
namespace {

constexpr double kByWeight = 0.4;      // the part of every round that is divided by weight alone
constexpr double kFadePerRound = 0.8;  // factor on past gains and costs, per round

}  // namespace

ArmBandit::ArmBandit(std::vector<double> weights)
    : weight_(std::move(weights)), gained_(weight_.size(), 0), cost_(weight_.size(), 0) {
  const double sum = std::accumulate(weight_.begin(), weight_.end(), 0.0);
  for (double& w : weight_) w /= sum;
}

std::vector<double> ArmBandit::shares() const {
  std::vector<double> rate(weight_.size(), 0);
  double sum = 0;
  for (size_t k = 0; k < rate.size(); ++k) sum += rate[k] = cost_[k] > 0 ? gained_[k] / cost_[k] : 0;
  std::vector<double> share(weight_.size());
  for (size_t k = 0; k < share.size(); ++k) {
    share[k] = sum > 0 ? kByWeight * weight_[k] + (1 - kByWeight) * rate[k] / sum : weight_[k];
  }
  return share;
}

void ArmBandit::report(size_t arm, double gained, double cost) {
  gained_[arm] += gained;
  cost_[arm] += cost;
}

void ArmBandit::end_round() {
  for (double& g : gained_) g = g > 1e-6 ? kFadePerRound * g : 0;
  for (double& c : cost_) c *= kFadePerRound;
}

}  // namespace agon
