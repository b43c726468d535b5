#pragma once
/// Memory of the fullest GPU of a training run, part by part. docs/method/training_memory.md.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "catalog/training_recipe.h"
#include "memory/activations.h"
#include "memory/in_flight.h"
#include "memory/model_states.h"
#include "memory/training_run.h"
#include "model/flops.h"
#include "model/kv_cache.h"
#include "model/layers.h"
#include "model/linear_weights.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

/// Parts of one GPU's memory. `allocated` is the sum of the first five; `runtime` stands outside the allocator.
template <class Tracer>
struct TrainingMemory {
  using Known = typename Tracer::template Known<Bytes>;
  Known weights{};
  Known gradients{};
  Known optimizer{};
  Known activations{};  ///< of the layers, the embedding and the loss
  Known buffers{};      ///< weight-gradient buffers, gathered units, dequantised weights
  Known allocated{};
  Known runtime{};  ///< context of the process, and what the allocator reserves beyond what is allocated
  Known total{};
  Known capacity{};  ///< as the driver reports it; where no driver figure is known, as printed
  int stage = 0;     ///< the pipeline stage of this GPU, 0-based

  bool fits() const { return value_of(total) <= value_of(capacity); }
};

namespace training_detail {

inline constexpr const char* kPage = "docs/method/training_memory.md";

/// One block of parameters on one GPU.
template <class Tracer>
struct Share {
  typename Tracer::template Known<double> parameters{};
  bool linear = false;  ///< matrix products of a layer, which narrow formats and adapters apply to
  bool expert = false;  ///< spread over the ranks that hold the same experts
};

/// What one layer of a kind costs one GPU.
template <class Tracer>
struct LayerCost {
  typename Tracer::template Known<double> split{};       ///< divided over the tensor-parallel group
  typename Tracer::template Known<double> replicated{};  ///< norms, router, biases
  typename Tracer::template Known<double> experts{};
  typename Tracer::template Known<double> adapters{};
  typename Tracer::template Known<double> expert_adapters{};
  typename Tracer::template Known<double> unit{};  ///< all of it that shards are gathered for
  typename Tracer::template Known<Bytes> kept{};   ///< activations until the backward pass
  typename Tracer::template Known<Bytes>
      recomputed{};  ///< what exists of one layer while its backward pass runs, beyond `kept`
};

template <class Tracer>
class Assembler {
 public:
  template <class T>
  using Known = typename Tracer::template Known<T>;

  Assembler(Tracer& trace, const Model& model, const LayerStack& stack, const Gpu& gpu, const TrainingRun& run,
            const TrainingRecipe& recipe)
      : trace_(trace), model_(model), stack_(stack), gpu_(gpu), run_(run), recipe_(recipe), bytes_(recipe.bytes()) {
    const TrainingParallelism& p = run.parallelism;
    tensor_ = trace.input("/parallelism/tensor", p.tensor);
    one_ = trace.constant("one", 1.0, "definition");
    zero_ = trace.constant("no_parameters", 0.0, "definition");
    no_bytes_ = trace.constant("no_bytes", Bytes(0), "definition");
    norm_ranks_ = p.sequence_parallel ? tensor_ : one_;
    element_ = recipe_fact("element_bytes", bytes_.element);
    linear_input_ = recipe_fact("linear_input_bytes", bytes_.linear_input);
    narrow_ = bytes_.linear_input < bytes_.element;
    input_ranks_ = narrow_ ? one_ : norm_ranks_;
    hidden_ = trace.fact(model, "hidden_size", model.hidden_size);
    const auto context = trace.input("/parallelism/context", p.context);
    const auto data = trace.input("/parallelism/data", p.data);
    const auto expert = trace.input("/parallelism/expert", p.expert);
    expert_tensor_ = trace.input("/parallelism/expert_tensor", p.expert_tensor);
    sequence_ = trace.input("/sequence_length", run.sequence_length);
    tokens_ = trace.step("tokens_per_rank", kTokensPerRank, sequence_,
                         trace.input("/micro_batch_size", run.micro_batch_size), context);
    dense_ranks_ = trace.step("dense_state_ranks", kDenseStateRanks, data, context);
    expert_state_ranks_ =
        trace.step("expert_state_ranks", kExpertStateRanks, tensor_, context, data, expert, expert_tensor_);
    if (p.zero_stage >= 3 && p.shard == Shard::hybrid && gpu.link_domain_gpus) {
      const auto domain = trace.fact(gpu, "link.domain_gpus", *gpu.link_domain_gpus);
      dense_ranks_ = trace.step("hybrid_dense_ranks", kHybridStateRanks, dense_ranks_, domain, tensor_);
      expert_state_ranks_ = trace.step("hybrid_expert_ranks", kHybridStateRanks, expert_state_ranks_, domain, tensor_);
    }
    expert_group_ = trace.step("expert_group", kExpertRanks, expert, expert_tensor_);
    costs_.reserve(stack.kinds.size());
    for (const LayerKind& kind : stack.kinds) costs_.push_back(layer_cost(kind));
    ends_ = end_parameters(trace, model);
    token_table_ = per_rank("token_table_per_rank", ends_.token_table, tensor_);
    output_head_ = per_rank("output_head_per_rank", ends_.output_head, tensor_);
  }

