// agon/data/experiment_sample.h
//
// Rows of an experiment on a network, for the command line and for Python: to plan experiments, and to test what reads
// them.
//
//   SampleRequest request{.rows = 500, .seed = 1, .settings = {"smoke=yes"}, .targets = "set"};
//   Dataset rows = sample(embedded_network("asia"), request, "asia");   // the column "set" says "smoke" in every row
#pragma once

#include <string>
#include <vector>

#include "agon/data/bayes_net.h"

namespace agon {

struct SampleRequest {
  size_t rows = 1000;
  uint64_t seed = 0;
  std::vector<std::string> settings = {};              // VARIABLE=LEVEL; none: observation
  Intervention intervention = Intervention::kPerfect;  // what the settings do, see under_experiment
  std::string targets = {};  // add a column of this name that names the variables set ("a;b", or "none"); "": do not
};

// An experiment has random numbers of its own, so that its rows can be put beside others of the same seed. UsageError
// for what the network has not, for soft interventions without settings, and for a column that is there already.
Dataset sample(const BayesNet& net, const SampleRequest& request, const std::string& source);

}  // namespace agon
