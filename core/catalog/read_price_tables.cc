#include "catalog/price_tables.h"

#include "catalog/catalog_table.h"

namespace podwright {
namespace {

constexpr double kMaxUsdPerHour = 1e6;

std::optional<UsdPerSecond> hourly(TableReader& table, std::string_view column) {
  const auto value = table.number(column, 0, kMaxUsdPerHour);
  return value ? std::optional(usd_per_hour(*value)) : std::nullopt;
}

void read_cloud_price(TableReader& table, CloudPrice& price) {
  price.provider = table.needed_text("provider");
  price.instance = table.needed_text("instance");
  price.region = table.needed_text("region");
  table.head(price, price.provider + "/" + price.instance + "/" + price.region, price.provider + " " + price.instance);
  price.country = table.text("country");
  price.segment = table.word<CloudSegment>("segment", kCloudSegmentWords);
  price.gpu_id = table.text("gpu_id");
  price.gpu_text = table.needed_text("gpu");
  price.gpu_count = table.needed("gpu_count", 1, 1e5);
  price.gpu_memory_gb = table.number("gpu_memory_gb");
  price.on_demand = hourly(table, "on_demand_usd_per_hour");
  price.spot = hourly(table, "spot_usd_per_hour");
  price.reserved_1y = hourly(table, "reserved_1y_usd_per_hour");
  price.reserved_3y = hourly(table, "reserved_3y_usd_per_hour");
  price.contract = hourly(table, "contract_usd_per_hour");
  price.contract_terms = table.text("contract");
  const auto in_days = [&](std::string_view column) {
    const auto value = table.number(column, 1, 4000);
    return value ? std::optional(days(*value)) : std::nullopt;
  };
  price.contract_least = in_days("contract_days_least");
  price.contract_most = in_days("contract_days_most");
  price.machine_gpus = table.number("machine_gpus", 1, 1e5).value_or(price.gpu_count);
  price.network = table.text("network");
  price.min_gpus = table.number("min_gpus", 1, 1e5).value_or(1);
  price.sold_out = table.text("stock") == "sold-out";
  price.inferred = !table.text("as_of_printed").empty();
  price.as_of = table.needed_text("as_of");
}

void read_cloud_data_price(TableReader& table, CloudDataPrice& price) {
  price.provider = table.needed_text("provider");
  constexpr std::array<std::string_view, 2> kWhat{"egress", "storage"};
  price.stored = table.word<bool>("what", kWhat);
  const std::string name = table.needed_text("name");
  table.head(price, price.provider + "/" + name + "/" + table.text("condition"), name);
  price.up_to_gb = table.number("up_to_gb");
  price.usd_per_gb = table.needed("usd_per_gb", 0, 10);
  price.as_of = table.needed_text("as_of");
}

/// Rows without a price are left out: they record that none was found.
void read_purchase_prices(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  TableReader table(path, text, errors);
  catalog.purchase_prices.clear();
  do {
    const auto typical = table.number("typical");
    if (table.on_row() && !typical) continue;
    PurchasePrice price;
    price.item = table.needed_text("item");
    table.head(price, price.item, table.needed_text("name"));
    price.called = price.item;
    price.category = table.needed_text("category");
    price.unit = table.needed_text("unit");
    price.currency = table.text("currency");
    price.confidence = table.text("confidence");
    price.as_of = table.needed_text("as_of");
    price.price = {
        .low = usd(table.needed("low")), .typical = usd(typical.value_or(0)), .high = usd(table.needed("high"))};
    table.check_range(price.price.low, price.price.typical, price.price.high);
    if (table.on_row()) catalog.purchase_prices.push_back(std::move(price));
  } while (table.next());
}

void read_server_price(TableReader& table, ServerPrice& price) {
  price.system_id = table.needed_text("system_id");
  price.gpu_id = table.needed_text("gpu_id");
  price.price_item = table.needed_text("price_item");
  price.caution = table.text("caution");
  const std::string id = price.system_id + "/" + price.gpu_id;
  table.head(price, id, id);
}

void read_energy_region(TableReader& table, EnergyRegion& region) {
  table.place(region, table.needed_text("code"), table.needed_text("name"));
  region.kind = table.needed_text("kind");
  region.electricity_price_kwh = table.number("electricity_price_per_kwh", 0, 10);
  region.price_currency = table.text("price_currency");
  region.price_basis = table.text("price_basis");
  region.price_is_fallback = table.text("price_is_fallback") == "yes";
  region.grid_gco2_per_kwh = table.number("grid_gco2_per_kwh", 0, 5000);
  region.carbon_year = table.text("carbon_year");
  if (!table.text("price_source").empty()) region.sources["electricity_price_kwh"] = table.text("price_source");
  if (!table.text("carbon_source").empty()) region.sources["grid_gco2_per_kwh"] = table.text("carbon_source");
  region.members = table.later_text("members");
  if (const std::string& source = table.later_text("members_source"); !source.empty())
    region.sources["members"] = source;
  if (region.electricity_price_kwh && region.price_currency.empty())
    table.error("missing", "A price without a currency.", "Fill in \"price_currency\".");
}

constexpr double kLeastHours = 1e-3;  ///< between failures

void read_failure_rate(TableReader& table, FailureRate& rate) {
  rate.fleet = table.needed_text("fleet");
  rate.component = table.needed_text("component");
  table.head(rate, rate.fleet + "/" + rate.component + "/" + std::to_string(table.line()),
             rate.fleet + ": " + rate.component);
  rate.gpu = table.text("gpu");
  rate.gpu_id = table.text("gpu_id");
  rate.category = table.needed_text("category");
  rate.gpus = table.number("gpus");
  rate.window_days = table.number("window_days");
  rate.count = table.number("count");
  rate.share = table.number("share", 0, 1);
  rate.mtbf_h = table.number("mtbf_hours", kLeastHours);
  rate.gpu_hours_per_failure = table.number("gpu_hours_per_failure", kLeastHours);
}

void read_resale_value(TableReader& table, ResaleValue& value) {
  value.gpu = table.needed_text("gpu");
  table.head(value, value.gpu + "/" + std::to_string(table.line()), value.gpu);
  value.gpu_id = table.text("gpu_id");
  value.age_months_from = table.number("age_months_from");
  value.age_months_to = table.number("age_months_to");
  value.fraction_low = table.number("fraction_low", 0, 10);
  value.fraction_high = table.number("fraction_high", 0, 10);
  value.price_low = table.number("price_usd_low");
  value.price_high = table.number("price_usd_high");
  value.currency = "USD";
  value.as_of = table.needed_text("as_of");
}

void read_gpu_hour_cost(TableReader& table, GpuHourCost& cost) {
  table.head(cost, table.needed_text("gpu") + "/" + std::to_string(table.line()), table.text("gpu"));
  cost.gpu_id = table.text("gpu_id");
  if (const auto power = table.number("all_in_utility_kw_per_gpu", 0, 100)) cost.utility_power_per_gpu = kw(*power);
  cost.owner_hyperscaler = hourly(table, "owner_hyperscaler_usd_per_gpu_hour");
  cost.owner_neocloud = hourly(table, "owner_neocloud_usd_per_gpu_hour");
  cost.rental_3y = hourly(table, "rental_3y_25pct_upfront_usd_per_gpu_hour");
  cost.economic_life_years = table.number("economic_life_years", 0, 100);
  cost.as_of = table.needed_text("as_of");
}

void read_price_point(TableReader& table, PricePoint& point) {
  point.date = table.needed_text("date");
  point.series = table.needed_text("series");
  table.head(point, point.series + "/" + std::to_string(table.line()), point.series);
  point.gpu = table.needed_text("gpu");
  point.gpu_id = table.text("gpu_id");
  point.basis = table.text("basis");
  point.low = usd_per_hour(table.needed("usd_per_gpu_hour_low", 0, kMaxUsdPerHour));
  point.high = usd_per_hour(table.needed("usd_per_gpu_hour_high", 0, kMaxUsdPerHour));
}

void read_currency(TableReader& table, Currency& currency) {
  table.head(currency, table.needed_text("id"), table.needed_text("name"));
  currency.sign = table.needed_text("sign");
  currency.per_usd = table.needed("per_usd", 1e-6, 1e6);
  currency.as_of = table.needed_text("as_of");
}

constexpr CatalogTable kPriceTables[] = {
    {"prices_cloud.csv", read_rows<read_cloud_price, &Catalog::cloud_prices>},
    {"prices_cloud_data.csv", read_rows<read_cloud_data_price, &Catalog::cloud_data_prices>},
    {"prices_on_premises.csv", read_purchase_prices},
    {"server_prices.csv", read_rows<read_server_price, &Catalog::server_prices>},
    {"currencies.csv", read_rows<read_currency, &Catalog::currencies>},
    {"energy_regions.csv", read_rows<read_energy_region, &Catalog::energy_regions>},
    {"failure_rates.csv", read_rows<read_failure_rate, &Catalog::failure_rates>},
    {"resale_values.csv", read_rows<read_resale_value, &Catalog::resale_values>},
    {"gpu_hour_tco.csv", read_rows<read_gpu_hour_cost, &Catalog::gpu_hour_costs>},
    {"h100_price_history.csv", read_rows<read_price_point, &Catalog::price_history>},
};

}  // namespace

std::span<const CatalogTable> price_tables() { return kPriceTables; }

}  // namespace podwright
