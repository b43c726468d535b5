#pragma once
/// What one layer of each kind holds in training, whatever the layout: parameters of all ranks, and saved bytes per
/// token. Derived once per model, precision, method and sequence length.
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/model.h"
#include "catalog/training_recipe.h"
#include "memory/activations.h"
#include "memory/model_states.h"
#include "memory/training_run.h"
#include "model/kv_cache.h"
#include "model/layers.h"
#include "model/linear_weights.h"
#include "model/parameters.h"
#include "model/total.h"

namespace podwright {

template <class Tracer>
struct TrainingLayer {
  Known<Tracer, double> linear{};      ///< divided over the tensor-parallel group
  Known<Tracer, double> replicated{};  ///< norms, router, biases
  Known<Tracer, double> experts{};     ///< routed
  Known<Tracer, double> adapters{};
  Known<Tracer, double> expert_adapters{};
  Known<Tracer, Bytes> between{};   ///< values between the sublayers
  Known<Tracer, Bytes> inputs{};    ///< inputs of the first products of the sublayers
  Known<Tracer, Bytes> inside{};    ///< values inside the sublayers, without scores and permuted inputs
  Known<Tracer, Bytes> scores{};    ///< scores of unfused attention, or the statistics of fused attention
  Known<Tracer, Bytes> selected{};  ///< what selective recompute keeps inside the sublayers, without permuted inputs
  Known<Tracer, double> chosen{};   ///< experts per token; 0 without routing
  Known<Tracer, double> inner{};    ///< width that the routed experts work in
};

/// A byte figure of the recipe, explained by its place in the catalog.
template <class Tracer>
Known<Tracer, Bytes> recipe_fact(Tracer& trace, const TrainingRecipe& recipe, std::string_view field, Bytes value) {
  if constexpr (Tracer::kRecords) {
    return trace.fact(*recipe.stack, "states." + std::to_string(recipe.states) + "." + std::string(field), value);
  } else {
    static_cast<void>(trace);
    static_cast<void>(recipe);
    static_cast<void>(field);
    return value;
  }
}

template <class Tracer>
Known<Tracer, Bytes> moment_bytes(Tracer& trace, const TrainingRecipe& recipe, Optimizer optimizer) {
  return optimizer == Optimizer::adamw ? recipe_fact(trace, recipe, "moment_bytes", recipe.bytes().moment) : Bytes(0);
}

/// Master copy and moments.
template <class Tracer>
Known<Tracer, Bytes> optimizer_bytes(Tracer& trace, const TrainingRecipe& recipe, Optimizer optimizer) {
  return named("optimizer_bytes_per_parameter",
               cited("arXiv 1910.02054 section 3.1", recipe_fact(trace, recipe, "master_bytes", recipe.bytes().master) +
                                                         moment_bytes(trace, recipe, optimizer)));
}

namespace training_detail {

inline constexpr const char* kPage = "docs/method/training_memory.md";

template <class Tracer>
class LayerReader {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  LayerReader(Tracer& trace, const Model& model, const TrainingRun& run, const TrainingRecipe& recipe)
      : trace_(trace), model_(model), run_(run), recipe_(recipe), bytes_(recipe.bytes()) {
    element_ = recipe_fact(trace, recipe, "element_bytes", bytes_.element);
    linear_input_ = recipe_fact(trace, recipe, "linear_input_bytes", bytes_.linear_input);
    hidden_ = trace.fact(model, "hidden_size", model.hidden_size);
    sequence_ = trace.input("/sequence_length", run.sequence_length);
  }

