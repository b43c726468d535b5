#pragma once
/// All offers of a GPU, ranked for each term. docs/method/cloud_cost.md#market.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/rent.h"

namespace podwright {

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

/// Offers that are older than `stale_days` on the day `as_of`.
double stale_offers(const CloudMarket& market, std::string_view as_of, double stale_days);

/// Days from the earliest day that `as_of` stands for to `today`; absent where one of them is no date.
std::optional<double> price_age_days(std::string_view as_of, std::string_view today);

}  // namespace podwright
