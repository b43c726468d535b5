#pragma once
/// All offers of a GPU, ranked for each term. docs/method/cloud_cost.md#market.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace.h"
#include "base/words.h"
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
  const CloudPrice* lowest = nullptr;   ///< per GPU
  const CloudPrice* highest = nullptr;  ///< per GPU
};

/// `filter.term` is the market's term. The market points into `rows`.
CloudMarket cloud_market(std::span<const CloudPrice> rows, const RentFilter& filter);

/// The day on which prices are looked at, empty where it is not known, and the age after which they are stale.
struct PriceDay {
  std::string_view today;
  double stale_days = 0;
};

/// Offers that are stale on a day.
double stale_offers(const CloudMarket& market, const PriceDay& day);

/// Days from the earliest day that `as_of` stands for to `today`; absent where one of them is no date.
std::optional<double> price_age_days(std::string_view as_of, std::string_view today);

template <class Tracer>
struct PriceAge {
  Known<Tracer, double> days{};
  bool stale = false;
};

/// Absent where one of the days is no date.
template <class Tracer>
std::optional<PriceAge<Tracer>> price_age(Tracer& trace, const CloudPrice& row, const PriceDay& day) {
  const auto days = price_age_days(row.as_of, day.today);
  if (!days) return std::nullopt;
  return PriceAge<Tracer>{.days = trace.method("cost.age_days_of_" + row.as_of, *days, kMarketPage),
                          .stale = *days > day.stale_days};
}

/// An offer with its age and its bill.
template <class Tracer>
struct RankedOffer {
  const CloudPrice* row = nullptr;
  std::optional<PriceAge<Tracer>> age;
  RentCost<Tracer> rent;
};

/// A market as an answer shows it. Prices are per GPU and absent without offers.
template <class Tracer>
struct MarketNumbers {
  using Rate = std::optional<Known<Tracer, UsdPerSecond>>;
  CloudMarket market;
  Known<Tracer, double> offers{};
  Known<Tracer, double> providers{};
  Rate lowest;
  Rate median;
  Rate highest;
  std::optional<Known<Tracer, double>> stale_offers;  ///< of some offers, on a day that is known
  std::vector<RankedOffer<Tracer>> ranking;           ///< smallest bill first
};

/// With the first `top` offers for `gpu_count` GPUs.
template <class Tracer>
MarketNumbers<Tracer> market_numbers(Tracer& trace, const CloudMarket& market, const Known<Tracer, double>& gpu_count,
                                     const PriceDay& day, double top) {
  const auto named_result = [&](std::string_view id, auto value) {
    return trace.method("cost.market_" + std::string(id) + "_" + std::string(word_of(market.term, kRentTermWords)),
                        value, kMarketPage);
  };
  MarketNumbers<Tracer> numbers{.market = market,
                                .offers = named_result("offers", market.summary.offers),
                                .providers = named_result("providers", market.summary.providers)};
  if (market.offers.empty()) return numbers;
  numbers.lowest = rent_per_gpu(trace, *market.lowest, market.term);
  numbers.median = named_result("median", *market.summary.median_per_gpu);
  numbers.highest = rent_per_gpu(trace, *market.highest, market.term);
  if (!day.today.empty()) numbers.stale_offers = named_result("stale_offers", stale_offers(market, day));
  for (const CloudOffer& offer : market.offers) {
    if (static_cast<double>(numbers.ranking.size()) >= top) break;
    numbers.ranking.push_back({.row = offer.row,
                               .age = price_age(trace, *offer.row, day),
                               .rent = rent_cost(trace, *offer.row, market.term, gpu_count)});
  }
  return numbers;
}

}  // namespace podwright
