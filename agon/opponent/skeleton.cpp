#include "agon/opponent/skeleton.h"

#include <algorithm>

#include "agon/base/parallel.h"

namespace agon {

int Skeleton::edge_count() const {
  int twice = 0;
  for (Node v = 0; v < size(); ++v) twice += neighbours_[v].count();
  return twice / 2;
}

void Skeleton::join(Node a, Node b) {
  neighbours_.set(a, b);
  neighbours_.set(b, a);
  separations_[place(a, b)].reset();
}

void Skeleton::separate(Node a, Node b, std::optional<Separation> by) {
  neighbours_.reset(a, b);
  neighbours_.reset(b, a);
  separations_[place(a, b)] = std::move(by);
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
    std::vector<std::vector<Node>> neighbours(p), causes(p);  // as they are before this size is tried
    bool large_enough = false;
    for (Node a = 0; a < p; ++a) {
      neighbours[a] = skeleton.neighbours(a).to_vector();
      for (Node v : neighbours[a]) {
        if (knowledge.allows(Edge{v, a})) causes[a].push_back(v);
      }
      large_enough = large_enough || static_cast<int>(neighbours[a].size()) > size;
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
      std::vector<std::vector<Found>> found(p);
      std::vector<long> tests(p);
      parallel_for(p, options.threads, [&](int a) {
        std::vector<Node> open;  // partners not yet separated
        for (Node b : neighbours[a]) {
          if ((smaller ? b > a : b < a) && skeleton.adjacent(a, b) && !required(a, b)) open.push_back(b);
        }
        std::vector<Node> others;
        std::vector<double> p_values;
        for_each_subset(causes[a], size, [&](const std::vector<Node>& given) {
          if (open.empty() || watch.stop_requested()) return false;
          others.clear();
          for (Node b : open) {
            if (!std::binary_search(given.begin(), given.end(), b)) others.push_back(b);
          }
          if (others.empty()) return true;
          p_values.resize(others.size());
          test.p_values(a, given, others, p_values);
          tests[a] += static_cast<long>(others.size());
          for (size_t k = 0; k < others.size(); ++k) {
            if (!(p_values[k] > options.alpha)) continue;
            found[a].push_back({others[k], {given, p_values[k]}});
            std::erase(open, others[k]);
          }
          return true;
        });
      });
      for (Node a = 0; a < p; ++a) {
        skeleton.tests += tests[a];
        for (Found& f : found[a]) skeleton.separate(a, f.other, std::move(f.by));
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
