#include "agon/run/external.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/data/embedded.h"

namespace agon {

bool is_external(const std::string& name) {
  return name == "dream4" || (name.size() == 8 && name.starts_with("dream4-") && name[7] >= '1' && name[7] <= '5');
}

Dream4 load_external(const std::string& name, const std::string& folder) {
  if (folder.empty()) {
    std::string where;
    for (const EmbeddedInfo& info : embedded_datasets()) {
      if (info.name == "dream4") where = info.note;
    }
    throw UsageError(fmt::format("{} is not part of the program: --folder DIR must name where it is", name), where);
  }
  return read_dream4(folder, name == "dream4" ? 1 : name.back() - '0');
}

}  // namespace agon
