#include "api/write_cost_cloud.h"

#include <algorithm>

#include "api/ways_out.h"
#include "api/write_common.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/cloud_data.h"
#include "cost/cloud_market.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

constexpr DisplayUnit kUsdPerMonth{"", "USD/month", 1.0 / 2628000.0};

double term_years(const CostCloud& c) {
  if (c.commitment_years) return *c.commitment_years;
  if (c.term == RentTerm::reserved_1y) return 1;
  return c.term == RentTerm::reserved_3y ? 3 : 0;
}

RentFilter filter_of(const CostRequest& r) {
  return {.gpu_id = r.gpu ? r.gpu->id : "",
          .gpu_count = r.gpu_count,
          .min_instance_gpus = r.cloud->min_instance_gpus,
          .term = r.cloud->term,
          .region = r.cloud->region,
          .provider = r.cloud->provider,
          .not_before = r.cloud->not_before};
}

/// "on-demand price of NVIDIA H100 SXM at AWS in us-east-1"
std::string what_is_asked(const CostRequest& r) {
  const CostCloud& c = *r.cloud;
  return std::string(word_of(c.term, kRentTermWords)) + " price of " + r.gpu->name +
         (c.provider.empty() ? "" : " at " + provider_name(c.provider)) + (c.region.empty() ? "" : " in " + c.region) +
         (c.not_before.empty() ? "" : " from " + c.not_before + " or later");
}

void price_of_machines(Trace& trace, const Catalog& catalog, const CostRequest& r, CloudAnswer& answer) {
  CloudInputs<Trace>& in = answer.inputs;
  in.billed_gpus = in.gpu_count;
  if (r.cloud->usd_per_gpu_hour) {
    in.price_per_gpu = trace.input("/cloud/usd_per_gpu_hour", usd_per_hour(*r.cloud->usd_per_gpu_hour));
    return;
  }
  answer.row = rent_market(catalog.cloud_prices, filter_of(r)).cheapest;
  if (answer.row == nullptr) {
    const std::string message = "No dated source for the " + what_is_asked(r) + ".";
    in.missing.push_back(message);
    answer.reasons.push_back({"no-offer", message, 0, "", {}});
    return;
  }
  const RentCost<Trace> rent = rent_cost(trace, *answer.row, r.cloud->term, in.gpu_count);
  in.price_per_gpu = rent.per_gpu;
  in.billed_gpus = rent.billed_gpus;
  answer.cautions.emplace_back(kListPriceNote);
  if (in.billed_gpus.value > in.gpu_count.value)
    answer.cautions.push_back("Whole instances are billed: " + human_number(in.billed_gpus.value, 15) + " GPUs for " +
                              human_number(in.gpu_count.value, 15) + ".");
}

void interruptions(Trace& trace, const CostCloud& c, CloudInputs<Trace>& in) {
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
                   CloudInputs<Trace>& in) {
  if (c.storage_gb == 0) return;
  std::optional<Traced<UsdPerByteSecond>> price;
  if (c.storage_usd_per_gb_month)
    price = trace.input("/cloud/storage_usd_per_gb_month", usd_per_gb_month(*c.storage_usd_per_gb_month));
  add_cloud_storage(trace, catalog, provider, trace.input("/cloud/storage_gb", gb(c.storage_gb)), price, in);
}

void beside_machines(Trace& trace, const CostCloud& c, CloudInputs<Trace>& in) {
  if (c.discount > 0) in.discount = trace.input("/cloud/discount", c.discount);
  if (c.license_usd_per_gpu_hour > 0)
    in.license_per_gpu = trace.input("/cloud/license_usd_per_gpu_hour", usd_per_hour(c.license_usd_per_gpu_hour));
  if (c.support_fraction > 0) in.support_fraction = trace.input("/cloud/support_fraction", c.support_fraction);
  if (c.support_usd_per_month > 0)
    in.support_fixed = trace.input("/cloud/support_usd_per_month", usd_per_month(c.support_usd_per_month));
}

/// What interruptions make impossible.
void judge_spot(const CostRequest& r, CloudAnswer& answer) {
  const auto& spot = answer.cost.spot;
  if (!spot) return;
  if (!spot->progress || !(spot->share.value > 0)) {
    answer.reasons.push_back({"spot-makes-no-progress",
                              "On average an interruption comes before a restart and one checkpoint are done.",
                              0,
                              "",
                              {}});
    return;
  }
  if (r.utilization <= spot->share.value) return;
  answer.reasons.push_back({"spot-cannot-keep-up",
                            "Interruptions leave " + human_number(100 * spot->share.value) +
                                " % of the time for work, which is needed for " + human_number(100 * r.utilization) +
                                " %.",
                            r.utilization - spot->share.value,
                            "1",
                            {}});
}

