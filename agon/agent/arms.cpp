#include "agon/agent/arms.h"

#include <numeric>

#include "agon/agent/flat_player.h"
#include "agon/agent/local_player.h"
#include "agon/agent/paper_player.h"

namespace agon {
namespace {

constexpr double kFloor = 0.4;  // of every round, divided by weight alone
constexpr double kFade = 0.8;   // of what was gained and spent, per round

// Cost of a move against one of the uniform local player: medians of match_bench over tables of 30 nodes and more.
constexpr double kRankedCost = 1.4, kDeltaCost = 1, kLearningFactor = 2.2, kFlatCost = 8, kPlainFlatCost = 1.2;
constexpr double kPaperCost = 5000;

Arm local_arm(std::string name, double weight, const LocalOptions& options) {
  double cost = options.proposal.kind == ProposalKind::kUniform ? 1
                : options.proposal.kind == ProposalKind::kDelta ? kDeltaCost
                                                                : kRankedCost;
  if (options.learning) cost *= kLearningFactor;
  return {std::move(name), cost, weight,
          [options](const Game& game, Rng rng) { return std::make_unique<LocalPlayer>(game, options, rng); }};
}

Arm flat_arm(double weight, const FlatOptions& options) {
  return {options.learning ? "flat" : "flat unlearned", options.learning ? kFlatCost : kPlainFlatCost, weight,
          [options](const Game& game, Rng rng) { return std::make_unique<FlatPlayer>(game, options, rng); }};
}

std::string local_name(const LocalOptions& options) {
  return std::string("local ") + to_string(options.proposal.kind) + (options.learning ? " learning" : "");
}

}  // namespace

const char* to_string(ChallengerKind kind) {
  switch (kind) {
    case ChallengerKind::kAuto:
      return "auto";
    case ChallengerKind::kLocal:
      return "local";
    case ChallengerKind::kFlat:
      return "flat";
    case ChallengerKind::kPaper:
      break;
  }
  return "paper";
}

std::vector<Arm> make_arms(const ChallengerOptions& options) {
  switch (options.kind) {
    case ChallengerKind::kLocal:
      return {local_arm(local_name(options.local), 1, options.local)};
    case ChallengerKind::kFlat:
      return {flat_arm(1, options.flat)};
    case ChallengerKind::kPaper:
      return {{options.paper.learning ? "paper" : "paper unlearned", kPaperCost, 1,
               [paper = options.paper](const Game& game, Rng rng) {
                 return std::make_unique<PaperPlayer>(game, paper, rng);
               },
               [paper = options.paper](int nodes, long moves, bool has_time_limit) {
                 refuse_what_is_too_much(nodes, paper, moves, has_time_limit);
               }}};
    case ChallengerKind::kAuto:
      break;
  }
  LocalOptions bold = options.local, delta = options.local;
  bold.learning = delta.learning = false;
  bold.proposal.kind = ProposalKind::kUniform;
  bold.longest = 2 * options.local.longest;
  bold.temperature = 5;
  bold.return_after = 500;
  delta.proposal.kind = ProposalKind::kDelta;
  return {local_arm(local_name(options.local), 4, options.local), local_arm("local uniform", 2, bold),
          local_arm("local delta", 2, delta), flat_arm(1, options.flat)};
}

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
    share[k] = sum > 0 ? kFloor * weight_[k] + (1 - kFloor) * rate[k] / sum : weight_[k];
  }
  return share;
}

void ArmBandit::report(size_t arm, double gained, double cost) {
  gained_[arm] += gained;
  cost_[arm] += cost;
}

void ArmBandit::end_round() {
  for (double& g : gained_) g = g > 1e-6 ? kFade * g : 0;
  for (double& c : cost_) c *= kFade;
}

}  // namespace agon
