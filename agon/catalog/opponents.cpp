#include "agon/catalog/opponents.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/match/cam_pruning.h"
#include "agon/opponent/anm.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/fci.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/gran_dag.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/pc.h"

namespace agon {
namespace {

constexpr size_t kStoreBytes = size_t{128} << 20;

HillClimbOptions climb_options(const OpponentInput& in) {
  HillClimbOptions options{.threads = in.threads};
  if (in.cache_bytes > 0) options.cache_bytes = std::min(options.cache_bytes, in.cache_bytes);
  return options;
}

SearchResult propose_ges(const OpponentInput& in) {
  GainStore store(in.score, in.cache_bytes > 0 ? std::min(in.cache_bytes, kStoreBytes) : kStoreBytes);
  return ges_from(store, in.start, {}, in.watch, in.knowledge);
}

SearchResult propose_boss(const OpponentInput& in) {
  BossOptions options{.threads = in.threads};
  if (in.cache_bytes > 0) options.store_bytes = std::min(options.store_bytes, in.cache_bytes);
  return boss(in.score, options, in.rng, in.watch, in.knowledge);
}

SearchResult propose_hc(const OpponentInput& in) {
  return hill_climb(in.score, in.start, climb_options(in), in.watch, in.knowledge);
}

SearchResult propose_tabu(const OpponentInput& in) {
  return tabu_search(in.score, in.start, {.climb = climb_options(in)}, in.watch, in.knowledge);
}

// As the paper runs it: the networks' graph keeps every weak dependence, and CAM's test takes out what is not
// significant.
SearchResult propose_grandag(const OpponentInput& in) {
  GranDagOptions options{.threads = in.threads};
  if (in.training_steps > 0) options.max_steps = in.training_steps;
  SearchResult result = gran_dag(in.data, in.score, options, in.rng, in.watch, in.knowledge);
  const int before = result.dag.edge_count();
  const CamOptions cam{.threads = in.threads};
  result.dag = prune_splines(in.data, result.dag, cam, in.knowledge);
  result.score = total(in.score, result.dag);
  result.story.push_back(fmt::format("pruned {} of {} edges that are not significant at {:g}",
                                     before - result.dag.edge_count(), before, cam.level));
  return result;
}

SkeletonOptions skeleton_options(const OpponentInput& in) {
  return {.alpha = in.test.alpha, .max_given = in.test.max_given.value_or(-1), .threads = in.threads};
}

SearchResult propose_pc(const OpponentInput& in) {
  return pc_opponent(*make_independence(in.data, in.test.name), in.score, {.skeleton = skeleton_options(in)}, in.watch,
                     in.knowledge);
}

// A limit that was asked for holds in both steps.
SearchResult propose_fci(const OpponentInput& in) {
  FciOptions options{.skeleton = skeleton_options(in)};
  if (in.test.max_given) options.possible_given = *in.test.max_given;
  return fci_opponent(*make_independence(in.data, in.test.name), in.score, options, in.watch, in.knowledge);
}

SearchResult propose_direct_lingam(const OpponentInput& in) {
  return direct_lingam(in.data, in.score, {.threads = in.threads}, in.watch, in.knowledge);
}

SearchResult propose_ica_lingam(const OpponentInput& in) {
  return ica_lingam(in.data, in.score, {.threads = in.threads}, in.rng, in.watch, in.knowledge);
}

SearchResult propose_notears(const OpponentInput& in) {
  NotearsOptions options;
  if (in.training_steps > 0) options.inner.max_steps = static_cast<int>(in.training_steps);
  return notears(in.data, in.score, options, in.watch, in.knowledge);
}

SearchResult propose_golem(const OpponentInput& in) {
  GolemOptions options;
  if (in.training_steps > 0) options.steps = in.training_steps;
  return golem(in.data, in.score, options, in.watch, in.knowledge);
}

SearchResult propose_anm(const OpponentInput& in) {
  return resit(in.data, in.score, {.threads = in.threads}, in.watch, in.knowledge);
}

// A graph as it is, made to fit the knowledge.
SearchResult without_search(const OpponentInput& in, const Dag& dag) {
  SearchResult result;
  result.dag = repair(dag, in.knowledge);
  int kept = 0;
  for (const Edge& edge : dag.edges()) kept += result.dag.has_edge(edge.from, edge.to);
  result.story = {fmt::format("no search: {} of {} edges given were kept, {} entered because they are required", kept,
                              dag.edge_count(), result.dag.edge_count() - kept)};
  result.score = total(in.score, result.dag);
  result.stopped_by = "no search";
  return result;
}

SearchResult propose_none(const OpponentInput& in) { return without_search(in, Dag(in.score.size())); }
SearchResult propose_file(const OpponentInput& in) { return without_search(in, in.start); }

}  // namespace

const char* to_string(Maturity maturity) {
  switch (maturity) {
    case Maturity::kChecked:
      return "checked";
    case Maturity::kLight:
      return "light";
    case Maturity::kKnownProblems:
      break;
  }
  return "known problems";
}

SearchResult OpponentEntry::propose(const OpponentInput& input) const {
  refuse_beyond(takes, input.data, "the algorithm " + name);
  return search(input);
}

const std::vector<OpponentEntry>& opponent_entries() {
  // Experiments tell members of a class apart, and these two move between classes of observation.
  Capabilities by_class = kAnyTable;
  by_class.regimes = false;
  constexpr Capabilities kOneKind = {.categorical = true, .continuous = true};
  static const std::vector<OpponentEntry> table = {
      {"ges", "greedy equivalence search: insert, delete and turn edges of CPDAGs",
       "Chickering 2002, JMLR 3; Hauser & Buehlmann 2012, JMLR 13", Maturity::kChecked, true, true, true, propose_ges,
       false, by_class},
      {"boss", "best order score search, from GES and from random orders", "Andrews et al. 2023, NeurIPS 36",
       Maturity::kChecked, false, true, true, propose_boss, false, by_class},
      {"tabu", "tabu search: hill climbing that may go down for a while", "Glover 1989, ORSA J. Computing 1",
       Maturity::kChecked, true, true, true, propose_tabu, false, kAnyTable},
      {"hc", "hill climbing: the best single edit until none improves", "Heckerman et al. 1995, Machine Learning 20",
       Maturity::kChecked, true, true, true, propose_hc, false, kAnyTable},
      {"grandag", "gradient-based neural DAG learning, its graph pruned as in CAM", "Lachapelle et al. 2020, ICLR",
       Maturity::kLight, false, true, false, propose_grandag},
      {"pc", "stable PC: tests of independence (G2, or Fisher's z on ranks) decide which edges stand",
       "Spirtes et al. 2000; Colombo & Maathuis 2014, JMLR 15", Maturity::kChecked, false, true, false, propose_pc,
       true, kOneKind},
      {"fci", "FCI: tests of independence where variables may be hidden; its PAG made a DAG by rule",
       "Spirtes et al. 2000; Zhang 2008, Artificial Intelligence 172", Maturity::kChecked, false, true, false,
       propose_fci, true, kOneKind},
      {"direct-lingam", "DirectLiNGAM: linear, not Gaussian; the least an effect first, by pairs",
       "Shimizu et al. 2011, JMLR 12; Hyvarinen & Smith 2013, JMLR 14", Maturity::kChecked, false, true, false,
       propose_direct_lingam},
      {"ica-lingam", "ICA-LiNGAM: linear, not Gaussian; the order from independent components",
       "Shimizu et al. 2006, JMLR 7", Maturity::kLight, false, true, false, propose_ica_lingam},
      {"notears", "NOTEARS: a linear model by least squares under a smooth constraint on cycles",
       "Zheng et al. 2018, NeurIPS 31", Maturity::kLight, false, true, false, propose_notears},
      {"golem", "GOLEM: the likelihood of a linear model with a soft penalty on cycles", "Ng et al. 2020, NeurIPS 33",
       Maturity::kLight, false, true, false, propose_golem},
      {"anm", "additive noise (RESIT): the variable whose residual is least dependent comes last",
       "Hoyer et al. 2008, NIPS 21; Peters et al. 2014, JMLR 15", Maturity::kLight, false, true, false, propose_anm},
      {"none", "the empty graph; with knowledge the required edges", "", Maturity::kChecked, false, false, true,
       propose_none, false, kAnyTable},
      {"file", "the graph of --start as it is; with knowledge made to fit it", "", Maturity::kChecked, true, false,
       true, propose_file, false, kAnyTable},
  };
  return table;
}

const OpponentEntry& opponent_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no algorithm {}", quoted(name)),
                   near.empty() ? "the algorithms are " + listed(names) : near);
}

}  // namespace agon
