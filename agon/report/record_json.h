// agon/report/record_json.h
//
// result.json, schema 2 (docs/result.schema.json): a RunRecord as the file that programs read. One writer, one reader.
//
//   std::string text = write_record(record);
//   RunRecord same = read_record(text, "result.json");      // InputError names the key that is missing or wrong
//   write_record(same) == text;
//
// What may be relied on: numbers have full precision, objects keep the order in which they are written, and the same
// record gives the same bytes. The file repeats some figures for programs that read only one part of it (the best
// opponent and its score, the sentences of the certificate). read_record takes each figure from one place, and
// contradictions() lists the repetitions that say something else.
#pragma once

#include <string>
#include <vector>

#include "agon/report/run_record.h"

namespace agon {

std::string write_record(const RunRecord& record);
std::string write_record_line(const RunRecord& record);  // the same without line breaks
std::string option_json(const OptionValue& value);       // as it appears among the options

// `place` is where the text came from, for messages. Keys that this version does not know are ignored.
RunRecord read_record(const std::string& text, const std::string& place);

struct Contradiction {
  std::string key;      // "score.opponent"
  std::string says;     // the value in the file
  std::string implied;  // what follows from the rest of the file
};
// Where the text differs from what write_record(record) would write; `record` is what was read from the text.
std::vector<Contradiction> contradictions(const std::string& text, const RunRecord& record);

}  // namespace agon
