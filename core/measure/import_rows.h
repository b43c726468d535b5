#pragma once
/// What files of load generators, of engines and of training runs measured as a table of runs, which `backtest` takes.
/// docs/method/probes.md#rows.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/import_files.h"

namespace podwright {

/// What a person or a request says of all runs: a column and its cell.
struct RowCell {
  std::string column;
  std::string text;
  bool of_request = false;  ///< stays behind what a file says; a person's word that contradicts a file is an error
};

struct ImportedRows {
  std::string csv;
  std::size_t rows = 0;
  std::vector<std::string> notes;  ///< which files have no row, and why
};

/// A row for each run; of start-up logs alone, of the memory that an engine told. Errors: "missing" with the path
/// "/<column>" where neither a file nor a cell says what every row needs, "conflict" likewise where two say different
/// things, or where runs of serving and of training are in one import; "missing" with the path "" where no file has
/// runs.
Result<ImportedRows> imported_rows(const ImportedFiles& imported, std::span<const RowCell> cells);

}  // namespace podwright