void tell_age(const CostRequest& r, CloudAnswer& answer) {
  if (answer.row == nullptr) return;
  const auto age = price_age_days(answer.row->as_of, r.as_of);
  if (!age)
    answer.cautions.push_back("The price is from " + answer.row->as_of + "; without \"as_of\" its age is not told.");
  else if (*age > r.stale_days)
    answer.cautions.push_back("The price is stale: it is from " + answer.row->as_of + ", " + human_number(*age) +
                              " days before " + r.as_of + ".");
}

double usd_a_year(const Traced<UsdPerSecond>& rate) { return rate.value * years(1) / usd(1); }

void tell_commitment(const CostRequest& r, CloudAnswer& answer) {
  const double term = answer.inputs.commitment_years;
  if (term == 0) return;
  if (answer.cost.idle && r.utilization < 1)
    answer.cautions.push_back("A commitment is billed for every hour: " + dollars_text(usd_a_year(*answer.cost.idle)) +
                              " a year pay for hours that nobody uses.");
  if (answer.years && answer.years->billed_beyond > 0)
    answer.cautions.push_back("The last commitment is billed in full and ends behind the horizon, years later: " +
                              human_number(answer.years->billed_beyond) + ".");
}

std::string summary_of(const CostRequest& r, const CloudAnswer& answer) {
  const double hourly = answer.cost.price_per_gpu->value / usd_per_hour(1);
  std::string where;
  if (answer.row != nullptr)
    where =
        " at " + provider_name(answer.row->provider) + " (" + answer.row->instance + ", " + answer.row->region + ")";
  return human_number(r.gpu_count, 15) + (r.gpu_count == 1 ? " GPU" : " GPUs") + where + ", " +
         std::string(word_of(r.cloud->term, kRentTermWords)) + " at " + dollars_text(hourly) +
         " per GPU-hour: " + dollars_text(usd_a_year(*answer.cost.total)) + " a year at " +
         human_number(100 * r.utilization) + " % use, " +
         dollars_text(answer.cost.total_per_used->value / usd_per_hour(1)) + " per GPU-hour used.";
}

}  // namespace

CloudAnswer cloud_answer(Trace& trace, const Catalog& catalog, const CostRequest& r) {
  CloudAnswer answer;
  const CostCloud& c = *r.cloud;
  CloudInputs<Trace>& in = answer.inputs;
  in.term = c.term;
  in.commitment_years = term_years(c);
  in.gpu_count = trace.input("/gpu_count", r.gpu_count);
  in.utilization = trace.input("/utilization", r.utilization);
  price_of_machines(trace, catalog, r, answer);
  interruptions(trace, c, in);
  const std::string provider = answer.row != nullptr ? answer.row->provider : c.provider;
  data_in_cloud(trace, catalog, c, provider, in);
  {
    const TraceScope scope(trace, "/cloud");
    add_egress(trace, catalog, provider, c.egress, in, answer.cautions);
  }
  beside_machines(trace, c, in);
  answer.cost = cloud_cost(trace, in);
  judge_spot(r, answer);
  if (answer.cost.total && answer.reasons.empty()) {
    answer.years = cloud_years(trace, in, answer.cost, r.horizon_years,
                               trace.input("/cloud/price_change_per_year", c.price_change_per_year),
                               trace.input("/discount_rate", r.discount_rate));
    if (const auto rates = work_rates(trace, r))
      answer.work = work_prices(*answer.cost.total_per_used, in.gpu_count, *rates);
  }
  tell_age(r, answer);
  tell_commitment(r, answer);
  return answer;
}

std::optional<WorkRates<Trace>> work_rates(Trace& trace, const CostRequest& r) {
  if (!r.workload) return std::nullopt;
  const CostWorkload& w = *r.workload;
  TraceScope scope(trace, "/workload");
  WorkRates<Trace> rates;
  if (w.input_tokens_per_s) rates.input_tokens = trace.input("/input_tokens_per_s", PerSecond(*w.input_tokens_per_s));
  if (w.output_tokens_per_s)
    rates.output_tokens = trace.input("/output_tokens_per_s", PerSecond(*w.output_tokens_per_s));
  if (w.requests_per_s) rates.requests = trace.input("/requests_per_s", PerSecond(*w.requests_per_s));
  if (w.training_gpu_hours) {
    rates.run_gpu_time = trace.input("/training_gpu_hours", hours(*w.training_gpu_hours));
    rates.run_goodput = trace.input("/goodput", w.goodput);
  }
  return rates;
}

