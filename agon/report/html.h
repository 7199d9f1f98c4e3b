// agon/report/html.h
//
// A record as one page to look at: report.html, self-contained, to be opened from disk without a network.
//
//   std::string page = html_report(record);
//   std::string old = html_report(read_record(text, "result.json"));     // `agon report` draws an old result again
//
// It holds all figures as plain tables; a script draws the graph and the match, and sorts the tables. The script is
// built from web/ and is part of the binary. A build without Node has no script, and its page says so.
//
// What may be relied on: names of the data are escaped everywhere, and the page allows no script but its own (a content
// security policy with the script's hash), no inline handlers and no requests.
#pragma once

#include <string>
#include <string_view>

#include "agon/report/run_record.h"

namespace agon {

// Does this build include the script?
bool report_is_interactive();

// A plain page has only the tables: no script, a few kilobytes.
enum class PageKind { kInteractive, kPlain };
// `effects` is what page_effects_json() gives (effect_texts.h): a page with it shows what happens if a node is set.
std::string html_report(const RunRecord& record, PageKind kind = PageKind::kInteractive,
                        const std::string& effects = "");

}  // namespace agon
