// python/src/own_score.h
//
// A score that is a Python function of (child, parents), given by name. It is slow, since every call takes the
// interpreter's lock; so each local score is computed once and remembered.
#pragma once

#include <nanobind/nanobind.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "agon/score/local_score.h"

namespace agon::python {

namespace nb = nanobind;

class OwnScore : public LocalScore {
 public:
  // The function must outlive the score. `max_parents` 0: no cap.
  OwnScore(const Dataset& data, nb::handle function, bool equivalent, int max_parents);

  double local(Node child, Parents parents) const override;
  const ScoreTraits& traits() const override { return traits_; }

 private:
  double ask(Node child, Parents parents) const;

  std::vector<std::string> names_;
  nb::handle function_;
  ScoreTraits traits_;
  mutable std::mutex mutex_;  // never held while Python code runs
  mutable std::map<std::pair<Node, std::vector<Node>>, double> known_;
};

}  // namespace agon::python
