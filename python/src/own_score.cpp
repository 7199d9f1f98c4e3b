#include "own_score.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/score/own_score.h"

namespace agon::python {

OwnScore::OwnScore(const Dataset& data, nb::handle function, bool equivalent, int max_parents)
    : names_(data.names()), function_(function) {
  traits_.name = kOwnScore;
  traits_.score_equivalent = equivalent;
  traits_.max_parents = max_parents > 0 ? max_parents : data.size();
  for (const Column& column : data.columns()) traits_.constant.push_back(column.is_isolated());
}

double OwnScore::local(Node child, Parents parents) const {
  std::pair<Node, std::vector<Node>> question{child, {parents.begin(), parents.end()}};
  std::sort(question.second.begin(), question.second.end());
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(question); known != known_.end()) return known->second;
  }
  const double answer = ask(child, question.second);
  const std::lock_guard lock(mutex_);
  return known_.emplace(std::move(question), answer).first->second;
}

double OwnScore::ask(Node child, Parents parents) const {
  std::vector<std::string> names;
  for (Node u : parents) names.push_back(names_[u]);
  std::sort(names.begin(), names.end());  // the answer must not depend on agon's order of the columns
  nb::gil_scoped_acquire lock;
  nb::list list;
  for (const std::string& name : names) list.append(nb::cast(name));
  const double answer = nb::cast<double>(function_(names_[child], nb::tuple(list)));
  if (std::isnan(answer)) {
    throw ScoreUndefined(
        fmt::format("the score of {} given {} is not a number", quoted(names_[child]), joined(names, ", ")));
  }
  return answer;
}

}  // namespace agon::python
