#include "agon/certificate/plain_set_lists.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <mutex>

#include "agon/base/parallel.h"

namespace agon {
namespace {

using plain::SetScores;
using plain::SetValue;

// Nanoseconds per member: for looking at a set, whether it is scored or not, and for looking at a family of it.
constexpr double kLookAtSet = 20, kLookAtFamily = 15;

// Ranks of sets in colexicographic order: the set of members a_1 < a_2 < ... has the rank sum of C(a_i, i).
class Binomials {
 public:
  explicit Binomials(int n) : width_(n + 2), table_(static_cast<size_t>(n + 2) * (n + 2), 0) {
    for (int a = 0; a <= n; ++a) {
      table_[a * width_] = 1;
      for (int k = 1; k <= a; ++k) {
        const double sum = static_cast<double>(at(a - 1, k - 1)) + static_cast<double>(at(a - 1, k));
        table_[a * width_ + k] = sum > 9e18 ? UINT64_MAX / 4 : at(a - 1, k - 1) + at(a - 1, k);
      }
    }
  }
  uint64_t at(int a, int k) const { return a < 0 || k > a ? 0 : table_[static_cast<size_t>(a) * width_ + k]; }

 private:
  size_t width_;
  std::vector<uint64_t> table_;
};

// Ranks of a set without two of its members: sums over the members in front of, between and behind them, whose places
// move down by none, one and two.
class SetRanks {
 public:
  SetRanks(const std::vector<int>& members, int last, const Binomials& choose) {
    const int size = static_cast<int>(members.size()) + 1;
    for (auto& sums : sums_) sums[0] = 0;
    for (int k = 0; k < size; ++k) {
      const int member = k + 1 == size ? last : members[k];
      for (int down = 0; down < 3; ++down) {
        sums_[down][k + 1] = sums_[down][k] + (k >= down ? choose.at(member, k + 1 - down) : 0);
      }
    }
    size_ = size;
  }
  uint64_t without(int a, int b) const {  // a < b
    return sums_[0][a] + sums_[1][b] - sums_[1][a + 1] + sums_[2][size_] - sums_[2][b + 1];
  }

 private:
  int size_ = 0;
  std::array<std::array<uint64_t, NodeBits::kMost + 2>, 3> sums_;
};

// All sets of one size, by rank. `alive` holds the nodes for which the set may be a set of parents.
struct Level {
  std::vector<SetValue> value;
  std::vector<NodeBits> alive;
  std::vector<uint64_t> offset;  // where the figures of a set begin in `best`, one for each node alive
  std::vector<int64_t> best;     // the highest bound of the set and its subsets, for the node

  int64_t& best_of(uint64_t rank, Node j) {
    const NodeBits& nodes = alive[rank];
    const uint64_t below = j < 64 ? nodes.low & ((uint64_t{1} << j) - 1) : nodes.high & ((uint64_t{1} << (j - 64)) - 1);
    const int place = std::popcount(below) + (j < 64 ? 0 : std::popcount(nodes.low));
    return best[offset[rank] + static_cast<uint64_t>(place)];
  }
};

// Sets of variables size by size. Members of a set are indices into the active nodes, so that ranks are dense.
class Lister {
 public:
  Lister(const SetScores& scores, const AllowedParents& allowed, const FamilyOptions& options, int nodes,
         const Watch& watch)
      : scores_(scores),
        allowed_(allowed),
        options_(options),
        watch_(watch),
        q_(static_cast<int>(allowed.active.size())),
        choose_(q_ + 1) {
    lists_.of.resize(nodes);
    for (const Node v : allowed.active) levels_.push_back(scores.levels(v));
    index_.assign(nodes, -1);
    for (int k = 0; k < q_; ++k) index_[allowed.active[k]] = k;
  }

