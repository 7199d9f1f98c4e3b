// agon/referee/cut_pool.h
//
// All cuts found so far, each once: as the bound computes with them, and as the proof writes them.
//
//   CutPool pool(p);
//   int k = pool.add(cut);         // the index of an equal cut, if there is one
//   pool.cuts().right(k), pool.text(k);
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "agon/certificate/plain_bound.h"

namespace agon {

class CutPool {
 public:
  // With the sets of a score there can be likelihood cuts.
  explicit CutPool(int nodes, std::shared_ptr<const plain::SetScores> sets = nullptr) : cuts_(nodes, std::move(sets)) {}

  int add(const ProofCut& cut) {
    Key key{cut.cluster, cut.right, cut.nodes, {}};
    for (const auto& g : cut.generators) std::get<3>(key).emplace_back(g.child, g.parents, g.weight);
    const auto [at, is_new] = index_.emplace(std::move(key), static_cast<int>(texts_.size()));
    if (is_new) {
      cuts_.add(cut);
      texts_.push_back(cut);
    }
    return at->second;
  }
  const Cuts& cuts() const { return cuts_; }
  const ProofCut& text(int cut) const { return texts_[cut]; }
  int size() const { return static_cast<int>(texts_.size()); }

 private:
  using Key = std::tuple<int, int64_t, std::vector<Node>, std::vector<std::tuple<Node, std::vector<Node>, int>>>;
  Cuts cuts_;
  std::vector<ProofCut> texts_;
  std::map<Key, int> index_;
};

}  // namespace agon
