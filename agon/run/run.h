// agon/run/run.h
//
// One run, from what is asked for to its record. `agon discover`, `agon run` and Python all call it, so they give the
// same graph, the same figures and the same errors. run.cpp reads from top to bottom.
//
//   Settings settings;
//   RunRequest request(settings, RunRequest::Kind::kMatch);
//   settings.set("seed", int64_t{3});
//   KeptJournal log;
//   const RunResult result = run(request, {.data = data}, {.log = log});
//   result.record.edges, write_record(result.record);
//
// Every step obeys the watch: an interrupt ends reading at once (it throws Interrupted), a time limit ends the
// examination of the table, a search returns the best it has, and the certificate says what it did not check. The time
// limit counts from the call. The certificate may take up to a second beyond the limit or an interruption.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agon/base/checkpoint.h"
#include "agon/base/stop.h"
#include "agon/report/run_record.h"
#include "agon/run/journal.h"
#include "agon/run/request.h"
#include "agon/score/block_moments.h"

namespace agon {

struct RunContext {
  Journal& log;
  Watch watch = {};          // when to stop, and whom to tell about progress; the request's time limit is added
  std::string command = "";  // what the user typed, for the record
  // Of a match: told of each champion; of the arms after each round of play, with their parts of the next round's cost.
  std::function<void(const std::vector<NamePair>& edges, double score, const std::string& found_by)> on_champion =
      nullptr;
  std::function<void(const std::vector<ArmRecord>& arms, const std::vector<double>& shares)> on_round = nullptr;
  std::string folder = "";  // created before the search if need be: an answer that cannot be saved is of no use
};

struct RunResult {
  RunRecord record;
  std::shared_ptr<const LoadedData> data;       // the table that was searched, its gaps filled if they were drawn
  std::shared_ptr<const LoadedData> untreated;  // the same with its gaps
  std::shared_ptr<const BlockMoments> moments;  // what EM found; null where no cell was missing, or gaps were drawn
  // The checkpoint of a run that came to its end; remove() it once the answer is saved. Null: none was asked for, or
  // the run was stopped before its end and can be resumed.
  std::shared_ptr<Checkpoint> checkpoint;
  std::string proof = {};  // of certificate.optimum, as proof.txt has it; "": there is none
};

RunResult run(RunRequest& request, GivenInput given, const RunContext& context);

}  // namespace agon
