// agon/data/embedded_files.h
//
// The bytes of files that are part of the binary: those in datasets/ (use embedded.h, which is built on this), and the
// script and the style of report.html. The assembler copies each file in (.incbin), from a source that
// cmake/embed_files.cmake writes.
#pragma once

#include <string_view>
#include <vector>

namespace agon {

std::string_view embedded_file(std::string_view name);  // e.g. "asia.net"; empty when there is none
std::vector<std::string_view> embedded_file_names();    // sorted

}  // namespace agon
