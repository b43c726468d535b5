#pragma once
/// What the clouds ask for a GPU, from the catalog's price rows.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "base/words.h"
#include "catalog/price_tables.h"

namespace podwright {

inline constexpr const char* kPricePage = "docs/method/prices.md#policy";

// Prices of rented GPUs. Providers bill whole instances, for every hour that they stand.

/// Price of one GPU-hour inside an instance.
constexpr auto gpu_hour_price(Of<UsdPerSecond> auto instance_price, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", instance_price / gpus_per_instance);
}

auto instance_count(Of<double> auto gpu_count, Of<double> auto gpus_per_instance) {
  return cited("docs/method/prices.md#rent", ceil(gpu_count / gpus_per_instance));
}

/// GPUs that are billed where a provider rents none for fewer.
auto ordered_gpus(Of<double> auto gpu_count, Of<double> auto smallest_order) {
  return cited("docs/method/prices.md#rent", max(gpu_count, smallest_order));
}

/// Money per time for all instances while they stand.
constexpr auto rent_rate(Of<double> auto instances, Of<UsdPerSecond> auto instance_price) {
  return cited("docs/method/prices.md#rent", instances * instance_price);
}

/// What an hour of work costs on spot machines, where `lost_share` of the time goes into interruptions; below 1.
constexpr auto effective_spot_price(Of<UsdPerSecond> auto spot_price, Of<double> auto lost_share) {
  return cited("docs/method/prices.md#rent", spot_price / (1.0 - lost_share));
}

/// Time that contracts of `least` to `most` bill for machines that are needed for `time` without a break.
auto contracted_time(Of<Seconds> auto time, Of<Seconds> auto least, Of<Seconds> auto most) {
  return cited("docs/method/prices.md#contracts", max(time, ceil(time / most) * least));
}

/// Price of a million output tokens at a sustained rate of the whole deployment.
constexpr auto million_token_price(Of<UsdPerSecond> auto rent, Of<PerSecond> auto output_tokens_per_s) {
  return cited("docs/method/prices.md#tokens", rent / output_tokens_per_s * 1e6);
}

/// A contract is for weeks or months, or for a cluster of many machines; its terms stand in the row.
enum class RentTerm { on_demand, spot, reserved_1y, reserved_3y, contract };
inline constexpr std::array<std::string_view, 5> kRentTermWords{"on-demand", "spot", "reserved-1y", "reserved-3y",
                                                                "contract"};

/// Which of the offers that fit sets the price, each provider counted once: the middle of the three lowest, the middle
/// of all, or the lowest. Of an even number it is the upper of the two in the middle, so that a price is always one
/// that somebody asks.
enum class PriceChoice { three_lowest, median, lowest };
inline constexpr std::array<std::string_view, 3> kPriceChoiceWords{"three-lowest", "median", "lowest"};

/// Day of the newest row of the price table, from which ages count where a request names no other. Written down, so
/// that a row that is taken away does not make older ones count.
inline constexpr std::string_view kPriceDay = "2026-10-10";
/// An offer that is older sets no price.
inline constexpr double kMostAgeDays = 120;

/// Which offers may set a price, and which of them does. docs/method/prices.md#policy.
struct PricePolicy {
  PriceChoice choice = PriceChoice::three_lowest;
  std::vector<std::string> providers;  ///< empty: all
  std::string not_before;              ///< ISO date; empty: as far back as the age admits
  std::string as_of{kPriceDay};
  double most_age_days = kMostAgeDays;  ///< before `as_of`; rows whose date is not printed are left out as well
  bool all_offers = false;              ///< also marketplaces and what is sold out
};

/// Which offers count. Empty texts admit all.
struct RentFilter {
  std::string gpu_id;
  double gpu_count = 1;  ///< needed
  /// Instances of a row that stand on average, where fewer may than `gpu_count` takes; empty: all of them do.
  std::function<double(const CloudPrice&)> mean_instances;
  /// Billed by the provider of a row beside its machines; empty: nothing.
  std::function<UsdPerSecond(const CloudPrice&)> beside;
  UsdPerSecond license_per_gpu;  ///< of every GPU that stands, whoever bills it
  double joined_gpus = 1;        ///< that one machine must join, e.g. those of one model replica
  double cluster_gpus = 1;       ///< of one job: machines that join fewer need a network between them
  RentTerm term = RentTerm::on_demand;
  /// Contracts count only where their length is known and the shortest is at most this; absent: all prices count.
  std::optional<Seconds> longest_least;
  std::string region;
  std::string country;  ///< ISO 3166 alpha-3, or the code of a union
  std::string members;  ///< countries of that union, with spaces
  PricePolicy policy;
};

/// Instances of a row, where they follow from its GPUs and the smallest order alone: computed once for all rows that
/// are alike in these.
template <class Instances>
std::function<double(const CloudPrice&)> of_size(Instances instances) {
  return
      [instances = std::move(instances), known = std::vector<std::array<double, 3>>()](const CloudPrice& row) mutable {
        for (const auto& [gpus, least, mean] : known)
          if (gpus == row.gpu_count && least == row.min_gpus) return mean;
        known.push_back({row.gpu_count, row.min_gpus, instances(row)});
        return known.back()[2];
      };
}

/// Of a GPU alone, where no layout says what machines must join: at the price of as many as a server has.
inline RentFilter offers_of_gpu(std::string_view gpu_id) { return {.gpu_id = std::string(gpu_id), .gpu_count = 8}; }

/// Of one job: its GPUs of a node are in one machine, and machines have a network where it takes several.
inline RentFilter offers_of_job(std::string_view gpu_id, double gpus, double node_gpus) {
  return {
      .gpu_id = std::string(gpu_id), .gpu_count = gpus, .joined_gpus = std::min(gpus, node_gpus), .cluster_gpus = gpus};
}

/// Days from the earliest day that `as_of` stands for to `today`; absent where one of them is no date.
std::optional<double> price_age_days(std::string_view as_of, std::string_view today);

/// True for rows that count: of the GPU, offered for the term, in the region and so on.
bool admits(const RentFilter& filter, const CloudPrice& row);

/// Inside the country or the union that the filter asks for; of an unknown country only where it asks for none.
bool stands_in(const RentFilter& filter, const std::string& country);
/// True where only its age keeps a row from counting.
bool too_old(const RentFilter& filter, const CloudPrice& row);

/// Price of a row for a term, for the whole instance; absent where it is not offered.
std::optional<UsdPerSecond> price_of(const CloudPrice& row, RentTerm term);
void set_price(CloudPrice& row, RentTerm term, UsdPerSecond price);
/// Its column in the table.
constexpr std::string_view price_column(RentTerm term) {
  return word_of(
      term, std::array<std::string_view, 5>{"on_demand_usd_per_hour", "spot_usd_per_hour", "reserved_1y_usd_per_hour",
                                            "reserved_3y_usd_per_hour", "contract_usd_per_hour"});
}

/// Instances of a row that all GPUs take.
double all_instances(const RentFilter& filter, const CloudPrice& row);
/// Bill of the machines of a row that the filter admits.
UsdPerSecond bill_of(const RentFilter& filter, const CloudPrice& row);

/// Rows that pass the filter. Prices are per GPU and absent without offers.
struct RentMarket {
  const CloudPrice* chosen = nullptr;  ///< by the policy, with all that is billed; null: no dated source
  const CloudPrice* lowest = nullptr;  ///< smallest bill of machines for the GPUs needed, whole instances counted
  double offers = 0;                   ///< rows
  double providers = 0;
  std::optional<UsdPerSecond> chosen_per_gpu;
  std::optional<UsdPerSecond> lowest_per_gpu;
  std::optional<UsdPerSecond> median_per_gpu;  ///< over the providers, each with its smallest bill, so that a provider
                                               ///< with many regions counts once
  std::string oldest_as_of;
  std::string newest_as_of;
};

/// The market points into `rows`. Ties go to the newer row, then to the earlier one in the table. Among quotes the one
/// with the smallest bill is chosen, unless its GPU-hour is no dearer than that of the chosen list price and its whole
/// machines bill more; all else is told of the list. In a country no offer is chosen below the price of everywhere, as
/// long as a dearer one is there too: a smaller market is not a cheaper one.
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
  const auto ordered =
      row.min_gpus > row.gpu_count
          ? named("cost.ordered_gpus", ordered_gpus(gpu_count, trace.fact(row, "min_gpus", row.min_gpus)))
          : gpu_count;
  const auto instances = named("cost.instances", instance_count(ordered, instance_gpus));
  return {.instances = instances,
          .billed_gpus = named("cost.billed_gpus", instances * instance_gpus),
          .per_gpu = rent_per_gpu(trace, row, term),
          .rent = named("cost.rent", rent_rate(instances, instance_price))};
}

}  // namespace podwright