  TrainingMemory<Tracer> stage(int place) {
    count_stage_layers(stack_,
                       {.pipeline = run_.parallelism.pipeline,
                        .virtual_pipeline = run_.parallelism.virtual_pipeline,
                        .embedding_and_loss_as_layers = run_.embedding_and_loss_as_layers},
                       place, layers_);
    first_ = place == 0;
    last_ = place + 1 >= static_cast<int>(run_.parallelism.pipeline);
    TrainingMemory<Tracer> memory;
    memory.stage = place;
    states(memory);
    memory.activations = activations(place);
    memory.buffers = buffers();
    memory.allocated = sum_of(trace_, "allocated", memory.weights, memory.gradients, memory.optimizer,
                              memory.activations, memory.buffers);
    memory.runtime = runtime(memory.allocated);
    memory.total = sum_of(trace_, "total", memory.allocated, memory.runtime);
    memory.capacity = gpu_.memory_driver ? trace_.fact(gpu_, "memory_driver_gib", *gpu_.memory_driver)
                                         : trace_.fact(gpu_, "memory_gb", gpu_.memory.value_or(Bytes(0)));
    return memory;
  }

 private:
  Known<Bytes> recipe_fact(std::string_view field, Bytes value) {
    if constexpr (Tracer::kRecords) {
      return trace_.fact(*recipe_.stack, "states." + std::to_string(recipe_.states) + "." + std::string(field), value);
    } else {
      static_cast<void>(field);
      return value;
    }
  }
  Known<double> per_rank(std::string_view id, const Known<double>& parameters, const Known<double>& ranks) {
    return trace_.step(id, kParametersPerRank, parameters, ranks);
  }
  bool frozen() const { return run_.method != TrainingMethod::full; }

  // Layers

  /// Attention values of one token, without scores.
  Known<Bytes> mixer_values(const LayerKind& kind, const LayerFacts<Tracer>& facts) {
    if (kind.attention == AttentionKind::linear) return linear_mixer_values();
    Total<Tracer, Bytes> parts;
    if (kind.latent) {
      const auto latents =
          trace_.step("latents", kLatentNormParameters, trace_.fact(model_, "q_lora_rank", model_.q_lora_rank),
                      trace_.fact(model_, "kv_lora_rank", model_.kv_lora_rank));
      parts.add(trace_.step("attention_values", kLatentAttentionValueBytes, latents, facts.heads, facts.head_dim,
                            facts.v_head_dim, element_));
    } else {
      parts.add(trace_.step("attention_values", kAttentionValueBytes, facts.heads, facts.kv_heads, facts.head_dim,
                            facts.v_head_dim, element_));
    }
    if (narrow_) parts.add(trace_.step("output_copy", kOutputCopyBytes, facts.heads, facts.v_head_dim, linear_input_));
    return parts.sum(trace_, "mixer_values");
  }

  Known<Bytes> linear_mixer_values() {
    if (!model_.linear_attention) return no_bytes_;
    const LinearAttention& mixer = *model_.linear_attention;
    double projected = 0;
    double width = 0;
    for (const LinearWeight& weight :
         linear_weights(model_, LayerKind{.attention = AttentionKind::linear, .mlp = MlpKind::none})) {
      (weight.name == "mixer_in" ? projected : width) = weight.name == "mixer_in" ? weight.out : weight.in;
    }
    return trace_.step("linear_mixer_values", kLinearMixerValueBytes,
                       trace_.method("projected_width", projected, kPage),
                       trace_.method("convolution_channels", convolution_channels(mixer), kPage),
                       trace_.method("mixer_width", width, kPage), element_);
  }