  std::optional<FamilyLists> run() {
    below_ = level_of_empty();
    double left = options_.work;
    int limit = options_.limit;
    for (int size = 1; size <= q_; ++size) {
      const int parents = size - 1;  // of the families that this size completes
      if (limit > 0 && parents > limit) {
        lists_.limit = limit;
        return std::move(lists_);
      }
      top_ = limit > 0 && parents == limit;
      const bool may_stop = parents > options_.least;
      const double sets = static_cast<double>(choose_.at(q_, size)), look = sets * kLookAtSet * size;
      if (may_stop && look > left) return cut(parents - 1, "time");
      if (!top_ && sets * kBytesPerSet > options_.memory) {
        if (parents == 0) return std::nullopt;
        limit = parents;
        top_ = true;
        lists_.stopped = "memory";
      }
      current_ = {};
      if (!top_) {
        current_.value.resize(choose_.at(q_, size));
        current_.alive.resize(choose_.at(q_, size));
      }
      const auto [needed, families] = count_needed(size);
      if (watch_.stop_requested()) return stopped(parents);
      if (needed == 0) break;  // no set is alive any more
      const double cost = look + static_cast<double>(needed) * scores_.work_per_set() +
                          static_cast<double>(families) * size * kLookAtFamily;
      if (may_stop && cost > left) return cut(parents - 1, "time");
      left -= cost;
      lists_.sets += needed;
      if (!score_level(size)) return stopped(parents);
      if (!top_ && !finish_level(size, limit == 0 || size < limit)) {
        limit = size;  // the figures of this size do not fit: one more size can be judged without them
        lists_.stopped = "memory";
      }
      lower_ = std::move(below_);
      below_ = std::move(current_);
    }
    lists_.limit = 0;
    lists_.stopped = "";
    return std::move(lists_);
  }

 private:
  enum : uint8_t { kUseless, kOnlyParents, kFamily };  // a set: of no use, parents of some node, a family of a member
  static constexpr double kBytesPerSet = sizeof(SetValue) + sizeof(NodeBits) + sizeof(uint64_t) + 1;

  // What is listed when a stop comes while sets of so many parents are scored: all smaller ones.
  std::optional<FamilyLists> stopped(int parents) {
    if (parents < 2) return std::nullopt;
    return cut(parents - 1, "stop");
  }
  std::optional<FamilyLists> cut(int limit, const char* by) {
    lists_.limit = limit;
    lists_.stopped = by;
    return std::move(lists_);
  }

  Level level_of_empty() const {
    Level empty;
    empty.value = {scores_.of_empty()};
    NodeBits all;
    for (const Node v : allowed_.active) all.insert(v);
    empty.alive = {all};
    empty.offset = {0};
    empty.best.assign(allowed_.active.size(), kNoBound);
    return empty;
  }

  // A prefix of a set and the ranks that the members after it need.
  struct Prefix {
    std::vector<int> members;
    uint64_t rank = 0;              // of the prefix
    std::vector<uint64_t> without;  // of the prefix without its k-th member
    double configurations = 1;
    NodeBits nodes;
  };
  // `longer` becomes the prefix with one more member, behind the others.
  void append(const Prefix& prefix, int v, Prefix& longer) const {
    const int size = static_cast<int>(prefix.members.size());
    longer.members = prefix.members;
    longer.members.push_back(v);
    longer.without = prefix.without;
    for (uint64_t& rank : longer.without) rank += choose_.at(v, size);
    longer.without.push_back(prefix.rank);
    longer.rank = prefix.rank + choose_.at(v, size + 1);
    longer.configurations = prefix.configurations * levels_[v];
    longer.nodes = prefix.nodes;
    longer.nodes.insert(allowed_.active[v]);
  }

