// The signature is checked in: tests/signature.txt. A commit that changes it says so in its last line, "Bench: NUMBER".
// tools/regen writes the file anew.

#include "agon/study/signature.h"

#include <gtest/gtest.h>

#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

std::string line_of(const Signature& s) { return s.name() + " " + std::to_string(s.local_scores) + "\n"; }

TEST(Signature, IsTheOneCheckedIn) {
  const std::filesystem::path path = std::filesystem::path(AGON_SOURCE_DIR) / "tests/signature.txt";
  const std::string now = line_of(run_signature());
  if (std::getenv("AGON_REGEN")) std::ofstream(path) << now;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  EXPECT_EQ(now, kept.str()) << "a decision of a search has changed; if that is meant: tools/regen";
}

TEST(Signature, HasNoNearTies) {
  const Signature first = run_signature();
  for (const uint64_t seed : {1, 2}) EXPECT_EQ(run_signature(seed).name(), first.name()) << seed;
}

TEST(Signature, IsPrintedByBench) {
  testing::Sandbox box;
  const testing::Outcome o = box.agon("bench --suite signature");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("signature " + run_signature().name() + "   moves ")) << o.out;
  EXPECT_EQ(box.agon("bench --suite nothing").code, 2);
}

}  // namespace
}  // namespace agon
