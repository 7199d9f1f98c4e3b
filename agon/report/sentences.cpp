#include "agon/report/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>

#include "agon/base/suggest.h"
#include "agon/report/table.h"

namespace agon {
namespace {

std::string levels_text(size_t fewest, size_t most) {
  return fewest == most ? counted(static_cast<long long>(most), "level") : fmt::format("{} to {} levels", fewest, most);
}

// How many edges of a PAG have which marks, and what these mean.
std::string pag_sentence(const std::vector<NamedEdge>& edges) {
  if (edges.empty()) return "The answer is a PAG without edges.";
  size_t causes = 0, hidden = 0;
  for (const NamedEdge& edge : edges) {
    causes += edge.is_directed();
    hidden += edge.at_a == Mark::kArrow && edge.at_b == Mark::kArrow;
  }
  return fmt::format(
      "The answer is a PAG, which allows for hidden common causes: of its {}, {} (-->) {} a cause, {} (<->) {} a "
      "hidden "
      "common cause, and circles leave the rest open. The DAG is made from it by rule, for those who need one.",
      counted(static_cast<long long>(edges.size()), "edge"), causes, causes == 1 ? "is" : "are", hidden,
      hidden == 1 ? "is" : "are");
}

}  // namespace

std::string kinds_text(const DataRecord& data) {
  std::string text;
  for (const ColumnKind kind : {ColumnKind::kCategorical, ColumnKind::kContinuous}) {
    std::vector<std::string> names;
    size_t fewest = SIZE_MAX, most = 0;
    for (const ColumnRecord& column : data.columns) {
      if (column.kind != kind || column.identifier) continue;
      names.push_back(shown(column.name));
      fewest = std::min(fewest, column.levels);
      most = std::max(most, column.levels);
    }
    if (names.empty()) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} {}", with_commas(static_cast<long long>(names.size())), to_string(kind));
    if (kind == ColumnKind::kCategorical) text += fmt::format(" ({})", levels_text(fewest, most));
    if (names.size() < data.columns.size()) text += ": " + listed(names);
  }
  return text;
}

std::string missing_text(const DataRecord& data) {
  if (data.missing.cells == 0) return "";
  std::vector<const ColumnRecord*> columns;
  for (const ColumnRecord& column : data.columns) {
    if (column.missing > 0) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(),
                   [](const auto* a, const auto* b) { return a->missing > b->missing; });
  const double rows = static_cast<double>(data.rows);
  std::vector<std::string> shares;
  for (const ColumnRecord* column : columns) {
    shares.push_back(
        fmt::format("{} {:.1f} %", shown(column->name), 100 * static_cast<double>(column->missing) / rows));
  }
  const double all = rows * static_cast<double>(data.columns.size());
  return fmt::format("{} of {} cells ({:.1f} %), in {} of {} rows: {}",
                     with_commas(static_cast<long long>(data.missing.cells)), with_commas(std::llround(all)),
                     100 * static_cast<double>(data.missing.cells) / all,
                     with_commas(static_cast<long long>(data.missing.rows)),
                     with_commas(static_cast<long long>(data.rows)), listed(shares, 6));
}

std::string experiments_text(const RunRecord& record) {
  const std::vector<RegimeRecord>& regimes = record.data.regimes;
  if (regimes.empty()) return "";
  const auto aimed = std::ranges::count_if(regimes, [](const RegimeRecord& one) { return !one.targets.empty(); });
  const auto used = std::ranges::find_if(record.score.treatments, &TreatmentRecord::used);
  return fmt::format("{}, {} with targets; read as {}", with_commas(static_cast<long long>(regimes.size())),
                     aimed == 0 ? "none" : with_commas(aimed) + " of them",
                     used == record.score.treatments.end() ? "pooled" : used->name);
}

std::string score_sentence(const ScoreRecord& score) {
  const std::string price = score.edge_price > 0 ? fmt::format(" ({:.2f} nats for each edge)", score.edge_price) : "";
  return fmt::format("{}{}, {}", score.name, price, score.reason);
}

