#include "api/write_common.h"
#include "api/write_cost.h"
#include "base/number_text.h"
#include "cost/provider_name.h"

namespace podwright {
namespace {

constexpr DisplayUnit kUsdPerMonth{"", "USD/month", 1.0 / 2628000.0};

double usd_a_year(const Traced<UsdPerSecond>& rate) { return rate.value * years(1) / usd(1); }

std::string summary_of(const CostRequest& r, const RentedSide<Trace>& side) {
  const double hourly = side.cost.price_per_gpu->value / usd_per_hour(1);
  std::string where;
  if (side.asked.row != nullptr)
    where = " at " + provider_name(side.asked.row->provider) + " (" + side.asked.row->instance + ", " +
            side.asked.row->region + ")";
  return human_number(r.gpu_count, 15) + (r.gpu_count == 1 ? " GPU" : " GPUs") + where + ", " +
         std::string(word_of(r.cloud->term, kRentTermWords)) + " at " + dollars_text(hourly) +
         " per GPU-hour: " + dollars_text(usd_a_year(*side.cost.total)) + " a year at " +
         human_number(100 * r.utilization) + " % use, " +
         dollars_text(side.cost.total_per_used->value / usd_per_hour(1)) + " per GPU-hour used.";
}

}  // namespace

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

void write_bill(JsonWriter& out, Trace& trace, const RentedSide<Trace>& cloud) {
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

void write_cloud(JsonWriter& out, Trace& trace, const CostRequest& r, const RentedSide<Trace>& cloud) {
  out.begin_object("cloud");
  const bool whole = cloud.years.has_value();
  if (whole) out.text("summary", summary_of(r, cloud));
  out.text("term", word_of(r.cloud->term, kRentTermWords));
  if (cloud.asked.terms.commitment_years > 0)
    out.quantity_as("commitment_years", unit::kNone,
                    r.cloud->commitment_years
                        ? trace.input("/cloud/commitment_years", cloud.asked.terms.commitment_years)
                        : trace.constant("term_years", cloud.asked.terms.commitment_years, "years of the term"));
  if (cloud.asked.row != nullptr) write_row(out, trace, r, *cloud.asked.row);
  if (cloud.asked.terms.price_per_gpu) {
    out.quantity_as("gpus_billed", unit::kNone, cloud.asked.terms.billed_gpus);
    out.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, *cloud.cost.price_per_gpu);
  }
  write_spot(out, cloud.cost);
  if (whole) write_bill(out, trace, cloud);
  if (cloud.work) write_work_prices(out, *cloud.work);
  write_texts(out, "missing", cloud.cost.missing);
  write_texts(out, "cautions", cloud.asked.cautions);
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
    out.quantity_as("lowest_usd_per_gpu_hour", unit::kUsdPerHour, per_gpu_of(trace, *market.lowest, market.term));
    out.quantity_as("median_usd_per_gpu_hour", unit::kUsdPerHour,
                    trace.method("cost.market_median_" + term, *market.summary.median_per_gpu, page));
    out.quantity_as("highest_usd_per_gpu_hour", unit::kUsdPerHour, per_gpu_of(trace, *market.highest, market.term));
    out.text("oldest_as_of", market.summary.oldest_as_of);
    out.text("newest_as_of", market.summary.newest_as_of);
    if (!r.as_of.empty()) counted("stale_offers", stale_offers(market, r.as_of, r.stale_days));
  }
  write_offers(out, trace, r, market);
  out.end_object();
}

}  // namespace

void write_market(JsonWriter& out, Trace& trace, const CostRequest& r, const std::vector<CloudMarket>& markets) {
  if (markets.empty()) return;
  out.begin_object("market");
  out.text("gpu", r.gpu->id);
  out.text("note", kListPriceNote);
  if (!r.as_of.empty()) out.text("as_of", r.as_of);
  out.begin_list("terms");
  for (const CloudMarket& market : markets) write_term(out, trace, r, market);
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
