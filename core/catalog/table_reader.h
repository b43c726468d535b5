#pragma once
/// Checked reading of one table of the catalog: columns by name, numbers as numbers, every problem with file and line.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_read.h"
#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

class TableReader {
 public:
  /// The table must have exactly these columns, in any order. On errors there are no rows.
  TableReader(std::string_view path, std::string_view text, const std::vector<std::string_view>& columns,
              Errors& errors);

  /// The next row; false at the end.
  bool next();
  const std::string& text(std::string_view column) const;
  /// Absent where the cell is empty; an error where it is not a number or outside the range.
  std::optional<double> number(std::string_view column, double min = 0, double max = 1e15);
  /// As above, and an error where the cell is empty.
  double needed(std::string_view column, double min = 0, double max = 1e15);
  const std::string& needed_text(std::string_view column);
  void error(std::string code, std::string message, std::string hint);
  int line() const { return table_.rows[row_ - 1].line; }
  /// Id, name, origin and source of a row.
  void head(CatalogItem& item, std::string id, std::string name) const;

 private:
  std::string path_;
  CsvTable table_;
  Errors& errors_;
  std::size_t row_ = 0;  ///< number of the current row, from 1
};

}  // namespace podwright
