#pragma once
/// The example requests that the program carries, from examples/.
#include <span>

#include "catalog/embedded.h"

namespace podwright::cli {

/// "chat_70b.json", "serving_70b.json" ...
std::span<const EmbeddedText> example_files();

}  // namespace podwright::cli
