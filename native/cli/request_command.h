#pragma once
/// Requests in files.
#include <string>

#include "catalog/catalog.h"

namespace podwright::cli {

/// Answers one request document; `json` prints the answer as it is, else a text for people.
int answer_command(const Catalog& catalog, const std::string& file, bool json);

}  // namespace podwright::cli
