// agon/opponent/acyclicity.h
//
// How far a graph with edge weights C >= 0 is from a DAG: h(C) = tr(e^C) - p. This is the sum over all closed walks of
// the product of their weights, divided by the factorial of their length. It is 0 exactly for a DAG (Zheng et al. 2018,
// NeurIPS 31, theorem 1), and dh / dC[j][i] = (e^C)[i][j].
//
//   Acyclicity<float> term;
//   term.set_edges(parents);                                  // which edges there are: parents[child]
//   for (int b = 0; b < term.blocks(); ++b) term.compute(b, weights);   // weights[child][k] of parents[child][k]
//   term.h();
//   term.gradient(5)[0];                                      // dh / d weights[5][0]
//
// What may be relied on: blocks are independent of each other, so any thread may compute any block, and the result does
// not depend on which did; h is summed in node order. Only closed walks matter, and they stay within a strongly
// connected component, so the cost is that of the components: nothing for a DAG. All terms of the series are positive,
// so small values of h are as exact as large ones (float: about six digits).
#pragma once

#include <vector>

namespace agon {

template <class Real>
class Acyclicity {
 public:
  void set_edges(const std::vector<std::vector<int>>& parents);
  int blocks() const { return static_cast<int>(blocks_.size()); }
  void compute(int block, const std::vector<std::vector<Real>>& weights);
  double h() const;
  const std::vector<Real>& gradient(int child) const { return gradient_[child]; }

 private:
  struct Component {
    std::vector<int> nodes;             // ascending
    std::vector<int> begin;             // the edges into the a-th node are those from begin[a] up to begin[a + 1]:
    std::vector<int> parent, position;  // its place among the nodes; the place of the edge in the child's list
  };
  struct Block {  // some columns of the exponential of one component
    int component;
    int first, count;  // as places among the nodes of the component
  };
  std::vector<Component> components_;  // of two nodes or more
  std::vector<Block> blocks_;
  std::vector<double> closed_;               // by node: its diagonal entry of e^C - I
  std::vector<std::vector<Real>> gradient_;  // by child, by edge
};

// Strongly connected components of two nodes or more, each ascending, ordered by their smallest node.
std::vector<std::vector<int>> cyclic_components(const std::vector<std::vector<int>>& parents);

}  // namespace agon
