#pragma once
/// What the tokens and sequences of a step cost on one GPU of a layout: put together once, then evaluated for any
/// number of them (perf/engine_step.h). docs/method/serving_time.md.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/math.h"
#include "catalog/catalog.h"
#include "catalog/compute_capability.h"
#include "memory/infeasible.h"
#include "memory/serving_run.h"
#include "model/flops.h"
#include "model/kv_cache.h"
#include "model/linear_weights.h"
#include "model/parameters.h"
#include "perf/attention.h"
#include "perf/ceilings.h"
#include "perf/collectives.h"
#include "perf/engine_step_formulas.h"
#include "perf/serving_formulas.h"
#include "perf/serving_kernels.h"
#include "perf/serving_software.h"
#include "perf/training_kernels.h"

namespace podwright {
/// What the memory side says about a deployment.
template <class Tracer>
struct ServingLimits {
  typename Tracer::template Known<double> max_sequences{};       ///< of the whole deployment
  typename Tracer::template Known<double> max_batched_tokens{};  ///< of one engine step
  Bytes kv_element = bytes(2);                                   ///< one key or value element
  double pool_tokens = 0;  ///< that one pool holds whose sequences may be preempted; 0: none are
  double pools = 1;        ///< of the deployment
};

/// One kind of collective of a step: `count` times over `ranks` GPUs.
template <class Tracer>
struct StepCollective {
  /// group: dispatch and combine of experts behind attention data parallelism
  enum class Kind { all_reduce, group, point_to_point };
  Kind kind = Kind::all_reduce;
  typename Tracer::template Known<double> count{};
  typename Tracer::template Known<double> ranks{};
  typename Tracer::template Known<double> span{};  ///< GPUs among which the ranks stand
  typename Tracer::template Known<double>
      token_share{};  ///< tokens of the step that one rank's message carries, as a share
  typename Tracer::template Known<double> width{};
  typename Tracer::template Known<BytesPerSecond> bandwidth{};
  typename Tracer::template Known<Seconds> start_up{};
};

template <class Tracer>
struct Drafting;

/// Equal products of a step: time of a row where arithmetic binds, of the weights, and of a row's own traffic.
template <class Tracer>
struct StepProducts {
  typename Tracer::template Known<double> count{};
  typename Tracer::template Known<Seconds> row{};
  typename Tracer::template Known<Seconds> stream{};
  typename Tracer::template Known<Seconds> activations{};
};

/// The layers with routed experts, as the fullest GPU sees them.
template <class Tracer>
struct StepExperts {
  typename Tracer::template Known<double> count{};  ///< layers; 0: none
  typename Tracer::template Known<double> experts{};
  typename Tracer::template Known<double> ranks{};           ///< expert parallel
  typename Tracer::template Known<double> rows_per_token{};  ///< routed rows
  typename Tracer::template Known<double> padding{};
  typename Tracer::template Known<Seconds> row{};
  typename Tracer::template Known<Seconds> stream{};  ///< of one expert
  typename Tracer::template Known<Seconds> row_extra{};
  typename Tracer::template Known<Seconds> start{};
  typename Tracer::template Known<double> overlap_loss{};
  double experts_per_token = 0;
  double routing_spread = 1;
};

/// Costs per GPU, per token or per sequence.
template <class Tracer>
struct EngineCosts {
  template <class T>
  using Known = typename Tracer::template Known<T>;

