#pragma once
/// The kind `backtest`: tables of measured runs in, predictions and their errors out.
#include <functional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "calibration/backtest.h"
#include "calibration/measured_serving.h"
#include "calibration/measured_serving_memory.h"
#include "calibration/measured_training.h"

namespace podwright {

class AnswerShape;

/// The tables of a request, as their columns tell them apart.
struct MeasuredTables {
  std::vector<MeasuredTraining> training;
  std::vector<MeasuredServing> serving;
  std::vector<MeasuredServingMemory> serving_memory;
};

/// Reads a table of any kind into `tables`.
Result<void> read_measured(const Catalog& catalog, std::string_view csv, std::string_view file, MeasuredTables& tables);

struct BacktestRequest {
  std::string csv;  ///< one table; empty: `files`
  std::vector<MeasuredFile> files;
  std::vector<std::string> by;  ///< keys of the groups; empty: by architecture, by nodes, by source, by GPU
  bool configurations = false;  ///< also each serving row as it was read
};

void describe(FieldVisitor& visitor, const Catalog& catalog, BacktestRequest& request);

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions);
/// The same with predictions made by `predict`, which `constants` describes. Its errors are those of the request.
Answer answer_backtest_with(const Catalog& catalog, const BacktestRequest& request,
                            const std::vector<Assumption>& assumptions, const std::string& constants,
                            const std::function<Result<Backtest>(const MeasuredTables&)>& predict);

/// Its fields.
void describe_backtest_answer(AnswerShape& v);

}  // namespace podwright
