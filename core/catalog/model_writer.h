#pragma once
/// A model as an object of the catalog's shape, to stand inline in a request.
#include <string>

#include "catalog/model.h"

namespace podwright {

/// JSON text; fields at their default are left out. read_inline_model reads it back as the same arithmetic.
std::string model_json(const Model& model);

}  // namespace podwright
