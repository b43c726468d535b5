#pragma once
/// Time of one training step on one layout: kernels of a layer with their shapes, exchanges of each parallel group, the
/// pipeline with its bubble, gradients and optimizer. Parts sum to the whole. docs/method/training_time.md.
///
///   TrainingStepModel<NoTrace> model(trace, catalog, efficiency, gpu, llama, stack, run, system);
///   model.layer(run);                         // per tensor, context, expert, micro-batch and recompute
///   TrainingStep<NoTrace> step = model.step(run);  // per pipeline, data, schedule and ZeRO stage: plain arithmetic
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "catalog/catalog.h"
#include "memory/in_flight.h"
#include "memory/training_memory.h"
#include "memory/training_run.h"
#include "model/flops.h"
#include "model/parameters.h"
#include "perf/layout_rules.h"
#include "perf/training_arithmetic.h"
#include "perf/training_layer.h"

namespace podwright {

template <class Tracer>
struct TrainingStep {
  using Time = Known<Tracer, Seconds>;
  Time compute{};    ///< matrix products and what streams beside them, forward and backward
  Time attention{};  ///< core attention, forward and backward
  Time recompute{};  ///< zero without recompute
  Time tensor_comm{};
  Time context_comm{};
  Time expert_comm{};
  Time pipeline_comm{};
  Time pipeline_bubble{};
  Time data_comm_exposed{};
  Time optimizer{};
  Time other{};  ///< host, and what is lost to scale
  Time total{};
  Known<Tracer, PerSecond> tokens_per_s{};
  Known<Tracer, PerSecond> tokens_per_s_per_gpu{};
  Known<Tracer, FlopsPerSecond> model_flops_per_gpu{};
  Known<Tracer, double> mfu{};
  Known<Tracer, double> hfu{};
  Binding binding;
};

/// Trainable parameters beside the model: the low-rank pairs of lora and qlora.
double adapter_parameters(const Model& model, const LayerStack& stack, const TrainingRun& run);
Binding training_binding(double compute, double attention, double recompute, double communication, double bubble,
                         double data, double optimizer, double other, const std::string& gpu_name);
/// Why a run does not fit, and patches that lower its memory (not tried).
Infeasible training_shortfall(const Model& model, const TrainingRun& run, const Gpu& gpu, Bytes needed, Bytes capacity);
std::vector<std::string> training_not_modelled(const Catalog& catalog, const TrainingRun& run);
/// What no formula of time covers; empty when all is well.
std::vector<Infeasible> training_time_gaps(const TrainingRun& run);

template <class Tracer>
class TrainingStepModel {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  using Time = Known<Seconds>;
  using Link = typename TrainingRates<Tracer>::Link;

