#pragma once
/// What the clouds ask for a GPU, from the catalog's price rows.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/price_tables.h"
#include "cost/rental.h"

namespace podwright {

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
std::string_view price_column(RentTerm term);

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
