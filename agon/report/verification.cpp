#include "agon/report/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/certificate/certificate.h"
#include "agon/certificate/neighbours.h"
#include "agon/certificate/plain_class.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/kinds.h"
#include "agon/report/table.h"

namespace agon {
namespace {

// A file may say that not all neighbours were checked; then no more than this many are checked here either.
constexpr long kNeighboursOfAnOpenClaim = 1'000'000;

bool is_discrete(const std::string& score) { return score == "discrete-bic" || score == "bdeu"; }

std::string arrow(const NamePair& edge) { return shown(edge.first) + " -> " + shown(edge.second); }
std::string line(const NamePair& edge) { return shown(edge.first) + " - " + shown(edge.second); }

class Checker {
 public:
  Checker(const RecordedResult& recorded, const Dataset& data, const Knowledge& knowledge, int threads)
      : recorded_(recorded), data_(data), knowledge_(knowledge), threads_(threads), names_(data.names()) {}

  std::vector<ClaimCheck> run() {
    check_data();
    scorer_ = plain::make_scorer(
        data_, {.name = recorded_.score, .penalty = recorded_.penalty, .sample_size = recorded_.sample_size});
    check_score("score.empty", recorded_.empty, plain::total(*scorer_, Dag(data_.size())));
    for (size_t k = 0; k < recorded_.opponents.size(); ++k) check_opponent(k);
    const std::optional<Dag> dag = graph("dag.edges", recorded_.dag);
    if (dag) {
      check_answer(*dag);
      if (recorded_.certificate) check_certificate(*dag);
      check_class("cpdag", recorded_.cpdag, *dag, {});
      if (recorded_.knowledge) check_knowledge(*dag);
      if (!recorded_.edges.empty() || dag->edge_count() > 0) check_edges(*dag);
    }
    if (!recorded_.history.empty()) check_history();
    for (const std::string& part : recorded_.not_checked) {
      const size_t colon = part.find(": ");
      out_.push_back({Verdict::kNotChecked, part.substr(0, colon), part.substr(colon + 2)});
    }
    return std::move(out_);
  }

 private:
  void say(bool holds, const std::string& claim, std::string text) {
    out_.push_back({holds ? Verdict::kHolds : Verdict::kFails, claim, std::move(text)});
  }
  // Fails with what the file says and what is so.
  void differ(const std::string& claim, const std::string& recorded, const std::string& found) {
    say(false, claim, fmt::format("the file says {}, but it is {}", recorded, found));
  }

  void check_data() {
    const auto count = [&](const std::string& claim, size_t recorded, size_t found, const char* noun) {
      const auto number = static_cast<long long>(found);
      if (recorded == found) return say(true, claim, counted(number, noun));
      differ(claim, std::to_string(recorded), std::to_string(found));
    };
    count("data.rows", recorded_.rows, data_.rows(), "row");
    count("data.columns", recorded_.columns, static_cast<size_t>(data_.size()), "column");
    const std::string checksum = data_.checksum();
    if (checksum == recorded_.checksum) {
      say(true, "data.checksum", "names, kinds and cells are those of the file: " + checksum);
    } else {
      differ("data.checksum", recorded_.checksum, checksum);
    }
    std::vector<std::string> wrong;
    for (const Column& column : data_.columns()) {
      const auto at = recorded_.kinds.find(column.name);
      if (at == recorded_.kinds.end()) wrong.push_back("there is nothing about " + shown(column.name));
      if (at != recorded_.kinds.end() && at->second != to_string(column.kind)) {
        wrong.push_back(fmt::format("{} is {}, not {}", shown(column.name), to_string(column.kind), at->second));
      }
    }
    for (const auto& [name, kind] : recorded_.kinds) {
      if (data_.index_of(name) < 0) wrong.push_back("there is no column " + shown(name));
    }
    say(wrong.empty(), "data.kinds", wrong.empty() ? "every column has the kind recorded" : listed(wrong, 4));
  }

  // The graph of these edges when it is one over the columns, without a cycle; else what is wrong is said.
  std::optional<Dag> graph(const std::string& claim, const std::vector<NamePair>& edges) {
    Dag dag(data_.size());
    for (const NamePair& edge : edges) {
      const Node from = data_.index_of(edge.first), to = data_.index_of(edge.second);
      if (from < 0 || to < 0) {
        say(false, claim,
            fmt::format("{}: there is no column {}", arrow(edge), shown(from < 0 ? edge.first : edge.second)));
        return std::nullopt;
      }
      if (from == to || dag.has_edge(from, to) || dag.has_edge(to, from)) {
        say(false, claim,
            arrow(edge) + (from == to               ? " begins where it ends"
                           : dag.has_edge(from, to) ? " stands there twice"
                                                    : " stands there in both directions, a cycle"));
        return std::nullopt;
      }
      dag.add_edge(from, to);
    }
    if (!descendants_of(dag)) {
      say(false, claim, "there is a directed cycle");
      return std::nullopt;
    }
    say(true, claim, fmt::format("acyclic, {}", counted(dag.edge_count(), "edge")));
    return dag;
  }