  /// `run` gives what is no layout. Everything given is kept by reference; `rates` must not be refused.
  TrainingStepModel(Tracer& trace, const Catalog& catalog, const TrainingEfficiency& efficiency,
                    TrainingRates<Tracer>& rates, const Model& model, const LayerStack& stack, const TrainingRun& run)
      : trace_(trace),
        rates_(rates),
        model_(model),
        layers_(trace, rates, efficiency, software_traits(catalog, efficiency, model, run), model, stack, run,
                training_recipe(catalog.training_recipes, run)),
        constants_(layers_.constants()) {
    const SoftwareTraits& traits = layers_.traits();
    adapters_ = run.method != TrainingMethod::full;
    keeps_gathered_ = keeps_gathered(catalog, run);
    two_bytes_ = trace.constant("bytes_of_16_bit", 2.0, "definition");
    const double gradient = traits.kernels == KernelSet::unfused || traits.kernels == KernelSet::eager ? 2.0 : 4.0;
    gradient_bytes_ = trace.constant("bytes_of_gradient", gradient, "precision in which the framework reduces");
    const auto parts = parameter_parts(trace, model, stack);
    dense_ = sum_of(trace, "perf.dense_parameters", parts.attention, parts.dense_mlp, parts.shared_experts,
                    parts.router, parts.norms, parts.other, parts.embedding, parts.output_head);
    experts_ = parts.experts;
    adapter_ = trace.method("perf.adapter_parameters", adapters_ ? adapter_parameters(model, stack, run) : 0.0, kPage);
    optimizer_bytes_ = run.optimizer == Optimizer::adamw
                           ? constants_(Efficiency::optimizer_bytes)
                           : named("perf.sgd_bytes", constants_(Efficiency::optimizer_bytes) *
                                                         constants_(Efficiency::optimizer_bytes_sgd));
    const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
    if (recipe && run.offload_target == OffloadTarget::nvme)
      states_on_drives_ = optimizer_bytes(trace, recipe, run.optimizer);
    if (recipe && recipe.stack->optimizer_passes > 0 && run.optimizer == Optimizer::adamw) {
      const double width =
          raw(adapters_ && recipe.bytes().adapter > Bytes(0) ? recipe.bytes().adapter : recipe.bytes().weight);
      optimizer_bytes_ =
          named("perf.optimizer_bytes", trace.fact(*recipe.stack, "optimizer_passes", recipe.stack->optimizer_passes) *
                                            trace.constant("trained_width", width, "bytes of a value that is trained"));
    }
    const bool eager = traits.kernels == KernelSet::eager;
    shard_window_ = constants_(eager ? Efficiency::shard_window_eager : Efficiency::shard_window);
    shard_interference_ = constants_(traits.kernels == KernelSet::unfused ? Efficiency::shard_interference_zero_3
                                     : eager                              ? Efficiency::shard_interference_eager
                                                                          : Efficiency::shard_interference);
    data_exposed_ = traits.kernels == KernelSet::unfused || !run.overlap
                        ? 1.0
                        : constants_(eager ? Efficiency::data_exposed_eager : Efficiency::data_exposed);
    const auto pipeline = constants_(Efficiency::pipeline_exposed);
    pipeline_exposed_ =
        traits.fused() ? named("perf.overlapped_transfers", pipeline * constants_(Efficiency::pipeline_exposed_fused))
                       : pipeline;
    const auto host = constants_.seconds(Efficiency::micro_batch_s);
    micro_batch_time_ =
        traits.fused() ? named("perf.micro_batch_host", host * constants_(Efficiency::micro_batch_fused)) : host;
    step_time_ = constants_.seconds(Efficiency::step_s);
    scale_loss_ = constants_(Efficiency::scale_loss);
    const auto sequence = run.attention_tokens > 0 ? trace.input("/attention_tokens", run.attention_tokens)
                                                   : trace.input("/sequence_length", run.sequence_length);
    FlopsConvention convention{};
    convention.multi_token_depths = run.multi_token_depths;
    const FlopsPerToken<Tracer> flops = flops_per_token(trace, model, stack, convention, sequence);
    const auto matmul = sum_of(trace, "perf.matmul_flops_per_token", flops.mixer_projections, flops.mlp,
                               flops.output_head, flops.multi_token);
    attention_flops_ = flops.core_attention;
    model_flops_ =
        sum_of(trace, "perf.model_flops_per_token",
               adapters_ ? named("perf.frozen_flops", frozen_weight_work(matmul)) : matmul, flops.core_attention);
  }

  /// Times of a layer for the outer parts of a layout. False where a link is not known: missing() tells it.
  bool layer(const TrainingRun& run) {
    if (!layers_.mean_layer(run, layer_)) return false;
    head_ = layers_.head();
    return true;
  }
  std::string missing_code() {
    if (host_missing_) return "link-unknown";
    return layers_.links().missing_ranks() > 0 ? "link-unknown" : "network-unknown";
  }
  Message missing() {
    const auto gpu = "gpu"_v = rates_.gpu().name;
    if (host_missing_) return say("no-link/host", gpu);
    const double ranks = layers_.links().missing_ranks();
    return ranks > 0 ? say("no-link/inside", "gpus"_v = ranks, gpu) : say("no-link/network", gpu);
  }

