#include "agon/opponent/skeleton.h"

#include <algorithm>

#include "agon/base/parallel.h"

namespace agon {
namespace {

constexpr int kNodesAtOnce = 256;

}  // namespace

int Skeleton::edge_count() const {
  int twice = 0;
  for (Node v = 0; v < size(); ++v) twice += neighbours_[v].count();
  return twice / 2;
}

void Skeleton::join(Node a, Node b) {
  neighbours_.set(a, b);
  neighbours_.set(b, a);
  p_value_[place(a, b)] = kNotSeparated;
}

void Skeleton::separate(Node a, Node b, const std::optional<Separation>& by) {
  neighbours_.reset(a, b);
  neighbours_.reset(b, a);
  const size_t pair = place(a, b);
  p_value_[pair] = by ? by->p_value : kNotSeparated;
  set_[pair] = kNothing;
  if (!by || by->set.empty()) return;
  set_[pair] = static_cast<uint32_t>(sets_.size());
  sets_.push_back(static_cast<Node>(by->set.size()));
  sets_.insert(sets_.end(), by->set.begin(), by->set.end());
}

std::optional<Separation> Skeleton::separation(Node a, Node b) const {
  const size_t pair = place(a, b);
  if (p_value_[pair] < 0) return std::nullopt;
  Separation out{.set = {}, .p_value = p_value_[pair]};
  if (set_[pair] != kNothing) {
    const auto begin = sets_.begin() + set_[pair];
    out.set.assign(begin + 1, begin + 1 + *begin);
  }
  return out;
}

Skeleton find_skeleton(const Independence& test, const SkeletonOptions& options, const Knowledge& knowledge,
                       const Watch& watch) {
  const int p = test.size();
  Skeleton skeleton(p);
  const auto required = [&](Node a, Node b) { return knowledge.is_required({a, b}) || knowledge.is_required({b, a}); };
  for (Node a = 0; a < p; ++a) {
    for (Node b = a + 1; b < p; ++b) {
      if (knowledge.allows(Edge{a, b}) || knowledge.allows(Edge{b, a})) skeleton.join(a, b);
    }
  }

  struct Found {
    Node other;
    Separation by;
  };
  skeleton.stopped_by = "all sets tried";
  for (int size = 0;; ++size) {
    // As they are before this size is tried. Those of size 0 are nearly all columns, and the empty set needs no list.
    std::vector<std::vector<Node>> neighbours(size > 0 ? p : 0);
    bool large_enough = false;
    for (Node a = 0; a < p; ++a) {
      large_enough = large_enough || skeleton.neighbours(a).count() > size;
      if (size > 0) neighbours[a] = skeleton.neighbours(a).to_vector();
    }
    if (!large_enough) break;
    if (options.max_given >= 0 && size > options.max_given) {
      skeleton.stopped_by = "set limit";
      break;
    }
    skeleton.largest_given = size;
    // The first pass tries sets of neighbours of the smaller node of each pair. The second tries those of the larger
    // node, for the pairs that are left. Sets of size 0 are the same for both.
    for (const bool smaller : {true, false}) {
      if (size == 0 && !smaller) break;
      // What is found is written down after some nodes, so that it is never kept twice. A pair belongs to one node in
      // each pass, so those that come later see no difference.
      for (Node first = 0; first < p; first += kNodesAtOnce) {
        const int some = std::min(kNodesAtOnce, p - first);
        std::vector<std::vector<Found>> found(some);
        std::vector<long> tests(some);
        parallel_for(some, options.threads, [&](int k) {
          const Node a = first + k;
          std::vector<Node> open, causes;  // partners not yet separated; what may stand in a set
          const auto take = [&](Node b) {
            if ((smaller ? b > a : b < a) && skeleton.adjacent(a, b) && !required(a, b)) open.push_back(b);
            if (size > 0 && knowledge.allows(Edge{b, a})) causes.push_back(b);
          };
          if (size > 0) {
            for (const Node b : neighbours[a]) take(b);
          } else {
            for (const Node b : skeleton.neighbours(a)) take(b);
          }
          std::vector<Node> others;
          std::vector<double> p_values;
          for_each_subset(causes, size, [&](const std::vector<Node>& given) {
            if (open.empty() || watch.stop_requested()) return false;
            others.clear();
            for (Node b : open) {
              if (!std::binary_search(given.begin(), given.end(), b)) others.push_back(b);
            }
            if (others.empty()) return true;
            p_values.resize(others.size());
            test.p_values(a, given, others, p_values);
            tests[k] += static_cast<long>(others.size());
            for (size_t o = 0; o < others.size(); ++o) {
              if (!(p_values[o] > options.alpha)) continue;
              found[k].push_back({others[o], {given, p_values[o]}});
              std::erase(open, others[o]);
            }
            return true;
          });
        });
        for (int k = 0; k < some; ++k) {
          skeleton.tests += tests[k];
          for (const Found& f : found[k]) skeleton.separate(first + k, f.other, f.by);
        }
      }
    }
    watch.tell({"testing pairs given " + std::to_string(size) + " columns",
                skeleton.tests,
                skeleton.edge_count(),
                0,
                {},
                0,
                "test"});
    if (watch.stop_requested()) {
      skeleton.stopped_by = watch.stop_reason();
      if (size == 0) {  // most pairs were never tested
        for (Node a = 0; a < p; ++a) {
          for (Node b = a + 1; b < p; ++b) {
            if (skeleton.adjacent(a, b) && !required(a, b)) skeleton.separate(a, b, std::nullopt);
          }
        }
      }
      break;
    }
  }
  return skeleton;
}

}  // namespace agon
