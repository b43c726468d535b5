#include "catalog/reference_rate.h"

#include "base/csv_write.h"
#include "base/number_text.h"
#include "base/words.h"

namespace podwright {
namespace {

struct ReferenceUnit {
  std::string_view sign;
  double base_units;
};
constexpr ReferenceUnit kReferenceUnits[] = {{"TFLOP/s", 1e12}, {"GB/s", 1e9}, {"us", 1e-6}};

std::vector<std::string_view> reference_columns() {
  std::vector<std::string_view> columns = {"gpu_id", "probe", "way", "dtype", "mode"};
  for (const ProbeSizeField& field : kProbeSizeFields) columns.push_back(field.word);
  columns.insert(columns.end(), {"low", "rate", "high", "unit", "probe_version", "source"});
  return columns;
}

std::string reference_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

}  // namespace

double reference_unit(std::string_view sign) {
  for (const ReferenceUnit& unit : kReferenceUnits)
    if (unit.sign == sign) return unit.base_units;
  return 0;
}

std::string reference_table(const std::vector<ReferenceRate>& rates) {
  const std::vector<std::string_view> head = reference_columns();
  std::string text = reference_line({head.begin(), head.end()});
  for (const ReferenceRate& rate : rates) {
    const double unit = reference_unit(rate.unit);
    std::vector<std::string> cells = {rate.gpu_id, rate.probe, rate.way, rate.dtype,
                                      std::string(word_of(rate.mode, kProbeModeWords))};
    for (const ProbeSizeField& field : kProbeSizeFields) {
      const std::optional<double>& size = rate.size.*field.value;
      cells.push_back(size ? shortest_number(*size) : "");
    }
    for (const double number : {rate.low, rate.rate, rate.high})
      cells.push_back(shortest_number(rounded_for_display(number / unit, 6)));
    for (const std::string& cell : {rate.unit, std::to_string(rate.probe_version), rate.source}) cells.push_back(cell);
    text += reference_line(cells);
  }
  return text;
}

}  // namespace podwright
