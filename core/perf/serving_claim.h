#pragma once
/// Is a published serving speed possible? Roofs that no software can pass: weights and keys streamed from memory,
/// arithmetic, links between the GPUs, memory that must hold it all. docs/method/serving_claims.md.
///
/// Three roofs of one kind. `bound`: at the peaks of the data sheet, every weight of the step and every key read once.
/// `limit`: the same with all that could be spared spared, so that no true figure lies above it; a claim above it is
/// impossible. `measured`: as the bound, at the rates that measured kernels reach,
/// or, where nobody measured the GPU, at those estimated for it; a claim above an estimate is unknown, not unseen.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "memory/serving_budget.h"
#include "memory/serving_memory.h"
#include "memory/serving_weights.h"
#include "model/kv_cache.h"
#include "model/parameters.h"
#include "perf/ceilings.h"
#include "perf/claim.h"
#include "perf/collectives.h"
#include "perf/ideal_replica.h"
#include "perf/lane_schedule.h"
#include "perf/step_attention.h"

namespace podwright {

inline constexpr const char* kServingClaimPage = "docs/method/serving_claims.md";

/// What a claim is about; its word is the key of the request.
enum class SpeedMetric { output_tokens_per_s, tokens_per_s_per_user, tpot_s, ttft_s, total_tokens_per_s, max_batch };
inline constexpr std::array<std::string_view, 6> kSpeedMetricWords{
    "output_tokens_per_s", "tokens_per_s_per_user", "tpot_s", "ttft_s", "total_tokens_per_s", "max_batch"};
/// True for times, where less is the stronger claim.
constexpr bool less_is_faster(SpeedMetric metric) {
  return metric == SpeedMetric::tpot_s || metric == SpeedMetric::ttft_s;
}

/// True for what a single request sees of the steps.
constexpr bool is_of_user(SpeedMetric metric) {
  return metric == SpeedMetric::tokens_per_s_per_user || metric == SpeedMetric::tpot_s;
}

/// Rates, the batch and the concurrency speak of the whole deployment.
struct ServingClaim {
  std::optional<Model> model;
  std::optional<Gpu> gpu;
  double gpu_count = 1;
  std::optional<double> data;          ///< replicas, each with weights of its own; absent: one
  std::optional<double> tensor;        ///< where given, the exchanges of tensor parallelism count
  std::string weight_precision;        ///< id of a weight format of the catalog
  std::string kv_precision;            ///< empty: 8 bits beside weights of 8 bits or less, else 16
  std::optional<double> concurrency;   ///< requests in flight; some may wait or be in their prompt
  std::optional<double> static_batch;  ///< sequences that get a token in every step
  std::optional<double> input_tokens;
  std::optional<double> output_tokens;
  std::optional<double> prefix_hit_ratio;  ///< absent: nothing is found in the prefix cache
  SpeedMetric metric = SpeedMetric::output_tokens_per_s;
  double claimed = 0;  ///< in the metric's own unit
};

/// Bytes of a key or value of the claim.
Bytes claimed_kv_element(const ServingClaim& claim, const WeightFormat& format);
/// Precisions of the data sheet, by the widest values that kernels for these weights may multiply: an 8-bit format may
/// run on 8-bit arithmetic or on anything wider.
std::vector<std::string_view> arithmetic_of(double bits);
/// Word of the fastest of those on this GPU; empty where none is known.
std::string fastest_arithmetic(const Gpu& gpu, double bits);

enum class RoofKind { bound, limit, measured };

/// A speed in the unit of the claim's metric: exactly one of the three.
template <class Tracer>
struct Speed {
  std::optional<Known<Tracer, PerSecond>> rate;
  std::optional<Known<Tracer, Seconds>> time;
  std::optional<Known<Tracer, double>> count;

