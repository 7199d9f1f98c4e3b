// web/engine/choices.h
//
// What there is to choose from, in JSON: embedded data sets, options of a run, formats of graphs.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace agon::web {

nlohmann::ordered_json dataset_choices();
nlohmann::ordered_json option_choices();
nlohmann::ordered_json format_choices();

}  // namespace agon::web