  /// The step of a legal layout whose outer parts layer() saw last. False where a link is not known.
  bool step(const TrainingRun& run, TrainingStep<Tracer>& step) {
    const TrainingParallelism& p = run.parallelism;
    link_missing_ = false;
    host_missing_ = false;
    const auto micro_batches = micro_batches_of(trace_, run);
    const auto pipeline = trace_.input("/parallelism/pipeline", p.pipeline);
    const auto chunks = trace_.input("/parallelism/virtual_pipeline", p.virtual_pipeline);
    const auto global_batch = trace_.input("/global_batch_size", run.global_batch_size);
    const auto sequence = trace_.input("/sequence_length", run.sequence_length);

    // The longest stage and the mean one.
    const Time transfers = stage_transfers_of(run, chunks);
    const Time every = sum_of(trace_, "perf.layer_time", pass_time(layer_.compute_forward, layer_.compute_backward),
                              pass_time(layer_.attention_forward, layer_.attention_backward), layer_.repeated,
                              exchanges(run, layer_.tensor), context(run), exchanges(run, layer_.expert), host());
    const StageTotals counts = stage_totals(model_.layers, stage_split(run));
    const double heads = 1.0 + run.multi_token_depths;
    const double last_layers = counts.last + run.multi_token_depths;
    const double middle_time = counts.middle * value_of(every).base_units();
    const double last_time = last_layers * value_of(every).base_units() + heads * value_of(head_).base_units();
    const bool last = last_time >= middle_time;
    const auto here = trace_.method("perf.layers_of_longest_stage", last ? last_layers : counts.middle, kPage);
    const Time head = last
                          ? named("perf.heads_time",
                                  trace_.constant("output_heads", heads, "one, and one per multi-token module") * head_)
                          : Seconds(0);
    const auto of_stage = [&](std::string_view id, const Time& each) { return named(id, here * each); };
    const Time compute =
        sum_of(trace_, "perf.stage_compute",
               of_stage("perf.stage_layers_compute", pass_time(layer_.compute_forward, layer_.compute_backward)), head);
    const Time attention =
        of_stage("perf.stage_attention", pass_time(layer_.attention_forward, layer_.attention_backward));
    const Time repeated = of_stage("perf.stage_repeated", layer_.repeated);
    const Time tensor = of_stage("perf.stage_tensor", exchanges(run, layer_.tensor));
    const Time context_time = of_stage("perf.stage_context", context(run));
    const Time expert = of_stage("perf.stage_expert", exchanges(run, layer_.expert));
    const Time host_time =
        sum_of(trace_, "perf.stage_host", of_stage("perf.stage_host_layers", host()), micro_batch_time_);
    const Time stage = sum_of(trace_, "perf.stage_time", compute, attention, repeated, tensor, context_time, expert,
                              host_time, transfers);
    const auto all = [&](std::string_view id, const Time& each) {
      return named(id, micro_batches_time(micro_batches, each));
    };
    step.compute = all("perf.compute", compute);
    step.attention = all("perf.attention", attention);
    step.recompute = all("perf.recompute", repeated);
    step.tensor_comm = all("perf.tensor_comm", tensor);
    step.context_comm = all("perf.context_comm", context_time);
    step.expert_comm = all("perf.expert_comm", expert);
    step.pipeline_comm = all("perf.pipeline_comm", transfers);
    const Time busy_host = all("perf.host", host_time);

    step.pipeline_bubble = bubble(run, value_of(micro_batches), pipeline, chunks, every, transfers, stage);

    if (!exchange_of_gradients(run, micro_batches, stage, pipeline, step)) return false;

    const Time before = sum_of(trace_, "perf.step_before_scale", step.compute, step.attention, step.recompute,
                               step.tensor_comm, step.context_comm, step.expert_comm, step.pipeline_comm,
                               step.pipeline_bubble, step.data_comm_exposed, step.optimizer, busy_host, step_time_);
    const double gpus = gpus_of(p);
    const auto doublings = trace_.method("perf.doublings_beyond_node", doublings_of(gpus), kPage);
    const Time lost = named("perf.lost_to_scale", lost_to_scale(before, scale_loss_, doublings));
    const auto tokens_of_step = named("perf.tokens_per_step", global_batch * sequence);
    const Time fastest = named("perf.fastest_step",
                               fastest_time(hardware_flops(run, tokens_of_step),
                                            trace_.method("perf.gpus_of_layout", gpus, kPage), rates_.best_products()));
    step.other = sum_of(trace_, "perf.other", busy_host, step_time_, lost,
                        named("perf.beyond_measured_rate",
                              missing_time(fastest, sum_of(trace_, "perf.step_with_losses", before, lost))));
    step.total = sum_of(trace_, "perf.step_time", step.compute, step.attention, step.recompute, step.tensor_comm,
                        step.context_comm, step.expert_comm, step.pipeline_comm, step.pipeline_bubble,
                        step.data_comm_exposed, step.optimizer, step.other);
    step.tokens_per_s = named("perf.tokens_per_s", tokens_of_step / step.total);
    return true;
  }

