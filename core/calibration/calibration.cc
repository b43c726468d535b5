#include "calibration/calibration.h"

#include "base/csv_write.h"
#include "base/number_text.h"

namespace podwright {

std::string constants_csv(std::span<const EfficiencyConstant> constants) {
  std::string text = "id,value,prior,spread,source,note\n";
  for (const EfficiencyConstant& constant : constants)
    text += constant.id + "," + human_number(constant.value, 5) + "," + shortest_number(constant.prior) + "," +
            shortest_number(constant.spread) + "," + csv_cell(constant.source) + "," + csv_cell(constant.note) + "\n";
  return text;
}

}  // namespace podwright
