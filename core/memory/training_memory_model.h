#pragma once
/// Memory of one training method on one GPU type, prepared for many layouts. docs/method/training_memory.md.
///
///   TrainingMemoryModel<NoTrace> model(trace, llama, stack, h100, run, recipe);
///   const auto stages = training_stages(llama, stack, stage_split(run));   // per pipeline and virtual pipeline
///   const TrainingMemory<NoTrace> memory = model.fullest(run, stages);     // per layout: plain arithmetic
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "catalog/training_recipe.h"
#include "memory/in_flight.h"
#include "memory/training_layers.h"
#include "memory/training_run.h"
#include "memory/training_stages.h"

namespace podwright {

/// Parts of one GPU's memory. `allocated` is the sum of the first five; `runtime` stands outside the allocator.
template <class Tracer>
struct TrainingMemory {
  using Known = typename Tracer::template Known<Bytes>;
  Known weights{};
  Known gradients{};
  Known optimizer{};
  Known activations{};  ///< of the layers, the embedding and the loss
  Known buffers{};      ///< weight-gradient buffers, gathered units, dequantised weights, values of the optimizer
  Known lasting{};      ///< states and outputs between two steps, where gradients are freed; else zero
  Known allocated{};
  Known reserved{};  ///< what the allocator takes: allocated, and what it holds beyond that
  Known runtime{};   ///< context of the process, and what the allocator reserves beyond what is allocated
  Known total{};
  Known capacity{};   ///< as the driver reports it; where no driver figure is known, as printed
  Known offloaded{};  ///< of this GPU's share, what lies in host memory or on its drives instead
  int stage = 0;      ///< the pipeline stage of this GPU, 0-based

  bool fits() const { return value_of(total) <= value_of(capacity); }
};

/// Prepared from the parts of a run that are no layout: sequence_length, precision, optimizer, method, lora_rank and
/// framework. A layout is the rest: parallelism, micro_batch_size, global_batch_size, schedule,
/// embedding_and_loss_as_layers, activation_recompute and offload. Model, GPU, recipe and tracer are kept by reference.
/// The caller has seen that training_memory_gaps() finds none.
template <class Tracer>
class TrainingMemoryModel {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  TrainingMemoryModel(Tracer& trace, const Model& model, const LayerStack& stack, const Gpu& gpu,
                      const TrainingRun& run, const TrainingRecipe& recipe)
      : trace_(trace),
        model_(model),
        gpu_(gpu),
        recipe_(recipe),
        bytes_(recipe.bytes()),
        method_(run.method),
        layers_(training_layers(trace, model, stack, run, recipe)),
        shares_(layers_.size()) {
    hidden_ = trace.fact(model, "hidden_size", model.hidden_size);
    vocabulary_ = trace.fact(model, "vocab_size", model.vocab_size);
    sequence_ = trace.input("/sequence_length", run.sequence_length);
    weight_ = fact_of("weight_bytes", bytes_.weight);
    linear_weight_ =
        bytes_.linear_weight == bytes_.weight ? weight_ : fact_of("linear_weight_bytes", bytes_.linear_weight);
    gradient_ = fact_of("gradient_bytes", bytes_.gradient);
    element_ = fact_of("element_bytes", bytes_.element);
    linear_input_ = fact_of("linear_input_bytes", bytes_.linear_input);
    optimizer_ = optimizer_bytes(trace, recipe, run.optimizer);
    if (frozen() && bytes_.adapter > Bytes(0)) {
      adapter_ = fact_of("adapter_bytes", bytes_.adapter);
      adapter_moments_ =
          named("adapter_moment_bytes",
                cited("arXiv 1412.6980 algorithm 1", (run.optimizer == Optimizer::adamw ? 2.0 : 0.0) * adapter_));
    }
    if (method_ == TrainingMethod::qlora) {
      const char* const paper = "arXiv 2305.14314 section 3";
      quantised_ = named("quantised_weight", double_quantised_bytes(trace.constant("nf4_bits", 4.0, paper),
                                                                    trace.constant("nf4_block", 64.0, paper),
                                                                    trace.constant("nf4_outer_block", 256.0, paper)));
    }
    ends_ = end_parameters(trace, model);
    context_ = find_gpu_context(*recipe.all, gpu.compute_capability);
  }

