// web/engine/asked_run.h
//
// A run as a visitor asks for it, in JSON: {"source": .., "options": {name: value}, "knowledge": {"tiers", "required",
// "forbidden"}}. Options have the names and types of the command line.
//
//   AskedRun asked(request);
//   run(asked.request, std::move(asked.given), {.log = asked.log, .command = asked.command()});
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agon/catalog/settings.h"
#include "agon/run/journal.h"
#include "agon/run/request.h"

namespace agon::web {

// Sets the options of a request; UsageError for the first that is wrong.
void set_given(Settings& settings, const nlohmann::ordered_json& request);

// In the page every option is typed as text, whatever its type.
OptionValue typed_value(const Settings& settings, const std::string& name, const std::string& typed);

// It runs on one thread, since a page that was opened from disk has no more. Its record differs in nothing else from
// that of `agon discover --threads 1`.
struct AskedRun {
  explicit AskedRun(const nlohmann::ordered_json& wanted);
  std::string command() const;  // what a user of the command line would type

  Settings settings;
  RunRequest request;
  GivenInput given;
  KeptJournal log;
};

}  // namespace agon::web
