#include "catalog/reference_rate.h"

#include <array>

#include "base/csv_write.h"
#include "base/number_text.h"
#include "base/words.h"
#include "catalog/table_reader.h"

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

/// "gpu/probe/way/dtype/mode/m8192/n8192/k8192/v1".
std::string reference_id(const ReferenceRate& rate) {
  std::string id = rate.gpu_id + "/" + rate.probe + "/" + rate.way + "/" + rate.dtype + "/" +
                   std::string(word_of(rate.mode, kProbeModeWords));
  for (const ProbeSizeField& field : kProbeSizeFields)
    if (const auto& size = rate.size.*field.value; size) id += "/" + std::string(field.word) + shortest_number(*size);
  return id + "/v" + std::to_string(rate.probe_version);
}

double reference_unit_in(TableReader& table) {
  const double unit = reference_unit(table.text("unit"));
  if (unit == 0)
    table.error("out-of-range", "The unit \"" + table.text("unit").substr(0, 60) + "\" is not known.",
                "TFLOP/s, GB/s or us");
  return unit;
}

ProbeMode mode_in(TableReader& table) {
  const auto mode = of_word<ProbeMode>(table.text("mode"), kProbeModeWords);
  if (!mode)
    table.error("out-of-range", "The column \"mode\" holds \"" + table.text("mode").substr(0, 60) + "\".",
                "burst or sustained");
  return mode.value_or(ProbeMode::burst);
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

void read_reference_rates(const std::string& path, std::string_view text, std::vector<ReferenceRate>& rates,
                          Errors& errors) {
  TableReader table(path, text, reference_columns(), errors);
  std::vector<ReferenceRate> read;
  while (table.next()) {
    ReferenceRate rate;
    rate.gpu_id = table.needed_text("gpu_id");
    rate.probe = table.needed_text("probe");
    rate.way = table.text("way");
    rate.dtype = table.text("dtype");
    rate.mode = mode_in(table);
    for (const ProbeSizeField& field : kProbeSizeFields) rate.size.*field.value = table.number(field.word);
    rate.unit = table.text("unit");
    const double unit = reference_unit_in(table);
    rate.low = table.needed("low", 1e-9, 1e9) * unit;
    rate.rate = table.needed("rate", 1e-9, 1e9) * unit;
    rate.high = table.needed("high", 1e-9, 1e9) * unit;
    if (!(rate.low <= rate.rate && rate.rate <= rate.high))
      table.error("out-of-range", "The rate lies outside its interval.", "low <= rate <= high");
    rate.probe_version = static_cast<int>(table.needed("probe_version", 1, 1e6));
    table.needed_text("source");
    table.head(rate, reference_id(rate), rate.probe);
    read.push_back(std::move(rate));
  }
  rates = std::move(read);
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
