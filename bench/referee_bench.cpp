// Times the referee on a table: CPU seconds of listing and proving, the gap, and of the check of the proof.
//
//   referee_bench NAME [ROWS] [--limit K] [--work SECONDS] [--score NAME] [--proof FILE]
//
// NAME is an embedded data set or a CSV file. The champion is the graph of BOSS. Without --score it is the default
// score of the table, with its default price per edge.
#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"
#include "agon/opponent/boss.h"
#include "agon/referee/referee.h"
#include "bench/clock.h"

using namespace agon;

int main(int argc, char** argv) {
  std::string name = "asia", score_name = "auto", proof_file;
  size_t rows = 0;
  RefereeOptions options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--limit")
      options.limit = std::stoi(argv[++k]);
    else if (word == "--work")
      options.work = 1e9 * std::stod(argv[++k]);
    else if (word == "--score")
      score_name = argv[++k];
    else if (word == "--proof")
      proof_file = argv[++k];
    else if (k == 1)
      name = word;
    else
      rows = std::stoul(word);
  }
  const Dataset data = is_embedded(name) ? embedded_table(name, rows) : read_csv(name).data;
  const ScoreEntry& entry = choose_score(score_name, data);
  const ScoreOptions given = score_name == "auto" ? with_defaults({}, entry) : ScoreOptions{};
  const auto score = entry.make(data, given);
  const auto scorer = entry.make_plain(data, given);
  double start = bench::cpu_seconds();
  const SearchResult champion = boss(*score);
  fmt::print("{}: {} columns, {} rows, {}; BOSS {:.4f} in {:.2f} s\n", name, data.size(), data.rows(), entry.name,
             champion.score, bench::cpu_seconds() - start);
  const JudgedScore judged{.scorer = *scorer, .name = entry.name, .penalty = 1, .data = data};
  start = bench::cpu_seconds();
  const Judgement v = judge(judged, {}, champion.dag, options);
  fmt::print("{} limit {}: score {:.4f}{}, bound {:.4f}, gap {:.5f} ({:.3f} %), rounding {:.2g}: {:.2f} s\n",
             v.proven ? "PROVEN" : "gap", v.limit, v.score, v.better ? " (better)" : "", v.upper_bound, v.gap(),
             100 * v.gap() / std::abs(v.score), v.rounding, bench::cpu_seconds() - start);
  for (const std::string& sentence : v.story) fmt::print("  {}\n", sentence);
  const std::string text = to_text(v.proof);
  if (!proof_file.empty()) std::ofstream(proof_file) << text;
  start = bench::cpu_seconds();
  const ProofVerdict checked = check_proof(read_proof(text, "proof"), judged, {});
  fmt::print("  proof of {} bytes, {} cuts, {} stages, {} leaves; checked in {:.2f} s: {} {} bound {:.4f}\n",
             text.size(), v.proof.cuts.size(), checked.stages, checked.leaves, bench::cpu_seconds() - start,
             checked.accepted ? "accepted" : "refused", checked.why, checked.upper_bound);
  return 0;
}
