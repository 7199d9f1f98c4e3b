// agon/opponent/test_oracle_independence.h
//
// An independence test that knows the true graph: p-value 1 where the graph separates, else 0. Nodes from `observed` on
// are hidden; those from `selected` on selected the rows, so they are always given.
#pragma once

#include <string>

#include "agon/graph/d_separation.h"
#include "agon/opponent/independence.h"

namespace agon::testing {

class Oracle final : public Independence {
 public:
  explicit Oracle(Dag dag) : Oracle(dag, dag.size()) {}
  Oracle(Dag dag, int observed) : Oracle(dag, observed, dag.size()) {}
  Oracle(Dag dag, int observed, int selected) : dag_(std::move(dag)), observed_(observed), selected_(selected) {}

  int size() const override { return observed_; }
  std::string name() const override { return "oracle"; }
  double p_value(Node a, Node b, Parents given) const override {
    NodeSet set(dag_.size());
    for (Node v : given) set.insert(v);
    for (Node v = selected_; v < dag_.size(); ++v) set.insert(v);
    return d_separated(dag_, a, b, set) ? 1 : 0;
  }

 private:
  Dag dag_;
  int observed_, selected_;
};

}  // namespace agon::testing
