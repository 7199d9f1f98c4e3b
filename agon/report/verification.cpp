#include "agon/report/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/certificate/certificate.h"
#include "agon/certificate/neighbours.h"
#include "agon/certificate/plain_class.h"
#include "agon/certificate/plain_score.h"
#include "agon/posterior/consensus.h"
#include "agon/report/table.h"

namespace agon {
namespace {

// If the file says that not all neighbours were checked, no more than this many are checked here either.
constexpr long kNeighboursOfAnOpenClaim = 1'000'000;

std::string arrow(const NamePair& edge) { return shown(edge.first) + " -> " + shown(edge.second); }
std::string line(const NamePair& edge) { return shown(edge.first) + " - " + shown(edge.second); }

// The cap on parents that the run was given; 0: none.
int recorded_cap(const OptionList& options) {
  for (const auto& [key, value] : options) {
    const int64_t* number = std::get_if<int64_t>(&value);
    if (key == "max-parents" && number) return static_cast<int>(std::clamp<int64_t>(*number, 0, 2'000'000'000));
  }
  return 0;
}

class Checker {
 public:
  Checker(const RunRecord& record, const Dataset& data, const plain::Scorer& scorer, int max_parents,
          const Knowledge& knowledge, int threads)
      : record_(record),
        data_(data),
        scorer_(scorer),
        max_parents_(max_parents),
        knowledge_(knowledge),
        threads_(threads),
        names_(data.names()) {}

  std::vector<ClaimCheck> run() {
    check_data();
    check_score("score.empty", record_.score.empty, plain::total(scorer_, Dag(data_.size())));
    if (record_.match) check_opponents(*record_.match);
    std::vector<NamePair> edges;
    for (const EdgeRecord& edge : record_.edges) edges.emplace_back(edge.from, edge.to);
    if (const std::optional<Dag> dag = graph("dag.edges", edges)) {
      check_score("score.value", record_.score.value, plain::total(scorer_, *dag));
      if (record_.certificate) check_certificate(*dag, *record_.certificate);
      check_class("cpdag", record_.cpdag, *dag, {});
      check_kind_of_class();
      if (record_.has_knowledge()) check_knowledge(*dag);
      if (dag->edge_count() > 0) check_edges(*dag);
    }
    if (record_.match) check_history(record_.match->history);
    if (record_.pag) check_pag(*record_.pag);
    if (record_.posterior) check_posterior(*record_.posterior);
    say_what_is_not_checked();
    return std::move(out_);
  }

 private:
  void say(bool holds, const std::string& claim, std::string text) {
    out_.push_back({holds ? Verdict::kHolds : Verdict::kFails, claim, std::move(text)});
  }
  // Fails the claim, with what the file says and what was found.
  void differ(const std::string& claim, const std::string& recorded, const std::string& found) {
    say(false, claim, fmt::format("the file says {}, but it is {}", recorded, found));
  }

  void check_data() {
    const auto count = [&](const std::string& claim, size_t recorded, size_t found, const char* noun) {
      const auto number = static_cast<long long>(found);
      if (recorded == found) return say(true, claim, counted(number, noun));
      differ(claim, std::to_string(recorded), std::to_string(found));
    };
    const std::string checksum = data_.checksum();
    if (checksum == record_.data.checksum) {
      say(true, "data.checksum", "names, kinds and cells are those of the file: " + checksum);
    } else {
      say(false, "data.checksum",
          fmt::format("the result was made from another table, or this one has changed: the file says {}, but it is {}",
                      record_.data.checksum, checksum));
    }
    const size_t rows = data_.is_summary() ? static_cast<size_t>(std::llround(data_.total_weight())) : data_.rows();
    count("data.rows", record_.data.rows, rows, "row");
    count("data.columns", record_.data.columns.size(), static_cast<size_t>(data_.size()), "column");
    std::vector<std::string> wrong;
    std::map<std::string, ColumnKind> kinds;
    for (const ColumnRecord& column : record_.data.columns) kinds[column.name] = column.kind;
    for (const Column& column : data_.columns()) {
      const auto at = kinds.find(column.name);
      const ColumnKind kind = column.has_levels() ? ColumnKind::kCategorical : column.kind;
      if (at == kinds.end()) {
        wrong.push_back("there is nothing about " + shown(column.name));
      } else if (at->second != kind) {
        wrong.push_back(fmt::format("{} is {}, not {}", shown(column.name), to_string(kind), to_string(at->second)));
      }
    }
    for (const auto& [name, kind] : kinds) {
      if (data_.index_of(name) < 0) wrong.push_back("there is no column " + shown(name));
    }
    say(wrong.empty(), "data.kinds", wrong.empty() ? "every column has the kind recorded" : listed(wrong, 4));
  }

  // The graph of these edges, if it is an acyclic graph over the columns; otherwise the claim fails with the reason.
  std::optional<Dag> graph(const std::string& claim, const std::vector<NamePair>& edges) {
    std::string why_not;
    std::optional<Dag> dag = recorded_graph(data_, edges, why_not);
    say(dag.has_value(), claim, dag ? fmt::format("acyclic, {}", counted(dag->edge_count(), "edge")) : why_not);
    return dag;
  }

  bool check_score(const std::string& claim, double recorded, const plain::Value& found) {
    if (is_same_score(recorded, found)) {
      say(true, claim, fmt::format("{:.6f}", found.score));
      return true;
    }
    differ(claim, fmt::format("{:.6f}", recorded), fmt::format("{:.6f}", found.score));
    return false;
  }

  void check_opponents(const MatchRecord& match) {
    std::optional<plain::Value> best;
    for (size_t k = 0; k < match.opponents.size(); ++k) {
      const OpponentRecord& opponent = match.opponents[k];
      const std::string key = match.opponents.size() == 1 ? "opponent" : fmt::format("opponents[{}]", k);
      const std::string claim = fmt::format("{} ({})", key, opponent.name);
      const std::optional<Dag> dag = graph(claim + ".edges", opponent.edges);
      if (!dag) continue;
      const plain::Value found = plain::total(scorer_, *dag);
      check_score(claim + ".score", opponent.score, found);
      check_class(claim + (record_.has_knowledge() ? ".mpdag" : ".cpdag"), opponent.mpdag, *dag, knowledge_);
      opponents_.push_back(*dag);
      if (!best || found.score > best->score) best = found;
    }
    if (match.opponents.size() == 1) return;
    const OpponentRecord& named = match.opponents[match.best];
    const bool is_best = best && is_same_score(named.score, *best);
    say(is_best, "opponent", fmt::format("{} {} the best of them", named.name, is_best ? "is" : "is not"));
  }

  void check_flag(const std::string& claim, bool recorded, bool found, const std::string& text) {
    if (recorded != found) return differ("certificate." + claim, recorded ? "true" : "false", found ? "true" : "false");
    say(found, "certificate." + claim, text);
  }

  void check_certificate(const Dag& dag, const Certificate& c) {
    if (opponents_.size() < record_.match->opponents.size()) {
      return say(false, "certificate", "cannot hold: an opponent's graph is not a graph");
    }
    Claim claim{.data = data_, .scorer = scorer_, .knowledge = knowledge_};
    claim.max_parents = max_parents_;
    claim.opponents = opponents_;
    claim.champion = dag;
    claim.edge_budget = record_.match->edge_budget;
    const Certificate found = certify(
        claim, {.resamples = 0, .threads = threads_, .neighbour_limit = c.one_optimal ? 0 : kNeighboursOfAnOpenClaim});

    check_flag("never_worse", c.never_worse, found.never_worse,
               found.never_worse ? "no opponent scores higher" : "an opponent scores higher");
    const bool is_open = c.ascent_cut && !c.one_optimal;
    if (is_open) {
      out_.push_back({Verdict::kNotChecked, "certificate.one_optimal", "not claimed: the limit cut the ascent"});
    } else if (found.better_neighbour) {
      const EdgeMove& move = *found.better_neighbour;
      const char* verb = move.kind == MoveKind::kAdd      ? "adding"
                         : move.kind == MoveKind::kRemove ? "removing"
                                                          : "reversing";
      say(false, "certificate.one_optimal",
          fmt::format("{} {} gains {:.6g}", verb, arrow({names_[move.from], names_[move.to]}), found.better_gain));
    } else if (!found.neighbours_complete && !c.one_optimal) {
      out_.push_back({Verdict::kNotChecked, "certificate.one_optimal", "not claimed: there are too many neighbours"});
    } else {
      check_flag("one_optimal", c.one_optimal, found.one_optimal, "no valid single edit improves the answer");
    }
    if (found.neighbours_complete && !is_open) {
      if (c.neighbours_checked == found.neighbours_checked) {
        say(true, "certificate.neighbours_checked", with_commas(found.neighbours_checked));
      } else {
        differ("certificate.neighbours_checked", std::to_string(c.neighbours_checked),
               std::to_string(found.neighbours_checked));
      }
    }
    check_flag("acyclic", c.acyclic, found.acyclic, "no directed cycle");
    check_flag("within_budget", c.within_budget, found.within_budget,
               fmt::format("{} of at most {}", counted(dag.edge_count(), "edge"), record_.match->edge_budget));
    check_flag("knowledge_kept", c.knowledge_kept, found.knowledge_kept,
               knowledge_.empty() ? "nothing is known" : "by the answer");
    check_score("certificate.champion_score", c.champion_score, {found.champion_score});
    bool holds = c.opponent_scores.size() == found.opponent_scores.size();
    for (size_t k = 0; holds && k < c.opponent_scores.size(); ++k) {
      holds = is_same_score(c.opponent_scores[k], plain::total(scorer_, opponents_[k]));
    }
    say(holds, "certificate.opponent_scores", holds ? "as recomputed" : "are not those of the opponents' graphs");
  }

  void check_class(const std::string& claim, const PdagRecord& recorded, const Dag& dag, const Knowledge& knowledge) {
    const Pdag pdag = plain::class_of(dag, knowledge, scorer_.row_set());
    std::set<NamePair> directed, undirected;
    for (const Edge& edge : pdag.directed_edges()) directed.insert({names_[edge.from], names_[edge.to]});
    for (const Edge& edge : pdag.undirected_edges()) {
      undirected.insert(std::minmax(names_[edge.from], names_[edge.to]));
    }
    std::set<NamePair> said_directed(recorded.directed.begin(), recorded.directed.end()), said_undirected;
    for (const auto& [a, b] : recorded.undirected) said_undirected.insert(std::minmax(a, b));
    std::vector<std::string> wrong;
    if (said_directed.size() < recorded.directed.size() || said_undirected.size() < recorded.undirected.size()) {
      wrong.push_back("an edge appears twice");
    }
    const auto compare = [&](const std::set<NamePair>& said, const std::set<NamePair>& found, auto show) {
      for (const NamePair& edge : said) {
        if (!found.contains(edge)) wrong.push_back(show(edge) + " is not in the class of the graph");
      }
      for (const NamePair& edge : found) {
        if (!said.contains(edge)) wrong.push_back(show(edge) + " is left out");
      }
    };
    compare(said_directed, directed, arrow);
    compare(said_undirected, undirected, line);
    say(wrong.empty(), claim,
        wrong.empty()
            ? fmt::format("{} fixed, {} open", counted(pdag.directed_count(), "arrow"), pdag.undirected_count())
            : listed(wrong, 4));
  }

  // Experiments tell more graphs apart when not all rows tell about all variables alike.
  void check_kind_of_class() {
    const std::vector<int>& set = scorer_.row_set();
    const bool found = std::any_of(set.begin(), set.end(), [&](int one) { return one != set[0]; });
    const auto name = [](bool interventional) { return interventional ? "interventional" : "observational"; };
    if (record_.interventional != found) return differ("class", name(record_.interventional), name(found));
    if (found) say(true, "class", "interventional: not all rows tell about all variables");
  }

  void check_knowledge(const Dag& dag) {
    const KnowledgeRecord& known = record_.knowledge;
    const auto count = [&](const char* key, long recorded, long found) {
      if (recorded == found) return say(true, std::string("knowledge.") + key, with_commas(found));
      differ(std::string("knowledge.") + key, std::to_string(recorded), std::to_string(found));
    };
    count("required", known.required, knowledge_.required_count());
    count("forbidden", known.forbidden, knowledge_.forbidden_count() - knowledge_.required_count());
    count("tiers", static_cast<long>(known.tiers), static_cast<long>(knowledge_.tiers().size()));
    std::vector<std::string> broken;
    for (Node to = 0; to < dag.size(); ++to) {
      for (Node from = 0; from < dag.size(); ++from) {
        if (from == to) continue;
        const std::string edge = arrow({names_[from], names_[to]});
        if (dag.has_edge(from, to) && knowledge_.is_forbidden({from, to})) broken.push_back(edge + " is forbidden");
        if (!dag.has_edge(from, to) && knowledge_.is_required({from, to})) broken.push_back(edge + " is required");
      }
    }
    if (known.satisfied != broken.empty() || !broken.empty()) {
      say(false, "knowledge.satisfied", broken.empty() ? "the file says false, but it is true" : listed(broken, 4));
    } else {
      say(true, "knowledge.satisfied", "required edges are there, forbidden ones are not");
    }
    if (broken.empty()) check_class("mpdag", record_.mpdag, dag, knowledge_);
  }

  // The list of edges: how much removing each would lose, and which arrows are fixed.
  void check_edges(const Dag& dag) {
    const Pdag pdag = plain::class_of(dag, knowledge_, scorer_.row_set());
    const Pdag by_data = plain::class_of(dag, {}, scorer_.row_set()), observed = plain::class_of(dag, {}, {});
    std::vector<std::string> wrong;
    std::set<NamePair> seen;
    for (const EdgeRecord& edge : record_.edges) {
      const std::string name = arrow({edge.from, edge.to});
      const Node from = data_.index_of(edge.from), to = data_.index_of(edge.to);
      if (from < 0 || to < 0 || !dag.has_edge(from, to) || !seen.insert({edge.from, edge.to}).second) {
        wrong.push_back(name + " is not in the graph, or twice in the list");
        continue;
      }
      if (edge.fixed != pdag.has_directed(from, to)) {
        wrong.push_back(fmt::format("{} is {}", name, edge.fixed ? "not fixed" : "fixed"));
      }
      if (edge.by_experiment != (by_data.has_directed(from, to) && !observed.has_directed(from, to))) {
        wrong.push_back(fmt::format("{} is {}fixed by an experiment", name, edge.by_experiment ? "not " : ""));
      }
      std::vector<Node> parents = dag.parent_list(to);
      const plain::Value with = scorer_.local(to, parents);
      std::erase(parents, from);
      const plain::Value without = scorer_.local(to, parents);
      const double strength = with.score - without.score;
      if (std::abs(edge.strength - strength) > 1e-9 * (1 + std::abs(with.score)) + with.rounding + without.rounding) {
        wrong.push_back(fmt::format("the strength of {} is {:.6f}, not {:.6f}", name, strength, edge.strength));
      }
    }
    if (static_cast<int>(seen.size()) < dag.edge_count()) wrong.push_back("not all edges of the graph are listed");
    say(wrong.empty(), "edges",
        wrong.empty() ? "what each loses when removed, and which arrows are fixed" : listed(wrong, 4));
  }

  void check_history(const std::vector<HistoryPoint>& history) {
    const double last = history.back().score;
    const bool rises = std::is_sorted(history.begin(), history.end(),
                                      [](const HistoryPoint& a, const HistoryPoint& b) { return a.score < b.score; });
    if (!rises) return say(false, "history", "the scores do not rise");
    if (std::abs(last - record_.score.value) > 1e-9 * (1 + std::abs(last))) {
      return differ("history", fmt::format("that it ends at {:.6f}", last), fmt::format("{:.6f}", record_.score.value));
    }
    say(true, "history",
        fmt::format("{}, each above the one before, the last the answer",
                    counted(static_cast<long long>(history.size()), "champion")));
  }

  // Checks only that it is a graph over the columns: its marks come from tests, which are not run again.
  void check_pag(const std::vector<NamedEdge>& edges) {
    std::vector<std::string> wrong;
    std::set<NamePair> seen;
    for (const NamedEdge& edge : edges) {
      for (const std::string& name : {edge.a, edge.b}) {
        if (data_.index_of(name) < 0) wrong.push_back("there is no column " + shown(name));
      }
      if (edge.a == edge.b || !seen.insert(std::minmax(edge.a, edge.b)).second) {
        wrong.push_back(to_string(edge) + " begins where it ends, or is a second edge between the two");
      }
    }
    say(wrong.empty(), "pag.edges",
        wrong.empty() ? counted(static_cast<long long>(edges.size()), "edge") + " between columns" : listed(wrong, 4));
  }

  // Checks only that the figures fit each other: the posterior itself would have to be computed again.
  void check_posterior(const PosteriorRecord& posterior) {
    std::vector<std::string> wrong;
    std::map<NamePair, PairPosterior> listed_pairs;
    const auto is_probability = [](double x) { return x >= 0 && x <= 1; };
    const auto check_names = [&](const std::string& a, const std::string& b) {
      if (data_.index_of(a) < 0 || data_.index_of(b) < 0 || a == b)
        wrong.push_back(line({a, b}) + " is no pair of columns");
    };
    for (const PairProbability& pair : posterior.pairs) {
      const PairPosterior& p = pair.posterior;
      check_names(pair.a, pair.b);
      if (!is_probability(p.edge) || !is_probability(p.forward) || !is_probability(p.backward) ||
          std::abs(p.edge - p.forward - p.backward) > 1e-9) {
        wrong.push_back(fmt::format("{}: {:.6g} is not the sum of {:.6g} and {:.6g}", line({pair.a, pair.b}), p.edge,
                                    p.forward, p.backward));
      }
      if (!listed_pairs.insert({{pair.a, pair.b}, p}).second)
        wrong.push_back(line({pair.a, pair.b}) + " appears twice");
    }
    for (const PathProbability& path : posterior.paths) {
      check_names(path.from, path.to);
      if (!is_probability(path.probability)) wrong.push_back(arrow({path.from, path.to}) + " has no probability");
    }
    if (posterior.consensus) check_consensus(posterior);
    for (const EdgeRecord& edge : record_.edges) {
      if (!edge.posterior) continue;
      const bool in_order = edge.from < edge.to;
      const auto at = listed_pairs.find(std::minmax(edge.from, edge.to));
      PairPosterior p = at == listed_pairs.end() ? PairPosterior{} : at->second;
      if (!in_order) std::swap(p.forward, p.backward);
      // A pair that is not listed has less than the least that is.
      const bool same_pair =
          at == listed_pairs.end() ? edge.posterior->edge < PosteriorRecord::kLeast : *edge.posterior == p;
      if (!same_pair) wrong.push_back(arrow({edge.from, edge.to}) + " has other probabilities in the list of edges");
    }
    say(wrong.empty(), "posterior.pairs",
        wrong.empty()
            ? fmt::format("{} and {} fit each other", counted(static_cast<long long>(posterior.pairs.size()), "pair"),
                          counted(static_cast<long long>(posterior.paths.size()), "path"))
            : listed(wrong, 4));
  }

  // The consensus follows from the pairs: those that are not listed are too improbable to be in it.
  void check_consensus(const PosteriorRecord& posterior) {
    const auto p = static_cast<size_t>(data_.size());
    std::vector<double> probability(p * p, 0);
    for (const PairProbability& pair : posterior.pairs) {
      const int a = data_.index_of(pair.a), b = data_.index_of(pair.b);
      if (a < 0 || b < 0) return;  // said already
      probability[static_cast<size_t>(a) * p + static_cast<size_t>(b)] = pair.posterior.forward;
      probability[static_cast<size_t>(b) * p + static_cast<size_t>(a)] = pair.posterior.backward;
    }
    std::vector<NamePair> edges;
    for (const Edge& edge : consensus(data_.size(), probability, max_parents_).edges()) {
      edges.emplace_back(data_.column(edge.from).name, data_.column(edge.to).name);
    }
    std::ranges::sort(edges);
    say(edges == posterior.consensus->edges, "posterior.consensus",
        edges == posterior.consensus->edges
            ? counted(static_cast<long long>(edges.size()), "edge") + " follow from the pairs"
            : "the pairs give other edges");
  }

  void say_what_is_not_checked() {
    const auto skip = [&](const char* claim, const char* reason) {
      out_.push_back({Verdict::kNotChecked, claim, reason});
    };
    if (record_.certificate) skip("certificate.selection", "the file does not hold the candidates");
    if (record_.bootstrap) skip("bootstrap", "the resamples would have to be searched again");
    if (record_.posterior) skip("posterior", "all DAGs would have to be summed up or sampled again");
    if (record_.comparison) skip("metrics", "agon compare TRUTH GRAPH computes them");
    if (record_.pag) skip("pag", "its marks follow from tests that would have to be run again");
  }

  const RunRecord& record_;
  const Dataset& data_;
  const plain::Scorer& scorer_;
  int max_parents_;
  const Knowledge& knowledge_;
  int threads_;
  std::vector<std::string> names_;
  std::vector<Dag> opponents_;
  std::vector<ClaimCheck> out_;
};

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kFails:
      return "FAILS";
    case Verdict::kNotChecked:
      break;
  }
  return "not checked";
}

std::optional<Dag> recorded_graph(const Dataset& data, const std::vector<NamePair>& edges, std::string& why_not) {
  Dag dag(data.size());
  for (const NamePair& edge : edges) {
    const Node from = data.index_of(edge.first), to = data.index_of(edge.second);
    if (from < 0 || to < 0) {
      why_not = fmt::format("{}: there is no column {}", arrow(edge), shown(from < 0 ? edge.first : edge.second));
      return std::nullopt;
    }
    if (from == to || dag.has_edge(from, to) || dag.has_edge(to, from)) {
      why_not = arrow(edge) + (from == to               ? " begins where it ends"
                               : dag.has_edge(from, to) ? " appears twice"
                                                        : " appears in both directions, a cycle");
      return std::nullopt;
    }
    dag.add_edge(from, to);
  }
  if (!descendants_of(dag)) {
    why_not = "there is a directed cycle";
    return std::nullopt;
  }
  return dag;
}

bool is_same_score(double recorded, const plain::Value& found) {
  return std::abs(recorded - found.score) <= 1e-9 * (1 + std::abs(found.score)) + found.rounding;
}

std::vector<ClaimCheck> verify_record(const RunRecord& record, const Dataset& data, const plain::Scorer& scorer,
                                      int max_parents, const Knowledge& knowledge, int threads) {
  if (const int cap = recorded_cap(record.options); cap > 0) max_parents = cap;
  return Checker(record, data, scorer, max_parents, knowledge, threads).run();
}

std::vector<ClaimCheck> verify_repetitions(const std::string& text, const RunRecord& record) {
  std::vector<ClaimCheck> checks;
  for (const Contradiction& c : contradictions(text, record)) {
    checks.push_back(
        {Verdict::kFails, c.key, fmt::format("the file says {}, but the rest of it implies {}", c.says, c.implied)});
  }
  if (checks.empty()) checks.push_back({Verdict::kHolds, "the file", "consistent wherever it repeats itself"});
  return checks;
}

bool all_hold(const std::vector<ClaimCheck>& checks) {
  return std::none_of(checks.begin(), checks.end(), [](const ClaimCheck& c) { return c.verdict == Verdict::kFails; });
}

}  // namespace agon
