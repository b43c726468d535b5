#pragma once
/// Reading one object of the catalog onto an item. A field that the object lacks keeps what the item already has, so
/// that an object with "base" changes only the fields it names.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/object_reader.h"
#include "base/words.h"
#include "catalog/architecture.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "catalog/system.h"

namespace podwright {

/// Where an object stands and what holds for it.
struct ItemPlace {
  std::string path;           ///< of errors: "gpus/h100-sxm5-80gb.json#" in a file, a JSON Pointer in a request
  std::string origin;         ///< becomes CatalogItem::origin
  std::string id;             ///< of an object that gives none
  bool id_fixed = false;      ///< the object's id must be this one (a file is named after its item)
  bool complete = true;       ///< false: the item already holds the fields of its base
  std::string_view text;      ///< of the object, where its file holds nothing else
  std::string number_source;  ///< source of numbers that name none ("request", "override"); empty: naming one is a duty
};

void read_gpu(const JsonNode& node, const ItemPlace& place, Gpu& gpu, ErrorList& errors);
void read_model(const JsonNode& node, const ItemPlace& place, Model& model, ErrorList& errors);
void read_system(const JsonNode& node, const ItemPlace& place, System& system, ErrorList& errors);
void read_switch(const JsonNode& node, const ItemPlace& place, Switch& item, ErrorList& errors);
void read_architecture(const JsonNode& node, const ItemPlace& place, ReferenceArchitecture& architecture,
                       ErrorList& errors);

/// Id, name, sources and the kept text: the part that all items share. Call it first; it makes "id", "name", "base" and
/// "sources" known to `reader`.
void read_item_head(const JsonNode& node, ObjectReader& reader, const ItemPlace& place, CatalogItem& item);

/// Id, name, origin and sources of an object that stands in a list or alone in a file; `folder` begins the origin.
void read_entry_head(ObjectReader& reader, const std::string& folder, CatalogItem& item);

/// The sources of an object, each an id or a list of ids; "*" is that of all other fields. Where `whole` is given, the
/// fields must be its own.
void read_item_sources(ObjectReader& reader, CatalogItem& item, const JsonNode* whole = nullptr);

/// A list of texts, none empty; empty where the object has none.
std::vector<std::string> read_texts(ObjectReader& reader, std::string_view key);

/// The place of a word in its table; absent where the object has none that is legal.
std::optional<std::size_t> read_word_place(ObjectReader& reader, std::string_view key,
                                           std::span<const std::string_view> words);

/// The value of a word; absent where the object has none that is legal.
template <class Enum, std::size_t N>
std::optional<Enum> read_word(ObjectReader& reader, std::string_view key,
                              const std::array<std::string_view, N>& words) {
  return at_place<Enum>(read_word_place(reader, key, words));
}

/// An object inside the object, as `read` reads it; absent where there is none.
template <class Item>
std::optional<Item> read_object(ObjectReader& reader, std::string_view key, void (*read)(ObjectReader&, Item&)) {
  const JsonNode* node = reader.object(key);
  if (node == nullptr) return {};
  ObjectReader object(*node, reader.path(key), reader.errors());
  Item item;
  read(object, item);
  object.finish();
  return item;
}

/// Adds the objects of a list.
template <class Item>
void read_list(const JsonNode& list, const std::string& path, ErrorList& errors, std::vector<Item>& items,
               void (*read)(ObjectReader&, Item&)) {
  const std::size_t before = items.size();
  items.resize(before + list.items.size());
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    ObjectReader object(list.items[i], path + "/" + std::to_string(i), errors);
    read(object, items[before + i]);
    object.finish();
  }
}
template <class Item>
void read_list(ObjectReader& reader, std::string_view key, std::vector<Item>& items,
               void (*read)(ObjectReader&, Item&)) {
  if (const JsonNode* list = reader.list(key)) read_list(*list, reader.path(key), reader.errors(), items, read);
}

/// Fields of an object that hold numbers, dotted where nested ("link.domain_gpus"); a list counts as one field.
std::vector<std::string> number_fields(const JsonNode& node);

/// The node of a dotted field, parts of a list named by their "id"; null where the object has none.
const JsonNode* field_of(const JsonNode& node, std::string_view field);

/// Stores what was read, if anything was.
template <class T, class U>
void keep(T& field, const std::optional<U>& value) {
  if constexpr (std::is_arithmetic_v<U> && !std::is_same_v<U, bool>) {
    if (value) field = static_cast<double>(*value);
  } else {
    if (value) field = *value;
  }
}

}  // namespace podwright
