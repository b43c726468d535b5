#include "base/patch.h"

#include <algorithm>
#include <cstdlib>

#include "base/append.h"

namespace podwright {
namespace {

/// `patch` of `target` with the value at `at`, which is a pointer from there.
void add(JsonNode& patch, const JsonNode* target, std::string_view at, const JsonNode& value) {
  if (at.empty()) {
    patch = value;
    return;
  }
  const std::size_t end = std::min(at.find('/', 1), at.size());
  const std::string key(at.substr(1, end - 1));
  if (target != nullptr && target->is_list()) {
    if (!patch.is_list()) patch = *target;
    JsonNode& item = patch.items[static_cast<std::size_t>(std::atoi(key.c_str()))];
    JsonNode change;
    add(change, &item, at.substr(end), value);
    item = merged(item, change);
    return;
  }
  patch.type = JsonType::object;
  std::size_t i = 0;
  while (i < patch.keys.size() && patch.keys[i] != key) ++i;
  if (i == patch.keys.size()) {
    patch.keys.push_back(key);
    patch.items.emplace_back();
  }
  add(patch.items[i], target == nullptr ? nullptr : target->find(key), at.substr(end), value);
}

}  // namespace

Patch& Patch::set(std::string_view at, JsonNode value) {
  changes_.emplace_back(at, std::move(value));
  return *this;
}
Patch& Patch::set(std::string_view at, double number) {
  return set(at, JsonNode{.type = JsonType::number, .number = number});
}
Patch& Patch::set(std::string_view at, bool flag) {
  return set(at, JsonNode{.type = JsonType::boolean, .boolean = flag});
}
Patch& Patch::set(std::string_view at, std::string_view text) {
  return set(at, JsonNode{.type = JsonType::text, .text = std::string(text)});
}
Patch& Patch::set(std::string_view at, const std::vector<std::string>& texts) {
  JsonNode list{.type = JsonType::list};
  for (const std::string& text : texts) list.items.push_back({.type = JsonType::text, .text = text});
  return set(at, std::move(list));
}
Patch& Patch::set(std::string_view at, const std::vector<double>& numbers) {
  JsonNode list{.type = JsonType::list};
  for (const double number : numbers) list.items.push_back({.type = JsonType::number, .number = number});
  return set(at, std::move(list));
}
Patch& Patch::clear(std::string_view at) { return set(at, JsonNode{}); }

Patch Patch::and_also(const Patch& other) const {
  Patch both = *this;
  append(both.changes_, other.changes_);
  return both;
}

Patch Patch::below(std::string_view at) const {
  Patch moved = *this;
  for (auto& [pointer, value] : moved.changes_) pointer.insert(0, at);
  return moved;
}

bool Patch::changes(std::string_view at) const {
  for (const auto& [pointer, value] : changes_)
    if (pointer.compare(0, at.size(), at) == 0 && (pointer.size() == at.size() || pointer[at.size()] == '/'))
      return true;
  return false;
}

JsonNode Patch::merge_patch(const JsonNode& document) const {
  JsonNode patch{.type = JsonType::object};
  for (const auto& [pointer, value] : changes_) add(patch, &document, pointer, value);
  return patch;
}

Patch Patch::of(const JsonNode& document) const {
  const JsonNode whole = merge_patch(document);
  Patch patch;
  for (std::size_t i = 0; i < whole.items.size(); ++i) patch.set("/" + whole.keys[i], whole.items[i]);
  return patch;
}

}  // namespace podwright
