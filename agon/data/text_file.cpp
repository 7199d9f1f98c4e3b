#include "agon/data/text_file.h"

#include <filesystem>
#include <fstream>

#include "agon/base/error.h"

namespace agon {

std::string read_text_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) throw InputError(path, "there is no such file");
  if (std::filesystem::is_directory(status)) throw InputError(path, "this is a folder, expected a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, "cannot be opened", "check its permissions");
  std::string text;
  char piece[1 << 16];
  while (file.read(piece, sizeof piece) || file.gcount() > 0) text.append(piece, static_cast<size_t>(file.gcount()));
  if (file.bad()) throw InputError(path, "cannot be read to its end");
  return text;
}

}  // namespace agon
