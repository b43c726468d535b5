#include "model/layers.h"

#include <algorithm>
#include <cmath>

namespace podwright {
namespace {

double first_positive(double a, double b, double c) { return a > 0 ? a : (b > 0 ? b : c); }

MlpKind mlp_by_position(const Model& model, int position) {
  if (model.experts <= 0) return MlpKind::dense;
  const int first = static_cast<int>(model.first_dense_layers);
  const int every = std::max(1, static_cast<int>(model.moe_every_n_layers));
  if (position < first) return MlpKind::dense;
  return (position - first) % every == every - 1 ? MlpKind::moe : MlpKind::dense;
}

LayerKind resolved(const Model& model, const LayerGroup& group, int index, MlpKind mlp) {
  LayerKind kind;
  kind.attention = group.attention;
  kind.mlp = mlp;
  kind.latent = model.kv_lora_rank > 0 && has_attention(kind) && group.kv_heads == 0 && group.head_dim == 0;
  kind.shared_kv = group.shared_kv;
  kind.heads = first_positive(group.heads, model.attention_heads, 0);
  kind.kv_heads = first_positive(group.kv_heads, model.kv_heads, 0);
  kind.head_dim = first_positive(group.head_dim, model.head_dim, 0);
  kind.v_head_dim = first_positive(group.v_head_dim, model.v_head_dim, kind.head_dim);
  kind.window_tokens = first_positive(group.window_tokens, model.sliding_window, 0);
  kind.read_tokens = first_positive(group.read_tokens, model.indexer ? model.indexer->top_k : 0, 0);
  kind.ffn_hidden_size = first_positive(group.ffn_hidden_size, model.ffn_hidden_size, 0);
  kind.group = index;
  return kind;
}

/// The group of each layer, spread evenly: the next layer goes to the group that is furthest behind its share.
std::vector<int> interleaved_groups(const std::vector<LayerGroup>& groups, int layers) {
  std::vector<int> order;
  std::vector<double> placed(groups.size(), 0.0);
  order.reserve(static_cast<std::size_t>(layers));
  for (int i = 0; i < layers; ++i) {
    std::size_t next = 0;
    double furthest = -1e300;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const double behind = groups[g].count * (i + 1) / layers - placed[g];
      if (placed[g] < groups[g].count && behind > furthest) {
        furthest = behind;
        next = g;
      }
    }
    placed[next] += 1;
    order.push_back(static_cast<int>(next));
  }
  return order;
}

}  // namespace

LayerStack layer_stack(const Model& model) {
  const int layers = static_cast<int>(model.layers);
  static const LayerGroup kFull;
  LayerStack stack;
  stack.order.reserve(static_cast<std::size_t>(layers));
  const std::vector<int> groups =
      model.layer_groups.empty() ? std::vector<int>() : interleaved_groups(model.layer_groups, layers);
  for (int i = 0; i < layers; ++i) {
    const int index = groups.empty() ? -1 : groups[static_cast<std::size_t>(i)];
    const LayerGroup& group = index < 0 ? kFull : model.layer_groups[static_cast<std::size_t>(index)];
    const MlpKind mlp = group.mlp == MlpKind::by_position ? mlp_by_position(model, i) : group.mlp;
    auto found = std::find_if(stack.kinds.begin(), stack.kinds.end(),
                              [&](const LayerKind& kind) { return kind.group == index && kind.mlp == mlp; });
    if (found == stack.kinds.end()) found = stack.kinds.insert(stack.kinds.end(), resolved(model, group, index, mlp));
    found->count += 1;
    stack.order.push_back(static_cast<int>(found - stack.kinds.begin()));
  }
  return stack;
}

void count_stage_layers(const LayerStack& stack, const StageSplit& split, int stage, std::vector<double>& counts) {
  counts.assign(stack.kinds.size(), 0.0);
  const int layers = static_cast<int>(stack.order.size());
  const int before = split.embedding_and_loss_as_layers ? 1 : 0;
  const int stages = std::max(1, static_cast<int>(split.pipeline));
  const int chunks = stages * std::max(1, static_cast<int>(split.virtual_pipeline));
  const ChunkSizes sizes = chunk_sizes(layers, split);
  const int larger = static_cast<int>(sizes.larger);
  int begin = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    const int one_more = chunk >= chunks - 1 - larger ? 1 : 0;
    const int end = begin + static_cast<int>(chunk < chunks - 1 ? sizes.size + one_more : sizes.last);
    if (chunk % stages == stage) {
      const int first = std::max(begin - before, 0);
      const int last = std::min(end - before, layers);
      if (counts.size() == 1) {
        counts.front() += std::max(last - first, 0);
      } else {
        for (int layer = first; layer < last; ++layer)
          counts[static_cast<std::size_t>(stack.order[static_cast<std::size_t>(layer)])] += 1;
      }
    }
    begin = end;
  }
}

std::vector<double> stage_layers(const LayerStack& stack, const StageSplit& split, int stage) {
  std::vector<double> counts;
  count_stage_layers(stack, split, stage, counts);
  return counts;
}

}  // namespace podwright
