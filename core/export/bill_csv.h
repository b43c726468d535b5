#pragma once
/// The bill of materials as a table. docs/method/exports.md#bill.
#include <string>

#include "architecture/bill_of_materials.h"

namespace podwright {

/// Columns category, item_id, name, use, count, unit, note. What no count is known of follows with category
/// "not-counted" and an empty count.
std::string bill_csv(const BillOfMaterials<NoTrace>& bill);

}  // namespace podwright
