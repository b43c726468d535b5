#pragma once
/// Time of one training step on one layout: a roofline for the layers of the fullest pipeline stage, the exchanges of
/// each parallel group, the bubble, the gradients and the optimizer. Parts sum to the whole.
/// docs/method/roofline.md#training.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "memory/in_flight.h"
#include "memory/infeasible.h"
#include "memory/training_memory.h"
#include "memory/training_run.h"
#include "model/flops.h"
#include "model/kv_cache.h"
#include "perf/ceilings.h"
#include "perf/collectives.h"
#include "perf/engine_step_formulas.h"
#include "perf/layout_rules.h"
#include "perf/pipeline.h"
#include "perf/serving_performance.h"
#include "perf/training_formulas.h"

namespace podwright {

/// The FLOP convention of mfu, hfu and model_tflops_per_gpu.
inline constexpr std::string_view kTrainingFlopsConvention =
    "causal attention; recompute counted in hfu only; gate of the MLP and output head counted; embedding lookup not "
    "counted; peak: dense data sheet";

template <class Tracer>
struct TrainingStep {
  using Time = typename Tracer::template Known<Seconds>;
  Time compute{};                 ///< matrix products, forward and backward
  Time attention{};               ///< core attention, forward and backward
  std::optional<Time> recompute;  ///< absent without recompute
  Time tensor_comm{};
  std::optional<Time> context_comm;  ///< absent with one context rank
  std::optional<Time> expert_comm;   ///< absent without expert parallelism
  Time pipeline_comm{};
  Time pipeline_bubble{};
  Time data_comm_exposed{};
  Time optimizer{};
  Time total{};
  typename Tracer::template Known<PerSecond> tokens_per_s{};
  typename Tracer::template Known<PerSecond> tokens_per_s_per_gpu{};
  typename Tracer::template Known<FlopsPerSecond> model_flops_per_gpu{};
  typename Tracer::template Known<double> mfu{};
  typename Tracer::template Known<double> hfu{};
  Binding binding;
};

/// Trainable parameters beside the model: the low-rank pairs of lora and qlora on all linear layers.
double adapter_parameters(const Model& model, const LayerStack& stack, double rank);
/// Precision of the matrix products of a training precision ("fp8" for mxfp8, "fp4" for nvfp4).
std::string_view training_gemm_precision(Precision precision);
/// Layers of the fullest stage, and whether it computes the output head.
struct FullestStage {
  double layers = 0;
  bool head = false;
};
FullestStage fullest_stage(const TrainingRun& run, double layers, double head_in_layers);
Binding training_binding(double compute, double attention, double recompute, double communication, double bubble,
                         double data, double optimizer, const std::string& gpu_name);
/// Why a run does not fit, and patches that lower its memory (not tried).
Infeasible training_shortfall(const Model& model, const TrainingRun& run, const Gpu& gpu, Bytes needed, Bytes capacity);
std::vector<std::string> training_not_modelled(const TrainingRun& run);

namespace training_speed {

/// Links of a group: ranks inside a node over the node's links, the rest over the network.
template <class Tracer>
struct GroupLinks {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> ranks{};
  Known<double> ranks_per_node{};
  Known<double> nodes{};
  Known<BytesPerSecond> inside{};
  Known<Seconds> inside_start{};
  Known<BytesPerSecond> across{};
  Known<Seconds> across_start{};
};

template <class Tracer>
class Links {
 public:
  template <class T>
  using Known = typename Tracer::template Known<T>;

  Links(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const System* system,
        std::vector<std::string>& assumptions)
      : trace_(trace),
        catalog_(catalog),
        gpu_(gpu),
        system_(system != nullptr ? system : system_with_network(catalog, gpu)),
        assumptions_(assumptions),
        node_(system != nullptr && system->gpu_count > 0 ? system->gpu_count : node_gpus(catalog, gpu)) {}

