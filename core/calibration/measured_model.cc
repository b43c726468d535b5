#include "calibration/measured_model.h"

#include <algorithm>
#include <cmath>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "catalog/architecture_word.h"

namespace podwright {
namespace {

/// Published conventions, used where a table leaves a size out.
/// Width of an attention head: that of GPT-3 6.7B, 13B and 175B. arXiv 2005.14165 table 2.1.
constexpr double kUsualHeadDim = 128;
constexpr double kMostHeads = 16384;  ///< that are guessed
/// The 50,257 entries of GPT-2's vocabulary, padded to a multiple of 1,024 (128 x 8 tensor ranks): the size that all
/// models of arXiv 2104.04473 section 5.1 have.
constexpr double kGpt2VocabPadded = 51200;
/// MLP width over hidden size where the MLP has two matrices: that of every GPT-3. arXiv 2005.14165 section 2.1.
constexpr double kUngatedWidth = 4;

const Model* named_model(const Catalog& catalog, const std::string& id) {
  if (id.empty()) return nullptr;
  const auto found = find_model(catalog, id);
  return found ? *found : nullptr;
}

/// The catalog's model of a row without an id: the same name, and no size of the row contradicts it.
const Model* model_by_name(const Catalog& catalog, const ModelCells& cells) {
  const Model* model = named_model(catalog, cells.name);
  if (model == nullptr) return nullptr;
  const auto agrees = [](const std::optional<double>& cell, double value) { return !cell || *cell == value; };
  return agrees(cells.layers, model->layers) && agrees(cells.hidden, model->hidden_size) ? model : nullptr;
}

std::string kebab_case(const std::string& text) {
  std::string id;
  for (const char c : lower_case(text)) {
    const bool part = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
    if (part)
      id += c;
    else if (!id.empty() && id.back() != '-')
      id += '-';
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "measured-model" : id;
}

/// Groups that keep their shares of another number of layers; the largest remainders get what rounding leaves.
void scale_groups(std::vector<LayerGroup>& groups, double from, double to) {
  if (groups.empty()) return;
  std::vector<double> rest;
  double placed = 0;
  for (LayerGroup& group : groups) {
    const double share = group.count * to / from;
    group.count = std::floor(share);
    rest.push_back(share - group.count);
    placed += group.count;
  }
  for (; placed < to; placed += 1) {
    const auto next = std::max_element(rest.begin(), rest.end());
    groups[static_cast<std::size_t>(next - rest.begin())].count += 1;
    *next = -1;
  }
  groups.erase(std::remove_if(groups.begin(), groups.end(), [](const LayerGroup& g) { return g.count < 1; }),
               groups.end());
}

void override_layers(double layers, MeasuredModel& out) {
  Model& model = out.model;
  if (layers == model.layers) return;
  scale_groups(model.layer_groups, model.layers, layers);
  if (model.first_dense_layers > 0 && layers < model.layers) {
    const double scaled = std::max(1.0, std::floor(model.first_dense_layers * layers / model.layers + 0.5));
    if (scaled != model.first_dense_layers)
      out.assumptions.push_back("dense layers in front: " + shortest_number(scaled) + " of the model's " +
                                shortest_number(model.first_dense_layers) + ", as the row has fewer layers");
    model.first_dense_layers = scaled;
  }
  model.layers = layers;
}

void override_attention(const ModelCells& cells, Model& model) {
  const bool split_of_hidden = model.head_dim * model.attention_heads == model.hidden_size;
  const double hidden = cells.hidden.value_or(model.hidden_size);
  const double heads = cells.heads.value_or(model.attention_heads);
  const bool latent = model.kv_lora_rank > 0;
  const bool changed = hidden != model.hidden_size || heads != model.attention_heads;
  if (changed && split_of_hidden && !latent && std::fmod(hidden, heads) == 0) model.head_dim = hidden / heads;
  if (cells.head_dim && !latent) model.head_dim = *cells.head_dim;
  model.hidden_size = hidden;
  model.attention_heads = heads;
  if (cells.kv_heads && !latent) model.kv_heads = *cells.kv_heads;
  model.kv_heads = std::min(model.kv_heads, model.attention_heads);
}

void override_mlp(const ModelCells& cells, MeasuredModel& out) {
  Model& model = out.model;
  if (cells.mlp_matrices) model.mlp_matrices = std::clamp(*cells.mlp_matrices, 2.0, 3.0);
  if (cells.experts) model.experts = *cells.experts;
  if (cells.experts_per_token) model.experts_per_token = *cells.experts_per_token;
  model.experts_per_token = std::min(model.experts_per_token, model.experts);
  if (!cells.ffn || *cells.ffn == model.moe_ffn_hidden_size) return;
  if (model.experts <= 0) {
    model.ffn_hidden_size = *cells.ffn;
    return;
  }
  // Tables print the width of the dense layers under a heading that promises the experts' width.
  if (*cells.ffn == model.ffn_hidden_size && model.first_dense_layers > 0) {
    if (cells.ffn_is_per_expert.value_or(false))
      out.assumptions.push_back("ffn " + shortest_number(*cells.ffn) + ": the width of the model's dense layers; its " +
                                "experts keep " + shortest_number(model.moe_ffn_hidden_size));
    return;
  }
  const bool per_expert = cells.ffn_is_per_expert.value_or(model.first_dense_layers == 0);
  if (!per_expert) {
    model.ffn_hidden_size = *cells.ffn;
    return;
  }
  model.moe_ffn_hidden_size = *cells.ffn;
  if (model.shared_experts > 0) model.shared_ffn_hidden_size = model.shared_experts * *cells.ffn;
}

MeasuredModel changed_model(const Model& base, const ModelCells& cells) {
  MeasuredModel out{.model = base, .assumptions = {}};
  Model& model = out.model;
  if (cells.layers) override_layers(*cells.layers, out);
  override_attention(cells, model);
  override_mlp(cells, out);
  if (cells.vocab) model.vocab_size = *cells.vocab;
  return out;
}

/// Heads of a model of this width: those nearest to the usual head size that divide it and that the tensor parallel
/// group divides.
double usual_heads(double hidden, double tensor) {
  double best = tensor;
  double nearest = -1;
  for (double heads = tensor; heads <= std::min(hidden / 16, kMostHeads); heads += tensor) {
    if (std::fmod(hidden, heads) != 0) continue;
    const double head_dim = hidden / heads;
    const double distance = std::max(head_dim / kUsualHeadDim, kUsualHeadDim / head_dim);
    if (nearest > 0 && distance >= nearest) continue;
    nearest = distance;
    best = heads;
  }
  return best;
}

bool gated_width(double ffn, double hidden, bool grouped_heads) {
  return grouped_heads || ffn != kUngatedWidth * hidden;
}

Result<MeasuredModel> built_model(const ModelCells& cells) {
  if (!cells.layers || !cells.hidden)
    return failure({"missing", "",
                    "the model \"" + cells.name.substr(0, 60) + "\" is not in the catalog, and the row gives no " +
                        (cells.layers ? "hidden size" : "number of layers"),
                    "Give model_id, or layers and hidden."});
  MeasuredModel out;
  Model& model = out.model;
  const auto assume = [&](const std::string& what, double value) {
    out.assumptions.push_back(what + " " + shortest_number(value) + ": not given, as is usual");
    return value;
  };
  model.name = cells.name.empty() ? "Measured model" : cells.name;
  model.id = kebab_case(cells.name);
  model.origin = "measured/" + model.id;
  model.source = "the measured row";
  model.layers = *cells.layers;
  model.hidden_size = *cells.hidden;
  model.attention_heads =
      cells.heads ? *cells.heads : assume("attention heads", usual_heads(model.hidden_size, cells.tensor));
  model.kv_heads = std::min(cells.kv_heads.value_or(model.attention_heads), model.attention_heads);
  const double even_split = std::max(1.0, std::floor(model.hidden_size / model.attention_heads));
  model.head_dim = cells.head_dim.value_or(even_split);
  model.experts = cells.experts.value_or(0);
  if (model.experts < 2) model.experts = 0;
  const bool grouped = model.kv_heads < model.attention_heads;
  const double ffn = cells.ffn ? *cells.ffn : assume("MLP width", kUngatedWidth * model.hidden_size);
  const bool gated = gated_width(ffn, model.hidden_size, grouped) && (cells.ffn || grouped);
  model.mlp_matrices =
      cells.mlp_matrices ? std::clamp(*cells.mlp_matrices, 2.0, 3.0) : assume("MLP matrices", gated ? 3.0 : 2.0);
  model.ffn_hidden_size = ffn;
  if (model.experts > 0) {
    model.experts_per_token = cells.experts_per_token ? *cells.experts_per_token : assume("experts per token", 2);
    model.experts_per_token = std::min(model.experts_per_token, model.experts);
    model.moe_ffn_hidden_size = ffn;
  }
  model.arch = architecture_word(model.experts > 0);
  model.vocab_size = cells.vocab ? *cells.vocab : assume("vocabulary", kGpt2VocabPadded);
  model.attention_pattern = "full";
  // Two-matrix models follow GPT-2: one table for input and output, biases everywhere.
  const bool gpt = model.mlp_matrices == 2;
  model.tied_embeddings = gpt;
  model.biases = gpt ? BiasKind::attention_mlp : BiasKind::none;
  model.norm_bias = gpt;
  return out;
}

}  // namespace

ModelCells model_cells(const MeasuredCells& cells) {
  return {.model_id = cells.text("model_id"),
          .name = cells.text("model"),
          .layers = cells.size("layers"),
          .hidden = cells.size("hidden"),
          .heads = cells.size("heads"),
          .kv_heads = cells.size("kv_heads"),
          .head_dim = cells.size("head_dim"),
          .ffn = cells.size("ffn"),
          .vocab = cells.size("vocab"),
          .experts = cells.size("experts"),
          .experts_per_token = cells.size("topk"),
          .mlp_matrices = cells.size("mlp_matrices"),
          .ffn_is_per_expert = cells.flag("ffn_is_per_expert"),
          .tensor = cells.size("tp").value_or(1)};
}

Result<MeasuredModel> measured_model(const Catalog& catalog, const ModelCells& cells) {
  const Model* base = named_model(catalog, cells.model_id);
  if (base == nullptr) base = model_by_name(catalog, cells);
  if (base != nullptr) return changed_model(*base, cells);
  Result<MeasuredModel> built = built_model(cells);
  if (built && !cells.model_id.empty())
    built->assumptions.push_back("the model \"" + cells.model_id.substr(0, 60) +
                                 "\" is not in the catalog: built from the row's sizes");
  return built;
}

}  // namespace podwright
