// Times the update of the published challenger, 512 transitions through p^2 -> 512 -> 512 -> 3p(p - 1), beside its
// dense twin in double_dqn.h, which multiplies whole matrices. CPU time of one thread, the least of several updates.
//
//   paper_bench                 as many variables as the paper's tables have, up to 100
//   paper_bench 8 223           other numbers of variables; the twin takes a minute for 223
//
// The states are random graphs of average degree 2.5, about as sparse as those of the paper's tables, and random moves
// from there. The weights of inputs and outputs that no batch has had are passed over, so updates get slower in the
// course of play: "late" is after a batch that has had them all.
//
// Last come the five products of 512 x 512 matrices that every update has, whatever the table, and what the core could
// do at best: fused multiply-adds of the widest registers that wait for nothing.
#include <fmt/format.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstdlib>
#include <vector>

#include "agon/agent/double_dqn.h"
#include "agon/agent/paper_learner.h"
#include "agon/graph/live_dag.h"
#include "agon/graph/measures.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using Twin = DoubleDqn<MoveOutputs<float>>;

constexpr int kBatch = 512;

std::vector<EdgeMove> legal_moves(const LiveDag& dag) {
  std::vector<EdgeMove> all;
  for (Node from = 0; from < dag.size(); ++from) {
    for (Node to = 0; to < dag.size(); ++to) {
      for (const MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
        if (from != to && dag.is_legal({kind, from, to})) all.push_back({kind, from, to});
      }
    }
  }
  return all;
}

std::vector<PaperMemory> random_play(int p, Rng& rng) {
  std::vector<PaperMemory> all;
  while (all.size() < kBatch) {
    LiveDag dag(random_dag_like(p, 5 * p / 4, rng));
    std::vector<EdgeMove> valid = legal_moves(dag);
    for (int step = 0; step < 64; ++step) {
      PaperMemory memory;
      for (const Edge& e : dag.dag().edges()) memory.inputs.push_back(paper_input(p, e));
      memory.move = valid[static_cast<size_t>(rng.below(static_cast<int>(valid.size())))];
      memory.reward = static_cast<float>(rng.normal());
      dag.apply(memory.move);
      valid = legal_moves(dag);
      memory.set_next(valid, p);
      all.push_back(std::move(memory));
    }
  }
  return all;
}

// Moves that make every output occur once.
std::vector<PaperMemory> every_move(int p) {
  std::vector<PaperMemory> all;
  for (Node from = 0; from < p; ++from) {
    for (Node to = 0; to < p; ++to) {
      for (const MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
        if (from == to) continue;
        PaperMemory memory;
        memory.inputs = {paper_input(p, {from, to})};
        memory.move = {kind, from, to};
        memory.set_next({}, p);
        all.push_back(std::move(memory));
      }
    }
  }
  return all;
}

std::vector<const PaperMemory*> pointers(const std::vector<PaperMemory>& all, size_t begin, size_t count) {
  std::vector<const PaperMemory*> batch;
  for (size_t k = begin; k < std::min(all.size(), begin + count); ++k) batch.push_back(&all[k]);
  return batch;
}

Twin::Transition dense(const PaperMemory& memory, int p) {
  Twin::Transition t;
  t.state.setZero(static_cast<long>(p) * p);
  for (const int k : memory.inputs) t.state[k] = 1;
  t.move = paper_output(p, memory.move);
  t.reward = memory.reward;
  t.next = t.state;
  t.next_valid = memory.next_others;
  for (Node pair : NodeView(memory.next_additions.data(), static_cast<int>(memory.next_additions.size()))) {
    t.next_valid.push_back(3 * pair);
  }
  return t;
}

// 24 chains of fused multiply-adds in the widest registers. The caller asks the processor first whether it has them.
constexpr long kSpins = 200000;
constexpr int kChains = 24;
#if defined(__x86_64__)
__attribute__((target("avx512f"))) float spin_avx512() {
  __m512 chain[kChains];
  for (int c = 0; c < kChains; ++c)
    chain[c] = _mm512_set1_ps(static_cast<float>(c));  // equal chains would be made once
  const __m512 factor = _mm512_set1_ps(0.999f), term = _mm512_set1_ps(1e-3f);
  for (long k = 0; k < kSpins; ++k) {
#pragma GCC unroll 24
    for (__m512& x : chain) x = _mm512_fmadd_ps(x, factor, term);
  }
  for (int c = 1; c < kChains; ++c) chain[0] = _mm512_add_ps(chain[0], chain[c]);
  return _mm512_cvtss_f32(chain[0]);
}

