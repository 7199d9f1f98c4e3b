// agon/effect/next_step.h
//
// What to find out next: which variable to set in an experiment, and which question to put to an expert, so that most
// open arrows of a class are settled.
//
//   const CausalClass graphs(mpdag_of(dag, knowledge));
//   const NextSteps next = next_steps(graphs, 2);
//   next.experiments[0].node;              // setting this variable settles most
//   next.batch;                            // two variables to set, each in an experiment of its own
//
// Setting a variable shows the direction of all edges at it, and Meek's rules give more. What comes out depends on the
// DAG that is true: every way in which the edges can point (causal_class.h) has its share of the members, so the
// smallest and the mean number of arrows settled are exact (He & Geng 2008; Hauser & Bühlmann 2014, who maximise the
// smallest). A batch is put together greedily by the mean. If there are more than kMostWays ways, kDraws members are
// drawn, and the smallest is that of the draws; if members cannot be drawn either, the variable is left out.
//
// A question about an open edge is settled both ways, with the shares of the members.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/effect/adjustment.h"
#include "agon/effect/effect.h"

namespace agon {

// What an experiment or an answer would settle.
struct Settled {
  double least = 0, mean = 0;  // open edges; the mean is NaN in a PAG, whose members are not counted (pag_next.h)
  bool sampled = false;        // over draws of members
};

struct ExperimentChoice {
  Node node = 0;
  int open = 0;  // edges at it
  Settled settled;
  // The share of the members in which the chosen effect, if there is one, is identified afterwards.
  std::optional<double> identified = {};
};

struct QuestionChoice {
  Edge edge{0, 0};
  double forward = 0.5;  // the share of the members in which it points from -> to
  Settled settled;
  std::optional<double> identified = {};
};

struct NextSteps {
  int open = 0;                            // edges in all
  std::optional<double> log_members = {};  // how many DAGs there are
  // Those that settle something: those that identify the chosen effect in most members first, then by the mean, then by
  // the least.
  std::vector<ExperimentChoice> experiments;
  std::vector<QuestionChoice> questions;
  std::vector<Node> batch;  // of at most the budget, in the order in which they were chosen
  Settled batch_settled;
  std::vector<Node> left_out;  // too many ways
};

struct ChosenEffect {
  Node cause = 0, outcome = 0;
};

NextSteps next_steps(const CausalClass& graphs, int budget = 1, std::optional<ChosenEffect> effect = std::nullopt);

// The possible effects after each outcome of an experiment on `node`, with the share of that outcome: for the bounds.
struct Outcome {
  double share = 1;
  EffectSet effects;
};
std::vector<Outcome> outcomes_of(const CausalClass& graphs, Node node, ChosenEffect effect);

// The same with names, and with the width of the range of the chosen effect: its largest possible value minus its
// smallest, now and on average after each step. In the units of the table, or standardised if the outcome has more than
// two levels.
struct NextAnswer {
  struct Experiment {
    std::string variable;
    int open = 0;
    Settled settled;
    std::optional<double> identified = {}, width = {};
  };
  struct Question {
    std::string from, to;  // by name
    double forward = 0.5;
    Settled settled;
    std::optional<double> identified = {}, width = {};
  };
  bool pag = false;  // `open` and `settled` count circles of a Pag, not edges
  int open = 0;
  std::optional<double> log_members = {};
  std::vector<Experiment> experiments;
  std::vector<Question> questions;
  std::vector<std::string> batch;
  Settled batch_settled;
  std::vector<std::string> left_out;
  std::string of = {}, on = {};  // the chosen effect; blank: none
  std::optional<bool> identified = {};
  std::optional<double> width = {};
};

// `names` by node. Widths need a table.
NextAnswer next_answer(const CausalClass& graphs, const std::vector<std::string>& names, int budget,
                       std::optional<ChosenEffect> effect = std::nullopt, const EffectTable* table = nullptr);

}  // namespace agon
