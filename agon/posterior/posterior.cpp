#include "agon/posterior/posterior.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include "agon/base/parallel.h"
#include "agon/posterior/convergence.h"
#include "agon/posterior/order_chain.h"

namespace agon {
namespace {

constexpr int kChains = 2;
constexpr long kFirstSweeps = 2000;  // of a chain in its first stage: steps for each node
constexpr double kHottest = 64;
constexpr long kSweepsPerTemperature = 100;
constexpr long kTurn = 10'000;        // steps of one chain before the other has its turn
constexpr double kWorstError = 1e-6;  // of the exact answer; beyond that it is sampled

std::vector<ParentTable> make_tables(const LocalScore& score, const Knowledge& knowledge,
                                     const std::vector<std::vector<Node>>& lists, const std::vector<int>& most_parents,
                                     int threads, const Watch& watch) {
  const std::vector<Node> nodes = varying_nodes(score);
  std::vector<ParentTable> tables(nodes.size());
  std::mutex mutex;  // guards the reports
  long done = 0;
  parallel_for(static_cast<int>(nodes.size()), threads, [&](int k) {
    const auto v = static_cast<size_t>(nodes[static_cast<size_t>(k)]);
    tables[static_cast<size_t>(k)] =
        make_parent_table(score, knowledge, static_cast<Node>(v), lists[v], most_parents[v], watch);
    const std::lock_guard lock(mutex);
    watch.tell({"posterior, scores", ++done, -1, 0, {}, static_cast<long>(nodes.size()), "column"});
  });
  return tables;
}

Posterior nothing(const LocalScore& score) {
  Posterior out;
  out.nodes = score.size();
  const auto p = static_cast<size_t>(out.nodes);
  out.arrow.assign(p * p, 0);
  out.path.assign(p * p, 0);
  return out;
}

// From indices of tables to nodes.
void spread(const std::vector<double>& by_table, const std::vector<ParentTable>& tables, std::vector<double>& out,
            int nodes) {
  for (size_t a = 0; a < tables.size(); ++a) {
    for (size_t b = 0; b < tables.size(); ++b) {
      out[static_cast<size_t>(tables[a].child) * static_cast<size_t>(nodes) + static_cast<size_t>(tables[b].child)] =
          by_table[a * tables.size() + b];
    }
  }
}

// A random DAG, cooled down: at first the weights of DAGs are nearly even, exp(score / 64), and the chain goes
// wherever it likes; then the temperature is halved again and again. Without this a chain from a random DAG may stay
// for very long in a part of the space that has next to no weight, because the way out leads through worse DAGs.
ParentMasks annealed(const ParentSpace& space, const std::vector<ParentTable>& tables, Rng rng, const Watch& watch) {
  ParentMasks parents = random_parents(space, rng);
  for (double temperature = kHottest; temperature > 1 && !watch.stop_requested(); temperature /= 2) {
    std::vector<ParentTable> warm = tables;
    for (ParentTable& table : warm) {
      for (double& score : table.own) score /= temperature;
      table.sum_up();
    }
    const ParentSpace warm_space(warm);
    OrderChain chain(warm_space, parents, rng.split("temperature", static_cast<uint64_t>(temperature)));
    for (long k = 0; k < kSweepsPerTemperature * space.size() && !watch.stop_requested(); ++k) chain.step();
    parents = chain.parents();
  }
  return parents;
}

// Chains, what they have seen, and what follows from it.
class Sampler {
 public:
  Sampler(const std::vector<ParentTable>& tables, const Dag& first, const PosteriorOptions& options, const Rng& rng,
          const Watch& watch)
      : space_(tables), tables_(tables), options_(options), watch_(watch), seen_(kChains) {
    chains_.emplace_back(space_, parents_in(space_, first), rng.split("chain", 0));
    chains_.emplace_back(space_, annealed(space_, tables, rng.split("start"), watch), rng.split("chain", 1));
  }

  void run(Posterior& out) {
    const bool open_end = options_.steps == 0;
    long steps = open_end ? kFirstSweeps * space_.size() : options_.steps;
    interval_ = std::max(1L, steps / options_.samples);
    for (int doublings = 0;; ++doublings) {
      advance(steps);
      figures(out);
      if (watch_.stop_requested() || !open_end || out.converged() || doublings == 4) break;
      thin();
      steps *= 2;
    }
    out.stopped_by = *std::ranges::min_element(steps_done_) < steps ? watch_.stop_reason() : "";
    out.sample.steps = *std::ranges::min_element(steps_done_);
    const double all_steps = static_cast<double>(steps_done_[0] + steps_done_[1]);
    out.sample.accepted =
        all_steps > 0 ? static_cast<double>(chains_[0].accepted() + chains_[1].accepted()) / all_steps : 0;
    for (size_t c = 0; c < kChains; ++c)
      out.sample.traces.push_back({c == 0 ? "the best graph found" : "a random graph, annealed", scores(c)});
  }

