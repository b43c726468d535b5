#include "catalog/read_tables.h"

#include "catalog/table_reader.h"

namespace podwright {
namespace {

constexpr double kMaxUsdPerHour = 1e6;

std::optional<UsdPerSecond> hourly(const std::optional<double>& value) {
  if (!value) return {};
  return usd_per_hour(*value);
}

std::optional<UsdPerSecond> hourly(TableReader& table, std::string_view column) {
  return hourly(table.number(column, 0, kMaxUsdPerHour));
}

}  // namespace

void read_cloud_prices(std::string_view path, std::string_view text, std::vector<CloudPrice>& prices, Errors& errors) {
  TableReader table(path, text,
                    {"provider", "instance", "gpu", "gpu_id", "gpu_count", "gpu_memory_gb", "vcpus", "ram_gb", "region",
                     "on_demand_usd_per_hour", "spot_usd_per_hour", "reserved_1y_usd_per_hour",
                     "reserved_3y_usd_per_hour", "interconnect", "as_of", "as_of_printed", "source", "note"},
                    errors);
  while (table.next()) {
    CloudPrice price;
    price.provider = table.needed_text("provider");
    price.instance = table.needed_text("instance");
    price.region = table.needed_text("region");
    table.head(price, price.provider + "/" + price.instance + "/" + price.region,
               price.provider + " " + price.instance);
    price.gpu_id = table.text("gpu_id");
    price.gpu_text = table.needed_text("gpu");
    price.gpu_count = table.needed("gpu_count", 1, 1e5);
    price.gpu_memory_gb = table.number("gpu_memory_gb");
    table.number("vcpus");
    table.number("ram_gb");
    price.on_demand = hourly(table, "on_demand_usd_per_hour");
    price.spot = hourly(table, "spot_usd_per_hour");
    price.reserved_1y = hourly(table, "reserved_1y_usd_per_hour");
    price.reserved_3y = hourly(table, "reserved_3y_usd_per_hour");
    price.interconnect = table.text("interconnect");
    price.as_of = table.needed_text("as_of");
    price.note = table.text("note");
    prices.push_back(std::move(price));
  }
}

void read_purchase_prices(std::string_view path, std::string_view text, std::vector<PurchasePrice>& prices,
                          Errors& errors) {
  TableReader table(path, text,
                    {"item", "name", "category", "unit", "low", "typical", "high", "currency", "as_of", "kind",
                     "confidence", "source", "source_detail", "note"},
                    errors);
  while (table.next()) {
    const auto typical = table.number("typical");
    if (!typical) continue;  // the row records that no price was found
    PurchasePrice price;
    price.item = table.needed_text("item");
    table.head(price, price.item, table.needed_text("name"));
    price.called = price.item;
    price.category = table.needed_text("category");
    price.unit = table.needed_text("unit");
    price.currency = table.text("currency");
    price.confidence = table.text("confidence");
    price.as_of = table.needed_text("as_of");
    price.note = table.text("note");
    price.price = {.low = usd(table.needed("low")), .typical = usd(*typical), .high = usd(table.needed("high"))};
    if (price.price.low > price.price.typical || price.price.typical > price.price.high)
      table.error("conflict", "The typical price is outside its range.", "low <= typical <= high");
    prices.push_back(std::move(price));
  }
}

void read_energy_regions(std::string_view path, std::string_view text, std::vector<EnergyRegion>& regions,
                         Errors& errors) {
  TableReader table(path, text,
                    {"kind", "code", "name", "electricity_price_per_kwh", "price_currency", "price_basis",
                     "price_is_fallback", "price_source", "grid_gco2_per_kwh", "carbon_year", "carbon_source"},
                    errors);
  while (table.next()) {
    EnergyRegion region;
    table.head(region, table.needed_text("code"), table.needed_text("name"));
    region.kind = table.needed_text("kind");
    region.electricity_price_kwh = table.number("electricity_price_per_kwh", 0, 10);
    region.price_currency = table.text("price_currency");
    region.price_basis = table.text("price_basis");
    region.price_is_fallback = table.text("price_is_fallback") == "yes";
    region.grid_gco2_per_kwh = table.number("grid_gco2_per_kwh", 0, 5000);
    region.carbon_year = table.text("carbon_year");
    if (!table.text("price_source").empty()) region.sources["electricity_price_kwh"] = table.text("price_source");
    if (!table.text("carbon_source").empty()) region.sources["grid_gco2_per_kwh"] = table.text("carbon_source");
    if (region.electricity_price_kwh && region.price_currency.empty())
      table.error("missing", "A price without a currency.", "Fill in \"price_currency\".");
    regions.push_back(std::move(region));
  }
}

void read_failure_rates(std::string_view path, std::string_view text, std::vector<FailureRate>& rates, Errors& errors) {
  TableReader table(path, text,
                    {"fleet", "gpu", "gpu_id", "gpus", "window_days", "component", "category", "count", "share",
                     "mtbf_hours", "gpu_hours_per_failure", "source", "note"},
                    errors);
  while (table.next()) {
    FailureRate rate;
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
    rate.mtbf_h = table.number("mtbf_hours");
    rate.gpu_hours_per_failure = table.number("gpu_hours_per_failure");
    rate.note = table.text("note");
    rates.push_back(std::move(rate));
  }
}

void read_resale_values(std::string_view path, std::string_view text, std::vector<ResaleValue>& values,
                        Errors& errors) {
  TableReader table(path, text,
                    {"gpu", "gpu_id", "age_months_from", "age_months_to", "fraction_low", "fraction_high",
                     "price_usd_low", "price_usd_high", "as_of", "source", "note"},
                    errors);
  while (table.next()) {
    ResaleValue value;
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
    value.note = table.text("note");
    values.push_back(std::move(value));
  }
}

void read_gpu_hour_costs(std::string_view path, std::string_view text, std::vector<GpuHourCost>& costs,
                         Errors& errors) {
  TableReader table(path, text,
                    {"gpu", "gpu_id", "all_in_utility_kw_per_gpu", "owner_hyperscaler_usd_per_gpu_hour",
                     "owner_neocloud_usd_per_gpu_hour", "rental_3y_25pct_upfront_usd_per_gpu_hour",
                     "economic_life_years", "as_of", "source", "note"},
                    errors);
  while (table.next()) {
    GpuHourCost cost;
    table.head(cost, table.needed_text("gpu") + "/" + std::to_string(table.line()), table.text("gpu"));
    cost.gpu_id = table.text("gpu_id");
    if (const auto power = table.number("all_in_utility_kw_per_gpu", 0, 100)) cost.utility_power_per_gpu = kw(*power);
    cost.owner_hyperscaler = hourly(table, "owner_hyperscaler_usd_per_gpu_hour");
    cost.owner_neocloud = hourly(table, "owner_neocloud_usd_per_gpu_hour");
    cost.rental_3y = hourly(table, "rental_3y_25pct_upfront_usd_per_gpu_hour");
    cost.economic_life_years = table.number("economic_life_years", 0, 100);
    cost.as_of = table.needed_text("as_of");
    cost.note = table.text("note");
    costs.push_back(std::move(cost));
  }
}

void read_price_history(std::string_view path, std::string_view text, std::vector<PricePoint>& points, Errors& errors) {
  TableReader table(
      path, text,
      {"date", "series", "gpu", "gpu_id", "basis", "usd_per_gpu_hour_low", "usd_per_gpu_hour_high", "source", "note"},
      errors);
  while (table.next()) {
    PricePoint point;
    point.date = table.needed_text("date");
    point.series = table.needed_text("series");
    table.head(point, point.series + "/" + std::to_string(table.line()), point.series);
    point.gpu = table.needed_text("gpu");
    point.gpu_id = table.text("gpu_id");
    point.basis = table.text("basis");
    point.low = usd_per_hour(table.needed("usd_per_gpu_hour_low", 0, kMaxUsdPerHour));
    point.high = usd_per_hour(table.needed("usd_per_gpu_hour_high", 0, kMaxUsdPerHour));
    point.note = table.text("note");
    points.push_back(std::move(point));
  }
}

}  // namespace podwright
