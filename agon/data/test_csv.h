// agon/data/test_csv.h
//
// What the tests of the CSV reader share.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "agon/base/error.h"
#include "agon/data/csv.h"

namespace agon::testing {

using Labels = std::vector<std::string>;

inline Dataset parse(std::string_view text, const CsvOptions& options = {}) {
  return read_csv_text(text, "t.csv", options).data;
}

inline const Column& named(const Dataset& data, const std::string& name) {
  const int node = data.index_of(name);
  EXPECT_GE(node, 0) << name;
  return data.column(std::max(node, 0));
}

inline Labels labels_of(const Dataset& data, const std::string& name) {
  const Column& c = named(data, name);
  Labels out;
  for (size_t row = 0; row < c.rows(); ++row) out.push_back(c.levels[c.codes[row]]);
  return out;
}

// The message of the InputError that reading must throw.
inline std::string refusal(std::string_view text, const CsvOptions& options = {}) {
  try {
    parse(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted: " << text.substr(0, 100);
  return "";
}

inline std::string file_refusal(const std::string& path) {
  try {
    read_csv(path);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted: " << path;
  return "";
}

inline std::string usage_refusal(std::string_view text, const CsvOptions& options) {
  try {
    parse(text, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no " << part << "\nin " << text;
}
#define EXPECT_CONTAINS(text, part) \
  {                                 \
    SCOPED_TRACE("");               \
    expect_contains(text, part);    \
  }

// A file that is removed when the test ends.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name, std::string_view content = "")
      : path_((std::filesystem::temp_directory_path() /
               fmt::format("agon-csv-{}-{}", ::testing::UnitTest::GetInstance()->random_seed(), name))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace agon::testing
