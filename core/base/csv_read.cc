#include "base/csv_read.h"

#include <optional>
#include <utility>

namespace podwright {
namespace {

Error too_large(std::string path, const std::string& found, std::size_t most) {
  return {"too-large", std::move(path), "The table has " + found + ".", "Legal: at most " + std::to_string(most) + "."};
}

/// Takes the text byte by byte.
class CsvReader {
 public:
  Result<CsvTable> read(std::string_view text) {
    for (std::size_t i = 0; i < text.size() && !full_; ++i) {
      const char c = text[i];
      if (c == '\n') ++line_;
      if (quoted_) {
        if (c != '"') {
          cell_ += c;
        } else if (i + 1 < text.size() && text[i + 1] == '"') {
          cell_ += '"';
          ++i;
        } else {
          quoted_ = false;
        }
      } else if (c == '"' && cell_.empty() && !was_quoted_) {
        quoted_ = was_quoted_ = true;
      } else if (c == ',') {
        end_cell();
      } else if (c == '\n') {
        end_row();
      } else if (c != '\r') {
        cell_ += c;
      }
    }
    if (quoted_) wrong("A quoted cell does not end.", "Close the quote.");
    if (!cell_.empty() || row_cells_ > 0) end_row();
    if (full_) return failure(*full_);
    if (wrong_ > 0) return failure(shortened(std::move(errors_), wrong_));
    return std::move(table_);
  }

 private:
  void wrong(std::string message, std::string hint) {
    if (++wrong_ <= kMostErrors)
      errors_.push_back({"not-csv", ":" + std::to_string(row_.line), std::move(message), std::move(hint)});
  }

  /// Cells beyond those of the header are counted only.
  void end_cell() {
    const bool in_header = table_.columns.empty();
    if (in_header && row_cells_ >= CsvLimits::kColumns)
      full_ = too_large(":" + std::to_string(row_.line), "more columns", CsvLimits::kColumns);
    if (in_header || row_cells_ < table_.columns.size()) row_.cells.push_back(std::move(cell_));
    ++row_cells_;
    cell_.clear();
    was_quoted_ = false;
  }

  void end_row() {
    end_cell();
    const bool blank = row_cells_ == 1 && row_.cells[0].empty();
    if (!blank && table_.columns.empty()) {
      table_.columns = std::move(row_.cells);
      for (const char other : {';', '\t'})
        if (row_cells_ == 1 && table_.columns[0].find(other) != std::string::npos)
          full_ = {"not-csv", ":1",
                   std::string("Cells are separated by ") + (other == ';' ? ";" : "tabs") + ", not by commas.",
                   "Save the table as comma-separated values."};
    } else if (!blank && row_cells_ != table_.columns.size()) {
      wrong("The row has " + std::to_string(row_cells_) + " cells, the header " +
                std::to_string(table_.columns.size()) + ".",
            "Quote cells that hold commas.");
    } else if (!blank) {
      cells_ += row_cells_;
      if (cells_ > CsvLimits::kCells)
        full_ = too_large(":" + std::to_string(row_.line), "more cells", CsvLimits::kCells);
      table_.rows.push_back(std::move(row_));
    }
    row_ = {.line = line_, .cells = {}};
    row_cells_ = 0;
  }

  CsvTable table_;
  CsvTable::Row row_{.line = 1, .cells = {}};
  std::size_t row_cells_ = 0;  ///< also those that are not kept
  std::size_t cells_ = 0;      ///< of all rows
  std::string cell_;
  bool quoted_ = false;
  bool was_quoted_ = false;
  int line_ = 1;
  Errors errors_;
  std::size_t wrong_ = 0;
  std::optional<Error> full_;
};

}  // namespace

int CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == name) return static_cast<int>(i);
  return -1;
}

const std::string& CsvTable::cell(const Row& row, std::string_view name) const {
  static const std::string empty;
  const int index = column(name);
  return index < 0 ? empty : row.cells[static_cast<std::size_t>(index)];
}

Result<CsvTable> parse_csv(std::string_view text) {
  if (text.size() > CsvLimits::kBytes)
    return failure(too_large("", std::to_string(text.size()) + " bytes", CsvLimits::kBytes));
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  return CsvReader().read(text);
}

}  // namespace podwright
