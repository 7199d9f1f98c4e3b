#include "agon/run/learner_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

constexpr const char* kLearnerOptions[] = {"iterations", "rest",   "regression", "decoder",     "bias",
                                           "variances",  "reward", "reward-per", "standardise", "sample"};

bool reads(const OpponentEntry& entry, const std::string& option) {
  return std::ranges::find(entry.learns, option) != entry.learns.end();
}

}  // namespace

LearnerSettings::LearnerSettings(Settings& settings) : settings_(settings) {
  settings.option(asked_.iterations, {.name = "iterations",
                                      .value = "N",
                                      .help = "rl-bic, kcrl, corl: iterations of training; dag-gnn: steps",
                                      .range = at_least(1),
                                      .otherwise = "as many as published"});
  settings.option(asked_.rest, {.name = "rest",
                                .value = "N",
                                .help = "rl-bic, kcrl, corl: end after so many iterations without a better graph; "
                                        "0: never",
                                .range = at_least(0)});
  settings.option(asked_.regression, {.name = "regression",
                                      .value = "KIND",
                                      .help = "rl-bic, kcrl: the regressions behind the reward; process is for tables "
                                              "of few columns and rows",
                                      .choices = {"linear", "quadratic", "process"}});
  settings.option(asked_.decoder, {.name = "decoder",
                                   .value = "KIND",
                                   .help = "rl-bic, kcrl: how two variables make the logit of an edge",
                                   .choices = {"pair", "bilinear", "tensor", "transformer"}});
  settings.option(bias_, {.name = "bias",
                          .value = "X",
                          .help = "rl-bic, kcrl: where the number begins that is added to the logits of all "
                                  "edges, and trained; -10 lets graphs begin sparse",
                          .range = at_least(-100).at_most(100),
                          .otherwise = "as published, -10 from 30 columns on, else none"});
  settings.option(asked_.variances, {.name = "variances",
                                     .value = "KIND",
                                     .help = "rl-bic, kcrl, corl: whether the noise of all columns has one variance",
                                     .choices = {"equal", "different"}});
  settings.option(asked_.reward, {.name = "reward",
                                  .value = "KIND",
                                  .help = "rl-bic, kcrl, corl: paper rewards by regressions on the values as numbers, "
                                          "own by the score of the run",
                                  .choices = {"paper", "own"}});
  settings.option(asked_.reward_per, {.name = "reward-per",
                                      .value = "UNIT",
                                      .help = "corl: whether each step of an order is rewarded or the whole",
                                      .choices = {"step", "order"}});
  settings.option(asked_.standardise,
                  {.name = "standardise",
                   .help = "rl-bic, kcrl, corl, dag-gnn: give all columns variance 1 first, so that "
                           "scales do not decide directions"});
  settings.option(asked_.sample,
                  {.name = "sample", .help = "dag-gnn: add noise to the code as in the paper, not as released"});
}

LearnerOptions LearnerSettings::options(const std::vector<const OpponentEntry*>& algorithms) {
  for (const std::string option : kLearnerOptions) {
    const bool read =
        std::ranges::any_of(algorithms, [&](const OpponentEntry* entry) { return reads(*entry, option); });
    if (read) continue;
    if (settings_.given(option)) {
      std::vector<std::string> chosen, others;
      for (const OpponentEntry* entry : algorithms) chosen.push_back(entry->name);
      for (const OpponentEntry& entry : opponent_entries()) {
        if (reads(entry, option)) others.push_back(entry.name);
      }
      throw UsageError(fmt::format("--{} has no effect on {}", option, listed(chosen)),
                       "it belongs to " + listed(others));
    }
    settings_.leave_out(option);
  }
  if (settings_.given("bias")) {
    asked_.bias = bias_;
  } else {
    settings_.leave_out("bias");
  }
  return asked_;
}

}  // namespace agon
