#include "agon/referee/edge_losses.h"

#include <algorithm>
#include <cmath>

#include "agon/certificate/plain_set_scores.h"
#include "agon/referee/prover.h"
#include "agon/referee/rounding.h"

namespace agon {
namespace {

class LossFinder {
 public:
  LossFinder(const JudgedScore& score, const FamilyLists& lists, const Proof& proof, double upper_bound,
             const RefereeOptions& options, const Watch& watch)
      : score_(score),
        lists_(lists),
        proof_(proof),
        upper_bound_(upper_bound),
        options_(options),
        watch_(watch),
        pool_(proof.graph.size(), lists.likelihoods),
        cutter_(proof.graph.size()),
        champion_(score_below(score.scorer, proof.graph)),
        order_(topological_order(proof.graph)) {
    // Rows and multipliers of the first step speak of the whole lists.
    for (const ProofCut& cut : proof.cuts) start_.cuts.push_back(pool_.add(cut));
    if (!proof.steps.empty()) {
      for (const ProofMultiplier& m : proof.steps.front().multipliers) {
        start_.multipliers.push_back({start_.cuts[static_cast<size_t>(m.cut)], m.value});
      }
    }
  }

  // What the best graph without these arcs loses, with so much work.
  std::optional<LossBound> without(const std::vector<Edge>& arcs, double work) {
    if (watch_.stop_requested()) return std::nullopt;
    SearchSpace space{lists_.of};
    for (const Edge& arc : arcs) decide(space, arc.from, arc.to, false);
    if (space.has_empty()) return std::nullopt;
    const RoundedDag first = best_start(arcs.front(), space.of);
    if (!first.found) return std::nullopt;
    Incumbent incumbent;
    const double epsilon = std::max(options_.epsilon, 2 * lists_.rounding);
    begin_with(incumbent, first.dag, epsilon, lists_.rounding,
               [&](const Dag& dag) { return score_below(score_.scorer, dag); });
    // As good as the best graph can be: nothing is left to show.
    if (nats(incumbent.goal) >= upper_bound_) return LossBound{nats(champion_ - incumbent.score), true};
    Budget budget{.work = work};
    const std::vector<std::vector<BoundedFamily>> lists = space.of;
    Prover prover({lists, options_.dp, pool_, cutter_}, incumbent, budget, watch_);
    prover.run(std::move(space), start_);
    used_ += budget.used;
    return checked(prover, lists, incumbent, epsilon);
  }
  double used() const { return used_; }

 private:
  // The best of a few orders, each improved by moving single nodes: the champion's, and with the two nodes exchanged.
  RoundedDag best_start(Edge edge, const std::vector<std::vector<BoundedFamily>>& lists) const {
    std::vector<Node> swapped = order_, moved;
    for (Node& v : swapped) v = v == edge.from ? edge.to : v == edge.to ? edge.from : v;
    for (const Node v : order_) {
      if (v == edge.from) moved.push_back(edge.to);
      if (v != edge.to) moved.push_back(v);
    }
    RoundedDag best = round_order(order_, lists);
    for (const std::vector<Node>& order : {swapped, moved}) {
      RoundedDag next = round_order(order, lists);
      if (next.found && (!best.found || next.score > best.score)) best = std::move(next);
    }
    return best;
  }

  // What the certificate's walk over the tree shows, so that nothing of the search has to be believed.
  std::optional<LossBound> checked(const Prover& prover, const std::vector<std::vector<BoundedFamily>>& lists,
                                   const Incumbent& incumbent, double epsilon) const {
    Proof proof = proof_;
    proof.cuts.clear();
    proof.steps.clear();
    proof.graph = incumbent.dag;
    proof.epsilon = epsilon;
    prover.write(proof);
    FamilyLists restricted;
    restricted.of = lists;
    restricted.limit = lists_.limit;
    restricted.rounding = lists_.rounding;
    restricted.likelihoods = lists_.likelihoods;
    const ProofVerdict shown = check_tree(proof, restricted, static_cast<int64_t>(incumbent.score));
    if (!shown.accepted) return std::nullopt;
    if (shown.proven) return LossBound{nats(champion_ - incumbent.score), true};
    return LossBound{nats(champion_) - std::min(shown.upper_bound, upper_bound_), false};
  }

  const JudgedScore& score_;
  const FamilyLists& lists_;
  const Proof& proof_;
  double upper_bound_;  // of all graphs
  RefereeOptions options_;
  const Watch& watch_;
  CutPool pool_;
  LocalCutter cutter_;
  RelaxationStart start_;
  Units champion_;
  std::vector<Node> order_;
  double used_ = 0;
};

}  // namespace

std::vector<EdgeLoss> edge_losses(const JudgedScore& score, const Knowledge& knowledge, const Proof& proof,
                                  double upper_bound, const RefereeOptions& options, const Watch& watch) {
  std::vector<EdgeLoss> out;
  for (const Edge& edge : proof.graph.edges()) out.push_back({edge, {}, {}});
  if (out.empty()) return out;
  const auto lists = list_families(
      score.scorer, knowledge,
      {.limit = proof.limit, .memory = options.memory, .threads = options.threads, .besides = &proof.graph}, watch);
  if (!lists || (lists->limit != 0 && lists->limit != proof.limit)) return out;
  LossFinder finder(score, *lists, proof, upper_bound, options, watch);
  size_t questions = 2 * out.size();
  const auto share = [&] { return std::max(0.0, options.work - finder.used()) / static_cast<double>(questions--) * 2; };
  for (EdgeLoss& loss : out) {
    const Edge edge = loss.edge;
    if (knowledge.is_required(edge)) {
      questions -= 2;
      continue;
    }
    watch.tell({.phase = "losses of edges", .edges = -1});
    loss.adjacency = finder.without({edge, {edge.to, edge.from}}, share());
    loss.direction = finder.without({edge}, share());
    // The graphs without the edge are among those without the arrow.
    if (loss.direction && loss.adjacency && loss.direction->proven && !loss.adjacency->proven) {
      loss.adjacency->value = std::max(loss.adjacency->value, loss.direction->value);
    }
  }
  return out;
}

}  // namespace agon
