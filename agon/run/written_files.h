// agon/run/written_files.h
//
// The files of one run in its --out folder. What an earlier run wrote there, and this one does not, is removed: an
// mpdag.csv of another table must not lie beside the new graphs.
//
//   WrittenFiles files("result", "", log);
//   files.write("result.json", text);
//   files.finish();                           // after the last: removes what is left of the run before
//
// Only what agon wrote is removed, and only while it is as agon left it: .agon-files in the folder lists the names,
// with a hash of their bytes. A file that is not listed there, that somebody changed, or that is a link is never
// touched. Each prefix has a list of its own, so that runs with different prefixes share a folder. A run that is killed
// half-way removes nothing.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agon/run/journal.h"

namespace agon {

class WrittenFiles {
 public:
  WrittenFiles(std::string folder, const std::string& prefix, Journal& log);

  std::string path(const std::string& name) const { return folder_ + "/" + prefix_ + name; }
  // Throws InputError when it cannot be written; see atomic_file.h. Returns the path. `remark` is for the log.
  std::string write(const std::string& name, std::string_view text, const std::string& remark = "");
  void finish();  // and says in one line what was written

 private:
  using Entry = std::pair<std::string, std::string>;  // name with its prefix, hash of the bytes
  std::string list_path() const { return folder_ + "/." + prefix_ + "agon-files"; }
  std::vector<Entry> listed_before() const;

  std::string folder_, prefix_;  // "P_" or ""
  Journal& log_;
  std::vector<Entry> written_;
  std::string told_;  // the line for the log
};

}  // namespace agon