HostedCost<Trace> hosted_answer(Trace& trace, const CostRequest& r) {
  const CostHostedApi& h = *r.hosted_api;
  const auto rates = work_rates(trace, r);
  HostedInputs<Trace> in;
  in.input = trace.input("/hosted_api/input_usd_per_million_tokens", usd(h.input_usd_per_million_tokens));
  in.cached_input =
      h.cached_input_usd_per_million_tokens
          ? trace.input("/hosted_api/cached_input_usd_per_million_tokens", usd(*h.cached_input_usd_per_million_tokens))
          : in.input;
  in.output = trace.input("/hosted_api/output_usd_per_million_tokens", usd(h.output_usd_per_million_tokens));
  const bool both = rates && rates->input_tokens && rates->output_tokens;
  in.output_share = h.output_share
                        ? trace.input("/hosted_api/output_share", *h.output_share)
                        : named("cost.output_share", output_share(*rates->input_tokens, *rates->output_tokens));
  in.cached_share = trace.input("/hosted_api/cached_share", h.cached_share);
  in.discount = trace.input("/hosted_api/discount", h.discount);
  if (h.tokens_per_month)
    in.tokens_per_s = named("cost.hosted_tokens_per_s",
                            monthly_flow(trace.input("/hosted_api/tokens_per_month", *h.tokens_per_month)));
  else if (both)
    in.tokens_per_s =
        named("cost.hosted_tokens_per_s", named("cost.tokens_per_s", *rates->input_tokens + *rates->output_tokens) *
                                              trace.input("/utilization", r.utilization));
  if (h.input_tokens_per_request && h.output_tokens_per_request) {
    in.request_input_tokens = trace.input("/hosted_api/input_tokens_per_request", *h.input_tokens_per_request);
    in.request_output_tokens = trace.input("/hosted_api/output_tokens_per_request", *h.output_tokens_per_request);
  }
  return hosted_cost(in);
}

std::vector<std::string> cloud_ways_out(const Catalog& catalog, const JsonNode& document, const CostRequest& request) {
  std::vector<std::string> patches;
  const auto attempt = [&](const std::string& patch) {
    const auto changed = read_patched<CostRequest>(catalog, document, patch);
    if (!changed || !changed->cloud) return;
    Trace scratch;
    const CloudAnswer answer = cloud_answer(scratch, catalog, *changed);
    if (answer.reasons.empty() && answer.years) patches.push_back(patch);
  };
  for (const std::string_view term : kRentTermWords)
    if (term != word_of(request.cloud->term, kRentTermWords))
      attempt("{\"cloud\":{\"term\":\"" + std::string(term) + "\",\"spot\":null}}");
  if (!request.cloud->region.empty()) attempt("{\"cloud\":{\"region\":null}}");
  if (!request.cloud->provider.empty()) attempt("{\"cloud\":{\"provider\":null,\"region\":null}}");
  if (!request.cloud->not_before.empty()) attempt("{\"cloud\":{\"not_before\":null}}");
  return patches;
}

void write_work_prices(JsonWriter& out, const WorkPrices<Trace>& work) {
  const auto write = [&](std::string_view key, const std::optional<Traced<Usd>>& price) {
    if (price) out.quantity_as(key, unit::kUsd, *price);
  };
  write("usd_per_million_output_tokens", work.million_output_tokens);
  write("usd_per_million_input_tokens", work.million_input_tokens);
  write("usd_per_million_tokens", work.million_tokens);
  write("usd_per_1000_requests", work.thousand_requests);
  write("usd_per_training_run", work.training_run);
}

