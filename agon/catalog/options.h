// agon/catalog/options.h
//
// Options that several commands have, declared once. An option of one command alone is declared where that command
// ties it (settings.h).
//
//   settings.option(seed, seed_option());
//   settings.option(out, out_option("folder to write the figures to"));
#pragma once

#include <string>

#include "agon/base/option.h"

namespace agon {

Option seed_option();
Option threads_option();  // of a variable that is 0 until given
Option folder_option();
Option out_option(const std::string& help);
Option output_option(const std::string& otherwise);
Option json_option();
Option quiet_option();

}  // namespace agon