namespace {

// What another graph does otherwise than one of so many edges: "leave out 1 of the 8 edges (a - b)", "add ..", ..
std::vector<std::string> differences(const std::vector<NamePair>& missing, const std::vector<NamePair>& extra,
                                     const std::vector<NamePair>& otherwise, size_t edges) {
  const auto some = [](const std::vector<NamePair>& pairs) {
    std::vector<std::string> texts;
    for (const auto& [a, b] : pairs) texts.push_back(fmt::format("{} - {}", shown(a), shown(b)));
    return listed(texts, 3);
  };
  const auto count = [](const auto& pairs) { return with_commas(static_cast<long long>(pairs.size())); };
  std::vector<std::string> parts;
  if (!missing.empty()) {
    parts.push_back(fmt::format("leave out {} of the {} edges ({})", count(missing),
                                with_commas(static_cast<long long>(edges)), some(missing)));
  }
  if (!extra.empty()) parts.push_back(fmt::format("add {} ({})", count(extra), some(extra)));
  if (!otherwise.empty()) {
    parts.push_back(fmt::format("orient {} differently ({})", count(otherwise), some(otherwise)));
  }
  return parts;
}

// By pair, the smaller name first: is the arrow fixed, and from the smaller name on?
std::map<NamePair, std::pair<bool, bool>> arrows_by_pair(const PdagRecord& pdag) {
  std::map<NamePair, std::pair<bool, bool>> out;
  for (const NamePair& edge : pdag.directed)
    out[std::minmax(edge.first, edge.second)] = {true, edge.first < edge.second};
  for (const NamePair& edge : pdag.undirected) out[std::minmax(edge.first, edge.second)] = {false, false};
  return out;
}

}  // namespace

std::string next_score_sentence(const NextScoreRecord& next, size_t edges) {
  const std::vector<std::string> parts = differences(next.missing, next.extra, next.otherwise, edges);
  if (parts.empty()) return fmt::format("the next score, {}, gives the same class", next.name);
  return fmt::format("the next score, {}, would {}", next.name, listed(parts));
}

std::string consensus_sentence(const RunRecord& record) {
  if (!shows_consensus(record)) return "";
  const ConsensusRecord& consensus = *record.posterior->consensus;
  const auto mine = arrows_by_pair(record.mpdag), theirs = arrows_by_pair(consensus.mpdag);
  std::vector<NamePair> missing, extra, otherwise;
  for (const auto& [pair, arrow] : mine) {
    const auto at = theirs.find(pair);
    if (at == theirs.end()) missing.push_back(pair);
    if (at != theirs.end() && at->second != arrow) otherwise.push_back(pair);
  }
  for (const auto& [pair, arrow] : theirs) {
    if (!mine.contains(pair)) extra.push_back(pair);
  }
  const std::vector<std::string> parts = differences(missing, extra, otherwise, record.edges.size());
  return fmt::format(
      "Most trusted edges: of a graph of {}, each more probable than not, fewer mistakes are to be expected under the "
      "posterior than of the one that scores highest. {}.",
      counted(static_cast<long long>(consensus.edges.size()), "edge"),
      parts.empty() ? "Here the two are of the same class" : "It would " + listed(parts));
}

