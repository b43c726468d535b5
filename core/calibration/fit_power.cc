#include "calibration/fit_power.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/math.h"
#include "calibration/backtest_serving.h"
#include "calibration/least_squares.h"

namespace podwright {
namespace {

constexpr std::array kPowerConstants{ServingConstant::power_ready, ServingConstant::power_products,
                                     ServingConstant::power_memory};
constexpr double kPowerNoise = 0.08;  ///< of the logarithm of a power
constexpr double kGroupPower = 0.5;   ///< rows of one source and GPU share weight by this power of their number
constexpr double kPowerStep = 1e-5;   ///< of a difference quotient
constexpr int kMostPowerIterations = 50;

/// A run by the shares of its GPUs' rates that it used, and the share of the board's power that it drew.
struct DrawnPower {
  double products = 0;
  double memory = 0;
  double drawn = 0;
};

/// Measured over predicted rate; of a row without rates, predicted over measured time.
double pace(const Catalog& catalog, const MeasuredServingRow& row, const ServingEstimate<NoTrace>& estimate) {
  for (const ServingFigure figure : {ServingFigure::rate, ServingFigure::tpot})
    for (const Measured& measured : row.measured) {
      if (measured_figure(measured.metric) != figure) continue;
      const auto predicted = predicted_figure(catalog, row, estimate, measured.metric);
      if (!predicted) continue;
      return figure == ServingFigure::rate ? measured.value / *predicted : *predicted / measured.value;
    }
  return 1;
}

void add_run(const Catalog& catalog, const MeasuredServingRow& row, std::vector<DrawnPower>& runs) {
  const ServingEstimate<NoTrace> estimate = estimate_of(catalog, row, true);
  if (!estimate.energy) return;
  const double pace_of_row = pace(catalog, row, estimate);
  for (const Measured& measured : row.measured)
    if (measured.metric == kPowerMetric)
      runs.push_back({.products = pace_of_row * estimate.energy->use.products,
                      .memory = pace_of_row * estimate.energy->use.memory,
                      .drawn = measured.value / raw(row.gpu->gpu_power ? *row.gpu->gpu_power : *row.gpu->board_power)});
}

}  // namespace

void fit_power(Catalog& catalog, const std::vector<const MeasuredServingRow*>& rows) {
  ServingEfficiency& efficiency = catalog.serving_efficiency;
  std::vector<DrawnPower> runs;
  std::vector<std::pair<std::string, std::string>> groups;
  std::map<std::pair<std::string, std::string>, double> members;
  for (const MeasuredServingRow* row : rows) {
    add_run(catalog, *row, runs);
    if (groups.size() == runs.size()) continue;
    groups.emplace_back(row->source, row->gpu_id);
    members[groups.back()] += 1;
  }
  if (runs.empty()) return;
  LeastSquaresProblem problem;
  problem.weights.noise = kPowerNoise;
  for (const auto& group : groups) problem.weights.observations.push_back(math::pow(members[group], -kGroupPower));
  for (const ServingConstant constant : kPowerConstants) {
    problem.weights.prior.push_back(math::log(efficiency.constant(constant).prior));
    problem.weights.spread.push_back(efficiency.constant(constant).spread);
  }
  problem.residuals = [&](const std::vector<double>& x, std::vector<double>& residuals) {
    for (std::size_t i = 0; i < runs.size(); ++i)
      residuals[i] = math::log(
          gpu_power(Watts(1), math::exp(x[0]), math::exp(x[1]), runs[i].products, math::exp(x[2]), runs[i].memory)
              .base_units() /
          runs[i].drawn);
  };
  problem.derivative = [&](const std::vector<double>& x, const std::vector<double>& at, std::size_t parameter,
                           std::vector<double>& derivative) {
    std::vector<double> moved = x;
    moved[parameter] += kPowerStep;
    problem.residuals(moved, derivative);
    for (std::size_t i = 0; i < runs.size(); ++i) derivative[i] = (derivative[i] - at[i]) / kPowerStep;
  };
  const LeastSquaresPoint point = fit_least_squares(problem, kMostPowerIterations);
  if (!point.solved) return;
  for (std::size_t i = 0; i < kPowerConstants.size(); ++i)
    efficiency.constants[static_cast<std::size_t>(kPowerConstants[i])].value = math::exp(point.parameters[i]);
}

}  // namespace podwright
