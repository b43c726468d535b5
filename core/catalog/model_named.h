#pragma once
/// Which model of the catalog a published name means.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"

namespace podwright {

struct PlainerName {
  std::string text;
  bool without_precision = false;  ///< what the name says of the weights' format has been cut
};

/// Spellings of a published name, from as it is written to the plainest: "meta-llama/Llama-3.1-8B-Instruct-FP8" without
/// the organisation, then without each part that names no other shape.
std::vector<PlainerName> plainer_names(std::string_view name);

/// By id, alias, or published name, as "meta-llama/Llama-3.1-8B-Instruct". A name that says a precision is refused,
/// with the id first in the hint: the precision is a field of its own. Error as that of find_model().
Result<const Model*> find_named_model(const Catalog& catalog, std::string_view name);

/// Of a name that find_named_model() finds: neither the id nor an alias.
bool is_published_name(const Catalog& catalog, std::string_view written);

}  // namespace podwright