  /// Memory of the fullest of the stages, which training_stages() gave for the layout's split. Allocates nothing.
  TrainingMemory<Tracer> fullest(const TrainingRun& run, const std::vector<TrainingStage>& stages) {
    set_layout(run);
    TrainingMemory<Tracer> fullest = on(stages.front());
    for (std::size_t i = 1; i < stages.size(); ++i) {
      const TrainingMemory<Tracer> memory = on(stages[i]);
      if (value_of(memory.total) > value_of(fullest.total)) fullest = memory;
    }
    return fullest;
  }

  /// Memory of one stage.
  TrainingMemory<Tracer> of_stage(const TrainingRun& run, const TrainingStage& stage) {
    set_layout(run);
    return on(stage);
  }

 private:
  /// What one layer of a kind costs one GPU in the layout.
  struct LayerShare {
    Known<double> linear{};
    Known<double> experts{};
    Known<double> adapters{};
    Known<double> expert_adapters{};
    Known<double> unit{};       ///< all of it that is spread over ranks: gathered, or reduced, as one
    Known<Bytes> kept{};        ///< activations until the backward pass
    Known<Bytes> recomputed{};  ///< what exists of one layer while its backward pass runs, beyond `kept`
  };
  struct States {
    Total<Tracer, Bytes> weights, gradients, optimizer, offloaded;
  };
  /// Parameters of a stage that are treated alike.
  struct Block {
    bool linear = false;  ///< matrix products of a layer, which narrow formats apply to
    bool expert = false;  ///< spread over the ranks that hold the same experts
    bool wide = false;    ///< adapters in a width of their own
  };

  Known<Bytes> fact_of(std::string_view field, Bytes value) { return recipe_fact(trace_, recipe_, field, value); }
  Known<double> per_rank(std::string_view id, const Known<double>& parameters, const Known<double>& ranks) {
    return named(id, cited("arXiv 1909.08053", parameters / ranks));
  }
  bool frozen() const { return method_ != TrainingMethod::full; }

  // The layout

  void set_layout(const TrainingRun& run) {
    run_ = &run;
    const TrainingParallelism& p = run.parallelism;
    tensor_ = trace_.input("/parallelism/tensor", p.tensor);
    norm_ranks_ = p.sequence_parallel ? tensor_ : 1.0;
    input_ranks_ = recipe_.stack->saves_gathered_inputs ? 1.0 : norm_ranks_;
    const auto context = trace_.input("/parallelism/context", p.context);
    const auto data = trace_.input("/parallelism/data", p.data);
    const auto expert = trace_.input("/parallelism/expert", p.expert);
    expert_tensor_ = trace_.input("/parallelism/expert_tensor", p.expert_tensor);
    tokens_ = named("tokens_per_rank",
                    tokens_per_rank(sequence_, trace_.input("/micro_batch_size", run.micro_batch_size), context));
    dense_ranks_ = named("dense_state_ranks", cited("Megatron-Core, distributed optimizer", data * context));
    expert_ranks_ = named("expert_state_ranks", expert_state_ranks(tensor_, context, data, expert, expert_tensor_));
    if (p.zero_stage >= 2 && p.shard == Shard::hybrid && gpu_.link_domain_gpus) {
      const auto inside = [&](std::string_view id, const Known<double>& ranks, double stride) {
        return trace_.method(id, ranks_inside(value_of(ranks), *gpu_.link_domain_gpus / stride),
                             "docs/method/training_memory.md#states");
      };
      dense_ranks_ = inside("hybrid_dense_ranks", dense_ranks_, p.tensor);
      expert_ranks_ = inside("hybrid_expert_ranks", expert_ranks_, p.expert * p.expert_tensor);
    }
    parameters_away_ = offloads_parameters(run.offload);
    optimizer_away_ = offloads_optimizer(run.offload);
    activations_away_ = offloads_activations(run.offload);
    weights_sharded_ = p.zero_stage >= 3 || (p.zero_stage == 2 && recipe_.stack->shards_whole_state);
    spreads_dense_ = parameters_away_ || (p.zero_stage >= 2 && value_of(dense_ranks_) > 1.0);
    spreads_experts_ = parameters_away_ || (p.zero_stage >= 2 && value_of(expert_ranks_) > 1.0);
    gathers_ = parameters_away_ || weights_sharded_;
    gradients_whole_ = recipe_.stack->pipeline_keeps_gathered && p.pipeline > 1 && !parameters_away_;
    stays_gathered_ = !parameters_away_ && (gradients_whole_ || p.zero_stage == 2);
    gradients_away_ =
        parameters_away_ || (optimizer_away_ && recipe_.stack->offload_moves_gradients && p.zero_stage >= 2);
    token_table_ = per_rank("token_table_per_rank", ends_.token_table, tensor_);
    output_head_ = per_rank("output_head_per_rank", ends_.output_head, tensor_);
    const auto expert_group =
        named("expert_group", cited("Megatron-Core, expert parallelism", expert * expert_tensor_));
    for (std::size_t i = 0; i < layers_.size(); ++i) shares_[i] = layer_share(layers_[i], expert_group);
  }

