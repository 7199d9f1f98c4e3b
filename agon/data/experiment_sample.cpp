#include "agon/data/experiment_sample.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/text.h"

namespace agon {
namespace {

// In the order of the network, however they were typed.
std::vector<Setting> settings_of(const BayesNet& net, const std::vector<std::string>& texts) {
  std::vector<Setting> out;
  for (const std::string& text : texts) out.push_back(setting_of(net, text));
  std::ranges::sort(out, {}, &Setting::node);
  return out;
}

// What --targets of `agon discover` reads: the variables set in these rows.
std::string label_of(const BayesNet& net, const std::vector<Setting>& settings) {
  std::vector<std::string> names;
  for (const Setting& setting : settings) names.push_back(net.names[setting.node]);
  return names.empty() ? "none" : joined(names, ";");
}

}  // namespace

Dataset sample(const BayesNet& net, const SampleRequest& request, const std::string& source) {
  const std::vector<Setting> settings = settings_of(net, request.settings);
  if (settings.empty() && request.intervention != Intervention::kPerfect) {
    throw UsageError("--intervention has no effect without --do", "add --do VARIABLE=LEVEL");
  }
  BayesNet drawn = under_experiment(net, settings, request.intervention);
  if (!request.targets.empty()) {
    if (net.index_of(request.targets) >= 0) {
      throw UsageError(fmt::format("--targets {}: the network has a variable of that name", request.targets),
                       "choose another name");
    }
    drawn = with_label(std::move(drawn), request.targets, label_of(net, settings));
  }
  Rng rng(request.seed);
  if (!settings.empty()) rng = rng.split(to_string(request.intervention));
  for (const auto& [node, level] : settings) rng = rng.split(net.names[node]).split(net.levels[node][level]);
  return sample(drawn, request.rows, rng, source);
}

}  // namespace agon
