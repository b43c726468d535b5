#pragma once
/// The layers of a model one by one: which attention, which MLP, which widths; and their split over pipeline stages.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace.h"
#include "catalog/model.h"

namespace podwright {

/// Layers that are alike. All widths are resolved: a group's own value, else the model's.
struct LayerKind {
  double count = 0;
  AttentionKind attention = AttentionKind::full;
  MlpKind mlp = MlpKind::dense;  ///< dense, moe or none
  bool latent = false;           ///< multi-head latent attention
  bool shared_kv = false;        ///< no value projection
  double heads = 0;
  double kv_heads = 0;
  double head_dim = 0;
  double v_head_dim = 0;       ///< width of a value head; head_dim unless the model says otherwise
  double window_tokens = 0;    ///< sliding, chunked
  double read_tokens = 0;      ///< sparse: tokens that a query reads
  double ffn_hidden_size = 0;  ///< of the dense MLP
  int group = -1;              ///< index in Model::layer_groups, -1 without groups
};

/// True where keys and values are stored: full, sliding, chunked and sparse attention.
constexpr bool has_attention(const LayerKind& kind) {
  return kind.attention != AttentionKind::linear && kind.attention != AttentionKind::none;
}

/// A model as a stack: `order[i]` is the index in `kinds` of layer i.
/// Groups whose order the catalog does not give are interleaved evenly. Which layer is dense follows from its position
/// (`first_dense_layers`, `moe_every_n_layers`) unless its group says so.
struct LayerStack {
  std::vector<LayerKind> kinds;
  std::vector<int> order;
};

LayerStack layer_stack(const Model& model);

/// How a stack is cut into pipeline stages.
struct StageSplit {
  double pipeline = 1;
  double virtual_pipeline = 1;                ///< chunks per stage; chunk c stands on stage c mod pipeline
  bool embedding_and_loss_as_layers = false;  ///< embedding and loss each take the place of one layer
};

/// Places that a split shares out among the stages: one for each layer, and for embedding and loss where they count.
template <class Number>
constexpr Number layer_slots(Number layers, bool embedding_and_loss_as_layers) {
  return embedding_and_loss_as_layers ? layers + Number{2} : layers;
}

/// Places of the chunks of a split. The last chunk also works on head and loss, so where chunks cannot be equal it gets
/// what the others leave, possibly no layer at all; of the others, `larger` that come last hold one more than `size`.
struct ChunkSizes {
  double size = 0;
  double larger = 0;
  double last = 0;
};
inline ChunkSizes chunk_sizes(double layers, const StageSplit& split) {
  const double slots = layer_slots(layers, split.embedding_and_loss_as_layers);
  const double others = split.pipeline * split.virtual_pipeline - 1.0;
  if (others < 1) return {.size = 0, .larger = 0, .last = slots};
  const double least = split.embedding_and_loss_as_layers ? 1.0 : 0.0;  // the loss itself
  const double last = std::max(least, slots - std::ceil(slots / (others + 1.0)) * others);
  const double size = std::floor((slots - last) / others);
  return {.size = size, .larger = slots - last - size * others, .last = last};
}

/// Layers of each kind on one stage (0-based).
std::vector<double> stage_layers(const LayerStack& stack, const StageSplit& split, int stage);
/// The same without allocation: `counts` gets one entry per kind.
void count_stage_layers(const LayerStack& stack, const StageSplit& split, int stage, std::vector<double>& counts);

/// Layers of the longest stage before the last (none with one stage), and of the last one.
struct StageTotals {
  double middle = 0;
  double last = 0;
};
/// Of the same split, from counts alone: the larger chunks end with that of the stage before the last, which therefore
/// has the most of them.
inline StageTotals stage_totals(double layers, const StageSplit& split) {
  if (split.pipeline <= 1) return {.middle = 0, .last = layers};
  const ChunkSizes chunks = chunk_sizes(layers, split);
  const double table = split.embedding_and_loss_as_layers ? 1.0 : 0.0;
  const double first = split.pipeline > 2 ? 0.0 : table;  // of two stages, each holds a table
  return {.middle = split.virtual_pipeline * chunks.size + std::ceil(chunks.larger / split.pipeline) - first,
          .last = (split.virtual_pipeline - 1.0) * chunks.size + std::floor(chunks.larger / split.pipeline) +
                  chunks.last - table};
}

/// A width of a kind of layer as a fact: told by the layer group where that overrides, else by the model.
template <class Tracer>
typename Tracer::template Known<double> layer_fact(Tracer& trace, const Model& model, const LayerKind& kind,
                                                   std::string_view group_field, std::string_view model_field,
                                                   double value, bool overridden) {
  if constexpr (Tracer::kRecords) {
    if (overridden)
      return trace.fact(model, "layer_groups." + std::to_string(kind.group) + "." + std::string(group_field), value);
  } else {
    static_cast<void>(kind);
    static_cast<void>(group_field);
    static_cast<void>(overridden);
  }
  return trace.fact(model, model_field, value);
}

/// The widths of a kind's attention and MLP as facts.
template <class Tracer>
struct LayerFacts {
  using Known = typename Tracer::template Known<double>;
  Known heads;
  Known kv_heads;
  Known head_dim;
  Known v_head_dim;
  Known ffn_hidden_size;
};

template <class Tracer>
LayerFacts<Tracer> layer_facts(Tracer& trace, const Model& model, const LayerKind& kind) {
  const LayerGroup none;
  const LayerGroup& group = kind.group < 0 ? none : model.layer_groups[static_cast<std::size_t>(kind.group)];
  const bool own_v = group.v_head_dim > 0 || (model.v_head_dim == 0 && group.head_dim > 0);
  const std::string_view model_v = model.v_head_dim > 0 ? "v_head_dim" : "head_dim";
  return {.heads = layer_fact(trace, model, kind, "heads", "attention_heads", kind.heads, group.heads > 0),
          .kv_heads = layer_fact(trace, model, kind, "kv_heads", "kv_heads", kind.kv_heads, group.kv_heads > 0),
          .head_dim = layer_fact(trace, model, kind, "head_dim", "head_dim", kind.head_dim, group.head_dim > 0),
          .v_head_dim = layer_fact(trace, model, kind, group.v_head_dim > 0 ? "v_head_dim" : "head_dim", model_v,
                                   kind.v_head_dim, own_v),
          .ffn_hidden_size = layer_fact(trace, model, kind, "ffn_hidden_size", "ffn_hidden_size", kind.ffn_hidden_size,
                                        group.ffn_hidden_size > 0)};
}

}  // namespace podwright
