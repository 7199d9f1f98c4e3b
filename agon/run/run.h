// agon/run/run.h
//
// One run, from what is asked for to its record: what `agon discover`, `agon run` and Python do, so that all of them
// give the same graph, the same figures and the same complaints. run.cpp reads from top to bottom.
//
//   Settings settings;
//   RunRequest request(settings, RunRequest::Kind::kMatch);
//   settings.set("seed", int64_t{3});
//   KeptJournal log;
//   const RunResult result = run(request, {.data = data}, {.log = log});
//   result.record.edges, write_record(result.record);
//
// The watch is there before the first step, and every step obeys it: reading ends at once (Interrupted), a search gives
// the best it has, the certificate says what it did not get to. The time limit counts from the call; the certificate
// may take up to a second past it, or past an interruption.
#pragma once

#include <memory>
#include <string>

#include "agon/base/checkpoint.h"
#include "agon/base/stop.h"
#include "agon/report/run_record.h"
#include "agon/run/journal.h"
#include "agon/run/request.h"

namespace agon {

struct RunContext {
  Journal& log;
  Watch watch = {};          // when to stop, and who is told of progress; the time limit of the request is added
  std::string command = "";  // what the user typed, for the record
  std::string folder = "";   // made, if it does not exist, before the search: an answer that cannot be kept is no use
};

struct RunResult {
  RunRecord record;
  std::shared_ptr<const LoadedData> data;
  // Of a run that came to its end: remove() it once the answer is safe. Null: none was asked for, or the run was
  // stopped before its end and can be resumed.
  std::shared_ptr<Checkpoint> checkpoint;
};

RunResult run(RunRequest& request, GivenInput given, const RunContext& context);

}  // namespace agon
