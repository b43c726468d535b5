#pragma once
/// A Hugging Face config.json read as a model: dense, grouped-query, latent attention, mixture of experts, sliding
/// window, hybrid.
#include <optional>
#include <string_view>

#include "base/object_reader.h"
#include "catalog/model.h"

namespace podwright {

/// True for an object with the marks of such a file ("architectures" or "model_type" beside "hidden_size" or
/// "text_config" ...).
bool is_huggingface_config(const JsonNode& node);

/// Fields that change the result and are not understood are listed in Model::unread_fields, never guessed; a field that
/// the arithmetic needs and the file lacks is an error with its path. The id is "config-json" or the file's
/// "_name_or_path".
std::optional<Model> read_huggingface_config(const JsonNode& node, std::string_view path, ErrorList& errors);

}  // namespace podwright