  LayerShare layer_share(const TrainingLayer<Tracer>& layer, const Known<double>& expert_group) {
    LayerShare share;
    share.linear = per_rank("linear_parameters_per_rank", layer.linear, tensor_);
    share.experts =
        value_of(layer.experts) > 0 ? per_rank("expert_parameters_per_rank", layer.experts, expert_group) : 0.0;
    if (frozen()) {
      share.adapters = per_rank("adapters_per_rank", layer.adapters, tensor_);
      share.expert_adapters = value_of(layer.expert_adapters) > 0
                                  ? per_rank("expert_adapters_per_rank", layer.expert_adapters, expert_group)
                                  : 0.0;
    }
    Total<Tracer, double> unit;
    if (spreads_dense_) {
      unit.add(share.linear);
      unit.add(layer.replicated);
    }
    if (spreads_experts_) unit.add(share.experts);
    share.unit = unit.sum(trace_, "unit_parameters");
    add_activations(layer, share);
    return share;
  }

  /// All values of one layer and micro-batch on this GPU.
  Known<Bytes> layer_values(std::string_view id, const TrainingLayer<Tracer>& layer) {
    Total<Tracer, Bytes> inside;
    inside.add(layer.inside);
    inside.add(layer.scores);
    add_permuted_inputs(layer, inside);
    return named(id, layer_activation_bytes(tokens_, layer.between, norm_ranks_, layer.inputs, input_ranks_,
                                            inside.sum(trace_, "values_inside_sublayers"), tensor_));
  }

  /// What selective recompute keeps of one layer and micro-batch.
  Known<Bytes> selected_values(const TrainingLayer<Tracer>& layer) {
    const SelectiveRecompute selective = recipe_.stack->selective;
    Total<Tracer, Bytes> inside;
    inside.add(layer.selected);
    if (selective != SelectiveRecompute::alternate_products) add_permuted_inputs(layer, inside);
    return named(
        "kept_activations",
        layer_activation_bytes(tokens_, selective == SelectiveRecompute::alternate_products ? Bytes(0) : layer.between,
                               norm_ranks_, selective == SelectiveRecompute::core_attention ? layer.inputs : Bytes(0),
                               input_ranks_, inside.sum(trace_, "values_kept"), tensor_));
  }

  void add_permuted_inputs(const TrainingLayer<Tracer>& layer, Total<Tracer, Bytes>& inside) {
    if (value_of(layer.chosen) > 0)
      inside.add(
          named("permuted_inputs", permuted_input_bytes(layer.chosen, layer.inner, expert_tensor_, linear_input_)));
  }

