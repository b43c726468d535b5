#pragma once
/// Which row of the purchase prices is the price of a catalog system.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

struct ServerPrice : CatalogItem {
  std::string system_id;
  std::string gpu_id;      ///< the GPUs inside, where the system is built with several kinds
  std::string price_item;  ///< id of the purchase price, per system
  std::string caution;     ///< what to know before using it; may be empty
};

/// Reads server_prices.csv. Columns: system_id, gpu_id, price_item, caution, source. Errors have the path
/// "<path>:<line>".
Result<std::vector<ServerPrice>> read_server_prices(std::string_view path, std::string_view text);

}  // namespace podwright
