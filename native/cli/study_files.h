#pragma once
/// The study data that the program carries: written questions and the ledger of claims, from core/study/data.
#include <span>

#include "catalog/embedded.h"

namespace podwright::cli {

/// "claims.csv" and "written/1.1.json" ...
std::span<const EmbeddedText> study_files();

}  // namespace podwright::cli
