// bdeu-fitted: bdeu with that equivalent sample size, of a fixed list, under which the best forest by discrete-bic with
// penalty 1 has the highest marginal likelihood. Of pairs whose gains agree to 1e-6 nats the one of smaller nodes comes
// first; of sizes that tie, the smallest.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "agon/certificate/plain_score.h"
#include "agon/data/capability.h"

namespace agon::plain {
namespace {

// No experiments: there an edge of the forest may score otherwise than its reverse.
constexpr Capabilities kFittedTakes = {.categorical = true, .continuous = true, .mixed = true, .weights = true};

const std::vector<double>& sizes() {
  static const std::vector<double> list = {0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200};
  return list;
}

// The pairs that gain, best first: (- gain in units of 1e-6 nats, smaller node, larger node).
std::set<std::tuple<double, Node, Node>> pairs_by_gain(const Scorer& scorer) {
  std::set<std::tuple<double, Node, Node>> out;
  for (Node child = 0; child < scorer.size(); ++child) {
    if (scorer.is_constant(child)) continue;
    std::vector<Node> others;
    for (Node v = 0; v < child; ++v) {
      if (!scorer.is_constant(v)) others.push_back(v);
    }
    const double alone = scorer.local(child, {}).score;
    const std::vector<Value> values = scorer.additions(child, {}, others);
    for (size_t k = 0; k < others.size(); ++k) {
      const double gain = std::round((values[k].score - alone) * 1e6);
      if (gain > 0) out.insert({-gain, others[k], child});
    }
  }
  return out;
}

// The families of the forest. Pairs are taken in turn, unless their ends are connected already. Then the tree of b is
// turned until b is its root, and hung below a.
std::vector<Family> forest(const Scorer& scorer) {
  std::vector<Node> parent(static_cast<size_t>(scorer.size()), -1);
  const auto root_of = [&](Node v) {
    while (parent[v] >= 0) v = parent[v];
    return v;
  };
  for (const auto& [gain, a, b] : pairs_by_gain(scorer)) {
    if (root_of(a) == root_of(b)) continue;
    Node above = a;
    for (Node v = b; v >= 0;) {
      const Node next = parent[v];
      parent[v] = above;
      above = v;
      v = next;
    }
  }
  std::vector<Family> out;
  for (Node v = 0; v < scorer.size(); ++v) {
    out.push_back({v, parent[v] < 0 ? std::vector<Node>{} : std::vector<Node>{parent[v]}});
  }
  return out;
}

}  // namespace

std::unique_ptr<Scorer> bdeu_fitted(const Dataset& data) {
  refuse_beyond(kFittedTakes, data, "the certificate");
  const std::vector<Family> families = forest(*discrete_bic(data, 1));
  std::unique_ptr<Scorer> best;
  double highest = kUndefined;
  for (const double size : sizes()) {
    std::unique_ptr<Scorer> scorer = bdeu(data, size);
    double evidence = 0;
    for (const Family& family : families) evidence += scorer->local(family.child, family.parents).score;
    if (evidence > highest) highest = evidence, best = std::move(scorer);
  }
  return best;
}

}  // namespace agon::plain
