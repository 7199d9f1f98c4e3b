// web/engine/table_view.h
//
// A table as the page shows it before a run: per column its kind and why, what is missing, and a small histogram.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "agon/run/data_settings.h"

namespace agon::web {

nlohmann::ordered_json table_view(const LoadedData& data);

}  // namespace agon::web
