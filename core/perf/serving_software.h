#pragma once
/// What an engine adds to its kernels: factors of the engine and of the period of its version.
/// docs/method/serving_time.md#engines.
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"

namespace podwright {

inline constexpr const char* kServingEnginesPage = "docs/method/serving_time.md#engines";

template <class Tracer>
struct EngineFigures {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> time{};     ///< of kernels
  Known<double> experts{};  ///< of the kernels of experts, beside `time`
  Known<double> prompts{};  ///< of prompt tokens
  Known<Seconds> host_step{};
  Known<Seconds> host_sequence{};
  Known<Seconds> first_token{};  ///< client to engine and back
  Known<double> burst{};
};

/// An engine without published runs gets the constants alone.
template <class Tracer>
EngineFigures<Tracer> engine_figures(Tracer& trace, const ServingEfficiency& efficiency, std::string_view engine,
                                     std::string_view version) {
  using C = ServingConstant;
  const EngineSoftware* const of_engine = efficiency.engine(engine);
  const EngineSoftware* const of_period = efficiency.period(engine, version);
  const auto told = [&](const EngineSoftware* row, EngineFactor which) {
    return row == nullptr ? 0.0 : trace.fact(*row, kEngineFactorWords[static_cast<std::size_t>(which)], (*row)[which]);
  };
  const auto factor = [&](std::string_view id, EngineFactor which) {
    return named(
        id, cited("docs/method/serving_time.md#engines", math::exp(told(of_engine, which) + told(of_period, which))));
  };
  const auto time = [&](std::string_view id, C which, const auto& of_factor) {
    const EfficiencyConstant& constant = efficiency.constant(which);
    return named(id, cited("docs/method/serving_time.md#engines",
                           trace.fact(constant, constant.id, Seconds(constant.value)) * of_factor));
  };
  const EfficiencyConstant& burst = efficiency.constant(C::burst);
  EngineFigures<Tracer> figures;
  figures.time = factor("perf.engine_time_factor", EngineFactor::time);
  figures.experts = factor("perf.engine_expert_factor", EngineFactor::experts);
  figures.prompts = factor("perf.prompt_factor", EngineFactor::prompts);
  figures.host_step =
      time("perf.engine_host_step", C::host_step_s, factor("perf.host_step_factor", EngineFactor::host_step));
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

}  // namespace podwright