  TrainingLayer<Tracer> read(const LayerKind& kind) {
    const LayerParameters<Tracer> parameters = layer_parameters(trace_, model_, kind);
    const LayerFacts<Tracer> facts = layer_facts(trace_, model_, kind);
    TrainingLayer<Tracer> layer{0.0,      0.0,      0.0,      0.0,      0.0, Bytes(0),
                                Bytes(0), Bytes(0), Bytes(0), Bytes(0), 0.0, hidden_};
    layer.linear =
        sum_of(trace_, "linear_parameters", parameters.attention, parameters.dense_mlp, parameters.shared_experts);
    layer.replicated = sum_of(trace_, "replicated_parameters", parameters.norms, parameters.router, parameters.other);
    layer.experts = parameters.experts;
    if (frozen()) add_adapters(kind, layer);
    if (kind.mlp == MlpKind::moe) {
      layer.chosen = trace_.fact(model_, "experts_per_token", model_.experts_per_token);
      if (model_.moe_latent_size > 0) layer.inner = trace_.fact(model_, "moe_latent_size", model_.moe_latent_size);
    }
    add_values(kind, facts, layer);
    return layer;
  }

 private:
  bool frozen() const { return run_.method != TrainingMethod::full; }
  bool each_operation() const { return recipe_.stack->saves_each_operation; }
  bool narrow() const { return bytes_.linear_input < bytes_.element; }
  /// A search needs the values of every recompute, an explanation those of its own.
  bool wants(Recompute recompute) const { return !Tracer::kRecords || run_.activation_recompute == recompute; }

  void add_adapters(const LayerKind& kind, TrainingLayer<Tracer>& layer) {
    double widths = 0;
    double expert_widths = 0;
    for (const LinearWeight& weight : adapted_weights(model_, kind, run_.lora_targets))
      (weight.role == LinearRole::expert ? expert_widths : widths) += weight.copies * (weight.in + weight.out);
    const auto rank = trace_.input("/lora_rank", run_.lora_rank);
    layer.adapters =
        named("adapter_parameters", adapter_parameters(rank, trace_.method("adapter_widths", widths, kPage)));
    if (expert_widths > 0)
      layer.expert_adapters =
          named("expert_adapter_parameters",
                adapter_parameters(rank, trace_.method("expert_adapter_widths", expert_widths, kPage)));
  }

  void add_values(const LayerKind& kind, const LayerFacts<Tracer>& facts, TrainingLayer<Tracer>& layer) {
    const double mixer = kind.attention == AttentionKind::none ? 0.0 : 1.0;
    const double mlp = kind.mlp == MlpKind::none ? 0.0 : 1.0;
    const auto sublayers = trace_.method("sublayers", mixer + mlp, kPage);
    Total<Tracer, Bytes> between;
    if (each_operation()) {
      const auto wide = trace_.constant("upcast_bytes", Bytes(4.0), "transformers, LlamaRMSNorm: in 32 bit");
      between.add(named("norm_inputs", norm_input_bytes(sublayers, hidden_, wide)));
      if (!frozen()) between.add(named("normalised_values", norm_input_bytes(sublayers, hidden_, element_)));
    } else {
      between.add(named("norm_inputs", norm_input_bytes(sublayers, hidden_, element_)));
    }
    if (recipe_.stack->dropout) between.add(named("dropout_masks", dropout_mask_bytes(sublayers, hidden_)));
    layer.between = between.sum(trace_, "values_between_sublayers");
    Total<Tracer, Bytes> inputs;
    // The gradient of a frozen weight, which would read its input, is not computed.
    if (!each_operation() || !frozen())
      inputs.add(named("column_inputs", column_input_bytes(sublayers, hidden_, linear_input_)));
    if (frozen()) inputs.add(adapter_values(kind));
    layer.inputs = inputs.sum(trace_, "sublayer_inputs");
    Total<Tracer, Bytes> inside;
    if (mixer > 0) inside.add(mixer_values(kind, facts));
    if (mlp > 0) inside.add(mlp_values(kind, facts));
    layer.inside = inside.sum(trace_, "values_of_sublayers");
    if (has_attention(kind)) layer.scores = score_values(facts);
    if (wants(Recompute::selective)) layer.selected = selected_values(kind, facts, layer);
  }