__attribute__((target("avx2,fma"))) float spin_avx2() {
  constexpr int kHere = 12;  // there are 16 registers
  __m256 chain[kHere];
  for (int c = 0; c < kHere; ++c) chain[c] = _mm256_set1_ps(static_cast<float>(c));
  const __m256 factor = _mm256_set1_ps(0.999f), term = _mm256_set1_ps(1e-3f);
  for (long k = 0; k < kSpins * kChains / kHere; ++k) {
#pragma GCC unroll 12
    for (__m256& x : chain) x = _mm256_fmadd_ps(x, factor, term);
  }
  for (int c = 1; c < kHere; ++c) chain[0] = _mm256_add_ps(chain[0], chain[c]);
  return _mm256_cvtss_f32(chain[0]);
}
#endif

// Billions of operations per second that no product can exceed; 0 where it is not known.
double most_operations() {
#if defined(__x86_64__)
  volatile float kept = 0;  // so that the loop is not left out
  const double operations = 2e-9 * kSpins * kChains;
  if (__builtin_cpu_supports("avx512f")) return 16 * operations / bench::least_seconds([&] { kept = spin_avx512(); });
  if (__builtin_cpu_supports("avx2")) return 8 * operations / bench::least_seconds([&] { kept = spin_avx2(); });
#endif
  return 0;
}

void print_products() {
  constexpr int kWidth = 512;
  const std::vector<float> a(static_cast<size_t>(kWidth) * kWidth, 0.5f), b(a);
  std::vector<float> c(a.size());
  std::vector<float> scratch;
  const double seconds = bench::least_seconds([&] {
    dense_kernels<float>().product({a.data(), kWidth, 1}, {b.data(), kWidth, 1}, kBatch, kWidth, kWidth, false,
                                   c.data(), kWidth, scratch);
  });
  const double operations = 2e-9 * kWidth * kWidth * kBatch, most = most_operations();
  fmt::print("\nfive products of {0} x {0} and {0} x {1}: {2:.2f} ms, {3:.1f} GFLOP/s", kWidth, kBatch, 5e3 * seconds,
             operations / seconds);
  if (most > 0) fmt::print("; this core at most {:.1f} GFLOP/s, {:.2f} ms", most, 5e3 * operations / most);
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  for (int k = 1; k < argc; ++k) sizes.push_back(std::atoi(argv[k]));
  if (sizes.empty()) sizes = {8, 11, 12, 20, 37, 70, 100};
  fmt::print("\nthe paper's network, an update of {} transitions, ms of CPU time\n", kBatch);
  fmt::print("{:>4} {:>12} {:>10} {:>10} {:>10} {:>8} {:>10}\n", "p", "weights", "dense twin", "early", "late", "ratio",
             "peak MB");
  for (const int p : sizes) {
    Rng rng(1);
    const Mlp net({.inputs = p * p, .hidden = {512, 512}, .outputs = 3 * p * (p - 1), .leak = 0}, rng.split("network"));
    const auto play = random_play(p, rng);
    const auto batch = pointers(play, 0, kBatch);
    double early = 0, late = 0, twin_time = 0;
    {
      PaperLearner learner(p, net, {});
      early = bench::least_seconds([&] { learner.update(batch); });
      const auto rest = every_move(p);
      for (size_t begin = 0; begin < rest.size(); begin += 4 * kBatch)
        learner.update(pointers(rest, begin, 4 * kBatch));
      late = bench::least_seconds([&] { learner.update(batch); });
    }
    const long peak = bench::peak_megabytes();
    {
      std::vector<Twin::Transition> all;
      for (const PaperMemory* memory : batch) all.push_back(dense(*memory, p));
      std::vector<const Twin::Transition*> twin_batch;
      for (const auto& t : all) twin_batch.push_back(&t);
      Twin twin(net, {}, {});
      twin_time = bench::least_seconds([&] { twin.update(twin_batch); });
    }
    fmt::print("{:>4} {:>12} {:>10.2f} {:>10.2f} {:>10.2f} {:>7.1f}x {:>10}\n", p, net.weights().size(),
               1e3 * twin_time, 1e3 * early, 1e3 * late, twin_time / late, peak);
  }
  print_products();
}
