#pragma once
/// The frame of reading a table of measured runs, whatever they measured: its header, its cells, then row by row.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv_read.h"
#include "base/result.h"
#include "calibration/measured_cells.h"
#include "calibration/measured_row.h"
#include "catalog/catalog.h"

namespace podwright {

/// What makes a text a table of one kind of measured runs.
struct MeasuredColumns {
  std::vector<std::string> needed;      ///< columns that must be there, besides one that names the GPU
  std::vector<std::string> one_of;      ///< of these at least one; empty: none is asked for
  void (*check)(const MeasuredCells&);  ///< reads each cell of a row that is not a text
};

/// The table, where its header has the columns and every cell can be read. Errors: "not-csv", "missing" (a column),
/// "wrong-type" (a cell that is not a number); the path is "<file>:<line>".
Result<CsvTable> checked_table(std::string_view csv, std::string_view file, const MeasuredColumns& columns);

/// Why a row cannot be expressed.
inline tl::unexpected<Errors> skipped(std::string reason) { return failure({"skipped", "", std::move(reason), ""}); }

/// `metrics` that the row holds. Zero says as little as a blank cell.
std::vector<Measured> measured_values(const MeasuredCells& cells, const std::vector<std::string>& metrics);

/// Reads a table; errors as those of checked_table(). A `Reader` is made of the catalog and the cells of a row; its
/// read() is the row, or skipped().
template <class Row, class Reader>
Result<MeasuredTable<Row>> read_measured_table(const Catalog& catalog, std::string_view csv, std::string_view file,
                                               const MeasuredColumns& columns) {
  const Result<CsvTable> table = checked_table(csv, file, columns);
  if (!table) return failure(table.error());
  MeasuredTable<Row> out;
  Errors found_before;
  for (const CsvTable::Row& line : table->rows) {
    const MeasuredCells cells(*table, line, file, found_before);
    Result<Row> row = Reader(catalog, cells).read();
    if (row) {
      row->line = line.line;
      out.rows.push_back(std::move(*row));
    } else {
      out.skipped.push_back({cells.text("id"), line.line, row.error().front().message});
    }
  }
  return out;
}

}  // namespace podwright
