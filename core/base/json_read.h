#pragma once
/// JSON text as a checked tree. Nothing throws, nothing is guessed: nesting deeper than 64 levels, numbers outside
/// double and text after the end are errors with line and column, a key that stands twice is one with its path. Larger
/// texts than JsonLimits are refused, so that reading one takes less than 1 GB and a time that grows with its length.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters.h"
#include "base/json_pointer.h"
#include "base/result.h"

namespace podwright {

enum class JsonType { null, boolean, number, text, list, object };

struct JsonNode {
  JsonType type = JsonType::null;
  bool boolean = false;
  double number = 0.0;
  bool whole = false;  ///< the number was written without fraction and exponent
  std::string text = {};
  std::vector<std::string> keys = {};  ///< of an object, in order
  std::vector<JsonNode> items = {};    ///< of a list or an object
  int order = 0;                       ///< position in the document, counts up
  int last = 0;                        ///< position of the last node inside this one

  const JsonNode* find(std::string_view key) const;
  bool is_object() const { return type == JsonType::object; }
  bool is_list() const { return type == JsonType::list; }
  bool is_text() const { return type == JsonType::text; }
  bool is_number() const { return type == JsonType::number; }
};

/// What one document may hold; each answer, profile, catalog and model file is far below.
struct JsonLimits {
  static constexpr std::size_t kBytes = kMostTextBytes;
  static constexpr int kValues = 2'000'000;
  static constexpr std::size_t kKeyBytes = 1024;
};

/// "object", "list", "number", "text", "true or false", "null": what people call a node's type.
std::string_view type_name(JsonType type);

/// Error code "not-json" with path "" and line and column (in bytes, from 1) in the message, "too-large" with the limit
/// that was passed, or "duplicate-key".
Result<JsonNode> parse_json(std::string_view text);

/// `target` changed by an RFC 7396 merge patch: objects merge key by key, null removes, everything else replaces.
JsonNode merged(const JsonNode& target, const JsonNode& patch);

/// Compact JSON text of a node.
std::string json_text(const JsonNode& node);

}  // namespace podwright
