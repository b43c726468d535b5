#pragma once
/// Fields of rented machines, the same wherever they stand.
#include "api/answer_field.h"
#include "api/owning_table.h"
#include "catalog/price_tables.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_market.h"
#include "cost/hosted.h"
#include "cost/provider_name.h"
#include "cost/work.h"

namespace podwright {

inline constexpr DisplayUnit kUsdPerMonth{"", "USD/month", 1.0 / 2628000.0};
inline constexpr DisplayUnit kWholeDays{"", "d", 1.0};

/// A row of the price table; `named` adds how the provider writes its name.
template <class Table>
void describe_offer(Table& v, const CloudPrice* offer, bool named) {
  v.text({"provider"}, [&] { return offer->provider; });
  if (named) v.text({"provider_name", "Provider"}, [&] { return provider_name(offer->provider); });
  v.text({"instance"}, [&] { return offer->instance; });
  v.text({"region"}, [&] { return offer->region; });
  v.text({"as_of", "Price as of"}, [&] { return offer->as_of; });
}

/// Parts of the bill at the prices of the start; `idle` is part of the machines.
template <class Table, class Tracer>
void describe_rented_parts(Table& v, const CloudCost<Tracer>& cost, bool with_idle) {
  v.number({"compute_usd_per_year", unit::kUsdPerYear}, cost.compute);
  if (with_idle) describe_idle(v, cost.idle);
  v.number({"license_usd_per_year", "Licences", unit::kUsdPerYear}, cost.license);
  v.number({"storage_usd_per_year", unit::kUsdPerYear}, cost.storage);
  v.number({"egress_usd_per_year", unit::kUsdPerYear}, cost.egress);
  v.number({"support_usd_per_year", unit::kUsdPerYear}, cost.support);
}

template <class Table, class Price>
void describe_output_tokens(Table& v, const Price& price) {
  v.number({"usd_per_million_output_tokens", "One million output tokens", unit::kUsd}, price);
}

template <class Table, class Tracer>
void describe(Table& v, const WorkPrices<Tracer>& work) {
  describe_output_tokens(v, work.million_output_tokens);
  v.number({"usd_per_million_input_tokens", "One million input tokens", unit::kUsd}, work.million_input_tokens);
  v.number({"usd_per_million_tokens", "One million tokens, input and output", unit::kUsd}, work.million_tokens);
  v.number({"usd_per_1000_requests", "1,000 requests", unit::kUsd}, work.thousand_requests);
  v.number({"usd_per_training_run", "One training run", unit::kUsd}, work.training_run);
}

/// Of the catalog, with its age on the day that is asked about.
template <class Table, class Tracer>
void describe_aged_offer(Table& v, const CloudPrice* row, const std::optional<PriceAge<Tracer>>& age) {
  describe_offer(v, row, false);
  v.fields(age, [&](const PriceAge<Tracer>& known) {
    v.number({"age_days", "Age of the price", kWholeDays}, known.days);
    v.flag({"stale"}, known.stale);
  });
  v.text({"source"}, [&] { return row->source; });
}

template <class Table, class Tracer>
void describe(Table& v, const MarketNumbers<Tracer>& numbers) {
  v.word({"term"}, numbers.market.term, kRentTermWords);
  v.number({"offers"}, numbers.offers);
  v.number({"providers"}, numbers.providers);
  v.number({"lowest_usd_per_gpu_hour", "Lowest price of a GPU-hour", unit::kUsdPerHour}, numbers.lowest);
  v.number({"median_usd_per_gpu_hour", "Median price of a GPU-hour", unit::kUsdPerHour}, numbers.median);
  v.number({"highest_usd_per_gpu_hour", "Highest price of a GPU-hour", unit::kUsdPerHour}, numbers.highest);
  v.text({"oldest_as_of", "Oldest price"}, unless_empty(numbers.market.summary.oldest_as_of));
  v.text({"newest_as_of", "Newest price"}, unless_empty(numbers.market.summary.newest_as_of));
  v.number({"stale_offers"}, numbers.stale_offers);
  v.list({"ranking", "Offers, smallest bill first"}, numbers.ranking, [&](const RankedOffer<Tracer>& offer) {
    describe_aged_offer(v, offer.row, offer.age);
    v.number({"instances"}, offer.rent.instances);
    v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, offer.rent.per_gpu);
    v.number({"usd_per_hour", "All GPUs, per hour", unit::kUsdPerHour}, offer.rent.rent);
  });
}

/// A model through somebody else's interface.
template <class Table, class Tracer>
void describe(Table& v, const HostedCost<Tracer>& hosted) {
  v.number({"usd_per_million_tokens", "One million tokens, input and output", unit::kUsd}, hosted.million_tokens);
  v.number({"usd_per_1000_requests", "1,000 requests", unit::kUsd}, hosted.thousand_requests);
  v.number({"usd_per_month", "Total per month", kUsdPerMonth}, hosted.rate);
  v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, hosted.rate);
}

}  // namespace podwright
