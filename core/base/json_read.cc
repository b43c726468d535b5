#include "base/json_read.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_write.h"

namespace podwright {
namespace {

constexpr std::size_t kMaxDepth = 64;
/// Objects with more keys are searched by an index of them.
constexpr std::size_t kManyKeys = 32;

/// Line and column (from 1) of a byte offset.
std::string place(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
  const std::size_t newline = text.substr(0, offset).rfind('\n');
  const std::size_t column = newline == std::string_view::npos ? offset : offset - newline - 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(std::max<std::size_t>(column, 1));
}

/// Bytes up to the bracket that opens the level below the deepest legal one.
std::size_t offset_of_excess_depth(std::string_view text) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return i + 1;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return text.size();
}

Error too_large_error(const std::string& found, const std::string& most) {
  return {"too-large", "", "The text has " + found + ".", "Legal: at most " + most + "."};
}

/// Builds the tree from the library's events.
class TreeBuilder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  explicit TreeBuilder(std::string_view text) : text_(text) {}

  bool null() { return put({}); }
  bool boolean(bool value) { return put({.type = JsonType::boolean, .boolean = value}); }
  bool number_integer(number_integer_t value) { return put_number(static_cast<double>(value), true); }
  bool number_unsigned(number_unsigned_t value) { return put_number(static_cast<double>(value), true); }
  bool number_float(number_float_t value, const string_t&) { return put_number(value, false); }
  bool string(string_t& value) { return put({.type = JsonType::text, .text = std::move(value)}); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonType::object); }
  bool start_array(std::size_t) { return open(JsonType::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    if (name.size() > JsonLimits::kKeyBytes)
      return too_large("a key of " + std::to_string(name.size()) + " bytes", std::to_string(JsonLimits::kKeyBytes));
    JsonNode& object = *open_.back().node;
    if (!is_new(open_.back(), name)) {
      error_ = {"duplicate-key", pointer() + pointer_step(name),
                "The key \"" + name + "\" occurs twice in the same object.", "Keep one of the two."};
      return false;
    }
    object.keys.push_back(std::move(name));
    return true;
  }
  bool parse_error(std::size_t position, const std::string& last_token, const nlohmann::json::exception& why) {
    const std::string_view what = why.what();
    const bool too_large = why.id == 406;
    error_ = {"not-json", "",
              "The text is not JSON: " + std::string(too_large ? "a number is too large" : "unexpected text") + " at " +
                  place(text_, position) + ".",
              last_token.empty() || too_large || what.empty() || last_token.find("<U+") != std::string::npos
                  ? "Check the text near that place."
                  : "Near: " + last_token.substr(0, 40)};
    return false;
  }

  Error error() const { return error_; }
  JsonNode take() { return std::move(root_); }

 private:
  bool put_number(double value, bool whole) { return put({.type = JsonType::number, .number = value, .whole = whole}); }
  /// Null where the document holds too many.
  JsonNode* place_node(JsonNode node) {
    if (next_order_ >= JsonLimits::kValues) {
      const std::string most = std::to_string(JsonLimits::kValues);
      too_large("more than " + most + " values", most);
      return nullptr;
    }
    node.order = node.last = next_order_++;
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    JsonNode& parent = *open_.back().node;
    parent.items.push_back(std::move(node));
    return &parent.items.back();
  }
  bool put(JsonNode node) { return place_node(std::move(node)) != nullptr; }
  bool open(JsonType type) {
    if (open_.size() >= kMaxDepth) {
      error_ = {"not-json", "",
                "The text is nested deeper than 64 levels at " + place(text_, offset_of_excess_depth(text_)) + ".",
                "Requests need no more than ten."};
      return false;
    }
    JsonNode* const node = place_node({.type = type});
    if (node != nullptr) open_.push_back({node, {}});
    return node != nullptr;
  }
  bool close() {
    open_.back().node->last = next_order_ - 1;
    open_.pop_back();
    return true;
  }
  /// An object or a list that has not ended.
  struct Open {
    JsonNode* node;
    std::set<std::string, std::less<>> keys;  ///< of an object with many
  };
  static bool is_new(Open& open, const std::string& name) {
    const std::vector<std::string>& keys = open.node->keys;
    if (keys.size() < kManyKeys) return open.node->find(name) == nullptr;
    if (open.keys.empty()) open.keys.insert(keys.begin(), keys.end());
    return open.keys.insert(name).second;
  }
  bool too_large(const std::string& found, const std::string& most) {
    error_ = too_large_error(found, most);
    return false;
  }
  std::string pointer() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const JsonNode& node = *open_[i].node;
      path += node.is_object() ? pointer_step(node.keys.back()) : "/" + std::to_string(node.items.size() - 1);
    }
    return path;
  }

  std::string_view text_;
  JsonNode root_;
  std::vector<Open> open_;
  int next_order_ = 0;
  Error error_{"not-json", "", "The text is not JSON.", ""};
};

