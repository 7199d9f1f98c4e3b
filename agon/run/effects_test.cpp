#include "agon/run/effects.h"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/run/describe.h"

namespace agon {
namespace {

// The true graph of asia as a result.
EffectSource true_asia() {
  const Dataset data = embedded_table("asia", 1000);
  Dag dag(data.size());
  for (const auto& [from, to] : embedded_truth("asia")) dag.add_edge(data.index_of(from), data.index_of(to));
  RunRecord record;
  record.data = describe_data(data);
  describe_answer(record, data, *make_score("auto", data), dag);
  return EffectSource(record, data, EffectSource::JustSearched());
}

TEST(PageEffects, AreTheSameForAnyNumberOfThreads) {
  const EffectSource source = true_asia();
  const std::string page = page_effects(source, 1);
  EXPECT_EQ(page_effects(source, 3), page);
  const nlohmann::json effects = nlohmann::json::parse(page);
  EXPECT_TRUE(effects["complete"]);
  EXPECT_GT(effects["pairs"].size(), 10u);
}

// A time limit that is over, or Ctrl-C: the page says that effects are left out, and holds none that are half computed.
TEST(PageEffects, EndAtAStop) {
  const std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const nlohmann::json effects = nlohmann::json::parse(page_effects(true_asia(), 2, watch));
  EXPECT_FALSE(effects["complete"]);
  EXPECT_TRUE(effects["pairs"].empty());
}

}  // namespace
}  // namespace agon