std::string arrows_sentence(const RunRecord& record) {
  if (record.pag) return pag_sentence(*record.pag);
  const auto all = static_cast<long long>(record.edges.size());
  const auto fixed = static_cast<long long>(record.mpdag.directed.size());
  if (all == 0) return "The answer has no edges.";
  const char* where =
      record.has_knowledge() ? "In the class of this graph, given the knowledge," : "In the class of this graph";
  if (fixed == 0) {
    return all == 1 ? fmt::format("{} the arrow is open: it may point either way.", where)
                    : fmt::format("{} all {} arrows are open: each may point either way.", where, with_commas(all));
  }
  std::string text =
      fixed == all
          ? fmt::format("{} {}.", where,
                        all == 1 ? "the arrow is fixed" : fmt::format("all {} arrows are fixed", with_commas(all)))
          : fmt::format("{} {} of {} arrows {} fixed; the other {} may point either way.", where, with_commas(fixed),
                        with_commas(all), fixed == 1 ? "is" : "are", with_commas(all - fixed));
  if (const auto set = std::ranges::count_if(record.edges, &EdgeRecord::by_experiment); set > 0) {
    text += fmt::format(" Of the fixed, {} {} that to the experiments: had nothing been set, {} would be open.",
                        with_commas(set), set == 1 ? "owes" : "owe", set == 1 ? "it" : "they");
  }
  if (const auto unsure = std::ranges::count_if(record.edges, is_unsure); unsure > 0) {
    text += fmt::format(" Of the fixed, {} {} unsure: {} {}.", with_commas(unsure), unsure == 1 ? "is" : "are",
                        shows_posterior(record) && record.bootstrap
                            ? "less than half of the resamples or of the posterior have"
                        : shows_posterior(record) ? "less than half of the posterior has"
                                                  : "fewer than half of the resamples have",
                        unsure == 1 ? "it" : "them");
  }
  return text;
}

std::string assumptions_sentence(const RunRecord& record) {
  if (record.pag || record.mpdag.directed.empty()) return "";
  std::string text = fmt::format(
      "A fixed arrow is causal if no hidden variable causes two of the columns, there is no feedback, the data are "
      "faithful to the graph, there are enough rows, and {} suits them.",
      record.score.name);
  if (!record.interventional) return text;
  const bool perfect = std::ranges::any_of(record.data.regimes,
                                           [](const RegimeRecord& regime) { return regime.intervention == "perfect"; });
  return text + (perfect ? " Experiments are assumed to act on their targets and on nothing else directly, and to cut "
                           "them off from their causes; --intervention soft lets the causes act."
                         : " Experiments are assumed to move their targets and nothing else directly; the causes of "
                           "the targets still act.");
}

std::string strength_sentence(const RunRecord& record) {
  if (record.pag || record.edges.empty()) return "";
  const auto weak = std::ranges::count_if(record.edges, is_weak);
  const std::string found =
      weak == 0 ? "none is"
                : fmt::format("{} of {} {}", with_commas(weak),
                              with_commas(static_cast<long long>(record.edges.size())), weak == 1 ? "is" : "are");
  return fmt::format(
      "Strength is the score lost without the edge, in nats: 1 makes the data 2.7 times as likely with the edge as "
      "without, 3 makes it 20 times, 10 makes it 22,000 times. Weak is under {}{}: {}.",
      kWeakStrength,
      std::string(record.bootstrap ? ", or found in fewer than half of the resamples" : "") +
          (shows_posterior(record) ? ", or of a posterior probability under one half" : ""),
      found);
}

bool shows_losses(const RunRecord& record) {
  return std::ranges::any_of(record.edges, [](const EdgeRecord& e) { return e.adjacency_loss || e.direction_loss; });
}

std::vector<std::string> loss_headings() { return {">loss without edge", ">without arrow"}; }

std::string loss_text(const std::optional<LossRecord>& loss) {
  if (!loss) return "";
  // Equal scores differ in the last digits.
  const double value = std::abs(loss->value) < 0.05 ? 0 : loss->value;
  return fmt::format("{}{:.1f}", loss->proven ? "" : ">= ", value);
}

std::string losses_sentence(const RunRecord& record) {
  if (!shows_losses(record)) return "";
  long known = 0, proven = 0;
  for (const EdgeRecord& edge : record.edges) {
    for (const auto& loss : {edge.adjacency_loss, edge.direction_loss}) {
      known += loss ? 1 : 0;
      proven += loss && loss->proven ? 1 : 0;
    }
  }
  return fmt::format(
      "Loss is what the best of all graphs in which the two are not adjacent, or in which this arrow does not stand, "
      "scores less than the answer, in nats; {} of {} proven, the others at least as large as shown.",
      with_commas(proven), with_commas(known));
}

