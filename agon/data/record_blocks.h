// agon/data/record_blocks.h
//
// A delimited text cut into blocks of whole records, so that threads may each parse one: cells in quotes may hold line
// ends, so only a scan from the start knows where a record ends.
//
//   RecordBlocks blocks(text_source("x,y\n1,2\n3,4\n"), {}, 8);
//   RecordBlock block;
//   while (blocks.next(block)) ...            // "x,y\n1,2\n" on line 1, then "3,4\n" on line 3
//
// Where blocks end depends on the text and on `block_bytes` alone. A record longer than that makes a longer block, up
// to the 64 MB that RecordReader takes.
#pragma once

#include <cstddef>
#include <string>

#include "agon/data/records.h"

namespace agon {

struct RecordBlock {
  std::string text;  // ends with the end of a record, or of the file
  size_t line = 1;   // on which it begins
};

class RecordBlocks {
 public:
  // `dialect` says what delimits cells and quotes them.
  RecordBlocks(ByteSource source, Dialect dialect, size_t block_bytes);

  bool next(RecordBlock& block);  // false at the end
  // So many records in place of so many bytes; comments and blank lines count too.
  bool next(RecordBlock& block, size_t records);

 private:
  bool take(RecordBlock& block, size_t most_bytes, size_t most_records);
  void read_more();
  size_t end_of_records(size_t most_bytes, size_t most_records, size_t& lines, bool& full) const;

  ByteSource source_;
  Dialect dialect_;
  size_t block_bytes_;
  std::string text_;  // read, and not given out
  size_t line_ = 1;
  bool at_end_ = false;
};

}  // namespace agon