  /// Scores of unfused attention, or the statistics of fused attention.
  Known<Bytes> score_values(const LayerFacts<Tracer>& facts) {
    if (recipe_.stack->fused_attention) return trace_.step("log_sum_exp", kLogSumExpBytes, facts.heads);
    return recipe_.stack->dropout ? trace_.step("scores", kDroppedScoreBytes, facts.heads, sequence_, element_)
                                  : trace_.step("scores", kScoreBytes, facts.heads, sequence_, element_);
  }

  Known<Bytes> mlp_values(const LayerKind& kind, const LayerFacts<Tracer>& facts) {
    Total<Tracer, Bytes> parts;
    const auto matrices = trace_.fact(model_, "mlp_matrices", model_.mlp_matrices);
    if (kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model_.moe_parallel_dense_mlp)) {
      parts.add(
          trace_.step("dense_mlp_values", kMlpValueBytes, matrices, facts.ffn_hidden_size, element_, linear_input_));
    }
    if (kind.mlp == MlpKind::moe) {
      const auto chosen = trace_.fact(model_, "experts_per_token", model_.experts_per_token);
      const auto width = trace_.fact(model_, "moe_ffn_hidden_size", model_.moe_ffn_hidden_size);
      const bool latent = model_.moe_latent_size > 0;
      const auto inner = latent ? trace_.fact(model_, "moe_latent_size", model_.moe_latent_size) : hidden_;
      if (model_.shared_ffn_hidden_size > 0) {
        parts.add(trace_.step("shared_expert_values", kMlpValueBytes, matrices,
                              trace_.fact(model_, "shared_ffn_hidden_size", model_.shared_ffn_hidden_size), element_,
                              linear_input_));
      }
      if (latent) parts.add(trace_.step("latent_up_input", kNormInputBytes, one_, inner, linear_input_));
      parts.add(trace_.step("permuted_inputs", kPermutedInputBytes, chosen, inner, expert_tensor_, linear_input_));
      parts.add(
          trace_.step("routed_expert_values", kExpertValueBytes, chosen,
                      trace_.step("expert_mlp_values", kMlpValueBytes, matrices, width, element_, linear_input_)));
    }
    return parts.sum(trace_, "mlp_values");
  }

  Known<Bytes> adapter_values(const LayerKind& kind) {
    double adapters = 0;
    for (const LinearWeight& weight : linear_weights(model_, kind)) adapters += weight.active;
    return trace_.step("adapter_values", kAdapterValueBytes, trace_.input("/lora_rank", run_.lora_rank),
                       trace_.method("adapters_of_layer", adapters, kPage), element_);
  }

