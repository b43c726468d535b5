#include "base/json_read.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_write.h"

namespace podwright {
namespace {

constexpr std::size_t kMaxDepth = 64;

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
    JsonNode& object = *stack_.back();
    if (object.find(name) != nullptr) {
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
  JsonNode* place_node(JsonNode node) {
    node.order = node.last = next_order_++;
    if (stack_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    stack_.back()->items.push_back(std::move(node));
    return &stack_.back()->items.back();
  }
  bool put(JsonNode node) {
    place_node(std::move(node));
    return true;
  }
  bool open(JsonType type) {
    if (stack_.size() >= kMaxDepth) {
      error_ = {"not-json", "",
                "The text is nested deeper than 64 levels at " + place(text_, offset_of_excess_depth(text_)) + ".",
                "Requests need no more than ten."};
      return false;
    }
    stack_.push_back(place_node({.type = type}));
    return true;
  }
  bool close() {
    stack_.back()->last = next_order_ - 1;
    stack_.pop_back();
    return true;
  }
  std::string pointer() const {
    std::string path;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      const JsonNode& node = *stack_[i];
      path += node.is_object() ? pointer_step(node.keys.back()) : "/" + std::to_string(node.items.size() - 1);
    }
    return path;
  }

  std::string_view text_;
  JsonNode root_;
  std::vector<JsonNode*> stack_;
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
  for (std::size_t i = 0; i < patch.items.size(); ++i) {
    const std::string& key = patch.keys[i];
    const auto found = std::find(result.keys.begin(), result.keys.end(), key);
    const auto index = found - result.keys.begin();
    const bool removes = patch.items[i].type == JsonType::null;
    if (found == result.keys.end()) {
      if (removes) continue;
      result.keys.push_back(key);
      result.items.push_back(merged({}, patch.items[i]));
    } else if (removes) {
      result.keys.erase(found);
      result.items.erase(result.items.begin() + index);
    } else {
      JsonNode& item = result.items[static_cast<std::size_t>(index)];
      item = merged(item, patch.items[i]);
    }
  }
  return result;
}

std::string json_text(const JsonNode& node) {
  JsonWriter out;
  write_node(out, node);
  return out.take();
}

}  // namespace podwright
