#include "catalog/server_price.h"

#include "catalog/table_reader.h"

namespace podwright {

Result<std::vector<ServerPrice>> read_server_prices(std::string_view path, std::string_view text) {
  Errors errors;
  TableReader table(path, text, {"system_id", "gpu_id", "price_item", "caution", "source"}, errors);
  std::vector<ServerPrice> prices;
  while (table.next()) {
    ServerPrice price;
    price.system_id = table.needed_text("system_id");
    price.gpu_id = table.needed_text("gpu_id");
    price.price_item = table.needed_text("price_item");
    price.caution = table.text("caution");
    const std::string id = price.system_id + "/" + price.gpu_id;
    table.head(price, id, id);
    prices.push_back(std::move(price));
  }
  if (!errors.empty()) return failure(std::move(errors));
  return prices;
}

}  // namespace podwright
