// The signature is checked in: tests/signature.txt. A commit that changes it says so in its last line, "Bench: NUMBER".
// tools/regen rewrites the file.

#include "agon/study/signature.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "agon/base/hash.h"
#include "agon/catalog/opponents.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon {
namespace {

// A line per part: a diff says which algorithm decides otherwise.
std::string parts_of(const Signature& s) {
  std::string text;
  for (const SignaturePart& part : s.parts) {
    text += fmt::format("{} {} {}\n", part.name, part.moves, hex64(part.graphs).substr(0, 8));
  }
  return text;
}

TEST(Signature, IsTheOneCheckedIn) {
  const std::filesystem::path path = std::filesystem::path(AGON_SOURCE_DIR) / "tests/signature.txt";
  const Signature s = run_signature();
  const std::string now = fmt::format("{} {}\n{}", s.name(), s.local_scores, parts_of(s));
  if (std::getenv("AGON_REGEN")) std::ofstream(path) << now;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  EXPECT_EQ(now, kept.str()) << "a decision has changed; if that is meant: tools/regen";
}

TEST(Signature, CoversEveryAlgorithmOfTheCatalog) {
  const Signature s = run_signature();
  std::set<std::string> parts;
  for (const SignaturePart& part : s.parts) {
    EXPECT_TRUE(parts.insert(part.name).second) << part.name << " appears twice";
    EXPECT_NE(part.graphs, 0u) << part.name;
  }
  for (const OpponentEntry& entry : opponent_entries()) {
    EXPECT_TRUE(parts.contains(entry.name)) << entry.name;
  }
  for (const char* part :
       {"challenger local", "challenger flat", "challenger paper", "match", "pruning", "bootstrap", "certificate"}) {
    EXPECT_TRUE(parts.contains(part)) << part;
  }
}

TEST(Signature, HasNoNearTies) {
  const std::string first = parts_of(run_signature());
  for (const uint64_t seed : {1, 2}) EXPECT_EQ(parts_of(run_signature({.row_seed = seed})), first) << seed;
}

TEST(Signature, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(parts_of(run_signature({.threads = 4})), parts_of(run_signature()));
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
