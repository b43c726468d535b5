#pragma once
/// JSON Schema (2020-12) of the requests, written from the same tables of fields that read them.
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

/// Empty for a kind without a request of its own.
std::string request_schema(const Catalog& catalog, std::string_view kind);

/// {"kinds": [{"kind", "type", "verb", "example", "help", "takes_calibration"}]}: the table of kinds.
std::string kinds_json();

}  // namespace podwright
