#pragma once
/// Rates of the kernels of a serving step on one GPU: what depends on GPU, engine, weight format and model, and not on
/// the layout. docs/method/serving_time.md#products.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/number_text.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "model/linear_weights.h"
#include "perf/ceilings.h"
#include "perf/serving_software.h"
#include "perf/step_arithmetic.h"

namespace podwright {

/// Rates of the products of one weight width.
template <class Tracer>
struct ProductRates {
  Known<Tracer, FlopsPerSecond> products{};
  Known<Tracer, BytesPerSecond> streaming{};
};

/// A fitted bandwidth whose times are multiplied with `factor`, within the peak of the GPU's memory.
template <class Tracer>
Known<Tracer, BytesPerSecond> reached_bandwidth(Tracer& trace, const Gpu& gpu,
                                                const Known<Tracer, BytesPerSecond>& fitted,
                                                const Known<Tracer, double>& factor) {
  const auto reached =
      named("perf.bandwidth_with_factors", fitted * named("perf.bandwidth_factor", rate_factor(factor)));
  if (!gpu.memory_bandwidth) return reached;
  return named("perf.bandwidth_within_peak",
               min(reached, trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth)));
}

/// A fitted rate of products in `precision` whose times are multiplied with `factor`, within the peak of the GPU.
template <class Tracer>
Known<Tracer, FlopsPerSecond> reached_products(Tracer& trace, const Gpu& gpu, const std::string& precision,
                                               const Known<Tracer, FlopsPerSecond>& fitted,
                                               const Known<Tracer, double>& factor) {
  const auto reached = named("perf.products_with_factors", fitted * named("perf.products_factor", rate_factor(factor)));
  const auto peak = gpu.peak_dense_flops.find(precision);
  if (peak == gpu.peak_dense_flops.end()) return reached;
  return named("perf.products_within_peak",
               min(reached, trace.fact(gpu, "peak_dense_tflops." + precision, peak->second)));
}

/// Width of a product's arithmetic: 16, 8 or 4 bit.
inline int arithmetic_bits(std::string_view precision) {
  const std::string_view word = rate_precision(precision);
  return word == "fp8" ? 8 : word == "fp4" ? 4 : 16;
}

/// Rates of weights of `bits` multiplied in `precision`. `experts`: grouped products. Absent where a rate is not known.
template <class Tracer>
std::optional<ProductRates<Tracer>> product_rates(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                  const std::string& precision, double bits, bool microscaled,
                                                  bool experts, std::vector<std::string>& assumptions) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, catalog.serving_efficiency);
  const int arithmetic = arithmetic_bits(precision);
  const bool widened = bits < 6 && arithmetic == 16;
  const auto gemm = gemm_ceiling(trace, catalog, gpu, precision, assumptions);
  const auto memory = memory_ceiling(trace, catalog, gpu, "weight-streaming",
                                     widened ? "bf16" : streaming_precision(bits), assumptions);
  if (!gemm || !memory) return std::nullopt;
  const C product = experts ? (arithmetic == 16  ? C::experts_16_bit
                               : arithmetic == 8 ? C::experts_8_bit
                                                 : C::experts_4_bit)
                            : (arithmetic == 16  ? C::gemm_16_bit
                               : arithmetic == 8 ? C::gemm_8_bit
                                                 : C::gemm_4_bit);
  const C stream = experts ? (bits >= 12    ? C::expert_weights_16_bit
                              : bits >= 6   ? C::expert_weights_8_bit
                              : !widened    ? C::expert_weights_4_bit
                              : microscaled ? C::expert_weights_mxfp4_to_wide
                                            : C::expert_weights_4_bit_to_wide)
                           : (bits >= 12  ? C::weights_16_bit
                              : bits >= 6 ? C::weights_8_bit
                              : widened   ? C::weights_4_bit_to_wide
                                          : C::weights_4_bit);
  return ProductRates<Tracer>{.products = named("perf.product_rate", *gemm * constants(product)),
                              .streaming = named("perf.streaming_rate", *memory * constants(stream))};
}

