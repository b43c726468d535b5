#pragma once
#include <string_view>

#include "catalog/embedded.h"
#include "catalog/model.h"

namespace podwright {

/// catalog_digest() of the embedded catalog, known without its texts.
std::string_view embedded_digest();

/// The built-in model of this id, read alone; null where there is none, or where it takes another's fields.
const Model* embedded_model(std::string_view id);

}  // namespace podwright
