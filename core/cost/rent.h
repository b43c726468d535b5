#pragma once
/// What the clouds ask for a GPU, from the catalog's price rows.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "base/words.h"
#include "catalog/price_tables.h"

namespace podwright {

// Prices of rented GPUs. Providers bill whole instances, for every hour that they stand.

/// Price of one GPU-hour inside an instance.
constexpr auto gpu_hour_price(Of<UsdPerSecond> auto instance_price, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", instance_price / gpus_per_instance);
}

auto instance_count(Of<double> auto gpu_count, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", ceil(gpu_count / gpus_per_instance));
}

/// Money per time for all instances while they stand.
constexpr auto rent_rate(Of<double> auto instances, Of<UsdPerSecond> auto instance_price) {
  return cited("docs/method/prices.md#rent", instances * instance_price);
}

/// What an hour of work costs on spot machines, where `lost_share` of the time goes into interruptions; below 1.
constexpr auto effective_spot_price(Of<UsdPerSecond> auto spot_price, Of<double> auto lost_share) {
  return cited("docs/method/prices.md#rent", spot_price / (1.0 - lost_share));
}

/// Price of a million output tokens at a sustained rate of the whole deployment.
constexpr auto million_token_price(Of<UsdPerSecond> auto rent, Of<PerSecond> auto output_tokens_per_s) {
  return cited("docs/method/prices.md#tokens", rent / output_tokens_per_s * 1e6);
}

enum class RentTerm { on_demand, spot, reserved_1y, reserved_3y };
inline constexpr std::array<std::string_view, 4> kRentTermWords{"on-demand", "spot", "reserved-1y", "reserved-3y"};

/// Which offers count. Empty texts admit all.
struct RentFilter {
  std::string gpu_id;
  double gpu_count = 1;          ///< needed
  double min_instance_gpus = 1;  ///< GPUs that must sit in one instance, e.g. those of one model replica
  RentTerm term = RentTerm::on_demand;
  std::string region;
  std::string provider;
  std::string not_before;  ///< ISO date: older rows are left out
};

/// True for rows that count: of the GPU, offered for the term, in the region and so on.
bool admits(const RentFilter& filter, const CloudPrice& row);

/// Price of a row for a term, for the whole instance; absent where it is not offered.
std::optional<UsdPerSecond> price_of(const CloudPrice& row, RentTerm term);
/// Its column in the table.
constexpr std::string_view price_column(RentTerm term) {
  return word_of(term, std::array<std::string_view, 4>{"on_demand_usd_per_hour", "spot_usd_per_hour",
                                                       "reserved_1y_usd_per_hour", "reserved_3y_usd_per_hour"});
}

/// Rows that pass the filter. Prices are per GPU.
struct RentMarket {
  const CloudPrice* cheapest = nullptr;  ///< for the GPUs needed, whole instances counted; null: no dated source
  double offers = 0;                     ///< rows
  double providers = 0;
  std::optional<UsdPerSecond> cheapest_per_gpu;
  std::optional<UsdPerSecond> median_per_gpu;  ///< over the providers, each with its cheapest row, so that a provider
                                               ///< with many regions counts once
  std::string oldest_as_of;
  std::string newest_as_of;
};

/// The market points into `rows`. Ties go to the newer row, then to the earlier one in the table.
RentMarket rent_market(std::span<const CloudPrice> rows, const RentFilter& filter);

/// Price of one GPU of a row, which must offer the term.
template <class Tracer>
Known<Tracer, UsdPerSecond> rent_per_gpu(Tracer& trace, const CloudPrice& row, RentTerm term) {
  return named("cost.rent_per_gpu",
               gpu_hour_price(trace.fact(row, price_column(term), price_of(row, term).value_or(UsdPerSecond())),
                              trace.fact(row, "gpu_count", row.gpu_count)));
}

template <class Tracer>
struct RentCost {
  Known<Tracer, double> instances;
  Known<Tracer, double> billed_gpus;
  Known<Tracer, UsdPerSecond> per_gpu;
  Known<Tracer, UsdPerSecond> rent;  ///< all instances, while they stand; shown per hour or, at 8,760 hours, per year
};

/// `row` must offer the term.
template <class Tracer>
RentCost<Tracer> rent_cost(Tracer& trace, const CloudPrice& row, RentTerm term,
                           const Known<Tracer, double>& gpu_count) {
  const auto instance_gpus = trace.fact(row, "gpu_count", row.gpu_count);
  const auto instance_price = trace.fact(row, price_column(term), price_of(row, term).value_or(UsdPerSecond()));
  const auto instances = named("cost.instances", instance_count(gpu_count, instance_gpus));
  return {.instances = instances,
          .billed_gpus = named("cost.billed_gpus", instances * instance_gpus),
          .per_gpu = rent_per_gpu(trace, row, term),
          .rent = named("cost.rent", rent_rate(instances, instance_price))};
}

}  // namespace podwright
