// Golden scores of the embedded data sets (default rows, seed 0), each for the graph held to be true and for the empty
// one.
//
// The figures come from a separate program in another language that follows the formulas by definition:
//   discrete-bic   sum_rows ln(N_ca / N_c) - 1/2 ln n (r_j - 1) prod r_q
//   bdeu           Dirichlet-multinomial marginal likelihood, equivalent sample size 10
//   gaussian-bic   -n/2 (ln(2 pi v) + 1) - 1/2 ln n (|P| + 2), v by least squares with intercept on the rows
//   copula-bic     the same on normal scores of average ranks, (rank - 1/2) / n, restandardised
// A mismatch means that a score, a network's tables, the sampler or the generator changed.
#include <gtest/gtest.h>

#include "agon/data/embedded.h"
#include "agon/graph/dag.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

struct Golden {
  const char* data;
  const char* score;
  double truth, empty;
};

constexpr Golden kGolden[] = {
    {"asia", "discrete-bic", -22491.196172, -29783.898194},     {"asia", "bdeu", -22522.292297, -29821.033562},
    {"lucas", "discrete-bic", -12107.245127, -14189.949342},    {"lucas", "bdeu", -12097.350226, -14188.909517},
    {"child", "discrete-bic", -12984.775949, -17356.238574},    {"child", "bdeu", -12732.315691, -17346.943459},
    {"alarm", "discrete-bic", -106729.562208, -204838.581429},  {"alarm", "bdeu", -105730.309805, -204975.518027},
    {"hepar2", "discrete-bic", -167704.110097, -175569.117232}, {"hepar2", "bdeu", -164046.817191, -175769.129615},
    {"andes", "discrete-bic", -934531.193375, -1226800.303655}, {"andes", "bdeu", -934212.710159, -1227001.365878},
    {"sachs", "gaussian-bic", -506019.534944, -545127.403792},  {"sachs", "copula-bic", -102809.420113, -116629.845239},
};

TEST(GoldenScores, EmbeddedData) {
  for (const Golden& golden : kGolden) {
    const Dataset data = embedded_table(golden.data);
    std::vector<Edge> edges;
    for (const auto& [from, to] : embedded_truth(golden.data))
      edges.push_back({data.index_of(from), data.index_of(to)});
    const auto score = make_score(golden.score, data);
    EXPECT_NEAR(total(*score, dag_from_edges(data.size(), edges).value()), golden.truth, 2e-6) << golden.data;
    EXPECT_NEAR(total(*score, Dag(data.size())), golden.empty, 2e-6) << golden.data << " " << golden.score;
  }
}

}  // namespace
}  // namespace agon