  /// Rates per GPU and what binds, of a step; not needed while a search compares layouts.
  void finish(const TrainingRun& run, TrainingStep<Tracer>& step) {
    const TrainingParallelism& p = run.parallelism;
    const auto gpus =
        named("perf.gpus", named("perf.gpus_of_stage_pair", trace_.input("/parallelism/tensor", p.tensor) *
                                                                trace_.input("/parallelism/pipeline", p.pipeline)) *
                               named("perf.gpus_of_context_and_data", trace_.input("/parallelism/context", p.context) *
                                                                          trace_.input("/parallelism/data", p.data)));
    const auto tokens = named("perf.tokens_per_step", trace_.input("/global_batch_size", run.global_batch_size) *
                                                          trace_.input("/sequence_length", run.sequence_length));
    step.tokens_per_s_per_gpu = named("perf.tokens_per_s_per_gpu", step.tokens_per_s / gpus);
    const auto model_work = named("perf.model_flops", model_flops_ * tokens);
    const auto hardware_work = hardware_flops(run, tokens);
    step.model_flops_per_gpu = named("perf.model_flops_per_gpu", achieved_rate(model_work, step.total, gpus));
    step.mfu = named("perf.mfu", flops_utilisation(model_work, step.total, gpus, rates_.peak()));
    step.hfu = named("perf.hfu", flops_utilisation(hardware_work, step.total, gpus, rates_.peak()));
    const auto seconds_of = [](const Time& part) { return value_of(part).base_units(); };
    step.binding = training_binding(seconds_of(step.compute), seconds_of(step.attention), seconds_of(step.recompute),
                                    seconds_of(step.tensor_comm) + seconds_of(step.context_comm) +
                                        seconds_of(step.expert_comm) + seconds_of(step.pipeline_comm),
                                    seconds_of(step.pipeline_bubble), seconds_of(step.data_comm_exposed),
                                    seconds_of(step.optimizer), seconds_of(step.other), rates_.gpu().name);
  }

  const SoftwareTraits& traits() const { return layers_.traits(); }

 private:
  static constexpr std::string_view kPage = "docs/method/training_time.md#pipeline";

  /// With a pipeline some frameworks gather sharded weights once per step and reduce once.
  static bool keeps_gathered(const Catalog& catalog, const TrainingRun& run) {
    const TrainingRecipe recipe = training_recipe(catalog.training_recipes, run);
    return recipe && recipe.stack->pipeline_keeps_gathered;
  }

  /// Work of a step with what is computed again.
  Known<Flops> hardware_flops(const TrainingRun& run, const Known<double>& tokens) {
    const auto model_work = named("perf.model_flops", model_flops_ * tokens);
    if (run.activation_recompute == Recompute::full)
      return named("perf.hardware_flops", hardware_flops_full_recompute(model_work));
    if (run.activation_recompute == Recompute::selective)
      return named("perf.hardware_flops", hardware_flops_selective_recompute(
                                              model_work, named("perf.attention_flops", attention_flops_ * tokens)));
    return model_work;
  }

  /// GPUs that share a host: a rack of NVLink is many hosts. Assumed: eight, as the servers of the fitted runs have.
  double gpus_of_host() const { return std::min(8.0, rates_.node()); }

  double doublings_of(double gpus) const {
    const double nodes = gpus / gpus_of_host();
    return nodes <= 1 ? 0 : math::log2(nodes);
  }

  Time pass_time(const Time& forward, const Time& backward) {
    return sum_of(trace_, "perf.forward_and_backward", forward, backward);
  }
  Known<double> passes(const TrainingRun& run) {
    return run.activation_recompute == Recompute::full
               ? trace_.constant("passes_with_recompute", 3.0, "forward, repeated forward, backward")
               : trace_.constant("passes_without_recompute", 2.0, "forward, backward");
  }
  Time exchanges(const TrainingRun& run, const Time& each) {
    return named("perf.exchanges_of_passes", passes_time(passes(run), each));
  }
  Time context(const TrainingRun& run) {
    const Time forward = run.activation_recompute == Recompute::full
                             ? named("perf.context_forward_twice",
                                     trace_.constant("exchanges_with_recompute", 2.0, "forward and repeated forward") *
                                         layer_.context_forward)
                             : layer_.context_forward;
    return sum_of(trace_, "perf.context_exchanges", forward, layer_.context_backward);
  }
  Time host() { return sum_of(trace_, "perf.host_excess", layer_.host_forward, layer_.host_backward); }

