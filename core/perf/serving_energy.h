#pragma once
/// What the GPUs of a deployment draw, and the energy of what they serve. docs/method/serving_energy.md.
#include <optional>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "perf/bounds.h"
#include "perf/serving_performance.h"
#include "perf/serving_roofline.h"

namespace podwright {

/// Mean power of a GPU: what it draws while an engine holds it ready, and what products and memory traffic add by the
/// shares of the data sheet's rates that they use. Shares of the board's power, which its limit keeps.
constexpr auto gpu_power(Of<Watts> auto board, Of<double> auto ready, Of<double> auto products,
                         Of<double> auto products_used, Of<double> auto memory, Of<double> auto memory_used) {
  return cited("docs/method/serving_energy.md#power",
               min(board, board * (ready + products * products_used + memory * memory_used)));
}

/// The most that a GPU draws: its board, or itself where the board holds a processor too. `gpu.board_power` is known.
template <class Tracer>
Known<Tracer, Watts> gpu_board(Tracer& trace, const Gpu& gpu) {
  return gpu.gpu_power ? trace.fact(gpu, "gpu_power_w", *gpu.gpu_power)
                       : trace.fact(gpu, "board_power_w", *gpu.board_power);
}

/// Of what a GPU could do in a second, the share that so many requests a second use; `of_lane` is done for all
/// `sequences` of a lane, once for each of them.
constexpr auto used_share(const auto& of_lane, Of<double> auto sequences, Of<PerSecond> auto lane_requests,
                          const auto& peak) {
  return cited("docs/method/serving_energy.md#use", of_lane / sequences * lane_requests / peak);
}

/// Energy of one thing of which `rate` are served, by all GPUs.
constexpr auto energy_of_one(Of<Watts> auto power, Of<double> auto gpus, Of<PerSecond> auto rate) {
  return cited("docs/method/serving_energy.md#energy", power * gpus / rate);
}

/// Shares of the data sheet's rates that a deployment uses, means over time.
template <class Tracer>
struct GpuUse {
  Known<Tracer, double> products{};
  Known<Tracer, double> memory{};
};

/// Absent where the data sheet lacks a rate.
template <class Tracer>
std::optional<GpuUse<Tracer>> gpu_use(Tracer& trace, const Gpu& gpu, const ServingRun& run,
                                      const EngineCosts<Tracer>& costs, const ServingPerformance<Tracer>& served) {
  const auto peak = gpu.peak_dense_flops.find(costs.gemm_precision);
  if (peak == gpu.peak_dense_flops.end() || !gpu.memory_bandwidth) return std::nullopt;
  const LaneTimes<Tracer>& lane = served.lane;
  const auto plain_steps = named("perf.steps_without_prompts", max(0.0, lane.steps - lane.mixed));
  const StepWork<Tracer> plain = lane_work(trace, costs, lane.decode_load);
  const StepWork<Tracer> mixed = lane_work(trace, costs, lane.mixed_load);
  const auto of_steps = [&](std::string_view id, const auto& of_plain, const auto& of_mixed) {
    return named(id, plain_steps * of_plain + lane.mixed * of_mixed);
  };
  const auto lanes = lanes_of(trace, run);
  const auto requests = named("perf.lane_requests_per_s", served.requests_per_s / lanes);
  const auto& sequences = lane.decode_load.decoding;
  return GpuUse<Tracer>{
      .products = named("perf.products_used",
                        used_share(of_steps("perf.work_of_lane", plain.work, mixed.work), sequences, requests,
                                   trace.fact(gpu, "peak_dense_tflops." + costs.gemm_precision, peak->second))),
      .memory = named("perf.memory_used",
                      used_share(of_steps("perf.traffic_of_lane", plain.traffic, mixed.traffic), sequences, requests,
                                 trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth)))};
}

template <class Tracer>
struct ServingEnergy {
  GpuUse<Tracer> use;
  Known<Tracer, Watts> gpu_power{};  ///< mean of a GPU
  std::optional<Known<Tracer, Joules>> per_output_token;
  Known<Tracer, Joules> per_request{};
  std::optional<Bounds<Tracer, Watts>> gpu_power_bounds;  ///< 90 %; never above the board's power
  std::optional<Bounds<Tracer, Joules>> per_output_token_bounds;
  std::optional<Bounds<Tracer, Joules>> per_request_bounds;
};

/// Absent where the data sheet lacks the power of the board or a rate. `widths` are those of the estimate's intervals.
template <class Tracer>
std::optional<ServingEnergy<Tracer>> serving_energy(Tracer& trace, const ServingEfficiency& efficiency, const Gpu& gpu,
                                                    const ServingRun& run, const EngineCosts<Tracer>& costs,
                                                    const ServingPerformance<Tracer>& served,
                                                    const std::optional<ServingWidths>& widths) {
  using C = ServingConstant;
  if (!gpu.board_power) return std::nullopt;
  const auto use = gpu_use(trace, gpu, run, costs, served);
  if (!use) return std::nullopt;
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto board = gpu_board(trace, gpu);
  ServingEnergy<Tracer> energy{.use = *use};
  energy.gpu_power = named("perf.gpu_power", gpu_power(board, constants(C::power_ready), constants(C::power_products),
                                                       use->products, constants(C::power_memory), use->memory));
  const auto gpus = named("perf.gpus", served.output_tokens_per_s / served.output_tokens_per_s_per_gpu);
  energy.per_request = named("perf.energy_per_request", energy_of_one(energy.gpu_power, gpus, served.requests_per_s));
  if (run.output_tokens > 1)
    energy.per_output_token =
        named("perf.energy_per_output_token", energy_of_one(energy.gpu_power, gpus, served.output_tokens_per_s));
  if (!widths || widths->power <= 0 || widths->energy <= 0) return energy;
  const auto of_power = bound_factors(trace, "perf.power_low", "perf.power_high", widths->power);
  const auto of_energy = bound_factors(trace, "perf.energy_low", "perf.energy_high", widths->energy);
  const auto power = of_power.of("perf.gpu_power_bound", energy.gpu_power);
  energy.gpu_power_bounds = {power.low, named("perf.gpu_power_within_limit", min(board, power.high))};
  energy.per_request_bounds = of_energy.of("perf.energy_per_request_bound", energy.per_request);
  if (energy.per_output_token)
    energy.per_output_token_bounds = of_energy.of("perf.energy_per_output_token_bound", *energy.per_output_token);
  return energy;
}

}  // namespace podwright
