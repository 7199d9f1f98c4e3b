#include "web/engine/choices.h"

#include <nlohmann/json.hpp>

#include "agon/data/embedded.h"
#include "agon/graph/formats.h"
#include "agon/run/request.h"

namespace agon::web {

using Json = nlohmann::ordered_json;

Json dataset_choices() {
  Json all = Json::array();
  for (const EmbeddedInfo& info : embedded_datasets()) {
    if (info.kind == "external") continue;
    all.push_back({{"name", info.name},
                   {"kind", info.kind},
                   {"columns", info.nodes},
                   {"rows", info.rows},
                   {"edges", info.edges},
                   {"source", info.source},
                   {"licence", info.licence},
                   {"note", info.note}});
  }
  return all;
}

Json option_choices() {
  Settings settings;
  const RunRequest request(settings, RunRequest::Kind::kMatch);
  Json all = Json::array();
  for (const auto& bound : settings.all()) {
    all.push_back({{"name", bound->option.name},
                   {"type", to_string(bound->type)},
                   {"flag", bound->type == OptionType::kFlag},
                   {"group", to_string(bound->option.group)},
                   {"help", bound->help},
                   {"choices", bound->option.choices},
                   {"common", bound->option.common}});
  }
  return all;
}

Json format_choices() {
  Json all = Json::array();
  for (const GraphFormat& format : graph_formats()) {
    all.push_back({{"name", format.name}, {"extension", format.extension}, {"description", format.description}});
  }
  return all;
}

}  // namespace agon::web
