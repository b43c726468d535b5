#include <set>
#include <string>

#include "calibration/machine_formulas.h"
#include "equations/registry_check.h"

TEST(Equations, OfCalibration) {
  std::set<std::string> ids;
  equations::check_registry(podwright::kCalibrationFormulas, "calibration", ids);
}