  void add_activations(const TrainingLayer<Tracer>& layer, LayerShare& share) {
    share.recomputed = Bytes(0);
    switch (run_->activation_recompute) {
      case Recompute::none:
        share.kept = layer_values("layer_activations", layer);
        return;
      case Recompute::full:
        share.kept = named("layer_checkpoint", checkpoint_bytes(tokens_, hidden_, element_, norm_ranks_));
        share.recomputed =
            named("recomputed_values", recomputed_bytes(layer_values("layer_activations", layer), share.kept));
        return;
      case Recompute::selective:
        share.kept = selected_values(layer);
        if (recipe_.stack->selective != SelectiveRecompute::core_attention)
          share.recomputed =
              named("recomputed_values", recomputed_bytes(layer_values("layer_activations", layer), share.kept));
        return;
    }
  }

  // A stage of the layout

  TrainingMemory<Tracer> on(const TrainingStage& stage) {
    TrainingMemory<Tracer> memory;
    memory.stage = stage.place;
    States states;
    add_states(stage, memory, states);
    memory.activations = activations(stage, states.offloaded);
    memory.offloaded = states.offloaded.sum(trace_, "offloaded");
    memory.buffers = buffers(stage);
    if (recipe_.stack->frees_gradients) choose_moment(stage, memory);
    memory.allocated = sum_of(trace_, "allocated", memory.weights, memory.gradients, memory.optimizer,
                              memory.activations, memory.buffers);
    const auto unused = named("reserved_beyond_allocated",
                              reserved_beyond_allocated(memory.allocated, trace_.fact(*recipe_.stack, "allocated_share",
                                                                                      recipe_.stack->allocated_share)));
    memory.reserved = sum_of(trace_, "reserved", memory.allocated, unused);
    memory.runtime = context_ == nullptr
                         ? sum_of(trace_, "runtime", unused)
                         : sum_of(trace_, "runtime", trace_.fact(*context_, "context_mib", context_->context), unused);
    memory.total = sum_of(trace_, "total", memory.allocated, memory.runtime);
    memory.capacity = gpu_.memory_driver ? trace_.fact(gpu_, "memory_driver_gib", *gpu_.memory_driver)
                                         : trace_.fact(gpu_, "memory_gb", gpu_.memory.value_or(Bytes(0)));
    return memory;
  }

  /// Without gradients from one step to the next the fullest moment is the loss, with all activations, or the update,
  /// with all gradients; what the other one holds is taken out of the parts.
  void choose_moment(const TrainingStage& stage, TrainingMemory<Tracer>& memory) {
    const Known<Bytes> outputs =
        stage.last ? named("kept_logits",
                           logit_bytes(tokens_, vocabulary_, tensor_, fact_of("kept_logit_bytes", bytes_.kept_logit)))
                   : Bytes(0);
    memory.lasting = sum_of(trace_, "lasting", memory.weights, memory.gradients, memory.optimizer, outputs);
    const auto temporaries = named(
        "update_temporaries", update_temporaries(memory.optimizer, trace_.fact(*recipe_.stack, "optimizer_temporary",
                                                                               recipe_.stack->optimizer_temporary)));
    const bool accumulates = value_of(micro_batches_of(trace_, *run_)) > 1.0;
    const Bytes first = accumulates ? value_of(memory.gradients) : Bytes(0);
    if (value_of(memory.gradients) + value_of(temporaries) + value_of(outputs) > first + value_of(memory.activations)) {
      memory.activations = outputs;
      memory.buffers = sum_of(trace_, "buffers_of_update", memory.buffers, temporaries);
    } else if (!accumulates) {
      memory.gradients = Bytes(0);
    }
  }

  Known<double> count_of(double layers) { return trace_.method("layers_on_stage", layers, training_detail::kPage); }

