#pragma once
/// Runs that files measured, as a table.
#include <string>
#include <vector>

#include "measure/import_files.h"

namespace podwright::cli {

struct ImportRowsOptions {
  std::vector<std::string> columns;  ///< "tp=4"
  std::vector<std::string> gpus;
  std::string request;  ///< file; may be empty
  std::string output;
};

/// Writes the table, or says what it lacks. An exit code.
int import_rows(const ImportedFiles& imported, const ImportRowsOptions& options);

}  // namespace podwright::cli
