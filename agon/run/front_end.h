// agon/run/front_end.h
//
// Messages mention options as they are typed on the command line. This translates them for users of Python.
//
//   as_python("--missing drop-rows would keep the 7 complete rows");
//       // missing="drop-rows" would keep the 7 complete rows
//   as_python("leave columns out with --drop NAMES");                // leave columns out with drop=[...]
//   as_python("pass --no-header if the first line is data");         // pass no_header=True if the first line is data
//   as_python("see `agon list scores`");                             // see `agon.list_scores()`
//
// It knows from the declarations of the options which are flags, which are lists, and what they take.
#pragma once

#include <string>
#include <string_view>

namespace agon {

std::string as_python(std::string_view message);

}  // namespace agon