namespace {

void write_row(JsonWriter& out, Trace& trace, const CostRequest& r, const CloudPrice& row) {
  out.text("provider", row.provider);
  out.text("instance", row.instance);
  out.text("region", row.region);
  out.text("as_of", row.as_of);
  if (const auto age = price_age_days(row.as_of, r.as_of)) {
    out.quantity_as("age_days", unit::kNone,
                    trace.method("cost.age_days_of_" + row.as_of, *age, "docs/method/cloud_cost.md#market"));
    out.boolean("stale", *age > r.stale_days);
  }
  out.text("source", row.source);
}

void write_spot(JsonWriter& out, const CloudCost<Trace>& cost) {
  if (!cost.spot) return;
  out.begin_object("spot");
  out.quantity_as("checkpoint_interval_s", unit::kSeconds, cost.spot->interval);
  out.quantity_as("goodput", unit::kNone, cost.spot->share);
  write_optional(out, "share_of_time", unit::kNone, cost.spot_share_of_time);
  if (cost.effective_price_per_gpu)
    out.quantity_as("usd_per_gpu_hour_effective", unit::kUsdPerHour, *cost.effective_price_per_gpu);
  out.end_object();
}

void write_bill(JsonWriter& out, Trace& trace, const CloudAnswer& cloud) {
  const CloudCost<Trace>& cost = cloud.cost;
  const auto yearly = [&](std::string_view key, const std::optional<Traced<UsdPerSecond>>& rate) {
    if (rate) out.quantity_as(key, unit::kUsdPerYear, *rate);
  };
  yearly("compute_usd_per_year", cost.compute);
  yearly("idle_usd_per_year", cost.idle);
  yearly("license_usd_per_year", cost.license);
  yearly("storage_usd_per_year", cost.storage);
  yearly("egress_usd_per_year", cost.egress);
  yearly("support_usd_per_year", cost.support);
  yearly("usd_per_year", cost.total);
  if (cost.total_per_used) out.quantity_as("usd_per_gpu_hour_used", unit::kUsdPerHour, *cost.total_per_used);
  if (!cloud.years) return;
  out.quantity_as("total_usd", unit::kUsd, cloud.years->total);
  out.quantity_as("npv_usd", unit::kUsd, cloud.years->present_value);
  out.begin_list("by_year");
  for (std::size_t i = 0; i < cloud.years->years.size(); ++i) {
    out.begin_object();
    out.quantity_as("year", unit::kNone,
                    trace.constant("year_" + std::to_string(i + 1), static_cast<double>(i + 1), "count of years"));
    out.quantity_as("usd", unit::kUsd, cloud.years->years[i].bill);
    out.quantity_as("discounted_usd", unit::kUsd, cloud.years->years[i].discounted);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

void write_cloud(JsonWriter& out, Trace& trace, const CostRequest& r, const CloudAnswer& cloud) {
  out.begin_object("cloud");
  const bool whole = cloud.years.has_value();
  if (whole) out.text("summary", summary_of(r, cloud));
  out.text("term", word_of(r.cloud->term, kRentTermWords));
  if (cloud.inputs.commitment_years > 0)
    out.quantity_as("commitment_years", unit::kNone,
                    r.cloud->commitment_years
                        ? trace.input("/cloud/commitment_years", cloud.inputs.commitment_years)
                        : trace.constant("term_years", cloud.inputs.commitment_years, "years of the term"));
  if (cloud.row != nullptr) write_row(out, trace, r, *cloud.row);
  if (cloud.inputs.price_per_gpu) {
    out.quantity_as("gpus_billed", unit::kNone, cloud.inputs.billed_gpus);
    out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, *cloud.cost.price_per_gpu);
  }
  write_spot(out, cloud.cost);
  if (whole) write_bill(out, trace, cloud);
  if (cloud.work) write_work_prices(out, *cloud.work);
  write_texts(out, "missing", cloud.cost.missing);
  write_texts(out, "cautions", cloud.cautions);
  out.end_object();
}

void write_hosted(JsonWriter& out, const HostedCost<Trace>& hosted) {
  out.begin_object("hosted_api");
  out.quantity_as("usd_per_million_tokens", unit::kUsd, hosted.million_tokens);
  if (hosted.thousand_requests) out.quantity_as("usd_per_1000_requests", unit::kUsd, *hosted.thousand_requests);
  if (hosted.rate) {
    out.quantity_as("usd_per_month", kUsdPerMonth, *hosted.rate);
    out.quantity_as("usd_per_year", unit::kUsdPerYear, *hosted.rate);
  }
  out.end_object();
}

namespace {

void write_offers(JsonWriter& out, Trace& trace, const CostRequest& r, const CloudMarket& market) {
  const Traced<double> gpu_count = trace.input("/gpu_count", r.gpu_count);
  out.begin_list("ranking");
  for (const CloudOffer& offer : market.offers) {
    if (static_cast<double>(&offer - market.offers.data()) >= r.top) break;
    const RentCost<Trace> rent = rent_cost(trace, *offer.row, market.term, gpu_count);
    out.begin_object();
    write_row(out, trace, r, *offer.row);
    out.quantity_as("instances", unit::kNone, rent.instances);
    out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, rent.per_gpu);
    out.quantity_as("usd_per_hour", unit::kUsdPerHour, rent.rent);
    out.end_object();
  }
  out.end_list();
}

Traced<UsdPerSecond> per_gpu_of(Trace& trace, const CloudPrice& row, RentTerm term) {
  return named("cost.rent_per_gpu", gpu_hour_price(trace.fact(row, price_column(term), *price_of(row, term)),
                                                   trace.fact(row, "gpu_count", row.gpu_count)));
}

void write_term(JsonWriter& out, Trace& trace, const CostRequest& r, const CloudMarket& market) {
  const char* page = "docs/method/cloud_cost.md#market";
  const std::string term(word_of(market.term, kRentTermWords));
  const auto counted = [&](std::string_view key, double value) {
    out.quantity_as(key, unit::kNone, trace.method("cost.market_" + std::string(key) + "_" + term, value, page));
  };
  out.begin_object();
  out.text("term", term);
  counted("offers", market.summary.offers);
  counted("providers", market.summary.providers);
  if (!market.offers.empty()) {
    const CloudPrice* least = market.offers.front().row;
    for (const CloudOffer& offer : market.offers)
      if (offer.per_gpu < gpu_hour_price(*price_of(*least, market.term), least->gpu_count)) least = offer.row;
    out.quantity_as("lowest_usd_per_gpu_hour", unit::kUsdPerHour, per_gpu_of(trace, *least, market.term));
    out.quantity_as("median_usd_per_gpu_hour", unit::kUsdPerHour,
                    trace.method("cost.market_median_" + term, *market.summary.median_per_gpu, page));
    out.quantity_as("highest_usd_per_gpu_hour", unit::kUsdPerHour, per_gpu_of(trace, *market.dearest, market.term));
    out.text("oldest_as_of", market.summary.oldest_as_of);
    out.text("newest_as_of", market.summary.newest_as_of);
    const auto stale = std::count_if(market.offers.begin(), market.offers.end(), [&](const CloudOffer& offer) {
      const auto age = price_age_days(offer.row->as_of, r.as_of);
      return age && *age > r.stale_days;
    });
    if (!r.as_of.empty()) counted("stale_offers", static_cast<double>(stale));
  }
  write_offers(out, trace, r, market);
  out.end_object();
}

}  // namespace

void write_market(JsonWriter& out, Trace& trace, const Catalog& catalog, const CostRequest& r) {
  if (!r.gpu || !r.cloud) return;
  out.begin_object("market");
  out.text("gpu", r.gpu->id);
  out.text("note", kListPriceNote);
  if (!r.as_of.empty()) out.text("as_of", r.as_of);
  out.begin_list("terms");
  RentFilter filter = filter_of(r);
  filter.region.clear();
  filter.provider.clear();
  for (std::size_t i = 0; i < kRentTermWords.size(); ++i) {
    filter.term = static_cast<RentTerm>(i);
    write_term(out, trace, r, cloud_market(catalog.cloud_prices, filter));
  }
  out.end_list();
  out.end_object();
}

void write_published(JsonWriter& out, Trace& trace, const CostRequest& r) {
  if (r.published_break_evens.empty()) return;
  out.begin_list("published_break_evens");
  for (std::size_t i = 0; i < r.published_break_evens.size(); ++i) {
    const PublishedBreakEven& p = r.published_break_evens[i];
    TraceScope scope(trace, "/published_break_evens/" + std::to_string(i));
    const auto time =
        named("cost.published_break_even", time_of_months(trace.input("/break_even_months", p.break_even_months),
                                                          trace.input("/hours_per_month", p.hours_per_month)));
    out.begin_object();
    out.text("name", p.name);
    out.quantity_as("break_even_hours", unit::kHours, time);
    out.quantity_as("implied_usd_per_hour", unit::kUsdPerHour,
                    named("cost.implied_rent", implied_rent(trace.input("/capex_usd", usd(p.capex_usd)), time,
                                                            trace.input("/operation_usd_per_hour",
                                                                        usd_per_hour(p.operation_usd_per_hour)))));
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
