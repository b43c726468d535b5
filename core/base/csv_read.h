#pragma once
/// Comma-separated tables (RFC 4180: quoted cells, doubled quotes, line breaks inside quotes; a byte order mark in
/// front) with a header line.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters.h"
#include "base/result.h"

namespace podwright {

struct CsvTable {
  struct Row {
    int line = 0;  ///< in the text, from 1
    std::vector<std::string> cells;
  };
  std::vector<std::string> columns;
  std::vector<Row> rows;

  /// -1 where there is no such column.
  int column(std::string_view name) const;
  /// The cell's text; empty where the column is missing.
  const std::string& cell(const Row& row, std::string_view name) const;
};

/// What one table may hold.
struct CsvLimits {
  static constexpr std::size_t kBytes = kMostTextBytes;
  static constexpr std::size_t kColumns = 1000;
  static constexpr std::size_t kCells = 4'000'000;
};

/// Every row must have as many cells as the header; error code "not-csv" with path ":<line>", or "too-large" with the
/// limit that was passed.
Result<CsvTable> parse_csv(std::string_view text);

}  // namespace podwright
