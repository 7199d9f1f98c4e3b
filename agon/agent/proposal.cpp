#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "agon/agent/proposer.h"
#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/embedded_files.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

constexpr int kTries = 16;  // attempts to draw a valid edit before giving up

// The k-th member of the first set followed by the second.
Node pick_node(NodeView first, NodeView second, int k) {
  for (Node v : first) {
    if (k-- == 0) return v;
  }
  for (Node v : second) {
    if (k-- == 0) return v;
  }
  return -1;
}

// A random edit with `at` as one end, its kind drawn first; nothing when `at` has no edge to remove or reverse, or the
// edit is not valid.
std::optional<EdgeMove> draw_edit(const Game& game, Node at, Rng& rng) {
  const MoveKind kind = static_cast<MoveKind>(rng.below(3));
  EdgeMove move{kind, at, at};
  if (kind == MoveKind::kAdd) {
    const Node other = rng.below(game.size());
    move = rng.below(2) == 0 ? EdgeMove{kind, at, other} : EdgeMove{kind, other, at};
  } else {
    const NodeView parents = game.dag().parents(at), children = game.dag().children(at);
    const int parent_count = parents.count(), degree = parent_count + children.count();
    if (degree == 0) return std::nullopt;
    const int k = rng.below(degree);
    const Node other = pick_node(parents, children, k);
    move = k < parent_count ? EdgeMove{kind, other, at} : EdgeMove{kind, at, other};
  }
  if (!game.is_valid(move)) return std::nullopt;
  return move;
}

// The output of a network 32 -> 32 -> 1, the shape that ships. Because the compiler knows the sizes, the hidden layer
// stays in registers. The cost is a third of forward_one(), and the result differs only by the rounding of one sum.
constexpr int kHidden = 32;

bool has_shipped_shape(const Mlp& net) { return net.shape().hidden == std::vector<int>{kHidden}; }

float rank_shipped_shape(const Mlp& net, const float* input) {
  const float* weight = net.weights().data();  // layer by layer: columns, then biases (mlp.h)
  const float* bias = weight + kEditFeatures * kHidden;
  const float* last = bias + kHidden;
  float unit[kHidden];
  std::copy(bias, bias + kHidden, unit);
  for (int k = 0; k < kEditFeatures; ++k, weight += kHidden) {
    if (input[k] == 0) continue;
    const float x = input[k];
    for (int j = 0; j < kHidden; ++j) unit[j] += x * weight[j];
  }
  const float leak = static_cast<float>(net.shape().leak);
  float part[4] = {};
  for (int j = 0; j < kHidden; j += 4) {
    for (int i = 0; i < 4; ++i) part[i] += last[j + i] * std::max(unit[j + i], leak * unit[j + i]);
  }
  return last[kHidden] + ((part[0] + part[1]) + (part[2] + part[3]));
}

}  // namespace

const char* to_string(ProposalKind kind) {
  switch (kind) {
    case ProposalKind::kUniform:
      return "uniform";
    case ProposalKind::kDelta:
      return "delta";
    case ProposalKind::kRule:
      return "rule";
    case ProposalKind::kTrained:
      break;
  }
  return "trained";
}

namespace {

ProposalKind proposal_kind(const std::string& name) {
  using enum ProposalKind;
  std::vector<std::string> names;
  for (const ProposalKind kind : {kUniform, kDelta, kRule, kTrained}) {
    if (to_string(kind) == name) return kind;
    names.push_back(to_string(kind));
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("--proposal {} is neither a file nor one of {}", quoted(name), listed(names)), near);
}

// The record keeps the word as it was given, whether a name or a file.
OptionField proposal_field(ProposalOptions& o) {
  const auto word = std::make_shared<std::string>(to_string(o.kind));
  return {OptionType::kText, [word] { return OptionValue(*word); },
          [word, &o](const OptionValue& value) {
            const std::string* given = std::get_if<std::string>(&value);
            if (!given) return false;
            std::error_code ignored;
            if (std::filesystem::is_regular_file(*given, ignored)) {
              o.kind = ProposalKind::kTrained;
              o.network = parse_proposal(read_text_file(*given), *given);
            } else {
              o.kind = proposal_kind(*given);
            }
            *word = *given;
            return true;
          }};
}

}  // namespace

void describe(ProposalOptions& o, const Describe& option, bool delta_plays_too) {
  option(proposal_field(o), {.name = "proposal",
                             .value = "NAME|FILE",
                             .help = "how edits are drawn: trained (a network that ships with agon), rule, delta, "
                                     "uniform, or a file that `agon train` wrote",
                             .decides = true});
  option(o.locality, {.name = "locality",
                      .value = "X",
                      .help = "share of edits at a node that the perturbation has touched",
                      .range = at_least(0).at_most(1)});
  option(o.shortlist, {.name = "shortlist",
                       .value = "K",
                       .help = "edits drawn per decision",
                       .range = at_least(1),
                       .aliases = {"candidates"}});
  option(o.sharpness, {.name = "sharpness",
                       .value = "X",
                       .help = "with the proposals rule and trained: factor on the scores of the edits drawn",
                       .range = more_than(0),
                       .acts = o.kind == ProposalKind::kRule || o.kind == ProposalKind::kTrained});
  option(o.uniform_share, {.name = "uniform-share",
                           .value = "X",
                           .help = "share of picks that ignore the scores",
                           .range = at_least(0).at_most(1)});
  option(o.delta_temperature, {.name = "delta-temperature",
                               .value = "T",
                               .help = "with the proposal delta: nats by which gains are divided",
                               .range = more_than(0),
                               .acts = delta_plays_too || o.kind == ProposalKind::kDelta});
}

