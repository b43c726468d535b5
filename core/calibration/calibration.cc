#include "calibration/calibration.h"

#include <cstdlib>

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
  std::string text = "id,value,prior,spread,source,note\n";
  for (const EfficiencyConstant& constant : constants)
    text += csv_line({constant.id, value_text(constant), shortest_number(constant.prior),
                      shortest_number(constant.spread), constant.source, constant.note});
  return text;
}

}  // namespace podwright