  std::string gemm_precision;
  std::vector<StepProducts<Tracer>> products;
  Known<double> half_rows{};
  Known<double> overlap_loss{};
  StepExperts<Tracer> experts;
  Known<Flops> head_work_per_row{};
  Known<Bytes> head_bytes{};
  Known<FlopsPerSecond> head_gemm{};
  Known<BytesPerSecond> head_streaming{};
  Known<Seconds> sampling_row{};
  Known<Bytes> kv_read_per_sequence{};
  Known<Flops> decode_attention_work{};   ///< per sequence
  Known<Flops> prefill_attention_work{};  ///< per prompt
  Known<double> attention_ranks{};        ///< attention data parallel: sequences are spread over them
  Known<FlopsPerSecond> decode_rate{};    ///< arithmetic of decode attention
  Known<FlopsPerSecond> attention{};      ///< of prompts
  Known<BytesPerSecond> kv_reading{};
  Known<Seconds> starts{};     ///< of the kernels of all layers
  Known<Seconds> token_row{};  ///< small kernels of one token
  Known<Seconds> host_step{};
  Known<Seconds> host_sequence{};
  Known<double> bytes_per_hidden_value{};
  std::vector<StepCollective<Tracer>> collectives;
  EngineFigures figures;
  std::shared_ptr<const Drafting<Tracer>> drafting;  ///< null: a step yields one token of each sequence
};

namespace engine_detail {

/// How far back a query of this kind of layer sees in `context` tokens.
inline double attention_span(const LayerKind& kind, double context) {
  if (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked) return kind.window_tokens;
  if (kind.attention == AttentionKind::sparse && kind.read_tokens > 0) return kind.read_tokens;
  return context;
}

template <class Tracer>
typename Tracer::template Known<double> pairs(Tracer& trace, const LayerKind& kind,
                                              const typename Tracer::template Known<double>& tokens,
                                              const typename Tracer::template Known<double>& span) {
  if (kind.attention == AttentionKind::chunked) return trace.step("perf.prompt_pairs", kChunkedPairs, tokens, span);
  return trace.step("perf.prompt_pairs", kCausalPairs, tokens, span);
}

}  // namespace engine_detail

namespace engine_detail {

/// What the fit says about exchanges on one GPU.
template <class Tracer>
struct LinkFactors {
  using Known = typename Tracer::template Known<double>;
  Known link_rate{};
  Known card_rate{};
  Known network{};
  Known per_exchange{};        ///< on the bandwidth
  Known per_group_exchange{};  ///< on the bandwidth
  Known link_start{};
  Known card_start{};
  Known group_start{};
  typename Tracer::template Known<Seconds> stage_start{};
};

/// Fills in bandwidth and start-up time of a collective; false where the links are not known.
template <class Tracer>
bool add_collective(Tracer& trace, const Catalog& catalog, const Gpu& gpu, StepCollective<Tracer> collective,
                    const LinkFactors<Tracer>& factors, EngineCosts<Tracer>& costs,
                    std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const double ranks = value_of(collective.ranks);
  if (value_of(collective.count) <= 0 || ranks <= 1) return true;
  const std::string_view operation = "all-reduce-bus-bandwidth";
  const bool inside = value_of(collective.span) <= node_gpus(catalog, gpu);
  std::optional<typename Tracer::template Known<BytesPerSecond>> bandwidth;
  if (inside) {
    bandwidth = node_ceiling(trace, catalog, gpu, operation, ranks, assumptions);
  } else if (const System* system = system_with_network(catalog, gpu)) {
    bandwidth = network_ceiling(trace, catalog, *system);
  }
  const auto start_up = start_up_time(trace, catalog, gpu, "all-reduce-latency", ranks, assumptions);
  if (!bandwidth || !start_up) {
    reasons.push_back(
        {.code = inside ? "link-unknown" : "network-unknown",
         .message = "The catalog knows no link between " + std::to_string(static_cast<int>(value_of(collective.span))) +
                    " " + gpu.name +
                    (inside ? " of one node." : " on several nodes: no system with this GPU states its network."),
         .shortfall = 0,
         .unit = "",
         .ways_out = {merge_patch(
             collective.kind == Kind::point_to_point ? "parallelism.pipeline" : "parallelism.tensor", 1.0)}});
    return false;
  }
  const bool direct = gpu.link_bandwidth_one_way && value_of(collective.span) <= gpu.link_domain_gpus.value_or(0);
  const auto& rate = !inside ? factors.network : direct ? factors.link_rate : factors.card_rate;
  collective.bandwidth = trace.step("perf.exchange_bandwidth", kScaledBandwidth,
                                    trace.step("perf.link_bandwidth", kScaledBandwidth, *bandwidth, rate),
                                    collective.kind == Kind::group ? factors.per_group_exchange : factors.per_exchange);
  collective.start_up = collective.kind == Kind::point_to_point
                            ? factors.stage_start
                            : trace.step("perf.exchange_start", kScaledTime, *start_up,
                                         collective.kind == Kind::group ? factors.group_start
                                         : direct                       ? factors.link_start
                                                                        : factors.card_start);
  costs.collectives.push_back(collective);
  return true;
}

/// Two exchanges a layer (after attention, after the MLP), and one send between pipeline stages.
template <class Tracer>
bool add_collectives(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const Model& model, const LayerStack& stack,
                     const ServingRun& run, const LinkFactors<Tracer>& factors, EngineCosts<Tracer>& costs,
                     std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const ServingParallelism& parallelism = run.parallelism;
  double mixers = 0;
  double dense = 0;
  double moe = 0;
  for (const LayerKind& kind : stack.kinds) {
    if (kind.attention != AttentionKind::none) mixers += kind.count;
    if (kind.mlp == MlpKind::dense) dense += kind.count;
    if (kind.mlp == MlpKind::moe) moe += kind.count;
  }
  const char* const page = "docs/method/serving_time.md#exchanges";
  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto attention_data = trace.input("/parallelism/attention_data", parallelism.attention_data);
  const auto group = trace.step("perf.gpus_of_group", kCountProduct, tensor, attention_data);
  const auto width = trace.fact(model, "hidden_size", model.hidden_size);
  const auto one = trace.constant("whole_step", 1.0, "definition");
  const auto attention_share = trace.step("perf.token_share", kEvenlyShared, one, attention_data);
  const auto gpu_share = trace.step("perf.token_share", kEvenlyShared, one, group);
  const bool replicas_of_attention = parallelism.attention_data > 1;
  const auto add = [&](Kind kind, double count, const auto& ranks, const auto& span, const auto& token_share,
                       const auto& message_width) {
    return add_collective(trace, catalog, gpu,
                          {.kind = kind,
                           .count = trace.method("perf.exchanges", count, page),
                           .ranks = ranks,
                           .span = span,
                           .token_share = token_share,
                           .width = message_width,
                           .bandwidth = {},
                           .start_up = {}},
                          factors, costs, assumptions, reasons);
  };
  if (!add(Kind::all_reduce, mixers + dense + (replicas_of_attention ? 0 : moe), tensor, tensor, attention_share,
           width))
    return false;
  if (replicas_of_attention && moe > 0 && !add(Kind::group, moe, group, group, one, width)) return false;
  if (parallelism.pipeline > 1) {
    const auto two = trace.constant("sender_and_receiver", 2.0, "definition");
    const auto span = trace.step("perf.gpus_of_replica", kCountProduct, group,
                                 trace.input("/parallelism/pipeline", parallelism.pipeline));
    if (!add(Kind::point_to_point, parallelism.pipeline - 1, two, span, gpu_share, width)) return false;
  }
  return true;
}

}  // namespace engine_detail

namespace engine_detail {

/// The fitted constants, as facts.
template <class Tracer>
class StepConstants {
 public:
  StepConstants(Tracer& trace, const ServingEfficiency& efficiency) : trace_(trace), efficiency_(efficiency) {}
  typename Tracer::template Known<double> operator()(ServingConstant which) const {
    const EfficiencyConstant& entry = efficiency_.constant(which);
    return trace_.fact(entry, "value", entry.value);
  }
  typename Tracer::template Known<Seconds> seconds(ServingConstant which) const {
    const EfficiencyConstant& entry = efficiency_.constant(which);
    return trace_.fact(entry, "value", Seconds(entry.value));
  }

