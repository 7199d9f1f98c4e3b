#include "agon/data/embedded.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "agon/base/error.h"
#include "agon/data/embedded_files.h"

namespace agon {
namespace {

using Edges = std::set<std::pair<std::string, std::string>>;

Edges as_set(const std::vector<std::pair<std::string, std::string>>& edges) { return {edges.begin(), edges.end()}; }

TEST(Embedded, NetworksHaveThePublishedSizes) {
  const std::map<std::string, std::vector<long>> published = {
      {"asia", {8, 8, 18}},     {"sachs", {11, 17, 178}},    {"lucas", {12, 12, 29}},    {"child", {20, 25, 230}},
      {"alarm", {37, 46, 509}}, {"hepar2", {70, 123, 1453}}, {"andes", {223, 338, 1157}}};
  for (const auto& [name, sizes] : published) {
    const BayesNet net = embedded_network(name);
    EXPECT_EQ((std::vector<long>{net.size(), net.edge_count(), net.parameter_count()}), sizes) << name;
  }
}

TEST(Embedded, ListAgreesWithWhatIsThere) {
  std::set<std::string> files;
  for (const EmbeddedInfo& info : embedded_datasets()) {
    EXPECT_FALSE(info.source.empty()) << info.name;
    EXPECT_FALSE(info.licence.empty()) << info.name;
    EXPECT_EQ(is_embedded(info.name), info.kind != "external");
    if (info.kind == "external") continue;
    files.insert(info.name + (info.kind == "network" ? ".net" : ".csv"));
    const Dataset data = embedded_table(info.name);
    EXPECT_EQ(data.rows(), info.rows) << info.name;
    EXPECT_EQ(data.size(), info.nodes) << info.name;
    const auto truth = embedded_truth(info.name);
    EXPECT_EQ(truth.size(), static_cast<size_t>(info.edges)) << info.name;
    for (const auto& [from, to] : truth) {
      EXPECT_GE(data.index_of(from), 0) << info.name << ": " << from;
      EXPECT_GE(data.index_of(to), 0) << info.name << ": " << to;
    }
    if (info.kind == "network") {
      const BayesNet net = embedded_network(info.name);
      EXPECT_EQ(net.edge_count(), info.edges) << info.name;
      EXPECT_EQ(net.parameter_count(), info.parameters) << info.name;
    }
  }
  std::set<std::string> names;
  for (const std::string_view name : embedded_file_names()) {
    if (name.ends_with(".net") || name.ends_with(".csv")) names.emplace(name);
  }
  EXPECT_EQ(files, names);
}

// Pins the generator, the streams, the tables and the checksum together. A mismatch means that a published sample is
// no longer what it was: that must never happen by accident.
TEST(Embedded, SamplesWithSeedZeroAreFixedForEver) {
  const std::map<std::string, std::string> golden = {{"asia", "42c181f8aab26380"},      {"sachs", "a26fc4b373c9eda3"},
                                                     {"sachs-net", "7637bb4c1a398dc6"}, {"lucas", "dd507edfbf8c6f46"},
                                                     {"child", "ca2b9055a60d2759"},     {"alarm", "ec71f20f65bb11ff"},
                                                     {"hepar2", "172f5061144e98e6"},    {"andes", "5b8262e2970ad935"}};
  for (const auto& [name, checksum] : golden) EXPECT_EQ(embedded_table(name).checksum(), checksum) << name;
}

TEST(Embedded, AnotherSeedGivesAnotherSampleOfTheSameShape) {
  const Dataset a = embedded_table("asia", 500, 1), b = embedded_table("asia", 500, 2);
  EXPECT_EQ(a.rows(), 500u);
  EXPECT_EQ(a.names(), b.names());
  EXPECT_NE(a.checksum(), b.checksum());
  EXPECT_EQ(a.checksum(), embedded_table("asia", 500, 1).checksum());
}

TEST(Embedded, AsiaIsTheNetworkOfThePaper) {  // Lauritzen & Spiegelhalter 1988, table 1
  const BayesNet net = embedded_network("asia");
  EXPECT_EQ(as_set(net.edges()), (Edges{{"asia", "tub"},
                                        {"smoke", "lung"},
                                        {"smoke", "bronc"},
                                        {"lung", "either"},
                                        {"tub", "either"},
                                        {"either", "xray"},
                                        {"bronc", "dysp"},
                                        {"either", "dysp"}}));
  EXPECT_EQ(net.tables[net.index_of("dysp")], (std::vector<double>{0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.1, 0.9}));
}

TEST(Embedded, LucasHasThePublishedProbabilities) {
  const BayesNet net = embedded_network("lucas");
  // P(child = 1 | first, second), both 0 or 1.
  const auto given = [&](const std::string& child, const std::string& first, int x, const std::string& second, int y) {
    const int node = net.index_of(child);
    const auto& parents = net.parents[node];
    EXPECT_EQ(parents.size(), 2u);
    const bool in_order = net.names[parents[0]] == first && net.names[parents[1]] == second;
    EXPECT_TRUE(in_order || (net.names[parents[0]] == second && net.names[parents[1]] == first));
    return net.tables[node][(in_order ? 2 * x + y : 2 * y + x) * 2 + 1];
  };
  EXPECT_EQ(given("Smoking", "Peer_Pressure", 1, "Anxiety", 0), 0.74591);
  EXPECT_EQ(given("Smoking", "Peer_Pressure", 0, "Anxiety", 1), 0.8686);
  EXPECT_EQ(given("Lung_cancer", "Genetics", 1, "Smoking", 0), 0.86996);
  EXPECT_EQ(given("Lung_cancer", "Genetics", 0, "Smoking", 1), 0.83934);
  EXPECT_EQ(given("Coughing", "Allergy", 1, "Lung_cancer", 0), 0.64592);
  EXPECT_EQ(given("Coughing", "Allergy", 0, "Lung_cancer", 1), 0.7664);
  EXPECT_EQ(given("Fatigue", "Lung_cancer", 1, "Coughing", 0), 0.56514);
  EXPECT_EQ(given("Fatigue", "Lung_cancer", 0, "Coughing", 1), 0.80016);
  EXPECT_EQ(given("Car_Accident", "Attention_Disorder", 1, "Fatigue", 0), 0.779);
  EXPECT_EQ(given("Car_Accident", "Attention_Disorder", 0, "Fatigue", 1), 0.78861);
}

TEST(Embedded, SachsIsMeasuredAndItsTruthUsesItsColumnNames) {
  const Dataset data = embedded_table("sachs");
  EXPECT_EQ(data.rows(), 7466u);
  EXPECT_TRUE(data.all_of(ColumnKind::kContinuous));
  EXPECT_EQ(data.column(data.file_order().front()).name, "praf");
  EXPECT_EQ(data.column(data.index_of("p44/42")).values.front(), 6.61);
  EXPECT_EQ(as_set(embedded_truth("sachs")), (Edges{{"PKC", "PKA"},
                                                    {"PKC", "praf"},
                                                    {"PKC", "pmek"},
                                                    {"PKC", "pjnk"},
                                                    {"PKC", "P38"},
                                                    {"PKA", "praf"},
                                                    {"PKA", "pmek"},
                                                    {"PKA", "p44/42"},
                                                    {"PKA", "pakts473"},
                                                    {"PKA", "pjnk"},
                                                    {"PKA", "P38"},
                                                    {"praf", "pmek"},
                                                    {"pmek", "p44/42"},
                                                    {"p44/42", "pakts473"},
                                                    {"plcg", "PIP2"},
                                                    {"plcg", "PIP3"},
                                                    {"PIP3", "PIP2"}}));
}

TEST(Embedded, FewerMeasuredRowsAreDrawnWithoutReplacement) {
  const Dataset all = embedded_table("sachs"), some = embedded_table("sachs", 1000, 4);
  EXPECT_EQ(some.rows(), 1000u);
  EXPECT_EQ(some.checksum(), embedded_table("sachs", 1000, 4).checksum());
  EXPECT_NE(some.checksum(), embedded_table("sachs", 1000, 5).checksum());
  // Every chosen row is in the whole table, in the same order.
  size_t at = 0;
  for (size_t row = 0; row < some.rows(); ++row, ++at) {
    const auto differs = [&] {
      for (int k = 0; k < all.size(); ++k) {
        if (all.column(k).values[at] != some.column(k).values[row]) return true;
      }
      return false;
    };
    while (at < all.rows() && differs()) ++at;
    ASSERT_LT(at, all.rows()) << "row " << row;
  }
  EXPECT_THROW(embedded_table("sachs", 7467), UsageError);
}

TEST(Embedded, UnknownAndExternalNamesSayWhatToDo) {
  const auto message = [](const std::string& name) -> std::string {
    try {
      embedded_table(name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("alrm").find("alarm"), std::string::npos);
  EXPECT_NE(message("zzzzzz").find("hepar2"), std::string::npos);
  EXPECT_NE(message("dream4").find("Synapse"), std::string::npos);
  EXPECT_FALSE(is_embedded("dream4"));
}

}  // namespace
}  // namespace agon
