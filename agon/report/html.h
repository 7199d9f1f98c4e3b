// agon/report/html.h
//
// A result as one page to look at: report.html, self-contained, opened from disk, without network.
//
//   std::string page = html_report(result_json(record, nullptr), "result.json");
//
// The page is written from result.json and nothing else, so an old result can be drawn again (`agon report`). All
// figures stand in it as plain tables; a script draws the graph and the match and sorts the tables. That script is
// built from web/ and is part of the binary; a build without Node has none, and its page says so.
//
// What may be relied on: names of the data are escaped everywhere, and the page allows no script but its own (a content
// security policy with the script's hash), no inline handlers and no requests.
#pragma once

#include <string>
#include <string_view>

namespace agon {

// Does this build have the script?
bool report_is_interactive();

// `result` is the text of a result.json. InputError with `place` when it lacks what schema 1 promises.
// A plain page has the tables alone: no script, a few kilobytes.
enum class PageKind { kInteractive, kPlain };
std::string html_report(std::string_view result, const std::string& place, PageKind kind = PageKind::kInteractive);

// Text as it may stand between tags and in attributes in double quotes.
std::string html_escaped(std::string_view text);

}  // namespace agon