  double number() const { return rate ? raw(value_of(*rate)) : time ? raw(value_of(*time)) : value_of(*count); }
};

template <class Tracer>
struct ServingRoof : Speed<Tracer> {
  Known<Tracer, Bytes> weights_read{};       ///< of one step, all GPUs of a replica together
  Known<Tracer, Bytes> kv_per_sequence{};    ///< read in one step
  Known<Tracer, double> sequences{};         ///< of a replica
  std::optional<Known<Tracer, double>> fit;  ///< sequences of a replica that its memory holds; absent without lengths
  Known<Tracer, Seconds> reading{};
  Known<Tracer, Seconds> arithmetic{};
  Known<Tracer, Seconds> links{};
  std::string_view limited_by;  ///< memory-bandwidth, arithmetic, links, memory
};

template <class Tracer>
struct ServingClaimCheck {
  Speed<Tracer> claimed;
  Known<Tracer, Bytes> weights{};  ///< stored, of one replica
  ServingRoof<Tracer> bound;
  ServingRoof<Tracer> limit;
  std::optional<ServingRoof<Tracer>> measured;  ///< absent where no kernel of the GPU or of its kin was measured
  std::vector<std::string> assumptions;         ///< about the measured rates
  ClaimVerdict verdict = ClaimVerdict::unknown;
  std::vector<Infeasible> reasons;  ///< ways out are added by add_ways_out()
};

/// What a broken claim says; the ways out are claims that keep below the limit.
struct BrokenSpeed {
  double bound = 0;
  std::string_view limited_by;
  Bytes weights;
  Bytes weights_read;
  Bytes kv_read;
  double sequences = 1;
};
Infeasible broken_speed(const ServingClaim& claim, const BrokenSpeed& broken);
Infeasible weights_beyond_memory(const ServingClaim& claim, Bytes weights, Bytes memory);
Infeasible batch_beyond_memory(const ServingClaim& claim, Bytes weights, Bytes memory, double fit);

namespace claim_detail {

template <class Tracer>
Speed<Tracer> claimed_speed(Tracer& trace, const ServingClaim& claim) {
  const std::string pointer = "/" + std::string(word_of(claim.metric, kSpeedMetricWords));
  Speed<Tracer> speed;
  if (claim.metric == SpeedMetric::max_batch) {
    speed.count = trace.input(pointer, claim.claimed);
  } else if (less_is_faster(claim.metric)) {
    speed.time = trace.input(pointer, seconds(claim.claimed));
  } else {
    speed.rate = trace.input(pointer, per_second(claim.claimed));
  }
  return speed;
}

/// Facts of model and format that all three roofs share.
template <class Tracer>
struct Served {
  const ServingClaim& claim;
  const WeightFormat& format;
  LayerStack stack;
  Known<Tracer, Bytes> weights{};      ///< stored
  Known<Tracer, Bytes> input_table{};  ///< zero where it is the output head too
  Known<Tracer, Bytes> experts{};      ///< routed, of all layers
  Known<Tracer, Flops> linear{};       ///< of one token
  Known<Tracer, Flops> head{};         ///< of one token
  Known<Tracer, Flops> attention{};    ///< of one prompt
  Known<Tracer, double> gpus{};        ///< of a replica
  Known<Tracer, double> replicas{};
  Known<Tracer, double> prompt{};  ///< tokens that are computed
  Known<Tracer, Bytes> kv_per_sequence{};
};

template <class Tracer>
void add_layers(Tracer& trace, Served<Tracer>& s) {
  const Model& model = *s.claim.model;
  const StoredWidth width = stored_width(s.format, WeightPart::expert, true);
  const auto bits = trace.fact(s.format, width.field, width.bits);
  Total<Tracer, double> used, experts;
  Total<Tracer, Flops> attention;
  for (const LayerKind& kind : s.stack.kinds) {
    const auto count = trace.method("layers_of_kind", kind.count, kServingClaimPage);
    const LayerParameters<Tracer> layer = layer_parameters(trace, model, kind);
    used.add(named("perf.parameters_of_token_in_kind",
                   count * sum_of(trace, "perf.parameters_of_token_in_layer", layer.attention, layer.dense_mlp,
                                  layer.active_experts, layer.shared_experts, layer.router)));
    experts.add(named("perf.expert_parameters_of_kind", count * layer.experts));
    if (!has_attention(kind)) continue;
    const auto facts = layer_facts(trace, model, kind);
    const auto span = trace.method("perf.attention_span", attention_span(kind, value_of(s.prompt)), kServingClaimPage);
    const auto pairs = prompt_pairs(kind, s.prompt, span);
    attention.add(named("perf.attention_work_of_kind",
                        count * named("perf.attention_work_of_layer",
                                      attention_work(pairs, facts.heads, facts.head_dim, facts.v_head_dim))));
  }
  s.linear = named("perf.work_of_token", forward_work(used.sum(trace, "perf.parameters_of_token")));
  s.experts = named("perf.expert_bytes", stored_bytes(experts.sum(trace, "perf.expert_parameters"), bits));
  s.attention = attention.sum(trace, "perf.attention_work_of_prompt");
  const EndParameters<Tracer> ends = end_parameters(trace, model);
  s.head = named("perf.head_work_of_token", forward_work(ends.output_head));
  s.input_table =
      model.tied_embeddings
          ? trace.constant("shared_table", Bytes(0), "the token table serves as output head")
          : named("perf.input_table",
                  stored_bytes(ends.token_table, trace.fact(s.format, "embedding_bits", s.format.embedding_bits)));
}

/// Keys and values of one sequence that a step reads, over all layers.
template <class Tracer>
Known<Tracer, Bytes> read_kv(Tracer& trace, const Served<Tracer>& s, const KvStore& store,
                             const Known<Tracer, double>& context) {
  Total<Tracer, Bytes> total;
  for (const LayerKind& kind : s.stack.kinds) {
    if (!has_attention(kind)) continue;
    const auto count = trace.method("layers_of_kind", kind.count, kServingClaimPage);
    const auto span = trace.method("perf.attention_span", attention_span(kind, value_of(context)), kServingClaimPage);
    total.add(
        named("perf.kv_read_of_kind", kv_bytes_of_tokens(count, named("perf.tokens_read", tokens_read(context, span)),
                                                         kv_layer_token_bytes(trace, *s.claim.model, kind, store))));
  }
  return total.sum(trace, "perf.kv_read_of_sequence");
}

template <class Tracer>
Known<Tracer, double> tokens_of(Tracer& trace, std::string_view pointer, const std::optional<double>& tokens) {
  return tokens ? trace.input(pointer, *tokens) : 0.0;
}

template <class Tracer>
Served<Tracer> served(Tracer& trace, const ServingClaim& claim, const WeightFormat& format) {
  Served<Tracer> s{.claim = claim, .format = format, .stack = layer_stack(*claim.model)};
  s.weights = serving_weights(trace, *claim.model, s.stack, format, ServingParallelism{}, WeightPlacement{});
  s.replicas = claim.data ? trace.input("/parallelism/data", *claim.data) : 1.0;
  s.gpus = named("perf.gpus_of_replica", trace.input("/gpu_count", claim.gpu_count) / s.replicas);
  const auto input = tokens_of(trace, "/input_tokens", claim.input_tokens);
  s.prompt = claim.prefix_hit_ratio
                 ? named("perf.new_prompt_tokens",
                         new_prompt_tokens(input, trace.input("/prefix_hit_ratio", *claim.prefix_hit_ratio)))
                 : input;
  add_layers(trace, s);
  KvStore store;
  store.element = claimed_kv_element(claim, format);
  const auto mean =
      named("perf.mean_context", mean_context(input, tokens_of(trace, "/output_tokens", claim.output_tokens)));
  // A prefix in common is read once for all, so it does not count for a sequence.
  const auto own = !claim.prefix_hit_ratio
                       ? mean
                       : named("perf.own_context",
                               own_tokens(mean, trace.input("/prefix_hit_ratio", *claim.prefix_hit_ratio), input));
  s.kv_per_sequence = read_kv(trace, s, store, own);
  return s;
}

/// Rates that a roof counts with; absent: not known.
template <class Tracer>
struct RoofRates {
  template <class T>
  using Rate = std::optional<Known<Tracer, T>>;
  Rate<BytesPerSecond> weights;
  Rate<BytesPerSecond> kv;
  Rate<FlopsPerSecond> linear;
  Rate<FlopsPerSecond> attention;
  Rate<BytesPerSecond> link;
};

template <class Tracer>
RoofRates<Tracer> roof_rates(Tracer& trace, const Catalog& catalog, const Served<Tracer>& s, RoofKind kind,
                             std::vector<std::string>& assumptions) {
  const Gpu& gpu = *s.claim.gpu;
  RoofRates<Tracer> rates;
  const double kv_bits = 8.0 * raw(claimed_kv_element(s.claim, s.format));
  const std::string wide = gemm_precision(gpu, "bf16");
  const bool links = s.claim.tensor && *s.claim.tensor > 1 && gpu.link_bandwidth_one_way &&
                     *s.claim.tensor <= gpu.link_domain_gpus.value_or(0);
  if (links) rates.link = trace.fact(gpu, "link.gb_per_s_one_way", *gpu.link_bandwidth_one_way);
  if (kind == RoofKind::measured) {
    rates.weights = memory_ceiling(trace, catalog, gpu, "weight-streaming",
                                   streaming_precision(s.format.bits_per_weight), assumptions);
    rates.kv = memory_ceiling(trace, catalog, gpu, "kv-reading", streaming_precision(kv_bits), assumptions);
    rates.linear = gemm_ceiling(trace, catalog, gpu, gemm_precision(gpu, s.format.compute_precision), assumptions);
    rates.attention = attention_ceiling(trace, catalog, gpu, assumptions);
    if (links) {
      if (const auto bus = node_ceiling(trace, catalog, gpu, "all-reduce-bus-bandwidth", *s.claim.tensor, assumptions))
        rates.link = *bus;
    }
    return rates;
  }
  if (gpu.memory_bandwidth) {
    rates.weights = trace.fact(gpu, "memory_bandwidth_gb_per_s", *gpu.memory_bandwidth);
    rates.kv = rates.weights;
  }
  const auto peak = [&](const std::string& precision) {
    std::optional<Known<Tracer, FlopsPerSecond>> known;
    const auto found = gpu.peak_dense_flops.find(precision);
    if (found != gpu.peak_dense_flops.end()) known = trace.fact(gpu, "peak_dense_tflops." + precision, found->second);
    return known;
  };
  const bool generous = kind == RoofKind::limit;
  rates.linear = peak(generous ? fastest_arithmetic(gpu, s.format.bits_per_weight)
                               : gemm_precision(gpu, s.format.compute_precision));
  rates.attention = peak(generous ? fastest_arithmetic(gpu, kv_bits) : wide);
  return rates;
}

/// Weights that a step of `tokens` tokens reads. The limit leaves out the input table, of which a step reads a few
/// rows, and lets all tokens choose the same experts; the bound streams a dense model whole and spreads the tokens
/// evenly over the experts.
template <class Tracer>
Known<Tracer, Bytes> read_weights(Tracer& trace, const Served<Tracer>& s, RoofKind kind, double tokens) {
  const Model& model = *s.claim.model;
  const bool moe = model.experts > 0;
  auto read = s.weights;
  if (moe || kind == RoofKind::limit) read = named("perf.weights_without_table", bytes_still_read(read, s.input_table));
  if (!moe) return read;
  const auto experts = trace.fact(model, "experts", model.experts);
  const auto touched =
      kind == RoofKind::limit
          ? trace.fact(model, "experts_per_token", model.experts_per_token)
          : named("perf.experts_touched",
                  experts_touched(experts,
                                  trace.method("perf.untouched_expert_share",
                                               untouched_expert_share(model.experts, model.experts_per_token, tokens),
                                               "docs/method/serving_time.md#experts")));
  return named("perf.weights_of_step",
               bytes_still_read(read, named("perf.unread_experts", unread_experts(s.experts, touched, experts))));
}

/// Time to read `weights` and `kv`; the limit leaves out what the caches on the chips can keep.
template <class Tracer>
Known<Tracer, Seconds> reading_time(Tracer& trace, const Served<Tracer>& s, RoofKind kind,
                                    const RoofRates<Tracer>& rates, const Known<Tracer, Bytes>& weights,
                                    const Known<Tracer, Bytes>& kv) {
  if (kind != RoofKind::limit)
    return sum_of(trace, "perf.reading_time",
                  named("perf.weight_reading_time", shared_reading_time(weights, s.gpus, *rates.weights)),
                  named("perf.kv_reading_time", shared_reading_time(kv, s.gpus, *rates.kv)));
  auto read = sum_of(trace, "perf.bytes_of_step", weights, kv);
  const Gpu& gpu = *s.claim.gpu;
  if (gpu.l2_mb)
    read = named("perf.bytes_beyond_cache",
                 bytes_still_read(read, named("perf.kept_on_chip", s.gpus * trace.fact(gpu, "l2_mb", mb(*gpu.l2_mb)))));
  return named("perf.reading_time", shared_reading_time(read, s.gpus, *rates.weights));
}

/// Time of linear layers and attention; zero where the peaks are not known.
template <class Tracer>
Known<Tracer, Seconds> work_time(Tracer& trace, const Served<Tracer>& s, const RoofRates<Tracer>& rates,
                                 const Known<Tracer, Flops>& linear, bool with_attention) {
  if (!rates.linear) return trace.constant("peak_not_known", Seconds(0), "the data sheet names no peak");
  const auto time = named("perf.linear_work_time", shared_work_time(linear, s.gpus, *rates.linear));
  if (!with_attention || !rates.attention) return time;
  return sum_of(trace, "perf.work_time", time,
                named("perf.attention_work_time", shared_work_time(s.attention, s.gpus, *rates.attention)));
}

/// Time of the exchanges of tensor parallelism for `tokens` tokens. Bound: two all-reduces a layer of 16-bit values.
/// Limit: one, of 8-bit values, added up in the switch.
template <class Tracer>
Known<Tracer, Seconds> link_time(Tracer& trace, const Served<Tracer>& s, RoofKind kind, const RoofRates<Tracer>& rates,
                                 const Known<Tracer, double>& tokens) {
  if (!rates.link) return trace.constant("no_exchange_counted", Seconds(0), "no tensor parallelism over known links");
  const Model& model = *s.claim.model;
  const bool generous = kind == RoofKind::limit;
  const auto exchanges =
      trace.method("perf.exchanges_of_step", (generous ? 1.0 : 2.0) * model.layers, kServingClaimPage);
  const auto value = trace.constant("exchanged_value", bytes(generous ? 1 : 2), "definition of 8 and 16 bits");
  const auto payload =
      named("perf.exchanged_bytes",
            exchanged_bytes(tokens, exchanges, trace.fact(model, "hidden_size", model.hidden_size), value));
  const auto ranks = trace.input("/parallelism/tensor", *s.claim.tensor);
  return named("perf.link_time",
               transfer_time(generous ? payload : named("perf.all_reduce_traffic", all_reduce_traffic(ranks, payload)),
                             *rates.link));
}

/// Sequences that the memory of a replica holds. The bound counts what the driver reports, and sequences of mean
/// length (full length where the claim is about the batch); the limit counts the chips, and prompts alone.
template <class Tracer>
Known<Tracer, double> fitting(Tracer& trace, const Served<Tracer>& s, RoofKind kind) {
  const ServingClaim& claim = s.claim;
  const Gpu& gpu = *claim.gpu;
  const auto input = tokens_of(trace, "/input_tokens", claim.input_tokens);
  const auto output = tokens_of(trace, "/output_tokens", claim.output_tokens);
  auto tokens = kind == RoofKind::limit                  ? input
                : claim.metric == SpeedMetric::max_batch ? named("perf.request_tokens", input + output)
                                                         : named("perf.mean_context", mean_context(input, output));
  if (claim.prefix_hit_ratio)
    tokens =
        named("perf.own_tokens", own_tokens(tokens, trace.input("/prefix_hit_ratio", *claim.prefix_hit_ratio), input));
  if (value_of(tokens) < 1) tokens = 1.0;
  KvStore store;
  store.element = claimed_kv_element(claim, s.format);
  const auto each = kv_bytes_per_sequence(trace, *claim.model, s.stack, all_layers(s.stack), store, tokens);
  const bool driver = kind != RoofKind::limit && gpu.memory_driver;
  auto memory = driver ? trace.fact(gpu, "memory_driver_gib", *gpu.memory_driver)
                       : trace.fact(gpu, "memory_gb", gpu.memory.value_or(Bytes(0)));
  auto weights = s.weights;
  if (kind == RoofKind::limit) {
    memory = named("perf.memory_of_chips", memory_of_chips(memory));
    weights = named("perf.weights_without_table", bytes_still_read(weights, s.input_table));
  }
  return named("perf.sequences_beside", sequences_beside(s.gpus, memory, weights, each));
}

template <class Tracer>
void name_limit(ServingRoof<Tracer>& roof) {
  const Seconds reading = value_of(roof.reading);
  const Seconds arithmetic = value_of(roof.arithmetic);
  const Seconds links = value_of(roof.links);
  roof.limited_by = reading >= arithmetic && reading >= links ? "memory-bandwidth"
                    : arithmetic >= links                     ? "arithmetic"
                                                              : "links";
}

/// Sequences of a replica that share a step: the batch; for what the deployment yields the requests in flight, never
/// more than fit, or as many as fit; for what one user sees a single one, as the others may wait or be in their prompt.
template <class Tracer>
Known<Tracer, double> in_flight(Tracer& trace, const Served<Tracer>& s, const ServingRoof<Tracer>& roof) {
  const ServingClaim& claim = s.claim;
  if (claim.static_batch)
    return named("perf.lane_sequences", lane_sequences(trace.input("/static_batch", *claim.static_batch), s.replicas));
  const bool fits = roof.fit && value_of(*roof.fit) >= 1;
  if (is_of_user(claim.metric)) return 1.0;
  if (!claim.concurrency) return fits ? *roof.fit : 1.0;
  const auto asked =
      named("perf.lane_sequences", lane_sequences(trace.input("/concurrency", *claim.concurrency), s.replicas));
  return fits ? named("perf.sequences_in_flight", admitted_concurrency(asked, *roof.fit)) : asked;
}

/// First token of one prompt.
template <class Tracer>
void first_token(Tracer& trace, const Served<Tracer>& s, RoofKind kind, const RoofRates<Tracer>& rates,
                 ServingRoof<Tracer>& roof) {
  roof.weights_read = read_weights(trace, s, kind, value_of(s.prompt));
  roof.kv_per_sequence = Bytes(0);
  roof.sequences = 1.0;
  roof.reading = reading_time(trace, s, kind, rates, roof.weights_read, Bytes(0));
  roof.arithmetic =
      work_time(trace, s, rates, named("perf.prompt_work", request_work(s.prompt, 0.0, s.linear, s.head)), true);
  roof.links = link_time(trace, s, kind, rates, s.prompt);
  roof.time = named("perf.ttft_bound", slowest_part(roof.reading, roof.arithmetic, roof.links));
}

/// Steps in which every sequence gets a token.
template <class Tracer>
void each_step(Tracer& trace, const Served<Tracer>& s, RoofKind kind, const RoofRates<Tracer>& rates,
               ServingRoof<Tracer>& roof) {
  roof.sequences = in_flight(trace, s, roof);
  roof.weights_read = read_weights(trace, s, kind, value_of(roof.sequences));
  roof.kv_per_sequence = s.kv_per_sequence;
  roof.reading = reading_time(trace, s, kind, rates, roof.weights_read,
                              named("perf.kv_of_step", kv_of_step(roof.sequences, roof.kv_per_sequence)));
  roof.arithmetic = work_time(trace, s, rates, named("perf.work_of_step", roof.sequences * (s.linear + s.head)), false);
  roof.links = link_time(trace, s, kind, rates, roof.sequences);
}

/// Whole requests: the prompt is work too, and the first token comes with it.
template <class Tracer>
void each_request(Tracer& trace, const Served<Tracer>& s, RoofKind kind, const RoofRates<Tracer>& rates,
                  ServingRoof<Tracer>& roof) {
  const ServingClaim& claim = s.claim;
  const auto output = trace.input("/output_tokens", *claim.output_tokens);
  const auto after = named("perf.tokens_after_first", tokens_after_first(output));
  roof.reading = named("perf.reading_of_request", after * roof.reading / roof.sequences);
  roof.arithmetic =
      work_time(trace, s, rates, named("perf.request_work", request_work(s.prompt, after, s.linear, s.head)), true);
  roof.links = link_time(trace, s, kind, rates, named("perf.request_tokens", s.prompt + after));
  const auto each = named("perf.request_bound", slowest_part(roof.reading, roof.arithmetic, roof.links));
  const auto tokens = claim.metric == SpeedMetric::total_tokens_per_s
                          ? named("perf.request_tokens", tokens_of(trace, "/input_tokens", claim.input_tokens) + output)
                          : output;
  roof.rate = named("perf.rate_bound", rate_of_replicas(s.replicas, tokens, each));
}

/// Absent where a rate is not known.
template <class Tracer>
std::optional<ServingRoof<Tracer>> serving_roof(Tracer& trace, const Catalog& catalog, const Served<Tracer>& s,
                                                RoofKind kind, std::vector<std::string>& assumptions) {
  const ServingClaim& claim = s.claim;
  ServingRoof<Tracer> roof;
  if (claim.input_tokens) roof.fit = fitting(trace, s, kind);
  if (claim.metric == SpeedMetric::max_batch) {
    if (kind == RoofKind::measured) return std::nullopt;
    roof.count = named("perf.batch_bound", *roof.fit * s.replicas);
    roof.limited_by = "memory";
    return roof;
  }
  const RoofRates<Tracer> rates = roof_rates(trace, catalog, s, kind, assumptions);
  if (!rates.weights || !rates.kv) return std::nullopt;
  if (kind == RoofKind::measured && (!rates.linear || !rates.attention)) return std::nullopt;
  if (claim.metric == SpeedMetric::ttft_s) {
    first_token(trace, s, kind, rates, roof);
  } else {
    each_step(trace, s, kind, rates, roof);
    const bool of_user = is_of_user(claim.metric);
    if (!of_user && claim.output_tokens) {
      each_request(trace, s, kind, rates, roof);
    } else {
      const auto step = named("perf.step_bound", slowest_part(roof.reading, roof.arithmetic, roof.links));
      if (claim.metric == SpeedMetric::tpot_s) {
        roof.time = step;
      } else if (of_user) {
        roof.rate = named("perf.user_rate_bound", steps_per_second(step));
      } else {
        const auto tokens = named("perf.tokens_of_step", s.replicas * roof.sequences);
        roof.rate = named("perf.rate_bound", rate_of_replicas(tokens, 1.0, step));
      }
    }
  }
  name_limit(roof);
  return roof;
}

}  // namespace claim_detail

/// Absent, with the reason in `problem`, where the catalog lacks the memory bandwidth.
template <class Tracer>
std::optional<ServingClaimCheck<Tracer>> check_claim(Tracer& trace, const Catalog& catalog, const ServingClaim& claim,
                                                     std::string& problem) {
  namespace detail = claim_detail;
  const WeightFormat* format = find_weight_format(catalog.weight_formats, claim.weight_precision);
  const Gpu& gpu = *claim.gpu;
  if (format == nullptr || !gpu.memory || !gpu.memory_bandwidth) {
    problem = "The catalog has no memory or memory bandwidth of " + gpu.name + ".";
    return std::nullopt;
  }
  // Roofs take the narrowest checkpoint: some mixtures are published narrow beside their experts too.
  WeightFormat narrowest = *format;
  narrowest.beside_experts_bits.reset();
  const detail::Served<Tracer> s = detail::served(trace, claim, narrowest);
  ServingClaimCheck<Tracer> check;
  check.claimed = detail::claimed_speed(trace, claim);
  check.weights = s.weights;
  if (claim.concurrency && is_of_user(claim.metric))
    check.assumptions.emplace_back(
        "Requests in flight may wait or be in their prompt, so a step is counted with one sequence; static_batch "
        "counts a batch.");
  if (claim.kv_precision.empty())
    check.assumptions.push_back("Keys and values are taken as " +
                                std::string(claimed_kv_element(claim, narrowest) > bytes(1) ? "16" : "8") +
                                " bits, the least that engines store by default with these weights.");
  check.bound = *detail::serving_roof(trace, catalog, s, RoofKind::bound, check.assumptions);
  check.limit = *detail::serving_roof(trace, catalog, s, RoofKind::limit, check.assumptions);
  const std::size_t known = check.assumptions.size();
  check.measured = detail::serving_roof(trace, catalog, s, RoofKind::measured, check.assumptions);
  const bool estimated = check.assumptions.size() > known;

  const Bytes memory = memory_of_chips(*gpu.memory) * value_of(s.gpus);
  const Bytes needed = value_of(s.weights) - value_of(s.input_table);
  const auto beyond = [&](double roof) {
    return less_is_faster(claim.metric) ? claim.claimed < roof : claim.claimed > roof;
  };
  const bool generates = !claim.output_tokens || *claim.output_tokens > 0;  // prompts alone need not stay
  if (needed > memory) {
    check.reasons.push_back(weights_beyond_memory(claim, needed, memory));
  } else if (generates && check.limit.fit &&
             value_of(*check.limit.fit) < std::max(1.0, claim.static_batch.value_or(1) / value_of(s.replicas))) {
    check.reasons.push_back(batch_beyond_memory(claim, needed, memory, value_of(*check.limit.fit)));
  } else if (beyond(check.limit.number())) {
    const ServingRoof<Tracer>& bound = check.bound;
    check.reasons.push_back(broken_speed(claim, {.bound = bound.number(),
                                                 .limited_by = bound.limited_by,
                                                 .weights = value_of(s.weights),
                                                 .weights_read = value_of(bound.weights_read),
                                                 .kv_read = value_of(bound.sequences) * value_of(bound.kv_per_sequence),
                                                 .sequences = value_of(bound.sequences)}));
  }
  if (!check.reasons.empty()) {
    check.verdict = ClaimVerdict::impossible;
  } else if (check.measured) {
    check.verdict = !beyond(check.measured->number()) ? ClaimVerdict::plausible
                    : estimated                       ? ClaimVerdict::unknown
                                                      : ClaimVerdict::unseen;
  } else if (claim.metric == SpeedMetric::max_batch) {
    check.verdict = beyond(check.bound.number()) ? ClaimVerdict::unseen : ClaimVerdict::plausible;
  }
  return check;
}

/// Changes of the claim that alone bring it below the limit, as merge patches of the request.
void add_ways_out(const Catalog& catalog, const ServingClaim& claim, std::vector<Infeasible>& reasons);

}  // namespace podwright
