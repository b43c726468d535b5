#include "cost/rent.h"

#include <algorithm>
#include <vector>

#include "base/among.h"
#include "base/math.h"
#include "base/stable_sort.h"
#include "catalog/fact_date.h"

namespace podwright {
namespace {

bool is_quote(const CloudPrice& row) { return row.segment == CloudSegment::quote; }

/// Age and the date itself. Days that are no dates admit all.
bool new_enough(const PricePolicy& policy, const CloudPrice& row) {
  if (is_quote(row)) return true;
  if (row.inferred || (!policy.not_before.empty() && row.as_of < policy.not_before)) return false;
  return price_age_days(row.as_of, policy.as_of).value_or(0) <= policy.most_age_days;
}

/// Machines that carry the work: its groups of GPUs inside, a network between them where a job needs several.
bool carries(const RentFilter& filter, const CloudPrice& row) {
  return row.machine_gpus >= filter.joined_gpus && (row.machine_gpus >= filter.cluster_gpus || !row.network.empty());
}

bool admits_but_age(const RentFilter& filter, const CloudPrice& row) {
  const PricePolicy& policy = filter.policy;
  return row.gpu_id == filter.gpu_id && !row.gpu_id.empty() && !(is_quote(row) && filter.gpu_count < row.min_gpus) &&
         price_of(row, filter.term).value_or(UsdPerSecond()) > UsdPerSecond() && carries(filter, row) &&
         (!filter.longest_least ||
          (row.contract_least && row.contract_most && *row.contract_least <= *filter.longest_least)) &&
         (filter.region.empty() || row.region == filter.region) && stands_in(filter, row.country) &&
         (policy.providers.empty() || is_quote(row) || is_among(policy.providers, row.provider)) &&
         (policy.all_offers || (row.segment != CloudSegment::marketplace && !row.sold_out));
}

struct Offer {
  const CloudPrice* row = nullptr;
  UsdPerSecond machines;
  UsdPerSecond bill;  ///< with licences, and what the provider bills beside them
};

double standing_instances(const RentFilter& filter, const CloudPrice& row) {
  return filter.mean_instances ? filter.mean_instances(row) : all_instances(filter, row);
}

/// The best quote or listed offer of each provider, smallest bill first; every row that counts goes into `market`.
std::vector<Offer> best_of_providers(std::span<const CloudPrice> rows, const RentFilter& filter, bool quotes,
                                     RentMarket& market) {
  std::vector<Offer> offers;
  for (const CloudPrice& row : rows) {
    if (is_quote(row) != quotes || !admits(filter, row)) continue;
    const UsdPerSecond machines = bill_of(filter, row);
    Offer offer{&row, machines, machines + filter.license_per_gpu * (standing_instances(filter, row) * row.gpu_count)};
    if (filter.beside) offer.bill += filter.beside(row);
    const auto same = std::find_if(offers.begin(), offers.end(),
                                   [&](const Offer& other) { return other.row->provider == row.provider; });
    if (same == offers.end())
      offers.push_back(offer);
    else if (offer.bill < same->bill || (offer.bill == same->bill && row.as_of > same->row->as_of))
      *same = offer;
    if (market.offers == 0 || row.as_of < market.oldest_as_of) market.oldest_as_of = row.as_of;
    if (market.offers == 0 || row.as_of > market.newest_as_of) market.newest_as_of = row.as_of;
    ++market.offers;
  }
  sort_stably(offers, [](const Offer& a, const Offer& b) {
    return a.bill != b.bill ? a.bill < b.bill : a.row->as_of > b.row->as_of;
  });
  return offers;
}

/// By the term.
constexpr std::optional<UsdPerSecond> CloudPrice::*kPrices[] = {&CloudPrice::on_demand, &CloudPrice::spot,
                                                                &CloudPrice::reserved_1y, &CloudPrice::reserved_3y,
                                                                &CloudPrice::contract};

/// Place of the offer that sets the price.
std::size_t chosen_place(PriceChoice choice, std::size_t providers) {
  const std::size_t of = choice == PriceChoice::lowest         ? 1
                         : choice == PriceChoice::three_lowest ? std::min<std::size_t>(3, providers)
                                                               : providers;
  return of / 2;
}

}  // namespace

std::optional<double> price_age_days(std::string_view as_of, std::string_view today) {
  const auto from = earliest_day(as_of);
  const auto to = earliest_day(today);
  if (!from || !to) return std::nullopt;
  return static_cast<double>(*to - *from);
}

bool stands_in(const RentFilter& filter, const std::string& country) {
  if (filter.country.empty() || country == filter.country) return true;
  return !country.empty() && (" " + filter.members + " ").find(" " + country + " ") != std::string::npos;
}

bool admits(const RentFilter& filter, const CloudPrice& row) {
  return admits_but_age(filter, row) && new_enough(filter.policy, row);
}

bool too_old(const RentFilter& filter, const CloudPrice& row) {
  return admits_but_age(filter, row) && !new_enough(filter.policy, row);
}

std::optional<UsdPerSecond> price_of(const CloudPrice& row, RentTerm term) {
  return row.*kPrices[static_cast<std::size_t>(term)];
}

void set_price(CloudPrice& row, RentTerm term, UsdPerSecond price) {
  row.*kPrices[static_cast<std::size_t>(term)] = price;
}

double all_instances(const RentFilter& filter, const CloudPrice& row) {
  return instance_count(ordered_gpus(filter.gpu_count, row.min_gpus), row.gpu_count);
}

UsdPerSecond bill_of(const RentFilter& filter, const CloudPrice& row) {
  return rent_rate(standing_instances(filter, row), *price_of(row, filter.term));
}

RentMarket rent_market(std::span<const CloudPrice> rows, const RentFilter& filter) {
  RentMarket market;
  RentMarket unused;
  const std::vector<Offer> quotes = best_of_providers(rows, filter, true, unused);
  std::vector<Offer> offers = best_of_providers(rows, filter, false, market);
  market.providers = static_cast<double>(offers.size());
  if (offers.empty()) offers = quotes;
  if (offers.empty()) return market;
  const auto per_gpu = [&](const CloudPrice& row) {
    return gpu_hour_price(*price_of(row, filter.term), row.gpu_count);
  };
  std::size_t place = chosen_place(filter.policy.choice, offers.size());
  if (!filter.country.empty()) {
    RentFilter anywhere = filter;
    anywhere.country.clear();
    const std::vector<Offer> all = best_of_providers(rows, anywhere, false, unused);
    const UsdPerSecond least = all.empty() ? UsdPerSecond() : all[chosen_place(filter.policy.choice, all.size())].bill;
    while (place + 1 < offers.size() && offers[place].bill < least) ++place;
  }
  // What a quote saves by the GPU-hour its whole machines may cost again.
  const Offer& listed = offers[place];
  const bool quoted =
      !quotes.empty() && (per_gpu(*listed.row) < per_gpu(*quotes.front().row) || quotes.front().bill <= listed.bill);
  market.chosen = (quoted ? quotes.front() : listed).row;
  market.lowest = std::min_element(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
                    return a.machines < b.machines;
                  })->row;
  market.chosen_per_gpu = per_gpu(*market.chosen);
  market.lowest_per_gpu = per_gpu(*market.lowest);
  std::vector<double> prices;
  for (const Offer& offer : offers) prices.push_back(raw(per_gpu(*offer.row)));
  market.median_per_gpu = UsdPerSecond(math::quantile(std::move(prices), 0.5));
  return market;
}

}  // namespace podwright
