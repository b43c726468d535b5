#include "catalog/server_price.h"

#include "base/csv_read.h"

namespace podwright {
namespace {

constexpr std::string_view kServerPriceColumns[] = {"system_id", "gpu_id", "price_item", "caution", "source"};

}  // namespace

Result<std::vector<ServerPrice>> read_server_prices(std::string_view path, std::string_view text) {
  const std::string file(path);
  const Result<CsvTable> table = parse_csv(text);
  if (!table) {
    Errors errors = table.error();
    for (Error& error : errors) error.path = file + error.path;
    return failure(std::move(errors));
  }
  Errors errors;
  for (const std::string_view column : kServerPriceColumns)
    if (table->column(column) < 0)
      errors.push_back({"missing", file + ":1", "The table lacks the column \"" + std::string(column) + "\".", ""});
  if (!errors.empty()) return failure(std::move(errors));

  std::vector<ServerPrice> prices;
  for (const CsvTable::Row& row : table->rows) {
    ServerPrice price;
    price.system_id = table->cell(row, "system_id");
    price.gpu_id = table->cell(row, "gpu_id");
    price.price_item = table->cell(row, "price_item");
    price.caution = table->cell(row, "caution");
    price.source = table->cell(row, "source");
    price.id = price.system_id + "/" + price.gpu_id;
    price.name = price.id;
    price.origin = "catalog/" + file + "/" + std::to_string(row.line);
    if (price.system_id.empty() || price.gpu_id.empty() || price.price_item.empty())
      errors.push_back(
          {"missing", file + ":" + std::to_string(row.line), "A row needs system_id, gpu_id and price_item.", ""});
    prices.push_back(std::move(price));
  }
  if (!errors.empty()) return failure(std::move(errors));
  return prices;
}

}  // namespace podwright
