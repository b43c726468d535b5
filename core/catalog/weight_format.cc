#include "catalog/weight_format.h"

namespace podwright {
namespace {

WeightFormat read_format(const JsonNode& node, const std::string& path, ErrorList& errors) {
  ObjectReader reader(node, path, errors);
  constexpr Range kBits{.min = 0.5, .max = 64};
  WeightFormat format;
  format.id = reader.text("id").value_or("");
  if (format.id.empty() && !reader.has("id")) reader.missing("id", "the format's id in kebab-case");
  format.name = reader.text("name").value_or(format.id);
  format.origin = "catalog/weight_formats.json/" + format.id;
  const std::optional<double> bits = reader.number("bits_per_weight", kBits);
  if (!bits && !reader.has("bits_per_weight"))
    reader.missing("bits_per_weight", "bits of a weight of the linear layers, scales included");
  format.bits_per_weight = bits.value_or(format.bits_per_weight);
  format.attention_bits = reader.number("attention_bits", kBits);
  format.expert_bits = reader.number("expert_bits", kBits);
  format.beside_experts_bits = reader.number("beside_experts_bits", kBits);
  format.embedding_bits = reader.number("embedding_bits", kBits).value_or(format.embedding_bits);
  format.head_bits = reader.number("head_bits", kBits).value_or(format.head_bits);
  format.norm_bits = reader.number("norm_bits", kBits).value_or(format.norm_bits);
  format.file_average = reader.flag("file_average").value_or(false);
  format.published_average_bits = reader.number("published_average_bits", kBits);
  format.perplexity_loss_percent = reader.number("perplexity_loss_percent", {.min = 0});
  format.files = reader.word("files", {"safetensors", "gguf", "both"}).value_or(format.files);
  format.compute_precision =
      reader.word("compute_precision", {"fp32", "bf16", "fp16", "fp8", "int8", "fp4"}).value_or("bf16");
  format.definition = reader.text("definition").value_or("");
  if (const JsonNode* sources = reader.object("sources")) {
    for (std::size_t i = 0; i < sources->keys.size(); ++i) {
      std::string ids = sources->items[i].text;
      for (const JsonNode& id : sources->items[i].items) ids += (ids.empty() ? "" : "; ") + id.text;
      format.sources[sources->keys[i]] = ids;
    }
  }
  reader.finish();
  return format;
}

}  // namespace

StoredWidth stored_width(const WeightFormat& format, WeightPart part, bool mixture) {
  const StoredWidth common{.field = "bits_per_weight", .bits = format.bits_per_weight};
  if (part == WeightPart::expert)
    return format.expert_bits ? StoredWidth{.field = "expert_bits", .bits = *format.expert_bits} : common;
  if (part == WeightPart::attention && format.attention_bits)
    return {.field = "attention_bits", .bits = *format.attention_bits};
  if (part == WeightPart::mlp && format.mlp_bits) return {.field = "mlp_bits", .bits = *format.mlp_bits};
  if (mixture && format.beside_experts_bits)
    return {.field = "beside_experts_bits", .bits = *format.beside_experts_bits};
  return common;
}

const WeightFormat* find_weight_format(const std::vector<WeightFormat>& formats, std::string_view id) {
  for (const WeightFormat& format : formats) {
    if (format.id == id) return &format;
  }
  return nullptr;
}

void read_weight_formats(const JsonNode& node, const std::string& file, std::vector<WeightFormat>& formats,
                         ErrorList& errors) {
  if (!node.is_list()) {
    errors.add(node.order, {"wrong-type", file + "#", "The file of weight formats must be a list.", ""});
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    formats.push_back(read_format(node.items[i], file + "#/" + std::to_string(i), errors));
  }
}

}  // namespace podwright
