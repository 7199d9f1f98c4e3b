#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/data/json_text.h"
#include "agon/data/sums.h"
#include "agon/data/table_file.h"
#include "agon/data/text_file.h"

namespace agon {
namespace {

using SummaryJson = nlohmann::ordered_json;

constexpr std::string_view kSummaryMagic = "agon summary ";
constexpr int kVersion = 1;
constexpr size_t kLongestHead = 80;

// The first line: "agon summary 1 489 bbdf2c2dca0aad25". The first name of a table may begin like that, so nothing else
// is one.
struct SummaryHead {
  std::string_view version, bytes, checksum;  // of what follows
  size_t size = 0;                            // of the line, its end included
};

std::optional<SummaryHead> head_of(std::string_view text) {
  if (!text.starts_with(kSummaryMagic)) return std::nullopt;
  const size_t end = text.substr(0, kLongestHead).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = text.substr(kSummaryMagic.size(), end - kSummaryMagic.size());
  if (line.ends_with('\r')) line.remove_suffix(1);  // changed on its way; the number of bytes will say so
  const size_t first = line.find(' '), second = line.find(' ', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const SummaryHead head{line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1),
                         end + 1};
  const auto only = [](std::string_view word, std::string_view letters) {
    return !word.empty() && word.find_first_not_of(letters) == std::string_view::npos;
  };
  const bool fits = only(head.version, "0123456789") && only(head.bytes, "0123456789") && head.checksum.size() == 16 &&
                    only(head.checksum, "0123456789abcdef");
  return fits ? std::optional(head) : std::nullopt;
}

[[noreturn]] void refuse_sums(const std::string& place, const std::string& what) {
  throw InputError(place, what + ", which no rows can have", "make the summary again with agon summarize");
}

// ---------------------------------------------------------------------------------------------- writing

SummaryJson sums_json(const Sums& sums) {
  SummaryJson out = {{"rows", sums.rows}};
  if (sums.weight == 0) return out;
  out["weight"] = sums.weight;
  out["squares"] = sums.squares;
  if (!sums.mean.empty()) {
    out["mean"] = sums.mean;
    out["scatter"] = sums.scatter;
  }
  if (sums.cells.empty()) return out;
  SummaryJson& cells = out["cells"] = SummaryJson::array();
  for (const auto& [cell, weight] : sums.cells) {
    SummaryJson& line = cells.emplace_back(SummaryJson::array());
    for (const uint32_t code : cell) line.push_back(code == kGapCode ? -1 : static_cast<int64_t>(code));
    line.push_back(weight);
  }
  return out;
}

// ---------------------------------------------------------------------------------------------- reading

// Throws nlohmann's own exceptions for values that are absent or of another type.
double number_at(const SummaryJson& json, const char* key) { return json.at(key).get<double>(); }

std::vector<SummaryColumn> parsed_columns(const SummaryJson& json, const std::string& place) {
  std::vector<SummaryColumn> out;
  std::vector<std::string> names;
  for (const SummaryJson& item : json) {
    SummaryColumn column{.name = item.at("name").get<std::string>()};
    const auto kind = item.at("kind").get<std::string>();
    column.identifier = kind == "identifier";
    if (kind != to_string(ColumnKind::kContinuous)) column.kind = ColumnKind::kCategorical;
    if (kind != to_string(column.kind) && !column.identifier) {
      throw InputError(place, fmt::format("the kind of column {} is {}", quoted(column.name), quoted(kind)));
    }
    if (column.kind == ColumnKind::kCategorical && !column.identifier) {
      column.levels = item.at("levels").get<std::vector<std::string>>();
    }
    for (size_t k = 1; k < column.levels.size(); ++k) {
      if (label_less(column.levels[k - 1], column.levels[k])) continue;
      throw InputError(place, fmt::format("the levels of column {} are not in order", quoted(column.name)));
    }
    if (std::find(names.begin(), names.end(), column.name) != names.end()) {
      throw InputError(place, fmt::format("two columns are named {}", quoted(column.name)));
    }
    names.push_back(column.name);
    out.push_back(std::move(column));
  }
  if (out.empty()) throw InputError(place, "the summary has no columns");
  return out;
}

std::vector<Regime> parsed_regimes(const SummaryJson& json, const std::string& place) {
  std::vector<Regime> out;
  for (const SummaryJson& item : json) {
    Regime regime{.name = item.at("name").get<std::string>(),
                  .targets = item.at("targets").get<std::vector<std::string>>(),
                  .batch = item.at("batch").get<std::string>()};
    if (item.at("intervention").get<std::string>() == to_string(Intervention::kSoft)) {
      regime.intervention = Intervention::kSoft;
    }
    if (!out.empty() && !(out.back().name < regime.name)) {
      throw InputError(place, "the experiments of the summary are not in order of their names");
    }
    out.push_back(std::move(regime));
  }
  if (out.empty()) out.emplace_back();
  if (out.size() > 1 && out.front().name.empty()) throw InputError(place, "an experiment of the summary has no name");
  return out;
}

void check_moments(const Sums& sums, const Summary& summary, const std::string& place) {
  size_t at = 0;
  for (const SummaryColumn& column : summary.columns) {
    double shares = 0;
    for (size_t k = 0; k < column.width(); ++k, ++at) {
      const double variance = sums.scatter[packed(at, at)];
      if (!(variance >= 0)) {
        refuse_sums(place, fmt::format("the sum of squares of column {} is {}", quoted(column.name), variance));
      }
      shares += sums.mean[at];
      if (!column.levels.empty() && !(sums.mean[at] >= -1e-9)) {
        refuse_sums(place, fmt::format("the level {} of column {} has the share {}", quoted(column.levels[k]),
                                       quoted(column.name), sums.mean[at]));
      }
    }
    if (!column.levels.empty() && std::abs(shares - 1) > 1e-6) {
      refuse_sums(place, fmt::format("the shares of the levels of column {} sum to {}", quoted(column.name), shares));
    }
  }
}

void check_cells(const Sums& sums, const Summary& summary, const std::string& place) {
  double sum = 0;
  for (const auto& [cell, weight] : sums.cells) {
    if (!(weight > 0) || !std::isfinite(weight)) refuse_sums(place, fmt::format("a row occurs {} times", weight));
    sum += weight;
    for (size_t c = 0; c < cell.size(); ++c) {
      const SummaryColumn& column = summary.columns[c];
      if (cell[c] < std::max<size_t>(1, column.levels.size()) || (cell[c] == kGapCode && !column.identifier)) {
        continue;
      }
      refuse_sums(place, fmt::format("a row has level {} of column {}, which has {}", cell[c], quoted(column.name),
                                     column.levels.size()));
    }
  }
  if (!(std::abs(sum - sums.weight) <= 1e-6 * sums.weight)) {
    refuse_sums(place, fmt::format("the rows occur {} times in all, and their weight is {}", sum, sums.weight));
  }
}

Sums parsed_sums(const SummaryJson& json, const Summary& summary, const std::string& place) {
  Sums out{.rows = number_at(json, "rows")};
  if (!(out.rows >= 0) || out.rows != std::floor(out.rows) || out.rows > 9e15) {
    refuse_sums(place, fmt::format("the number of rows is {}", out.rows));
  }
  if (out.rows == 0) return out;
  out.weight = number_at(json, "weight");
  out.squares = number_at(json, "squares");
  if (!(out.weight > 0) || !std::isfinite(out.weight) || !(out.squares > 0) || !std::isfinite(out.squares)) {
    refuse_sums(place, fmt::format("{} rows have the weight {}", out.rows, out.weight));
  }
  const size_t q = width_of(summary.columns);
  if (summary.form == SummaryForm::kMoments) {
    out.mean = json.at("mean").get<std::vector<double>>();
    out.scatter = json.at("scatter").get<std::vector<double>>();
    if (out.mean.size() != q || out.scatter.size() != q * (q + 1) / 2) {
      throw InputError(place, fmt::format("there are {} means and {} products for {} columns", out.mean.size(),
                                          out.scatter.size(), q));
    }
    check_moments(out, summary, place);
    return out;
  }
  for (const SummaryJson& line : json.at("cells")) {
    if (line.size() != summary.columns.size() + 1) {
      throw InputError(
          place, fmt::format("a row has {} numbers for {} columns and its count", line.size(), summary.columns.size()));
    }
    std::vector<uint32_t> cell;
    for (size_t c = 0; c + 1 < line.size(); ++c) {
      const double code = line[c].get<double>();  // not an integer yet: it may be out of range
      if (code != std::floor(code) || code < -1 || code >= kGapCode) {
        refuse_sums(place, fmt::format("a row has level {}", code));
      }
      cell.push_back(code < 0 ? kGapCode : static_cast<uint32_t>(code));
    }
    if (!out.cells.emplace(std::move(cell), line.back().get<double>()).second) {
      refuse_sums(place, "a row is counted twice");
    }
  }
  check_cells(out, summary, place);
  return out;
}

Summary parsed(const SummaryJson& json, const std::string& place) {
  Summary out;
  out.columns = parsed_columns(json.at("columns"), place);
  out.form = json.at("form").get<std::string>() == "counts" ? SummaryForm::kCounts : SummaryForm::kMoments;
  for (const SummaryColumn& column : out.columns) {
    if (out.form == SummaryForm::kMoments || column.kind == ColumnKind::kCategorical) continue;
    throw InputError(place, fmt::format("column {} is continuous in a summary that counts", quoted(column.name)));
  }
  const auto weights = json.at("weights").get<std::string>();
  out.weighted = weights != "none";
  out.sampling = weights == "sampling";
  out.dropped = number_at(json, "dropped");
  out.keeps_parts = json.at("keeps_parts").get<bool>();
  out.regimes = parsed_regimes(json.at("experiments"), place);
  for (const SummaryJson& part : json.at("parts")) {
    std::vector<Sums>& own = out.parts.emplace_back();
    for (const SummaryJson& sums : part) own.push_back(parsed_sums(sums, out, place));
    if (own.size() != out.regimes.size()) {
      throw InputError(place, fmt::format("a part has {} sums for {} experiments", own.size(), out.regimes.size()));
    }
  }
  if (out.parts.empty() || (!out.keeps_parts && out.parts.size() > 1)) {
    throw InputError(place, fmt::format("the summary has {} parts", out.parts.size()));
  }
  return out;
}

}  // namespace

std::string summary_text(const Summary& summary) {
  SummaryJson columns = SummaryJson::array(), regimes = SummaryJson::array(), parts = SummaryJson::array();
  for (const SummaryColumn& column : summary.columns) {
    SummaryJson& item = columns.emplace_back(
        SummaryJson{{"name", column.name}, {"kind", column.identifier ? "identifier" : to_string(column.kind)}});
    if (column.kind == ColumnKind::kCategorical && !column.identifier) item["levels"] = column.levels;
  }
  for (const Regime& regime : summary.regimes) {
    regimes.push_back({{"name", regime.name},
                       {"targets", regime.targets},
                       {"intervention", to_string(regime.intervention)},
                       {"batch", regime.batch}});
  }
  for (const std::vector<Sums>& part : summary.parts) {
    SummaryJson& own = parts.emplace_back(SummaryJson::array());
    for (const Sums& sums : part) own.push_back(sums_json(sums));
  }
  const SummaryJson json = {{"form", summary.form == SummaryForm::kCounts ? "counts" : "moments"},
                            {"columns", std::move(columns)},
                            {"weights", summary.sampling   ? "sampling"
                                        : summary.weighted ? "counts"
                                                           : "none"},
                            {"dropped", summary.dropped},
                            {"keeps_parts", summary.keeps_parts},
                            {"experiments", std::move(regimes)},
                            {"parts", std::move(parts)}};
  const std::string body = json.dump() + "\n";
  return fmt::format("{}{} {} {}\n", kSummaryMagic, kVersion, body.size(), hex64(hash_text(body))) + body;
}

bool is_summary_text(std::string_view text) { return head_of(text).has_value(); }

bool is_summary_file(const std::string& path, const Watch& watch) {
  if (path == "-") return is_summary_text(look_at_standard_input(kLongestHead, watch));
  std::ifstream file(path, std::ios::binary);
  std::string start(kLongestHead, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return is_summary_text(std::string_view(start).substr(0, static_cast<size_t>(file.gcount())));
}

Summary detail::parse_summary_body(std::string_view json, const std::string& place) {
  try {
    return parsed(parse_json<SummaryJson>(json, place), place);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(place, fmt::format("is not a summary: {}", error.what()), "agon summarize makes one");
  }
}

Summary parse_summary(std::string_view text, const std::string& place) {
  const std::optional<SummaryHead> head = head_of(text);
  if (!head) throw InputError(place, "is not a summary", "agon summarize makes one");
  if (head->version != std::to_string(kVersion)) {
    throw InputError(place,
                     fmt::format("is a summary of version {}, and this agon reads version {}", head->version, kVersion),
                     "make the summary again with agon summarize");
  }
  const std::string_view body = text.substr(head->size);
  if (head->bytes != std::to_string(body.size())) {
    throw InputError(place,
                     fmt::format("the summary was cut short or changed: there are {} bytes after the first line, which "
                                 "says {}",
                                 body.size(), head->bytes),
                     "make it or copy it again");
  }
  if (head->checksum != hex64(hash_text(body))) {
    throw InputError(place,
                     fmt::format("the summary was changed after it was written: its checksum is {}, and the first line "
                                 "says {}",
                                 hex64(hash_text(body)), head->checksum),
                     "make it or copy it again");
  }
  return detail::parse_summary_body(body, place);
}

Summary read_summary(const std::string& path, const Watch& watch) {
  if (path != "-") return parse_summary(read_text_file(path), path);
  const TableFile input(path);
  const std::string place = "<stdin>";
  std::string text;
  char piece[1 << 16];
  while (const size_t count = input.read(piece, sizeof piece, place, watch)) text.append(piece, count);
  return parse_summary(text, place);
}

}  // namespace agon
