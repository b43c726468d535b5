#include "api/field_reader.h"

#include <algorithm>
#include <type_traits>

#include "api/common_fields.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "catalog/inline_item.h"
#include "catalog/model_named.h"

namespace podwright {

std::map<std::string, std::string> sources_of(const std::vector<Assumption>& assumptions) {
  std::map<std::string, std::string> sources;
  for (const Assumption& assumption : assumptions) sources.emplace(assumption.path, "default: " + assumption.source);
  return sources;
}

std::optional<std::size_t> chosen_place(FieldVisitor& visitor, const Field& field, std::string_view chosen,
                                        std::span<const std::string_view> table) {
  std::string word(chosen);
  visitor.word(field, word, {table.begin(), table.end()});
  return place_of_word(word, table);
}

std::vector<std::size_t> chosen_places(FieldVisitor& visitor, const Field& field,
                                       std::span<const std::string_view> table) {
  std::vector<std::string> words;
  visitor.words(field, words, std::vector<std::string>(table.begin(), table.end()));
  std::vector<std::size_t> places;
  for (const std::string& word : words)
    if (const auto place = place_of_word(word, table)) places.push_back(*place);
  return places;
}

Result<std::vector<Assumption>> read_fields(const Catalog& catalog, const JsonNode& document,
                                            void (*show)(FieldVisitor&, const Catalog&, void*), void* request) {
  ErrorList errors;
  FieldReader reader(document, catalog, errors);
  show(reader, catalog, request);
  reader.finish();
  if (!errors.empty()) return failure(errors.take());
  return reader.assumptions();
}

namespace {

/// Of a list of objects whose field gives no limit of its own.
constexpr double kMostItems = 10000;

const JsonNode& empty_object() {
  static const JsonNode node = [] {
    JsonNode object;
    object.type = JsonType::object;
    return object;
  }();
  return node;
}

std::string quoted(std::string_view text) {
  JsonWriter out;
  out.text(text);
  return out.take();
}

std::string number_json(const std::optional<double>& value) { return value ? shortest_number(*value) : ""; }

}  // namespace

FieldReader::FieldReader(const JsonNode& request, const Catalog& catalog, ErrorList& errors)
    : catalog_(catalog), errors_(errors) {
  push(request, "");
}
FieldReader::~FieldReader() = default;

void FieldReader::push(const JsonNode& node, std::string path) {
  errors_before_.push_back(errors_.size());
  objects_.push_back(std::make_unique<ObjectReader>(node, std::move(path), errors_));
}

void FieldReader::pop() {
  here().finish();
  objects_.pop_back();
  errors_before_.pop_back();
}

void FieldReader::finish() { here().finish(); }

void FieldReader::empty_list(const Field& field, const std::string& hint) {
  here().error(field.key, "out-of-range", "\"" + std::string(field.key) + "\" is empty.", hint);
}

void FieldReader::assume(const std::string& path, const Field& field, const std::string& default_json) {
  if (field.default_source.empty() || default_json.empty()) return;
  assumptions_.push_back({path, default_json, std::string(field.default_source)});
}

bool FieldReader::given(const Field& field, const std::string& default_json) {
  if (here().has(field.key)) return true;
  here().find(field.key);
  if (field.required) {
    here().missing(field.key, field.help);
  } else {
    assume(here().path(field.key), field, default_json);
  }
  return false;
}

void FieldReader::read_number(const Field& field, auto& value) {
  if (!given(field, number_json(value))) return;
  if (const auto read = here().number(field.key, field.range)) value = *read;
}
void FieldReader::read_count(const Field& field, auto& value) {
  if (!given(field, number_json(value))) return;
  if (const auto read = here().count(field.key, field.range)) value = static_cast<double>(*read);
}

void FieldReader::number(const Field& field, double& value) { read_number(field, value); }
void FieldReader::number(const Field& field, std::optional<double>& value) { read_number(field, value); }
void FieldReader::count(const Field& field, double& value) { read_count(field, value); }
void FieldReader::count(const Field& field, std::optional<double>& value) { read_count(field, value); }

void FieldReader::counts(const Field& field, std::vector<double>& values) {
  if (!given(field, "")) return;
  const auto read = here().counts(field.key, field.range);
  if (!read) return;
  values.assign(read->begin(), read->end());
  const std::vector<JsonNode>& items = here().find(field.key)->items;
  for (std::size_t i = 1; i < values.size() && values.size() == items.size(); ++i)
    if (std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i), values[i]) !=
        values.begin() + static_cast<std::ptrdiff_t>(i))
      errors_.add(items[i].order, stands_twice(shortest_number(values[i]), field.key, here().path(field.key)));
  if (items.empty()) empty_list(field, "Give at least one, or leave the key out.");
}