  Time stage_transfers_of(const TrainingRun& run, const Known<double>& chunks) {
    const TrainingParallelism& p = run.parallelism;
    if (p.pipeline <= 1) return Seconds(0);
    GroupLinks<Tracer> group;
    if (!layers_.links().group(2.0, p.tensor * p.context * p.data, Link::all_gather, group)) {
      link_missing_ = true;
      return Seconds(0);
    }
    const auto payload = named(
        "perf.stage_payload",
        row_bytes(named("perf.stage_tokens", layers_.tokens() / layers_.norm_ranks()), layers_.hidden(), two_bytes_));
    return named("perf.stage_transfers",
                 stage_transfers(layers_.links().send(group, payload), chunks, pipeline_exposed_));
  }

  Time bubble(const TrainingRun& run, double micro_batches, const Known<double>& pipeline, const Known<double>& chunks,
              const Time& every, const Time& transfers, const Time& stage) {
    if (run.parallelism.pipeline <= 1) return Seconds(0);
    const auto layers = trace_.method("perf.layers_with_modules", model_.layers + run.multi_token_depths, kPage);
    const Time mean =
        sum_of(trace_, "perf.mean_stage",
               named("perf.mean_stage_compute",
                     sum_of(trace_, "perf.all_stages", named("perf.all_layers", layers * every), head_) / pipeline),
               transfers);
    const Time shorter = named("perf.stage_of_bubble", shorter_time(stage, mean));
    // Split backward passes fill the wait only where enough micro-batches are under way.
    const double needed = (run.schedule == Schedule::zb_2p ? 2.0 : 1.0) * run.parallelism.pipeline;
    switch (micro_batches >= needed ? run.schedule : Schedule::one_f_one_b) {
      case Schedule::zb_2p:
        return Seconds(0);
      case Schedule::zb_h1:
      case Schedule::zb_1p: {
        // Assumed: forward, backward to inputs and backward to weights take a third each, as products of equal size do.
        const auto third = named("perf.third_of_stage", shorter / 3.0);
        return named("perf.pipeline_bubble", bubble_time_zb_h1(pipeline, third, third, third));
      }
      case Schedule::gpipe:
      case Schedule::one_f_one_b:
      case Schedule::interleaved:
        break;
    }
    return named("perf.pipeline_bubble", bubble_time(pipeline, chunks, shorter));
  }

  /// Parameters that are exchanged and updated alike.
  struct Share {
    Known<double> here{};     ///< parameters of this GPU
    Known<double> trained{};  ///< of them, or beside them, what learns
    double ranks = 1;
    double stride = 1;
  };

  bool exchange_of_gradients(const TrainingRun& run, const Known<double>& micro_batches, const Time& stage,
                             const Known<double>& pipeline, TrainingStep<Tracer>& step) {
    const TrainingParallelism& p = run.parallelism;
    if (link_missing_) return false;
    const auto tensor = trace_.input("/parallelism/tensor", p.tensor);
    Share dense;
    dense.here = named("perf.dense_parameters_per_gpu", parameters_per_gpu(dense_, tensor, pipeline));
    dense.trained = adapters_ ? named("perf.adapter_parameters_per_gpu", parameters_per_gpu(adapter_, tensor, pipeline))
                              : dense.here;
    dense.ranks = p.data * p.context;
    dense.stride = p.tensor;
    Total<Tracer, double> updated;
    Total<Tracer, Seconds> once;
    Total<Tracer, Seconds> each;
    if (!add_share(run, dense, updated, once, each)) return false;
    if (model_.experts > 0 && (!adapters_ || p.zero_stage >= 3)) {
      Share experts;
      const auto ranks = trace_.method("perf.expert_ranks", p.expert * p.expert_tensor, kPage);
      experts.here = named("perf.expert_parameters_per_gpu", parameters_per_gpu(experts_, ranks, pipeline));
      experts.trained = adapters_ ? 0.0 : experts.here;
      experts.ranks = p.tensor * p.context * p.data / (p.expert * p.expert_tensor);
      experts.stride = p.expert * p.expert_tensor;
      if (!add_share(run, experts, updated, once, each)) return false;
    }
    step.data_comm_exposed = Seconds(0);
    const Time at_end =
        named("perf.gradient_exchange_exposed", once.sum(trace_, "perf.gradient_exchange") * data_exposed_);
    if (p.zero_stage >= 3) {
      const auto window = named("perf.shard_window", stage * shard_window_);
      step.data_comm_exposed = sum_of(
          trace_, "perf.data_comm_exposed",
          named("perf.shard_exchange_exposed",
                micro_batches_time(micro_batches, named("perf.shard_exchange_of_micro_batch",
                                                        interfering_exchange(each.sum(trace_, "perf.shard_exchange"),
                                                                             window, shard_interference_)))),
          at_end);
    } else {
      step.data_comm_exposed = at_end;
    }
    const auto updated_here = updated.sum(trace_, "perf.updated_parameters_per_gpu");
    if (run.offload == Offload::none) {
      step.optimizer = named("perf.optimizer", optimizer_time(updated_here, optimizer_bytes_, layers_.memory()));
      return true;
    }
    return offload(run, micro_batches, stage, updated_here, dense.here, step);
  }

