#include "agon/base/hash.h"

#include <fmt/format.h>

namespace agon {

std::string hex64(uint64_t value) { return fmt::format("{:016x}", value); }

}  // namespace agon