  // Nodes for which prefix + v may be a set of parents, as far as its subsets tell; `families`: its members j for which
  // the rest is alive, so that (j, rest) is to be scored.
  struct Need {
    NodeBits parents_of, families;
    bool any() const { return !parents_of.empty() || !families.empty(); }
  };
  Need need_of(const Prefix& prefix, int v) const {
    const int size = static_cast<int>(prefix.members.size()) + 1;
    const Node node = allowed_.active[v];
    Need need;
    const NodeBits first = below_.alive[prefix.rank];
    if (first.contains(node)) need.families.insert(node);
    need.parents_of = first & allowed_.children[node];
    for (size_t k = 0; k < prefix.members.size(); ++k) {
      const NodeBits alive = below_.alive[prefix.without[k] + choose_.at(v, size - 1)];
      const Node member = allowed_.active[prefix.members[k]];
      if (alive.contains(member)) need.families.insert(member);
      need.parents_of = need.parents_of & alive;
    }
    need.parents_of = need.parents_of - prefix.nodes;
    need.parents_of.erase(node);
    if (top_) need.parents_of = {};
    return need;
  }

  // Every prefix of the size that a set worth a look can begin with, in pieces that begin with the same two members.
  template <class Fn>
  void for_pieces(int size, const Fn& fn) {
    std::vector<std::vector<int>> heads;
    const int head = std::min(size, 2);
    std::vector<int> members;
    const auto grow = [&](auto&& self, int next) -> void {
      if (static_cast<int>(members.size()) == head) {
        heads.push_back(members);
        return;
      }
      for (int v = next; v < q_; ++v) {
        members.push_back(v);
        self(self, v + 1);
        members.pop_back();
      }
    };
    grow(grow, 0);
    parallel_for(static_cast<int>(heads.size()), options_.threads, [&](int k) {
      if (watch_.stop_requested()) return;
      std::vector<Prefix> stack(static_cast<size_t>(size) + 1);
      int depth = 0;
      for (const int v : heads[k]) {
        append(stack[depth], v, stack[depth + 1]);
        if (!is_useful(stack[++depth])) return;
      }
      fn([&](const auto& each) { extend(stack, depth, size, each); });
    });
  }
  template <class Fn>
  void extend(std::vector<Prefix>& stack, int depth, int size, const Fn& fn) const {
    if (depth == size) {
      fn(stack[depth]);
      return;
    }
    for (int v = depth == 0 ? 0 : stack[depth].members.back() + 1; v < q_; ++v) {
      append(stack[depth], v, stack[depth + 1]);
      if (is_useful(stack[depth + 1])) extend(stack, depth + 1, size, fn);
    }
  }
  // Whether a set that begins like this can be worth a look. Whatever kills a set kills its supersets, so that S is
  // needed only if the prefix may still be parents of somebody, or of one of its own members when that is left out.
  bool is_useful(const Prefix& prefix) const {
    const size_t size = prefix.members.size();
    return size >= useful_.size() || useful_[size].empty() || useful_[size][prefix.rank] != kUseless;
  }

  // How many sets of this size are to be scored, and how many families with such a set of parents may be alive.
  std::pair<long, long> count_needed(int size) {
    std::atomic<long> needed = 0, families = 0;
    for_pieces(size - 1, [&](const auto& for_prefixes) {
      long here = 0, alive = 0;
      for_prefixes([&](const Prefix& prefix) {
        for (int v = prefix.members.empty() ? 0 : prefix.members.back() + 1; v < q_; ++v) {
          const Need need = need_of(prefix, v);
          here += need.any() ? 1 : 0;
          alive += need.parents_of.count();
        }
      });
      needed += here;
      families += alive;
    });
    return {needed, families};
  }

