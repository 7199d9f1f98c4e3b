// agon/base/build_id.h
//
// Which build of agon this is. A version says what was meant; two builds of one version may still differ in code, and
// what one of them has left half done is not for the other to finish.
//
//   build_id();     // "9f86d081884c7d65", the same for every copy of one program
#pragma once

#include <string>

namespace agon {

// 16 digits of the build id that the linker put into the program or library this code is in (a hash of all it linked);
// "" where it put none.
std::string build_id();

}  // namespace agon
