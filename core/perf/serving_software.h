#pragma once
/// What an engine adds to its kernels: factors of the engine and of the period of its version, joined with those of the
/// GPU, and the fitted constants as facts. docs/method/serving_time.md#engines, #factors.
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "catalog/compute_capability.h"
#include "memory/serving_run.h"

namespace podwright {

template <class Tracer>
struct EngineFigures {
  Known<Tracer, double> time{};     ///< of kernels
  Known<Tracer, double> experts{};  ///< of the kernels of experts, beside `time`
  Known<Tracer, double> prompts{};  ///< of prompt tokens
  Known<Tracer, Seconds> host_step{};
  Known<Tracer, Seconds> host_sequence{};
  Known<Tracer, Seconds> first_token{};  ///< client to engine and back
  Known<Tracer, double> burst{};
};

/// Fitted constants, as facts that go by their own names.
template <class Tracer>
class StepConstants {
 public:
  StepConstants(Tracer& trace, const ServingEfficiency& efficiency) : trace_(trace), efficiency_(efficiency) {}
  Known<Tracer, double> operator()(ServingConstant which) const {
    const EfficiencyConstant& entry = efficiency_.constant(which);
    return trace_.fact(entry, entry.id, entry.value);
  }
  Known<Tracer, Seconds> seconds(ServingConstant which) const {
    const EfficiencyConstant& entry = efficiency_.constant(which);
    return trace_.fact(entry, entry.id, Seconds(entry.value));
  }

