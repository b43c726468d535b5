#pragma once
/// The packs of written questions that the program carries: core/study/data/written.
#include <span>

#include "catalog/embedded.h"

namespace podwright::cli {

std::span<const EmbeddedText> written_packs();

}  // namespace podwright::cli
