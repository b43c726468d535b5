#include "catalog/inline_item.h"

#include "catalog/huggingface_config.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

/// The item that "base" names, or an empty one; nothing where the name is unknown.
template <class Item>
std::optional<Item> base_item(const Catalog& catalog, const JsonNode& node, const std::string& path, ErrorList& errors,
                              Result<const Item*> (*find)(const Catalog&, std::string_view)) {
  const JsonNode* base = node.find("base");
  if (base == nullptr) return Item{};
  if (!base->is_text()) {
    errors.add(base->order, {"wrong-type", path + "/base",
                             "\"base\" must be text, found " + std::string(type_name(base->type)) + ".",
                             "Write an id of the catalog in quotes."});
    return {};
  }
  const Result<const Item*> found = find(catalog, base->text);
  if (found) return **found;
  for (Error error : found.error()) {
    error.path = path + "/base";
    errors.add(base->order, std::move(error));
  }
  return {};
}

template <class Item>
std::optional<Item> read_inline(const Catalog& catalog, const JsonNode& node, std::string_view path, ErrorList& errors,
                                Result<const Item*> (*find)(const Catalog&, std::string_view),
                                void (*read)(const JsonNode&, const ItemPlace&, Item&, ErrorList&)) {
  std::optional<Item> item = base_item<Item>(catalog, node, std::string(path), errors, find);
  if (!item) return {};
  const bool has_base = node.find("base") != nullptr;
  const std::size_t before = errors.size();
  const ItemPlace place{.path = std::string(path),
                        .origin = "request" + std::string(path),
                        .id = has_base ? item->id : "inline",
                        .id_fixed = false,
                        .complete = !has_base,
                        .number_source = "request"};
  read(node, place, *item, errors);
  if (errors.size() != before) return {};
  // What stands in an answer under a catalog's name would be taken for the catalog's.
  if (has_base && node.items.size() > 1) item->name += " (changed)";
  return item;
}

}  // namespace

std::optional<Model> read_inline_model(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                       ErrorList& errors) {
  if (is_huggingface_config(node)) return read_huggingface_config(node, path, errors);
  return read_inline<Model>(catalog, node, path, errors, find_model, read_model);
}

std::optional<Gpu> read_inline_gpu(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                   ErrorList& errors) {
  return read_inline<Gpu>(catalog, node, path, errors, find_gpu, read_gpu);
}

std::optional<System> read_inline_system(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                         ErrorList& errors) {
  return read_inline<System>(catalog, node, path, errors, find_system, read_system);
}

}  // namespace podwright