 private:
  // In turns, so that a stop finds both chains equally far even on one thread.
  void advance(long steps) {
    std::mutex mutex;
    for (long goal = steps_done_[0]; goal < steps && !watch_.stop_requested();) {
      goal = std::min(steps, goal + kTurn);
      parallel_for(kChains, options_.threads, [&](int c) {
        const auto k = static_cast<size_t>(c);
        for (long& done = steps_done_[k]; done < goal;) {
          if (done % 64 == 0 && watch_.stop_requested()) return;
          chains_[k].step();
          if (++done % interval_ == 0) seen_[k].push_back(chains_[k].parents());
        }
        if (seen_[k].empty()) return;
        const std::lock_guard lock(mutex);
        watch_.tell({"posterior", goal, -1, score_of(seen_[k].back()), {}, steps, "step"});
      });
    }
  }

  // Keeps every second sample: those at multiples of twice the interval.
  void thin() {
    for (std::vector<ParentMasks>& samples : seen_) {
      for (size_t k = 0; 2 * k + 1 < samples.size(); ++k) samples[k] = std::move(samples[2 * k + 1]);
      samples.resize(samples.size() / 2);
    }
    interval_ *= 2;
  }

  double score_of(const ParentMasks& sample) const {
    double score = 0;
    for (size_t v = 0; v < tables_.size(); ++v) score += tables_[v].own[sample[v]];
    return score;
  }

  std::vector<double> scores(size_t c) const {
    std::vector<double> out;
    for (const ParentMasks& sample : seen_[c]) out.push_back(score_of(sample));
    return out;
  }

  // The samples that count, of both chains the same number.
  std::array<std::span<const ParentMasks>, kChains> kept() const {
    const size_t shorter = std::min(seen_[0].size(), seen_[1].size());
    const size_t count = shorter - shorter / 4;
    std::array<std::span<const ParentMasks>, kChains> out;
    for (size_t c = 0; c < kChains; ++c) out[c] = std::span(seen_[c]).first(shorter).last(count);
    return out;
  }

  void figures(Posterior& out) const {
    const auto samples = kept();
    const auto p = static_cast<size_t>(out.nodes);
    out.sample.samples = static_cast<int>(samples[0].size() + samples[1].size());
    std::ranges::fill(out.arrow, 0.0);
    std::ranges::fill(out.path, 0.0);
    if (samples[0].empty()) {
      out.sample.samples = 0;
      return;
    }
    std::vector<std::vector<double>> series(kChains);
    for (size_t c = 0; c < kChains; ++c) {
      for (const ParentMasks& sample : samples[c]) series[c].push_back(score_of(sample));
    }
    out.sample.r_hat = out.sample.r_hat_score = split_r_hat(series);
    out.sample.ess = out.sample.ess_score = effective_samples(series);
    out.sample.apart = 0;
    std::vector<std::vector<std::vector<NodeSet>>> ancestors(kChains);  // [chain][sample][table]
    for (size_t c = 0; c < kChains; ++c) {
      for (const ParentMasks& sample : samples[c]) {
        ancestors[c].push_back(ancestors_of(space_, sample));
        add_paths(ancestors[c].back(), out, p);
      }
    }
    for (int v = 0; v < space_.size(); ++v) arrows_into(v, ancestors, out);
    for (double& share : out.path) share /= out.sample.samples;
  }

  // The arrows into one table, with how well the chains agree on them.
  void arrows_into(int v, const std::vector<std::vector<std::vector<NodeSet>>>& ancestors, Posterior& out) const {
    const std::vector<int>& candidates = space_.candidates(v);
    const Node to = space_.table(v).child;
    const auto at = [&](int from) -> double& {
      const Node node = space_.table(from).child;
      return out.arrow[static_cast<size_t>(node) * static_cast<size_t>(out.nodes) + static_cast<size_t>(to)];
    };
    for (const int u : space_.always(v)) at(u) = 1;
    const size_t length = ancestors[0].size();
    std::vector<std::vector<std::vector<double>>> series(
        candidates.size(), std::vector<std::vector<double>>(kChains, std::vector<double>(length)));
    std::vector<double> now(candidates.size());
    for (size_t c = 0; c < kChains; ++c) {
      for (size_t t = 0; t < length; ++t) {
        arrow_probabilities(space_, ancestors[c][t], v, now);
        for (size_t k = 0; k < now.size(); ++k) series[k][c][t] = now[k];
      }
    }
    for (size_t k = 0; k < candidates.size(); ++k) {
      std::array<double, kChains> mean{};
      for (size_t c = 0; c < kChains; ++c) {
        for (const double x : series[k][c]) mean[c] += x / static_cast<double>(length);
      }
      const double probability = (mean[0] + mean[1]) / 2;
      at(candidates[k]) = probability;
      if (probability < 0.01 || probability > 0.99) continue;
      out.sample.apart = std::max(out.sample.apart, std::abs(mean[0] - mean[1]));
      out.sample.r_hat = std::max(out.sample.r_hat, split_r_hat(series[k]));
      out.sample.ess = std::min(out.sample.ess, effective_samples(series[k]));
    }
  }

