// agon/agent/arms.h
//
// How arms share the budget of a match: an arm that gains more per unit of cost gets more of it. The challenger decides
// which arms there are (challengers.h).
//
//   ArmBandit bandit({4, 2});         // the weights of two arms
//   bandit.shares();                  // parts of the next round's cost, summing to 1
//   bandit.report(0, 12.5, 5000);     // the first arm gained 12.5 nats at a cost of 5000
//
// The cost of a move is a constant of its arm, not a time on the clock. It was measured once (bench/match_bench) and is
// written into the record. So the allocation, and with it the result, is the same on every machine.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agon/agent/challenger.h"

namespace agon {

struct ArmNeeds {
  double seconds = 0, bytes = 0;
};

struct Arm {
  std::string name;   // "local trained"
  double cost = 1;    // of a move, in moves of the uniform local player
  double weight = 1;  // its share of the budget, relative to the other arms' weights, until an arm has gained
  std::function<std::unique_ptr<Challenger>(const Game& game, Rng rng)> make;
  // Throws UsageError when a match of that many moves would take too much time or memory; null: it never throws.
  std::function<void(int nodes, long moves, bool has_time_limit)> refuse = nullptr;
  // What learning takes beside the play itself, for so many moves of one player; null: nothing to speak of.
  std::function<ArmNeeds(int nodes, long moves)> needs = nullptr;
  // How many moves a player wants where no budget is given, in place of the usual number; null: the usual number.
  std::function<long(int nodes, long usual)> wants = nullptr;
};

// Divides a budget among arms. Each keeps a floor; the rest goes to arms in proportion to their recent gain per cost.
class ArmBandit {
 public:
  explicit ArmBandit(std::vector<double> weights);

  std::vector<double> shares() const;  // of the cost, by arm; they sum to 1
  void report(size_t arm, double gained, double cost);
  void end_round();  // discounts past gains and costs
  void exchange_state(Archive& archive) {
    archive(gained_);
    archive(cost_);
    Archive::demand(gained_.size() == weight_.size() && cost_.size() == weight_.size());
  }

 private:
  std::vector<double> weight_, gained_, cost_;
};

}  // namespace agon
