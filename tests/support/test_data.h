#pragma once

#include <span>
#include <string_view>

/// A file that tests read, compiled into their executable.
struct TestFile {
  std::string_view path;  ///< from the top of the project: "tests/cost/data/dirty_prices.csv"
  std::string_view text;  ///< the bytes of the file, unchanged
};

/// All such files of this executable, in byte order of their path.
std::span<const TestFile> podwright_test_files();

/// The text of one data file. A path that does not exist is a mistake in the test and ends the program with a message.
std::string_view podwright_test_data(std::string_view path);
