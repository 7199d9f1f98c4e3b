// agon/opponent/gran_dag_plain.h
//
// A step of GraN-DAG written plainly, in loops and in double: row by row, unit by unit, with masks for the inputs that
// are gone, and e^C by its series over whole matrices. It is the twin that GranDagNet and Acyclicity are tested and
// timed against.
#pragma once

#include <vector>

#include "agon/base/rng.h"
#include "agon/opponent/gran_dag_net.h"

namespace agon {

using PlainMatrix = std::vector<std::vector<double>>;

// e^m by its series; exact up to rounding for entries of moderate size.
PlainMatrix plain_exponential(const PlainMatrix& m);

class PlainGranDag {
 public:
  // Begins with the weights of a GranDagNet constructed from the same arguments.
  PlainGranDag(const GranDagShape& shape, const std::vector<std::vector<int>>& inputs, Rng rng);

  struct Outcome {
    double loss;  // mean of -ln p over rows and variables, before the step
    double h;     // tr(e^C) - p, before the step
  };
  // One RMSprop step on loss + lambda h + mu/2 h^2 over these rows, then clamping.
  Outcome step(const PlainMatrix& rows, double lambda, double mu, double rate, double clamp);

  PlainMatrix connectivity() const;  // [from][to]

 private:
  struct Layer {
    PlainMatrix weight, by_weight, square;  // [in][out]
    std::vector<double> bias, by_bias, square_bias;
  };
  struct Network {
    std::vector<Layer> layers;  // hidden ones, then the output
    double log_scale = 0, by_log_scale = 0, square_log_scale = 0;
  };

  double add_likelihood(int variable, const PlainMatrix& rows);
  void add_penalty(const PlainMatrix& by_connectivity);
  void update(double rate);

  GranDagShape shape_;
  int p_;
  std::vector<Network> networks_;
  std::vector<std::vector<bool>> sees_;  // [variable][input]
};

}  // namespace agon
