#pragma once
/// All offers of a GPU, ranked for each term. docs/method/cloud_cost.md#market.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace.h"
#include "base/words.h"
#include "cost/price_band.h"
#include "cost/rent.h"

namespace podwright {

inline constexpr const char* kMarketPage = "docs/method/cloud_cost.md#market";
inline constexpr std::string_view kListPriceNote =
    "A list price is not a transaction price: what large or long contracts pay is not published.";

/// One row for one term.
struct CloudOffer {
  const CloudPrice* row = nullptr;
  UsdPerSecond rent;  ///< all instances that the GPUs need
  UsdPerSecond per_gpu;
};

/// Offers of one term, smallest bill for the GPUs first; ties go to the newer row, then to the earlier one in the
/// table.
struct CloudMarket {
  RentTerm term = RentTerm::on_demand;
  std::vector<CloudOffer> offers;
  RentMarket summary;
  PriceBands bands;
  const CloudPrice* lowest = nullptr;   ///< per GPU
  const CloudPrice* highest = nullptr;  ///< per GPU
  double stale_offers = 0;              ///< left out for their age alone
};

/// `filter.term` is the market's term. The market points into `rows`.
CloudMarket cloud_market(std::span<const CloudPrice> rows, const RentFilter& filter);

/// Absent where one of the days is no date.
template <class Tracer>
std::optional<Known<Tracer, double>> price_age(Tracer& trace, const CloudPrice& row, std::string_view today) {
  const auto days = price_age_days(row.as_of, today);
  if (!days) return std::nullopt;
  return trace.method("cost.age_days_of_" + row.as_of, *days, kMarketPage);
}

/// An offer with its age and its bill.
template <class Tracer>
struct RankedOffer {
  const CloudPrice* row = nullptr;
  std::optional<Known<Tracer, double>> age_days;
  RentCost<Tracer> rent;
};

/// A market as an answer shows it. Prices are per GPU and absent without offers.
template <class Tracer>
struct MarketNumbers {
  using Rate = std::optional<Known<Tracer, UsdPerSecond>>;
  CloudMarket market;
  Known<Tracer, double> offers{};
  Known<Tracer, double> providers{};
  Rate chosen;  ///< by the policy
  Rate lowest;
  Rate median;
  Rate highest;
  std::optional<Known<Tracer, double>> stale_offers;  ///< left out for their age alone
  std::vector<RankedOffer<Tracer>> ranking;           ///< smallest bill first
};

/// With the first `top` offers for `gpu_count` GPUs.
template <class Tracer>
MarketNumbers<Tracer> market_numbers(Tracer& trace, const CloudMarket& market, const Known<Tracer, double>& gpu_count,
                                     std::string_view today, double top) {
  const auto named_result = [&](std::string_view id, auto value) {
    return trace.method("cost.market_" + std::string(id) + "_" + std::string(word_of(market.term, kRentTermWords)),
                        value, kMarketPage);
  };
  MarketNumbers<Tracer> numbers{.market = market,
                                .offers = named_result("offers", market.summary.offers),
                                .providers = named_result("providers", market.summary.providers)};
  if (market.stale_offers > 0) numbers.stale_offers = named_result("stale_offers", market.stale_offers);
  if (market.offers.empty()) return numbers;
  numbers.chosen = rent_per_gpu(trace, *market.summary.chosen, market.term);
  numbers.lowest = rent_per_gpu(trace, *market.lowest, market.term);
  numbers.median = named_result("median", *market.summary.median_per_gpu);
  numbers.highest = rent_per_gpu(trace, *market.highest, market.term);
  for (const CloudOffer& offer : market.offers) {
    if (static_cast<double>(numbers.ranking.size()) >= top) break;
    numbers.ranking.push_back({.row = offer.row,
                               .age_days = price_age(trace, *offer.row, today),
                               .rent = rent_cost(trace, *offer.row, market.term, gpu_count)});
  }
  return numbers;
}

}  // namespace podwright
