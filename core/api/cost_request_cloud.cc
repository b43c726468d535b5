#include <algorithm>
#include <set>

#include "api/cost_request_parts.h"
#include "api/describe_egress.h"
#include "base/nearest.h"

namespace podwright {
namespace {

template <class Member>
std::vector<std::string> names_of(const Catalog& catalog, Member member) {
  std::set<std::string> names;
  for (const CloudPrice& row : catalog.cloud_prices) names.insert(row.*member);
  return {names.begin(), names.end()};
}

void describe_offer(FieldVisitor& v, const Catalog& catalog, CostCloud& c) {
  v.number({.key = "usd_per_gpu_hour",
            .help = "Price of a GPU-hour, USD; absent: the cheapest row of the catalog for `gpu`",
            .range = kPositive},
           c.usd_per_gpu_hour);
  word(v,
       {.key = "term",
        .help = "by the hour, spot machines that may be taken away, or a commitment whose whole term is billed",
        .default_source = kNotAsked},
       c.term, kRentTermWords);
  v.count({.key = "commitment_years",
           .help = "Years that are billed whatever is used; absent: those of the term",
           .range = {1, 10}},
          c.commitment_years);
  v.word({.key = "provider", .help = "Provider of the price table; absent: all"}, c.provider,
         names_of(catalog, &CloudPrice::provider));
  v.text({.key = "region", .help = "Region as its provider writes it; absent: all"}, c.region);
  v.text({.key = "not_before", .help = "Rows of the price table with an older date are left out, e.g. 2026-01-01"},
         c.not_before);
  v.count({.key = "min_instance_gpus",
           .help = "GPUs that must sit in one instance",
           .range = {1, 1e5},
           .default_source = kNotAsked},
          c.min_instance_gpus);
  v.number({.key = "price_change_per_year",
            .help = "Yearly change of the price of the machines, -0.2 is a fall by 20 %",
            .range = {-0.9, 10},
            .default_source = "prices stay; they have moved both ways, docs/method/cloud_cost.md#drift"},
           c.price_change_per_year);
  v.number({.key = "discount",
            .help = "Negotiated discount on the price of the machines",
            .range = {0, 0.99},
            .default_source = kNotAsked},
           c.discount);
}

void describe_spot(FieldVisitor& v, CostCloud& c) {
  if (v.enter({.key = "spot", .help = "What interruptions of spot machines cost; needed for the term spot"})) {
    CostSpot spot;
    v.number({.key = "interruptions_per_hour",
              .help = "Interruptions of the whole job per hour",
              .required = true,
              .range = {1e-9, 1e4}},
             spot.interruptions_per_hour);
    v.number({.key = "checkpoint_s", .help = "Time to write a checkpoint, s", .required = true, .range = {1e-3, 1e6}},
             spot.checkpoint_s);
    v.number({.key = "restart_s",
              .help = "Time from an interruption until work resumes, s",
              .required = true,
              .range = {0, 1e6}},
             spot.restart_s);
    v.number({.key = "checkpoint_interval_s",
              .help = "Work between checkpoints, s; absent: the interval that loses least",
              .range = {1e-3, 1e8}},
             spot.checkpoint_interval_s);
    c.spot = spot;
  }
  v.leave();
}

void describe_data(FieldVisitor& v, CostCloud& c) {
  v.number(
      {.key = "storage_gb", .help = "Data kept in the cloud, GB", .range = kNotNegative, .default_source = kNotAsked},
      c.storage_gb);
  v.number({.key = "storage_usd_per_gb_month",
            .help = "Its price, USD per GB and month; absent: the provider's in the catalog",
            .range = kNotNegative},
           c.storage_usd_per_gb_month);
  describe_egress(v, c.egress);
}

void describe_support(FieldVisitor& v, CostCloud& c) {
  v.number({.key = "license_usd_per_gpu_hour",
            .help = "Software licence while the machines are rented, USD per GPU-hour",
            .range = kNotNegative,
            .default_source = kNotAsked},
           c.license_usd_per_gpu_hour);
  v.number({.key = "support_fraction",
            .help = "Support plan as a share of the bill",
            .range = kShare,
            .default_source = kNotAsked},
           c.support_fraction);
  v.number({.key = "support_usd_per_month",
            .help = "Support plan, USD per month",
            .range = kNotNegative,
            .default_source = kNotAsked},
           c.support_usd_per_month);
}

Errors problems_of(const Catalog& catalog, const CostCloud& c, bool has_gpu) {
  Errors problems;
  if (!c.usd_per_gpu_hour && !has_gpu)
    problems.push_back({"missing", "/usd_per_gpu_hour",
                        "\"usd_per_gpu_hour\" is missing, and no \"gpu\" says whose price to look up.",
                        "Give the price, or name a \"gpu\" as well as \"gpu_count\"."});
  const std::vector<std::string> regions = names_of(catalog, &CloudPrice::region);
  if (!c.region.empty() && std::find(regions.begin(), regions.end(), c.region) == regions.end())
    problems.push_back({"unknown-id", "/region", "No row of the price table is in \"" + c.region.substr(0, 60) + "\".",
                        did_you_mean(c.region, regions, "The answer's `market` names the regions.")});
  if (c.spot && c.term != RentTerm::spot)
    problems.push_back({"conflict", "/spot", "\"spot\" says what interruptions cost, but the term is not spot.",
                        "Write \"term\": \"spot\", or leave \"spot\" out."});
  const bool by_the_hour = c.term == RentTerm::on_demand || c.term == RentTerm::spot;
  if (c.commitment_years && by_the_hour && !c.usd_per_gpu_hour)
    problems.push_back({"conflict", "/commitment_years", "The catalog's prices by the hour have no commitment.",
                        "Give \"usd_per_gpu_hour\", or the term reserved-1y or reserved-3y."});
  if (c.commitment_years && c.term == RentTerm::spot)
    problems.push_back({"conflict", "/commitment_years", "Spot machines have no commitment.",
                        "Leave \"commitment_years\" out, or change the term."});
  return problems;
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, CostCloud& c, bool has_gpu) {
  describe_offer(v, catalog, c);
  describe_spot(v, c);
  describe_data(v, c);
  describe_support(v, c);
  v.problems(problems_of(catalog, c, has_gpu));
}

void describe(FieldVisitor& v, CostHostedApi& h, bool has_rates) {
  v.number({.key = "input_usd_per_million_tokens",
            .help = "Price of a million input tokens, USD",
            .required = true,
            .range = kNotNegative},
           h.input_usd_per_million_tokens);
  v.number({.key = "cached_input_usd_per_million_tokens",
            .help = "The same for tokens found in the provider's cache; absent: as for any input",
            .range = kNotNegative},
           h.cached_input_usd_per_million_tokens);
  v.number({.key = "output_usd_per_million_tokens",
            .help = "Price of a million output tokens, USD",
            .required = true,
            .range = kNotNegative},
           h.output_usd_per_million_tokens);
  v.number({.key = "output_share",
            .help = "Share of all tokens that is written; absent: by the rates of `workload`",
            .required = !has_rates && !v.all_variants(),
            .range = kShare},
           h.output_share);
  v.number({.key = "cached_share",
            .help = "Share of the input tokens found in the cache",
            .range = kShare,
            .default_source = kNotAsked},
           h.cached_share);
  v.number({.key = "discount", .help = "Negotiated discount", .range = {0, 0.99}, .default_source = kNotAsked},
           h.discount);
  v.number({.key = "tokens_per_month",
            .help = "Input and output tokens per month; absent: by the rates of `workload` and the utilisation",
            .range = kPositive},
           h.tokens_per_month);
  v.number({.key = "input_tokens_per_request", .help = "Prompt tokens of a request", .range = kNotNegative},
           h.input_tokens_per_request);
  v.number({.key = "output_tokens_per_request", .help = "Generated tokens of a request", .range = kNotNegative},
           h.output_tokens_per_request);
  v.rule(h.input_tokens_per_request.has_value() == h.output_tokens_per_request.has_value(),
         h.input_tokens_per_request ? "output_tokens_per_request" : "input_tokens_per_request",
         "A request has input and output tokens.", "Give both, or none.");
}

}  // namespace podwright
