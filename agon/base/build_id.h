// agon/base/build_id.h
//
// Identifies this build of agon. Two builds of one version may differ in code, and must not resume each other's runs.
//
//   build_id();     // "9f86d081884c7d65", the same for every copy of one program
#pragma once

#include <string>

namespace agon {

// 16 digits of the build id that the linker put into the program or library that holds this code (a hash of all it
// linked); "" if it put none.
std::string build_id();

}  // namespace agon
