#include "calibration/step_half_width.h"

#include <map>

#include "calibration/machine_formulas.h"

namespace podwright {

double step_half_width(std::span<const StepPart> parts) {
  std::map<std::string_view, double> families;
  for (const StepPart& part : parts) {
    double& family = families[part.family];
    family = correlated_half_width(family, part.share, part.half_width);
  }
  double half_width = 0;
  for (const auto& [family, of_family] : families) half_width = independent_half_width(half_width, of_family);
  return half_width;
}

}  // namespace podwright
