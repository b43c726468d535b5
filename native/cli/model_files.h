#pragma once
/// Files of a model, read as far as their headers go.
#include <optional>
#include <string>
#include <vector>

#include "api/outcome.h"
#include "catalog/catalog.h"

namespace podwright::cli {

/// The answer of the command `model` to these files, with those that an index names and the config.json beside weights;
/// a folder stands for the config.json, the index or the weights in it. Absent after a message when one cannot be read.
std::optional<Answer> read_model_files(const Catalog& catalog, const std::vector<std::string>& files);

}  // namespace podwright::cli