  void layer_activations(const LayerKind& kind, const LayerFacts<Tracer>& facts, LayerCost<Tracer>& cost) {
    const double mixer = kind.attention == AttentionKind::none ? 0.0 : 1.0;
    const double mlp = kind.mlp == MlpKind::none ? 0.0 : 1.0;
    const auto sublayers = trace_.method("sublayers", mixer + mlp, kPage);
    Total<Tracer, Bytes> norms;
    norms.add(trace_.step("norm_inputs", kNormInputBytes, sublayers, hidden_, element_));
    if (recipe_.stack->dropout) norms.add(trace_.step("dropout_masks", kDropoutMaskBytes, sublayers, hidden_));
    Total<Tracer, Bytes> inputs;
    inputs.add(trace_.step("column_inputs", kColumnInputBytes, sublayers, hidden_, linear_input_));
    if (frozen()) inputs.add(adapter_values(kind));
    Total<Tracer, Bytes> inside;
    Total<Tracer, Bytes> without_scores;
    if (mixer > 0) {
      const auto values = mixer_values(kind, facts);
      inside.add(values);
      without_scores.add(values);
      if (has_attention(kind)) inside.add(score_values(facts));
    }
    if (mlp > 0) {
      const auto values = mlp_values(kind, facts);
      inside.add(values);
      without_scores.add(values);
    }
    const auto norm_bytes = norms.sum(trace_, "values_between_sublayers");
    const auto input_bytes = inputs.sum(trace_, "sublayer_inputs");
    const auto all = trace_.step("layer_activations", kLayerActivationBytes, tokens_, norm_bytes, norm_ranks_,
                                 input_bytes, input_ranks_, inside.sum(trace_, "values_inside_sublayers"), tensor_);
    cost.kept = all;
    cost.recomputed = no_bytes_;
    if (run_.activation_recompute == Recompute::full) {
      cost.kept = trace_.step("layer_checkpoint", kCheckpointBytes, tokens_, hidden_, element_, norm_ranks_);
      cost.recomputed = all;
    } else if (run_.activation_recompute == Recompute::selective) {
      if (recipe_.stack->selective == SelectiveRecompute::core_attention) {
        cost.kept =
            trace_.step("layer_activations_without_scores", kLayerActivationBytes, tokens_, norm_bytes, norm_ranks_,
                        input_bytes, input_ranks_, without_scores.sum(trace_, "values_without_scores"), tensor_);
      } else {
        const auto attention_width = trace_.step("attention_width", kWidthOfHeads, facts.heads, facts.head_dim);
        const auto value_width = trace_.step("kv_width", kWidthOfHeads, facts.kv_heads, facts.v_head_dim);
        const auto products = trace_.step("kept_products", kAlternateProductBytes, hidden_, attention_width,
                                          value_width, facts.ffn_hidden_size, element_);
        const auto kept =
            sum_of(trace_, "kept_values", products, trace_.step("log_sum_exp", kLogSumExpBytes, facts.heads));
        cost.kept = trace_.step("kept_activations", kLayerActivationBytes, tokens_, no_bytes_, norm_ranks_, no_bytes_,
                                input_ranks_, kept, tensor_);
        cost.recomputed = all;
      }
    }
  }

  LayerCost<Tracer> layer_cost(const LayerKind& kind) {
    const LayerParameters<Tracer> layer = layer_parameters(trace_, model_, kind);
    const auto facts = layer_facts(trace_, model_, kind);
    LayerCost<Tracer> cost{zero_, zero_, zero_, zero_, zero_, zero_, no_bytes_, no_bytes_};
    cost.split =
        per_rank("linear_parameters_per_rank",
                 sum_of(trace_, "linear_parameters", layer.attention, layer.dense_mlp, layer.shared_experts), tensor_);
    cost.replicated = sum_of(trace_, "replicated_parameters", layer.norms, layer.router, layer.other);
    if (kind.mlp == MlpKind::moe) cost.experts = per_rank("expert_parameters_per_rank", layer.experts, expert_group_);
    if (frozen()) {
      double widths = 0;
      double expert_widths = 0;
      for (const LinearWeight& weight : linear_weights(model_, kind))
        (weight.role == LinearRole::expert ? expert_widths : widths) += weight.copies * (weight.in + weight.out);
      const auto rank = trace_.input("/lora_rank", run_.lora_rank);
      cost.adapters = per_rank(
          "adapters_per_rank",
          trace_.step("adapter_parameters", kAdapterParameters, rank, trace_.method("adapter_widths", widths, kPage)),
          tensor_);
      if (expert_widths > 0) {
        cost.expert_adapters = per_rank("expert_adapters_per_rank",
                                        trace_.step("expert_adapter_parameters", kAdapterParameters, rank,
                                                    trace_.method("expert_adapter_widths", expert_widths, kPage)),
                                        expert_group_);
      }
    }
    Total<Tracer, double> unit;
    if (gathers(false)) {
      unit.add(cost.split);
      unit.add(cost.replicated);
    }
    if (gathers(true)) unit.add(cost.experts);
    cost.unit = unit.sum(trace_, "unit_parameters");
    layer_activations(kind, facts, cost);
    return cost;
  }

  // States

  const Known<double>& ranks(bool expert) const { return expert ? expert_state_ranks_ : dense_ranks_; }
  /// Whether weights live elsewhere and are gathered unit by unit.
  bool gathers(bool expert) const {
    return run_.offload == Offload::parameters || (run_.parallelism.zero_stage >= 3 && value_of(ranks(expert)) > 1.0);
  }

  /// Whether gathered units stay for all micro-batches of a pipeline.
  bool stays_gathered() const {
    return recipe_.stack->pipeline_keeps_gathered && run_.parallelism.pipeline > 1 &&
           run_.offload != Offload::parameters;
  }

