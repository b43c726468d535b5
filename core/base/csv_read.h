#pragma once
/// Comma-separated tables (RFC 4180: quoted cells, doubled quotes, line breaks inside quotes; a byte order mark in
/// front) with a header line.
#include <string>
#include <string_view>
#include <vector>

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

/// Every row must have as many cells as the header; error code "not-csv" with path ":<line>".
Result<CsvTable> parse_csv(std::string_view text);

}  // namespace podwright
