// agon/agent/learning_options.h
//
// Options that several challengers share, declared once. Each challenger's own struct holds the fields, and with them
// the defaults.
//
//   option(OptionField::off(o.learning), no_learning(o.learning));      // in describe(FlatOptions& o, ...)
//   describe_learning(o, option);
#pragma once

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/option.h"

namespace agon {

inline Option no_learning(bool acts) {
  return {.name = "no-learning",
          .help = "do not learn during the match: the challenger without its learning",
          .acts = acts,
          .decides = true};
}

// How a network learns during the match: hidden, learning_rate, target_rate, batch, train_every, replay.
template <class Options>
void describe_learning(Options& o, const Describe& option) {
  const bool acts = o.learning;
  option(o.hidden, {.name = "hidden",
                    .value = "N,...",
                    .help = "widths of the network's hidden layers",
                    .range = at_least(1).at_most(4096),
                    .acts = acts});
  option(o.learning_rate,
         {.name = "learning-rate", .value = "X", .help = "step size of Adam", .range = more_than(0), .acts = acts});
  option(o.target_rate, {.name = "target-rate",
                         .value = "X",
                         .help = "share of the online network that moves into the target network per update",
                         .range = more_than(0).at_most(1),
                         .acts = acts});
  option(o.batch,
         {.name = "batch", .value = "N", .help = "transitions per update", .range = at_least(1), .acts = acts});
  option(o.train_every,
         {.name = "train-every", .value = "N", .help = "moves per update", .range = at_least(1), .acts = acts});
  option(o.replay, {.name = "replay",
                    .value = "N",
                    .help = "transitions kept, at least a batch",
                    .range = at_least(1),
                    .acts = acts});
}

inline Option episode_moves(const std::string& otherwise) {
  return {.name = "episode-moves", .value = "T", .help = "moves of an episode; 0: " + otherwise, .range = at_least(0)};
}

inline Option discount(const Range& range, bool acts) {
  return {.name = "discount",
          .value = "G",
          .help = "weight of the rewards that follow a move",
          .range = range,
          .acts = acts};
}

// Throws UsageError when a described field is outside its range, or the replay cannot hold a batch.
template <class Options>
void check_described(const char* whose, const Options& options) {
  std::string problems = out_of_range([&](const Describe& option) {
    Options copy = options;
    describe(copy, option);
  });
  if constexpr (requires { options.replay; }) {
    if (problems.empty() && options.replay < options.batch) {
      problems = fmt::format("--replay {} cannot hold a --batch of {}", options.replay, options.batch);
    }
  }
  if (!problems.empty()) throw UsageError(fmt::format("{}: {}", whose, problems));
}

}  // namespace agon
