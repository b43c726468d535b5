#include "api/cost_request_parts.h"
#include "api/request_calendar.h"

namespace podwright {
namespace {

constexpr std::string_view kLeftOut = "left out of on_premises, so nothing";

void amount(FieldVisitor& v, std::string_view key, std::string_view help, double& value) {
  v.number({.key = key, .help = help, .range = kNotNegative, .default_source = kLeftOut}, value);
}

void share(FieldVisitor& v, std::string_view key, std::string_view help, double& value) {
  v.number({.key = key, .help = help, .range = kShare, .default_source = kLeftOut}, value);
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
  const std::size_t points = v.enter_list({.key = "residual_by_age",
                                           .help = "Value of the servers by age, straight between the points; in "
                                                   "place of residual_fraction"});
  o.residual_by_age.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    v.enter_item(i);
    v.number({.key = "age_years", .help = "Age, years", .required = true, .range = {0, 30}},
             o.residual_by_age[i].age_years);
    v.number({.key = "fraction", .help = "Share of the price at that age", .required = true, .range = {0, 5}},
             o.residual_by_age[i].fraction);
    v.leave_item();
  }
  v.leave_list();
  bool rising = true;
  for (std::size_t i = 1; i < o.residual_by_age.size(); ++i)
    rising = rising && o.residual_by_age[i].age_years > o.residual_by_age[i - 1].age_years;
  v.rule(rising, "residual_by_age", "The ages must rise.", "Sort the points by age_years.");
  v.number({.key = "next_generation_age_years",
            .help = "Age of the servers when the next generation ships; absent: not within the horizon",
            .range = {0, 30}},
           o.next_generation_age_years);
  v.number({.key = "next_generation_loss",
            .help = "Share of the value that is lost when the next generation ships",
            .range = kShare,
            .default_source = o.next_generation_age_years ? kNotAsked : std::string_view()},
           o.next_generation_loss);
  share(v, "network_residual_fraction", "Share of network_usd left at the horizon", o.network_residual_fraction);
  share(v, "storage_residual_fraction", "Share of storage_usd left at the horizon", o.storage_residual_fraction);
}

void describe_capital(FieldVisitor& v, CostOnPremises& o) {
  word(v,
       {.key = "capital",
        .help = "How the purchase is spread over the years",
        .default_source = "annuity, as in The Datacenter as a Computer, 4th edition, chapter 8"},
       o.capital, kCapitalMethodWords);
  word(v,
       {.key = "tax",
        .help = "How the purchase is deducted from US income tax: not at all, straight over the horizon, MACRS over "
                "five years, all in the first year",
        .default_source = kNotAsked},
       o.tax, kTaxMethodWords);
  v.number({.key = "tax_rate",
            .help = "Tax rate that deductions save",
            .range = kShare,
            .default_source = o.tax == TaxMethod::none ? std::string_view() : kNotAsked},
           o.tax_rate);
}

void describe_energy(FieldVisitor& v, const Catalog& catalog, CostOnPremises& o) {
  std::vector<std::string> regions;
  for (const EnergyRegion& region : catalog.energy_regions) regions.push_back(region.id);
  amount(v, "it_power_kw", "Power of all machines at full load, kW", o.it_power_kw);
  describe_mean_power(v, o.load, o.pue, o.it_power_kw > 0);
  v.word({.key = "region", .help = "Region of the energy table: its price and its carbon"}, o.region, regions);
  v.number({.key = "electricity_usd_per_kwh",
            .help = "Price of electricity, USD/kWh; absent: the region's, nothing without a region",
            .range = {0, 10}},
           o.electricity_usd_per_kwh);
  v.number({.key = "usd_per_currency",
            .help = "Dollars for one unit of the region's currency, where its price is in another",
            .range = kPositive},
           o.usd_per_currency);
  v.number({.key = "electricity_escalation_per_year",
            .help = "Yearly rise of the price of electricity, 0.03 is 3 %",
            .range = {-0.5, 1},
            .default_source = kNotAsked},
           o.electricity_escalation_per_year);
}

void describe_colocation(FieldVisitor& v, CostFacility& f) {
  v.number({.key = "committed_kw", .help = "Kilowatts that are paid for; absent: it_power_kw", .range = kNotNegative},
           f.committed_kw);
  v.number({.key = "usd_per_kw_month",
            .help = "Price of a kilowatt per month, USD; absent: the catalog's",
            .range = kNotNegative},
           f.usd_per_kw_month);
  v.flag({.key = "power_included", .help = "Electricity is in that price", .default_source = kNotAsked},
         f.power_included);
}

void describe_building(FieldVisitor& v, CostFacility& f) {
  v.number({.key = "building_usd_per_w",
            .help = "Price of the building per watt of the machines, USD",
            .required = true,
            .range = kNotNegative},
           f.building_usd_per_w);
  v.number({.key = "building_years",
            .help = "Years over which it is paid off",
            .range = {1, 100},
            .default_source = "The Datacenter as a Computer, 4th edition, chapter 8"},
           f.building_years);
  v.number({.key = "building_usd_per_w_month",
            .help = "Operation of the building per watt and month, USD",
            .range = kNotNegative,
            .default_source = "The Datacenter as a Computer, 4th edition, chapter 8"},
           f.building_usd_per_w_month);
  v.number({.key = "occupancy",
            .help = "Share of the building that is in use; its costs are divided by it",
            .range = {0.01, 1},
            .default_source = "a full building; set it when yours is not"},
           f.occupancy);
}

void describe_facility(FieldVisitor& v, CostFacility& f) {
  v.enter({.key = "facility", .help = "Where the machines stand"});
  forms(v,
        {.key = "mode",
         .help = "none: not counted; colocation: rented by the kilowatt; own-building: built for it; sunk: there and "
                 "paid for",
         .default_source = kLeftOut},
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

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, CostOnPremises& o) {
  describe_purchase(v, o);
  describe_residual(v, o);
  describe_capital(v, o);
  describe_energy(v, catalog, o);
  describe_facility(v, o.facility);
  describe_operation(v, o);
}

}  // namespace podwright