/// The same of llama.cpp, whose kernels decode blocks of a file's own types. Absent where the GPU's clock, power or
/// multiprocessors are not known.
template <class Tracer>
std::optional<ProductRates<Tracer>> file_rates(Tracer& trace, const Catalog& catalog, const Gpu& gpu, double bits) {
  using C = ServingConstant;
  if (!gpu.sm_count || !gpu.boost_clock_mhz || !gpu.board_power || !gpu.memory_bandwidth) return std::nullopt;
  const StepConstants<Tracer> constants(trace, catalog.serving_efficiency);
  const bool wide = bits >= 12;
  const bool stacked = gpu.memory_type.find("HBM") != std::string::npos;
  auto unit = constants(wide ? C::file_products_16_bit : C::file_products);
  if (stacked) unit = named("perf.file_unit_rate_hbm", factor_product(unit, constants(C::file_products_data_centre)));
  auto streaming = named("perf.streaming_rate", trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth) *
                                                    constants(wide ? C::file_weights_16_bit : C::file_weights));
  if (stacked) streaming = named("perf.streaming_rate_hbm", streaming * constants(C::file_weights_hbm));
  return ProductRates<Tracer>{
      .products =
          named("perf.file_product_rate",
                file_product_rate(trace.fact(gpu, "sm_count", *gpu.sm_count),
                                  trace.fact(gpu, "boost_clock_mhz", *gpu.boost_clock_mhz),
                                  trace.fact(gpu, "board_power_w", *gpu.board_power), unit, constants(C::file_power))),
      .streaming = streaming};
}

/// Rates of all kernels of a step, and the factors on their times.
template <class Tracer>
struct StepRates {
  /// Products of the weights of one role.
  struct Role {
    double bits = 16;                           ///< that a step streams of a weight
    std::string precision;                      ///< of the products
    std::optional<ProductRates<Tracer>> rates;  ///< with all factors
  };

  const WeightFormat* format = nullptr;
  std::string gemm_precision;
  bool from_file = false;  ///< llama.cpp
  Role attention_weights;
  Role mlp_weights;  ///< of shared experts too
  Role expert_weights;
  Known<Tracer, FlopsPerSecond> prompt_attention{};
  Known<Tracer, FlopsPerSecond> head_products{};
  Known<Tracer, BytesPerSecond> wide_streaming{};  ///< 16 bit
  Known<Tracer, BytesPerSecond> kv_reading{};
  bool wide_kv = true;
  EngineFigures<Tracer> figures;
  TimeFactors<Tracer> factors;

  const Role& of(LinearRole role) const {
    return role == LinearRole::expert      ? expert_weights
           : role == LinearRole::attention ? attention_weights
                                           : mlp_weights;
  }
};

/// On the times of the products of experts.
template <class Tracer>
Known<Tracer, double> expert_factor(Tracer& trace, const ServingEfficiency& efficiency, const Gpu& gpu,
                                    const StepRates<Tracer>& rates) {
  const auto factor = named("perf.expert_factor", factor_product(rates.factors.kernels, rates.figures.experts));
  const double bits = rates.expert_weights.bits;
  if (!is_data_centre_blackwell(gpu) || bits < 6 || bits >= 12 || arithmetic_bits(rates.gemm_precision) != 8)
    return factor;
  return named(
      "perf.expert_factor_8_bit",
      factor_product(factor, StepConstants<Tracer>(trace, efficiency)(ServingConstant::blackwell_8_bit_experts)));
}

/// Bits that a step streams of a linear weight of this role.
inline double streamed_bits(const WeightFormat& format, LinearRole role, bool mixture) {
  const WeightPart part = role == LinearRole::expert      ? WeightPart::expert
                          : role == LinearRole::attention ? WeightPart::attention
                                                          : WeightPart::mlp;
  return stored_width(format, part, mixture).bits;
}

