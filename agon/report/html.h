// agon/report/html.h
//
// A record as one page to look at: report.html, self-contained, opened from disk, without network.
//
//   std::string page = html_report(record);
//   std::string old = html_report(read_record(text, "result.json"));     // `agon report` draws an old result again
//
// All figures stand in it as plain tables; a script draws the graph and the match and sorts the tables. That script is
// built from web/ and is part of the binary; a build without Node has none, and its page says so.
//
// What may be relied on: names of the data are escaped everywhere, and the page allows no script but its own (a content
// security policy with the script's hash), no inline handlers and no requests.
#pragma once

#include <string>
#include <string_view>

#include "agon/report/run_record.h"

namespace agon {

// Does this build have the script?
bool report_is_interactive();

// A plain page has the tables alone: no script, a few kilobytes.
enum class PageKind { kInteractive, kPlain };
std::string html_report(const RunRecord& record, PageKind kind = PageKind::kInteractive);

}  // namespace agon
