// agon/catalog/options.h
//
// Options that several commands share, declared once. An option of a single command is declared where that command
// binds it to a variable (settings.h).
//
//   settings.option(seed, seed_option());
//   settings.option(out, out_option("folder to write the figures to"));
#pragma once

#include <string>

#include "agon/base/option.h"

namespace agon {

Option seed_option();
Option threads_option();  // its variable is 0 until the option is given
Option folder_option();
Option out_option(const std::string& help);
Option output_option(const std::string& otherwise);
Option json_option();
Option quiet_option();
Option verbose_option();

}  // namespace agon
