// Runs a fuzz target over files: every argument is a file, or a folder of files. This is how a build without libFuzzer
// goes through the seeds and through every input that once broke something.
//
//   build/csv_replay tests/fuzz/corpus/csv tests/fuzz/regressions/csv
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      if (std::filesystem::exists(argv[i])) files.emplace_back(argv[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& path : files) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    std::printf("%s\n", path.filename().c_str());
    std::fflush(stdout);
    // A copy of exactly this size, so that a sanitizer sees a read past its end.
    const std::string all = text.str();
    const std::vector<uint8_t> bytes(all.begin(), all.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    // The first half of it too: files are cut short in the world.
    const std::vector<uint8_t> half(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2));
    LLVMFuzzerTestOneInput(half.data(), half.size());
  }
  if (files.empty()) std::fprintf(stderr, "replay: no files\n");
  return files.empty() ? 1 : 0;
}