 private:
  Tracer& trace_;
  const ServingEfficiency& efficiency_;
};

/// Factors on the times of one engine on one GPU. docs/method/serving_time.md#factors.
struct TimeFactors {
  double engine = 1;
  double kernels = 1;  ///< engine and the GPU's generation
  double starts = 1;   ///< start-up times of the generation, beside `engine`
};
inline TimeFactors time_factors(const ServingEfficiency& efficiency, const EngineFigures& figures, const Gpu& gpu) {
  const double generation = capability_number(gpu.compute_capability);
  const bool blackwell = generation >= 10 && generation < 12;
  const double arch = blackwell                           ? efficiency[ServingConstant::blackwell]
                      : generation >= 12                  ? efficiency[ServingConstant::blackwell_workstation]
                      : generation >= 8 && generation < 9 ? efficiency[ServingConstant::ampere]
                                                          : 1.0;
  TimeFactors factors;
  factors.engine = figures.time;
  factors.kernels = factors.engine * arch;
  factors.starts = blackwell ? efficiency[ServingConstant::blackwell_start] : 1.0;
  return factors;
}

/// Rates of the products of one weight width.
template <class Tracer>
struct ProductRates {
  typename Tracer::template Known<FlopsPerSecond> products{};
  typename Tracer::template Known<BytesPerSecond> streaming{};
};

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
  return ProductRates<Tracer>{
      .products = trace.step("perf.product_rate", kScaledRate, *gemm, constants(product)),
      .streaming = trace.step("perf.streaming_rate", kScaledBandwidth, *memory, constants(stream))};
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
  const ServingEfficiency& efficiency = catalog.serving_efficiency;
  const double unit = efficiency[wide ? C::file_products_16_bit : C::file_products] *
                      (stacked ? efficiency[C::file_products_data_centre] : 1.0);
  const double rate = file_product_rate(*gpu.sm_count, *gpu.boost_clock_mhz / 1000.0, gpu.board_power->base_units(),
                                        unit, efficiency[C::file_power]);
  auto streaming = trace.step("perf.streaming_rate", kScaledBandwidth,
                              trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth),
                              constants(wide ? C::file_weights_16_bit : C::file_weights));
  if (stacked)
    streaming = trace.step("perf.streaming_rate_hbm", kScaledBandwidth, streaming, constants(C::file_weights_hbm));
  return ProductRates<Tracer>{
      .products = trace.method("perf.file_product_rate", FlopsPerSecond(rate), "docs/method/serving_time.md#llamacpp"),
      .streaming = streaming};
}

