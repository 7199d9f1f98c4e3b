#include "agon/score/edge_price.h"

#include <algorithm>
#include <cmath>

#include "agon/score/gaussian_score.h"
#include "agon/score/nml_score.h"

namespace agon {
namespace {

class PricedEdges final : public LocalScore {
 public:
  PricedEdges(std::unique_ptr<LocalScore> inner, double price, const std::string& name)
      : inner_(std::move(inner)),
        qnml_(dynamic_cast<const Qnml*>(inner_.get())),
        price_(price),
        traits_(inner_->traits()) {
    if (!name.empty()) traits_.name = name;
  }

  const LocalScore& inner() const { return *inner_; }
  double price() const { return price_; }
  const ScoreTraits& traits() const override { return traits_; }
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
    // Many additions gain less than their price. A score that is told so need not count them to their end.
    const double score = qnml_ != nullptr ? qnml_->additions_above(price_, child, parents, best)
                                          : inner_->positive_additions(child, parents, best);
    for (ParentGain& one : best) one.gain -= price_;
    std::erase_if(best, [](const ParentGain& one) { return one.gain <= 0; });
    return score - charge(parents);
  }

 private:
  double charge(Parents parents) const { return price_ * static_cast<double>(parents.size()); }

  std::unique_ptr<LocalScore> inner_;
  const Qnml* qnml_;  // inner_, if it is one
  double price_;
  ScoreTraits traits_;
};

}  // namespace

double naming_price(int variables) { return variables < 2 ? 0 : std::log(variables); }

double naming_price(const LocalScore& score) {
  return naming_price(static_cast<int>(std::ranges::count(score.traits().constant, false)));
}

std::unique_ptr<LocalScore> with_edge_price(std::unique_ptr<LocalScore> score, double price, const std::string& name) {
  return std::make_unique<PricedEdges>(std::move(score), price, name);
}

double edge_price(const LocalScore& score) {
  if (const auto* gaussian = dynamic_cast<const GaussianBic*>(&score)) return gaussian->price();
  const auto* priced = dynamic_cast<const PricedEdges*>(&score);
  return priced != nullptr ? priced->price() : 0;
}

const LocalScore& without_edge_price(const LocalScore& score) {
  const auto* priced = dynamic_cast<const PricedEdges*>(&score);
  return priced != nullptr ? priced->inner() : score;
}

}  // namespace agon