/// The rates for `model`, or nothing and the reasons why not. `run` gives engine and weight format, `kv_element` is one
/// key or value; nothing here depends on the layout. `assumptions` gets a sentence for each estimated ceiling.
template <class Tracer>
std::optional<StepRates<Tracer>> step_rates(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const Model& model,
                                            const ServingRun& run, Bytes kv_element,
                                            std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  std::vector<std::string> told;  // the same ceiling is asked for more than once
  const auto tell = [&] {
    for (std::string& sentence : told)
      if (std::find(assumptions.begin(), assumptions.end(), sentence) == assumptions.end())
        assumptions.push_back(std::move(sentence));
  };
  const auto refuse = [&](const char* code, Message message, std::vector<Patch> ways_out = {}) {
    tell();
    reasons.push_back({.code = code, .message = std::move(message), .ways_out = std::move(ways_out)});
    return std::nullopt;
  };
  StepRates<Tracer> rates;
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (format == nullptr)
    return refuse("format-not-supported", say("unknown-format", "format"_v = run.weight_precision));
  rates.format = format;
  rates.gemm_precision = gemm_precision(gpu, format->compute_precision);
  const std::string wide = gemm_precision(gpu, "bf16");
  if (rates.gemm_precision.empty())
    return refuse("format-not-supported",
                  say("format-without-products", "gpu"_v = gpu.name, "precision"_v = format->compute_precision,
                      "format"_v = format->id),
                  {{"/weight_precision", "fp16"}});
  if (rates.gemm_precision != format->compute_precision)
    told.push_back(format->id + " weights are multiplied in " + rates.gemm_precision + " on " + gpu.name +
                   ", which has no " + format->compute_precision + " products.");
  rates.from_file = run.engine == "llama.cpp";
  const bool mixture = model.experts > 0;
  if (mixture && format->beside_experts_bits)
    told.push_back("Besides its experts, a " + format->id + " checkpoint of " + model.name + " keeps its weights in " +
                   shortest_number(*format->beside_experts_bits) + " bit.");

  const auto attention = attention_ceiling(trace, catalog, gpu, told);
  const auto head = gemm_ceiling(trace, catalog, gpu, wide, told);
  const auto wide_streaming = memory_ceiling(trace, catalog, gpu, "weight-streaming", "bf16", told);
  rates.wide_kv = kv_element > bytes(1.5);
  const auto kv_reading = memory_ceiling(trace, catalog, gpu, "kv-reading", rates.wide_kv ? "bf16" : "fp8", told);
  const auto of_role = [&](LinearRole role) {
    typename StepRates<Tracer>::Role found;
    found.bits = streamed_bits(*format, role, mixture);
    if (rates.from_file) found.rates = file_rates(trace, catalog, gpu, found.bits);
    found.precision = found.bits >= 12 ? wide : rates.gemm_precision;
    if (!found.rates)
      found.rates = product_rates(trace, catalog, gpu, found.precision, found.bits, format->id == "mxfp4",
                                  role == LinearRole::expert, told);
    return found;
  };
  rates.mlp_weights = of_role(LinearRole::mlp);
  if (!attention || !head || !wide_streaming || !kv_reading || !rates.mlp_weights.rates)
    return refuse("rate-unknown", say("no-rates", "gpu"_v = gpu.name));
  rates.attention_weights = of_role(LinearRole::attention);
  if (mixture) rates.expert_weights = of_role(LinearRole::expert);
  rates.prompt_attention = *attention;
  rates.head_products = *head;
  rates.wide_streaming = *wide_streaming;
  rates.kv_reading = *kv_reading;
  rates.figures = engine_figures(trace, catalog.serving_efficiency, run, gpu, model);
  rates.factors = time_factors(trace, catalog.serving_efficiency, rates.figures, gpu);
  const auto reach = [&](typename StepRates<Tracer>::Role& role, const auto& factor) {
    if (!role.rates) return;
    role.rates->products = reached_products(trace, gpu, role.precision, role.rates->products, factor);
    role.rates->streaming = reached_bandwidth(trace, gpu, role.rates->streaming, factor);
  };
  reach(rates.attention_weights, rates.factors.kernels);
  reach(rates.mlp_weights, rates.factors.kernels);
  if (rates.expert_weights.rates)
    reach(rates.expert_weights, expert_factor(trace, catalog.serving_efficiency, gpu, rates));
  tell();
  return rates;
}

}  // namespace podwright
