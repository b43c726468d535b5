#include "base/object_reader.h"

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/stable_sort.h"

namespace podwright {

Errors ErrorList::take() {
  // Of objects that end together, the inner one, which began later, ends first.
  sort_stably(entries_, [](const Entry& a, const Entry& b) {
    if (a.order != b.order) return a.order < b.order;
    if (a.opened < 0 || b.opened < 0) return a.opened < 0 && b.opened >= 0;
    return a.opened > b.opened;
  });
  Errors errors;
  for (Entry& entry : entries_) errors.push_back(std::move(entry.error));
  entries_.clear();
  return shortened(std::move(errors), std::exchange(count_, 0));
}

std::string range_text(Range range) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (range.min > -infinity && range.max < infinity)
    return shortest_number(range.min) + " to " + shortest_number(range.max);
  if (range.min > -infinity) return "at least " + shortest_number(range.min);
  if (range.max < infinity) return "at most " + shortest_number(range.max);
  return "any number";
}

ObjectReader::ObjectReader(const JsonNode& node, std::string path, ErrorList& errors)
    : object_(node.is_object() ? &node : nullptr), path_(std::move(path)), errors_(errors) {
  if (object_ == nullptr)
    errors_.add(node.order, {"wrong-type", path_,
                             "Expected an object, found " + std::string(type_name(node.type)) + ".", "Write { ... }."});
}

const JsonNode* ObjectReader::find(std::string_view key) {
  known_.emplace_back(key);
  return object_ == nullptr ? nullptr : object_->find(key);
}

void ObjectReader::missing(std::string_view key, std::string_view meaning, std::string hint) {
  if (object_ == nullptr) return;
  if (hint.empty()) hint = "Add \"" + std::string(key) + "\".";
  errors_.add_at_end(*object_,
                     {"missing", path(key), "\"" + std::string(key) + "\" is missing: " + std::string(meaning) + ".",
                      std::move(hint)});
}

void ObjectReader::error(std::string_view key, std::string code, std::string message, std::string hint) {
  const JsonNode* node = object_ == nullptr ? nullptr : object_->find(key);
  Error problem{std::move(code), path(key), std::move(message), std::move(hint)};
  if (node == nullptr && object_ != nullptr) {
    errors_.add_at_end(*object_, std::move(problem));
  } else {
    errors_.add(node == nullptr ? 0 : node->order, std::move(problem));
  }
}

void ObjectReader::wrong_type(const Place& place, std::string_view expected) {
  const JsonNode& node = place.node;
  errors_.add(
      node.order,
      {"wrong-type", place.path,
       "\"" + place.name + "\" must be " + std::string(expected) + ", found " + std::string(type_name(node.type)) + ".",
       node.is_text() && expected.find("number") != std::string_view::npos ? "Write the number without quotes."
                                                                           : "Write " + std::string(expected) + "."});
}

bool ObjectReader::in_range(const Place& place, Range range) {
  const double number = place.node.number;
  if (number >= range.min && number <= range.max) return true;
  errors_.add(place.node.order, {"out-of-range", place.path,
                                 "\"" + place.name + "\" is " + shortest_number(number) + ", outside the legal range.",
                                 "Legal: " + range_text(range) + "."});
  return false;
}

std::optional<std::int64_t> ObjectReader::whole(const Place& place, Range range) {
  // 1e6 is a whole number too, however it was written.
  if (!place.node.is_number()) return wrong_type(place, "a whole number"), std::nullopt;
  const double number = place.node.number;
  if (number >= -9e15 && number <= 9e15 && number != static_cast<double>(static_cast<std::int64_t>(number))) {
    errors_.add(place.node.order,
                {"wrong-type", place.path,
                 "\"" + place.name + "\" must be a whole number, found " + shortest_number(number) + ".",
                 "Write a whole number."});
    return {};
  }
  if (!in_range(place, range) || !in_range(place, {-9e15, 9e15})) return {};
  return static_cast<std::int64_t>(number);
}

std::optional<double> ObjectReader::any(const Place& place, Range range) {
  if (!place.node.is_number()) return wrong_type(place, "a number"), std::nullopt;
  if (!in_range(place, range)) return {};
  return place.node.number;
}

std::optional<double> ObjectReader::number(std::string_view key, Range range) {
  const JsonNode* node = find(key);
  return node == nullptr ? std::nullopt : any(place(key, *node), range);
}

std::optional<std::int64_t> ObjectReader::count(std::string_view key, Range range) {
  const JsonNode* node = find(key);
  return node == nullptr ? std::nullopt : whole(place(key, *node), range);
}

template <class Number>
std::optional<std::vector<Number>> ObjectReader::each(std::string_view key, Range range,
                                                      std::optional<Number> (ObjectReader::*read)(const Place&,
                                                                                                  Range)) {
  const JsonNode* node = list(key);
  if (node == nullptr) return {};
  std::vector<Number> values;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string step = "/" + std::to_string(i);
    if (const auto value = (this->*read)({node->items[i], std::string(key) + step, path(key) + step}, range))
      values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<std::int64_t>> ObjectReader::counts(std::string_view key, Range range) {
  return each(key, range, &ObjectReader::whole);
}

std::optional<std::vector<double>> ObjectReader::numbers(std::string_view key, Range range) {
  return each(key, range, &ObjectReader::any);
}

std::optional<bool> ObjectReader::flag(std::string_view key) {
  const JsonNode* node = find(key);
  if (node == nullptr) return {};
  if (node->type != JsonType::boolean) return wrong_type(place(key, *node), "true or false"), std::nullopt;
  return node->boolean;
}

std::optional<std::string> ObjectReader::text(std::string_view key) {
  const JsonNode* node = find(key);
  if (node == nullptr) return {};
  if (!node->is_text()) return wrong_type(place(key, *node), "text"), std::nullopt;
  return node->text;
}

std::optional<std::string> ObjectReader::word(std::string_view key, const std::vector<std::string>& words) {
  std::optional<std::string> value = text(key);
  if (!value || std::find(words.begin(), words.end(), *value) != words.end()) return value;
  error(key, "out-of-range",
        "\"" + std::string(key) + "\" is \"" + value->substr(0, 60) + "\", which is none of its legal values.",
        "Legal: " + joined(words) + ".");
  return {};
}

const JsonNode* ObjectReader::object(std::string_view key) {
  const JsonNode* node = find(key);
  if (node != nullptr && !node->is_object()) return wrong_type(place(key, *node), "an object"), nullptr;
  return node;
}

const JsonNode* ObjectReader::list(std::string_view key) {
  const JsonNode* node = find(key);
  if (node != nullptr && !node->is_list()) return wrong_type(place(key, *node), "a list"), nullptr;
  return node;
}

void ObjectReader::finish() {
  if (object_ == nullptr) return;
  for (std::size_t i = 0; i < object_->keys.size(); ++i) {
    const std::string& key = object_->keys[i];
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    if (errors_.full()) {  // the nearest key takes time to find
      errors_.add_unsaid(1);
      continue;
    }
    errors_.add(object_->items[i].order,
                {"unknown-key", path(key), "\"" + key.substr(0, 60) + "\" is not a known key here.",
                 did_you_mean(key, known_, "Known keys: " + joined(known_) + ".")});
  }
}

}  // namespace podwright