std::string knowledge_sentence(const KnowledgeRecord& known) {
  std::vector<std::string> parts, sources;
  if (known.required > 0) parts.push_back(counted(known.required, "required edge"));
  if (known.forbidden > 0) parts.push_back(counted(known.forbidden, "forbidden edge"));
  if (known.tiers > 0) parts.push_back(counted(static_cast<long long>(known.tiers), "tier"));
  for (const std::string& source : known.sources) sources.push_back(shown(source));
  return fmt::format("{}: {} ({})", parts.empty() ? "nothing" : listed(parts),
                     known.satisfied ? "all hold" : "NOT ALL HOLD", listed(sources));
}

std::string match_sentence(const RunRecord& record) {
  std::vector<std::string> opponents;
  for (const OpponentRecord& o : record.match->opponents) {
    opponents.push_back(fmt::format("{} ({})", o.name, duration_text(o.seconds)));
  }
  return fmt::format("challenger {} against {}: {} in {}; stopped by: {}", record.match->challenger, listed(opponents),
                     counted(record.moves, "move"), duration_text(record.seconds), record.stopped_by);
}

std::string progress_sentence(const MatchRecord& match) {
  const size_t better = match.history.size() - 1;
  if (better == 0) return fmt::format("no move improved {}'s graph", match.found_by);
  return fmt::format("{} found, the last by {} after {}", counted(static_cast<long long>(better), "better graph"),
                     match.found_by, counted(match.history.back().moves, "move"));
}

std::string match_line(const RunRecord& record) {
  const MatchRecord& match = *record.match;
  std::vector<std::string> opponents;
  for (const OpponentRecord& o : match.opponents) opponents.push_back(o.name);
  const double gain = record.score.value - match.opponents[match.best].score;
  return fmt::format("{} against {}: {}; score {:.3f}, {:+.3f} over the best opponent; {} in {} ({})", match.challenger,
                     listed(opponents), progress_sentence(match), record.score.value, gain,
                     counted(record.moves, "move"), duration_text(record.seconds), record.stopped_by);
}

std::string certificate_line(const Certificate& c, const std::string& score) {
  const std::string optimal =
      c.one_optimal
          ? fmt::format("1-optimal (none of {} improves it)", counted(c.neighbours_checked, "single edit"))
          : fmt::format("not shown to be 1-optimal ({} checked{})", counted(c.neighbours_checked, "single edit"),
                        c.neighbours_left > 0 ? fmt::format(", {} not looked at", with_commas(c.neighbours_left)) : "");
  return fmt::format("derived again from the data: never worse by {} than an opponent, acyclic, {}{}", score,
                     c.has_knowledge ? "true to the knowledge, " : "", optimal);
}

std::string optimum_line(const Certificate& c) {
  const Optimum& o = c.optimum;
  const std::string sentence = optimum_sentence(o, c.champion_score, c.has_knowledge);
  if (sentence.empty()) return "";
  const char* how = o.status == Optimum::Status::kProven ? "proven" : "shown";
  const std::string checked = o.checked ? fmt::format("checked in {}", duration_text(o.check_seconds)) : "not checked";
  return fmt::format("{} ({} in {}, {})", sentence, how, duration_text(o.seconds), checked);
}