/// Bits that a step streams of a linear weight of this role.
inline double streamed_bits(const WeightFormat& format, LinearRole role, bool wide_beside_experts) {
  if (role == LinearRole::expert) return format.expert_bits.value_or(format.bits_per_weight);
  if (wide_beside_experts) return 16;
  if (role == LinearRole::attention) return format.attention_bits.value_or(format.bits_per_weight);
  return format.mlp_bits.value_or(format.bits_per_weight);
}

}  // namespace engine_detail

/// Everything a step needs, or nothing and the reasons why not. `assumptions` gets a sentence for each estimated
/// ceiling.
template <class Tracer>
std::optional<EngineCosts<Tracer>> engine_costs(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                const Model& model, const ServingRun& run,
                                                const ServingLimits<Tracer>& limits,
                                                std::vector<std::string>& assumptions,
                                                std::vector<Infeasible>& reasons) {
  using Count = typename Tracer::template Known<double>;
  using C = ServingConstant;
  namespace detail = engine_detail;
  const char* const page = "docs/method/serving_time.md#factors";
  EngineCosts<Tracer> costs;
  const ServingParallelism& parallelism = run.parallelism;
  const ServingEfficiency& efficiency = catalog.serving_efficiency;
  const detail::StepConstants<Tracer> constants(trace, efficiency);
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (format == nullptr) {
    reasons.push_back({.code = "format-not-supported",
                       .message = "The weight format " + run.weight_precision + " is not known.",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {}});
    return std::nullopt;
  }
  costs.gemm_precision = gemm_precision(gpu, format->compute_precision);
  const std::string wide = gemm_precision(gpu, "bf16");
  if (costs.gemm_precision.empty()) {
    reasons.push_back({.code = "format-not-supported",
                       .message = gpu.name + " has no " + format->compute_precision +
                                  " matrix products and no bf16 ones to run " + format->id + " weights with.",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {merge_patch("weight_precision", "fp16")}});
    return std::nullopt;
  }
  if (costs.gemm_precision != format->compute_precision)
    assumptions.push_back(format->id + " weights are multiplied in " + costs.gemm_precision + " on " + gpu.name +
                          ", which has no " + format->compute_precision + " products.");
  const bool from_file = run.engine == "llama.cpp";
  const bool wide_beside_experts =
      model.experts > 0 && format->bits_per_weight < 6 && !from_file && !format->attention_bits && !format->mlp_bits;
  if (wide_beside_experts)
    assumptions.push_back("Beside its experts, a " + format->id + " checkpoint of " + model.name +
                          " keeps its weights in 16 bit.");

  const auto attention = attention_ceiling(trace, catalog, gpu, assumptions);
  const auto head_gemm = gemm_ceiling(trace, catalog, gpu, wide, assumptions);
  const auto wide_streaming = memory_ceiling(trace, catalog, gpu, "weight-streaming", "bf16", assumptions);
  const bool wide_kv = limits.kv_element > bytes(1.5);
  const auto kv_reading = memory_ceiling(trace, catalog, gpu, "kv-reading", wide_kv ? "bf16" : "fp8", assumptions);
  const auto rates_of = [&](double bits, bool experts) {
    if (from_file)
      if (auto rates = detail::file_rates(trace, catalog, gpu, bits)) return rates;
    const std::string& precision = bits >= 12 ? wide : costs.gemm_precision;
    return detail::product_rates(trace, catalog, gpu, precision, bits, format->id == "mxfp4", experts, assumptions);
  };
  const auto main_rates = rates_of(detail::streamed_bits(*format, LinearRole::mlp, wide_beside_experts), false);
  if (!attention || !head_gemm || !wide_streaming || !kv_reading || !main_rates) {
    reasons.push_back({.code = "rate-unknown",
                       .message = "The catalog has no rate of matrix products or of memory for " + gpu.name + ".",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {}});
    return std::nullopt;
  }
  costs.figures = engine_figures(efficiency, run.engine, run.engine_version);
  const detail::TimeFactors factors = detail::time_factors(efficiency, costs.figures, gpu);
  const auto kernels = trace.method("perf.kernel_factor", factors.kernels, page);
  const auto per_kernel = trace.method("perf.kernel_rate_factor", 1.0 / factors.kernels, page);
  const auto per_engine = trace.method("perf.engine_rate_factor", 1.0 / factors.engine, page);
  const auto starts = trace.method("perf.start_factor", factors.engine * factors.starts, page);
  const auto engine_factor = trace.method("perf.engine_factor", factors.engine, page);

  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto attention_data = trace.input("/parallelism/attention_data", parallelism.attention_data);
  const LayerStack stack = layer_stack(model);
  costs.attention_ranks = attention_data;
  costs.half_rows = constants(C::half_rows);
  costs.overlap_loss = constants(C::product_overlap_loss);
  const auto half_depth = constants(C::half_depth);
  const auto half_width = constants(C::half_width);
  const auto product_start = trace.step("perf.product_start", kScaledTime, constants.seconds(C::product_start_s),
                                        trace.method("perf.generation_start_factor", factors.starts, page));
  const auto passes = constants(C::activation_traffic);

  // Products outside the experts, shape by shape, and the layers of experts.
  double recurrent = 0;
  double half_layers = 0;
  double expert_layers = 0;
  for (const LayerKind& kind : stack.kinds) {
    const auto layers = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    if (kind.attention == AttentionKind::linear) recurrent += kind.count;
    if (kind.attention != AttentionKind::none) half_layers += kind.count;
    if (kind.mlp != MlpKind::none) half_layers += kind.count;
    Total<Tracer, Seconds> expert_row;
    Total<Tracer, Seconds> expert_stream;
    for (const LinearWeight& weight : linear_weights(model, kind)) {
      const bool routed = weight.role == LinearRole::expert;
      const double bits = detail::streamed_bits(*format, weight.role, wide_beside_experts);
      const auto rates = rates_of(bits, routed);
      if (!rates) continue;
      const double ranks = routed ? std::max(1.0, parallelism.tensor * parallelism.attention_data / parallelism.expert)
                                  : parallelism.tensor;
      const RankShape shape = shape_on_rank(weight, ranks);
      const auto columns = trace.method("perf.product_columns", shape.out, "docs/method/serving_time.md#products");
      const auto depth = trace.method("perf.product_depth", shape.in, "docs/method/serving_time.md#products");
      const auto known_bits = trace.method("perf.streamed_bits", bits, "docs/method/serving_time.md#products");
      if (routed) {
        const auto narrow = constants(C::expert_half_depth);
        const auto none = trace.constant("no_half_width", 0.0, "told by the depth alone");
        const auto row = trace.step("perf.expert_row_time", kProductRowTime, columns, depth, rates->products,
                                    weight.split == TensorSplit::columns ? narrow : none,
                                    weight.split == TensorSplit::columns ? none : narrow);
        const auto no_start = trace.constant("no_start", Seconds(0), "in the start of the layer");
        const auto stream =
            trace.step("perf.expert_stream", kWeightStreamTime, columns, depth, known_bits, rates->streaming, no_start);
        const bool slow = factors.starts != 1.0 && bits >= 6 && bits < 12 &&
                          detail::arithmetic_bits(costs.gemm_precision) == 8;  // of Blackwell
        const auto factor = trace.method(
            "perf.expert_factor",
            factors.kernels * costs.figures.experts * (slow ? efficiency[C::blackwell_8_bit_experts] : 1.0), page);
        expert_row.add(trace.step("perf.expert_row", kScaledTime, row, factor));
        expert_stream.add(trace.step("perf.expert_stream_scaled", kScaledTime, stream, factor));
        continue;
      }
      StepProducts<Tracer> product;
      product.count = layers;
      product.row = trace.step(
          "perf.product_row", kScaledTime,
          trace.step("perf.product_row_time", kProductRowTime, columns, depth, rates->products, half_width, half_depth),
          kernels);
      product.stream = trace.step("perf.product_stream", kScaledTime,
                                  trace.step("perf.weight_stream", kWeightStreamTime, columns, depth, known_bits,
                                             rates->streaming, product_start),
                                  kernels);
      product.activations = trace.step(
          "perf.product_activations", kScaledTime,
          trace.step("perf.activation_row", kActivationRowTime, passes, columns, depth, *wide_streaming), kernels);
      costs.products.push_back(product);
    }
    if (kind.mlp == MlpKind::moe) {
      expert_layers += kind.count;
      costs.experts.row = expert_row.sum(trace, "perf.expert_row_of_layer");
      costs.experts.stream = expert_stream.sum(trace, "perf.expert_stream_of_layer");
    }
  }
  costs.experts.count = trace.method("expert_layers", expert_layers, "docs/method/parameters_and_flops.md");
  if (expert_layers > 0) {
    StepExperts<Tracer>& experts = costs.experts;
    const auto factor = trace.method("perf.expert_factor", factors.kernels * costs.figures.experts, page);
    experts.experts = trace.fact(model, "experts", model.experts);
    experts.experts_per_token = model.experts_per_token;
    experts.ranks = trace.input("/parallelism/expert", parallelism.expert);
    experts.rows_per_token = trace.step("perf.routed_rows_per_token", kRoutedRowsPerToken,
                                        trace.fact(model, "experts_per_token", model.experts_per_token), experts.ranks,
                                        constants(C::expert_imbalance));
    experts.padding = constants(C::expert_padding);
    experts.overlap_loss = constants(C::expert_overlap_loss);
    experts.routing_spread = efficiency[C::routing_spread];
    experts.row_extra =
        trace.step("perf.expert_row_extra_scaled", kScaledTime,
                   trace.step("perf.expert_row_extra", kExpertRowExtra, constants(C::expert_permute_passes),
                              trace.fact(model, "hidden_size", model.hidden_size), *wide_streaming,
                              constants.seconds(C::expert_row_s)),
                   factor);
    experts.start = trace.step(
        "perf.expert_start", kScaledTime,
        trace.step(
            "perf.expert_start_of_generation", kScaledTime, constants.seconds(C::expert_start_s),
            trace.method("perf.expert_start_factor",
                         factors.starts * math::pow(model.experts / 256.0, efficiency[C::expert_count_power]), page)),
        factor);
  }

  // The output head.
  const auto head_parameters = end_parameters(trace, model).output_head;
  costs.head_bytes = trace.step("perf.head_bytes", kStreamedWeightBytes, head_parameters,
                                trace.fact(*format, "head_bits", format->head_bits), tensor);
  costs.head_gemm = trace.step("perf.head_gemm", kScaledRate, *head_gemm, per_engine);
  costs.head_streaming = trace.step("perf.head_streaming", kScaledBandwidth, *wide_streaming, per_engine);
  costs.head_work_per_row = trace.step(
      "perf.head_work_per_row", kWorkPerGpu,
      trace.step("perf.head_forward_work", kForwardFlops,
                 flops_per_token(trace, model, stack, FlopsConvention{}, trace.input("/input_tokens", run.input_tokens))
                     .output_head),
      tensor);
  costs.sampling_row = trace.step("perf.sampling_row", kScaledTime,
                                  trace.step("perf.sampling_row_time", kSamplingRowTime, constants(C::sampling_passes),
                                             trace.fact(model, "vocab_size", model.vocab_size), *wide_streaming),
                                  engine_factor);

  // Attention.
  costs.kv_reading = trace.step("perf.kv_rate", kScaledBandwidth,
                                trace.step("perf.kv_reading", kScaledBandwidth, *kv_reading,
                                           constants(from_file ? C::file_kv
                                                     : wide_kv ? C::kv_16_bit
                                                               : C::kv_8_bit)),
                                per_engine);
  costs.decode_rate =
      trace.step("perf.decode_attention_rate", kScaledRate,
                 trace.step("perf.decode_attention_products", kScaledRate, *head_gemm, constants(C::decode_attention)),
                 per_engine);
  costs.attention = trace.step(
      "perf.prompt_attention_rate", kScaledRate,
      from_file ? trace.step("perf.file_attention", kScaledRate, main_rates->products, constants(C::file_attention))
                : trace.step("perf.prompt_attention", kScaledRate, *attention, constants(C::prompt_attention)),
      per_kernel);
  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto output = trace.input("/output_tokens", run.output_tokens);
  const auto hit = trace.input("/prefix_hit_ratio", run.prefix_hit_ratio);
  const auto context = trace.step("perf.mean_context", kMeanContext, input, output);
  const auto prefix = trace.step("perf.prefix_tokens", kCountProduct, input, hit);
  const KvStore store{.element = limits.kv_element, .tensor = parallelism.tensor, .indexer = false};
  Total<Tracer, Bytes> kv_read_total;
  Total<Tracer, Flops> decode_total;
  Total<Tracer, Flops> prefill_total;
  for (const LayerKind& kind : stack.kinds) {
    const auto layers = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    if (kind.attention == AttentionKind::linear) {
      const auto both_ways =
          trace.constant("state_read_and_written", 2.0, "a decode step reads the state and writes it back");
      kv_read_total.add(trace.step("perf.state_traffic_at_kv_rate", kTrafficAtRate,
                                   trace.step("perf.state_traffic", kBytesInLayers, layers, both_ways,
                                              state_layer_bytes(trace, model, kind, store)),
                                   constants(C::state_rate)));
    }
    if (!has_attention(kind)) continue;
    const LayerFacts<Tracer> facts = layer_facts(trace, model, kind);
    const auto heads = trace.step("perf.heads_per_gpu", kEvenlyShared, facts.heads, tensor);
    const auto span_of = [&](const Count& whole) {
      const double span = engine_detail::attention_span(kind, value_of(whole));
      return span == value_of(whole)
                 ? whole
                 : trace.method("perf.attention_span", span, "docs/method/serving_time.md#attention");
    };
    const auto read = trace.step("perf.tokens_read", kTokensRead, context, span_of(context));
    const auto read_in_layers = trace.step("perf.tokens_read_in_layers", kCountProduct, layers, read);
    const auto rank = kind.latent ? trace.fact(model, "kv_lora_rank", model.kv_lora_rank) : facts.v_head_dim;
    const auto key_dim = kind.latent ? trace.step("perf.latent_width", kLatentWidth, rank,
                                                  trace.fact(model, "qk_rope_dim", model.qk_rope_dim))
                                     : facts.head_dim;
    kv_read_total.add(
        trace.step("perf.kv_read", kBytesInLayers, layers, read, kv_layer_token_bytes(trace, model, kind, store)));
    decode_total.add(trace.step("perf.decode_attention_work", kAttentionWork, read_in_layers, heads, key_dim, rank));

    const auto whole_pairs = engine_detail::pairs(trace, kind, input, span_of(input));
    const auto prefix_pairs = engine_detail::pairs(trace, kind, prefix, span_of(prefix));
    const auto new_pairs = trace.step("perf.pairs_after_prefix", kCountDifference, whole_pairs, prefix_pairs);
    const auto pairs_in_layers = trace.step("perf.pairs_in_layers", kCountProduct, layers, new_pairs);
    prefill_total.add(trace.step("perf.prefill_attention_work", kAttentionWork, pairs_in_layers, heads, facts.head_dim,
                                 facts.v_head_dim));
    if (model.indexer && kind.attention == AttentionKind::sparse) {
      const auto selector_heads = trace.fact(model, "indexer.heads", model.indexer->heads);
      const auto selector_dim = trace.fact(model, "indexer.head_dim", model.indexer->head_dim);
      const auto no_values = trace.constant("no_values", 0.0, "the selector computes scores only");
      const auto whole = trace.step("perf.selector_pairs", kCausalPairs, input, input);
      const auto known = trace.step("perf.selector_pairs", kCausalPairs, prefix, prefix);
      const auto pairs = trace.step("perf.selector_pairs_in_layers", kCountProduct, layers,
                                    trace.step("perf.pairs_after_prefix", kCountDifference, whole, known));
      const auto keys =
          trace.step("perf.selector_keys", kIndexerBytesPerLayer, selector_dim,
                     trace.constant("selector_element", store.indexer_element, "selector keys are 16 bit"));
      kv_read_total.add(trace.step("perf.selector_read", kBytesInLayers, layers, context, keys));
      decode_total.add(trace.step("perf.selector_decode_work", kAttentionWork,
                                  trace.step("perf.selector_tokens", kCountProduct, layers, context), selector_heads,
                                  selector_dim, no_values));
      prefill_total.add(
          trace.step("perf.selector_prefill_work", kAttentionWork, pairs, selector_heads, selector_dim, no_values));
    }
  }
  costs.kv_read_per_sequence = kv_read_total.sum(trace, "perf.kv_read_per_sequence");
  costs.decode_attention_work = decode_total.sum(trace, "perf.decode_attention_work_per_sequence");
  costs.prefill_attention_work = prefill_total.sum(trace, "perf.prefill_attention_work_per_prompt");

  // What a step takes beside its kernels.
  const auto layers = trace.fact(model, "layers", model.layers);
  const auto recurrent_layers = trace.method("recurrent_layers", recurrent, "docs/method/parameters_and_flops.md");
  const auto attending_layers =
      trace.method("attending_layers", model.layers - recurrent, "docs/method/parameters_and_flops.md");
  const auto all_starts =
      sum_of(trace, "perf.layer_starts",
             trace.step("perf.small_kernel_starts", kRepeatedTime, layers, constants.seconds(C::layer_start_s)),
             trace.step("perf.attention_starts", kRepeatedTime, attending_layers,
                        constants.seconds(C::decode_attention_start_s)),
             trace.step("perf.state_starts", kRepeatedTime, recurrent_layers, constants.seconds(C::state_start_s)));
  costs.starts = trace.step("perf.starts", kScaledTime, all_starts, starts);
  costs.token_row =
      trace.step("perf.token_row", kScaledTime,
                 trace.step("perf.elementwise_row", kElementwiseRowTime, constants(C::elementwise_passes),
                            trace.method("half_layers", half_layers, "docs/method/parameters_and_flops.md"),
                            trace.fact(model, "hidden_size", model.hidden_size), *wide_streaming),
                 starts);
  // Where no client waits for single tokens the host has less to do.
  const double streamed = run.load.kind == LoadKind::max_throughput ? efficiency[C::unstreamed_host] : 1.0;
  const double stages = from_file ? 1.0 : parallelism.pipeline;
  const Seconds per_stage(stages > 1 ? efficiency[C::host_stage_s] : 0.0);
  costs.host_step =
      trace.method("perf.host_step", stages * (streamed * costs.figures.host_step + per_stage), kServingEnginesPage);
  costs.host_sequence = trace.method("perf.host_sequence", streamed * costs.figures.host_sequence, kServingEnginesPage);
  costs.bytes_per_hidden_value = trace.constant("bytes_per_hidden_value", 2.0, "hidden states are exchanged in 16 bit");

  detail::LinkFactors<Tracer> links;
  const double exchange = factors.engine * factors.starts;
  const bool new_cards = gpu.pcie_generation.value_or(4) >= 5;
  links.link_rate = constants(C::link_rate);
  links.card_rate = constants(new_cards ? C::link_rate_pcie_5 : C::link_rate_pcie);
  links.network = trace.constant("whole_network_rate", 1.0, "the network's measured rate");
  links.per_exchange = trace.method("perf.exchange_rate_factor", 1.0 / exchange, page);
  links.per_group_exchange =
      trace.method("perf.group_exchange_rate_factor", 1.0 / (exchange * efficiency[C::group_exchange]), page);
  links.link_start = trace.method("perf.link_start_factor", exchange * efficiency[C::all_reduce_start], page);
  links.card_start = trace.method("perf.card_start_factor", exchange * efficiency[C::all_reduce_start_pcie], page);
  links.group_start = trace.method("perf.group_start_factor", exchange * efficiency[C::group_exchange_start], page);
  links.stage_start = trace.step("perf.stage_start", kScaledTime, constants.seconds(C::stage_start_s), starts);
  if (!detail::add_collectives(trace, catalog, gpu, model, stack, run, links, costs, assumptions, reasons))
    return std::nullopt;
  return costs;
}

}  // namespace podwright
