#include "calibration/calibration.h"

#include <algorithm>
#include <cstdlib>

#include "base/csv_read.h"
#include "base/csv_write.h"
#include "base/number_text.h"

namespace podwright {
namespace {

/// Fits are told with five digits; what is set and not fitted keeps all of its own.
std::string value_text(const EfficiencyConstant& constant) {
  const std::string rounded = human_number(constant.value, 5);
  const bool is_set = constant.value == constant.prior && std::strtod(rounded.c_str(), nullptr) != constant.value;
  return is_set ? shortest_number(constant.value) : rounded;
}

}  // namespace

std::string constants_csv(std::span<const EfficiencyConstant> constants) {
  std::string text = "id,value,prior,spread,source\n";
  for (const EfficiencyConstant& constant : constants)
    text += csv_line({constant.id, value_text(constant), shortest_number(constant.prior),
                      shortest_number(constant.spread), constant.source});
  return text;
}

std::string with_notes(const std::string& table, std::string_view replaced) {
  const auto old = parse_csv(replaced);
  auto fresh = parse_csv(table);
  if (!old || !fresh || old->column("note") < 0 || fresh->column("note") >= 0) return table;
  fresh->columns.emplace_back("note");
  std::string noted = csv_line(fresh->columns);
  for (CsvTable::Row& row : fresh->rows) {
    const auto same = std::find_if(old->rows.begin(), old->rows.end(),
                                   [&](const auto& other) { return other.cells.front() == row.cells.front(); });
    row.cells.push_back(same == old->rows.end() ? "" : old->cell(*same, "note"));
    noted += csv_line(row.cells);
  }
  return noted;
}

}  // namespace podwright