  /// Values of a token before the projections of latent attention.
  Known<double> latents() {
    return named("latents", latent_norm_parameters(trace_.fact(model_, "q_lora_rank", model_.q_lora_rank),
                                                   trace_.fact(model_, "kv_lora_rank", model_.kv_lora_rank)));
  }
  /// Attention values of one token, without scores.
  Known<Bytes> mixer_values(const LayerKind& kind, const LayerFacts<Tracer>& facts) {
    if (kind.attention == AttentionKind::linear) return linear_mixer_values();
    Total<Tracer, Bytes> parts;
    if (kind.latent) {
      parts.add(named("attention_values", latent_attention_value_bytes(latents(), facts.heads, facts.head_dim,
                                                                       facts.v_head_dim, element_)));
    } else if (each_operation() && kind.kv_heads < kind.heads) {
      parts.add(named("attention_values", repeated_attention_bytes(facts.heads, facts.kv_heads, facts.head_dim,
                                                                   facts.v_head_dim, element_)));
    } else {
      parts.add(named("attention_values",
                      attention_value_bytes(facts.heads, facts.kv_heads, facts.head_dim, facts.v_head_dim, element_)));
    }
    if (narrow()) parts.add(named("output_copy", output_copy_bytes(facts.heads, facts.v_head_dim, linear_input_)));
    return parts.sum(trace_, "mixer_values");
  }

  Known<Bytes> linear_mixer_values() {
    if (!model_.linear_attention) return Bytes(0);
    double projected = 0;
    double width = 0;
    for (const LinearWeight& weight :
         linear_weights(model_, LayerKind{.attention = AttentionKind::linear, .mlp = MlpKind::none})) {
      (weight.name == "mixer_in" ? projected : width) = weight.name == "mixer_in" ? weight.out : weight.in;
    }
    return named("linear_mixer_values",
                 linear_mixer_value_bytes(
                     trace_.method("projected_width", projected, kPage),
                     trace_.method("convolution_channels", convolution_channels(*model_.linear_attention), kPage),
                     trace_.method("mixer_width", width, kPage), element_));
  }

  Known<Bytes> score_values(const LayerFacts<Tracer>& facts) {
    if (recipe_.stack->fused_attention) return named("log_sum_exp", log_sum_exp_bytes(facts.heads));
    return recipe_.stack->dropout ? named("scores", dropped_score_bytes(facts.heads, sequence_, element_))
                                  : named("scores", score_bytes(facts.heads, sequence_, element_));
  }

  Known<Bytes> mlp_values(const LayerKind& kind, const LayerFacts<Tracer>& facts) {
    Total<Tracer, Bytes> parts;
    const auto matrices = trace_.fact(model_, "mlp_matrices", model_.mlp_matrices);
    if (kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model_.moe_parallel_dense_mlp)) {
      parts.add(named("dense_mlp_values", mlp_value_bytes(matrices, facts.ffn_hidden_size, element_, linear_input_)));
      // Frozen weights save the activation's output instead of their product's input.
      if (each_operation() && !frozen() && model_.mlp_matrices > 2.0)
        parts.add(named("activation_outputs", norm_input_bytes(1.0, facts.ffn_hidden_size, element_)));
    }
    if (kind.mlp == MlpKind::moe) {
      const auto chosen = trace_.fact(model_, "experts_per_token", model_.experts_per_token);
      const auto width = trace_.fact(model_, "moe_ffn_hidden_size", model_.moe_ffn_hidden_size);
      if (model_.shared_ffn_hidden_size > 0) {
        parts.add(named(
            "shared_expert_values",
            mlp_value_bytes(matrices, trace_.fact(model_, "shared_ffn_hidden_size", model_.shared_ffn_hidden_size),
                            element_, linear_input_)));
      }
      if (model_.moe_latent_size > 0)
        parts.add(named(
            "latent_up_input",
            norm_input_bytes(1.0, trace_.fact(model_, "moe_latent_size", model_.moe_latent_size), linear_input_)));
      parts.add(named("routed_expert_values",
                      expert_value_bytes(chosen, named("expert_mlp_values",
                                                       mlp_value_bytes(matrices, width, element_, linear_input_)))));
    }
    return parts.sum(trace_, "mlp_values");
  }

