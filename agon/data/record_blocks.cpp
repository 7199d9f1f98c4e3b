#include "agon/data/record_blocks.h"

#include <algorithm>

namespace agon {
namespace {

constexpr size_t kMostBlockBytes = size_t{64} << 20;

}  // namespace

RecordBlocks::RecordBlocks(ByteSource source, Dialect dialect, size_t block_bytes)
    : source_(std::move(source)), dialect_(std::move(dialect)), block_bytes_(std::max<size_t>(1, block_bytes)) {}

void RecordBlocks::read_more() {
  const size_t before = text_.size(), room = std::max(block_bytes_, before);
  text_.resize(before + room);
  size_t got = 0;
  while (got < room) {
    const size_t count = source_(text_.data() + before + got, room - got);
    if (count == 0) {
      at_end_ = true;
      break;
    }
    got += count;
  }
  text_.resize(before + got);
}

// The end of the last whole record among the first bytes, or of the first record if that is longer; 0 if there is none
// yet. `full`: more text would not make it longer. The rules are those of RecordReader: a quote opens at the start of a
// cell alone, and comments have none.
size_t RecordBlocks::end_of_records(size_t most_bytes, size_t most_records, size_t& lines, bool& full) const {
  const size_t size = text_.size();
  const auto ends_cell = [&](char c) { return c == dialect_.delimiter || (dialect_.delimiter == ' ' && c == '\t'); };
  size_t end = 0, at = 0, line_ends = 0, records = 0;
  while (at < size && records < most_records && (end == 0 || end < most_bytes)) {
    if (!dialect_.comment.empty() && text_.compare(at, dialect_.comment.size(), dialect_.comment) == 0) {
      while (at < size && text_[at] != '\n' && text_[at] != '\r') ++at;
    }
    bool starts = true;  // a cell
    bool quoted = false;
    for (; at < size; ++at) {
      const char c = text_[at];
      if (quoted) {
        if (c == dialect_.quote) {
          quoted = at + 1 < size && text_[at + 1] == dialect_.quote;
          at += quoted ? 1 : 0;
        } else if (c == '\n' || (c == '\r' && !(at + 1 < size && text_[at + 1] == '\n'))) {
          ++line_ends;
        }
        continue;
      }
      if (c == '\n' || c == '\r') break;
      if (starts && dialect_.quote != 0 && c == dialect_.quote) {
        quoted = true;
        starts = false;
      } else if (ends_cell(c)) {
        starts = true;
      } else if (c != ' ' && c != '\t') {
        starts = false;
      }
    }
    if (at == size) break;                                       // the record may not be whole
    if (text_[at] == '\r' && at + 1 == size && !at_end_) break;  // nor this line end
    at += text_[at] == '\r' && at + 1 < size && text_[at + 1] == '\n' ? 2 : 1;
    ++line_ends;
    ++records;
    if (end > 0 && at > most_bytes) {
      full = true;
      break;
    }
    end = at;
    lines = line_ends;
  }
  full = full || records == most_records || end >= most_bytes;
  return end;
}

bool RecordBlocks::take(RecordBlock& block, size_t most_bytes, size_t most_records) {
  size_t lines = 0, end = 0;
  for (;;) {
    bool full = false;
    if (text_.size() > std::min(most_bytes, block_bytes_) || at_end_) {
      end = end_of_records(most_bytes, most_records, lines, full);
    }
    if (full || at_end_ || text_.size() > kMostBlockBytes) break;
    read_more();
  }
  if (text_.empty()) return false;
  const bool last_is_open = at_end_ && (end == 0 || (text_.size() <= most_bytes && most_records == SIZE_MAX));
  if (end == 0 || last_is_open) end = text_.size();  // the last record ends with the file
  block.line = line_;
  block.text = text_.substr(0, end);
  text_.erase(0, end);
  line_ += lines;
  return true;
}

bool RecordBlocks::next(RecordBlock& block) { return take(block, block_bytes_, SIZE_MAX); }
bool RecordBlocks::next(RecordBlock& block, size_t records) { return take(block, SIZE_MAX, records); }

}  // namespace agon
