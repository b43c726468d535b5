#pragma once
/// Rows of the price, energy, failure and resale tables. Money is USD of the date given unless a currency stands beside it.
#include <optional>
#include <string>

#include "base/units.h"
#include "catalog/item.h"
#include "catalog/price.h"

namespace podwright {

/// One instance type of one provider in one region; rates are for the whole instance.
struct CloudPrice : CatalogItem {
  std::string provider;
  std::string instance;
  std::string region;
  std::string gpu_id;    ///< empty where the table's GPU is ambiguous
  std::string gpu_text;  ///< as the provider writes it
  double gpu_count = 0;
  std::optional<double> gpu_memory_gb;
  std::optional<UsdPerSecond> on_demand;
  std::optional<UsdPerSecond> spot;
  std::optional<UsdPerSecond> reserved_1y;
  std::optional<UsdPerSecond> reserved_3y;
  std::string interconnect;
  std::string as_of;
};

/// Something one buys: a server, a switch, a licence, staff time.
struct PurchasePrice : CatalogItem {
  std::string item;
  std::string category;
  std::string unit;        ///< "per system", "per GPU per year"
  std::string currency;
  std::string confidence;  ///< A to D
  std::string as_of;
  std::string note;
  Price price;             ///< in `currency`
};

struct EnergyRegion : CatalogItem {
  std::string kind;  ///< country, cloud region, grid ...
  std::optional<double> electricity_price_kwh;  ///< in `price_currency`
  std::string price_currency;
  std::string price_basis;
  std::optional<double> grid_gco2_per_kwh;
  std::string carbon_year;
};

struct FailureRate : CatalogItem {
  std::string fleet;
  std::string gpu;
  std::string component;
  std::string category;
  std::optional<double> gpus;
  std::optional<double> window_days;
  std::optional<double> count;
  std::optional<double> share;
  std::optional<double> mtbf_h;
  std::optional<double> gpu_hours_per_failure;
  std::string note;
};

struct ResaleValue : CatalogItem {
  std::string gpu;
  std::optional<double> age_months_from;
  std::optional<double> age_months_to;
  std::optional<double> fraction_low;
  std::optional<double> fraction_high;
  std::optional<double> price_low;
  std::optional<double> price_high;
  std::string currency;
  std::string as_of;
  std::string note;
};

}  // namespace podwright
