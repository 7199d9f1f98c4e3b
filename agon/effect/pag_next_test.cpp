#include "agon/effect/pag_next.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/fci.h"
#include "agon/opponent/test_oracle_independence.h"

namespace agon {
namespace {

bool causes(const Dag& dag, Node a, Node b) {
  NodeSet end(dag.size());
  end.insert(b);
  return ancestors(dag, end).contains(a);
}

// Random DAGs of which some nodes are hidden, and the PAG of the others. What the true graph answers in an experiment
// must be among the outcomes, every mark that follows must be true, and there are no fewer of them than was promised.
TEST(PagNext, TheTrueOutcomeSettlesWhatWasPromised) {
  Rng rng(3);
  int more = 0, asked = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const int all = 5 + rng.below(5), observed = std::max(4, all - rng.below(4));
    const Dag dag = test::random_dag(all, rng.uniform(0.2, 0.5), rng);
    const Pag pag = fci(testing::Oracle(dag, observed), {.possible_given = -1}).pag;
    for (const PagExperiment& one : pag_experiments(pag)) {
      std::vector<Node> caused;
      for (const Node other : pag.neighbours(one.node)) {
        if (causes(dag, one.node, other)) caused.push_back(other);
      }
      const std::optional<Pag> after = after_experiment(pag, one.node, caused);
      ASSERT_TRUE(after) << trial;
      const int settled = circle_count(pag) - circle_count(*after);
      EXPECT_GE(settled, one.least) << trial;
      EXPECT_GE(one.least, one.circles);
      more += one.least > one.circles;
      ++asked;
      for (Node a = 0; a < observed; ++a) {
        for (const Node b : after->neighbours(a)) {
          if (after->mark(a, b) == Mark::kArrow) {
            EXPECT_FALSE(causes(dag, b, a)) << trial;
          }
          if (after->mark(a, b) == Mark::kTail) {
            EXPECT_TRUE(causes(dag, b, a)) << trial;
          }
        }
      }
    }
  }
  EXPECT_GT(asked, 300);
  EXPECT_GT(more, 50);  // the rules, and impossible outcomes, matter
}

// a o-o b o-o c, a and c not adjacent: b is no collider, so it causes one of them at least. An experiment on b shows
// both of its marks, and one arrowhead at least at the other ends; one on a shows its mark, and if a does not cause b,
// then nothing else; so 3 and 1.
TEST(PagNext, AChain) {
  Pag chain(3);
  chain.join(0, 1);
  chain.join(1, 2);
  EXPECT_EQ(circle_count(chain), 4);
  const std::vector<PagExperiment> found = pag_experiments(chain);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].node, 1);
  EXPECT_EQ(found[0].circles, 2);
  EXPECT_EQ(found[0].least, 3);
  EXPECT_EQ(found[1].least, 1);
  EXPECT_EQ(found[2].least, 1);
  EXPECT_FALSE(after_experiment(chain, 1, {}));  // b would be a collider

  const NextAnswer answer = next_answer(chain, {"a", "b", "c"}, 2, "r");
  EXPECT_EQ(answer.open, 4);
  EXPECT_EQ(answer.experiments[0].variable, "b");
  EXPECT_EQ(answer.batch, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(answer.batch_settled.least, 3);  // the marks at b and a
}

TEST(PagNext, SelectedRowsAreRefused) {
  Pag pag(2);
  pag.join(0, 1);
  pag.set_mark(0, 1, Mark::kTail);
  pag.set_mark(1, 0, Mark::kTail);
  EXPECT_THROW(pag_experiments(pag, "r"), InputError);
}

}  // namespace
}  // namespace agon
