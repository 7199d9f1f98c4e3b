#include "agon/opponent/gran_dag_net.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/opponent/acyclicity.h"
#include "agon/opponent/gran_dag_plain.h"

namespace agon {
namespace {

std::vector<std::vector<int>> inputs_of(int p, double share, Rng& rng) {
  std::vector<std::vector<int>> out(p);
  for (int i = 0; i < p; ++i) {
    for (int j = 0; j < p; ++j) {
      if (j != i && rng.uniform() < share) out[i].push_back(j);
    }
  }
  return out;
}

template <class Real>
std::vector<Real> random_rows(int count, int p, Rng& rng) {
  std::vector<Real> out;
  for (int k = 0; k < count * p; ++k) out.push_back(static_cast<Real>(rng.normal()));
  return out;
}

// What is differentiated: the mean of -ln p, and factor * h.
struct Objective {
  GranDagNet<double>& net;
  TableRows<double> rows;
  double factor;

  double value() {
    GranDagWork<double> work;
    double sum = 0;
    for (int i = 0; i < net.size(); ++i) sum += net.loss(i, rows, work) / (rows.count * net.size());
    return sum + factor * acyclicity().h();
  }
  Acyclicity<double> acyclicity() {
    Acyclicity<double> term;
    term.set_edges(net.inputs());
    for (int i = 0; i < net.size(); ++i) net.connect(i);
    for (int b = 0; b < term.blocks(); ++b) term.compute(b, net.connectivity());
    return term;
  }
  void set_gradient() {
    GranDagWork<double> work;
    const auto term = acyclicity();
    for (int i = 0; i < net.size(); ++i) {
      net.learn(i, rows, 1.0 / (rows.count * net.size()), work);
      net.add_penalty(i, term.gradient(i), factor);
    }
  }
};

TEST(GranDagNet, GradientsAgreeWithCentralDifferences) {
  Rng rng(1);
  for (const GranDagShape& shape : {GranDagShape{1, 3, 0.01}, GranDagShape{2, 10, 0.01}, GranDagShape{3, 9, 0.2}}) {
    for (int p : {2, 5, 9}) {
      for (double factor : {0.0, 3.0}) {
        GranDagNet<double> net(shape, inputs_of(p, 0.8, rng), rng.split("weights", p));
        const int count = 17;
        const auto table = random_rows<double>(count, p, rng);
        Objective objective{net, {table.data(), count, p}, factor};
        for (int step = 0; step < 5; ++step) {  // away from biases and deviations that are 0
          objective.set_gradient();
          for (int i = 0; i < p; ++i) net.rms_step(i, 0.02);
        }
        objective.set_gradient();
        for (int i = 0; i < p; ++i) {
          const std::vector<double> gradient = net.gradient(i);
          double largest = 0, worst = 0;
          for (size_t k = 0; k < gradient.size(); ++k) {
            double& w = net.weights(i)[k];
            if (w == 0 && gradient[k] == 0) continue;  // padding
            const double kept = w, step = 1e-6;
            w = kept + step;
            const double up = objective.value();
            w = kept - step;
            const double down = objective.value();
            w = kept;
            largest = std::max(largest, std::abs(gradient[k]));
            worst = std::max(worst, std::abs(gradient[k] - (up - down) / (2 * step)));
          }
          EXPECT_LT(worst, 1e-5 * largest) << "p " << p << " variable " << i;
        }
      }
    }
  }
}

TEST(GranDagNet, InfluenceIsTheMeanAbsoluteDerivativeByTheInputs) {
  Rng rng(2);
  const int p = 6, count = 11;
  GranDagNet<double> net({.layers = 2, .units = 7}, inputs_of(p, 0.7, rng), rng);
  auto table = random_rows<double>(count, p, rng);
  GranDagWork<double> work;
  for (int i = 0; i < p; ++i) {
    std::vector<double> sums(net.inputs()[i].size(), 0.0);
    net.add_influence(i, {table.data(), count, p}, work, sums);
    for (size_t k = 0; k < sums.size(); ++k) {
      double expected = 0;
      for (int r = 0; r < count; ++r) {
        double& x = table[r * p + net.inputs()[i][k]];
        const double kept = x, step = 1e-6;
        x = kept + step;
        const double up = net.loss(i, {table.data() + r * p, 1, p}, work);
        x = kept - step;
        expected += std::abs(up - net.loss(i, {table.data() + r * p, 1, p}, work)) / (2 * step);
        x = kept;
      }
      EXPECT_NEAR(sums[k], expected, 1e-5 * (1 + expected));
    }
  }
}

// The losses and h of `steps` training steps on the same batches.
template <class Real>
std::vector<PlainGranDag::Outcome> losses(const GranDagShape& shape, const std::vector<std::vector<int>>& inputs,
                                          const std::vector<PlainMatrix>& batches, double lambda, double mu,
                                          double rate, double limit, int& clamped) {
  const int p = static_cast<int>(inputs.size());
  GranDagNet<Real> net(shape, inputs, Rng(5));
  Acyclicity<Real> term;
  term.set_edges(net.inputs());
  GranDagWork<Real> work;
  std::vector<PlainGranDag::Outcome> out;
  for (const PlainMatrix& batch : batches) {
    std::vector<Real> rows;
    for (const auto& row : batch) rows.insert(rows.end(), row.begin(), row.end());
    const int count = static_cast<int>(batch.size());
    double loss = 0;
    for (int b = 0; b < term.blocks(); ++b) term.compute(b, net.connectivity());
    for (int i = 0; i < p; ++i) loss += net.learn(i, {rows.data(), count, p}, 1.0 / (count * p), work) / (count * p);
    out.push_back({loss, term.h()});
    const Real factor = static_cast<Real>(lambda + mu * term.h());
    for (int i = 0; i < p; ++i) {
      net.add_penalty(i, term.gradient(i), factor);
      net.rms_step(i, static_cast<Real>(rate));
      net.connect(i);
      clamped += net.clamp(i, static_cast<Real>(limit), [](int, int) { return false; });
    }
    term.set_edges(net.inputs());
  }
  return out;
}

TEST(GranDagNet, LosesWhatThePlainTwinLoses) {
  Rng rng(7);
  for (int p : {4, 11}) {
    const GranDagShape shape{.layers = 2, .units = 10};
    const auto inputs = inputs_of(p, 0.9, rng);
    std::vector<PlainMatrix> batches;
    for (int step = 0; step < 50; ++step) {
      PlainMatrix batch;
      for (int r = 0; r < 24; ++r) {
        std::vector<double> row(p);
        for (double& x : row) x = rng.normal();
        for (int j = 1; j < p; ++j) row[j] += std::sin(row[j - 1]);
        batch.push_back(row);
      }
      batches.push_back(batch);
    }
    const double lambda = 0.5, mu = 2, rate = 5e-3, limit = 0.09;  // large, so that inputs are clamped on the way
    PlainGranDag plain(shape, inputs, Rng(5));
    int clamped = 0, ignored = 0;
    const auto exact = losses<double>(shape, inputs, batches, lambda, mu, rate, limit, clamped);
    const auto quick = losses<float>(shape, inputs, batches, lambda, mu, rate, limit, ignored);
    EXPECT_GT(clamped, 0);
    for (size_t step = 0; step < batches.size(); ++step) {
      const auto expected = plain.step(batches[step], lambda, mu, rate, limit);
      EXPECT_NEAR(exact[step].loss, expected.loss, 1e-9 * std::abs(expected.loss)) << step;
      EXPECT_NEAR(exact[step].h, expected.h, 1e-9 * (1e-3 + expected.h)) << step;
      EXPECT_NEAR(quick[step].loss, expected.loss, 1e-4 * std::abs(expected.loss)) << step;
      EXPECT_NEAR(quick[step].h, expected.h, 1e-3 * (1e-3 + expected.h)) << step;
    }
    EXPECT_LT(exact.back().h, exact.front().h);
  }
}

}  // namespace
}  // namespace agon
