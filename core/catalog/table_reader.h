#pragma once
/// Checked reading of one table of the catalog: columns by name, numbers as numbers, every problem with file and line.
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv_read.h"
#include "base/result.h"
#include "base/words.h"
#include "catalog/item.h"

namespace podwright {

/// A table is read in `do { ... } while (table.next())`: the first time on no row, when every cell is empty and nothing
/// is an error, to learn the columns. The table must have exactly those that were asked for, in any order.
class TableReader {
 public:
  /// On errors of the text or its columns there are no rows.
  TableReader(std::string_view path, std::string_view text, Errors& errors);

  /// The next row; false at the end.
  bool next();
  /// How many there are of the columns that were asked for.
  std::size_t rows();
  bool on_row() const { return row_ > 0; }
  std::size_t row() const { return row_; }  ///< its number, from 1
  const std::string& text(std::string_view column);
  /// The same of a column that tables may lack: those of before do.
  const std::string& later_text(std::string_view column);
  /// Absent where the cell is empty; an error where it is not a number or outside the range.
  std::optional<double> number(std::string_view column, double min = 0, double max = 1e15);
  /// As above, and an error where the cell is empty.
  double needed(std::string_view column, double min = 0, double max = 1e15);
  const std::string& needed_text(std::string_view column);
  /// The value of a cell that holds one of the words; the first value and an error where it does not.
  template <class Enum, std::size_t N>
  Enum word(std::string_view column, const std::array<std::string_view, N>& words) {
    return static_cast<Enum>(word_place(column, words));
  }
  /// Base units of the unit in the column "unit", which must be one of these.
  double unit(std::initializer_list<std::string_view> signs);
  /// An error where the three are not in their order.
  template <class T>
  void check_range(const T& low, const T& typical, const T& high) {
    if (!(low <= typical && typical <= high))
      error("out-of-range", "The middle value is outside its range.", "low <= typical <= high");
  }
  void error(std::string code, std::string message, std::string hint);
  int line() const { return on_row() ? table_.rows[row_ - 1].line : 0; }
  /// Id, name and origin of a row.
  void place(CatalogItem& item, std::string id, std::string name) const;
  /// The same, and its source.
  void head(CatalogItem& item, std::string id, std::string name);

 private:
  std::size_t word_place(std::string_view column, std::span<const std::string_view> words);
  void check_columns();
  void tell(std::string_view code, std::string_view problem, std::vector<std::string> columns);

  std::string path_;
  CsvTable table_;
  Errors& errors_;
  std::vector<std::string> columns_;  ///< that were asked for
  std::vector<std::string> later_;    ///< those of them that may be absent
  std::size_t row_ = 0;
  bool unchecked_ = false;  ///< the columns
};

/// The rows of a table, each as `read` fills it.
template <class Row>
std::vector<Row> rows_of(std::string_view path, std::string_view text, Errors& errors,
                         void (*read)(TableReader&, Row&)) {
  TableReader table(path, text, errors);
  Row none;
  read(table, none);
  std::vector<Row> rows(table.rows());
  for (Row& row : rows) {
    table.next();
    read(table, row);
  }
  return rows;
}

}  // namespace podwright
