/// Feeds files to the fuzz targets without a fuzzer, so that what fuzzing learned is tested by every build.
///
///     fuzz_replay FOLDER...   files in FOLDER/<target>/, of every target that has a folder there
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "fuzz_targets.h"

namespace {

namespace fs = std::filesystem;

std::string now;  ///< the file that is read

void tell_file(int) {
  std::fprintf(stderr, "\nfuzz_replay: stopped by %s\n", now.c_str());
  std::_Exit(1);
}

}  // namespace

int main(int count, char** words) {
  for (const int stop : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(stop, tell_file);
  int files = 0;
  for (const FuzzTarget& target : kFuzzTargets)
    for (int i = 1; i < count; ++i) {
      const fs::path folder = fs::path(words[i]) / target.name;
      if (!fs::is_directory(folder)) continue;
      for (const auto& entry : fs::directory_iterator(folder)) {
        now = entry.path().string();
        std::ifstream file(now, std::ios::binary);
        const std::string text(std::istreambuf_iterator<char>(file), {});
        target.run(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        ++files;
      }
    }
  std::printf("[  PASSED  ] %d tests.\n", files);
  return files > 0 ? 0 : 1;
}