  void add_paths(const std::vector<NodeSet>& ancestors, Posterior& out, size_t p) const {
    for (size_t v = 0; v < ancestors.size(); ++v) {
      for (const Node a : ancestors[v]) {
        if (static_cast<size_t>(a) == v) continue;
        const auto from = static_cast<size_t>(tables_[static_cast<size_t>(a)].child);
        out.path[from * p + static_cast<size_t>(tables_[v].child)] += 1;
      }
    }
  }

  ParentSpace space_;
  const std::vector<ParentTable>& tables_;
  const PosteriorOptions& options_;
  const Watch& watch_;
  std::vector<OrderChain> chains_;
  std::vector<std::vector<ParentMasks>> seen_;
  std::array<long, kChains> steps_done_{};
  long interval_ = 1;
};

// Tables of 2^k scores and sums for each node: with more nodes, fewer candidates each.
int usual_candidates(size_t nodes) { return nodes <= 100 ? 12 : nodes <= 400 ? 10 : 8; }

// By node: one more parent than in any of the graphs, and at least five.
std::vector<int> usual_caps(const std::vector<Dag>& graphs, int asked) {
  std::vector<int> caps(static_cast<size_t>(graphs[0].size()), asked);
  for (Node v = 0; v < graphs[0].size() && asked == 0; ++v) {
    int most = 4;
    for (const Dag& graph : graphs) most = std::max(most, graph.parents(v).count());
    caps[static_cast<size_t>(v)] = most + 1;
  }
  return caps;
}

NodeSet descendants(const Dag& dag, Node from) {
  NodeSet reached(dag.size());
  std::vector<Node> waiting = {from};
  while (!waiting.empty()) {
    const Node v = waiting.back();
    waiting.pop_back();
    for (const Node child : dag.children(v)) {
      if (reached.contains(child)) continue;
      reached.insert(child);
      waiting.push_back(child);
    }
  }
  return reached;
}

// How many arrows the lists leave out, and what the best of those that close no cycle would add to the first graph.
void note_left_out(SampleFigures& out, const LocalScore& score, const Knowledge& knowledge, const Dag& first,
                   const std::vector<std::vector<Node>>& lists) {
  const std::vector<std::vector<Node>> all = all_parents(score, knowledge);
  std::vector<double> gains(static_cast<size_t>(score.size()));
  double best = kNoGain;
  for (const Node child : varying_nodes(score)) {
    const auto c = static_cast<size_t>(child);
    if (all[c].size() == lists[c].size()) continue;
    const NodeSet below = descendants(first, child);
    score.addition_gains(child, first.parent_list(child), gains);
    for (const Node v : all[c]) {
      if (std::ranges::binary_search(lists[c], v)) continue;
      ++out.left_out;
      if (!below.contains(v)) best = std::max(best, gains[static_cast<size_t>(v)]);
    }
  }
  if (std::isfinite(best)) out.left_out_gain = best;
}

}  // namespace

PairPosterior Posterior::pair(Node from, Node to) const {
  const auto at = [&](Node a, Node b) {
    return arrow[static_cast<size_t>(a) * static_cast<size_t>(nodes) + static_cast<size_t>(b)];
  };
  return {std::min(1.0, at(from, to) + at(to, from)), at(from, to), at(to, from)};
}

double Posterior::path_probability(Node from, Node to) const {
  return path[static_cast<size_t>(from) * static_cast<size_t>(nodes) + static_cast<size_t>(to)];
}

Posterior edge_posterior(const LocalScore& score, const Knowledge& knowledge, const std::vector<Dag>& graphs,
                         const PosteriorOptions& options, const Rng& rng, const Watch& watch) {
  const size_t varying = varying_nodes(score).size();
  Posterior out = nothing(score);
  if (varying <= static_cast<size_t>(options.exact_nodes)) {
    const std::vector<int> caps(static_cast<size_t>(score.size()), score.traits().max_parents);
    const auto tables = make_tables(score, knowledge, all_parents(score, knowledge), caps, options.threads, watch);
    if (watch.stop_requested()) {
      out.stopped_by = watch.stop_reason();
      return out;
    }
    const ExactPosterior exact = exact_posterior(tables);
    if (exact.error <= kWorstError) {
      out.exact = true;
      spread(exact.arrow, tables, out.arrow, out.nodes);
      spread(exact.path, tables, out.path, out.nodes);
      return out;
    }
  }
  const int most = std::min(20, options.candidates > 0 ? options.candidates : usual_candidates(varying));
  const auto lists = candidate_parents(score, knowledge, graphs, most);
  const std::vector<int> caps = usual_caps(graphs, options.max_parents);
  for (const auto& list : lists) out.sample.candidates = std::max(out.sample.candidates, static_cast<int>(list.size()));
  out.sample.max_parents = std::min(score.traits().max_parents, *std::ranges::max_element(caps));
  note_left_out(out.sample, score, knowledge, graphs[0], lists);
  const auto tables = make_tables(score, knowledge, lists, caps, options.threads, watch);
  if (watch.stop_requested()) {
    out.stopped_by = watch.stop_reason();
    return out;
  }
  Sampler(tables, graphs[0], options, rng, watch).run(out);
  return out;
}

}  // namespace agon