  /// `ranks` that stand `stride` GPUs apart. Absent, with the missing link in `problem`, where a link is not known.
  std::optional<GroupLinks<Tracer>> group(const Known<double>& ranks, double stride, std::string_view operation,
                                          std::string& problem) {
    const double count = value_of(ranks);
    double per_node = std::max(1.0, std::min(count, std::floor(node_ / stride)));
    while (per_node > 1 && std::fmod(count, per_node) != 0) per_node -= 1;
    GroupLinks<Tracer> links;
    links.ranks = ranks;
    links.ranks_per_node = trace_.method("perf.ranks_per_node", per_node, kLinkPage);
    links.nodes = trace_.step("perf.nodes_of_group", kEvenlyShared, ranks, links.ranks_per_node);
    if (per_node > 1) {
      const auto inside = node_ceiling(trace_, catalog_, gpu_, operation, per_node, assumptions_);
      const auto start = start_up_time(trace_, catalog_, gpu_, "all-reduce-latency", per_node, assumptions_);
      if (!inside || !start)
        return missing(problem, "no link between " + std::to_string(static_cast<int>(per_node)) + " " + gpu_.name +
                                    " of one node");
      links.inside = *inside;
      links.inside_start = *start;
    }
    if (per_node < count) {
      const auto across = system_ == nullptr ? std::nullopt : network_ceiling(trace_, catalog_, *system_);
      const auto start = start_up_time(trace_, catalog_, gpu_, "all-reduce-latency", count / per_node, assumptions_);
      if (!across || !start) return missing(problem, "no network between nodes with " + gpu_.name);
      links.across = *across;
      links.across_start = *start;
    }
    return links;
  }

  /// All-gather or reduce-scatter of `payload` (gathered size): first inside the nodes, then across with what is left
  /// for each rank.
  Known<Seconds> gather(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    return hierarchical(links, payload, kAllGatherTime);
  }
  Known<Seconds> all_reduce(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    return hierarchical(links, payload, kAllReduceTime);
  }
  Known<Seconds> all_to_all(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    Total<Tracer, Seconds> parts;
    if (value_of(links.ranks_per_node) > 1)
      parts.add(
          trace_.step("perf.all_to_all_inside", kPointToPointTime,
                      trace_.step("perf.sent_inside_node", kSentInsideNode, payload, links.ranks, links.ranks_per_node),
                      links.inside, links.inside_start));
    if (value_of(links.nodes) > 1)
      parts.add(trace_.step(
          "perf.all_to_all_across", kPointToPointTime,
          trace_.step("perf.sent_across_nodes", kSentAcrossNodes, payload, links.ranks, links.ranks_per_node),
          links.across, links.across_start));
    return parts.sum(trace_, "perf.all_to_all_time");
  }
  Known<Seconds> send(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    if (value_of(links.nodes) > 1)
      return trace_.step("perf.send_across", kPointToPointTime, payload, links.across, links.across_start);
    return trace_.step("perf.send_inside", kPointToPointTime, payload, links.inside, links.inside_start);
  }

 private:
  std::nullopt_t missing(std::string& problem, std::string what) {
    problem = std::move(what);
    return std::nullopt;
  }

  template <class F>
  Known<Seconds> hierarchical(const GroupLinks<Tracer>& links, const Known<Bytes>& payload, const F& formula) {
    Total<Tracer, Seconds> parts;
    if (value_of(links.ranks_per_node) > 1)
      parts.add(trace_.step("perf.collective_inside", formula, links.ranks_per_node, payload, links.inside,
                            links.inside_start));
    if (value_of(links.nodes) > 1) {
      const auto left = trace_.step("perf.payload_across_nodes", kPayloadAcrossNodes, payload, links.ranks_per_node);
      parts.add(trace_.step("perf.collective_across", formula, links.nodes, left, links.across, links.across_start));
    }
    return parts.sum(trace_, "perf.collective_time");
  }

