#include "api/cost_terms.h"
#include "api/field_reader.h"
#include "base/append.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/cloud_data.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

double term_years(const CostCloud& c) {
  if (c.commitment_years) return *c.commitment_years;
  if (c.term == RentTerm::reserved_1y) return 1;
  return c.term == RentTerm::reserved_3y ? 3 : 0;
}

RentFilter filter_of(const CostRequest& r) {
  RentFilter filter{.gpu_id = r.gpu ? r.gpu->id : "",
                    .gpu_count = r.gpu_count,
                    .joined_gpus = r.cloud->min_instance_gpus,
                    .term = r.cloud->term,
                    .region = r.cloud->region,
                    .policy = r.cloud->policy};
  filter.policy.as_of = r.as_of;
  filter.policy.most_age_days = r.stale_days;
  return filter;
}

/// "on-demand price of NVIDIA H100 SXM at AWS in us-east-1"
std::string what_is_asked(const CostRequest& r) {
  const CostCloud& c = *r.cloud;
  return std::string(word_of(c.term, kRentTermWords)) + " price of " + r.gpu->name +
         (c.policy.providers.empty() ? "" : " at " + provider_name(c.policy.providers.front())) +
         (c.region.empty() ? "" : " in " + c.region) +
         (c.policy.not_before.empty() ? "" : " from " + c.policy.not_before + " or later");
}

void price_of_machines(Trace& trace, const Catalog& catalog, const CostRequest& r, RentedAsked<Trace>& asked) {
  RentedTerms<Trace>& in = asked.terms;
  in.billed_gpus = in.gpu_count;
  if (r.cloud->usd_per_gpu_hour) {
    in.price_per_gpu = trace.input("/cloud/usd_per_gpu_hour", usd_per_hour(*r.cloud->usd_per_gpu_hour));
    return;
  }
  asked.row = rent_market(catalog.cloud_prices, filter_of(r)).chosen;
  if (asked.row == nullptr) {
    const std::string message = "No dated source for the " + what_is_asked(r) + ".";
    in.missing.push_back(message);
    asked.problems.push_back({.code = "no-offer", .message = as_written(message)});
    return;
  }
  const RentCost<Trace> rent = rent_cost(trace, *asked.row, r.cloud->term, in.gpu_count);
  in.price_per_gpu = rent.per_gpu;
  in.billed_gpus = rent.billed_gpus;
  asked.cautions.emplace_back(kListPriceNote);
  if (in.billed_gpus.value > in.gpu_count.value)
    asked.cautions.push_back("Whole instances are billed: " + human_number(in.billed_gpus.value, 15) + " GPUs for " +
                             human_number(in.gpu_count.value, 15) + ".");
}

void interruptions(Trace& trace, const CostCloud& c, RentedTerms<Trace>& in) {
  if (c.term != RentTerm::spot) return;
  if (!c.spot) {
    in.missing.emplace_back(
        "No rate of interruptions is given, and none has a dated source: add \"spot\" to \"cloud\".");
    return;
  }
  TraceScope scope(trace, "/cloud/spot");
  Interruptions<Trace> spot;
  spot.mean_time_between_failures =
      named("cost.time_between_interruptions",
            time_between_interruptions(
                trace.input("/interruptions_per_hour", PerSecond(c.spot->interruptions_per_hour / 3600.0))));
  spot.restart = trace.input("/restart_s", Seconds(c.spot->restart_s));
  spot.write = trace.input("/checkpoint_s", Seconds(c.spot->checkpoint_s));
  spot.pause = spot.write;
  if (c.spot->checkpoint_interval_s)
    spot.interval = trace.input("/checkpoint_interval_s", Seconds(*c.spot->checkpoint_interval_s));
  in.interruptions = spot;
}

void data_in_cloud(Trace& trace, const Catalog& catalog, const CostCloud& c, const std::string& provider,
                   RentedTerms<Trace>& in) {
  if (c.storage_gb == 0) return;
  std::optional<Traced<UsdPerByteSecond>> price;
  if (c.storage_usd_per_gb_month)
    price = trace.input("/cloud/storage_usd_per_gb_month", usd_per_gb_month(*c.storage_usd_per_gb_month));
  add_cloud_storage(trace, catalog, provider, trace.input("/cloud/storage_gb", gb(c.storage_gb)), price, in);
}