  Known<Bytes> adapter_values(const LayerKind& kind) {
    double adapters = 0;
    double widths = 0;
    for (const LinearWeight& weight : adapted_weights(model_, kind, run_.lora_targets)) {
      adapters += weight.active;
      widths += weight.active * weight.in;
    }
    const bool wide = bytes_.adapter > Bytes(0);
    const Known<Bytes> width = wide ? recipe_fact(trace_, recipe_, "adapter_bytes", bytes_.adapter) : element_;
    const auto inner =
        named("adapter_values", adapter_value_bytes(trace_.input("/lora_rank", run_.lora_rank),
                                                    trace_.method("adapters_of_layer", adapters, kPage), width));
    if (!wide) return inner;
    return sum_of(
        trace_, "values_of_adapters", inner,
        named("adapter_inputs", adapter_input_bytes(trace_.method("adapter_inputs_of_layer", widths, kPage), width)));
  }

  Known<Bytes> selected_values(const LayerKind& kind, const LayerFacts<Tracer>& facts,
                               const TrainingLayer<Tracer>& layer) {
    switch (recipe_.stack->selective) {
      case SelectiveRecompute::core_attention:
        return layer.inside;
      case SelectiveRecompute::cheap_values:
        return costly_values(kind, facts, layer);
      case SelectiveRecompute::alternate_products:
        break;
    }
    return kept_products(facts);
  }

  /// Values that only a matrix product or the attention kernel makes.
  Known<Bytes> costly_values(const LayerKind& kind, const LayerFacts<Tracer>& facts,
                             const TrainingLayer<Tracer>& layer) {
    Total<Tracer, Bytes> parts;
    if (kind.latent) {
      parts.add(named("latent_outputs", latent_output_bytes(latents(), facts.heads, facts.v_head_dim, element_)));
    } else if (kind.attention != AttentionKind::none) {
      parts.add(mixer_values(kind, facts));
    }
    if (has_attention(kind)) parts.add(layer.scores);
    const auto matrices = trace_.fact(model_, "mlp_matrices", model_.mlp_matrices);
    const auto products = [&](std::string_view id, const Known<double>& width) {
      return named(id, mlp_product_bytes(matrices, width, element_));
    };
    if (kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model_.moe_parallel_dense_mlp))
      parts.add(products("dense_mlp_products", facts.ffn_hidden_size));
    if (kind.mlp == MlpKind::moe) {
      if (model_.shared_ffn_hidden_size > 0)
        parts.add(products("shared_expert_products",
                           trace_.fact(model_, "shared_ffn_hidden_size", model_.shared_ffn_hidden_size)));
      parts.add(named(
          "routed_expert_products",
          expert_value_bytes(layer.chosen, products("expert_products", trace_.fact(model_, "moe_ffn_hidden_size",
                                                                                   model_.moe_ffn_hidden_size)))));
    }
    return parts.sum(trace_, "costly_values");
  }

  Known<Bytes> kept_products(const LayerFacts<Tracer>& facts) {
    const auto attention_width = named("attention_width", facts.heads * facts.head_dim);
    const auto value_width = named("kv_width", facts.kv_heads * facts.v_head_dim);
    const auto products = named("kept_products", alternate_product_bytes(hidden_, attention_width, value_width,
                                                                         facts.ffn_hidden_size, element_));
    return sum_of(trace_, "kept_values", products, named("log_sum_exp", log_sum_exp_bytes(facts.heads)));
  }

  Tracer& trace_;
  const Model& model_;
  const TrainingRun& run_;
  const TrainingRecipe& recipe_;
  const StateRecipe& bytes_;
  Known<double> hidden_{}, sequence_{};
  Known<Bytes> element_{}, linear_input_{};
};

}  // namespace training_detail

/// One entry per kind of layer of the stack.
template <class Tracer>
std::vector<TrainingLayer<Tracer>> training_layers(Tracer& trace, const Model& model, const LayerStack& stack,
                                                   const TrainingRun& run, const TrainingRecipe& recipe) {
  training_detail::LayerReader<Tracer> reader(trace, model, run, recipe);
  std::vector<TrainingLayer<Tracer>> layers;
  layers.reserve(stack.kinds.size());
  for (const LayerKind& kind : stack.kinds) layers.push_back(reader.read(kind));
  return layers;
}

}  // namespace podwright
