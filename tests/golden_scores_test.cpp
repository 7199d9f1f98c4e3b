// Golden scores of the embedded data sets (default rows, seed 0), each for the graph held to be true and for the empty
// one. Every figure is made by tests/python/golden_scores_test.py: the formulas by definition in plain Python, which
// shares no code with agon and takes the rows from
//
//   build/agon sample asia --count 10000 --seed 0          (sachs: datasets/sachs.csv)
//
// whose SHA-256 it knows. Its first page has the formulas and their sources.
//
//   tests/python/golden_scores_test.py build/agon            prints the lines of kGolden
//   tests/python/golden_scores_test.py build/agon --check    compares them; a test of `make test`
//
// A checksum that differs means that a network's tables, the sampler or the generator changed; a figure that differs
// beside an equal checksum means that a score did.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/graph/dag.h"

namespace agon {
namespace {

struct Golden {
  const char* data;
  const char* score;
  double truth, empty;
};

constexpr Golden kGolden[] = {
    {"asia", "discrete-bic", -22491.196172, -29783.898194},
    {"asia", "bdeu", -22522.292297, -29821.033562},
    {"lucas", "discrete-bic", -12107.245127, -14189.949342},
    {"lucas", "bdeu", -12097.350226, -14188.909517},
    {"child", "discrete-bic", -12984.775949, -17356.238574},
    {"child", "bdeu", -12732.315691, -17346.943459},
    {"alarm", "discrete-bic", -106729.562208, -204838.581429},
    {"alarm", "bdeu", -105730.309805, -204975.518027},
    {"hepar2", "discrete-bic", -167704.110097, -175569.117232},
    {"hepar2", "bdeu", -164046.817191, -175769.129615},
    {"andes", "discrete-bic", -934531.193375, -1226800.303655},
    {"andes", "bdeu", -934212.710159, -1227001.365878},
    {"asia", "discrete-bic-seen", -22491.196172, -29783.898194},
    {"asia", "bds", -22522.292297, -29821.033562},
    {"asia", "qnml", -22482.649326, -29786.400057},
    {"asia", "qnml-edges", -22484.415615, -29778.531412},
    {"asia", "fnml", -22480.515904, -29786.400057},
    {"asia", "bdeu-fitted", -22476.400544, -29785.705613},
    {"lucas", "discrete-bic-seen", -12107.245127, -14189.949342},
    {"lucas", "bds", -12097.350226, -14188.909517},
    {"lucas", "qnml", -12091.977910, -14193.788937},
    {"lucas", "qnml-edges", -12102.807616, -14183.899935},
    {"lucas", "fnml", -12098.483285, -14193.788937},
    {"lucas", "bdeu-fitted", -12091.921375, -14186.451388},
    {"child", "discrete-bic-seen", -12984.775949, -17356.238574},
    {"child", "bds", -12732.315691, -17346.943459},
    {"child", "qnml", -12706.640793, -17355.627327},
    {"child", "qnml-edges", -12678.282760, -17328.118555},
    {"child", "fnml", -12731.110176, -17355.627327},
    {"child", "bdeu-fitted", -12732.315691, -17346.943459},
    {"alarm", "discrete-bic-seen", -106688.115677, -204838.581429},
    {"alarm", "bds", -105728.168077, -204975.518027},
    {"alarm", "qnml", -105946.819130, -204840.968697},
    {"alarm", "qnml-edges", -105800.663645, -204777.860929},
    {"alarm", "fnml", -105666.681329, -204840.968697},
    {"hepar2", "discrete-bic-seen", -165749.414259, -175569.117232},
    {"hepar2", "bds", -163893.645157, -175769.129615},
    {"hepar2", "qnml", -164645.487084, -175584.494861},
    {"hepar2", "qnml-edges", -164542.228431, -175503.061158},
    {"hepar2", "fnml", -163488.658874, -175584.494861},
    {"andes", "discrete-bic-seen", -934498.957183, -1226800.303655},
    {"andes", "bds", -934209.494201, -1227001.365878},
    {"andes", "qnml", -933102.756765, -1226870.043083},
    {"andes", "qnml-edges", -934150.431765, -1226650.704607},
    {"andes", "fnml", -933286.136231, -1226870.043083},
    {"sachs", "gaussian-bic", -506019.534944, -545127.403792},
    {"sachs", "copula-bic", -102809.420113, -116629.845239},
};

// Dataset::checksum of the rows that the figures are of.
const std::map<std::string, std::string> kChecksum = {
    {"asia", "42c181f8aab26380"},  {"lucas", "dd507edfbf8c6f46"},  {"child", "ca2b9055a60d2759"},
    {"alarm", "ec71f20f65bb11ff"}, {"hepar2", "172f5061144e98e6"}, {"andes", "5b8262e2970ad935"},
    {"sachs", "a26fc4b373c9eda3"},
};

TEST(GoldenScores, EmbeddedData) {
  for (const Golden& golden : kGolden) {
    const Dataset data = embedded_table(golden.data);
    ASSERT_EQ(data.checksum(), kChecksum.at(golden.data)) << golden.data;
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