void beside_machines(Trace& trace, const CostCloud& c, RentedTerms<Trace>& in) {
  if (c.discount > 0) in.discount = trace.input("/cloud/discount", c.discount);
  if (c.license_usd_per_gpu_hour > 0)
    in.license_per_gpu = trace.input("/cloud/license_usd_per_gpu_hour", usd_per_hour(c.license_usd_per_gpu_hour));
  if (c.support_fraction > 0) in.support_fraction = trace.input("/cloud/support_fraction", c.support_fraction);
  if (c.support_usd_per_month > 0)
    in.support_fixed = trace.input("/cloud/support_usd_per_month", usd_per_month(c.support_usd_per_month));
}

}  // namespace

RentedAsked<Trace> rented_terms(Trace& trace, const Catalog& catalog, const CostRequest& r) {
  RentedAsked<Trace> asked;
  const CostCloud& c = *r.cloud;
  RentedTerms<Trace>& in = asked.terms;
  in.term = c.term;
  in.commitment_years = term_years(c);
  in.gpu_count = trace.input("/gpu_count", r.gpu_count);
  in.utilization = trace.input("/utilization", r.utilization);
  price_of_machines(trace, catalog, r, asked);
  interruptions(trace, c, in);
  const std::string provider = asked.row != nullptr         ? asked.row->provider
                               : c.policy.providers.empty() ? ""
                                                            : c.policy.providers.front();
  data_in_cloud(trace, catalog, c, provider, in);
  {
    const TraceScope scope(trace, "/cloud");
    add_egress(trace, catalog, provider, c.egress, in);
  }
  beside_machines(trace, c, in);
  append(asked.cautions, in.cautions);
  asked.price_change = trace.input("/cloud/price_change_per_year", c.price_change_per_year);
  if (asked.row != nullptr) asked.age_days = price_age(trace, *asked.row, r.as_of);
  return asked;
}

std::vector<MarketNumbers<Trace>> cost_markets(Trace& trace, const Catalog& catalog, const CostRequest& r) {
  std::vector<MarketNumbers<Trace>> markets;
  if (!r.gpu || !r.cloud) return markets;
  const auto gpu_count = trace.input("/gpu_count", r.gpu_count);
  RentFilter filter = filter_of(r);
  filter.region.clear();
  filter.policy.providers.clear();
  for (std::size_t i = 0; i < kRentTermWords.size(); ++i) {
    filter.term = static_cast<RentTerm>(i);
    markets.push_back(market_numbers(trace, cloud_market(catalog.cloud_prices, filter), gpu_count, r.as_of, r.top));
  }
  return markets;
}

std::vector<PublishedRent> published_rents(Trace& trace, const CostRequest& r) {
  std::vector<PublishedRent> rents;
  for (const PublishedBreakEven& p : r.published_break_evens) {
    const TraceScope scope(trace, "/published_break_evens/" + std::to_string(rents.size()));
    const auto time =
        named("cost.published_break_even", time_of_months(trace.input("/break_even_months", p.break_even_months),
                                                          trace.input("/hours_per_month", p.hours_per_month)));
    const auto operation = trace.input("/operation_usd_per_hour", usd_per_hour(p.operation_usd_per_hour));
    rents.push_back(
        {p.name, time,
         named("cost.implied_rent", implied_rent(trace.input("/capex_usd", usd(p.capex_usd)), time, operation))});
  }
  return rents;
}

std::vector<Patch> rented_ways_out(const Catalog& catalog, const JsonNode& document, const CostRequest& request) {
  std::vector<Patch> patches;
  const auto attempt = [&](const Patch& patch) {
    const auto changed = read_patched<CostRequest>(catalog, document, patch);
    if (!changed || !changed->cloud) return;
    Trace scratch;
    const auto side = rented_side<Trace>(scratch, rented_terms(scratch, catalog, *changed), {changed->horizon_years},
                                         {changed->discount_rate}, std::nullopt);
    if (side.years) patches.push_back(patch);
  };
  for (const std::string_view term : kRentTermWords)
    if (term != word_of(request.cloud->term, kRentTermWords)) attempt(Patch("/cloud/term", term).clear("/cloud/spot"));
  if (!request.cloud->region.empty()) attempt(Patch().clear("/cloud/region"));
  if (!request.cloud->policy.providers.empty()) attempt(Patch().clear("/cloud/provider").clear("/cloud/region"));
  if (!request.cloud->policy.not_before.empty()) attempt(Patch().clear("/cloud/not_before"));
  if (!request.cloud->policy.all_offers) attempt(Patch("/cloud/all_offers", true));
  return patches;
}

}  // namespace podwright
