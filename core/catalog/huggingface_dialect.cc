#include "catalog/huggingface_dialect.h"

#include <algorithm>

#include "base/among.h"
#include "catalog/embedded.h"
#include "catalog/item_reader.h"

namespace podwright {

/// The files of core/catalog/huggingface/data.
std::span<const EmbeddedText> embedded_dialects();

namespace {

struct Dialects {
  std::vector<Dialect> dialects;
  std::vector<std::string> harmless_keys;
  std::vector<std::string> harmless_ends;
  std::vector<std::string> harmless_begins;
};

void read_dialect(ObjectReader& reader, Dialect& dialect) {
  dialect.model_types = read_texts(reader, "model_types");
  keep(dialect.mlp_matrices, reader.number("mlp_matrices"));
  keep(dialect.norms_per_layer, reader.number("norms_per_layer"));
  keep(dialect.norm_bias, reader.flag("norm_bias"));
  keep(dialect.biases, read_word<BiasKind>(reader, "biases", kBiasWords));
  keep(dialect.attention_bias_otherwise, reader.flag("attention_bias_otherwise"));
  keep(dialect.attention_bias_meaning, read_word<BiasKind>(reader, "attention_bias_meaning", kBiasWords));
  keep(dialect.qk_norm, read_word<QkNormKind>(reader, "qk_norm", kQkNormWords));
  keep(dialect.qk_norm_by_key, reader.flag("qk_norm_by_key"));
  dialect.tied = reader.flag("tied");
  keep(dialect.windows, read_word<WindowRule>(reader, "windows", kWindowRuleWords));
  keep(dialect.window_period, reader.number("window_period"));
  keep(dialect.head_dim, reader.number("head_dim"));
  keep(dialect.learned_positions, reader.number("learned_positions"));
  keep(dialect.four_times_hidden, reader.flag("four_times_hidden"));
  keep(dialect.experts_have_intermediate_size, reader.flag("experts_have_intermediate_size"));
  keep(dialect.router_bias, reader.flag("router_bias"));
  keep(dialect.expert_bias, reader.flag("expert_bias"));
  keep(dialect.attention_sinks, reader.flag("attention_sinks"));
  keep(dialect.shared_expert_gate, reader.flag("shared_expert_gate"));
  keep(dialect.attention_output_gate, reader.flag("attention_output_gate"));
  keep(dialect.lm_head_bias, reader.flag("lm_head_bias"));
  keep(dialect.embedding_norm, reader.flag("embedding_norm"));
  dialect.mixer = read_word<LinearAttention::Kind>(reader, "mixer", LinearAttention::kKindWords);
}

/// Groups of keys, each named by what they have in common.
void read_harmless(ObjectReader& reader, std::vector<std::string>& keys) {
  const JsonNode* groups = reader.object("harmless_keys");
  if (groups == nullptr) return;
  ObjectReader object(*groups, reader.path("harmless_keys"), reader.errors());
  for (const std::string& group : groups->keys)
    for (std::string& key : read_texts(object, group)) keys.push_back(std::move(key));
}

const Dialects& known_dialects() {
  static const Dialects known = [] {
    const Result<JsonNode> node = parse_json(embedded_dialects().front().text);
    PODWRIGHT_ASSERT(node.has_value());
    ErrorList errors;
    ObjectReader reader(*node, "", errors);
    Dialects read;
    read_list(reader, "dialects", read.dialects, read_dialect);
    read_harmless(reader, read.harmless_keys);
    read.harmless_ends = read_texts(reader, "harmless_ends");
    read.harmless_begins = read_texts(reader, "harmless_begins");
    reader.finish();
    PODWRIGHT_ASSERT(errors.empty());
    return read;
  }();
  return known;
}

}  // namespace

const Dialect* find_dialect(std::string_view model_type) {
  for (const Dialect& dialect : known_dialects().dialects)
    if (is_among(dialect.model_types, model_type)) return &dialect;
  return nullptr;
}

bool changes_nothing(std::string_view key) {
  const Dialects& known = known_dialects();
  return is_among(known.harmless_keys, key) ||
         std::any_of(known.harmless_ends.begin(), known.harmless_ends.end(),
                     [&](const std::string& end) { return key.ends_with(end); }) ||
         std::any_of(known.harmless_begins.begin(), known.harmless_begins.end(),
                     [&](const std::string& begin) { return key.starts_with(begin); });
}

}  // namespace podwright
