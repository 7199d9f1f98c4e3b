#include "agon/data/experiment_sample.h"

#include <gtest/gtest.h>

#include <set>

#include "agon/base/error.h"
#include "agon/data/embedded.h"

namespace agon {
namespace {

std::set<std::string> values_of(const Dataset& data, const std::string& name) {
  const Column& column = data.column(data.index_of(name));
  std::set<std::string> out;
  for (size_t row = 0; row < data.rows(); ++row) out.insert(column.levels[column.codes[row]]);
  return out;
}

TEST(ExperimentSample, WithoutSettingsIsAnOrdinarySample) {
  const BayesNet net = embedded_network("asia");
  EXPECT_EQ(sample(net, {.rows = 80, .seed = 3}, "asia").checksum(), sample(net, 80, Rng(3), "asia").checksum());
}

TEST(ExperimentSample, SetsAndNamesTheTargetsInAnyOrder) {
  const BayesNet net = embedded_network("asia");
  const Dataset data = sample(net, {.rows = 200, .settings = {"smoke=yes", "bronc=no"}, .targets = "set"}, "asia");
  EXPECT_EQ(values_of(data, "smoke"), std::set<std::string>{"yes"});
  EXPECT_EQ(values_of(data, "bronc"), std::set<std::string>{"no"});
  EXPECT_EQ(values_of(data, "set"), std::set<std::string>{"smoke;bronc"});
  const Dataset other = sample(net, {.rows = 200, .settings = {"bronc=no", "smoke=yes"}, .targets = "set"}, "asia");
  EXPECT_EQ(other.checksum(), data.checksum());
}

TEST(ExperimentSample, ASoftOneSetsHalfOfTheRows) {
  const BayesNet net = embedded_network("asia");
  const SampleRequest request{.rows = 4000, .settings = {"tub=yes"}, .intervention = Intervention::kSoft};
  const Dataset data = sample(net, request, "asia");
  const Column& tub = data.column(data.index_of("tub"));
  int set = 0;
  for (size_t row = 0; row < data.rows(); ++row) set += tub.levels[tub.codes[row]] == "yes";
  EXPECT_NEAR(set, 2020, 130);  // four standard deviations; about one row in a hundred has it by itself
}

TEST(ExperimentSample, RefusesWhatMakesNoSense) {
  const BayesNet net = embedded_network("asia");
  EXPECT_THROW(sample(net, {.intervention = Intervention::kSoft}, "asia"), UsageError);
  EXPECT_THROW(sample(net, {.targets = "lung"}, "asia"), UsageError);
  EXPECT_THROW(sample(net, {.settings = {"smoke=often"}}, "asia"), UsageError);
}

}  // namespace
}  // namespace agon