  Tracer& trace_;
  const Catalog& catalog_;
  const Gpu& gpu_;
  const System* system_;
  std::vector<std::string>& assumptions_;
  double node_;
};

}  // namespace training_speed

/// Nothing and the reasons where the layout is not legal or the catalog lacks a rate or a link. `system` may be null:
/// then a catalog system with this GPU gives the network.
template <class Tracer>
std::optional<TrainingStep<Tracer>> training_step(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                  const Model& model, const LayerStack& stack, const TrainingRun& run,
                                                  const System* system, std::vector<std::string>& assumptions,
                                                  std::vector<Infeasible>& reasons) {
  using Time = typename Tracer::template Known<Seconds>;
  const TrainingParallelism& p = run.parallelism;
  const auto refuse = [&](std::string code, std::string message, std::vector<std::string> ways_out) {
    reasons.push_back({.code = std::move(code),
                       .message = std::move(message),
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = std::move(ways_out)});
    return std::nullopt;
  };
  if (!legal_layout(model, run)) {
    for (Infeasible& problem : training_layout_problems(model, run)) reasons.push_back(std::move(problem));
    return std::nullopt;
  }
  if (run.offload != Offload::none)
    return refuse("not-modelled", "Step time with offloaded states is not modelled.", {merge_patch("offload", "none")});
  if (run.parallelism.shard == Shard::hybrid && p.zero_stage >= 3)
    return refuse("not-modelled", "Step time with hybrid sharding is not modelled.",
                  {merge_patch("parallelism.shard", "full")});

  const std::string wanted(training_gemm_precision(run.precision));
  const std::string precision = gemm_precision(gpu, wanted);
  const std::string wide = gemm_precision(gpu, wanted == "fp32" ? "fp32" : (wanted == "tf32" ? "tf32" : "bf16"));
  if (precision != wanted && !(wanted == "bf16" && precision == "fp16")) {
    return refuse("format-not-supported", gpu.name + " has no " + wanted + " matrix products.",
                  {merge_patch("precision", "bf16"), merge_patch("precision", "fp16")});
  }
  if (precision != wanted) assumptions.push_back(wanted + " is computed at the fp16 rate on " + gpu.name + ".");
  const auto gemm = gemm_ceiling(trace, catalog, gpu, precision, assumptions);
  const auto head_gemm = gemm_ceiling(trace, catalog, gpu, wide, assumptions);
  const auto attention_rate = attention_ceiling(trace, catalog, gpu, assumptions);
  const auto memory_rate = memory_ceiling(trace, catalog, gpu, "weight-streaming", "bf16", assumptions);
  const auto peak_entry = gpu.peak_dense_flops.find(precision);
  if (!gemm || !head_gemm || !attention_rate || !memory_rate || peak_entry == gpu.peak_dense_flops.end())
    return refuse("rate-unknown", "The catalog has no rate of matrix products or of memory for " + gpu.name + ".", {});

  const char* const page = "docs/method/roofline.md#training";
  const auto tensor = trace.input("/parallelism/tensor", p.tensor);
  const auto pipeline = trace.input("/parallelism/pipeline", p.pipeline);
  const auto chunks = trace.input("/parallelism/virtual_pipeline", p.virtual_pipeline);
  const auto context = trace.input("/parallelism/context", p.context);
  const auto data = trace.input("/parallelism/data", p.data);
  const auto sequence = trace.input("/sequence_length", run.sequence_length);
  const auto micro_batch = trace.input("/micro_batch_size", run.micro_batch_size);
  const auto global_batch = trace.input("/global_batch_size", run.global_batch_size);
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto layers = trace.fact(model, "layers", model.layers);
  const auto two_bytes = trace.constant("bytes_of_16_bit", 2.0, "definition");
  const auto count_of = [&](std::string_view id, double value) { return trace.method(id, value, page); };
  const auto gpus =
      trace.step("perf.gpus", kCountProduct, trace.step("perf.gpus_of_stage_pair", kCountProduct, tensor, pipeline),
                 trace.step("perf.gpus_of_context_and_data", kCountProduct, context, data));
  const bool adapters = run.method != TrainingMethod::full;
  const double repeated = run.activation_recompute == Recompute::full ? 1 : 0;

  // Work of one micro-batch on the fullest stage.
  const FlopsPerToken<Tracer> flops = flops_per_token(trace, model, stack, FlopsConvention{}, sequence);
  const auto tokens =
      trace.step("perf.micro_batch_tokens_per_gpu", kMicroBatchTokensPerGpu, sequence, micro_batch, tensor, context);
  const auto layer_forward = trace.step("perf.layer_forward_work", kForwardFlops,
                                        sum_of(trace, "perf.layer_flops", flops.mixer_projections, flops.mlp));
  const double head_in_layers =
      value_of(flops.output_head) / (value_of(sum_of(trace, "perf.layer_flops_with_attention", flops.mixer_projections,
                                                     flops.mlp, flops.core_attention)) /
                                     model.layers);
  const FullestStage fullest = fullest_stage(run, model.layers, head_in_layers);
  const auto stage_layers_count = count_of("perf.layers_of_fullest_stage", fullest.layers);
  const auto stage_forward =
      trace.step("perf.stage_forward_work", kStageWork, layer_forward, stage_layers_count, layers, tokens);
  const auto attention_forward =
      trace.step("perf.stage_attention_work", kStageWork,
                 trace.step("perf.attention_forward_work", kForwardFlops, flops.core_attention), stage_layers_count,
                 layers, tokens);
  const ParameterParts<Tracer> parts = parameter_parts(trace, model, stack);
  const auto dense = sum_of(trace, "perf.dense_parameters", parts.attention, parts.dense_mlp, parts.shared_experts,
                            parts.router, parts.norms, parts.other, parts.embedding, parts.output_head);
  const auto expert_ranks = count_of("perf.expert_ranks", p.expert * p.expert_tensor);
  const auto dense_here = trace.step("perf.dense_parameters_per_gpu", kParametersPerGpu, dense, tensor, pipeline);
  const auto experts_here =
      trace.step("perf.expert_parameters_per_gpu", kParametersPerGpu, parts.experts, expert_ranks, pipeline);
  const auto weights = trace.step("perf.weights_read", kPayloadOf,
                                  sum_of(trace, "perf.parameters_per_gpu", dense_here, experts_here), two_bytes);
  const auto forward =
      trace.step("perf.stage_forward_time", kRooflineTime, stage_forward, *gemm, weights, *memory_rate);
  const auto attention_pass =
      trace.step("perf.attention_forward_time", kComputeTime, attention_forward, *attention_rate);
  const auto passes = trace.constant(adapters ? "passes_with_frozen_weights" : "passes", adapters ? 2.0 : 3.0,
                                     adapters ? "forward, backward to inputs: weights are frozen"
                                              : "forward, backward to inputs, backward to weights");
  const auto attention_passes = trace.constant(
      "attention_passes", 3.5, "flash attention: 2 matrix products forward, 5 backward (arXiv 2307.08691 section 4.1)");
  Total<Tracer, Seconds> compute_parts;
  compute_parts.add(trace.step("perf.layers_time", kPassesTime, passes, forward));
  if (fullest.head) {
    const auto head_work = trace.step("perf.head_work", kWorkOfTokens,
                                      trace.step("perf.head_forward_work", kForwardFlops, flops.output_head), tokens);
    compute_parts.add(trace.step("perf.head_time", kPassesTime, passes,
                                 trace.step("perf.head_forward_time", kComputeTime, head_work, *head_gemm)));
  }
  const Time compute_each = compute_parts.sum(trace, "perf.compute_per_micro_batch");
  const Time attention_each =
      trace.step("perf.attention_per_micro_batch", kPassesTime, attention_passes, attention_pass);
  Total<Tracer, Seconds> recompute_parts;
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
  const bool alternate = recipe && recipe.stack->selective == SelectiveRecompute::alternate_products;
  if (run.activation_recompute == Recompute::full) recompute_parts.add(forward);
  if (run.activation_recompute == Recompute::selective && alternate)
    recompute_parts.add(trace.step("perf.alternate_products", kPassesTime,
                                   trace.constant("every_second_product", 0.5, "selective recompute of the framework"),
                                   forward));
  if (run.activation_recompute == Recompute::full || (run.activation_recompute == Recompute::selective && !alternate))
    recompute_parts.add(attention_pass);
  const Time recompute_each = recompute_parts.sum(trace, "perf.recompute_per_micro_batch");

  // Exchanges of one micro-batch.
  training_speed::Links<Tracer> links(trace, catalog, gpu, system, assumptions);
  std::string problem;
  double moe_share = 0;
  for (const LayerKind& kind : stack.kinds)
    if (kind.mlp == MlpKind::moe) moe_share += kind.count / model.layers;
  const bool expert_exchange = p.expert > 1;
  const bool experts_leave_tensor = moe_share > 0 && p.expert_tensor < p.tensor;
  Total<Tracer, Seconds> tensor_parts;
  if (p.tensor > 1) {
    const auto group =
        links.group(tensor, 1, p.sequence_parallel ? "all-gather-bus-bandwidth" : "all-reduce-bus-bandwidth", problem);
    if (!group)
      return refuse("link-unknown", "The catalog knows " + problem + ".", {merge_patch("parallelism.tensor", 1.0)});
    const auto payload = trace.step("perf.tensor_payload", kTensorPayload, tokens, tensor, hidden, two_bytes);
    const double per_layer = (experts_leave_tensor ? 1.0 - moe_share / 2.0 : 1.0) * (p.sequence_parallel ? 8.0 : 4.0) *
                             (1.0 + repeated / 2.0);
    const auto exchanges = trace.step("perf.tensor_exchanges", kCountProduct, stage_layers_count,
                                      count_of("perf.tensor_exchanges_per_layer", per_layer));
    tensor_parts.add(
        trace.step("perf.tensor_exchange_time", kRepeatedTime, exchanges,
                   p.sequence_parallel ? links.gather(*group, payload) : links.all_reduce(*group, payload)));
  }
  const Time tensor_each = tensor_parts.sum(trace, "perf.tensor_comm_per_micro_batch");
  Total<Tracer, Seconds> context_parts;
  if (p.context > 1) {
    const auto group = links.group(context, p.tensor, "all-gather-bus-bandwidth", problem);
    if (!group)
      return refuse("link-unknown", "The catalog knows " + problem + ".", {merge_patch("parallelism.context", 1.0)});
    const KvStore store{.element = bytes(2), .tensor = p.tensor, .indexer = false};
    const auto per_token = kv_bytes_per_token(trace, model, stack, all_layers(stack), store);
    const auto payload = trace.step("perf.context_payload", kContextPayload, sequence, micro_batch, per_token);
    const double times_per_layer = (3.0 + repeated) * fullest.layers / model.layers;
    context_parts.add(trace.step("perf.context_exchange_time", kRepeatedTime,
                                 count_of("perf.context_exchanges", times_per_layer), links.gather(*group, payload)));
  }
  const Time context_each = context_parts.sum(trace, "perf.context_comm_per_micro_batch");
  Total<Tracer, Seconds> expert_parts;
  if (expert_exchange) {
    const auto group =
        links.group(trace.input("/parallelism/expert", p.expert), p.expert_tensor, "all-to-all-bus-bandwidth", problem);
    if (!group)
      return refuse("link-unknown", "The catalog knows " + problem + ".", {merge_patch("parallelism.expert", 1.0)});
    const double duplicates = p.sequence_parallel && p.expert_tensor < p.tensor ? 1.0 : p.tensor;
    const auto sent =
        trace.step("perf.dispatched_tokens", kCountProduct, tokens, count_of("perf.copies_of_tokens", duplicates));
    const auto payload = trace.step("perf.dispatch_payload", kDispatchPayload, sent,
                                    trace.fact(model, "experts_per_token", model.experts_per_token), hidden, two_bytes);
    const auto exchanges = count_of("perf.expert_exchanges", moe_share * fullest.layers * (4.0 + 2.0 * repeated));
    expert_parts.add(
        trace.step("perf.expert_exchange_time", kRepeatedTime, exchanges, links.all_to_all(*group, payload)));
  }
  const Time expert_each = expert_parts.sum(trace, "perf.expert_comm_per_micro_batch");
  Total<Tracer, Seconds> send_parts;
  if (p.pipeline > 1) {
    const auto two_ranks = trace.constant("sender_and_receiver", 2.0, "definition");
    const auto group = links.group(two_ranks, p.tensor * p.context * p.data, "all-gather-bus-bandwidth", problem);
    if (!group)
      return refuse("network-unknown", "The catalog knows " + problem + ".",
                    {merge_patch("parallelism.pipeline", 1.0)});
    const auto payload = trace.step(
        "perf.tensor_payload", kTensorPayload, tokens,
        trace.constant("own_part", 1.0, "scatter before the send: arXiv 2104.04473 section 4.1"), hidden, two_bytes);
    const auto sends = trace.step("perf.sends_per_micro_batch", kCountProduct, two_ranks, chunks);
    send_parts.add(trace.step("perf.send_time", kRepeatedTime, sends, links.send(*group, payload)));
  }
  const Time send_each = send_parts.sum(trace, "perf.pipeline_comm_per_micro_batch");

  // The step.
  TrainingStep<Tracer> step;
  const auto count = trace.step("perf.micro_batches", kMicroBatchesPerStep, global_batch, micro_batch, data);
  const auto all = [&](std::string_view id, const Time& each) {
    return trace.step(id, kMicroBatchesTime, count, each);
  };
  step.compute = all("perf.compute", compute_each);
  step.attention = all("perf.attention", attention_each);
  if (run.activation_recompute != Recompute::none) step.recompute = all("perf.recompute", recompute_each);
  step.tensor_comm = all("perf.tensor_comm", tensor_each);
  if (p.context > 1) step.context_comm = all("perf.context_comm", context_each);
  if (expert_exchange) step.expert_comm = all("perf.expert_comm", expert_each);
  step.pipeline_comm = all("perf.pipeline_comm", send_each);
  const Time stage_time = sum_of(trace, "perf.stage_time", compute_each, attention_each, recompute_each, tensor_each,
                                 context_each, expert_each);
  switch (run.schedule) {
    case Schedule::zb_2p:
      step.pipeline_bubble = trace.constant("zero_bubble", Seconds(0), "arXiv 2401.10241 section 3.2");
      break;
    case Schedule::zb_h1:
    case Schedule::zb_1p: {
      const auto third = trace.step(
          "perf.third_of_stage_time", kRepeatedTime,
          trace.constant("one_third", 1.0 / 3.0, "forward, backward to inputs and to weights taken as equal"),
          stage_time);
      step.pipeline_bubble = trace.step("perf.pipeline_bubble", kBubbleTimeZbH1, pipeline, third, third, third);
      break;
    }
    case Schedule::gpipe:
    case Schedule::one_f_one_b:
    case Schedule::interleaved:
      step.pipeline_bubble = trace.step("perf.pipeline_bubble", kBubbleTime, pipeline, chunks, stage_time);
      break;
  }

  // Gradients and optimizer.
  const double data_ranks = p.data * p.context;
  const double expert_data_ranks = p.tensor * p.context * p.data / (p.expert * p.expert_tensor);
  const auto adapter_total =
      count_of("perf.adapter_parameters", adapters ? adapter_parameters(model, stack, run.lora_rank) : 0.0);
  const auto adapter_here =
      trace.step("perf.adapter_parameters_per_gpu", kParametersPerGpu, adapter_total, tensor, pipeline);
  const auto trained_dense = adapters ? adapter_here : dense_here;
  Total<Tracer, Seconds> data_parts;
  Total<Tracer, double> updated;
  const auto exchange = [&](const auto& trained, const auto& gathered, double ranks, double stride) -> bool {
    const auto known_ranks = count_of("perf.data_ranks", ranks);
    const bool sharded = p.zero_stage >= 1;
    updated.add(sharded ? trace.step("perf.updated_parameters", kEvenlyShared, trained, known_ranks) : trained);
    if (ranks <= 1) return true;
    const auto group =
        links.group(known_ranks, stride, sharded ? "all-gather-bus-bandwidth" : "all-reduce-bus-bandwidth", problem);
    if (!group) return false;
    const auto four_bytes = trace.constant("bytes_of_gradient", 4.0, "gradients are reduced in fp32");
    const auto gradients = trace.step("perf.gradient_payload", kPayloadOf, trained, four_bytes);
    const auto values = trace.step("perf.parameter_payload", kPayloadOf, gathered, two_bytes);
    if (!sharded) {
      data_parts.add(links.all_reduce(*group, gradients));
    } else if (p.zero_stage < 3) {
      data_parts.add(links.gather(*group, gradients));
      data_parts.add(links.gather(*group, trace.step("perf.parameter_payload", kPayloadOf, trained, two_bytes)));
    } else {
      const auto twice = trace.constant("gathers_per_micro_batch", 2.0,
                                        "once before forward, once before backward: arXiv 1910.02054 section 7.2");
      data_parts.add(all("perf.gradient_scatter", links.gather(*group, gradients)));
      data_parts.add(all("perf.parameter_gather",
                         trace.step("perf.two_gathers", kRepeatedTime, twice, links.gather(*group, values))));
    }
    return true;
  };
  const bool has_experts = model.experts > 0;
  if (!exchange(trained_dense, dense_here, data_ranks, p.tensor) ||
      (has_experts && (!adapters || p.zero_stage >= 3) &&
       !exchange(adapters ? trace.constant("no_expert_adapters", 0.0, "counted with the dense layers") : experts_here,
                 experts_here, expert_data_ranks, p.expert * p.expert_tensor)))
    return refuse("network-unknown", "The catalog knows " + problem + ".", {merge_patch("parallelism.data", 1.0)});
  const Time data_comm = data_parts.sum(trace, "perf.data_comm");
  const auto hidden_behind = p.zero_stage >= 3 ? sum_of(trace, "perf.hiding_compute", step.compute, step.attention)
                                               : trace.constant("nothing_hides_it", Seconds(0), page);
  step.data_comm_exposed = trace.step("perf.data_comm_exposed", kExposedTime, data_comm, hidden_behind);
  const bool adam = run.optimizer == Optimizer::adamw;
  const auto update_bytes = trace.constant(
      adam ? "adamw_bytes_per_parameter" : "sgd_bytes_per_parameter", adam ? 30.0 : 22.0,
      adam ? "reads fp32 gradient, master weight and two moments, writes the last three and the 16-bit weight"
           : "reads fp32 gradient, master weight and momentum, writes the last two and the 16-bit weight");
  step.optimizer = trace.step("perf.optimizer", kOptimizerTime, updated.sum(trace, "perf.updated_parameters_per_gpu"),
                              update_bytes, *memory_rate);

  Total<Tracer, Seconds> total;
  for (const Time& part : {step.compute, step.attention, step.tensor_comm, step.pipeline_comm, step.pipeline_bubble,
                           step.data_comm_exposed, step.optimizer})
    total.add(part);
  for (const std::optional<Time>& part : {step.recompute, step.context_comm, step.expert_comm})
    if (part) total.add(*part);
  step.total = total.sum(trace, "perf.step_time");

  const auto tokens_of_step = trace.step("perf.tokens_per_step", kTokensPerStep, global_batch, sequence);
  step.tokens_per_s = trace.step("perf.tokens_per_s", kTokensPerSecond, tokens_of_step, step.total);
  step.tokens_per_s_per_gpu = trace.step("perf.tokens_per_s_per_gpu", kRatePerGpu, step.tokens_per_s, gpus);
  const auto matmul =
      sum_of(trace, "perf.matmul_flops_per_token", flops.mixer_projections, flops.mlp, flops.output_head);
  const auto counted =
      sum_of(trace, "perf.model_flops_per_token",
             adapters ? trace.step("perf.frozen_flops", kFrozenWeightWork, matmul) : matmul, flops.core_attention);
  const auto model_work = trace.step("perf.model_flops", kFlopsOfTokens, counted, tokens_of_step);
  const auto attention_work_of_step =
      trace.step("perf.attention_flops", kFlopsOfTokens, flops.core_attention, tokens_of_step);
  const auto hardware_work =
      run.activation_recompute == Recompute::full
          ? trace.step("perf.hardware_flops", kHardwareFlopsFullRecompute, model_work)
      : run.activation_recompute == Recompute::selective
          ? trace.step("perf.hardware_flops", kHardwareFlopsSelectiveRecompute, model_work, attention_work_of_step)
          : model_work;
  const auto peak = trace.fact(gpu, "peak_dense_tflops." + precision, peak_entry->second);
  step.model_flops_per_gpu = trace.step("perf.model_flops_per_gpu", kAchievedRate, model_work, step.total, gpus);
  step.mfu = trace.step("perf.mfu", kFlopsUtilisation, model_work, step.total, gpus, peak);
  step.hfu = trace.step("perf.hfu", kFlopsUtilisation, hardware_work, step.total, gpus, peak);
  const auto seconds_of = [](const std::optional<Time>& part) { return part ? value_of(*part).base_units() : 0.0; };
  step.binding = training_binding(seconds_of(step.compute), seconds_of(step.attention), seconds_of(step.recompute),
                                  seconds_of(step.tensor_comm) + seconds_of(step.context_comm) +
                                      seconds_of(step.expert_comm) + seconds_of(step.pipeline_comm),
                                  seconds_of(step.pipeline_bubble), seconds_of(step.data_comm_exposed),
                                  seconds_of(step.optimizer), gpu.name);
  return step;
}

}  // namespace podwright
