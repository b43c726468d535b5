#include "catalog/safetensors_file.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/json_read.h"
#include "base/number_text.h"
#include "base/object_reader.h"
#include "base/whole.h"

namespace podwright {
namespace {

constexpr double kLengthBytes = 8;
constexpr Range kPlace{.min = 0, .max = kExactWhole};

/// Bits of one element; 0 for a type that is not known.
double element_bits(std::string_view type) {
  struct Width {
    std::string_view types;
    double bits;
  };
  static constexpr Width kWidths[] = {{" F64 I64 U64 C64 ", 64},  {" F32 I32 U32 ", 32},
                                      {" F16 BF16 I16 U16 ", 16}, {" F8_E4M3 F8_E5M2 F8_E8M0 I8 U8 BOOL ", 8},
                                      {" F6_E2M3 F6_E3M2 ", 6},   {" F4 ", 4}};
  const std::string word = " " + std::string(type) + " ";
  for (const Width& width : kWidths)
    if (width.types.find(word) != std::string_view::npos) return width.bits;
  return 0;
}

/// Scales, zeros and orders that belong to another tensor.
bool belongs_to_another(std::string_view name) {
  for (const std::string_view end :
       {".scales", "_scales", ".qzeros", ".g_idx", "weight_scale", "weight_scale_inv", "weight_scale_2", "input_scale",
        "weight_zero_point", "weight_shape", "weight_global_scale", "input_global_scale", "k_scale", "v_scale",
        ".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map"})
    if (name.ends_with(end)) return true;
  return name.find(".quant_state.") != std::string_view::npos;
}

/// Whole numbers that hold several narrow weights each.
bool is_packed(std::string_view type) { return type == "I32" || type == "U32" || type == "U8"; }

void read_tensor(const JsonNode& node, const std::string& name, WeightFile& file, ErrorList& errors) {
  const std::string path = pointer_step(name);
  const auto broken = [&](std::string what) {
    errors.add(node.order, {"not-safetensors", path, "The tensor \"" + name.substr(0, 60) + "\" " + std::move(what),
                            "Is the file whole?"});
  };
  ObjectReader reader(node, path, errors);
  WeightTensor tensor;
  tensor.name = name;
  tensor.type = reader.text("dtype").value_or("");
  const auto shape = reader.counts("shape", kPlace);
  const auto offsets = reader.counts("data_offsets", kPlace);
  reader.finish();
  if (tensor.type.empty() || !shape || !offsets || offsets->size() != 2)
    return broken("lacks dtype, shape or data_offsets.");
  double elements = 1;
  for (const std::int64_t size : *shape) {
    tensor.shape.push_back(static_cast<double>(size));
    elements *= static_cast<double>(size);
  }
  const double begin = static_cast<double>((*offsets)[0]);
  const double end = static_cast<double>((*offsets)[1]);
  tensor.offset = begin;
  tensor.bytes = end - begin;
  const double bits = element_bits(tensor.type);
  if (bits == 0) return broken("has the type " + tensor.type.substr(0, 20) + ", which is not known.");
  if (!(elements <= kExactWhole) || tensor.bytes != std::ceil(elements * bits / 8.0))
    return broken("takes " + shortest_number(tensor.bytes) + " bytes, its shape another number.");
  if (belongs_to_another(name))
    tensor.weights = 0.0;
  else if (!is_packed(tensor.type))
    tensor.weights = elements;
  file.data_bytes = std::max(file.data_bytes, end);
  file.tensors.push_back(std::move(tensor));
}

}  // namespace

std::optional<double> safetensors_header_bytes(std::string_view beginning) {
  if (beginning.size() < static_cast<std::size_t>(kLengthBytes)) return {};
  double length = 0;
  for (int i = 7; i >= 0; --i)
    length = length * 256.0 + static_cast<unsigned char>(beginning[static_cast<std::size_t>(i)]);
  return length + kLengthBytes;
}

bool is_safetensors(std::string_view beginning) {
  const auto header = safetensors_header_bytes(beginning);
  return header && *header <= kMostHeaderBytes && beginning.size() > 8 && beginning[8] == '{';
}

Result<WeightFile> read_safetensors(std::string_view beginning, double file_bytes) {
  const auto header = safetensors_header_bytes(beginning);
  if (header && *header > kMostHeaderBytes)
    return failure({"not-safetensors", ":0", "The header would have " + shortest_number(*header) + " bytes.",
                    "The format allows 100 MB; is it a safetensors file?"});
  const double given = static_cast<double>(beginning.size());
  if (!header || *header > given) {
    const bool more = file_bytes > given;
    return failure({"truncated", ":" + shortest_number(given), "The header continues past the bytes given.",
                    more ? "Give more of the file's beginning." : "The file is not whole."});
  }
  const std::size_t length = static_cast<std::size_t>(*header - kLengthBytes);
  const Result<JsonNode> node = parse_json(beginning.substr(8, length));
  if (!node) return tl::unexpected<Errors>(node.error());
  if (!node->is_object())
    return failure({"not-safetensors", ":8", "The header is not a JSON object.", "Is it a safetensors file?"});
  WeightFile file;
  file.header_bytes = *header;
  ErrorList errors;
  for (std::size_t i = 0; i < node->keys.size(); ++i)
    if (node->keys[i] != "__metadata__") read_tensor(node->items[i], node->keys[i], file, errors);
  if (errors.empty() && file_bytes > 0 && file.header_bytes + file.data_bytes > file_bytes)
    return failure({"truncated", ":" + shortest_number(file_bytes),
                    "The tensors end at byte " + shortest_number(file.header_bytes + file.data_bytes) +
                        ", the file has " + shortest_number(file_bytes) + ".",
                    "The file is not whole."});
  if (!errors.empty()) return tl::unexpected<Errors>(errors.take());
  if (file.tensors.empty())
    return failure({"not-safetensors", ":8", "The header names no tensor.", "Is the file whole?"});
  if (const auto overlap = tensors_that_overlap(file.tensors))
    return failure({"not-safetensors", ":8", *overlap, "Is the file whole?"});
  return file;
}

Result<SafetensorsIndex> read_safetensors_index(std::string_view text) {
  const Result<JsonNode> node = parse_json(text);
  if (!node) return tl::unexpected<Errors>(node.error());
  return read_safetensors_index(*node);
}

Result<SafetensorsIndex> read_safetensors_index(const JsonNode& node) {
  ErrorList errors;
  ObjectReader reader(node, "", errors);
  SafetensorsIndex index;
  const JsonNode* metadata = reader.object("metadata");
  if (const JsonNode* total = metadata == nullptr ? nullptr : metadata->find("total_size");
      total != nullptr && total->is_number())
    if (const auto bytes = ObjectReader(*metadata, "/metadata", errors).number("total_size", kPlace);
        bytes && *bytes > 0)
      index.total_bytes = *bytes;
  const JsonNode* map = reader.object("weight_map");
  if (map == nullptr && !reader.has("weight_map")) reader.missing("weight_map", "the file of each tensor");
  if (map != nullptr && map->items.empty())
    reader.error("weight_map", "not-safetensors", "The index names no tensor.", "Is the file whole?");
  std::set<std::string_view> known;
  for (std::size_t i = 0; map != nullptr && i < map->keys.size(); ++i) {
    const std::string& file = map->items[i].text;
    if (!map->items[i].is_text() || file.empty()) {
      reader.error("weight_map", "wrong-type", "\"" + map->keys[i].substr(0, 60) + "\" names no file.",
                   "Write the file's name in quotes.");
      break;
    }
    index.tensors.push_back(map->keys[i]);
    if (known.insert(file).second) index.files.push_back(file);
  }
  if (!errors.empty()) return tl::unexpected<Errors>(errors.take());
  return index;
}

}  // namespace podwright
