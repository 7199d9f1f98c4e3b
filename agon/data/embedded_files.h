// agon/data/embedded_files.h
//
// The bytes of the files in datasets/, which are part of the binary. Use embedded.h; this is what it stands on.
// The assembler copies each file in (.incbin), by a source that cmake/embed_files.cmake writes.
#pragma once

#include <string_view>
#include <vector>

namespace agon {

std::string_view embedded_file(std::string_view name);  // e.g. "asia.net"; empty when there is none
std::vector<std::string_view> embedded_file_names();    // sorted

}  // namespace agon
