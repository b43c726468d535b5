#pragma once
/// Tables of measured runs, whatever they measured: what their rows have in common, and the frame of reading one: its
/// header, its cells, then row by row. docs/method/accuracy.md#how-a-row-is-read.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv_read.h"
#include "base/result.h"
#include "calibration/measured_cells.h"
#include "catalog/catalog.h"

namespace podwright {

/// A table of measured runs before it is read.
struct MeasuredFile {
  std::string name;  ///< in messages
  std::string csv;
};

/// One measured cell; the metric is the column's name.
struct Measured {
  std::string metric;  ///< step_time_s, ttft_ms, kv_tokens ...
  double value = 0;    ///< in the unit that the name ends in
};

/// What the rows of every kind of table tell.
struct MeasuredRow {
  std::string id;
  int line = 0;  ///< in the table, from 1
  std::string source;
  Tuning tuning = Tuning::typical;  ///< of the source's runs
  std::string framework_text;       ///< as the source writes it
  std::string framework_version;    ///< as the source writes it; empty: not given
  std::string model_name;           ///< as the source writes it
  std::string date;
  std::string notes;
  std::string gpu_id;
  const Gpu* gpu = nullptr;
  double gpu_count = 1;
  Model model;
  std::vector<Measured> measured;
  std::vector<std::string> assumptions;  ///< what blank cells were taken to mean, and what had to be bent
};

/// A row whose configuration cannot be expressed.
struct SkippedRow {
  std::string id;
  int line = 0;
  std::string code;  ///< kSetAside, unknown-id, missing, conflict, or that of what the estimate lacks
  std::string reason;
};
/// The code of rows that their table sets aside.
inline constexpr std::string_view kSetAside = "set-aside";

/// A column that no reader knows.
struct UnknownColumn {
  std::string file;
  std::string column;
  std::string nearest;  ///< of the known columns; empty: none is near
};

/// A table of measured runs as requests.
template <class Row>
struct MeasuredTable {
  std::vector<Row> rows;
  std::vector<SkippedRow> skipped;
  std::vector<UnknownColumn> unknown_columns;
};

/// What makes a text a table of one kind of measured runs.
struct MeasuredColumns {
  std::vector<std::string> needed;   ///< columns that must be there, besides one that names the GPU
  std::vector<std::string> metrics;  ///< columns that hold measured figures
  bool any_metric = true;            ///< at least one of them must be there
  std::vector<std::string> sizes;    ///< columns of whole numbers of at least 1
  std::vector<std::string> numbers;
  std::vector<std::string> rates;  ///< numbers, or "inf"
  std::vector<std::string> flags;
  std::vector<std::string> texts;  ///< of this kind of table; those of every kind are known without it
};

/// Columns by the names that requests and people give them, under their own: concurrency, tpot_ms.
void use_own_names(CsvTable& table);

std::vector<UnknownColumn> unknown_columns(const CsvTable& table, std::string_view file,
                                           const MeasuredColumns& columns);

/// The table under its own names, where its header has the columns and every cell can be read, also of rows that will
/// be skipped. Errors: "not-csv", "missing" (a column), "wrong-type" (a cell that is not a number); the path is
/// "<file>:<line>".
Result<CsvTable> checked_table(std::string_view csv, std::string_view file, const MeasuredColumns& columns);

/// What every kind of row tells; the GPU by an id or a known spelling in gpu_id or gpu, else the one that shares most
/// words with the text. A row without an id has its line's. Metrics of zero say as little as blank cells. Why the row
/// cannot be expressed or, in set_aside,
/// must not count, is the error.
Result<void> read_common(const Catalog& catalog, const MeasuredCells& cells, const std::vector<std::string>& metrics,
                         MeasuredRow& row);

/// Reads a table; errors as those of checked_table(). A `Reader` is made of the catalog, the cells of a row, and the
/// row with what all kinds have; the error of its read() is why the row cannot be expressed.
template <class Row, class Reader>
Result<MeasuredTable<Row>> read_measured_table(const Catalog& catalog, std::string_view csv, std::string_view file,
                                               const MeasuredColumns& columns) {
  const Result<CsvTable> table = checked_table(csv, file, columns);
  if (!table) return failure(table.error());
  MeasuredTable<Row> out;
  out.unknown_columns = unknown_columns(*table, file, columns);
  Errors found_before;
  for (const CsvTable::Row& line : table->rows) {
    const MeasuredCells cells(*table, line, file, found_before);
    Row row;
    row.line = line.line;
    Result<void> read = read_common(catalog, cells, columns.metrics, row);
    if (read) read = Reader(catalog, cells, row).read();
    if (read)
      out.rows.push_back(std::move(row));
    else
      out.skipped.push_back({row.id, row.line, read.error().front().code, read.error().front().message});
  }
  return out;
}

}  // namespace podwright
