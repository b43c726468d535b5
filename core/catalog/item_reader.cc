#include "catalog/item_reader.h"

#include <algorithm>

namespace podwright {
namespace {

bool holds_number(const JsonNode& node) {
  return node.is_number() || std::any_of(node.items.begin(), node.items.end(), holds_number);
}

void collect_number_fields(const JsonNode& node, const std::string& prefix, std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < node.keys.size(); ++i) {
    const std::string field = prefix.empty() ? node.keys[i] : prefix + "." + node.keys[i];
    if (prefix.empty() && node.keys[i] == "sources") continue;
    if (node.items[i].is_object())
      collect_number_fields(node.items[i], field, fields);
    else if (holds_number(node.items[i]))
      fields.push_back(field);
  }
}

/// One id or a list of ids as "a; b".
std::optional<std::string> source_ids(const JsonNode& node) {
  if (node.is_text() && !node.text.empty()) return node.text;
  if (!node.is_list() || node.items.empty()) return {};
  std::string ids;
  for (const JsonNode& item : node.items) {
    if (!item.is_text() || item.text.empty()) return {};
    ids += (ids.empty() ? "" : "; ") + item.text;
  }
  return ids;
}

/// Whether a field, or one that encloses it, is a key of the object.
bool names_field(const JsonNode* sources, std::string_view field) {
  if (sources == nullptr) return false;
  while (!field.empty()) {
    if (sources->find(field) != nullptr) return true;
    const std::size_t dot = field.rfind('.');
    field = dot == std::string_view::npos ? std::string_view{} : field.substr(0, dot);
  }
  return sources->find("*") != nullptr;
}

void read_sources(const JsonNode& node, ObjectReader& reader, const ItemPlace& place, CatalogItem& item) {
  read_item_sources(reader, item, place.complete ? &node : nullptr);
  const JsonNode* entries = node.find("sources");
  for (const std::string& field : number_fields(node)) {
    if (names_field(entries, field)) continue;
    if (!place.number_source.empty())
      item.sources[field] = place.number_source;
    else
      reader.error("sources", "missing", "The number \"" + field + "\" names no source.",
                   "Add \"" + field + "\" to \"sources\".");
  }
}

/// The object with what its base had below it, and with the sources as they now are.
std::string kept_text(const JsonNode& node, const ItemPlace& place, const CatalogItem& item) {
  const bool as_it_stands = place.complete && place.number_source.empty();
  if (as_it_stands) return place.text.empty() ? json_text(node) : std::string(place.text);
  JsonNode whole = node;
  if (!place.complete && !item.json.empty())
    if (const auto base = parse_json(item.json)) whole = merged(*base, node);
  const auto text_node = [](std::string text) { return JsonNode{.type = JsonType::text, .text = std::move(text)}; };
  JsonNode patch{.type = JsonType::object};
  patch.keys = {"base", "id", "name"};
  patch.items = {JsonNode{}, text_node(item.id), text_node(item.name)};
  whole = merged(whole, patch);
  for (std::size_t i = 0; i < whole.keys.size(); ++i) {
    if (whole.keys[i] != "sources") continue;
    whole.keys.erase(whole.keys.begin() + static_cast<std::ptrdiff_t>(i));
    whole.items.erase(whole.items.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  JsonNode sources{.type = JsonType::object};
  if (!item.source.empty()) {
    sources.keys.push_back("*");
    sources.items.push_back(text_node(item.source));
  }
  for (const auto& [field, ids] : item.sources) {
    sources.keys.push_back(field);
    sources.items.push_back(text_node(ids));
  }
  whole.keys.push_back("sources");
  whole.items.push_back(std::move(sources));
  return json_text(whole);
}

}  // namespace

const JsonNode* field_of(const JsonNode& node, std::string_view field) {
  const JsonNode* here = &node;
  while (here != nullptr && !field.empty()) {
    const std::size_t dot = std::min(field.find('.'), field.size());
    const std::string_view part = field.substr(0, dot);
    field.remove_prefix(std::min(dot + 1, field.size()));
    if (here->is_list()) {
      const auto named = std::find_if(here->items.begin(), here->items.end(), [&](const JsonNode& item) {
        const JsonNode* id = item.find("id");
        return id != nullptr && id->text == part;
      });
      here = named == here->items.end() ? nullptr : &*named;
    } else {
      here = here->find(part);
    }
  }
  return here;
}

std::vector<std::string> number_fields(const JsonNode& node) {
  std::vector<std::string> fields;
  collect_number_fields(node, "", fields);
  return fields;
}

void read_entry_head(ObjectReader& reader, const std::string& folder, CatalogItem& item) {
  item.id = reader.text("id").value_or("");
  if (item.id.empty() && !reader.has("id")) reader.missing("id", "the entry's id in kebab-case");
  item.name = reader.text("name").value_or(item.id);
  item.origin = "catalog/" + folder + "/" + item.id;
  read_item_sources(reader, item);
}

void read_item_sources(ObjectReader& reader, CatalogItem& item, const JsonNode* whole) {
  const JsonNode* entries = reader.object("sources");
  if (entries == nullptr) return;
  for (std::size_t i = 0; i < entries->keys.size(); ++i) {
    const std::string& field = entries->keys[i];
    const JsonNode& entry = entries->items[i];
    const std::string at = reader.path("sources") + pointer_step(field);
    const std::optional<std::string> ids = source_ids(entry);
    if (!ids)
      reader.errors().add(entry.order,
                          {"wrong-type", at, "A source is the id of an entry of sources.json, or a list of such ids.",
                           "Write one id or a list of ids."});
    else if (field == "*")
      item.source = *ids;
    else if (whole != nullptr && field_of(*whole, field) == nullptr)
      reader.errors().add(entry.order, {"unknown-key", at, "The item has no field \"" + field.substr(0, 60) + "\".",
                                        "Name a field of the item."});
    else
      item.sources[field] = *ids;
  }
}

std::vector<std::string> read_texts(ObjectReader& reader, std::string_view key) {
  std::vector<std::string> texts;
  const JsonNode* list = reader.list(key);
  if (list == nullptr) return texts;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    const JsonNode& item = list->items[i];
    if (item.is_text() && !item.text.empty())
      texts.push_back(item.text);
    else
      reader.errors().add(item.order, {"wrong-type", reader.path(key) + "/" + std::to_string(i), "Expected text.",
                                       "Write a text in quotes."});
  }
  return texts;
}

std::optional<std::size_t> read_word_place(ObjectReader& reader, std::string_view key,
                                           std::span<const std::string_view> words) {
  const std::optional<std::string> word = reader.word(key, {words.begin(), words.end()});
  return word ? place_of_word(*word, words) : std::nullopt;
}

void read_item_head(const JsonNode& node, ObjectReader& reader, const ItemPlace& place, CatalogItem& item) {
  const std::optional<std::string> id = reader.text("id");
  if (id && place.id_fixed && *id != place.id)
    reader.error("id", "conflict", "The file of \"" + place.id + "\" holds the item \"" + id->substr(0, 60) + "\".",
                 "Name the file after the item.");
  const std::string base_id = item.id;
  item.id = id.value_or(place.id);
  if (const auto name = reader.text("name"))
    item.name = *name;
  else if (place.complete && place.id_fixed && !reader.has("name"))
    reader.missing("name", "the name as people write it");
  else if (item.id != base_id)
    item.name = item.id;
  reader.text("base");
  item.origin = place.origin;
  read_sources(node, reader, place, item);
  item.json = kept_text(node, place, item);
}

}  // namespace podwright