 private:
  Tracer& trace_;
  const ServingEfficiency& efficiency_;
};

/// An engine without published runs gets the mean factors of those that have some.
template <class Tracer>
EngineFigures<Tracer> engine_figures(Tracer& trace, const ServingEfficiency& efficiency, const ServingRun& run,
                                     const Gpu& gpu, const Model& model) {
  using C = ServingConstant;
  const EngineSoftware* const of_engine = efficiency.engine(run.engine);
  const EngineSoftware* const of_period = efficiency.period(run.engine, run.engine_version);
  const ServingLevel* const level =
      efficiency.level(run.engine, of_period == nullptr ? "" : of_period->period, gpu.id, model.id);
  const bool known = of_engine != nullptr && of_engine->rows > 0;
  const auto told = [&](const EngineSoftware* row, EngineFactor which) {
    return row == nullptr ? 0.0 : trace.fact(*row, kEngineFactorWords[static_cast<std::size_t>(which)], (*row)[which]);
  };
  const auto factor = [&](std::string_view id, EngineFactor which) {
    Known<Tracer, double> sum =
        known ? told(of_engine, which)
              : trace.method("perf.mean_engine", efficiency.mean_factor(which), "docs/method/serving_time.md#engines");
    sum = sum + told(of_period, which);  // what is documented of a period holds without runs too
    if (level != nullptr && which == EngineFactor::time) sum = sum + trace.fact(*level, "time", level->time);
    if (level != nullptr && which == EngineFactor::prompts) sum = sum + trace.fact(*level, "prompts", level->prompts);
    return named(id, cited("docs/method/serving_time.md#engines", math::exp(sum)));
  };
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto tuned = [&](C typical, C as_installed) {
    Known<Tracer, double> longer = trace.constant("tuned", 1.0, "what other runs are compared with");
    if (run.tuning != Tuning::tuned) longer = constants(typical);
    // Software as it comes is no faster than what somebody means to be fast.
    if (run.tuning == Tuning::as_installed)
      longer = named("perf.as_installed",
                     cited("docs/method/serving_time.md#engines", max(longer, constants(as_installed))));
    return longer;
  };
  const auto time = [&](std::string_view id, C which, const auto& of_factor) {
    const EfficiencyConstant& constant = efficiency.constant(which);
    return named(id, cited("docs/method/serving_time.md#engines",
                           trace.fact(constant, constant.id, Seconds(constant.value)) * of_factor));
  };
  const EfficiencyConstant& burst = efficiency.constant(C::burst);
  EngineFigures<Tracer> figures;
  figures.time = named("perf.time_as_tuned", factor("perf.engine_time_factor", EngineFactor::time) *
                                                 tuned(C::tuning_typical, C::tuning_as_installed));
  figures.experts = factor("perf.engine_expert_factor", EngineFactor::experts);
  figures.prompts = factor("perf.prompt_factor", EngineFactor::prompts);
  figures.host_step = time("perf.engine_host_step", C::host_step_s,
                           named("perf.host_as_tuned", factor("perf.host_step_factor", EngineFactor::host_step) *
                                                           tuned(C::host_typical, C::host_as_installed)));
  figures.host_sequence = time("perf.engine_host_sequence", C::host_sequence_s,
                               factor("perf.host_sequence_factor", EngineFactor::host_sequence));
  figures.first_token =
      time("perf.client_time", C::first_token_s, factor("perf.client_factor", EngineFactor::first_token));
  figures.burst = named(
      "perf.burst", cited("docs/method/serving_time.md#factors",
                          trace.fact(burst, burst.id, burst.value) * factor("perf.burst_factor", EngineFactor::burst)));
  return figures;
}

/// A sentence where the version is newer than every published run, or the engine is in none; empty otherwise.
std::string engine_staleness(const ServingEfficiency& efficiency, std::string_view engine, std::string_view version);

constexpr auto factor_product(Of<double> auto factor, Of<double> auto other) {
  return cited("docs/method/serving_time.md#factors", factor * other);
}

/// On a rate, from that on the times.
constexpr auto rate_factor(Of<double> auto time_factor) { return 1.0 / time_factor; }

/// Start of a layer of experts, against the layers of 256 experts that the constant is told for.
auto expert_start_factor(Of<double> auto starts, Of<double> auto experts, Of<double> auto power) {
  return cited("docs/method/serving_time.md#experts", starts * math::pow(experts / 256.0, power));
}

/// Tokens that choose their experts independently of each other: those of a text choose alike.
constexpr auto independent_tokens(Of<double> auto tokens, Of<double> auto routing_spread) {
  return cited("docs/method/serving_time.md#experts", max(1.0, tokens * routing_spread));
}

/// Work of the hosts in each step. `streamed` is the share of it that remains where no client waits for single tokens.
constexpr auto host_step_time(Of<double> auto stages, Of<double> auto streamed, Of<Seconds> auto host_step,
                              Of<Seconds> auto per_stage) {
  return cited("docs/method/serving_time.md#layers", stages * (streamed * host_step + per_stage));
}

/// Generations whose constants differ from those of the reference, Hopper. Others, Volta and Turing, take its
/// constants.
inline bool is_ampere_or_ada(const Gpu& gpu) {
  const double generation = capability_number(gpu.compute_capability);
  return generation >= 8 && generation < 9;
}
inline bool is_data_centre_blackwell(const Gpu& gpu) {
  const double generation = capability_number(gpu.compute_capability);
  return generation >= 10 && generation < 12;
}
inline bool is_workstation_blackwell(const Gpu& gpu) { return capability_number(gpu.compute_capability) >= 12; }

template <class Tracer>
struct TimeFactors {
  using Known = typename Tracer::template Known<double>;
  Known engine{};
  Known kernels{};     ///< engine and the GPU's generation
  Known generation{};  ///< on the start-up times, beside `engine`
  Known starts{};      ///< both of these
};

template <class Tracer>
TimeFactors<Tracer> time_factors(Tracer& trace, const ServingEfficiency& efficiency,
                                 const EngineFigures<Tracer>& figures, const Gpu& gpu) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  const bool blackwell = is_data_centre_blackwell(gpu);
  const auto reference = trace.constant("reference_generation", 1.0, "the constants are given for Hopper");
  const auto kernels = blackwell                       ? constants(C::blackwell)
                       : is_workstation_blackwell(gpu) ? constants(C::blackwell_workstation)
                       : is_ampere_or_ada(gpu)         ? constants(C::ampere)
                                                       : reference;
  TimeFactors<Tracer> factors;
  factors.engine = figures.time;
  factors.kernels = named("perf.kernel_factor", factor_product(factors.engine, kernels));
  factors.generation = blackwell ? constants(C::blackwell_start) : reference;
  factors.starts = named("perf.start_factor", factor_product(factors.engine, factors.generation));
  return factors;
}

}  // namespace podwright
