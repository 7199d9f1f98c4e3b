#include "agon/effect/pag_next.h"

#include <algorithm>
#include <functional>

#include "agon/base/error.h"
#include "agon/effect/figures.h"
#include "agon/opponent/pag_rules.h"

namespace agon {
namespace {

void refuse_selected_rows(const Pag& pag, const std::string& place) {
  for (Node a = 0; a < pag.size(); ++a) {
    for (const Node b : pag.neighbours(a)) {
      if (!pag.has(a, b, Mark::kTail) || pag.has(b, a, Mark::kArrow)) continue;
      throw InputError(place,
                       "some of its edges say that rows were selected (a --- b, a --o b), and what an experiment "
                       "settles is known only where they were not");
    }
  }
}

std::vector<Node> circled_neighbours(const Pag& pag, Node node) {
  std::vector<Node> out;
  for (const Node other : pag.neighbours(node)) {
    if (pag.has(other, node, Mark::kCircle)) out.push_back(other);
  }
  return out;
}

// The unshielded colliders of all graphs of a Pag are those that it shows.
bool has_new_collider(const Pag& before, const Pag& after) {
  for (Node b = 0; b < after.size(); ++b) {
    const std::vector<Node> around = after.neighbours(b).to_vector();
    for (const Node a : around) {
      if (!after.has(a, b, Mark::kArrow)) continue;
      for (const Node c : around) {
        if (c <= a || after.adjacent(a, c) || !after.has(c, b, Mark::kArrow)) continue;
        if (!before.has(a, b, Mark::kArrow) || !before.has(c, b, Mark::kArrow)) return true;
      }
    }
  }
  return false;
}

// Is there an arrowhead at a node that causes the other end? Then a cycle would be directed, or almost.
bool has_cycle(const Pag& pag) {
  for (Node start = 0; start < pag.size(); ++start) {
    NodeSet reached(pag.size());
    std::vector<Node> queue = {start};
    for (size_t next = 0; next < queue.size(); ++next) {
      for (const Node to : pag.neighbours(queue[next])) {
        if (reached.contains(to) || !pag.is_directed(queue[next], to)) continue;
        if (to == start || pag.has(to, start, Mark::kArrow)) return true;
        reached.insert(to);
        queue.push_back(to);
      }
    }
  }
  return false;
}

}  // namespace

int circle_count(const Pag& pag) {
  int count = 0;
  for (Node v = 0; v < pag.size(); ++v) count += static_cast<int>(circled_neighbours(pag, v).size());
  return count;
}

std::optional<Pag> after_experiment(const Pag& pag, Node node, const std::vector<Node>& caused) {
  Pag after = pag;
  for (const Node other : circled_neighbours(pag, node)) {
    const bool moved = std::ranges::find(caused, other) != caused.end();
    after.set_mark(other, node, moved ? Mark::kTail : Mark::kArrow);
    if (moved) after.set_mark(node, other, Mark::kArrow);
  }
  const Skeleton without_separations(pag.size());  // so that R4 finds nothing
  while (!has_new_collider(pag, after) && apply_rules(after, without_separations)) {
  }
  if (has_new_collider(pag, after) || has_cycle(after)) return std::nullopt;
  return after;
}

std::vector<PagExperiment> pag_experiments(const Pag& pag, const std::string& place) {
  refuse_selected_rows(pag, place);
  const int all = circle_count(pag);
  std::vector<PagExperiment> out;
  for (Node node = 0; node < pag.size(); ++node) {
    const std::vector<Node> open = circled_neighbours(pag, node);
    if (open.empty()) continue;
    PagExperiment one{node, static_cast<int>(open.size()), static_cast<int>(open.size())};
    if (open.size() < 32 && (1L << open.size()) <= kMostPagOutcomes) {
      std::optional<int> least;
      for (unsigned which = 0; which < 1u << open.size(); ++which) {
        std::vector<Node> caused;
        for (size_t k = 0; k < open.size(); ++k) {
          if (which >> k & 1) caused.push_back(open[k]);
        }
        const std::optional<Pag> after = after_experiment(pag, node, caused);
        if (after) least = std::min(least.value_or(all), all - circle_count(*after));
      }
      one.least = std::max(one.least, least.value_or(0));  // none is possible: tests on few rows contradict each other
    }
    out.push_back(one);
  }
  std::ranges::stable_sort(out, [](const PagExperiment& a, const PagExperiment& b) {
    return a.least != b.least ? a.least > b.least : a.circles > b.circles;
  });
  return out;
}

NextAnswer next_answer(const Pag& pag, const std::vector<std::string>& names, int budget, const std::string& place) {
  NextAnswer out;
  out.pag = true;
  out.open = circle_count(pag);
  std::vector<PagExperiment> experiments = pag_experiments(pag, place);
  for (const PagExperiment& one : experiments) {
    out.experiments.push_back(
        {names[one.node], one.circles, {.least = static_cast<double>(one.least), .mean = kUnknown}});
  }
  std::ranges::stable_sort(experiments, std::greater<>(), &PagExperiment::circles);
  out.batch_settled.mean = kUnknown;
  for (size_t k = 0; k < experiments.size() && k < static_cast<size_t>(budget); ++k) {
    out.batch.push_back(names[experiments[k].node]);
    out.batch_settled.least += experiments[k].circles;
  }
  if (out.batch.size() == 1) {  // then the best alone is better
    out.batch = {out.experiments[0].variable};
    out.batch_settled.least = out.experiments[0].settled.least;
  }
  return out;
}

}  // namespace agon
