#include "agon/certificate/plain_edge_price.h"

#include <algorithm>
#include <cmath>

#include "agon/certificate/plain_set_scores.h"

namespace agon::plain {
namespace {

class PricedScorer final : public Scorer {
 public:
  explicit PricedScorer(std::unique_ptr<Scorer> inner) : inner_(std::move(inner)) {
    rows_ = inner_->rows();
    weights_ = inner_->weights();
    row_set_ = inner_->row_set();
    regimes_ = inner_->regimes();
    int varying = 0;
    for (Node v = 0; v < inner_->size(); ++v) {
      constant_.push_back(inner_->is_constant(v));
      varying += constant_[v] ? 0 : 1;
    }
    price_ = std::log(std::max(1, varying));
  }

  const Scorer& inner() const { return *inner_; }
  double price() const { return price_; }

  Value local(Node child, Parents parents) const override {
    return charged(inner_->local(child, parents), parents.size());
  }

  std::vector<Value> additions(Node child, Parents parents, std::span<const Node> others) const override {
    std::vector<Value> out = inner_->additions(child, parents, others);
    for (Value& value : out) value = charged(value, parents.size() + 1);
    return out;
  }

  std::vector<NodeSet> may_gain(std::span<const Family> families, double least) const override {
    return inner_->may_gain(families, least + price_);
  }

  double work_per_family(int parents) const override { return inner_->work_per_family(parents); }

  std::unique_ptr<SetScores> set_scores(double price) const override { return inner_->set_scores(price_ + price); }

  std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const override {
    std::vector<double> charges;
    for (const Family& family : families) charges.push_back(price_ * static_cast<double>(family.parents.size()));
    return std::make_unique<Charged>(inner_->resampler(families), std::move(charges));
  }

  double row_constant(const std::vector<Dag>& graphs, int threads) const override {
    return inner_->row_constant(graphs, threads);
  }
  bool has_gradient() const override { return inner_->has_gradient(); }
  std::vector<std::string> assumptions() const override { return inner_->assumptions(); }

 private:
  class Charged final : public Resampler {
   public:
    Charged(std::unique_ptr<Resampler> inner, std::vector<double> charges)
        : inner_(std::move(inner)), charges_(std::move(charges)) {}
    std::vector<double> scores(std::span<const uint32_t> weights) const override {
      std::vector<double> out = inner_->scores(weights);
      for (size_t k = 0; k < out.size(); ++k) out[k] -= charges_[k];
      return out;
    }
    double operations() const override { return inner_->operations(); }

   private:
    std::unique_ptr<Resampler> inner_;
    std::vector<double> charges_;
  };

  Value charged(Value value, size_t parents) const {
    return {value.score - price_ * static_cast<double>(parents), value.rounding};
  }

  std::unique_ptr<Scorer> inner_;
  double price_ = 0;
};

}  // namespace

std::unique_ptr<Scorer> with_edge_price(std::unique_ptr<Scorer> scorer) {
  return std::make_unique<PricedScorer>(std::move(scorer));
}

double edge_price(const Scorer& scorer) {
  const auto* priced = dynamic_cast<const PricedScorer*>(&scorer);
  return priced != nullptr ? priced->price() : 0;
}

const Scorer& without_edge_price(const Scorer& scorer) {
  const auto* priced = dynamic_cast<const PricedScorer*>(&scorer);
  return priced != nullptr ? priced->inner() : scorer;
}

}  // namespace agon::plain