std::vector<std::string> bootstrap_sentences(const RunRecord& record) {
  const BootstrapRecord& b = *record.bootstrap;
  const std::string done = b.stopped_by.empty() ? counted(b.resamples, "resample")
                                                : fmt::format("{} of {} ({})", with_commas(b.resamples),
                                                              counted(b.asked, "resample"), b.stopped_by);
  if (b.resamples == 0) return {fmt::format("shares: none, {} of the rows finished.", done)};
  const std::string searched = fmt::format("{} of the rows (each searched by {})", done, b.search);
  std::vector<PairRecord> not_shown;
  std::ranges::copy_if(b.pairs, std::back_inserter(not_shown),
                       [](const PairRecord& pair) { return !pair.shown && pair.shares.edge >= 0.5; });
  std::ranges::stable_sort(not_shown, std::greater{}, [](const PairRecord& pair) { return pair.shares.edge; });
  std::vector<std::string> sentences, absent, weak, against;
  if (record.pag ? record.pag->empty() : record.edges.empty()) {  // nothing has shares that could be explained
    sentences.push_back(not_shown.empty() ? fmt::format("No two variables are adjacent in half of {}.", searched)
                                          : fmt::format("Shares are of {}.", searched));
  } else if (record.pag) {
    sentences.push_back(fmt::format("P(edge) is the share of {} in which the two are adjacent.", searched));
  } else {
    const char letter = shows_posterior(record) ? 'B' : 'P';
    sentences.push_back(fmt::format(
        "{0}(edge), {0}(->), {0}(<-): the shares of {1} that have the edge, this arrow, its reverse; in the rest of "
        "{0}(edge) the arrow is open.",
        letter, searched));
  }
  for (const PairRecord& pair : not_shown) {
    absent.push_back(fmt::format("{} and {} ({:.3f})", shown(pair.a), shown(pair.b), pair.shares.edge));
  }
  for (const EdgeRecord& edge : by_strength(record.edges)) {
    const std::string name = fmt::format("{} and {}", shown(edge.from), shown(edge.to));
    const PairShares shares = edge.shares.value_or(PairShares{});
    if (shares.edge < 0.5) weak.push_back(name);
    if (edge.fixed && shares.backward > shares.forward) against.push_back(name);
  }
  if (!absent.empty()) sentences.push_back("Not in the graph, yet in half of the resamples: " + listed(absent));
  if (!weak.empty()) sentences.push_back("In the graph, yet in fewer than half of the resamples: " + listed(weak));
  if (!against.empty()) sentences.push_back("Arrows that more resamples reverse than keep: " + listed(against));
  return sentences;
}

bool shows_posterior(const RunRecord& record) { return record.posterior && !record.posterior->empty(); }

bool shows_consensus(const RunRecord& record) { return shows_posterior(record) && record.posterior->consensus; }

std::vector<std::string> posterior_headings() { return {">P(edge)", ">P(->)", ">P(<-)"}; }

std::vector<std::string> share_headings(const RunRecord& record) {
  if (!shows_posterior(record)) return {">P(edge)", ">P(->)", ">P(<-)"};
  return {">B(edge)", ">B(->)", ">B(<-)"};
}

namespace {

// How a sample was made, whether its chains agree, and what the candidates exclude.
std::vector<std::string> sample_sentences(const PosteriorRecord& posterior) {
  const SampleFigures& sample = *posterior.sample;
  const std::string cut = posterior.stopped_by.empty() ? "" : fmt::format(" ({})", posterior.stopped_by);
  if (posterior.empty()) return {fmt::format("Posterior: none, it was stopped before the first sample{}.", cut)};
  std::vector<std::string> sentences;
  sentences.push_back(fmt::format(
      "Convergence: two chains of {}{}, one from the best graph found and one from a random graph after annealing, {} "
      "(R-hat {:.3f}, "
      "{} "
      "effective samples at least, no arrow more than {:.3f} apart).",
      counted(sample.steps, "step"), cut, sample.converged() ? "agree" : "DO NOT AGREE, so take these as rough figures",
      sample.r_hat, with_commas(static_cast<long long>(sample.ess)), sample.apart));
  if (sample.left_out > 0) {
    sentences.push_back(fmt::format(
        "Each variable had at most {} and {} at a time. {} beyond that count as impossible; added to this graph, the "
        "best of them changes the score by {:+.1f}.",
        counted(sample.candidates, "candidate parent"), counted(sample.max_parents, "parent"),
        counted(sample.left_out, "arrow"), sample.left_out_gain));
  }
  return sentences;
}

}  // namespace

