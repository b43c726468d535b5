#include "perf/serving_software.h"

#include "base/math.h"
#include "base/number_text.h"
#include "catalog/engine.h"
#include "perf/step_arithmetic.h"

namespace podwright {

std::string engine_staleness(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version) {
  if (efficiency.engine(engine) == nullptr)
    return "No published run of " + std::string(engine) + " is among those that the step model was fitted on.";
  const EngineSoftware* const newest = efficiency.period(engine, "");
  if (newest == nullptr || version.empty() || efficiency.period(engine, version) != newest) return "";
  if (newest->rows > 0 && compare_versions(version, newest->period) <= 0) return "";
  return std::string(engine) + " " + std::string(version) + " is newer than the published runs of the step model (" +
         newest->period + "): its factors are those of that period.";
}

}  // namespace podwright
