#include "api/calibrate.h"

#include <algorithm>
#include <string>

#include "api/backtest.h"
#include "api/field_reader.h"
#include "base/json_read.h"
#include "base/nearest.h"
#include "calibration/fit_training.h"

namespace podwright {
namespace {

Result<std::vector<MeasuredTraining>> read_tables(const Catalog& catalog, const std::vector<MeasuredFile>& files) {
  std::vector<MeasuredTraining> tables;
  for (const MeasuredFile& file : files) {
    Result<MeasuredTraining> table = read_measured_training(catalog, file.csv, file.name);
    if (!table) return failure(table.error());
    tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace

Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<MeasuredFile>& fitted_with, const Progress& progress) {
  const auto wrong = [](const Errors& errors) { return Answer{errors_json(errors), Outcome::wrong_input}; };
  const std::vector<std::string>& keys = leave_out_keys();
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    return wrong(
        {{"out-of-range", "/leave_out", "\"" + std::string(key.substr(0, 60)) + "\" is no key to leave out by.",
          did_you_mean(key, keys, "Legal: " + joined(keys) + ".")}});
  const auto document = parse_json(request);
  if (!document) return wrong(document.error());
  ErrorList errors;
  BacktestRequest read;
  FieldReader reader(*document, catalog, errors);
  describe(reader, catalog, read);
  reader.finish();
  if (!errors.empty()) return wrong(errors.take());
  const Result<std::vector<MeasuredTraining>> others = read_tables(catalog, fitted_with);
  if (!others) return wrong(others.error());
  return answer_backtest(catalog, read, reader.assumptions(), "fitted anew without each " + std::string(key),
                         [&](const std::vector<MeasuredTraining>& tables) {
                           return left_out_backtest(catalog, tables, *others, key, progress);
                         });
}

Result<TrainingCalibration> calibrate_on_tables(const Catalog& catalog, const std::vector<MeasuredFile>& files,
                                                const Progress& progress) {
  const Result<std::vector<MeasuredTraining>> tables = read_tables(catalog, files);
  if (!tables) return failure(tables.error());
  return calibrate_training(catalog, *tables, progress);
}

}  // namespace podwright
