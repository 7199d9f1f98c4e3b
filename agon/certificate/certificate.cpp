#include "agon/certificate/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/rng.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/certificate/neighbours.h"
#include "agon/certificate/plain_class.h"
#include "agon/certificate/plain_regimes.h"
#include "agon/certificate/plain_score.h"
#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"

namespace agon {
namespace {

void check_sizes(const Claim& claim) {
  const auto check = [&](const Dag& graph, const char* whose) {
    if (graph.size() == claim.data.size()) return;
    throw InputError(claim.data.source(),
                     fmt::format("the {} has {} nodes, the data {} columns", whose, graph.size(), claim.data.size()));
  };
  check(claim.champion, "champion");
  for (const Dag& graph : claim.opponents) check(graph, "opponent's graph");
  for (const Dag& graph : claim.candidates) check(graph, "candidate");
}

double tolerance_of(const plain::Scorer& scorer) {
  double magnitude = 0;
  for (Node v = 0; v < scorer.size(); ++v) magnitude += std::abs(scorer.local(v, {}).score);
  return 2e-9 * (1 + magnitude / std::max(1, scorer.size()));
}

bool keeps(const Dag& graph, const Knowledge& knowledge) {
  if (knowledge.empty()) return true;
  for (Node to = 0; to < graph.size(); ++to) {
    for (Node from = 0; from < graph.size(); ++from) {
      if (from == to) continue;
      const bool stands = graph.has_edge(from, to);
      if (stands ? knowledge.is_forbidden({from, to}) : knowledge.is_required({from, to})) return false;
    }
  }
  return true;
}

bool is_within_budget(const Claim& claim) {
  if (claim.edge_budget > 0 && claim.champion.edge_count() > claim.edge_budget) return false;
  // A search adds no parents beyond its cap, but a warm start may already have more.
  for (Node v = 0; v < claim.champion.size() && claim.max_parents > 0; ++v) {
    int most = claim.max_parents;
    for (const Dag& opponent : claim.opponents) most = std::max(most, opponent.parents(v).count());
    if (claim.champion.parents(v).count() > most) return false;
  }
  return true;
}

std::string name_of(Node v, const std::vector<std::string>& names) {
  return v < static_cast<Node>(names.size()) ? names[v] : fmt::format("node {}", v);
}

std::string in_words(EdgeMove move, const std::vector<std::string>& names) {
  const char* verb = move.kind == MoveKind::kAdd ? "adding" : move.kind == MoveKind::kRemove ? "removing" : "reversing";
  return fmt::format("{} {} --> {}", verb, name_of(move.from, names), name_of(move.to, names));
}

// A number of rows, written out in full unless that would be too long to read.
std::string rows_shown(double rows) {
  if (std::isinf(rows)) return "no number of";
  return rows < 1e9 ? with_commas(static_cast<long>(std::ceil(rows))) : fmt::format("{:.1e}", rows);
}

double best_opponent(const Certificate& c) {
  return *std::max_element(c.opponent_scores.begin(), c.opponent_scores.end());
}

std::string safety_line(const Certificate& c) {
  if (c.opponent_scores.empty())
    return fmt::format("The champion scores {:.3f}; there was no opponent.", c.champion_score);
  const double best = best_opponent(c);
  const std::string whose = c.opponent_scores.size() == 1 ? "the opponent" : "the best opponent";
  const double ahead = c.champion_score - best;
  const std::string result = !c.never_worse        ? fmt::format("WORSE by {:.6g}", -ahead)
                             : ahead > c.tolerance ? fmt::format("better by {:.3f}", ahead)
                                                   : std::string("equal");
  return fmt::format("Never worse: the champion scores {:.3f}, {} {:.3f}: {}. Both recomputed from the data.",
                     c.champion_score, whose, best, result);
}

std::string validity_line(const Certificate& c) {
  std::string budget = c.edge_budget > 0 ? fmt::format(" of at most {}", c.edge_budget) : "";
  return fmt::format("Valid: {}; {} edge{}{}{}; background knowledge {}.", c.acyclic ? "acyclic" : "NOT ACYCLIC",
                     c.edges, c.edges == 1 ? "" : "s", budget, c.within_budget ? "" : ": OVER THE BUDGET",
                     !c.knowledge_kept ? "BROKEN"
                     : c.has_knowledge ? "kept"
                                       : "not given");
}

std::string neighbour_line(const Certificate& c, const std::vector<std::string>& names) {
  const std::string checked = with_commas(c.neighbours_checked);
  if (c.ascent_cut && !c.one_optimal) {
    return "1-optimality is not established: the ascent was cut by the limit, and a single edit may still improve it.";
  }
  if (c.better_neighbour) {
    return fmt::format("NOT 1-optimal: of {} single edits checked, {} gains {:.6g}.", checked,
                       in_words(*c.better_neighbour, names), c.better_gain);
  }
  if (!c.neighbours_complete) {
    return fmt::format("1-optimal so far: none of {} single edits improves it, but {} were not looked at.", checked,
                       c.neighbours_left > 0 ? with_commas(c.neighbours_left) + " others" : "others");
  }
  return fmt::format("1-optimal: none of its {} valid single edits (add, remove, reverse) improves it.", checked);
}

std::string bound_line(const Certificate& c) {
  const Selection& s = c.selection;
  if (c.from_matrix)
    return "Selection: no figures, because everything was derived from the matrix given, not from rows.";
  if (s.candidates <= 1) return "Selection: one candidate, nothing to choose from.";
  if (!(s.gap > 0)) {
    return fmt::format("Selection: the champion ties with another of {} candidates, so the bound says nothing.",
                       s.candidates);
  }
  return fmt::format(
      "Selection: ahead of {} other candidate{} by at least {:.3g} per row; the bound asks for {} rows "
      "(delta {:.2g}), and at {} rows its delta is {:.2g}: an indication, not a proof.",
      s.candidates - 1, s.candidates == 2 ? "" : "s", s.gap, rows_shown(s.n_required), s.wanted_delta,
      with_commas(static_cast<long>(c.rows)), s.delta);
}

std::string bootstrap_line(const Certificate& c) {
  const Selection& s = c.selection;
  if (c.from_matrix) return "Bootstrap: there are no rows to resample.";
  if (s.candidates <= 1) return "Bootstrap: not needed with one candidate.";
  if (s.resamples == 0) return "Bootstrap: no resamples were drawn.";
  return fmt::format("Bootstrap: the champion stays the best candidate in {:.1f} % of {} resamples of the rows.",
                     100 * s.bootstrap_share, s.resamples);
}

// The arrows that experiments determine are those that the score can tell: all members of the class that is left score
// the same. A member may be undefined where the champion is not, because it has more parents than can be charged.
TableCheck check_experiments(const Claim& claim, const plain::Value& champion, double tolerance, uint64_t seed) {
  constexpr int kMembers = 20;
  const plain::Experiments experiments(claim.data);
  const Cpdag cpdag = cpdag_of(claim.champion, experiments.row_set());
  if (plain::class_of(claim.champion, {}, experiments.row_set()) != cpdag.pdag()) {
    return {false, "two derivations of the interventional class of the champion disagree"};
  }
  const ClassMembers members(cpdag);
  Rng rng = Rng(seed).split("class members");
  for (int k = 0; k < kMembers; ++k) {
    const plain::Value member = plain::total(claim.scorer, members.draw(rng));
    const double apart = std::abs(member.score - champion.score);
    if (member.score == plain::kUndefined || apart <= tolerance + member.rounding + champion.rounding) continue;
    return {false, fmt::format("a member of the champion's interventional class scores {:.9f}, the champion {:.9f}",
                               member.score, champion.score)};
  }
  std::vector<size_t> rows;
  for (const plain::FamilyRows& set : experiments.sets()) rows.push_back(set.rows);
  std::sort(rows.rbegin(), rows.rend());
  std::vector<std::string> shown;
  for (const size_t count : rows) shown.push_back(with_commas(static_cast<long>(count)));
  return {true,
          fmt::format("{} random members of the champion's interventional class score the same; the variables "
                      "are scored on {} of {} rows",
                      kMembers, rows.size() == 1 ? "one set" : fmt::format("{} sets", rows.size()), listed(shown))};
}

}  // namespace

Certificate certify(const Claim& claim, const CertificateOptions& options, const Watch& watch) {
  check_sizes(claim);
  const plain::Scorer& scorer = claim.scorer;
  Certificate out;
  out.rows = scorer.rows();
  out.edges = claim.champion.edge_count();
  out.edge_budget = claim.edge_budget;
  out.has_knowledge = !claim.knowledge.empty();
  out.from_matrix = claim.data.is_summary();
  out.ascent_cut = claim.ascent_cut;
  out.tolerance = tolerance_of(scorer);

  // I. Safety.
  const plain::Value champion = plain::total(scorer, claim.champion);
  out.champion_score = champion.score;
  out.never_worse = true;
  for (const Dag& graph : claim.opponents) {
    const plain::Value opponent = plain::total(scorer, graph);
    out.opponent_scores.push_back(opponent.score);
    const double slack = out.tolerance + champion.rounding + opponent.rounding;
    if (!(champion.score >= opponent.score - slack)) out.never_worse = false;
  }

  // Validity.
  out.acyclic = descendants_of(claim.champion).has_value();
  out.within_budget = is_within_budget(claim);
  out.knowledge_kept = keeps(claim.champion, claim.knowledge);
  if (!out.acyclic) return out;

  // II. No single edit is better.
  const NeighbourCheck neighbours = check_neighbours(
      scorer, {claim.champion, claim.knowledge, claim.max_parents, claim.edge_budget},
      {.tolerance = out.tolerance, .limit = options.neighbour_limit, .threads = options.threads}, watch);
  out.neighbours_complete = neighbours.complete;
  out.neighbours_checked = neighbours.checked;
  out.neighbours_left = neighbours.left;
  out.better_neighbour = neighbours.better;
  out.better_gain = neighbours.gain;
  out.one_optimal = neighbours.complete && !neighbours.better;

  if (claim.data.has_regimes()) {
    out.experiments = check_experiments(claim, champion, out.tolerance, options.seed);
  }

  // III. Selection.
  if (out.from_matrix) return out;
  std::vector<Dag> candidates = claim.opponents;
  candidates.insert(candidates.end(), claim.candidates.begin(), claim.candidates.end());
  out.selection = selection_figures(scorer, claim.champion, candidates,
                                    {.resamples = options.resamples,
                                     .delta = options.delta,
                                     .seed = options.seed,
                                     .threads = options.threads,
                                     .tolerance = out.tolerance},
                                    watch);
  return out;
}

std::vector<std::string> violations(const Certificate& c, const std::vector<std::string>& names) {
  std::vector<std::string> out;
  if (!c.never_worse) {
    out.push_back(
        fmt::format("the champion scores {:.9f}, less than an opponent's {:.9f}", c.champion_score, best_opponent(c)));
  }
  if (!c.acyclic) out.push_back("the champion has a directed cycle");
  if (!c.within_budget)
    out.push_back(fmt::format("the champion is over its budget of edges or parents ({} edges)", c.edges));
  if (!c.knowledge_kept) out.push_back("the champion breaks the background knowledge");
  if (c.better_neighbour && !c.ascent_cut) {
    out.push_back(fmt::format("the champion is not 1-optimal: {} gains {:.9g}", in_words(*c.better_neighbour, names),
                              c.better_gain));
  }
  if (c.gaps && !c.gaps->holds) out.push_back("missing cells: " + c.gaps->text);
  if (c.experiments && !c.experiments->holds) out.push_back("experiments: " + c.experiments->text);
  return out;
}

void enforce(const Certificate& certificate, const std::vector<std::string>& names) {
  const std::vector<std::string> broken = violations(certificate, names);
  if (!broken.empty()) throw GuaranteeViolated(fmt::format("a guarantee is violated: {}", joined(broken, "; ")));
}

std::string optimum_sentence(const Optimum& optimum, double score, bool has_knowledge) {
  if (optimum.status == Optimum::Status::kNotAttempted) return "";
  const std::string known = has_knowledge ? " that satisfies the knowledge" : "";
  std::string limit = ", whatever its number of parents";
  if (optimum.max_parents > 0) {
    limit = fmt::format(" with at most {} per node{}", counted(optimum.max_parents, "parent"),
                        optimum.larger_families ? " (or the champion's own larger sets)" : "");
  }
  if (optimum.status == Optimum::Status::kProven) {
    return fmt::format("Optimal: no DAG{}{}{} scores higher{}", known, limit, optimum.max_parents > 0 ? "" : ",",
                       optimum.rounding > 0 ? ", up to rounding" : "");
  }
  return fmt::format("Within {:.4g} nats ({:.2g} %) of the best possible DAG{}{}", optimum.gap,
                     100 * optimum.gap / std::max(std::abs(score), 1e-9), known, limit);
}

std::vector<std::string> plain_lines(const Certificate& certificate, const std::vector<std::string>& names) {
  std::vector<std::string> lines = {safety_line(certificate), validity_line(certificate),
                                    neighbour_line(certificate, names), bound_line(certificate),
                                    bootstrap_line(certificate)};
  const std::string optimum =
      optimum_sentence(certificate.optimum, certificate.champion_score, certificate.has_knowledge);
  if (!optimum.empty()) lines.insert(lines.begin() + 3, optimum + ".");
  if (certificate.gaps) lines.push_back("Missing cells: " + certificate.gaps->text + ".");
  if (certificate.experiments) lines.push_back("Experiments: " + certificate.experiments->text + ".");
  return lines;
}

}  // namespace agon
