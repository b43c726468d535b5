#pragma once

#include <span>
#include <string_view>

/// One file of a test room's data folder, compiled into the test executable.
struct TestFile {
  std::string_view path;  ///< relative to the data folder, with forward slashes
  std::string_view text;  ///< the bytes of the file, unchanged
};

/// All data files of this test executable, in byte order of their path.
std::span<const TestFile> podwright_test_files();

/// The text of one data file. A path that does not exist is a mistake in the test and ends the program with a message.
std::string_view podwright_test_data(std::string_view path);