void check(const ProposalOptions& o) {
  std::string problems = out_of_range([&](const Describe& option) {
    ProposalOptions copy = o;
    describe(copy, option);
  });
  const MlpShape shape = o.network ? o.network->shape() : MlpShape{};
  if (o.network && (shape.inputs != kEditFeatures || shape.outputs != 1)) {
    problems += fmt::format("{}the network takes {} numbers and gives {}, not {} and 1", problems.empty() ? "" : "; ",
                            shape.inputs, shape.outputs, kEditFeatures);
  }
  if (!problems.empty()) throw UsageError("proposal: " + problems);
}

std::shared_ptr<const Mlp> parse_proposal(std::string_view text, const std::string& place) {
  while (text.starts_with('#')) {
    const size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  Mlp net = parse_mlp(text, place);
  if (net.shape().inputs != kEditFeatures || net.shape().outputs != 1) {
    throw InputError(place, fmt::format("a network of {} inputs and {} outputs, expected {} and 1", net.shape().inputs,
                                        net.shape().outputs, kEditFeatures));
  }
  return std::make_shared<const Mlp>(std::move(net));
}

const Mlp& shipped_proposal() {
  static const std::shared_ptr<const Mlp> net = parse_proposal(embedded_file("proposal.mlp"), "proposal.mlp");
  return *net;
}

const Mlp& rule_proposal() {
  static const Mlp net = [] {
    Mlp linear({.inputs = kEditFeatures, .hidden = {}, .outputs = 1, .zero_last = true}, Rng(0));
    auto w = linear.matrix(0);
    w(0, 22) = -1;     // the pair was edited in this perturbation
    w(0, 13) = 0.15f;  // common neighbours: triangles
    w(0, 4) = 0.3f;    // gain, squashed at 10 nats
    w(0, 19) = 0.4f;   // gain freed from a cycle
    w(0, 0) = -0.3f;   // an addition
    return linear;
  }();
  return net;
}

Proposer::Proposer(int nodes, const ProposalOptions& options) : options_(options), features_(nodes) {
  check(options_);
  if (options_.kind == ProposalKind::kRule) network_ = rule_proposal();
  if (options_.kind == ProposalKind::kTrained) network_ = options_.network ? *options_.network : shipped_proposal();
}

void Proposer::begin(int length) { features_.begin(length); }

std::optional<EdgeMove> Proposer::draw(const Game& game, Rng& rng) const {
  for (int tries = 0; tries < kTries; ++tries) {
    const std::vector<Node>& touched = features_.touched();
    const bool near = !touched.empty() && rng.uniform() < options_.locality;
    const Node at = near ? touched[rng.below(static_cast<int>(touched.size()))] : rng.below(game.size());
    if (std::optional<EdgeMove> move = draw_edit(game, at, rng)) return move;
  }
  return std::nullopt;
}

std::optional<EdgeMove> Proposer::next(const Game& game, Rng& rng, const Mlp* learned, double learned_weight) {
  drawn_.clear();
  chosen_ = 0;
  const bool ranks = options_.kind != ProposalKind::kUniform || learned;
  const int wanted = ranks ? options_.shortlist : 1;
  for (int k = 0; k < wanted; ++k) {
    if (const std::optional<EdgeMove> move = draw(game, rng)) drawn_.push_back(*move);
    if (drawn_.empty()) return std::nullopt;
  }
  if (ranks) pick(game, rng, learned, learned_weight);
  return drawn_[chosen_];
}

float Proposer::rank(long column) {
  if (has_shipped_shape(*network_)) return rank_shipped_shape(*network_, columns_.col(column).data());
  return network_->forward_one(columns_.col(column), work_)[0];
}

void Proposer::pick(const Game& game, Rng& rng, const Mlp* learned, double learned_weight) {
  const long count = static_cast<long>(drawn_.size());
  weight_.assign(drawn_.size(), 0);
  if (network_ || learned) {
    columns_.resize(kEditFeatures, count);
    for (long k = 0; k < count; ++k) features_.write(game, drawn_[k], columns_.col(k).data());
  }
  if (options_.kind == ProposalKind::kDelta) {
    for (long k = 0; k < count; ++k) weight_[k] = game.gain(drawn_[k]) / options_.delta_temperature;
  }
  if (network_) {
    for (long k = 0; k < count; ++k) weight_[k] = options_.sharpness * static_cast<double>(rank(k));
  }
  if (learned) {
    for (long k = 0; k < count; ++k) {
      weight_[k] += learned_weight * static_cast<double>(learned->forward_one(columns_.col(k), learned_work_)[0]);
    }
  }
  if (options_.uniform_share > 0 && rng.uniform() < options_.uniform_share) return;  // the first draw is taken
  const double most = *std::max_element(weight_.begin(), weight_.end());
  double sum = 0;
  for (double& w : weight_) sum += w = std::exp(w - most);
  double at = rng.uniform() * sum;
  for (long k = 0; k < count; ++k) {
    chosen_ = k;
    at -= weight_[k];
    if (at < 0) break;
  }
}

}  // namespace agon
