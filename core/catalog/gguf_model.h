#pragma once
/// The model that a GGUF file holds: its shape from the metadata, its structure from which tensors there are.
#include <string_view>

#include "base/result.h"
#include "catalog/gguf_file.h"
#include "catalog/model.h"

namespace podwright {

/// What changes the arithmetic and the file does not say is listed in Model::unread_fields, never guessed; a size that
/// the arithmetic needs and the file lacks is an error whose path is the name of the metadata value.
Result<Model> gguf_model(const GgufFile& file);

}  // namespace podwright
