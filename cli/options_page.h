// cli/options_page.h
//
// Every option of every command as one page of Markdown: docs/options.md, and `agon list options`.
#pragma once

#include <string>

namespace agon::cli {

std::string options_page();

}  // namespace agon::cli