void FieldReader::numbers(const Field& field, std::vector<double>& values) {
  std::string defaults;
  for (const double value : values) defaults += (defaults.empty() ? "[" : ",") + shortest_number(value);
  if (!given(field, defaults.empty() ? "" : defaults + "]")) return;
  if (auto read = here().numbers(field.key, field.range)) values = std::move(*read);
}

void FieldReader::flag(const Field& field, bool& value) {
  if (!given(field, value ? "true" : "false")) return;
  if (const auto read = here().flag(field.key)) value = *read;
}

void FieldReader::text(const Field& field, std::string& value) {
  if (!given(field, value.empty() ? "" : quoted(value))) return;
  if (const auto read = here().text(field.key)) value = *read;
}

void FieldReader::word(const Field& field, std::string& value, const std::vector<std::string>& words) {
  if (!given(field, value.empty() ? "" : quoted(value))) return;
  const auto read = here().text(field.key);
  if (!read) return;
  const std::string id = field.aliases.empty() ? *read : canonical_id(catalog_, field.aliases, *read);
  if (std::find(words.begin(), words.end(), id) != words.end()) {
    value = id;
    return;
  }
  here().error(
      field.key, "out-of-range",
      "\"" + std::string(field.key) + "\" is \"" + read->substr(0, 60) + "\", which is none of its legal values.",
      did_you_mean(*read, words, "") + (nearest(*read, words).empty() ? "" : " ") + "Legal: " + joined(words) + ".");
}

void FieldReader::words(const Field& field, std::vector<std::string>& values, const std::vector<std::string>& words) {
  if (!given(field, "")) return;
  const JsonNode* list = here().list(field.key);
  if (list == nullptr) return;
  values.clear();
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const JsonNode& node = list->items[i];
    const std::string path = here().path(field.key) + "/" + std::to_string(i);
    if (!node.is_text()) {
      errors_.add(node.order, {"wrong-type", path, "Expected text, found " + std::string(type_name(node.type)) + ".",
                               "Legal: " + joined(words) + "."});
      continue;
    }
    const std::string id = field.aliases.empty() ? node.text : canonical_id(catalog_, field.aliases, node.text);
    if (std::find(words.begin(), words.end(), id) == words.end()) {
      errors_.add(node.order, {"out-of-range", path, "\"" + node.text.substr(0, 60) + "\" is none of the legal values.",
                               "Legal: " + joined(words) + "."});
      continue;
    }
    if (std::find(values.begin(), values.end(), id) != values.end()) {
      errors_.add(node.order, stands_twice(node.text, field.key, here().path(field.key)));
      continue;
    }
    values.push_back(id);
  }
}

template <class Item>
void FieldReader::item(const Field& field, std::optional<Item>& value,
                       Result<const Item*> (*find)(const Catalog&, std::string_view),
                       std::optional<Item> (*read)(const Catalog&, const JsonNode&, std::string_view, ErrorList&)) {
  if (!given(field, "")) return;
  const JsonNode& node = *here().find(field.key);
  if (node.is_object() || node.is_text()) {
    value = known_item(node, here().path(field.key), find, read);
    if constexpr (std::is_same_v<Item, Model>)
      if (value && node.is_text() && node.text != value->id) say_published(node, field, value->id);
  } else {
    errors_.add(node.order, {"wrong-type", here().path(field.key),
                             "\"" + std::string(field.key) + "\" must be an id or an object, found " +
                                 std::string(type_name(node.type)) + ".",
                             "Write an id of the catalog in quotes."});
  }
}

template <class Item>
std::optional<Item> FieldReader::known_item(const JsonNode& node, const std::string& path,
                                            Result<const Item*> (*find)(const Catalog&, std::string_view),
                                            std::optional<Item> (*read)(const Catalog&, const JsonNode&,
                                                                        std::string_view, ErrorList&)) {
  if (node.is_object()) return read(catalog_, node, path, errors_);
  const auto found = find(catalog_, node.text);
  if (found) return **found;
  for (Error error : found.error()) {
    error.path = path;
    errors_.add(node.order, std::move(error));
  }
  return std::nullopt;
}

