#include "catalog/kernel_rate.h"

#include <cstdlib>
#include <optional>

#include "base/csv_read.h"
#include "base/number_text.h"

namespace podwright {
namespace {

struct RateUnit {
  std::string_view sign;
  double base_units;
};
constexpr RateUnit kRateUnits[] = {{"TFLOP/s", 1e12}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"us", 1e-6}, {"1", 1}};
constexpr std::string_view kRateColumns[] = {"gpu_id",  "operation", "precision", "ranks",  "low",
                                             "typical", "high",      "unit",      "source", "note"};

std::optional<double> positive_number(const std::string& cell) {
  if (cell.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (*end != '\0' || !(value > 0)) return std::nullopt;
  return value;
}

}  // namespace

std::uint64_t kernel_rate_key(std::string_view gpu_id, std::string_view operation, std::string_view precision) {
  std::uint64_t key = 14695981039346656037U;  // FNV-1a
  for (const std::string_view word : {gpu_id, operation, precision}) {
    for (const char c : word) key = (key ^ static_cast<unsigned char>(c)) * 1099511628211U;
    key = (key ^ 0xffU) * 1099511628211U;
  }
  return key | 1U;
}

std::string quantity_text(const KernelRate& rate) {
  return rate.operation + (rate.precision == "any" ? "" : " " + rate.precision) +
         (rate.ranks > 1 ? ", " + shortest_number(rate.ranks) + " ranks" : "");
}

Result<std::vector<KernelRate>> read_kernel_rates(std::string_view path, std::string_view text) {
  const std::string file(path);
  Result<CsvTable> table = parse_csv(text);
  if (!table) {
    Errors errors = table.error();
    for (Error& error : errors) error.path = file + error.path;
    return failure(std::move(errors));
  }
  Errors errors;
  for (const std::string_view column : kRateColumns)
    if (table->column(column) < 0)
      errors.push_back({"missing", file + ":1", "The table lacks the column \"" + std::string(column) + "\".", ""});
  if (!errors.empty()) return failure(std::move(errors));

  std::vector<KernelRate> rates;
  for (const CsvTable::Row& row : table->rows) {
    const std::string place = file + ":" + std::to_string(row.line);
    KernelRate rate;
    rate.gpu_id = table->cell(row, "gpu_id");
    rate.operation = table->cell(row, "operation");
    rate.precision = table->cell(row, "precision");
    rate.key = kernel_rate_key(rate.gpu_id, rate.operation, rate.precision);
    rate.note = table->cell(row, "note");
    rate.source = table->cell(row, "source");
    rate.id = rate.gpu_id + "/" + rate.operation + "/" + rate.precision + "/" + table->cell(row, "ranks");
    rate.name = rate.id;
    rate.called = rate.operation;
    rate.origin = "catalog/" + file + "/" + std::to_string(row.line);

    double scale = 0;
    for (const RateUnit& unit : kRateUnits)
      if (table->cell(row, "unit") == unit.sign) scale = unit.base_units;
    if (scale == 0)
      errors.push_back({"out-of-range", place, "The unit \"" + table->cell(row, "unit") + "\" is not known.",
                        "TFLOP/s, TB/s, GB/s, us or 1"});

    const auto number = [&](std::string_view column) {
      const std::optional<double> value = positive_number(table->cell(row, column));
      if (!value)
        errors.push_back(
            {"wrong-type", place, "The column \"" + std::string(column) + "\" needs a positive number.", ""});
      return value.value_or(0);
    };
    rate.ranks = number("ranks");
    rate.low = number("low") * scale;
    rate.typical = number("typical") * scale;
    rate.high = number("high") * scale;
    if (!(rate.low <= rate.typical && rate.typical <= rate.high))
      errors.push_back({"out-of-range", place, "The typical rate is outside its range.", "low <= typical <= high"});
    rates.push_back(std::move(rate));
  }
  if (!errors.empty()) return failure(std::move(errors));
  return rates;
}

}  // namespace podwright
