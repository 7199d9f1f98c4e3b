// agon/data/table_file.h
//
// The file a table is read from: opened, read piece by piece, and refused where its first bytes are those of a format
// that is no text.
//
//   const TableFile file("asia.csv");                        // "-" is standard input
//   char to[1000];
//   file.read(to, sizeof to, "asia.csv", Watch());           // how many bytes came; 0 is the end
//   refuse_known_formats(text, "asia.csv");
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "agon/base/stop.h"

namespace agon {

class TableFile {
 public:
  // Throws InputError for a file that cannot be opened and for a folder.
  explicit TableFile(const std::string& path);
  ~TableFile();
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  size_t size() const { return size_; }  // 0 if it cannot be known
  // Waits a tenth of a second at a time, so that Ctrl-C works even if nothing arrives on standard input.
  size_t read(char* to, size_t size, const std::string& path, const Watch& watch) const;

 private:
  int descriptor_ = -1;
  bool owned_ = false;
  size_t size_ = 0;
};

// The first bytes of standard input, fewer if it ends before. They are still there for whoever reads it.
std::string_view look_at_standard_input(size_t size, const Watch& watch);

// For a file that is not there: "did you mean DIR/NAME?" of one in its folder with a similar name, or "".
std::string similar_file_hint(const std::string& path);

// Throws InputError for what is certainly no text table, recognised by its first bytes.
void refuse_known_formats(std::string_view head, const std::string& name);

}  // namespace agon
