// cli/watch.h
//
// The page of a folder of results that others are still writing to, such as that of a league (agon.league in Python).
#pragma once

#include <filesystem>

#include "agon/report/html.h"
#include "agon/run/journal.h"

namespace agon::cli {

// Keeps report.html in the folder at the result with the best score (of equals, the one with fewer edges, then by the
// name of its file), until `results` are there (0: until Ctrl-C). Files that are no results yet are looked at again.
// Returns when it is done; InputError for a folder that is none.
void watch_results(const std::filesystem::path& folder, long results, PageKind kind, Journal& log);

}  // namespace agon::cli
