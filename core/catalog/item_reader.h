#pragma once
/// Reading one object of the catalog onto an item. A field that the object lacks keeps what the item already has, so
/// that an object with "base" changes only the fields it names.
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/object_reader.h"
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

/// The sources of an object of a list, for which nothing is checked but that each is an id or a list of ids; "*" is
/// that of all other fields.
void read_item_sources(ObjectReader& reader, CatalogItem& item);

/// A list of texts, none empty; empty where the object has none.
std::vector<std::string> read_texts(ObjectReader& reader, std::string_view key);

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
