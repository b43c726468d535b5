#include <algorithm>
#include <set>

#include "api/common_fields.h"
#include "api/cost_request.h"
#include "api/training_fields.h"
#include "base/nearest.h"

namespace podwright {
namespace {

constexpr std::string_view kLeftOut = "left out of on_premises, so nothing";

void amount(FieldVisitor& v, std::string_view key, std::string_view help, double& value) {
  v.number({key, help, kNotNegative, kLeftOut}, value);
}

void share(FieldVisitor& v, std::string_view key, std::string_view help, double& value) {
  v.number({key, help, kShare, kLeftOut}, value);
}

void describe_purchase(FieldVisitor& v, CostOnPremises& o) {
  amount(v, "servers_usd", "Price of all servers, USD", o.servers_usd);
  amount(v, "network_usd", "Price of the networks, USD", o.network_usd);
  amount(v, "storage_usd", "Price of the storage, USD", o.storage_usd);
  amount(v, "installation_usd", "Installation, USD", o.installation_usd);
  share(v, "installation_fraction", "Installation as a share of servers_usd, in addition to installation_usd",
        o.installation_fraction);
  amount(v, "spares_usd", "Spare parts, USD", o.spares_usd);
  amount(v, "decommissioning_usd", "Taking it down at the horizon, USD", o.decommissioning_usd);
}

void describe_residual(FieldVisitor& v, CostOnPremises& o) {
  share(v, "residual_fraction", "Share of servers_usd that the servers sell for at the horizon", o.residual_fraction);
  list_of(
      v, {"residual_by_age", "Value of the servers by age, straight between the points; in place of residual_fraction"},
      o.residual_by_age, [&](ResidualPoint& point) {
        v.number({"age_years", "Age, years", kRequired, within(0, 30)}, point.age_years);
        v.number({"fraction", "Share of the price at that age", kRequired, within(0, 5)}, point.fraction);
      });
  bool rising = true;
  for (std::size_t i = 1; i < o.residual_by_age.size(); ++i)
    rising = rising && o.residual_by_age[i].age_years > o.residual_by_age[i - 1].age_years;
  v.rule(rising, "residual_by_age", "The ages must rise.", "Sort the points by age_years.");
  v.number({"next_generation_age_years",
            "Age of the servers when the next generation ships; absent: not within the horizon", within(0, 30)},
           o.next_generation_age_years);
  v.number({"next_generation_loss", "Share of the value that is lost when the next generation ships", kShare,
            o.next_generation_age_years ? kNotAsked : std::string_view()},
           o.next_generation_loss);
  share(v, "network_residual_fraction", "Share of network_usd left at the horizon", o.network_residual_fraction);
  share(v, "storage_residual_fraction", "Share of storage_usd left at the horizon", o.storage_residual_fraction);
}

void describe_capital(FieldVisitor& v, CostOnPremises& o) {
  word(v,
       {"capital", "How the purchase is spread over the years",
        "annuity, as in The Datacenter as a Computer, 4th edition, chapter 8"},
       o.capital, kCapitalMethodWords);
  word(v,
       {"tax",
        "How the purchase is deducted from US income tax: not at all, straight over the horizon, MACRS over "
        "five years, all in the first year",
        kNotAsked},
       o.tax, kTaxMethodWords);
  v.number(
      {"tax_rate", "Tax rate that deductions save", kShare, o.tax == TaxMethod::none ? std::string_view() : kNotAsked},
      o.tax_rate);
}

void describe_energy(FieldVisitor& v, const Catalog& catalog, CostOnPremises& o) {
  amount(v, "it_power_kw", "Power of all machines at full load, kW", o.it_power_kw);
  describe_mean_power(v, o.load, o.pue, o.it_power_kw > 0);
  v.word({"region", "Region of the energy table: its price and its carbon"}, o.region, ids(catalog.energy_regions));
  v.number({"electricity_usd_per_kwh", "Price of electricity, USD/kWh; absent: the region's, nothing without a region",
            within(0, 10)},
           o.electricity_usd_per_kwh);
  v.number(
      {"usd_per_currency", "Dollars for one unit of the region's currency, where its price is in another", kPositive},
      o.usd_per_currency);
  v.number({"electricity_escalation_per_year", "Yearly rise of the price of electricity, 0.03 is 3 %", within(-0.5, 1),
            kNotAsked},
           o.electricity_escalation_per_year);
}

void describe_colocation(FieldVisitor& v, CostFacility& f) {
  v.number({"committed_kw", "Kilowatts that are paid for; absent: it_power_kw", kNotNegative}, f.committed_kw);
  v.number({"usd_per_kw_month", "Price of a kilowatt per month, USD; absent: the catalog's", kNotNegative},
           f.usd_per_kw_month);
  v.flag({"power_included", "Electricity is in that price", kNotAsked}, f.power_included);
}

void describe_building(FieldVisitor& v, CostFacility& f) {
  v.number({"building_usd_per_w", "Price of the building per watt of the machines, USD", kRequired, kNotNegative},
           f.building_usd_per_w);
  v.number({"building_years", "Years over which it is paid off", within(1, 100),
            "The Datacenter as a Computer, 4th edition, chapter 8"},
           f.building_years);
  v.number({"building_usd_per_w_month", "Operation of the building per watt and month, USD", kNotNegative,
            "The Datacenter as a Computer, 4th edition, chapter 8"},
           f.building_usd_per_w_month);
  v.number({"occupancy", "Share of the building that is in use; its costs are divided by it", within(0.01, 1),
            "a full building; set it when yours is not"},
           f.occupancy);
}

void describe_facility(FieldVisitor& v, CostFacility& f) {
  v.enter({"facility", "Where the machines stand"});
  forms(v,
        {"mode",
         "none: not counted; colocation: rented by the kilowatt; own-building: built for it; sunk: there and "
         "paid for",
         kLeftOut},
        f.mode, kFacilityModeWords, [&](FacilityMode mode) {
          if (mode == FacilityMode::colocation) describe_colocation(v, f);
          if (mode == FacilityMode::own_building) describe_building(v, f);
        });
  v.leave();
}

void describe_operation(FieldVisitor& v, CostOnPremises& o) {
  share(v, "support_fraction_per_year", "Yearly support contract as a share of servers_usd",
        o.support_fraction_per_year);
  amount(v, "license_usd_per_gpu_year", "Software licence per GPU and year, USD", o.license_usd_per_gpu_year);
  amount(v, "staff_fte", "People who look after the machines, full time", o.staff_fte);
  amount(v, "staff_usd_per_year", "What one of them costs per year, USD", o.staff_usd_per_year);
  amount(v, "network_usd_per_year", "Links to the outside per year, USD", o.network_usd_per_year);
}

void describe_offer(FieldVisitor& v, const Catalog& catalog, CostCloud& c) {
  v.number(
      {"usd_per_gpu_hour", "Price of a GPU-hour, USD; absent: of the catalog for `gpu`, as `price` says", kPositive},
      c.usd_per_gpu_hour);
  describe_price_choice(v, c.policy);
  word(v,
       {"term", "by the hour, spot machines that may be taken away, or a commitment whose whole term is billed",
        kNotAsked},
       c.term, kRentTermWords);
  v.count({"commitment_years", "Years that are billed whatever is used; absent: those of the term", within(1, 10)},
          c.commitment_years);
  std::string provider;
  v.word({"provider", "Provider of the price table; absent: all"}, provider, providers_of(catalog));
  if (!provider.empty()) c.policy.providers = {provider};
  v.text({"region", "Region as its provider writes it; absent: all"}, c.region);
  v.count({"min_instance_gpus", "GPUs that one machine must join", within(1, 1e5), kNotAsked}, c.min_instance_gpus);
  v.number({"price_change_per_year", "Yearly change of the price of the machines, -0.2 is a fall by 20 %",
            within(-0.9, 10), "prices stay; they have moved both ways, docs/method/cloud_cost.md#drift"},
           c.price_change_per_year);
  v.number({"discount", "Negotiated discount on the price of the machines", within(0, 0.99), kNotAsked}, c.discount);
}

void describe_spot(FieldVisitor& v, CostCloud& c) {
  optional_object(
      v, {"spot", "What interruptions of spot machines cost; needed for the term spot"}, c.spot, [&](CostSpot& spot) {
        v.number({"interruptions_per_hour", "Interruptions of the whole job per hour", kRequired, within(1e-9, 1e4)},
                 spot.interruptions_per_hour);
        v.number({"checkpoint_s", "Time to write a checkpoint, s", kRequired, within(1e-3, 1e6)}, spot.checkpoint_s);
        v.number({"restart_s", "Time from an interruption until work resumes, s", kRequired, within(0, 1e6)},
                 spot.restart_s);
        v.number({"checkpoint_interval_s", "Work between checkpoints, s; absent: the interval that loses least",
                  within(1e-3, 1e8)},
                 spot.checkpoint_interval_s);
      });
}

void describe_data(FieldVisitor& v, CostCloud& c) {
  v.number({"storage_gb", "Data kept in the cloud, GB", kNotNegative, kNotAsked}, c.storage_gb);
  v.number({"storage_usd_per_gb_month", "Its price, USD per GB and month; absent: the provider's in the catalog",
            kNotNegative},
           c.storage_usd_per_gb_month);
  describe_egress(v, c.egress);
}

void describe_support(FieldVisitor& v, CostCloud& c) {
  v.number({"license_usd_per_gpu_hour", "Software licence while the machines are rented, USD per GPU-hour",
            kNotNegative, kNotAsked},
           c.license_usd_per_gpu_hour);
  v.number({"support_fraction", "Support plan as a share of the bill", kShare, kNotAsked}, c.support_fraction);
  v.number({"support_usd_per_month", "Support plan, USD per month", kNotNegative, kNotAsked}, c.support_usd_per_month);
}

Errors problems_of(const Catalog& catalog, const CostCloud& c, bool has_gpu) {
  Errors problems;
  if (!c.usd_per_gpu_hour && !has_gpu)
    problems.push_back({"missing", "/usd_per_gpu_hour",
                        "\"usd_per_gpu_hour\" is missing, and no \"gpu\" says whose price to look up.",
                        "Give the price, or name a \"gpu\" as well as \"gpu_count\"."});
  std::set<std::string> names;
  for (const CloudPrice& row : catalog.cloud_prices) names.insert(row.region);
  const std::vector<std::string> regions(names.begin(), names.end());
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

void describe(FieldVisitor& v, const Catalog& catalog, CostOnPremises& o) {
  describe_purchase(v, o);
  describe_residual(v, o);
  describe_capital(v, o);
  describe_energy(v, catalog, o);
  describe_facility(v, o.facility);
  describe_operation(v, o);
}

void describe(FieldVisitor& v, const Catalog& catalog, CostCloud& c, bool has_gpu) {
  describe_offer(v, catalog, c);
  describe_spot(v, c);
  describe_data(v, c);
  describe_support(v, c);
  v.problems(problems_of(catalog, c, has_gpu));
}

void describe(FieldVisitor& v, CostHostedApi& h, bool has_rates) {
  v.number({"input_usd_per_million_tokens", "Price of a million input tokens, USD", kRequired, kNotNegative},
           h.input_usd_per_million_tokens);
  v.number({"cached_input_usd_per_million_tokens",
            "The same for tokens found in the provider's cache; absent: as for any input", kNotNegative},
           h.cached_input_usd_per_million_tokens);
  v.number({"output_usd_per_million_tokens", "Price of a million output tokens, USD", kRequired, kNotNegative},
           h.output_usd_per_million_tokens);
  v.number({"output_share", "Share of all tokens that is written; absent: by the rates of `workload`",
            Required{!has_rates && !v.all_variants()}, kShare},
           h.output_share);
  v.number({"cached_share", "Share of the input tokens found in the cache", kShare, kNotAsked}, h.cached_share);
  v.number({"discount", "Negotiated discount", within(0, 0.99), kNotAsked}, h.discount);
  v.number({"tokens_per_month",
            "Input and output tokens per month; absent: by the rates of `workload` and the utilisation", kPositive},
           h.tokens_per_month);
  v.number({"input_tokens_per_request", "Prompt tokens of a request", kNotNegative}, h.input_tokens_per_request);
  v.number({"output_tokens_per_request", "Generated tokens of a request", kNotNegative}, h.output_tokens_per_request);
  v.rule(h.input_tokens_per_request.has_value() == h.output_tokens_per_request.has_value(),
         h.input_tokens_per_request ? "output_tokens_per_request" : "input_tokens_per_request",
         "A request has input and output tokens.", "Give both, or none.");
}

}  // namespace podwright