  /// What states and activations cost that live with the host or on its drives.
  bool offload(const TrainingRun& run, const Known<double>& micro_batches, const Time& stage,
               const Known<double>& updated, const Known<double>& parameters, TrainingStep<Tracer>& step) {
    const auto& link = rates_.host();
    const auto updates = rates_.host_updates();
    const auto drives = rates_.drives();
    if (!link || !updates || !drives) {
      host_missing_ = true;
      return false;
    }
    const auto weight = trace_.constant("offloaded_weight_bytes", Bytes(2.0), "16 bit");
    if (offloads_optimizer(run.offload)) {
      const auto gradient = trace_.constant("offloaded_gradient_each", Bytes(value_of(gradient_bytes_)),
                                            "precision in which the framework reduces");
      const auto out = named(
          "perf.gradients_to_host",
          transfer_time(named("perf.offloaded_gradient_bytes", offloaded_gradient_bytes(updated, gradient)), *link));
      const auto back =
          named("perf.weights_from_host",
                transfer_time(named("perf.offloaded_weight_bytes", offloaded_weight_bytes(updated, weight)), *link));
      Time update =
          named("perf.host_update",
                host_optimizer_time(updated, trace_.method("perf.gpus_of_node", gpus_of_host(), kPage), *updates));
      if (run.offload_target == OffloadTarget::nvme)
        update = sum_of(trace_, "perf.host_update_from_drives", update,
                        named("perf.states_from_drives", nvme_state_time(updated, states_on_drives_, *drives)));
      const auto backward =
          named("perf.backward_of_micro_batch",
                stage * trace_.constant("backward_share", 2.0 / 3.0, "backward is two of three passes"));
      step.optimizer = named("perf.optimizer", exposed_optimizer_offload(out, backward, update, back));
    } else {
      step.optimizer = named("perf.optimizer", optimizer_time(updated, optimizer_bytes_, layers_.memory()));
    }
    const Time busy = sum_of(trace_, "perf.busy_gpu", step.compute, step.attention, step.recompute);
    if (offloads_parameters(run.offload))
      step.data_comm_exposed = sum_of(
          trace_, "perf.data_comm_with_fetches", step.data_comm_exposed,
          named("perf.weights_fetched_exposed",
                exposed_streaming(
                    named("perf.weights_fetched",
                          transfer_time(named("perf.fetched_weight_bytes",
                                              fetched_weight_bytes(parameters, weight, passes(run), micro_batches)),
                                        *link)),
                    busy)));
    if (offloads_activations(run.offload)) {
      const auto each = named("perf.checkpoint_of_layer",
                              checkpoint_bytes(layers_.tokens(), layers_.hidden(), weight, layers_.norm_ranks()));
      const auto moved = named(
          "perf.offloaded_activation_bytes",
          stage_activation_bytes(trace_.method("perf.layers_of_stage", model_.layers / run.parallelism.pipeline, kPage),
                                 each, micro_batches));
      step.data_comm_exposed = sum_of(
          trace_, "perf.data_comm_with_activations", step.data_comm_exposed,
          named("perf.activations_moved_exposed",
                exposed_streaming(named("perf.activations_moved", offload_transfer_time(moved, moved, *link)), busy)));
    }
    return true;
  }