  bool same(double recorded, const plain::Value& found) const {
    return std::abs(recorded - found.score) <= 1e-9 * (1 + std::abs(found.score)) + found.rounding;
  }
  bool check_score(const std::string& claim, double recorded, const plain::Value& found) {
    if (same(recorded, found)) {
      say(true, claim, fmt::format("{:.6f}", found.score));
      return true;
    }
    differ(claim, fmt::format("{:.6f}", recorded), fmt::format("{:.6f}", found.score));
    return false;
  }

  void check_opponent(size_t k) {
    const OpponentRecord& opponent = recorded_.opponents[k];
    const std::string key = recorded_.opponents.size() == 1 ? "opponent" : fmt::format("opponents[{}]", k);
    const std::string claim = fmt::format("{} ({})", key, opponent.name);
    const std::optional<Dag> dag = graph(claim + ".edges", opponent.edges);
    if (!dag) return;
    const plain::Value found = plain::total(*scorer_, *dag);
    check_score(claim + ".score", opponent.score, found);
    check_class(claim + (recorded_.knowledge ? ".mpdag" : ".cpdag"), opponent.mpdag, *dag, knowledge_);
    opponents_.push_back(*dag);
    if (!best_opponent_ || found.score > best_opponent_->score) best_opponent_ = found;
  }

  void check_answer(const Dag& dag) {
    const plain::Value found = plain::total(*scorer_, dag);
    check_score("score.value", recorded_.value, found);
    if (recorded_.champion_score) check_score("score.champion", *recorded_.champion_score, found);
    if (recorded_.opponent_score && best_opponent_) {
      check_score("score.opponent", *recorded_.opponent_score, *best_opponent_);
    }
    if (recorded_.opponents.size() > 1) check_best_opponent();
  }

  void check_best_opponent() {
    const OpponentRecord& best = *recorded_.opponent;
    for (const OpponentRecord& one : recorded_.opponents) {
      if (one.name != best.name) continue;
      const bool repeats = one.edges == best.edges && one.score == best.score &&
                           one.mpdag.directed == best.mpdag.directed && one.mpdag.undirected == best.mpdag.undirected;
      if (!repeats) return say(false, "opponent", fmt::format("is not what \"opponents\" says of {}", best.name));
      const bool is_best = best_opponent_ && same(one.score, *best_opponent_);
      return say(is_best, "opponent", fmt::format("{} {} the best of them", best.name, is_best ? "is" : "is not"));
    }
    say(false, "opponent", fmt::format("{} is not one of \"opponents\"", shown(best.name)));
  }

  void check_flag(const std::string& claim, bool recorded, bool found, const std::string& text) {
    if (recorded != found) return differ("certificate." + claim, recorded ? "true" : "false", found ? "true" : "false");
    say(found, "certificate." + claim, text);
  }

  void check_certificate(const Dag& dag) {
    const RecordedCertificate& c = *recorded_.certificate;
    if (opponents_.size() < recorded_.opponents.size()) {
      return say(false, "certificate", "cannot hold: an opponent's graph is not a graph");
    }
    Claim claim{.data = data_, .score = recorded_.score, .knowledge = knowledge_};
    claim.penalty = recorded_.penalty;
    claim.sample_size = recorded_.sample_size;
    claim.max_parents = recorded_.max_parents;
    if (claim.max_parents == 0 && !is_discrete(recorded_.score)) {
      claim.max_parents = std::max(3, static_cast<int>(data_.rows() / 10));  // the cap of the Gaussian scores
    }
    claim.opponents = opponents_;
    claim.champion = dag;
    claim.edge_budget = recorded_.edge_budget;
    const Certificate found = certify(
        claim, {.resamples = 0, .threads = threads_, .neighbour_limit = c.one_optimal ? 0 : kNeighboursOfAnOpenClaim});

    check_flag("never_worse", c.never_worse, found.never_worse,
               found.never_worse ? "no opponent scores higher" : "an opponent scores higher");
    if (found.better_neighbour) {
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
    if (found.neighbours_complete) {
      if (c.neighbours_checked == found.neighbours_checked) {
        say(true, "certificate.neighbours_checked", with_commas(found.neighbours_checked));
      } else {
        differ("certificate.neighbours_checked", std::to_string(c.neighbours_checked),
               std::to_string(found.neighbours_checked));
      }
    }
    if (c.acyclic) check_flag("acyclic", *c.acyclic, found.acyclic, "no directed cycle");
    if (c.within_budget) {
      check_flag("within_budget", *c.within_budget, found.within_budget,
                 fmt::format("{} of at most {}", counted(dag.edge_count(), "edge"), recorded_.edge_budget));
    }
    if (c.knowledge_kept) {
      check_flag("knowledge_kept", *c.knowledge_kept, found.knowledge_kept,
                 knowledge_.empty() ? "nothing is known" : "by the answer");
    }
    if (c.champion_score) check_score("certificate.champion_score", *c.champion_score, {found.champion_score});
    if (!c.opponent_scores.empty()) {
      bool holds = c.opponent_scores.size() == found.opponent_scores.size();
      for (size_t k = 0; holds && k < c.opponent_scores.size(); ++k) {
        holds = same(c.opponent_scores[k], plain::total(*scorer_, opponents_[k]));
      }
      say(holds, "certificate.opponent_scores", holds ? "as recomputed" : "are not those of the opponents' graphs");
    }
  }

  void check_class(const std::string& claim, const PdagRecord& recorded, const Dag& dag, const Knowledge& knowledge) {
    const Pdag pdag = plain::class_of(dag, knowledge);
    std::set<NamePair> directed, undirected;
    for (const Edge& edge : pdag.directed_edges()) directed.insert({names_[edge.from], names_[edge.to]});
    for (const Edge& edge : pdag.undirected_edges()) {
      undirected.insert(std::minmax(names_[edge.from], names_[edge.to]));
    }
    std::set<NamePair> said_directed(recorded.directed.begin(), recorded.directed.end()), said_undirected;
    for (const auto& [a, b] : recorded.undirected) said_undirected.insert(std::minmax(a, b));
    std::vector<std::string> wrong;
    if (said_directed.size() < recorded.directed.size() || said_undirected.size() < recorded.undirected.size()) {
      wrong.push_back("an edge stands there twice");
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
            ? fmt::format("{} determined, {} open", counted(pdag.directed_count(), "arrow"), pdag.undirected_count())
            : listed(wrong, 4));
  }

  void check_knowledge(const Dag& dag) {
    const KnowledgeRecord& known = *recorded_.knowledge;
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
      say(true, "knowledge.satisfied", "required edges stand, forbidden ones do not");
    }
    if (recorded_.mpdag && broken.empty()) check_class("mpdag", *recorded_.mpdag, dag, knowledge_);
  }

