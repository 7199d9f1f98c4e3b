#include "agon/opponent/dag_gnn.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "agon/graph/measures.h"
#include "agon/opponent/test_simulations.h"
#include "agon/opponent/test_stops.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

constexpr int kGnnVariables = 3, kGnnRows = 7;

TEST(DagGnn, AcyclicityIsThatOfThePaper) {
  const std::vector<double> a = {0, 1.5, 0, 0.5, 0, 2, 0, 0, 0};
  std::vector<double> slope;
  EXPECT_NEAR(dag_gnn_acyclicity(a, 3, &slope), 0.375, 1e-12);
  for (size_t k = 0; k < a.size(); ++k) {
    std::vector<double> up = a, down = a;
    up[k] += 1e-6;
    down[k] -= 1e-6;
    const double difference = (dag_gnn_acyclicity(up, 3, nullptr) - dag_gnn_acyclicity(down, 3, nullptr)) / 2e-6;
    EXPECT_NEAR(slope[k], difference, 1e-8);
  }
  EXPECT_NEAR(dag_gnn_acyclicity({0, 2, 0, 0}, 2, nullptr), 0, 1e-12);
}

// A small model in double precision with random weights, the entry 0 -> 2 forbidden.
struct SmallGnn {
  DagGnnNet<double> net{kGnnVariables, 4, {1, 1, 0, 1, 1, 1, 1, 1, 1}, Rng(1)};
  std::vector<double> x, noise;

  SmallGnn() {
    Rng rng(2);
    for (int k = 0; k < kGnnRows * kGnnVariables; ++k) {
      x.push_back(rng.normal());
      noise.push_back(rng.normal());
    }
    for (double& w : net.weights()) w = 0.3 * rng.normal();
  }
};

TEST(DagGnn, GradientsAreThoseOfDifferences) {
  for (const bool sample : {false, true}) {
    SmallGnn model;
    const double* noise = sample ? model.noise.data() : nullptr;
    model.net.loss(model.x.data(), kGnnRows, noise);
    const NetVector<double> g = model.net.gradient();
    for (long k = 0; k < g.size(); ++k) {
      double& w = model.net.weights()[k];
      const double before = w;
      w = before + 1e-6;
      const double up = model.net.loss(model.x.data(), kGnnRows, noise);
      w = before - 1e-6;
      const double down = model.net.loss(model.x.data(), kGnnRows, noise);
      w = before;
      EXPECT_NEAR(g[k], (up - down) / 2e-6, 1e-6 * std::max(1.0, std::abs(g[k]))) << k << (sample ? " sampled" : "");
    }
  }
}

// Decoding the mean of z undoes the encoder, so the released form never needs the inverse.
TEST(DagGnn, TheTwoMatricesCancel) {
  SmallGnn model;
  model.net.loss(model.x.data(), kGnnRows, nullptr);
  const double w = model.net.weights()[model.net.weights().size() - 1 - kGnnVariables * kGnnVariables];
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::vector<double> flat = model.net.matrix();
  const Rows a = Eigen::Map<const Rows>(flat.data(), kGnnVariables, kGnnVariables);
  EXPECT_EQ(a(0, 2), 0);
  EXPECT_NE(a(2, 0), 0);
  const Rows z = Eigen::Map<const Rows>(model.net.codes().data(), kGnnRows, kGnnVariables);
  const Rows u = Eigen::Map<const Rows>(model.net.transformed().data(), kGnnRows, kGnnVariables);
  const Rows back = (z.array() + w).matrix() * (Rows::Identity(kGnnVariables, kGnnVariables) - a).inverse();
  EXPECT_LT((back - u).cwiseAbs().maxCoeff(), 1e-12);
  const std::vector<double> y = model.net.decoded();
  for (long k = model.net.weights().size() - 9; k < model.net.weights().size(); ++k) model.net.weights()[k] *= 2;
  model.net.loss(model.x.data(), kGnnRows, nullptr);
  EXPECT_EQ(model.net.decoded(), y);
}

TEST(DagGnn, FindsAChain) {
  const Simulated s = testing::rising_chain(400);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  const SearchResult r = dag_gnn(s.data, score, {.units = 16, .epochs = 40}, Rng(4));
  EXPECT_EQ(measure(testing::true_edges(s), r.dag).shd, 0);
  EXPECT_EQ(r.score, total(score, r.dag));
  ASSERT_TRUE(r.varsortability.has_value());
  EXPECT_EQ(*r.varsortability, 1);
}

TEST(DagGnn, ResumesWhereItWas) {
  const Simulated s = testing::rising_chain(400);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  for (const bool sample : {false, true}) {
    const DagGnnOptions options{.units = 8, .epochs = 3, .sample = sample, .max_steps = 200};
    testing::expect_training_resumes([&](const Watch& watch, const SavedSearch& saved) {
      return dag_gnn(s.data, score, options, Rng(5), watch, {}, saved);
    });
  }
}

TEST(DagGnn, SaysWhatItWillTake) {
  const double twelve = dag_gnn_forecast(12, 5000, {}), many = dag_gnn_forecast(223, 10'000, {});
  EXPECT_GT(twelve, 3);
  EXPECT_LT(twelve, 100);
  EXPECT_GT(many, 3600);
  EXPECT_LT(dag_gnn_forecast(223, 10'000, {.max_steps = 10}), 1);
}

TEST(DagGnn, StopsWhenAsked) {
  const Simulated s = testing::rising_chain(400);
  const GaussianBic score(s.data, GaussianBic::Scale::kRaw);
  std::atomic<bool> flag = true;
  Watch watch;
  watch.interrupted = &flag;
  const SearchResult r = dag_gnn(s.data, score, {}, Rng(4), watch);
  EXPECT_EQ(r.stopped_by, "interrupted");
  EXPECT_EQ(dag_gnn(s.data, score, {.max_steps = 7}, Rng(4)).stopped_by, "step limit");
}

}  // namespace
}  // namespace agon
