#include "agon/effect/next_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"

namespace agon {
namespace {

constexpr int kMemberDraws = 200;  // of members, where ways are too many

// Where members were not counted, every way counts alike.
double share_of(const Ways& ways, const Way& way) {
  return ways.counted() ? way.share : 1.0 / static_cast<double>(ways.list.size());
}

Settled settled_by(const Ways& ways, int open_before) {
  Settled out{.least = std::numeric_limits<double>::infinity()};
  for (const Way& way : ways.list) {
    const double settled = open_before - way.graph.undirected_count();
    out.least = std::min(out.least, settled);
    out.mean += share_of(ways, way) * settled;
  }
  return out;
}

// The edges that become directed when those at `targets` are, and point as in `member`.
int settled_in(const Pdag& graph, const std::vector<Node>& targets, const Dag& member) {
  Pdag learnt = graph;
  std::vector<Edge> fresh;
  for (const Node v : targets) {
    for (const Node u : graph.neighbours(v)) {
      if (!learnt.has_undirected(u, v)) continue;
      fresh.push_back(member.has_edge(u, v) ? Edge{u, v} : Edge{v, u});
      learnt.orient(fresh.back().from, fresh.back().to);
    }
  }
  close_under_meek(learnt, fresh);
  return graph.undirected_count() - learnt.undirected_count();
}

// Nothing if there are too many ways, and knowledge inside a piece keeps members from being drawn.
std::optional<Settled> settled_by_experiments(const CausalClass& graphs, const std::vector<Node>& targets) {
  const Ways ways = graphs.ways_around(targets);
  if (!ways.too_many) return settled_by(ways, induced(graphs.graph(), ways.nodes).undirected_count());
  for (const std::vector<Node>& piece : graphs.pieces()) {
    if (induced(graphs.graph(), piece).directed_count() > 0) return std::nullopt;
  }
  const ClassMembers members(Cpdag::trusted(graphs.graph()));
  Settled out{.least = std::numeric_limits<double>::infinity(), .sampled = true};
  Rng rng(0);
  for (int k = 0; k < kMemberDraws; ++k) {
    const double settled = settled_in(graphs.graph(), targets, members.draw(rng));
    out.least = std::min(out.least, settled);
    out.mean += settled / kMemberDraws;
  }
  return out;
}

bool better(const Settled& a, const Settled& b) {
  constexpr double kTie = 1e-9;
  if (std::abs(a.mean - b.mean) > kTie) return a.mean > b.mean;
  return a.least > b.least + kTie;
}

template <class Choice, class Key>
void sort_choices(std::vector<Choice>& list, const Key& key) {
  std::sort(list.begin(), list.end(), [&](const Choice& a, const Choice& b) {
    if (std::abs(a.identified.value_or(0) - b.identified.value_or(0)) > 1e-9) return a.identified > b.identified;
    if (better(a.settled, b.settled) || better(b.settled, a.settled)) return better(a.settled, b.settled);
    return key(a) < key(b);
  });
}

// The largest possible effect minus the smallest; nothing if it is not known.
std::optional<double> width_of(const EffectSet& effects, const EffectTable& table) {
  if (effects.too_many) return std::nullopt;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PossibleEffect& effect : effects.list) {
    double value = 0;
    if (!effect.on_outcome[0].none) {
      const EffectFigures figures = table.estimate(effects.causes[0], effects.outcome, effect.on_outcome[0]);
      const auto reading = one_reading(figures);
      value = reading ? figures.change[*reading].value : figures.standardised;
    }
    if (std::isnan(value)) return std::nullopt;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

// One answer of the expert: the class with that arrow.
CausalClass with_arrow(const CausalClass& graphs, Edge edge) {
  Pdag learnt = graphs.graph();
  learnt.orient(edge.from, edge.to);
  close_under_meek(learnt, {edge});
  return CausalClass(std::move(learnt));
}

// The share of the members in which edge.from is a parent of edge.to.
double share_forward(const CausalClass& graphs, Edge edge) {
  const Ways ways = graphs.ways_around({edge.to});
  if (ways.too_many || !ways.counted()) return 0.5;
  const auto place = [&](Node v) {
    return static_cast<Node>(std::lower_bound(ways.nodes.begin(), ways.nodes.end(), v) - ways.nodes.begin());
  };
  double share = 0;
  for (const Way& way : ways.list) share += way.graph.has_directed(place(edge.from), place(edge.to)) ? way.share : 0;
  return share;
}

QuestionChoice question_about(const CausalClass& graphs, Edge edge, std::optional<ChosenEffect> effect) {
  QuestionChoice out{.edge = edge, .forward = share_forward(graphs, edge), .settled = {}};
  const int before = graphs.graph().undirected_count();
  out.settled.least = std::numeric_limits<double>::infinity();
  if (effect) out.identified = 0;
  for (const bool forward : {true, false}) {
    const CausalClass learnt = with_arrow(graphs, forward ? edge : Edge{edge.to, edge.from});
    const double share = forward ? out.forward : 1 - out.forward;
    const double settled = before - learnt.graph().undirected_count();
    out.settled.least = std::min(out.settled.least, settled);
    out.settled.mean += share * settled;
    if (effect && possible_effects(learnt, effect->cause, effect->outcome).identified) *out.identified += share;
  }
  return out;
}

std::vector<Node> greedy_batch(const CausalClass& graphs, const std::vector<ExperimentChoice>& single, int budget,
                               Settled& settled) {
  std::vector<Node> batch;
  for (const ExperimentChoice& first : single) {
    batch = {first.node};
    settled = first.settled;
    break;
  }
  while (static_cast<int>(batch.size()) < budget) {
    Node best = -1;
    Settled best_settled = settled;
    for (const ExperimentChoice& choice : single) {
      if (std::find(batch.begin(), batch.end(), choice.node) != batch.end()) continue;
      std::vector<Node> more = batch;
      more.push_back(choice.node);
      const auto together = settled_by_experiments(graphs, more);
      if (!together || !better(*together, best_settled)) continue;
      best = choice.node;
      best_settled = *together;
    }
    if (best < 0) break;  // nothing more to settle
    batch.push_back(best);
    settled = best_settled;
  }
  return batch;
}

}  // namespace

std::vector<Outcome> outcomes_of(const CausalClass& graphs, Node node, ChosenEffect effect) {
  const Ways ways = graphs.ways_around({node});
  std::vector<Outcome> out;
  for (const Way& way : ways.list) {
    out.push_back({share_of(ways, way), possible_effects(graphs.after(ways, way), effect.cause, effect.outcome)});
  }
  return out;
}

NextAnswer next_answer(const CausalClass& graphs, const std::vector<std::string>& names, int budget,
                       std::optional<ChosenEffect> effect, const EffectTable* table) {
  const NextSteps next = next_steps(graphs, budget, effect);
  NextAnswer out;
  out.open = next.open;
  out.log_members = next.log_members;
  if (effect) {
    const EffectSet now = possible_effects(graphs, effect->cause, effect->outcome);
    out.of = names[effect->cause];
    out.on = names[effect->outcome];
    out.identified = now.identified;
    if (table) out.width = width_of(now, *table);
  }
  for (const ExperimentChoice& choice : next.experiments) {
    NextAnswer::Experiment one{names[choice.node], choice.open, choice.settled, choice.identified};
    if (out.width && !choice.settled.sampled) {
      one.width = 0;
      for (const Outcome& outcome : outcomes_of(graphs, choice.node, *effect)) {
        const auto width = width_of(outcome.effects, *table);
        if (one.width) one.width = width ? std::optional(*one.width + outcome.share * *width) : std::nullopt;
      }
    }
    out.experiments.push_back(one);
  }
  for (const QuestionChoice& choice : next.questions) {
    NextAnswer::Question one{names[choice.edge.from], names[choice.edge.to], choice.forward, choice.settled,
                             choice.identified};
    if (out.width) {
      double width = 0;
      for (const bool forward : {true, false}) {
        const CausalClass learnt = with_arrow(graphs, forward ? choice.edge : Edge{choice.edge.to, choice.edge.from});
        const auto after = width_of(possible_effects(learnt, effect->cause, effect->outcome), *table);
        width += (forward ? choice.forward : 1 - choice.forward) * after.value_or(kUnknown);
      }
      if (!std::isnan(width)) one.width = width;
    }
    if (one.to < one.from) {
      std::swap(one.from, one.to);
      one.forward = 1 - one.forward;
    }
    out.questions.push_back(one);
  }
  for (const Node v : next.batch) out.batch.push_back(names[v]);
  for (const Node v : next.left_out) out.left_out.push_back(names[v]);
  out.batch_settled = next.batch_settled;
  return out;
}

NextSteps next_steps(const CausalClass& graphs, int budget, std::optional<ChosenEffect> effect) {
  NextSteps out;
  const Pdag& graph = graphs.graph();
  out.open = graph.undirected_count();
  out.log_members = graphs.log_size();
  for (Node v = 0; v < graph.size(); ++v) {
    if (graph.neighbours(v).empty()) continue;
    const auto settled = settled_by_experiments(graphs, {v});
    if (!settled) {
      out.left_out.push_back(v);
      continue;
    }
    ExperimentChoice choice{.node = v, .open = graph.neighbours(v).count(), .settled = *settled};
    if (effect && !settled->sampled) {
      choice.identified = 0;
      for (const Outcome& outcome : outcomes_of(graphs, v, *effect)) {
        if (outcome.effects.identified) *choice.identified += outcome.share;
      }
    }
    out.experiments.push_back(choice);
  }
  sort_choices(out.experiments, [](const ExperimentChoice& choice) { return choice.node; });
  for (const Edge& edge : graph.undirected_edges()) out.questions.push_back(question_about(graphs, edge, effect));
  sort_choices(out.questions, [](const QuestionChoice& choice) { return choice.edge; });
  out.batch = greedy_batch(graphs, out.experiments, budget, out.batch_settled);
  return out;
}

}  // namespace agon
