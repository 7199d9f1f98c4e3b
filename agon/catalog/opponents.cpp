#include "agon/catalog/opponents.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/match/cam_pruning.h"
#include "agon/opponent/anm.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/corl.h"
#include "agon/opponent/dag_gnn.h"
#include "agon/opponent/fci.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/gran_dag.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/pc.h"
#include "agon/opponent/rl_bic.h"
#include "agon/referee/lp_search.h"

namespace agon {
namespace {

constexpr size_t kStoreBytes = size_t{128} << 20;

HillClimbOptions climb_options(const OpponentInput& in) {
  HillClimbOptions options{.threads = in.threads};
  if (in.cache_bytes > 0) options.cache_bytes = std::min(options.cache_bytes, in.cache_bytes);
  return options;
}

constexpr const char* kGes = "ges";

SearchResult propose_ges(const OpponentInput& in) {
  GainStore store(in.score, in.cache_bytes > 0 ? std::min(in.cache_bytes, kStoreBytes) : kStoreBytes);
  const GesOptions options{.threads = in.threads};
  if (in.cut) return resume_ges(store, *in.cut, options, in.watch, in.knowledge);
  return ges_from(store, in.start, options, in.watch, in.knowledge);
}

// The answer of GES from the empty graph, if GES was an earlier opponent. If it was stopped, it says where.
const SearchResult* earlier_ges(const OpponentInput& in) {
  if (in.start.edge_count() > 0) return nullptr;
  const auto found = std::ranges::find(in.earlier, kGes, &OpponentResult::name);
  return found == in.earlier.end() ? nullptr : &found->result;
}

SearchResult propose_boss(const OpponentInput& in) {
  BossOptions options{.threads = in.threads, .ges = earlier_ges(in), .cut = in.cut};
  if (in.cache_bytes > 0) options.store_bytes = std::min(options.store_bytes, in.cache_bytes);
  return boss(in.score, options, in.rng, in.watch, in.knowledge);
}

SearchResult propose_hc(const OpponentInput& in) {
  return hill_climb(in.score, in.start, climb_options(in), in.watch, in.knowledge);
}

SearchResult propose_tabu(const OpponentInput& in) {
  return tabu_search(in.score, in.start, {.climb = climb_options(in)}, in.watch, in.knowledge);
}

// Without the edges that CAM's test does not find significant.
SearchResult pruned_by_splines(const OpponentInput& in, SearchResult result) {
  const int before = result.dag.edge_count();
  const CamOptions cam{.threads = in.threads};
  result.dag = prune_splines(in.data, result.dag, cam, in.knowledge);
  result.score = total(in.score, result.dag);
  result.story.push_back(fmt::format("pruned {} of {} edges that are not significant at {:g}",
                                     before - result.dag.edge_count(), before, cam.level));
  return result;
}

// As the GraN-DAG paper runs it: the graph of the networks keeps every weak dependence, and CAM's test then removes the
// edges that are not significant.
SearchResult propose_grandag(const OpponentInput& in) {
  GranDagOptions options{.threads = in.threads};
  if (in.training_steps > 0) options.max_steps = in.training_steps;
  return pruned_by_splines(in, gran_dag(in.data, in.score, options, in.rng, in.watch, in.knowledge));
}

SkeletonOptions skeleton_options(const OpponentInput& in) {
  return {.alpha = in.test.alpha, .max_given = in.test.max_given.value_or(-1), .threads = in.threads};
}

SearchResult propose_pc(const OpponentInput& in) {
  return pc_opponent(*make_independence(in.data, in.test.name, in.threads), in.score,
                     {.skeleton = skeleton_options(in)}, in.watch, in.knowledge);
}

// A limit that the caller gives holds in both steps.
SearchResult propose_fci(const OpponentInput& in) {
  FciOptions options{.skeleton = skeleton_options(in)};
  if (in.test.max_given) options.possible_given = *in.test.max_given;
  return fci_opponent(*make_independence(in.data, in.test.name, in.threads), in.score, options, in.watch, in.knowledge);
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

// Where a training begins, and where it is saved.
SavedSearch saved_of(const OpponentInput& in) {
  SavedSearch saved = in.saved;
  saved.from = in.cut ? &in.cut->unfinished : nullptr;
  return saved;
}

SearchResult propose_dag_gnn(const OpponentInput& in) {
  DagGnnOptions options{.sample = in.learner.sample, .standardise = in.learner.standardise};
  options.max_steps = in.training_steps > 0 ? in.training_steps : static_cast<long>(in.learner.iterations);
  return dag_gnn(in.data, in.score, options, in.rng, in.watch, in.knowledge, saved_of(in));
}

// Of OpponentInput::training_steps: an iteration trains on a batch of graphs, and counts for so many steps.
constexpr long kBatch = 60;

long iterations_of(const OpponentInput& in) {
  if (in.training_steps > 0) return std::max(1L, in.training_steps / kBatch);
  return static_cast<long>(in.learner.iterations);
}

Variances variances_of(const OpponentInput& in) {
  return in.learner.variances == "different" ? Variances::kDifferent : Variances::kEqual;
}

EdgeDecoderKind decoder_of(const OpponentInput& in) {
  using enum EdgeDecoderKind;
  const std::string& name = in.learner.decoder;
  return name == "bilinear" ? kBilinear : name == "tensor" ? kTensor : name == "transformer" ? kTransformer : kPair;
}

SearchResult propose_by_edges(const OpponentInput& in, bool soft_knowledge) {
  const std::string& kind = in.learner.regression;
  const RlBicOptions options{.regression = kind == "quadratic" ? Regression::kQuadratic
                                           : kind == "process" ? Regression::kGaussianProcess
                                                               : Regression::kLinear,
                             .variances = variances_of(in),
                             .own_score = in.learner.reward == "own",
                             .soft_knowledge = soft_knowledge,
                             .standardise = in.learner.standardise,
                             .decoder = decoder_of(in),
                             .bias = in.learner.bias,
                             .iterations = iterations_of(in),
                             .patience = static_cast<long>(in.learner.rest)};
  SearchResult result = rl_bic(in.data, in.score, options, in.rng, in.watch, in.knowledge, saved_of(in));
  if (options.own_score || options.regression != Regression::kGaussianProcess) return result;
  return pruned_by_splines(in, std::move(result));
}

SearchResult propose_rl_bic(const OpponentInput& in) { return propose_by_edges(in, false); }
SearchResult propose_kcrl(const OpponentInput& in) { return propose_by_edges(in, true); }

SearchResult propose_corl(const OpponentInput& in) {
  CorlOptions options{.per_step = in.learner.reward_per == "step",
                      .variances = variances_of(in),
                      .own_score = in.learner.reward == "own",
                      .standardise = in.learner.standardise,
                      .patience = static_cast<long>(in.learner.rest)};
  if (const long iterations = iterations_of(in); iterations > 0) options.iterations = iterations;
  return corl(in.data, in.score, options, in.rng, in.watch, in.knowledge, saved_of(in));
}

SearchResult propose_lp(const OpponentInput& in) {
  return lp_search(in.score, {.threads = in.threads}, in.watch, in.knowledge);
}

SearchResult propose_anm(const OpponentInput& in) {
  return resit(in.data, in.score, {.threads = in.threads}, in.watch, in.knowledge);
}

// The graph as it is, repaired where it violates the knowledge.
SearchResult without_search(const OpponentInput& in, const Dag& dag) {
  SearchResult result;
  result.dag = repair(dag, in.knowledge);
  int kept = 0;
  for (const Edge& edge : dag.edges()) kept += result.dag.has_edge(edge.from, edge.to);
  result.story = {fmt::format("no search: {} of {} edges given were kept, {} added because they are required", kept,
                              dag.edge_count(), result.dag.edge_count() - kept)};
  result.score = total(in.score, result.dag);
  result.stopped_by = "no search";
  return result;
}

SearchResult propose_none(const OpponentInput& in) { return without_search(in, Dag(in.score.size())); }
SearchResult propose_file(const OpponentInput& in) { return without_search(in, in.start); }

}  // namespace

SearchResult OpponentEntry::propose(const OpponentInput& input) const {
  refuse_beyond(takes, input.data, "the algorithm " + name);
  return search(input);
}

const std::vector<OpponentEntry>& opponent_entries() {
  constexpr Capabilities kByTests = {
      .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true};
  using enum Maturity;
  using enum PlaysUnasked;
  static const std::vector<OpponentEntry> table = {
      {.name = kGes,
       .summary = "greedy equivalence search: insert, delete and turn edges of CPDAGs",
       .source = "Chickering 2002, JMLR 3; Hauser & Buehlmann 2012, JMLR 13",
       .maturity = kChecked,
       .takes_start = true,
       .climbs = true,
       .compares_classes = true,
       .resumes = true,
       .takes = kAnyTable,
       .unasked = kUsually,
       .search = propose_ges},
      {.name = "boss",
       .summary = "best order score search, from GES and from random orders",
       .source = "Andrews et al. 2023, NeurIPS 36",
       .maturity = kChecked,
       .climbs = true,
       .draws = true,
       .compares_classes = true,
       .resumes = true,
       .slow_on_dense = true,
       .takes = kAnyTable,
       .unasked = kUsually,
       .search = propose_boss},
      {.name = "tabu",
       .summary = "tabu search: hill climbing that may go down for a while",
       .source = "Glover 1989, ORSA J. Computing 1",
       .maturity = kChecked,
       .takes_start = true,
       .climbs = true,
       .takes = kAnyTable,
       .unasked = kOnOwnScore,
       .search = propose_tabu},
      {.name = "hc",
       .summary = "hill climbing: the best single edit until none improves",
       .source = "Heckerman et al. 1995, Machine Learning 20",
       .maturity = kChecked,
       .takes_start = true,
       .climbs = true,
       .takes = kAnyTable,
       .search = propose_hc},
      {.name = "grandag",
       .summary = "gradient-based neural DAG learning, its graph pruned as in CAM",
       .source = "Lachapelle et al. 2020, ICLR",
       .draws = true,
       .takes = kTablesOfNumbers,
       .search = propose_grandag},
      {.name = "pc",
       .summary = "stable PC: tests of independence (G2, Fisher's z on ranks, or of blocks) decide which edges stay",
       .source = "Spirtes et al. 2000; Colombo & Maathuis 2014, JMLR 15",
       .maturity = kChecked,
       .tests = true,
       .takes = kByTests,
       .search = propose_pc},
      {.name = "fci",
       .summary = "FCI: tests of independence where variables may be hidden; its PAG made a DAG by rule",
       .source = "Spirtes et al. 2000; Zhang 2008, Artificial Intelligence 172",
       .maturity = kChecked,
       .tests = true,
       .allows_hidden = true,
       .takes = kByTests,
       .search = propose_fci},
      {.name = "direct-lingam",
       .summary = "DirectLiNGAM: linear, non-Gaussian; ordered from causes to effects by comparing pairs",
       .source = "Shimizu et al. 2011, JMLR 12; Hyvarinen & Smith 2013, JMLR 14",
       .maturity = kChecked,
       .takes = kTablesOfNumbers,
       .search = propose_direct_lingam},
      {.name = "ica-lingam",
       .summary = "ICA-LiNGAM: linear, non-Gaussian; the order from independent components",
       .source = "Shimizu et al. 2006, JMLR 7",
       .draws = true,
       .takes = kTablesOfNumbers,
       .search = propose_ica_lingam},
      {.name = "notears",
       .summary = "NOTEARS: a linear model by least squares under a smooth constraint on cycles",
       .source = "Zheng et al. 2018, NeurIPS 31",
       .takes = kTablesOfNumbers,
       .search = propose_notears},
      {.name = "golem",
       .summary = "GOLEM: the likelihood of a linear model with a soft penalty on cycles",
       .source = "Ng et al. 2020, NeurIPS 33",
       .takes = kTablesOfNumbers,
       .search = propose_golem},
      {.name = "rl-bic",
       .summary =
           "RL-BIC2: a policy over graphs learned by reinforcement on the table; its graph pruned by coefficients",
       .source = "Zhu et al. 2020, ICLR",
       .draws = true,
       .learns = {"iterations", "rest", "regression", "decoder", "bias", "variances", "reward", "standardise"},
       .resumes = true,
       .takes = kTablesOfNumbers,
       .search = propose_rl_bic},
      {.name = "kcrl",
       .summary = "KCRL: RL-BIC2 that pays for contradictions to the knowledge, which is enforced at the end alone",
       .source = "Hasan & Gani 2022, PMLR 182",
       .draws = true,
       .learns = {"iterations", "rest", "regression", "decoder", "bias", "variances", "reward", "standardise"},
       .resumes = true,
       .pays_for_knowledge = true,
       .takes = kTablesOfNumbers,
       .search = propose_kcrl},
      {.name = "corl",
       .summary = "CORL: a policy over orders learned by reinforcement on the table; its graph pruned by coefficients",
       .source = "Wang et al. 2021, IJCAI",
       .draws = true,
       .learns = {"iterations", "rest", "variances", "reward", "reward-per", "standardise"},
       .resumes = true,
       .takes = kTablesOfNumbers,
       .search = propose_corl},
      {.name = "dag-gnn",
       .summary = "DAG-GNN: a variational autoencoder around a weighted matrix under a smooth constraint on cycles",
       .source = "Yu et al. 2019, ICML",
       .draws = true,
       .learns = {"iterations", "sample", "standardise"},
       .resumes = true,
       .takes = kTablesOfNumbers,
       .search = propose_dag_gnn},
      {.name = "lp",
       .summary = "linear programs over parent sets, rounded to graphs, which single edits then climb from",
       .source = "Jaakkola et al. 2010, AISTATS; Bartlett & Cussens 2017, Artificial Intelligence 244",
       .maturity = kChecked,
       .climbs = true,
       .most_columns = kMostLpColumns,
       .takes = kAnyTable,
       .search = propose_lp},
      {.name = "anm",
       .summary = "additive noise (RESIT): the variable whose residual is least dependent comes last",
       .source = "Hoyer et al. 2008, NIPS 21; Peters et al. 2014, JMLR 15",
       .takes = kTablesOfNumbers,
       .search = propose_anm},
      {.name = "none",
       .summary = "the empty graph; with knowledge the required edges",
       .source = "",
       .maturity = kChecked,
       .searches = false,
       .climbs = true,
       .takes = kAnyTable,
       .search = propose_none},
      {.name = "file",
       .summary = "the graph of --start as it is; with knowledge, changed to satisfy it",
       .source = "",
       .maturity = kChecked,
       .takes_start = true,
       .searches = false,
       .climbs = true,
       .takes = kAnyTable,
       .unasked = kOnStart,
       .search = propose_file},
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

std::vector<const OpponentEntry*> default_opponents(PlaysUnasked when) {
  std::vector<const OpponentEntry*> chosen;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.unasked == when) chosen.push_back(&entry);
  }
  return chosen;
}

void refuse_unfit_score(const OpponentEntry& opponent, const LocalScore& score) {
  const bool too_wide = opponent.most_columns > 0 && score.size() > opponent.most_columns;
  // A search over classes may go round in circles when two members of a class score differently.
  const bool tells_apart = opponent.compares_classes && !score.traits().score_equivalent;
  if (!too_wide && !tells_apart) return;
  std::vector<std::string> others;
  for (const OpponentEntry& entry : opponent_entries()) {
    const bool fits = tells_apart ? !entry.compares_classes : entry.most_columns == 0;
    if (entry.searches && entry.climbs && fits) others.push_back(entry.name);
  }
  if (tells_apart) {
    throw UsageError(fmt::format("{} needs a score that is the same for every member of a class, and this one does not "
                                 "claim to be",
                                 opponent.name),
                     "these take any score: " + listed(others));
  }
  throw UsageError(
      fmt::format("{} takes at most {} columns, and there are {}", opponent.name, opponent.most_columns, score.size()),
      "these take any number: " + listed(others));
}

}  // namespace agon
