#pragma once
/// One object of a Hugging Face config.json as it is read, and the language model that is read from it.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/object_reader.h"
#include "catalog/huggingface_dialect.h"
#include "catalog/model.h"

namespace podwright {

/// Spellings of one key.
using Names = std::initializer_list<std::string_view>;

/// Reads the keys of one object of the file. A key that is null counts as absent, as the libraries that write the file
/// mean it.
class ConfigObject {
 public:
  ConfigObject(const JsonNode& node, const std::string& path, ErrorList& errors)
      : node_(node), reader_(node, path, errors) {}

  /// The first of the names that is in the object; all of them become known. Null where none does.
  const JsonNode* find(Names names, std::string_view* used = nullptr) {
    const JsonNode* found = nullptr;
    for (const std::string_view name : names) {
      known_.emplace_back(name);
      const JsonNode* value = node_.find(name);
      if (found != nullptr || value == nullptr || value->type == JsonType::null) continue;
      found = value;
      if (used != nullptr) *used = name;
    }
    return found;
  }
  bool has(Names names) { return find(names) != nullptr; }
  /// Makes keys known that have nothing to say here.
  void pass_over(Names names) { find(names); }

  double count(Names names, Range range, double otherwise = 0) {
    std::string_view name;
    if (find(names, &name) == nullptr) return otherwise;
    return static_cast<double>(once(name, [&] { return reader_.count(name, range); }).value_or(0));
  }
  /// Missing is an error, which carries the first of the names.
  double needed(Names names, Range range, std::string_view meaning) {
    if (!has(names)) reader_.missing(*names.begin(), meaning);
    return count(names, range);
  }
  bool flag(Names names, bool otherwise = false) {
    std::string_view name;
    if (find(names, &name) == nullptr) return otherwise;
    return once(name, [&] { return reader_.flag(name); }).value_or(otherwise);
  }
  std::string text(Names names) {
    std::string_view name;
    if (find(names, &name) == nullptr) return "";
    return once(name, [&] { return reader_.text(name); }).value_or("");
  }
  const JsonNode* object(std::string_view name) {
    return find({name}) == nullptr ? nullptr
                                   : once(name, [&] { return present(reader_.object(name)); }).value_or(nullptr);
  }
  const JsonNode* list(std::string_view name) {
    return find({name}) == nullptr ? nullptr
                                   : once(name, [&] { return present(reader_.list(name)); }).value_or(nullptr);
  }

  /// A number above 0 that changes no size: what is not one is passed over. 0: absent.
  double positive(Names names) {
    const JsonNode* value = find(names);
    return value != nullptr && value->is_number() && value->number > 0 ? value->number : 0;
  }

  void conflict(std::string_view name, std::string message, std::string hint) {
    reader_.error(name, "conflict", std::move(message), std::move(hint));
  }
  void wrong_item(std::string_view name, const JsonNode& item, std::size_t index, std::string_view expected) {
    reader_.errors().add(item.order,
                         {"wrong-type", reader_.path(name) + "/" + std::to_string(index),
                          "Every item of \"" + std::string(name) + "\" must be " + std::string(expected) + ".",
                          "Write " + std::string(expected) + "."});
  }

  /// Adds the keys that no one read and that may change the result.
  void list_unread(std::string_view prefix, std::vector<std::string>& unread) const {
    for (std::size_t i = 0; i < node_.keys.size(); ++i) {
      const std::string& key = node_.keys[i];
      const JsonNode& value = node_.items[i];
      const bool empty =
          value.type == JsonType::null || ((value.is_list() || value.is_object()) && value.items.empty());
      if (!empty && std::find(known_.begin(), known_.end(), key) == known_.end() && !changes_nothing(key))
        unread.push_back(std::string(prefix) + key);
    }
  }

 private:
  static std::optional<const JsonNode*> present(const JsonNode* node) {
    return node == nullptr ? std::nullopt : std::optional(node);
  }
  /// A key that is read twice gives its error only once.
  template <class Read>
  auto once(std::string_view name, Read read) -> decltype(read()) {
    if (std::find(wrong_.begin(), wrong_.end(), name) != wrong_.end()) return std::nullopt;
    auto value = read();
    if (!value) wrong_.emplace_back(name);
    return value;
  }

  const JsonNode& node_;
  ObjectReader reader_;
  std::vector<std::string> known_;
  std::vector<std::string> wrong_;
};

/// The language model as it is read: the whole file, or its text_config. Each file that reads a part of it has it.
struct ConfigPart {
  ConfigObject config;
  std::string prefix;  ///< stands before the names of unread fields
  std::string model_type = {};
  Dialect dialect = {};
  Model model = {};

  void unread(std::string_view key) { model.unread_fields.push_back(prefix + std::string(key)); }
  /// A switch or a number whose effect the arithmetic cannot say.
  void unread_if_set(std::string_view key) {
    const JsonNode* value = config.find({key});
    if (value == nullptr) return;
    const bool off =
        (value->type == JsonType::boolean && !value->boolean) || (value->is_number() && value->number == 0);
    if (!off) unread(key);
  }
  bool is_type(std::string_view begin) const { return std::string_view(model_type).substr(0, begin.size()) == begin; }
};

/// True where a number of whole things is that of another, several times.
inline bool divides(double divisor, double number) {
  return divisor >= 1 && number / divisor == static_cast<double>(static_cast<long long>(number / divisor));
}

}  // namespace podwright
