#include "calibration/product_form.h"

#include <algorithm>
#include <cstddef>

#include "base/math.h"
#include "calibration/machine_formulas.h"
#include "calibration/simplex_search.h"
#include "measure/measure_formulas.h"

namespace podwright {
namespace {

/// Beyond it the smooth maximum is the maximum in every digit that times have.
constexpr double kMostNorm = 32;

double product_parameter(double parameter) { return math::exp(std::clamp(parameter, -20.0, 20.0)); }

}  // namespace

Seconds ProductForm::time(const ProductShape& shape, const MachinePeaks& peaks) const {
  const Flops work = matrix_product_work(shape.m, shape.n, shape.k);
  Seconds compute = work / (peaks.flops * compute_efficiency);
  const Seconds memory = shape.bytes / (peaks.bandwidth * bandwidth_efficiency);
  if (wave_share && peaks.multiprocessors > 0)
    compute = waved_compute_time(compute, *wave_share, wave_loss(shape.m, shape.n, peaks.multiprocessors));
  return norm ? smooth_product_time(start, compute, memory, *norm) : product_time(start, compute, memory);
}

std::vector<double> ProductForm::parameters() const {
  std::vector<double> parameters{raw(start) / kMicrosecond, math::log(compute_efficiency),
                                 math::log(bandwidth_efficiency)};
  if (norm) parameters.push_back(math::log(std::max(1e-6, *norm - 1)));
  if (wave_share) parameters.push_back(math::log(std::max(1e-6, *wave_share)));
  return parameters;
}

void ProductForm::set_parameters(const std::vector<double>& parameters) {
  start = Seconds(parameters[0] * kMicrosecond);
  compute_efficiency = product_parameter(parameters[1]);
  bandwidth_efficiency = product_parameter(parameters[2]);
  std::size_t next = 3;
  if (norm) norm = std::min(kMostNorm, 1 + product_parameter(parameters[next++]));
  if (wave_share) wave_share = std::min(1.0, product_parameter(parameters[next]));
}

std::vector<double> ProductForm::steps() const {
  std::vector<double> steps{2.0, 0.2, 0.2};
  if (norm) steps.push_back(0.7);
  if (wave_share) steps.push_back(0.7);
  return steps;
}

ProductForm first_product_form() {
  ProductForm form;
  form.start = Seconds(5 * kMicrosecond);
  form.compute_efficiency = 0.7;
  form.bandwidth_efficiency = 0.8;
  return form;
}

}  // namespace podwright