  /// Adds what one share exchanges once per step and for each micro-batch.
  bool add_share(const TrainingRun& run, const Share& share, Total<Tracer, double>& updated,
                 Total<Tracer, Seconds>& once, Total<Tracer, Seconds>& each) {
    const TrainingParallelism& p = run.parallelism;
    const bool whole = p.zero_stage >= 3;
    const bool inside = p.shard == Shard::hybrid && whole;
    const double shards = inside ? ranks_inside(share.ranks, rates_.node() / share.stride) : share.ranks;
    const auto known_shards = trace_.method("perf.data_shards", p.zero_stage >= 1 ? shards : 1.0, kPage);
    updated.add(named("perf.updated_parameters", share.trained / known_shards));
    if (share.ranks <= 1) return true;
    const auto gradients = named("perf.gradient_payload", payload_of(share.trained, gradient_bytes_));
    const auto values = named("perf.parameter_payload", payload_of(whole ? share.here : share.trained, two_bytes_));
    GroupLinks<Tracer> group;
    if (!layers_.links().group(trace_.method("perf.data_ranks", whole ? shards : share.ranks, kPage), share.stride,
                               Link::all_gather, group))
      return false;
    if (!whole) {
      if (p.zero_stage == 0) {
        once.add(layers_.links().all_reduce(group, gradients));
      } else {
        once.add(layers_.links().gather(group, gradients));
        once.add(layers_.links().gather(group, values));
      }
      return true;
    }
    if (shards > 1 && keeps_gathered_ && p.pipeline > 1) {
      once.add(layers_.links().gather(group, values));
      once.add(layers_.links().gather(group, gradients));
    } else if (shards > 1) {
      const auto twice = trace_.constant("gathers_per_micro_batch", 2.0,
                                         "once before forward, once before backward: arXiv 1910.02054 section 7.2");
      each.add(named("perf.two_gathers", twice * (layers_.links().gather(group, values))));
      each.add(layers_.links().gather(group, gradients));
    }
    if (shards < share.ranks) {
      GroupLinks<Tracer> copies;
      if (!layers_.links().group(trace_.method("perf.shard_copies", share.ranks / shards, kPage), share.stride * shards,
                                 Link::all_reduce, copies))
        return false;
      once.add(layers_.links().all_reduce(
          copies, named("perf.gradients_of_shard", payload_across_nodes(gradients, known_shards))));
    }
    return true;
  }

  Tracer& trace_;
  TrainingRates<Tracer>& rates_;
  const Model& model_;
  TrainingLayers<Tracer> layers_;
  const TrainingConstants<Tracer>& constants_;
  bool adapters_ = false;
  bool keeps_gathered_ = false;
  bool link_missing_ = false;
  bool host_missing_ = false;
  Known<double> two_bytes_{}, gradient_bytes_{}, dense_{}, experts_{}, adapter_{}, optimizer_bytes_{}, shard_window_{},
      shard_interference_{}, data_exposed_{}, pipeline_exposed_{}, scale_loss_{};
  Known<Bytes> states_on_drives_{};  ///< of one parameter
  Known<Flops> model_flops_{}, attention_flops_{};
  Time micro_batch_time_{}, step_time_{};
  LayerTimes<Tracer> layer_;
  Time head_{};
};

/// Nothing and the reasons where the layout is not legal or the catalog lacks a rate or a link. `system` may be null:
/// then a catalog system with this GPU gives the network.
template <class Tracer>
std::optional<TrainingStep<Tracer>> training_step(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                  const Model& model, const LayerStack& stack, const TrainingRun& run,
                                                  const System* system, std::vector<std::string>& assumptions,
                                                  std::vector<Infeasible>& reasons) {
  const auto refuse = [&](std::string code, Message message) {
    reasons.push_back({.code = std::move(code), .message = std::move(message)});
    return std::nullopt;
  };
  std::vector<Infeasible> problems =
      legal_layout(model, run) ? training_time_gaps(run) : training_layout_problems(model, run);
  if (!problems.empty()) {
    for (Infeasible& problem : problems) reasons.push_back(std::move(problem));
    return std::nullopt;
  }
  TrainingRates<Tracer> rates(trace, catalog, gpu, system, run.precision);
  if (!rates.refused().empty()) return refuse(rates.refused(), rates.problem());
  TrainingStepModel<Tracer> times(trace, catalog, catalog.training_efficiency, rates, model, stack, run);
  TrainingStep<Tracer> step;
  if (!times.layer(run) || !times.step(run, step)) return refuse(times.missing_code(), times.missing());
  times.finish(run, step);
  for (const std::string& sentence : rates.assumptions()) assumptions.push_back(sentence);
  return step;
}

}  // namespace podwright