  void add_states(const TrainingStage& stage, TrainingMemory<Tracer>& memory, States& states) {
    Total<Tracer, double> linear, other, experts, adapters, expert_adapters;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (stage.layers[i] <= 0) continue;
      const auto count = count_of(stage.layers[i]);
      const auto times = [&](const Known<double>& parameters) {
        return named("parameters_on_stage", count * parameters);
      };
      linear.add(times(shares_[i].linear));
      other.add(times(layers_[i].replicated));
      if (value_of(shares_[i].experts) > 0) experts.add(times(shares_[i].experts));
      if (frozen()) {
        adapters.add(times(shares_[i].adapters));
        if (value_of(shares_[i].expert_adapters) > 0) expert_adapters.add(times(shares_[i].expert_adapters));
      }
    }
    if (stage.first) {
      other.add(token_table_);
      other.add(ends_.before);
    }
    if (stage.last) {
      if (!model_.tied_embeddings || !stage.first) other.add(output_head_);
      other.add(ends_.after);
    }
    const auto base = [&](const Known<double>& parameters, const Block& block) {
      frozen() ? add_frozen(parameters, block, states) : add_trained(parameters, block, states);
    };
    const auto all_linear = linear.sum(trace_, "linear_parameters_on_stage");
    const auto all_other = other.sum(trace_, "other_parameters_on_stage");
    experts_on_stage_ = experts.sum(trace_, "expert_parameters_on_stage");
    dense_on_stage_ = sum_of(trace_, "dense_parameters_on_stage", all_linear, all_other);
    base(all_linear, {true, false});
    base(all_other, {false, false});
    base(experts_on_stage_, {true, true});
    if (frozen()) {
      const bool wide = bytes_.adapter > Bytes(0);
      add_trained(adapters.sum(trace_, "adapters_on_stage"), {true, false, wide}, states);
      add_trained(expert_adapters.sum(trace_, "expert_adapters_on_stage"), {true, true, wide}, states);
    }
    memory.weights = states.weights.sum(trace_, "weights");
    memory.gradients = states.gradients.sum(trace_, "gradients");
    memory.optimizer = states.optimizer.sum(trace_, "optimizer");
  }

  bool gathers(const Block& block) const { return gathers_ && (block.expert ? spreads_experts_ : spreads_dense_); }
  Known<double> shards(const Block& block, bool sharded) const {
    if (!sharded) return 1.0;
    return block.expert ? expert_ranks_ : dense_ranks_;
  }

  /// Frozen weights stand in the width of the computation, or in the narrow one where that takes its place.
  const Known<Bytes>& frozen_weight(const Block& block) const {
    return block.linear && bytes_.linear_weight != bytes_.weight ? linear_weight_ : element_;
  }

  void add_frozen(const Known<double>& parameters, const Block& block, States& states) {
    if (value_of(parameters) <= 0) return;
    const bool quantised = method_ == TrainingMethod::qlora && block.linear;
    (parameters_away_ ? states.offloaded : states.weights)
        .add(named("frozen_weights", sharded_bytes(parameters, quantised ? quantised_ : frozen_weight(block),
                                                   shards(block, weights_sharded_))));
    if (!quantised) add_copies(parameters, block, states);
  }

  void add_trained(const Known<double>& parameters, const Block& block, States& states) {
    if (value_of(parameters) <= 0) return;
    const int zero = run_->parallelism.zero_stage;
    (parameters_away_ ? states.offloaded : states.weights)
        .add(named("weight_bytes", sharded_bytes(parameters,
                                                 block.wide     ? adapter_
                                                 : block.linear ? linear_weight_
                                                                : weight_,
                                                 shards(block, weights_sharded_))));
    add_copies(parameters, block, states);
    (gradients_away_ ? states.offloaded : states.gradients)
        .add(named("gradient_bytes", sharded_bytes(parameters, block.wide ? adapter_ : gradient_,
                                                   shards(block, zero >= 2.0 && !gradients_whole_))));
    (optimizer_away_ ? states.offloaded : states.optimizer)
        .add(named("optimizer_bytes",
                   sharded_bytes(parameters, block.wide ? adapter_moments_ : optimizer_,
                                 shards(block, zero >= (recipe_.stack->shards_whole_state ? 2.0 : 1.0)))));
  }

