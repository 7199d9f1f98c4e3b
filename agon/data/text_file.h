// agon/data/text_file.h
//
// Reads a whole file as text, for the small formats of this folder. read_csv streams tables of data instead.
#pragma once

#include <string>

namespace agon {

// Throws InputError with the path for a file that is missing, a folder, or unreadable.
std::string read_text_file(const std::string& path);

}  // namespace agon