  void states(TrainingMemory<Tracer>& memory) {
    Total<Tracer, Bytes> weights, gradients, optimizer;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      if (layers_[i] <= 0) continue;
      const auto count = trace_.method("layers_on_stage", layers_[i], kPage);
      const auto times = [&](const Known<double>& parameters) {
        return trace_.step("parameters_on_stage", kParametersOfLayers, count, parameters);
      };
      const LayerCost<Tracer>& cost = costs_[i];
      add_states({times(cost.split), true, false}, weights, gradients, optimizer);
      add_states({times(cost.replicated), false, false}, weights, gradients, optimizer);
      add_states({times(cost.experts), true, true}, weights, gradients, optimizer);
      if (frozen()) {
        add_trained({times(cost.adapters), true, false}, weights, gradients, optimizer);
        add_trained({times(cost.expert_adapters), true, true}, weights, gradients, optimizer);
      }
    }
    if (first_) {
      add_states({token_table_, false, false}, weights, gradients, optimizer);
      add_states({ends_.before, false, false}, weights, gradients, optimizer);
    }
    if (last_) {
      if (!model_.tied_embeddings || !first_) add_states({output_head_, false, false}, weights, gradients, optimizer);
      add_states({ends_.after, false, false}, weights, gradients, optimizer);
    }
    memory.weights = weights.sum(trace_, "weights");
    memory.gradients = gradients.sum(trace_, "gradients");
    memory.optimizer = optimizer.sum(trace_, "optimizer");
  }

  void add_states(const Share<Tracer>& share, Total<Tracer, Bytes>& weights, Total<Tracer, Bytes>& gradients,
                  Total<Tracer, Bytes>& optimizer) {
    if (value_of(share.parameters) <= 0) return;
    if (!frozen()) return add_trained(share, weights, gradients, optimizer);
    if (run_.offload == Offload::parameters) return;
    const bool quantised = run_.method == TrainingMethod::qlora && share.linear;
    weights.add(trace_.step("frozen_weights", kShardedBytes, share.parameters,
                            quantised ? quantised_weight() : element_, weight_shards(share.expert)));
    if (!quantised && share.linear) add_copies(share, weights);
  }

  void add_trained(const Share<Tracer>& share, Total<Tracer, Bytes>& weights, Total<Tracer, Bytes>& gradients,
                   Total<Tracer, Bytes>& optimizer) {
    if (value_of(share.parameters) <= 0 || run_.offload == Offload::parameters) return;
    const int zero = run_.parallelism.zero_stage;
    weights.add(trace_.step("weight_bytes", kShardedBytes, share.parameters, recipe_fact("weight_bytes", bytes_.weight),
                            weight_shards(share.expert)));
    if (share.linear) add_copies(share, weights);
    const bool gradients_moved =
        run_.offload == Offload::optimizer && recipe_.stack->offload_moves_gradients && zero >= 2;
    if (!gradients_moved) {
      gradients.add(trace_.step("gradient_bytes", kShardedBytes, share.parameters,
                                recipe_fact("gradient_bytes", bytes_.gradient),
                                zero >= 2 && !stays_gathered() ? ranks(share.expert) : one_));
    }
    if (run_.offload == Offload::optimizer) return;
    const auto moments =
        run_.optimizer == Optimizer::adamw
            ? recipe_fact("moment_bytes", bytes_.moment)
            : trace_.constant("no_moments", Bytes(0), "plain stochastic gradient descent keeps no moments");
    const auto per_parameter = trace_.step("optimizer_bytes_per_parameter", kOptimizerBytesPerParameter,
                                           recipe_fact("master_bytes", bytes_.master), moments);
    optimizer.add(trace_.step("optimizer_bytes", kShardedBytes, share.parameters, per_parameter,
                              zero >= 1 ? ranks(share.expert) : one_));
  }

  void add_copies(const Share<Tracer>& share, Total<Tracer, Bytes>& weights) {
    if (bytes_.weight_copy <= Bytes(0) || gathers(share.expert)) return;
    weights.add(trace_.step("narrow_weight_copies", kWorkingBufferBytes, share.parameters,
                            recipe_fact("weight_copy_bytes", bytes_.weight_copy)));
  }

  const Known<double>& weight_shards(bool expert) const {
    return run_.parallelism.zero_stage >= 3 ? ranks(expert) : one_;
  }

  Known<Bytes> quantised_weight() {
    const char* const paper = "arXiv 2305.14314 section 3";
    return trace_.step("quantised_weight", kDoubleQuantisedBytes, trace_.constant("nf4_bits", 4.0, paper),
                       trace_.constant("nf4_block", 64.0, paper), trace_.constant("nf4_outer_block", 256.0, paper));
  }

  // Activations and buffers of a stage

  Known<Bytes> activations(int place) {
    Total<Tracer, Bytes> parts;
    const auto in_flight = micro_batches_in_flight(trace_, run_, place);
    const LayerCost<Tracer>* largest = nullptr;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      if (layers_[i] <= 0) continue;
      parts.add(trace_.step("stage_activations", kStageActivationBytes,
                            trace_.method("layers_on_stage", layers_[i], kPage), costs_[i].kept, in_flight));
      if (largest == nullptr || value_of(costs_[i].recomputed) > value_of(largest->recomputed)) largest = &costs_[i];
    }
    if (largest != nullptr && value_of(largest->recomputed) > Bytes(0)) parts.add(largest->recomputed);
    if (first_ && recipe_.stack->dropout)
      parts.add(trace_.step("embedding_mask", kEmbeddingMaskBytes, tokens_, hidden_, norm_ranks_, in_flight));
    if (last_) {
      parts.add(trace_.step("logits", kLogitBytes, tokens_, trace_.fact(model_, "vocab_size", model_.vocab_size),
                            tensor_, recipe_fact("logit_bytes", bytes_.logit)));
      parts.add(trace_.step("head_inputs", kHeadInputBytes, tokens_, hidden_, element_, norm_ranks_));
    }
    return parts.sum(trace_, "activations");
  }

  /// Parameters of one copy of each shape of the stage's dense linear weights, the output head included.
  double distinct_shapes() const {
    std::vector<std::pair<double, double>> seen;
    double parameters = 0;
    for (std::size_t i = 0; i < stack_.kinds.size(); ++i) {
      if (layers_[i] <= 0) continue;
      for (const LinearWeight& weight : linear_weights(model_, stack_.kinds[i])) {
        const std::pair<double, double> shape(weight.in, weight.out);
        if (weight.role == LinearRole::expert || std::find(seen.begin(), seen.end(), shape) != seen.end()) continue;
        seen.push_back(shape);
        parameters += weight.parameters();
      }
    }
    return last_ ? parameters + model_.vocab_size * model_.hidden_size : parameters;
  }

  /// The largest dense linear weight of the stage.
  double largest_linear() const {
    double parameters = 0;
    for (std::size_t i = 0; i < stack_.kinds.size(); ++i) {
      if (layers_[i] <= 0) continue;
      for (const LinearWeight& weight : linear_weights(model_, stack_.kinds[i]))
        parameters = std::max(parameters, weight.parameters());
    }
    return parameters;
  }

  Known<Bytes> gathered_weight() {
    return run_.method == TrainingMethod::qlora ? quantised_weight() : recipe_fact("gathered_bytes", bytes_.gathered);
  }

  /// All parameters of the stage that are gathered from shards.
  Known<double> gathered_stage() {
    Total<Tracer, double> parts;
    for (std::size_t i = 0; i < costs_.size(); ++i) {
      if (layers_[i] > 0)
        parts.add(trace_.step("parameters_on_stage", kParametersOfLayers,
                              trace_.method("layers_on_stage", layers_[i], kPage), costs_[i].unit));
    }
    if (gathers(false) && first_) parts.add(token_table_);
    if (gathers(false) && last_) parts.add(output_head_);
    return parts.sum(trace_, "gathered_parameters");
  }

  Known<Bytes> buffers() {
    Total<Tracer, Bytes> parts;
    if (recipe_.stack->weight_gradient_buffers && !frozen()) {
      const auto shapes =
          per_rank("distinct_weights_per_rank", trace_.method("distinct_weights", distinct_shapes(), kPage), tensor_);
      parts.add(trace_.step("weight_gradient_buffers", kWorkingBufferBytes, shapes, element_));
    }
    if ((gathers(false) || gathers(true)) && stays_gathered()) {
      parts.add(trace_.step("gathered_stage", kWorkingBufferBytes, gathered_stage(), gathered_weight()));
    } else if (gathers(false) || gathers(true)) {
      const Known<double>* unit = gathers(false) && first_ ? &token_table_ : &zero_;
      if (gathers(false) && last_ && value_of(output_head_) > value_of(*unit)) unit = &output_head_;
      for (std::size_t i = 0; i < costs_.size(); ++i) {
        if (layers_[i] > 0 && value_of(costs_[i].unit) > value_of(*unit)) unit = &costs_[i].unit;
      }
      parts.add(trace_.step("gathered_units", kGatheredUnitBytes, *unit,
                            trace_.fact(*recipe_.stack, "prefetch_units", recipe_.stack->prefetch_units),
                            gathered_weight()));
      if (!frozen()) parts.add(trace_.step("unit_gradients", kWorkingBufferBytes, *unit, element_));
    }
    if (run_.method == TrainingMethod::qlora) {
      const auto largest =
          per_rank("largest_weight_per_rank", trace_.method("largest_weight", largest_linear(), kPage), tensor_);
      parts.add(trace_.step("dequantised_weight", kWorkingBufferBytes, largest, element_));
    }
    return parts.sum(trace_, "buffers");
  }

  Known<Bytes> runtime(const Known<Bytes>& allocated) {
    Total<Tracer, Bytes> parts;
    if (const GpuContext* context = find_gpu_context(*recipe_.all, gpu_.compute_capability))
      parts.add(trace_.fact(*context, "context_mib", context->context));
    parts.add(trace_.step("reserved_beyond_allocated", kReservedBeyondAllocated, allocated,
                          trace_.fact(*recipe_.stack, "allocated_share", recipe_.stack->allocated_share)));
    return parts.sum(trace_, "runtime");
  }

  Tracer& trace_;
  const Model& model_;
  const LayerStack& stack_;
  const Gpu& gpu_;
  const TrainingRun& run_;
  const TrainingRecipe& recipe_;
  const StateRecipe& bytes_;
  Known<double> tensor_{}, one_{}, zero_{}, norm_ranks_{}, input_ranks_{}, hidden_{}, expert_tensor_{}, sequence_{},
      tokens_{}, dense_ranks_{}, expert_state_ranks_{}, expert_group_{};
  Known<Bytes> no_bytes_{}, element_{}, linear_input_{};
  Known<double> token_table_{}, output_head_{};
  EndParameters<Tracer> ends_{};
  std::vector<LayerCost<Tracer>> costs_;
  std::vector<double> layers_;
  bool narrow_ = false;
  bool first_ = false;
  bool last_ = false;
};

}  // namespace training_detail