  // The list of edges with what removing each would lose, and which arrows are determined.
  void check_edges(const Dag& dag) {
    const Pdag pdag = plain::class_of(dag, knowledge_);
    std::vector<std::string> wrong;
    std::set<NamePair> seen;
    for (const RecordedEdge& edge : recorded_.edges) {
      const std::string name = arrow({edge.from, edge.to});
      const Node from = data_.index_of(edge.from), to = data_.index_of(edge.to);
      if (from < 0 || to < 0 || !dag.has_edge(from, to) || !seen.insert({edge.from, edge.to}).second) {
        wrong.push_back(name + " is not in the graph, or twice in the list");
        continue;
      }
      if (edge.compelled != pdag.has_directed(from, to)) {
        wrong.push_back(fmt::format("{} is {}", name, edge.compelled ? "not compelled" : "compelled"));
      }
      std::vector<Node> parents = dag.parent_list(to);
      const plain::Value with = scorer_->local(to, parents);
      std::erase(parents, from);
      const plain::Value without = scorer_->local(to, parents);
      const double loss = with.score - without.score;
      if (std::abs(edge.loss - loss) > 1e-9 * (1 + std::abs(with.score)) + with.rounding + without.rounding) {
        wrong.push_back(fmt::format("the loss of {} is {:.6f}, not {:.6f}", name, loss, edge.loss));
      }
    }
    if (static_cast<int>(seen.size()) < dag.edge_count()) wrong.push_back("not all edges of the graph are listed");
    say(wrong.empty(), "edges",
        wrong.empty() ? "what each loses when removed, and which are compelled" : listed(wrong, 4));
  }

  void check_history() {
    const std::vector<double>& scores = recorded_.history;
    const double last = scores.back();
    if (!std::is_sorted(scores.begin(), scores.end())) return say(false, "history", "the scores do not rise");
    if (std::abs(last - recorded_.value) > 1e-9 * (1 + std::abs(last))) {
      return differ("history", fmt::format("that it ends at {:.6f}", last), fmt::format("{:.6f}", recorded_.value));
    }
    say(true, "history",
        fmt::format("{}, each above the one before, the last the answer",
                    counted(static_cast<long long>(scores.size()), "champion")));
  }

  const RecordedResult& recorded_;
  const Dataset& data_;
  const Knowledge& knowledge_;
  int threads_;
  std::vector<std::string> names_;
  std::unique_ptr<plain::Scorer> scorer_;
  std::vector<Dag> opponents_;
  std::optional<plain::Value> best_opponent_;
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

std::vector<ClaimCheck> verify_result(const RecordedResult& recorded, Dataset data, const Knowledge& knowledge,
                                      int threads) {
  const std::vector<std::string> scores = {"discrete-bic", "bdeu", "gaussian-bic", "copula-bic"};
  if (std::find(scores.begin(), scores.end(), recorded.score) == scores.end()) {
    throw InputError(recorded.place,
                     fmt::format("\"score.name\" is {}, which cannot be recomputed", quoted(recorded.score)),
                     "what can: " + listed(scores));
  }
  std::vector<std::string> notes;
  data = with_kind(std::move(data), is_discrete(recorded.score) ? ColumnKind::kCategorical : ColumnKind::kContinuous,
                   notes);
  return Checker(recorded, data, knowledge, threads).run();
}

bool all_hold(const std::vector<ClaimCheck>& checks) {
  return std::none_of(checks.begin(), checks.end(), [](const ClaimCheck& c) { return c.verdict == Verdict::kFails; });
}

}  // namespace agon
