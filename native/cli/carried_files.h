#pragma once
/// Files that the program carries.
#include <span>

#include "catalog/embedded.h"

namespace podwright::cli {

/// Study data from core/study/data, written questions and the ledger of claims: "claims.csv" and "written/1.1.json" ...
std::span<const EmbeddedText> study_files();

/// Requests from examples/: "chat_70b.json", "serving_70b.json" ...
std::span<const EmbeddedText> example_files();

/// What describes this command line to shells and to man, from native/cli/data: "bash.txt" ...
std::span<const EmbeddedText> description_files();

/// Tables of the command line, from native/cli/data: "flags.csv".
std::span<const EmbeddedText> data_files();

}  // namespace podwright::cli