/// What the formulas do not cover, or the catalog does not know, for a run; empty when all is well.
Errors training_memory_gaps(const Model& model, const LayerStack& stack, const Gpu& gpu, const TrainingRun& run,
                            const TrainingRecipe& recipe);

/// Memory of the fullest GPU. Errors: "not-modelled" for a combination that no formula covers, "missing" for a figure
/// the catalog lacks. Paths are below the run ("/framework").
template <class Tracer>
Result<TrainingMemory<Tracer>> training_memory(Tracer& trace, const Model& model, const LayerStack& stack,
                                               const Gpu& gpu, const TrainingRun& run, const TrainingRecipe& recipe) {
  if (Errors gaps = training_memory_gaps(model, stack, gpu, run, recipe); !gaps.empty())
    return failure(std::move(gaps));
  NoTrace quiet;
  training_detail::Assembler<NoTrace> search(quiet, model, stack, gpu, run, recipe);
  TrainingMemory<NoTrace> fullest = search.stage(0);
  for (int place = 1; place < static_cast<int>(run.parallelism.pipeline); ++place) {
    const TrainingMemory<NoTrace> memory = search.stage(place);
    if (memory.total > fullest.total) fullest = memory;
  }
  if constexpr (Tracer::kRecords) {
    return training_detail::Assembler<Tracer>(trace, model, stack, gpu, run, recipe).stage(fullest.stage);
  } else {
    static_cast<void>(trace);
    return fullest;
  }
}

template <class Tracer>
Result<TrainingMemory<Tracer>> training_memory(Tracer& trace, const Model& model, const Gpu& gpu,
                                               const TrainingRun& run, const TrainingRecipe& recipe) {
  return training_memory(trace, model, layer_stack(model), gpu, run, recipe);
}

/// The stack and state bytes of a run's framework and precision.
TrainingRecipe training_recipe(const TrainingRecipes& recipes, const TrainingRun& run);

}  // namespace podwright
