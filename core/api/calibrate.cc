#include "api/backtest.h"

#include <algorithm>
#include <string>

#include "api/field_reader.h"
#include "base/json_read.h"
#include "base/nearest.h"
#include "calibration/backtest_serving.h"
#include "calibration/fit_training.h"

namespace podwright {
namespace {

std::vector<std::string> parts_of(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) parts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Errors wrong_key(std::string_view key, const std::vector<std::string>& keys, const std::string& of) {
  return {{"out-of-range", "/leave_out",
           "\"" + std::string(key.substr(0, 60)) + "\" is not a key to leave out by" + of + ".",
           did_you_mean(key, keys, "Legal: " + joined(keys) + ".")}};
}

Result<Backtest> left_out(const Catalog& catalog, const MeasuredTables& tables, const MeasuredTables& fitted_with,
                          const std::vector<std::string>& keys, const Progress& progress) {
  if (!tables.serving_memory.empty())
    return failure({"conflict", "/leave_out", "The memory of serving engines is not fitted: no row can be left out.",
                    "Give tables of training or serving runs."});
  if (!tables.training.empty() && !tables.serving.empty())
    return failure(
        {"conflict", "/leave_out", "Training and serving runs are fitted separately.", "Ask for each alone."});
  if (!tables.serving.empty()) {
    if (keys.empty()) return failure(wrong_key("", backtest_keys(), " serving runs"));
    return left_out_serving(tables.serving, fitted_with.serving, keys,
                            serving_fits(catalog, tables.serving, fitted_with.serving), progress);
  }
  const std::vector<std::string>& legal = leave_out_keys();
  if (keys.size() != 1 || std::find(legal.begin(), legal.end(), keys.front()) == legal.end())
    return failure(wrong_key(joined(keys, ","), legal, ""));
  return left_out_training(catalog, tables.training, fitted_with.training, keys.front(), progress);
}

}  // namespace

Answer answer_backtest_leaving_out(const Catalog& catalog, std::string_view request, std::string_view key,
                                   const std::vector<MeasuredFile>& fitted_with, const Progress& progress) {
  for (const std::string& part : parts_of(key))
    if (std::find(backtest_keys().begin(), backtest_keys().end(), part) == backtest_keys().end())
      return wrong_input(wrong_key(part, backtest_keys(), ""));
  const auto document = parse_json(request);
  if (!document) return wrong_input(document.error());
  const auto read = read_request<BacktestRequest>(catalog, *document);
  if (!read) return wrong_input(read.error());
  MeasuredTables others;
  for (const MeasuredFile& file : fitted_with)
    if (const Result<void> table = read_measured(catalog, file.csv, file.name, others); !table)
      return wrong_input(table.error());
  return answer_backtest_with(
      {catalog, *document, read->assumptions}, read->request, "fitted anew without each " + std::string(key),
      [&](const MeasuredTables& tables) { return left_out(catalog, tables, others, parts_of(key), progress); });
}

Result<std::vector<Calibration>> calibrate_on_tables(const Catalog& catalog, const std::vector<MeasuredFile>& files,
                                                     const Progress& progress) {
  MeasuredTables tables;
  for (const MeasuredFile& file : files)
    if (const Result<void> table = read_measured(catalog, file.csv, file.name, tables); !table)
      return failure(table.error());
  if (!tables.serving_memory.empty())
    return failure({"conflict", "", "The memory of serving engines is not fitted: no constant depends on it.",
                    "Give tables of training or serving runs."});
  std::vector<Calibration> calibrations;
  if (!tables.training.empty()) calibrations.push_back(calibrate_training(catalog, tables.training, progress));
  if (!tables.serving.empty()) calibrations.push_back(calibrate_serving(catalog, tables.serving, progress));
  return calibrations;
}

}  // namespace podwright
