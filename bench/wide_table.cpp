// Writes a table of many variables whose graph is known, and that graph: what docs/scale.md is measured on.
//
//   ninja -C build wide_table && build/wide_table numbers 10000 1000 4 1 build/wide
//   build/wide_table categories 2000 5000 4 1 build/wide           kind, columns, rows, average degree, seed, folder
//
// The graph is an Erdos-Renyi graph with shuffled nodes. Numbers: linear, weights of 0.5 to 1 with random signs, normal
// noise of deviation 1. Categories: 2 to 4 levels, rows of the tables drawn from a Dirichlet distribution with all
// parameters 1. Files: KIND-COLUMNS-ROWS.csv, and the graph beside it with -truth.csv at the end.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "agon/data/csv.h"
#include "agon/data/simulate.h"

namespace {

using namespace agon;

void write_truth(const std::string& path, const std::vector<std::vector<int>>& parents) {
  std::ofstream out(path);
  out << "from,to\n";
  for (size_t v = 0; v < parents.size(); ++v) {
    for (const int q : parents[v]) out << 'X' << q + 1 << ",X" << v + 1 << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "";
  if (argc != 7 || (kind != "numbers" && kind != "categories")) {
    fmt::print(stderr, "usage: wide_table numbers|categories COLUMNS ROWS DEGREE SEED FOLDER\n");
    return 2;
  }
  const int columns = std::atoi(argv[2]), rows = std::atoi(argv[3]);
  const Rng rng(static_cast<uint64_t>(std::atoll(argv[5])));
  const auto parents = random_graph({.nodes = columns, .average_degree = std::atof(argv[4])}, rng.split("graph"));
  const Dataset data = kind == "numbers" ? simulate_sem(parents, static_cast<size_t>(rows), {}, rng.split("rows")).data
                                         : sample(random_bayes_net(parents, 2, 4, 1, rng.split("net")),
                                                  static_cast<size_t>(rows), rng.split("rows"), "random");
  const std::string stem = fmt::format("{}/{}-{}-{}", argv[6], kind, columns, rows);
  std::ofstream table(stem + ".csv");
  write_csv(table, data);
  write_truth(stem + "-truth.csv", parents);
  return 0;
}
