#pragma once
/// Files of an answer in a folder.
#include <filesystem>

#include "base/json_read.h"

namespace podwright::cli {

/// Writes the list `exports` of `holder`, all or none, and says which; false after a message when one cannot be
/// written.
bool write_exports(const JsonNode& holder, const std::filesystem::path& folder);

}  // namespace podwright::cli
