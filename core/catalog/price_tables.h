#pragma once
/// Rows of the price, energy, failure and resale tables. Money is USD of the date given unless a currency stands beside
/// it.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "catalog/item.h"
#include "catalog/price.h"

namespace podwright {

/// Who rents machines out: with regions everywhere, GPUs above all, or machines of many owners; or an offer that the
/// request holds.
enum class CloudSegment { hyperscaler, neocloud, marketplace, quote };
inline constexpr std::array<std::string_view, 4> kCloudSegmentWords{"hyperscaler", "neocloud", "marketplace", "quote"};

/// One instance type of one provider in one region; rates are for the whole instance.
struct CloudPrice : CatalogItem {
  std::string provider;
  std::string instance;
  std::string region;
  std::string country;  ///< ISO 3166 alpha-3; empty where only "global" is printed
  CloudSegment segment = CloudSegment::neocloud;
  std::string gpu_id;    ///< empty where the table's GPU is ambiguous
  std::string gpu_text;  ///< as the provider writes it
  double gpu_count = 0;
  std::optional<double> gpu_memory_gb;
  std::optional<UsdPerSecond> on_demand;
  std::optional<UsdPerSecond> spot;
  std::optional<UsdPerSecond> reserved_1y;
  std::optional<UsdPerSecond> reserved_3y;
  std::optional<UsdPerSecond> contract;   ///< for weeks or months, or for a cluster
  std::string contract_terms;             ///< as the provider writes them
  std::optional<Seconds> contract_least;  ///< length of one contract; absent where it is not printed
  std::optional<Seconds> contract_most;
  double machine_gpus = 1;  ///< GPUs that one machine joins; an instance may be a part of it
  std::string network;      ///< that joins machines into a cluster; empty where none is printed
  double min_gpus = 1;      ///< smallest order
  bool sold_out = false;
  bool inferred = false;  ///< the date is not printed
  std::string as_of;      ///< earliest day the source stands for
};

/// What a provider takes for a gigabyte that leaves it, or that lies there for a month: one step of a price list. The
/// steps of a product follow each other; the first product of a provider is the one that bills take.
struct CloudDataPrice : CatalogItem {
  std::string provider;
  bool stored = false;             ///< else it leaves
  std::optional<double> up_to_gb;  ///< per month; absent: the last step
  double usd_per_gb = 0;
  std::string as_of;
};

/// Something one buys: a server, a switch, a licence, staff time.
struct PurchasePrice : CatalogItem {
  std::string item;
  std::string category;
  std::string unit;  ///< "per system", "per GPU per year"
  std::string currency;
  std::string confidence;  ///< A to D
  std::string as_of;
  Price price;  ///< in `currency`
};

/// Which of the purchase prices is the price of a system.
struct ServerPrice : CatalogItem {
  std::string system_id;
  std::string gpu_id;      ///< the GPUs inside, where the system is built with several kinds
  std::string price_item;  ///< id of the purchase price, per system
  std::string caution;     ///< what to know before using it; may be empty
};

/// What people may read money in.
struct Currency : CatalogItem {
  std::string sign;    ///< before the amount
  double per_usd = 1;  ///< of its units for one US dollar
  std::string as_of;   ///< year and month
};

struct EnergyRegion : CatalogItem {
  std::string kind;                             ///< country, cloud region, grid ...
  std::optional<double> electricity_price_kwh;  ///< in `price_currency`
  std::string price_currency;
  std::string price_basis;
  bool price_is_fallback = false;  ///< a continent's average, not a figure of the country
  std::optional<double> grid_gco2_per_kwh;
  std::string carbon_year;
  std::string members;  ///< of a union: the ids of its countries, with spaces
};

struct FailureRate : CatalogItem {
  std::string fleet;
  std::string gpu;
  std::string gpu_id;  ///< empty where the source does not say the product
  std::string component;
  std::string category;
  std::optional<double> gpus;
  std::optional<double> window_days;
  std::optional<double> count;
  std::optional<double> share;
  std::optional<double> mtbf_h;
  std::optional<double> gpu_hours_per_failure;
};

struct ResaleValue : CatalogItem {
  std::string gpu;
  std::string gpu_id;  ///< empty where the source does not say the product
  std::optional<double> age_months_from;
  std::optional<double> age_months_to;
  std::optional<double> fraction_low;
  std::optional<double> fraction_high;
  std::optional<double> price_low;
  std::optional<double> price_high;
  std::string currency;
  std::string as_of;
};

/// What one GPU-hour costs its owner, and how much power a GPU draws with everything around it.
struct GpuHourCost : CatalogItem {
  std::string gpu_id;
  std::optional<Watts> utility_power_per_gpu;  ///< at the meter: host, network, cooling and losses included
  std::optional<UsdPerSecond> owner_hyperscaler;
  std::optional<UsdPerSecond> owner_neocloud;
  std::optional<UsdPerSecond> rental_3y;  ///< three years, a quarter paid upfront
  std::optional<double> economic_life_years;
  std::string as_of;
};

/// A dated rental price of one GPU.
struct PricePoint : CatalogItem {
  std::string date;
  std::string series;
  std::string gpu;
  std::string gpu_id;  ///< empty where the series does not say the product
  std::string basis;
  UsdPerSecond low;
  UsdPerSecond high;
};

}  // namespace podwright