void write_node(JsonWriter& out, const JsonNode& node) {
  switch (node.type) {
    case JsonType::null:
      out.null();
      break;
    case JsonType::boolean:
      out.boolean(node.boolean);
      break;
    case JsonType::number:
      out.number(node.number);
      break;
    case JsonType::text:
      out.text(node.text);
      break;
    case JsonType::list:
      out.begin_list();
      for (const JsonNode& item : node.items) write_node(out, item);
      out.end_list();
      break;
    case JsonType::object:
      out.begin_object();
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        out.key(node.keys[i]);
        write_node(out, node.items[i]);
      }
      out.end_object();
      break;
  }
}

template <class Value>
void remove_places(std::vector<Value>& values, const std::set<std::size_t>& removed) {
  if (removed.empty()) return;
  std::vector<Value> kept;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!removed.contains(i)) kept.push_back(std::move(values[i]));
  values = std::move(kept);
}

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  for (std::size_t i = 0; i < items.size() && i < keys.size(); ++i)
    if (keys[i] == key) return &items[i];
  return nullptr;
}

std::string_view type_name(JsonType type) {
  switch (type) {
    case JsonType::null:
      return "null";
    case JsonType::boolean:
      return "true or false";
    case JsonType::number:
      return "number";
    case JsonType::text:
      return "text";
    case JsonType::list:
      return "list";
    case JsonType::object:
      return "object";
  }
  return "";
}

Result<JsonNode> parse_json(std::string_view text) {
  if (text.size() > JsonLimits::kBytes)
    return failure(too_large_error(std::to_string(text.size()) + " bytes", std::to_string(JsonLimits::kBytes)));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return failure({"not-json", "", "The text is empty.", "Give a JSON document."});
  // The library takes a NUL byte for the end of the text.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return failure({"not-json", "", "The text is not JSON: a NUL byte at " + place(text, nul + 1) + ".",
                    "Check the text near that place."});
  TreeBuilder builder(text);
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return failure(builder.error());
  return builder.take();
}

JsonNode merged(const JsonNode& target, const JsonNode& patch) {
  if (!patch.is_object()) return patch;
  JsonNode result;
  if (target.is_object()) result = target;
  result.type = JsonType::object;
  std::map<std::string_view, std::size_t> places;  // by key, of the target
  if (target.is_object())
    for (std::size_t i = 0; i < target.keys.size(); ++i) places.emplace(target.keys[i], i);
  std::set<std::size_t> removed;
  for (std::size_t i = 0; i < patch.items.size(); ++i) {
    const auto found = places.find(patch.keys[i]);
    const bool removes = patch.items[i].type == JsonType::null;
    if (found != places.end() && removes) {
      removed.insert(found->second);
    } else if (found != places.end()) {
      JsonNode& item = result.items[found->second];
      item = merged(item, patch.items[i]);
    } else if (!removes) {
      result.keys.push_back(patch.keys[i]);
      result.items.push_back(merged({}, patch.items[i]));
    }
  }
  remove_places(result.keys, removed);
  remove_places(result.items, removed);
  return result;
}

std::string json_text(const JsonNode& node) {
  JsonWriter out;
  write_node(out, node);
  return out.take();
}

}  // namespace podwright