  // False after a stop: then nothing of this size is listed.
  bool score_level(int size) {
    using Found = std::vector<std::pair<Node, BoundedFamily>>;
    std::vector<Found> found;
    std::mutex mutex;
    if (!top_) useful_.resize(static_cast<size_t>(size) + 1);
    if (!top_) useful_[size].assign(choose_.at(q_, size), 0);
    for_pieces(size - 1, [&](const auto& for_prefixes) {
      Found here;
      const auto walk = scores_.walk();
      std::vector<int> pushed;
      for_prefixes([&](const Prefix& prefix) {
        const std::vector<int>& all = prefix.members;
        for (int v = all.empty() ? 0 : all.back() + 1; v < q_; ++v) {
          const Need need = need_of(prefix, v);
          if (!need.any()) continue;
          // The rows are split only when a set asks for it.
          size_t same = 0;
          while (same < pushed.size() && same < all.size() && pushed[same] == all[same]) ++same;
          for (; pushed.size() > same; pushed.pop_back()) walk->pop();
          for (; pushed.size() < all.size(); pushed.push_back(all[pushed.size()]))
            walk->push(allowed_.active[all[pushed.size()]]);
          const SetValue value = walk->with(allowed_.active[v]);
          judge(prefix, v, need, value, here);
        }
      });
      const std::lock_guard lock(mutex);
      found.push_back(std::move(here));
    });
    if (watch_.stop_requested()) return false;
    for (const Found& piece : found) {
      for (const auto& [node, family] : piece) lists_.of[node].push_back(family);
    }
    return true;
  }

  // Scores the families (j, set - j) that are alive, and keeps those better than all their subsets.
  void judge(const Prefix& prefix, int v, const Need& need, SetValue value,
             std::vector<std::pair<Node, BoundedFamily>>& found) {
    const int size = static_cast<int>(prefix.members.size()) + 1;
    const uint64_t rank = prefix.rank + choose_.at(v, size);
    if (!top_) {
      current_.value[rank] = value;
      current_.alive[rank] = need.parents_of;  // finish_level makes it smaller
      useful_[static_cast<size_t>(size)][rank] = need.families.empty() ? kOnlyParents : kFamily;
    }
    const SetRanks ranks(prefix.members, v, choose_);
    NodeBits all = prefix.nodes;
    all.insert(allowed_.active[v]);
    for (int k = 0; k < size; ++k) {
      const int member = k + 1 == size ? v : prefix.members[k];
      const Node j = allowed_.active[member];
      if (!need.families.contains(j)) continue;
      const uint64_t rest = k + 1 == size ? prefix.rank : prefix.without[k] + choose_.at(v, size - 1);
      const NodeBits parents = all.without(j);
      int64_t best = kNoBound;
      for (int y = 0; y < size; ++y) {
        if (y == k) continue;
        best = std::max(best, lower_.best_of(ranks.without(std::min(k, y), std::max(k, y)), j));
      }
      if (allowed_.required[j].is_subset_of(parents)) {
        const double configurations = prefix.configurations * levels_[v] / levels_[member];
        const int64_t bound = value.up - below_.value[rest].down - scores_.price(j, size - 1, configurations);
        if (bound > best) {
          found.push_back({j, {bound, parents}});
          best = bound;
        }
      }
      if (!below_.best.empty()) below_.best_of(rest, j) = best;
    }
  }
  // With all values of this size known: for which nodes each set is still alive as a set of parents. False if the
  // figures of the families do not fit into memory; then there are none.
  bool finish_level(int size, bool keep_best) {
    if (size == 1) {
      alone_.resize(q_);
      for (int v = 0; v < q_; ++v) alone_[v] = current_.value[v];
    }
    if (scores_.has_entropies()) {
      for_pieces(size, [&](const auto& for_sets) {
        for_sets([&](const Prefix& set) {
          NodeBits& alive = current_.alive[set.rank];
          if (!alive.empty()) remove_those_who_never_pay(set, alive);
          uint8_t& useful = useful_[static_cast<size_t>(size)][set.rank];
          if (alive.empty() && useful == kOnlyParents) useful = kUseless;
        });
      });
    }
    uint64_t families = 0;
    for (const NodeBits& alive : current_.alive) families += static_cast<uint64_t>(alive.count());
    if (!keep_best) return true;
    if (static_cast<double>(families) * sizeof(int64_t) > options_.memory) return false;
    current_.offset.resize(current_.alive.size());
    families = 0;
    for (size_t rank = 0; rank < current_.alive.size(); ++rank) {
      current_.offset[rank] = families;
      families += static_cast<uint64_t>(current_.alive[rank].count());
    }
    current_.best.assign(families, kNoBound);
    return true;
  }

