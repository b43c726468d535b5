#pragma once
/// Files that an answer carries, written to a folder.
#include <filesystem>
#include <string>
#include <vector>

#include "base/json_read.h"

namespace podwright::cli {

/// The request with `exports` set, "all" standing for `all`; as it is where there are none, or where it cannot be read,
/// so that the answer says why.
std::string with_exports(const std::string& request, std::vector<std::string> exports,
                         const std::vector<std::string>& all);

/// Writes the list `exports` of `holder` and says what `not_exported` names; false after a message when a file cannot
/// be written.
bool write_exports(const JsonNode& holder, const std::filesystem::path& folder);

/// A message where files are asked for and neither a folder nor JSON can hold them.
bool exports_have_a_place(const std::vector<std::string>& exports, const std::string& folder, bool json);

}  // namespace podwright::cli
