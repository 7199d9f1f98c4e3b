#include "agon/graph/pag.h"

#include <gtest/gtest.h>

#include <sstream>

#include "agon/graph/formats.h"

namespace agon {
namespace {

Pag example() {
  Pag g(5);
  g.join(0, 1);  // a o-o b
  g.join(1, 2);  // b o-> c
  g.set_mark(1, 2, Mark::kArrow);
  g.join(2, 3);  // c <-> d
  g.set_mark(2, 3, Mark::kArrow);
  g.set_mark(3, 2, Mark::kArrow);
  g.join(3, 4);  // e --> d
  g.set_mark(4, 3, Mark::kArrow);
  g.set_mark(3, 4, Mark::kTail);
  return g;
}

TEST(Pag, IsWrittenAsTetradTextAndReadBack) {
  const Pag g = example();
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  std::ostringstream out;
  EXPECT_TRUE(write_graph(out, named(g, names), "tetrad").empty());
  EXPECT_NE(out.str().find("1. a o-o b"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("b o-> c"), std::string::npos);
  EXPECT_NE(out.str().find("c <-> d"), std::string::npos);
  EXPECT_NE(out.str().find("e --> d"), std::string::npos);
  EXPECT_EQ(parse_graph(out.str(), "t.txt", "tetrad"), named(g, names));
}

TEST(Pag, ComparesMarksOfEdgesAlone) {
  Pag g = example(), h = example();
  EXPECT_EQ(g.edge_count(), 4);
  h.set_mark(0, 4, Mark::kArrow);  // no edge there
  EXPECT_EQ(g, h);
  h.set_mark(1, 0, Mark::kTail);
  EXPECT_FALSE(g == h);
  g.remove(0, 1);
  h.remove(0, 1);
  EXPECT_EQ(g, h);
}

TEST(Pag, WithoutHiddenVariables) {
  Pdag expected(5);
  expected.add_undirected(0, 1);
  expected.add_directed(1, 2);
  expected.add_undirected(2, 3);
  expected.add_directed(4, 3);
  EXPECT_EQ(without_hidden(example()), expected);
}

}  // namespace
}  // namespace agon
