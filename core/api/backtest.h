#pragma once
/// The kind `backtest`: tables of measured runs in, predictions and their errors out.
#include <string>
#include <vector>

#include "api/answer.h"
#include "api/fields.h"

namespace podwright {

struct BacktestFile {
  std::string name;  ///< in messages
  std::string csv;
};

struct BacktestRequest {
  std::string csv;  ///< one table; empty: `files`
  std::vector<BacktestFile> files;
  std::vector<std::string> by;  ///< keys of the groups; empty: by architecture, and by source
};

void describe(FieldVisitor& visitor, const Catalog& catalog, BacktestRequest& request);

Answer answer_backtest(const Catalog& catalog, const BacktestRequest& request,
                       const std::vector<Assumption>& assumptions);

}  // namespace podwright
