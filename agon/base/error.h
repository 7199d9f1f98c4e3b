// agon/base/error.h
//
// The two errors that a user can cause. The library throws these and never prints or exits; the command line turns each
// into one message and an exit code (UsageError 2, InputError 3).
//
//   throw InputError("asia.csv:417", "column \"smoke\": found \"O\", expected one of 0, 1",
//                    "if \"O\" marks a missing value, pass --na O");
//
// prints as
//
//   asia.csv:417: column "smoke": found "O", expected one of 0, 1
//     hint: if "O" marks a missing value, pass --na O
#pragma once

#include <stdexcept>
#include <string>

#include "agon/base/text.h"  // a message quotes what it found

namespace agon {

// A file or table that cannot be used as it is. `place` is a path, or path:line; it may be empty.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& place, const std::string& problem, const std::string& hint = "");
};

// An option or a name the caller gave that does not exist or makes no sense.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& problem, const std::string& hint = "");
};

}  // namespace agon
