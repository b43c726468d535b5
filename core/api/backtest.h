#pragma once
/// The kind `backtest`: tables of measured runs in, predictions and their errors out. And fits on such tables, for the
/// command line: no request of the page leads to them, so that its engine carries no fit.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "base/result.h"
#include "calibration/backtest.h"
#include "calibration/calibration.h"
#include "calibration/own_runs.h"
#include "catalog/catalog.h"

namespace podwright {

/// Reads a table of any kind into `tables`.
Result<void> read_measured(const Catalog& catalog, std::string_view csv, std::string_view file, MeasuredTables& tables);

struct BacktestRequest {
  std::string csv;  ///< one table; empty: `files`
  std::vector<MeasuredFile> files;
  std::vector<std::string> by;  ///< keys of the groups; empty: by architecture, by nodes, by source, by GPU
  bool configurations = false;  ///< also each serving row as it was read
  bool mine = false;            ///< also what to set so that predictions fit these runs
};

void describe(FieldVisitor& visitor, const Catalog& catalog, BacktestRequest& request);

Answer answer_backtest(const Asked& asked, const BacktestRequest& request);
/// The same with predictions made by `predict`, which `constants` describes. Its errors are those of the request.
Answer answer_backtest_with(const Asked& asked, const BacktestRequest& request, const std::string& constants,
                            const std::function<Result<Backtest>(const MeasuredTables&)>& predict);

/// Its fields.
void describe_backtest_answer(AnswerShape& v);

/// The kind `backtest` with the constants fitted anew without each group of `key`: for training runs one of
/// leave_out_keys(), for serving runs any of backtest_keys(), several with commas between them. Rows of
/// `fitted_with` are in the fits, as far as their group is, and are not predicted.
Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<MeasuredFile>& fitted_with, const Progress& progress);

/// Reads the tables and calibrates on them: training runs, serving runs. Errors: those of the tables.
Result<std::vector<Calibration>> calibrate_on_tables(const Catalog& catalog, const std::vector<MeasuredFile>& files,
                                                     const Progress& progress);

}  // namespace podwright
