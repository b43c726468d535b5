#include "support/test_data.h"

#include <cstdio>
#include <cstdlib>

std::string_view podwright_test_data(std::string_view path) {
  for (const TestFile& file : podwright_test_files()) {
    if (file.path == path) return file.text;
  }
  std::fprintf(stderr, "no test data file named '%.*s'\n", static_cast<int>(path.size()), path.data());
  std::abort();
}
