#include "agon/score/extended_bic.h"

#include <algorithm>
#include <cmath>

#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

class ExtendedBic final : public LocalScore {
 public:
  ExtendedBic(std::unique_ptr<LocalScore> inner, double price) : inner_(std::move(inner)), price_(price) {}

  const LocalScore& inner() const { return *inner_; }
  double price() const { return price_; }
  const ScoreTraits& traits() const override { return inner_->traits(); }
  const BlockMoments* moments() const override { return inner_->moments(); }

  double local(Node child, Parents parents) const override { return inner_->local(child, parents) - charge(parents); }

  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    const double score = inner_->addition_gains(child, parents, gains);
    for (double& gain : gains) gain -= price_;
    return score - charge(parents);
  }

  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    const double score = inner_->removal_gains(child, parents, gains);
    for (double& gain : gains) gain += price_;
    return score - charge(parents);
  }

  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override {
    const double score = inner_->column_gains(child, parents, additions, removals);
    for (double& gain : additions) gain -= price_;
    for (double& gain : removals) gain += price_;
    return score - charge(parents);
  }

  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override {
    const double score = inner_->positive_additions(child, parents, best);
    for (ParentGain& one : best) one.gain -= price_;
    std::erase_if(best, [](const ParentGain& one) { return one.gain <= 0; });
    return score - charge(parents);
  }

 private:
  double charge(Parents parents) const { return price_ * static_cast<double>(parents.size()); }

  std::unique_ptr<LocalScore> inner_;
  double price_;
};

}  // namespace

double extended_bic_price(int variables, double n) {
  return variables < 2 ? 0 : std::max(0.0, std::log(variables) - 0.5 * std::log(n));
}

std::unique_ptr<LocalScore> extended_bic(std::unique_ptr<LocalScore> score, double n) {
  const std::vector<bool>& constant = score->traits().constant;
  const double price = extended_bic_price(static_cast<int>(std::ranges::count(constant, false)), n);
  if (price == 0) return score;
  return std::make_unique<ExtendedBic>(std::move(score), price);
}

double price_of(const LocalScore& score) {
  if (const auto* gaussian = dynamic_cast<const GaussianBic*>(&score)) return gaussian->price();
  const auto* extended = dynamic_cast<const ExtendedBic*>(&score);
  return extended != nullptr ? extended->price() : 0;
}

const LocalScore& without_price(const LocalScore& score) {
  const auto* extended = dynamic_cast<const ExtendedBic*>(&score);
  return extended != nullptr ? extended->inner() : score;
}

}  // namespace agon