std::vector<std::string> posterior_sentences(const RunRecord& record) {
  const PosteriorRecord& posterior = *record.posterior;
  if (posterior.empty()) return sample_sentences(posterior);
  std::vector<std::string> sentences, absent;
  if (posterior.consensus) sentences.push_back(consensus_sentence(record));
  sentences.push_back(
      fmt::format("P(edge), P(->), P(<-): posterior probabilities, {}, of the edge, this arrow, its reverse, over all "
                  "DAGs{}, equally "
                  "likely beforehand; {} {} the logarithm of the marginal likelihood.",
                  posterior.exact ? "exact" : "sampled", record.has_knowledge() ? " that satisfy the knowledge" : "",
                  record.score.name, posterior.marginal ? "is" : "approximates"));
  if (!posterior.exact) {
    for (std::string& sentence : sample_sentences(posterior)) sentences.push_back(std::move(sentence));
  }
  for (const PairProbability& pair : posterior.pairs) {
    if (pair.shown || pair.posterior.edge < 0.5) continue;
    absent.push_back(fmt::format("{} and {} ({:.3f})", shown(pair.a), shown(pair.b), pair.posterior.edge));
  }
  if (!absent.empty()) sentences.push_back("Not in the graph, yet more probable than not: " + listed(absent));
  return sentences;
}

double edge_share(const BootstrapRecord& bootstrap, const std::string& a, const std::string& b) {
  const NamePair pair = std::minmax(a, b);
  const auto at =
      std::lower_bound(bootstrap.pairs.begin(), bootstrap.pairs.end(), pair,
                       [](const PairRecord& one, const NamePair& wanted) { return NamePair(one.a, one.b) < wanted; });
  return at != bootstrap.pairs.end() && NamePair(at->a, at->b) == pair ? at->shares.edge : 0;
}

std::string varsortability_sentence(double varsortability) {
  return fmt::format(
      "Varsortability of the answer {:.2f}: the share of its causal paths along which the variance of the columns "
      "grows. "
      "Near 1 the scales of the values suggest its order by themselves to a search that sees them: notears and golem "
      "standardise all columns first, rl-bic, kcrl, corl and dag-gnn do so with --standardise.",
      varsortability);
}

std::string arrow_kind(const EdgeRecord& edge) {
  return edge.by_knowledge ? "by knowledge" : edge.by_experiment ? "by experiment" : edge.fixed ? "fixed" : "open";
}

bool is_weak(const EdgeRecord& edge) {
  return edge.strength < kWeakStrength || (edge.shares && edge.shares->edge < 0.5) ||
         (edge.posterior && edge.posterior->edge < 0.5);
}

bool is_unsure(const EdgeRecord& edge) {
  return edge.fixed && !edge.by_knowledge &&
         ((edge.shares && edge.shares->forward < 0.5) || (edge.posterior && edge.posterior->forward < 0.5));
}

std::string remark(const EdgeRecord& edge) {
  const bool weak = is_weak(edge), unsure = is_unsure(edge);
  return weak && unsure ? "weak, arrow unsure" : weak ? "weak" : unsure ? "arrow unsure" : "";
}

std::vector<EdgeRecord> by_strength(std::vector<EdgeRecord> edges) {
  std::ranges::stable_sort(edges, std::greater<>(), &EdgeRecord::strength);
  return edges;
}

// The edge is in normalized() form: the less pointed end first.
std::string mark_meaning(const NamedEdge& edge) {
  const std::string a = shown(edge.a), b = shown(edge.b);
  switch (edge.at_b) {
    case Mark::kArrow:
      return edge.at_a == Mark::kTail    ? fmt::format("{} causes {}", a, b)
             : edge.at_a == Mark::kArrow ? "a hidden common cause; neither causes the other"
                                         : fmt::format("{} does not cause {}; the rest is open", b, a);
    case Mark::kTail:
      return edge.at_a == Mark::kTail ? "both cause what the rows were selected by"
                                      : fmt::format("{} causes {}, or what the rows were selected by", b, a);
    case Mark::kCircle:
      break;
  }
  return edge.at_a == Mark::kTail ? fmt::format("{} causes {}, or what the rows were selected by", a, b)
                                  : "adjacent; nothing else is known";
}

std::vector<std::string> isolated_constants(const RunRecord& record) {
  std::vector<std::string> names;
  for (const ColumnRecord& column : record.data.columns) {
    const auto touches = [&](const EdgeRecord& edge) { return edge.from == column.name || edge.to == column.name; };
    if (column.constant && std::none_of(record.edges.begin(), record.edges.end(), touches)) {
      names.push_back(column.name);
    }
  }
  return names;
}

}  // namespace agon
