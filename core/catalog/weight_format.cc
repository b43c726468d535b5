#include "catalog/weight_format.h"

#include "catalog/item_reader.h"

namespace podwright {
namespace {

void read_format(ObjectReader& reader, WeightFormat& format) {
  constexpr Range kBits{.min = 0.5, .max = 64};
  read_entry_head(reader, "weight_formats.json", format);
  keep(format.bits_per_weight, reader.number("bits_per_weight", kBits));
  if (!reader.has("bits_per_weight"))
    reader.missing("bits_per_weight", "bits of a weight of the linear layers, scales included");
  format.attention_bits = reader.number("attention_bits", kBits);
  format.expert_bits = reader.number("expert_bits", kBits);
  format.beside_experts_bits = reader.number("beside_experts_bits", kBits);
  keep(format.embedding_bits, reader.number("embedding_bits", kBits));
  keep(format.head_bits, reader.number("head_bits", kBits));
  keep(format.norm_bits, reader.number("norm_bits", kBits));
  format.file_average = reader.flag("file_average").value_or(false);
  format.published_average_bits = reader.number("published_average_bits", kBits);
  format.perplexity_loss_percent = reader.number("perplexity_loss_percent", {.min = 0, .max = 1e6});
  format.files = reader.word("files", {"safetensors", "gguf", "both"}).value_or(format.files);
  format.compute_precision =
      reader.word("compute_precision", {"fp32", "bf16", "fp16", "fp8", "int8", "fp4"}).value_or("bf16");
  format.definition = reader.text("definition").value_or("");
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
  read_list(node, file + "#", errors, formats, read_format);
}

}  // namespace podwright
