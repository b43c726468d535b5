#include "perf/serving_software.h"

#include "base/math.h"
#include "base/number_text.h"
#include "catalog/engine.h"
#include "perf/serving_kernels.h"

namespace podwright {

EngineFigures engine_figures(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version) {
  const EngineSoftware* const of_engine = efficiency.engine(engine);
  const EngineSoftware* const of_period = efficiency.period(engine, version);
  const auto factor = [&](EngineFactor which) {
    const double logarithm =
        (of_engine != nullptr ? (*of_engine)[which] : 0.0) + (of_period != nullptr ? (*of_period)[which] : 0.0);
    return logarithm == 0 ? 1.0 : math::exp(logarithm);
  };
  EngineFigures figures;
  figures.time = factor(EngineFactor::time);
  figures.experts = factor(EngineFactor::experts);
  figures.prompts = factor(EngineFactor::prompts);
  figures.host_step = Seconds(efficiency[ServingConstant::host_step_s] * factor(EngineFactor::host_step));
  figures.host_sequence = Seconds(efficiency[ServingConstant::host_sequence_s] * factor(EngineFactor::host_sequence));
  figures.first_token = Seconds(efficiency[ServingConstant::first_token_s] * factor(EngineFactor::first_token));
  figures.burst = efficiency[ServingConstant::burst] * factor(EngineFactor::burst);
  return figures;
}

std::string engine_staleness(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version) {
  if (efficiency.engine(engine) == nullptr)
    return "No published run of " + std::string(engine) + " is among those that the step model was fitted on.";
  const EngineSoftware* const newest = efficiency.period(engine, "");
  if (newest == nullptr || version.empty() || efficiency.period(engine, version) != newest) return "";
  if (newest->rows > 0 && compare_versions(version, newest->period) <= 0) return "";
  return std::string(engine) + " " + std::string(version) + " is newer than the published runs of the step model (" +
         newest->period + "): its factors are those of that period.";
}

double file_product_rate(double multiprocessors, double ghz, double watts, double unit_rate, double power_exponent) {
  const double units = multiprocessors * ghz;
  return unit_rate * 1e12 * units * math::pow(watts / units / 2.0, power_exponent);
}

}  // namespace podwright
