// agon/run/external.h
//
// Data sets that are listed but must be obtained by the user: `dream4` (network 1), `dream4-2` .. `dream4-5`, read from
// the folder that --folder names.
#pragma once

#include <string>

#include "agon/data/dream4.h"

namespace agon {

bool is_external(const std::string& name);

// Without a folder: UsageError, which says where to get the data.
Dream4 load_external(const std::string& name, const std::string& folder);

}  // namespace agon
