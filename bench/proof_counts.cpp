// The referee on many random problems whose best score is known: what the tests do, as often as one likes.
//
//   proof_counts [--problems N] [--stops N] [--mutations N] [--seed S]
//
// Problems of 4 to 10 nodes, six scores, with and without knowledge: the referee's graph is the best there is, up to
// 1e-5 nats and twice the rounding, and the checker accepts the proof. Stops: budgets from 10 microseconds to 0.1 s,
// no bound below the best score. Mutations: damaged proofs, none accepted below it. Ends with 1 if one of them fails.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

#include "agon/base/error.h"
#include "agon/referee/linear_program.h"
#include "agon/referee/referee.h"
#include "agon/referee/test_problems.h"
#include "bench/clock.h"

using namespace agon;

namespace {

const char* const kScores[] = {"discrete-bic", "gaussian-bic", "copula-bic", "bdeu", "qnml", "qnml-edges"};

long prove(int count, uint64_t seed) {
  Rng rng(seed);
  long failed = 0;
  for (int k = 0; k < count; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 6], 4 + rng.below(7), k % 3 == 0);
    const bool dp = k % 2 == 0 || !has_linear_program();
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e11, .dp = dp});
    const ProofVerdict checked =
        check_proof(read_proof(to_text(v.proof), "proof"), problem.judged(), problem.knowledge);
    const double behind = best_score(problem) - v.score;
    const bool best = std::abs(behind) < 1e-5 + 2 * v.rounding;
    if (v.proven && v.limit == 0 && best && checked.accepted && checked.proven) continue;
    ++failed;
    fmt::print("problem {} ({}, {} nodes): score {}, gap {}\n", k, problem.score, problem.data->size(), v.score,
               v.gap());
  }
  return failed;
}

long stop(int count, uint64_t seed) {
  Rng rng(seed);
  long failed = 0;
  for (int k = 0; k < count; ++k) {
    const ProofProblem problem = random_proof_problem(rng, kScores[k % 2], 7, k % 3 == 0);
    const double work = std::pow(10.0, 4 + 4 * rng.uniform());
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = work, .dp = false});
    const ProofVerdict checked = check_proof(v.proof, problem.judged(), problem.knowledge);
    if (v.judged && checked.accepted && v.upper_bound >= best_score(problem, v.limit) - 1e-6) continue;
    ++failed;
    fmt::print("stop {}: bound {}\n", k, v.upper_bound);
  }
  return failed;
}

struct Mutations {
  long refused = 0, accepted = 0, below = 0;
};
Mutations damage(int count, uint64_t seed) {
  Rng rng(seed);
  Mutations out;
  for (int k = 0; k < count;) {
    const ProofProblem problem = random_proof_problem(rng, kScores[rng.below(2)], 5, k % 3 == 0);
    const Judgement v = judge(problem.judged(), problem.knowledge, problem.some, {.work = 1e10, .dp = false});
    const std::string text = to_text(v.proof);
    const double best = best_score(problem, v.limit);
    for (int times = 0; times < 200 && k < count; ++times, ++k) {
      try {
        const ProofVerdict checked =
            check_proof(read_proof(mutated(text, rng), "proof"), problem.judged(), problem.knowledge);
        const double truth = checked.limit == v.limit ? best : best_score(problem, checked.limit);
        (checked.accepted ? out.accepted : out.refused)++;
        if (checked.accepted && checked.upper_bound < truth - 1e-6) ++out.below;
      } catch (const InputError&) {
        ++out.refused;
      }
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  int problems = 1000, stops = 1000, mutations = 100'000;
  uint64_t seed = 1;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string word = argv[k];
    const int value = std::stoi(argv[k + 1]);
    if (word == "--problems") problems = value;
    if (word == "--stops") stops = value;
    if (word == "--mutations") mutations = value;
    if (word == "--seed") seed = static_cast<uint64_t>(value);
  }
  double start = bench::cpu_seconds();
  const auto lap = [&] {
    const double now = bench::cpu_seconds();
    return now - std::exchange(start, now);
  };
  const long unproven = prove(problems, seed);
  fmt::print("{} problems: {} failed ({:.1f} s)\n", problems, unproven, lap());
  const long wrong = stop(stops, seed + 1);
  fmt::print("{} stops: {} failed ({:.1f} s)\n", stops, wrong, lap());
  const Mutations found = damage(mutations, seed + 2);
  fmt::print("{} damaged proofs: {} refused, {} accepted, {} of them below the best score ({:.1f} s)\n", mutations,
             found.refused, found.accepted, found.below, lap());
  return unproven + wrong + found.below == 0 ? 0 : 1;
}
