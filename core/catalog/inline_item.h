#pragma once
/// Catalog items given inside a request: a whole object of the catalog's shape, an object with "base" that changes the
/// fields it names, or, for models, the text of a Hugging Face config.json.
#include <optional>
#include <string_view>

#include "base/object_reader.h"
#include "catalog/catalog.h"

namespace podwright {

/// `path` is the JSON Pointer of `node` in the request. On errors they are added and nothing is returned.
std::optional<Model> read_inline_model(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                       ErrorList& errors);
std::optional<Gpu> read_inline_gpu(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                   ErrorList& errors);
std::optional<System> read_inline_system(const Catalog& catalog, const JsonNode& node, std::string_view path,
                                         ErrorList& errors);

}  // namespace podwright
