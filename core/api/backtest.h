#pragma once
/// The kind `backtest`: tables of measured runs in, predictions and their errors out.
#include <functional>
#include <string>
#include <vector>

#include "api/answer.h"
#include "api/fields.h"
#include "calibration/backtest.h"

namespace podwright {

struct BacktestRequest {
  std::string csv;  ///< one table; empty: `files`
  std::vector<MeasuredFile> files;
  std::vector<std::string> by;  ///< keys of the groups; empty: by architecture, by nodes, by source, by GPU
};

void describe(FieldVisitor& visitor, const Catalog& catalog, BacktestRequest& request);

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions);
/// The same with predictions made by `predict`, which `constants` describes. Its errors are those of the request.
Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions, const std::string& constants,
                       const std::function<Result<Backtest>(const std::vector<MeasuredTraining>&)>& predict);

}  // namespace podwright