  // Lemma 2 for all nodes of `alive` at once. With n H(a|A) = F(A) - F(A + a): a member y whose loss can never exceed
  // its price makes the set and all its supersets superfluous; and so do all members together, against what j alone has
  // to lose. Ranks of set - y + j come from sums over the members before and after the place of j.
  void remove_those_who_never_pay(const Prefix& set, NodeBits& alive) const {
    const std::vector<int>& members = set.members;
    const int size = static_cast<int>(members.size());
    const double configurations = set.configurations;
    const SetValue own = current_.value[set.rank];
    struct Without {
      int64_t before = 0;  // F of the set without y, from above
      double configurations = 1;
      Node node = 0;
      std::vector<int> rest;            // members but y
      std::vector<uint64_t> low, high;  // sums over the first k members at their places, over the others one place up
    };
    std::vector<Without> without(size);
    for (int y = 0; y < size; ++y) {
      Without& w = without[y];
      w.node = allowed_.active[members[y]];
      w.configurations = configurations / levels_[members[y]];
      w.before = below_.value[set.without[y]].up;
      w.rest = members;
      w.rest.erase(w.rest.begin() + y);
      w.low.assign(size, 0);
      w.high.assign(size, 0);
      for (int k = 0; k + 1 < size; ++k) w.low[k + 1] = w.low[k] + choose_.at(w.rest[k], k + 1);
      for (int k = size - 2; k >= 0; --k) w.high[k] = w.high[k + 1] + choose_.at(w.rest[k], k + 2);
    }
    // Prices depend on the child through its levels alone.
    double priced = -1;
    int64_t price = 0, price_of_none = 0;
    std::vector<int64_t> saved(size);
    for (NodeBits rest = alive; !rest.empty(); rest.erase(rest.first())) {
      const Node j = rest.first();
      if (scores_.levels(j) != priced) {
        priced = scores_.levels(j);
        price = scores_.price(j, size, configurations);
        price_of_none = scores_.price_above(j, 0, 1);
        for (int y = 0; y < size; ++y) saved[y] = price - scores_.price_above(j, size - 1, without[y].configurations);
      }
      bool dead =
          allowed_.required[j].empty() && scores_.of_empty().up - alone_[index_[j]].down <= price - price_of_none;
      for (int y = 0; y < size && !dead; ++y) {
        const Without& w = without[y];
        if (allowed_.required[j].contains(w.node)) continue;
        dead = w.before - own.down <= saved[y];
        if (dead) break;
        const int place = static_cast<int>(std::ranges::lower_bound(w.rest, index_[j]) - w.rest.begin());
        const uint64_t with_j = w.low[place] + choose_.at(index_[j], place + 1) + w.high[place];
        dead = w.before - current_.value[with_j].down <= saved[y];
      }
      if (dead) alive.erase(j);
    }
  }
  const SetScores& scores_;
  const AllowedParents& allowed_;
  const FamilyOptions& options_;
  const Watch& watch_;
  int q_;
  Binomials choose_;
  std::vector<double> levels_;                // by member
  std::vector<int> index_;                    // by node: its place among the active ones
  std::vector<SetValue> alone_;               // of the sets of one member
  Level lower_, below_, current_;             // of sets with two members less, with one less, and of this size
  std::vector<std::vector<uint8_t>> useful_;  // by size and rank: see is_useful
  bool top_ = false;                          // this size is the last: nothing of it is kept
  FamilyLists lists_;
};

}  // namespace

std::optional<FamilyLists> list_by_set(const SetScores& scores, const AllowedParents& allowed,
                                       const FamilyOptions& options, int nodes, const Watch& watch) {
  return Lister(scores, allowed, options, nodes, watch).run();
}

}  // namespace agon