  void add_copies(const Known<double>& parameters, const Block& block, States& states) {
    if (bytes_.weight_copy <= Bytes(0) || !block.linear || gathers(block)) return;
    states.weights.add(named("narrow_weight_copies", parameters * fact_of("weight_copy_bytes", bytes_.weight_copy)));
  }

  Known<Bytes> activations(const TrainingStage& stage, Total<Tracer, Bytes>& offloaded) {
    Total<Tracer, Bytes> parts;
    const auto in_flight = micro_batches_in_flight(trace_, *run_, stage.place);
    const Known<Bytes> none{};
    const Known<Bytes>* largest = &none;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      if (stage.layers[i] <= 0) continue;
      const auto count = count_of(stage.layers[i]);
      if (activations_away_) {
        const auto here = named("layers_not_offloaded", layers_not_offloaded(count, in_flight));
        parts.add(named("stage_activations", stage_activation_bytes(here, shares_[i].kept, 1.0)));
        offloaded.add(named("offloaded_activations", moved_activation_bytes(count, shares_[i].kept, in_flight, here)));
      } else {
        parts.add(named("stage_activations", stage_activation_bytes(count, shares_[i].kept, in_flight)));
      }
      if (value_of(shares_[i].recomputed) > value_of(*largest)) largest = &shares_[i].recomputed;
    }
    if (value_of(*largest) > Bytes(0)) parts.add(*largest);
    if (stage.first && recipe_.stack->dropout)
      parts.add(named("embedding_mask", embedding_mask_bytes(tokens_, hidden_, norm_ranks_, in_flight)));
    if (stage.last) {
      parts.add(
          named("logits", logit_bytes(tokens_, vocabulary_, tensor_,
                                      run_->parallelism.tensor > 1 ? fact_of("split_logit_bytes", bytes_.split_logit)
                                                                   : fact_of("logit_bytes", bytes_.logit))));
      parts.add(named("head_inputs", head_input_bytes(tokens_, hidden_, element_, norm_ranks_, input_ranks_)));
    }
    if (run_->parallelism.pipeline > 1 && recipe_.stack->pipeline_buffers != PipelineBuffers::none) {
      const auto between_stages = [&](std::string_view id, const Known<double>& micro_batches) {
        return named(id, pipeline_buffer_bytes(tokens_, hidden_, element_, norm_ranks_, micro_batches));
      };
      parts.add(between_stages("stage_outputs", in_flight));
      if (recipe_.stack->pipeline_buffers == PipelineBuffers::outputs_and_receives)
        parts.add(between_stages("receive_buffers", micro_batches_of(trace_, *run_)));
    }
    return parts.sum(trace_, "activations");
  }

  Known<Bytes> gathered_weight() {
    return method_ == TrainingMethod::qlora ? quantised_ : fact_of("gathered_bytes", bytes_.gathered);
  }

  /// All parameters of the stage that are gathered from shards.
  Known<double> gathered_stage() {
    Total<Tracer, double> parts;
    if (spreads_dense_) parts.add(dense_on_stage_);
    if (spreads_experts_) parts.add(experts_on_stage_);
    return parts.sum(trace_, "gathered_parameters");
  }

  /// Those of them that other ranks hold.
  Known<double> parameters_elsewhere() {
    if (parameters_away_) return gathered_stage();
    Total<Tracer, double> parts;
    if (spreads_dense_)
      parts.add(named("dense_parameters_elsewhere", podwright::parameters_elsewhere(dense_on_stage_, dense_ranks_)));
    if (spreads_experts_)
      parts.add(
          named("expert_parameters_elsewhere", podwright::parameters_elsewhere(experts_on_stage_, expert_ranks_)));
    return parts.sum(trace_, "parameters_elsewhere");
  }

  /// The largest group of parameters that is gathered, or whose gradients are reduced, at once.
  Known<double> largest_unit(const TrainingStage& stage) {
    if (recipe_.stack->shard_unit == ShardUnit::weight) return largest_weight(stage);
    const Known<double> none{};
    const Known<double>* unit = spreads_dense_ && stage.first ? &token_table_ : &none;
    if (spreads_dense_ && stage.last && value_of(output_head_) > value_of(*unit)) unit = &output_head_;
    for (std::size_t i = 0; i < layers_.size(); ++i)
      if (stage.layers[i] > 0 && value_of(shares_[i].unit) > value_of(*unit)) unit = &shares_[i].unit;
    return *unit;
  }

  Known<double> largest_weight(const TrainingStage& stage) {
    const auto largest =
        per_rank("largest_weight_per_rank",
                 trace_.method("largest_weight", stage.largest_weight, training_detail::kPage), tensor_);
    const bool table = spreads_dense_ && (stage.first || stage.last) && value_of(token_table_) > value_of(largest);
    return table ? token_table_ : largest;
  }

  Known<Bytes> buffers(const TrainingStage& stage) {
    Total<Tracer, Bytes> parts;
    if (recipe_.stack->weight_gradient_buffers && !frozen()) {
      const auto shapes =
          per_rank("distinct_weights_per_rank",
                   trace_.method("distinct_weights", stage.distinct_weights, training_detail::kPage), tensor_);
      parts.add(named("weight_gradient_buffers", shapes * element_));
    }
    if (spreads_dense_ || spreads_experts_) {
      const auto unit = largest_unit(stage);
      const auto elsewhere = parameters_elsewhere();
      if (gathers_ && stays_gathered_) {
        // Shards of frozen weights have the gathered width already: only those of other ranks come on top.
        parts.add(named("gathered_weights", (frozen() ? elsewhere : gathered_stage()) * gathered_weight()));
      } else if (gathers_) {
        const auto units =
            named("gathered_units",
                  gathered_units(unit, trace_.fact(*recipe_.stack, "prefetch_units", recipe_.stack->prefetch_units),
                                 elsewhere));
        parts.add(named("gathered_weights", units * gathered_weight()));
      }
      if (!frozen()) {
        const auto whole = named("whole_gradients", gathered_units(unit, 0.0, elsewhere));
        parts.add(named("unit_gradients", whole * element_));
        if (gradients_whole_) parts.add(named("reduced_gradients", whole * gradient_));
      }
    }
    if (method_ == TrainingMethod::qlora) {
      const auto largest =
          per_rank("quantised_weight_per_rank",
                   trace_.method("largest_weight", stage.largest_weight, training_detail::kPage), tensor_);
      parts.add(named("dequantised_weight", largest * element_));
    }
    return parts.sum(trace_, "buffers");
  }

  Tracer& trace_;
  const Model& model_;
  const Gpu& gpu_;
  const TrainingRecipe recipe_;
  const StateRecipe& bytes_;
  const TrainingMethod method_;
  const GpuContext* context_ = nullptr;
  Known<double> hidden_{}, vocabulary_{}, sequence_{};
  Known<Bytes> weight_{}, linear_weight_{}, gradient_{}, optimizer_{}, element_{}, linear_input_{}, quantised_{},
      adapter_{}, adapter_moments_{};
  EndParameters<Tracer> ends_{};
  std::vector<TrainingLayer<Tracer>> layers_;

  // Of the layout last set
  const TrainingRun* run_ = nullptr;
  std::vector<LayerShare> shares_;
  Known<double> tensor_{}, norm_ranks_{}, input_ranks_{}, expert_tensor_{}, tokens_{}, dense_ranks_{}, expert_ranks_{},
      token_table_{}, output_head_{};
  Known<double> dense_on_stage_{}, experts_on_stage_{};  ///< of the stage last evaluated
  bool spreads_dense_ = false;
  bool spreads_experts_ = false;
  bool gathers_ = false;
  bool weights_sharded_ = false;
  bool stays_gathered_ = false;   ///< gathered units stay from forward to backward, of all micro-batches of a pipeline
  bool gradients_whole_ = false;  ///< gradients are whole until the last micro-batch of a pipeline
  bool parameters_away_ = false;
  bool gradients_away_ = false;
  bool optimizer_away_ = false;
  bool activations_away_ = false;
};

}  // namespace podwright
