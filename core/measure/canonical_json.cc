#include "measure/canonical_json.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/ecmascript_number.h"
#include "base/json_write.h"
#include "base/stable_sort.h"

namespace podwright {
namespace {

/// Code points above U+FFFF are two units, which sort before U+E000: the one place where UTF-8 sorts otherwise.
std::u16string utf16(std::string_view utf8) {
  std::u16string units;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    std::uint32_t point = length == 1 ? byte : byte & (0x7fU >> length);
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k)
      point = point << 6U | (static_cast<unsigned char>(utf8[i + k]) & 0x3fU);
    i += length;
    if (point < 0x10000) {
      units += static_cast<char16_t>(point);
    } else {
      units += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10U));
      units += static_cast<char16_t>(0xdc00 + ((point - 0x10000) & 0x3ffU));
    }
  }
  return units;
}

void write_canonical(JsonWriter& out, const JsonNode& node);

void write_object(JsonWriter& out, const JsonNode& node) {
  std::vector<std::u16string> keys;
  for (const std::string& key : node.keys) keys.push_back(utf16(key));
  out.begin_object();
  for (const std::size_t i :
       stable_order(keys.size(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; })) {
    out.key(node.keys[i]);
    write_canonical(out, node.items[i]);
  }
  out.end_object();
}

void write_canonical(JsonWriter& out, const JsonNode& node) {
  switch (node.type) {
    case JsonType::null:
      out.null();
      break;
    case JsonType::boolean:
      out.boolean(node.boolean);
      break;
    case JsonType::number:
      out.verbatim(ecmascript_number(node.number));
      break;
    case JsonType::text:
      out.text(node.text);
      break;
    case JsonType::list:
      out.begin_list();
      for (const JsonNode& item : node.items) write_canonical(out, item);
      out.end_list();
      break;
    case JsonType::object:
      write_object(out, node);
      break;
  }
}

}  // namespace

std::string canonical_json(const JsonNode& document) {
  JsonWriter out;
  write_canonical(out, document);
  return out.take();
}

}  // namespace podwright
