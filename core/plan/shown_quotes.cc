#include "plan/shown_quotes.h"

#include <algorithm>

namespace podwright {
namespace {

/// Null where the plan rents for no such term.
const CommitmentOffer* commitment_of(const PlanPricing& pricing, RentTerm term) {
  const auto found = std::find_if(pricing.commitments.begin(), pricing.commitments.end(),
                                  [&](const CommitmentOffer& offer) { return offer.term == term; });
  return found == pricing.commitments.end() ? nullptr : &*found;
}

const RentMarket* market_of(const PlanPricing& pricing, RentTerm term) {
  if (term == RentTerm::on_demand) return pricing.rents ? &pricing.market : nullptr;
  const CommitmentOffer* offer = commitment_of(pricing, term);
  return offer == nullptr ? nullptr : &offer->market;
}

/// Longer than what there are other contracts for.
bool binds_too_long(const PlanPricing& pricing, const RentQuote& rent) {
  const CommitmentOffer* offer = commitment_of(pricing, RentTerm::contract);
  return rent.term == RentTerm::contract && offer != nullptr && days(*rent.contract_days_least) > offer->longest;
}

/// What the catalog has for the system of a quote.
const PurchasePrice* list_price_of(const Catalog& catalog, const std::string& system, const std::string& gpu) {
  for (const ServerPrice& link : catalog.server_prices) {
    if (link.system_id != system || link.gpu_id != gpu || link.price_item.starts_with(kQuoteOrigin)) continue;
    if (const PurchasePrice* price = purchase_price(catalog, link.price_item)) return price;
  }
  return nullptr;
}

QuoteState state_of_rent(const Catalog& catalog, const PlanPricing& pricing, const PlanCost<NoTrace>& cost,
                         const RentQuote& rent, const std::string& origin) {
  const RentTerm term = rent.term;
  if (binds_too_long(pricing, rent)) return QuoteState::does_not_fit;
  const RentMarket* market = market_of(pricing, term);
  RentFilter filter = pricing.filter;
  filter.term = term;
  if (term == RentTerm::contract) filter.longest_least = kAnyLength;
  const auto row = std::find_if(catalog.cloud_prices.begin(), catalog.cloud_prices.end(),
                                [&](const CloudPrice& price) { return price.origin == origin; });
  if (market == nullptr || row == catalog.cloud_prices.end() || !admits(filter, *row)) return QuoteState::does_not_fit;
  // Of commitments only the cheapest is in a sum.
  const bool in_a_sum = term == RentTerm::on_demand || (cost.committed && cost.committed->offer.term == term);
  return in_a_sum && market->chosen == &*row ? QuoteState::used : QuoteState::not_the_lowest;
}

/// Of a quote that holds and is not among the offers.
Message why_rent_does_not_fit(const PlanPricing& pricing, const RentQuote& rent) {
  const RentFilter& filter = pricing.filter;
  if (!pricing.rents) return say("quote-unfit/owned");
  if (rent.min_gpus > filter.gpu_count)
    return say("quote-unfit/order", "min_gpus"_v = rent.min_gpus, "gpus"_v = filter.gpu_count);
  if (rent.gpus_per_machine < filter.joined_gpus)
    return say("quote-unfit/machine", "machine_gpus"_v = rent.gpus_per_machine, "joined_gpus"_v = filter.joined_gpus);
  if (rent.gpus_per_machine < filter.cluster_gpus && !rent.cluster_network)
    return say("quote-unfit/network", "cluster_gpus"_v = filter.cluster_gpus);
  if (!stands_in(filter, rent.country)) return say("quote-unfit/country", "country"_v = filter.country);
  if (binds_too_long(pricing, rent))
    return say("quote-unfit/contract", "least_days"_v = *rent.contract_days_least,
               "needed_days"_v = commitment_of(pricing, rent.term)->longest / days(1));
  return say("quote-unfit");
}

QuoteState state_of_server(const PlanDecision& decision, const ServerQuote& server, const std::string& origin) {
  if (decision.system() == nullptr || decision.system()->id != server.system) return QuoteState::does_not_fit;
  const PurchasePrice* price = decision.pricing.machines.system_price;
  return price != nullptr && price->origin == origin ? QuoteState::used : QuoteState::not_the_lowest;
}

}  // namespace

std::vector<ShownQuote> shown_quotes(const Catalog& catalog, const PlanRequest& request, const PlanDecision& decision,
                                     const PlanCost<NoTrace>& cost) {
  std::vector<ShownQuote> shown;
  for (std::size_t i = 0; i < request.quotes.size(); ++i) {
    const Quote& quote = request.quotes[i];
    if (quote.gpu != decision.gpu->id) continue;
    const std::string origin = origin_of_quote(i);
    const bool holds = holds_on(quote, request.economics.price_policy.as_of);
    ShownQuote one{.place = i, .state = QuoteState::expired};
    if (const RentQuote* rent = quote.rent()) {
      if (holds) one.state = state_of_rent(catalog, decision.pricing, cost, *rent, origin);
      const RentMarket* market = market_of(decision.pricing, rent->term);
      if (one.state == QuoteState::does_not_fit) one.why = why_rent_does_not_fit(decision.pricing, *rent);
      if (market != nullptr && market->providers > 0) one.median_list_price = market->median_per_gpu;
    } else {
      if (holds) one.state = state_of_server(decision, *quote.server(), origin);
      if (one.state == QuoteState::does_not_fit)
        one.why = decision.system() == nullptr ? say("quote-unfit")
                                               : say("quote-unfit/system", "system"_v = decision.system()->name);
      one.list_price = list_price_of(catalog, quote.server()->system, quote.gpu);
    }
    shown.push_back(one);
  }
  return shown;
}

}  // namespace podwright
