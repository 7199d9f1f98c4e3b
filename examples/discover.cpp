// Reads a table, runs GES, lets the challengers play against its graph, and prints the champion.
//
//   discover TABLE.csv
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "agon/catalog/scores.h"
#include "agon/data/csv.h"
#include "agon/match/match.h"
#include "agon/opponent/ges.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: discover TABLE.csv\n";
    return 2;
  }
  try {
    const agon::Dataset data = agon::read_csv(argv[1]).data;
    const auto score = agon::make_score("auto", data);
    const auto run_ges = [&](const agon::Watch& watch, auto&&...) { return agon::ges(*score, {}, watch); };
    const agon::MatchResult match = agon::play_match(*score, {{"ges", run_ges}}, {.moves = 20000}, {}, agon::Rng(0));

    const std::vector<std::string> names = data.names();
    for (const agon::Edge& e : match.champion.edges()) std::cout << names[e.from] << " -> " << names[e.to] << '\n';
    std::cout << "score " << match.score << ", of GES alone " << match.opponents[0].result.score << '\n';
  } catch (const std::exception& error) {  // what it says is meant for the user: the place, the problem, a hint
    std::cerr << error.what() << '\n';
    return 3;
  }
}