void FieldReader::model(const Field& field, std::optional<Model>& value) {
  item<Model>(field, value, find_named_model, read_inline_model);
}
/// What a published name was taken for is an assumption of the answer.
[[gnu::noinline]] void FieldReader::say_published(const JsonNode& written, const Field& field, const std::string& id) {
  if (!is_published_name(catalog_, written.text)) return;
  assumptions_.push_back(
      {here().path(field.key), quoted(id), "the model of the catalog with the shape of \"" + written.text + "\""});
}
void FieldReader::gpu(const Field& field, std::optional<Gpu>& value) {
  item<Gpu>(field, value, find_gpu, read_inline_gpu);
}
void FieldReader::system(const Field& field, std::optional<System>& value) {
  item<System>(field, value, find_system, read_inline_system);
}

void FieldReader::gpus(const Field& field, std::vector<Gpu>& values) {
  std::string defaults;
  for (const Gpu& gpu : values) defaults += (defaults.empty() ? "[" : ",") + quoted(gpu.id);
  if (!given(field, defaults.empty() ? "" : defaults + "]")) return;
  const JsonNode* list = here().list(field.key);
  if (list == nullptr) return;
  values.clear();
  // Answers name GPUs by their id.
  const auto keep = [&](Gpu gpu, const JsonNode& node) {
    const bool known = std::any_of(values.begin(), values.end(), [&](const Gpu& other) { return other.id == gpu.id; });
    if (known)
      errors_.add(node.order, stands_twice(gpu.id, field.key, here().path(field.key)));
    else
      values.push_back(std::move(gpu));
  };
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const JsonNode& node = list->items[i];
    const std::string path = here().path(field.key) + "/" + std::to_string(i);
    if (!node.is_object() && !node.is_text()) {
      errors_.add(node.order,
                  {"wrong-type", path, "Expected an id or an object, found " + std::string(type_name(node.type)) + ".",
                   "Write an id of the catalog in quotes."});
      continue;
    }
    if (auto gpu = known_item<Gpu>(node, path, find_gpu, read_inline_gpu)) keep(std::move(*gpu), node);
  }
  if (list->items.empty()) empty_list(field, "Name at least one GPU, or leave the key out.");
}

void FieldReader::object(const Field& field, std::optional<std::string>& value) {
  if (!given(field, "")) return;
  if (const JsonNode* node = here().object(field.key)) value = json_text(*node);
}

bool FieldReader::enter(const Field& field) {
  const bool there = here().has(field.key);
  const JsonNode* node = here().object(field.key);
  if (!there && field.required) here().missing(field.key, field.help);
  push(node == nullptr ? empty_object() : *node, here().path(field.key));
  return there;
}

void FieldReader::leave() { pop(); }

std::size_t FieldReader::enter_list(const Field& field) {
  const bool there = here().has(field.key);
  const JsonNode* node = here().list(field.key);
  if (!there && field.required) here().missing(field.key, field.help);
  if (node != nullptr && node->items.empty() && field.required) empty_list(field, "Give at least one.");
  const double most = std::min(field.range.max, kMostItems);
  if (node != nullptr && static_cast<double>(node->items.size()) > most) {
    here().error(field.key, "out-of-range",
                 "\"" + std::string(field.key) + "\" has " + std::to_string(node->items.size()) + " items.",
                 "Legal: at most " + shortest_number(most) + "; ask for fewer, in several requests.");
    node = nullptr;
  }
  lists_.push_back(node);
  list_paths_.push_back(here().path(field.key));
  return node == nullptr ? 0 : node->items.size();
}

void FieldReader::enter_item(std::size_t index) {
  push(lists_.back()->items[index], list_paths_.back() + "/" + std::to_string(index));
}
void FieldReader::leave_item() { pop(); }

void FieldReader::leave_list() {
  lists_.pop_back();
  list_paths_.pop_back();
}

void FieldReader::rule(bool holds, std::string_view key, std::string_view message, std::string_view hint) {
  if (holds || errors_.size() != errors_before_.back()) return;
  here().error(key, "conflict", std::string(message), std::string(hint));
}

void FieldReader::problems(const Errors& errors) {
  if (errors_.size() != errors_before_.back()) return;
  for (Error error : errors) {
    const std::size_t second = error.path.find('/', 1);
    const std::string key = error.path.substr(1, second == std::string::npos ? second : second - 1);
    const JsonNode* node = here().find(key);
    if (node != nullptr && second != std::string::npos) {
      const JsonNode* inner = node->find(error.path.substr(second + 1));
      if (inner != nullptr) node = inner;
    }
    error.path = here().path() + error.path;
    if (node == nullptr) {
      here().error(key, error.code, error.message, error.hint);
    } else {
      errors_.add(node->order, std::move(error));
    }
  }
}

}  // namespace podwright
