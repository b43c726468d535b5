#pragma once
/// A serving engine's memory conventions, dated by version range.
#include <string>
#include <vector>

#include "catalog/item.h"

namespace podwright {

struct Engine : CatalogItem {
};

}  // namespace podwright
