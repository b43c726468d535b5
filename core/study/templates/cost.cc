/// Owning, renting and what tokens cost.
#include <algorithm>
#include <cmath>

#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/electricity_claim.h"
#include "cost/ownership_formulas.h"
#include "cost/rent.h"
#include "cost/work.h"
#include "perf/lane_schedule.h"
#include "reliability/goodput.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/quantity_text.h"
#include "study/templates/names.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr DisplayUnit kMonths{"_months", "months", 730.0 * 3600.0};

/// A listed instance with eight GPUs that many people rent.
const CloudPrice* listed_instance(Draft& d) {
  std::vector<const CloudPrice*> rows;
  for (const CloudPrice& row : d.catalog().cloud_prices) {
    const bool known = row.gpu_id == "h100-sxm5-80gb" || row.gpu_id == "a100-sxm4-80gb" ||
                       row.gpu_id == "h200-sxm5-141gb" || row.gpu_id == "b200-sxm";
    if (known && row.gpu_count == 8 && row.on_demand) rows.push_back(&row);
  }
  return rows.empty() ? nullptr : rows[d.index(rows.size())];
}

std::string hourly(UsdPerSecond price) { return dollars_text(raw(price) * 3600); }

/// Rent of a GPU-hour in the planner's comparison.
void open_rent(JsonWriter& r, UsdPerSecond gpu_hour) {
  r.begin_object("cloud");
  r.quantity_as("usd_per_gpu_hour", unit::kUsdPerHour, gpu_hour);
  r.end_object();
}

/// A purchase without residual value against rent; what it takes to run is a sum each year.
void open_purchase(Draft& d, double gpus, double horizon_years, double capex, double operation_per_year,
                   UsdPerSecond gpu_hour) {
  d.planner(planner::kCost, [&](JsonWriter& r) {
    r.number("gpu_count", gpus);
    r.number("horizon_years", horizon_years);
    r.number("discount_rate", 0);
    r.begin_object("on_premises");
    r.text("capital", "straight-line");
    r.number("servers_usd", capex);
    r.number("staff_fte", 1);
    r.number("staff_usd_per_year", operation_per_year);
    r.end_object();
    open_rent(r, gpu_hour);
  });
}

void gpu_hour(Draft& d) {
  const CloudPrice* row = listed_instance(d);
  if (row == nullptr) return d.discard();
  const double gpus = d.whole(2, 120);
  const double days_used = d.whole(5, 30);
  d.prompt({row->instance, row->gpu_text, hourly(*row->on_demand), row->region, row->as_of, counted(gpus, "GPU"),
            counted(days_used, "day")});
  const auto instances =
      named("instances", instance_count(d.given("gpus", gpus), d.given("gpus_per_instance", row->gpu_count)));
  const auto rate = named("rent", rent_rate(instances, d.fact(*row, "on_demand_usd_per_hour", row->on_demand)));
  const auto cost = named("cost", d.given("time", days(days_used)) * rate);
  d.ask(unit::kUsd, cost);
  // Days of rent are the bill of a year of which that share is used.
  d.planner(planner::kCost, [&](JsonWriter& r) {
    r.text("gpu", row->gpu_id);
    r.number("gpu_count", instances.value * row->gpu_count);
    r.number("horizon_years", 1);
    r.number("utilization", days_used / 365);
    open_rent(r, *row->on_demand / row->gpu_count);
  });
  d.wrong("one-gpu-price", cost.value * 8.0, "This takes the price of the instance for that of each GPU.");
  d.wrong("one-gpu-price", cost.value / 8.0, "This divides the instances' price by eight once more.");
  d.wrong("wrong-time-unit", cost.value / 24.0, "This takes the price of an hour for that of a day.");
  d.wrong("ceiling-forgotten", std::max(1.0, instances.value - 1) / instances.value * cost.value,
          "This rents one instance too few; a part of one must be rented whole.");
  d.wrong("rounded-to-pairs", cost.value * (instances.value + 1) / instances.value,
          "This rents one instance too many.");
  d.wrong("one-gpu-price", cost.value * (gpus / instances.value),
          "This multiplies the price of an instance by the number of GPUs.");
}

void break_even(Draft& d) {
  const double servers = d.whole(250, 420, 10) * 1e3;
  const double years_of_life = d.whole(3, 5);
  const double operation = d.whole(30, 90, 5) * 1e3;
  const double rent = d.whole(200, 420, 10) / 100;
  d.prompt({dollars_text(servers), count_text(years_of_life), dollars_text(operation), dollars_text(rent)});
  const auto capital = named("capital", straight_line(d.given("price", usd(servers)), d.given("residual", usd(0)),
                                                      d.given("life_years", years_of_life)));
  const auto own = named("own", ownership_cost(capital, d.given("operation", usd_per_hour(operation / 8760))));
  const auto rented = named("rent_all_year", rent_rate(d.given("gpus", 8.0), d.given("rent", usd_per_hour(rent))));
  const auto use = named("break_even", break_even_utilization(own, rented));
  if (use.value > 0.98) return d.discard();
  d.ask(kPercent, use);
  open_purchase(d, 8, years_of_life, servers, operation, usd_per_hour(rent));
  d.wrong("operation-forgotten", raw(capital.value) / raw(rented.value));
  d.wrong("one-gpu-price", use.value / 8,
          "This compares the server with eight times its rent; the rent has all eight GPUs already.");
  d.wrong("idle-is-free", 1 - use.value, "This is the share of idle hours, not of use.");
  d.wrong("residual-forgotten", raw(own.value - capital.value) / raw(rented.value), "This leaves the purchase out.");
  d.wrong("wrong-time-unit", use.value * years_of_life,
          "This compares the cost of the whole life with the rent of one year.");
}

void break_even_months(Draft& d) {
  const double capex = d.whole(300, 3000, 50) * 1e3;
  const double rent = d.whole(40, 400, 5);
  const double operation = d.whole(5, 60, 1);
  if (operation > 0.6 * rent) return d.discard();
  d.prompt({dollars_text(capex), dollars_text(operation), dollars_text(rent)});
  const auto time = named("time", break_even_time(d.given("capex", usd(capex)), d.given("rent", usd_per_hour(rent)),
                                                  d.given("operation", usd_per_hour(operation))));
  if (time.value > years(8)) return d.discard();
  d.ask(kMonths, time);
  // The question leaves the GPUs open: as many as its rent pays at 2.50 USD an hour.
  open_purchase(d, rent / 2.5, 8, capex, operation * 8760, usd_per_hour(2.5));
  d.wrong("operation-forgotten", usd(capex) / usd_per_hour(rent));
  d.wrong("residual-forgotten", usd(capex) / usd_per_hour(rent + operation),
          "This adds the running cost to the rent; the rent saves only what is left of it.");
  d.wrong("wrong-time-unit", time.value * (730.0 / 720.0) * 2.0, "This takes half the hours of a month.");
  d.wrong("idle-is-free", usd(capex) / usd_per_hour(operation),
          "This divides by the running cost; the saving decides.");
  d.wrong("wrong-time-unit", time.value / 4.0, "This takes a week for a month.");
}

void token_price(Draft& d) {
  const double gpus = d.pick({1, 2, 4, 8});
  const double rent = d.whole(150, 600, 10) / 100;
  const double rate = d.whole(200, 20000, 100);
  d.prompt({counted(gpus, "GPU"), dollars_text(rent), (gpus == 1 ? "s " : " "), count_text(rate),
            (gpus == 1 ? "" : " together")});
  const auto all = named("rent", rent_rate(d.given("gpus", gpus), d.given("rent_per_gpu", usd_per_hour(rent))));
  const auto price = named("price", million_token_price(all, d.given("tokens_per_s", per_second(rate))));
  if (price.value < usd(0.02)) return d.discard();
  d.ask(unit::kUsd, price);
  d.planner(planner::kCost, [&](JsonWriter& r) {
    r.number("gpu_count", gpus);
    r.begin_object("workload");
    r.number("output_tokens_per_s", rate);
    r.end_object();
    open_rent(r, usd_per_hour(rent));
  });
  if (gpus > 1) d.wrong("one-gpu-price", price.value / gpus, "This pays for one GPU; all of them wrote the tokens.");
  if (gpus > 1) d.wrong("one-gpu-price", price.value * gpus, "This multiplies by the GPUs twice.");
  d.wrong("wrong-time-unit", price.value * 24.0);
  d.wrong("wrong-time-unit", price.value / 24.0);
  d.wrong("one-gpu-price", price.value * 8.0, "This takes the price for that of one GPU of eight.");
  d.wrong("one-gpu-price", price.value / 8.0, "This takes the price for that of a server of eight GPUs.");
}

void used_hour(Draft& d) {
  const double available = d.whole(80, 300, 5) / 100;
  const double used = d.whole(20, 90, 5) / 100;
  d.prompt({dollars_text(available), count_text(used * 100)});
  const auto price = named(
      "used_hour", used_gpu_price(d.given("available_hour", usd_per_hour(available)), d.given("utilization", used)));
  d.ask(unit::kUsdPerHour, price);
  d.wrong("idle-is-free", usd_per_hour(available),
          "This is the price of an available hour; idle hours cost as much and do no work.");
  d.wrong("idle-is-free", usd_per_hour(available * used),
          "This multiplies by the share; fewer hours of work make each more expensive.");
  d.wrong("idle-is-free", usd_per_hour(available * (1 + used)),
          "This adds the share to the price; the price is divided by it.");
  d.wrong("idle-is-free", usd_per_hour(available / (1 - used)),
          "This divides by the idle share instead of the used one.");
  d.wrong("idle-is-free", price.value * 2.0, "This takes half the share of use.");
}

void spot_price(Draft& d) {
  const double spot = d.whole(80, 260, 5) / 100;
  const double lost = d.whole(5, 35) / 100;
  const double list = spot * d.whole(16, 32, 2) / 10;
  d.prompt({dollars_text(spot), dollars_text(list), count_text(lost * 100)});
  const auto price =
      named("effective_price", effective_spot_price(d.given("spot", usd_per_hour(spot)), d.given("lost_share", lost)));
  d.ask(unit::kUsdPerHour, price);
  d.wrong("operation-forgotten", usd_per_hour(spot), "This leaves the wasted hours out.");
  d.wrong("residual-forgotten", usd_per_hour(spot * (1 - lost)),
          "This multiplies by what is left; less progress makes each hour more expensive.");
  d.wrong("one-gpu-price", usd_per_hour(list), "This is the price on demand.");
  d.wrong("ridge-inverted", usd_per_hour(spot / lost), "This divides by the lost share instead of the useful one.");
  d.wrong("residual-forgotten", usd_per_hour(list * (1 - lost)),
          "This takes the price on demand, and multiplies by what is left.");
}

void electricity_share(Draft& d) {
  const System& system = d.system({"dgx-a100", "dgx-h100", "dgx-b200"});
  // Prices of a generation lie apart.
  const double price = d.whole(0, 100, 10) * 1e3 + (system.id == "dgx-a100"   ? 15e4
                                                    : system.id == "dgx-h100" ? 28e4
                                                                              : 4e5);
  const double kwh_price = d.whole(7, 25) / 100;
  const double pue = d.whole(110, 160, 5) / 100;
  d.prompt({upper_article(system.name), dollars_text(price), in_unit_text(raw(*system.power_max) / 1e3, "kW"),
            count_text(pue), dollars_text(kwh_price)});
  const auto power = named("site_power", facility_power(d.fact(system, "power_kw_max", system.power_max),
                                                        d.given("load", 1.0), d.given("pue", pue)));
  const auto cost = named("energy_cost", energy_cost(power, d.given("kwh_price", usd_per_kwh(kwh_price))));
  const auto year = named("electricity", cost_of_years(cost, d.given("years", 1.0)));
  const auto share = named("share", electricity_over_hardware(year, d.given("hardware", usd(price))));
  d.ask(kPercent, share);
  d.planner(planner::kClaims, [&](JsonWriter& r) {
    r.begin_object("claim");
    r.number("electricity_over_hardware", share.value);
    r.number("servers_usd", price);
    r.quantity("it_power", unit::kKw, *system.power_max);
    r.number("load", 1);
    r.number("pue", pue);
    r.number("electricity_usd_per_kwh", kwh_price);
    r.number("years", 1);
    r.end_object();
  });
  d.wrong("pue-forgotten", share.value / pue);
  d.wrong("kw-for-kwh", share.value / 12, "This is the electricity of a month.");
  d.wrong("wrong-time-unit", share.value * 5, "This is the electricity of five years.");
  d.wrong("one-gpu-price", share.value * 8, "This takes the price of one GPU of eight for that of the system.");
  d.wrong("divides-by-pue", share.value / (pue * pue));
}

void replicas_for_peak(Draft& d) {
  const double mean = d.whole(5, 80);
  const double factor = d.whole(15, 50, 5) / 10;
  const double each = d.whole(4, 40) / 2;
  d.prompt({count_text(mean), count_text(factor), count_text(each)});
  const auto peak = named("peak", d.given("mean", per_second(mean)) * d.given("factor", factor));
  const auto count = named("replicas", instances_for_peak(peak, d.given("per_replica", per_second(each))));
  d.ask(unit::kNone, count);
  d.wrong("peak-forgotten", std::ceil(mean / each));
  d.wrong("ceiling-forgotten", count.value - 1,
          "These replicas do not reach the peak; a part of one must be added whole.");
  d.wrong("rounded-to-pairs", std::ceil(mean / each) * std::ceil(factor),
          "This rounds up the replicas of the mean and the factor separately.");
  d.wrong("rounded-to-pairs", count.value + 2, "Two fewer serve the peak too.");
  d.wrong("peak-forgotten", count.value * 2, "This doubles what the peak needs; no spare is asked for.");
}

/// Offers that differ in what is hidden: idle hours, interruptions, instances rented whole.
void tco_order(Draft& d) {
  const double busy = d.whole(25, 85, 5) / 100;
  const double own = d.whole(110, 220, 5) / 100;
  const double demand = d.whole(220, 420, 10) / 100;
  const double spot = d.whole(110, 260, 5) / 100;
  const double lost = d.whole(10, 35, 5) / 100;
  const double reserved = d.whole(150, 280, 5) / 100;
  struct Offer {
    std::string text;
    Traced<UsdPerSecond> price;
  };
  std::vector<Offer> offers{
      {"an owned GPU at " + dollars_text(own) + " for every hour of the year",
       named("owned", used_gpu_price(d.given("owned_hour", usd_per_hour(own)), d.given("busy", busy)))},
      {"a GPU on demand at " + dollars_text(demand) + ", paid while it works",
       named("on_demand", discounted_price(d.given("listed_hour", usd_per_hour(demand)), d.given("discount", 0.0)))},
      {"a spot GPU at " + dollars_text(spot) + ", of whose hours " + count_text(lost * 100) + " % are lost",
       named("spot", effective_spot_price(d.given("spot_hour", usd_per_hour(spot)), d.given("lost_share", lost)))},
      {"a GPU reserved for a year at " + dollars_text(reserved) + " for every hour",
       named("reserved", used_gpu_price(d.given("reserved_hour", usd_per_hour(reserved)), d.given("busy", busy)))}};
  sort_stably(offers, [](const Offer& a, const Offer& b) { return a.price.value < b.price.value; });
  for (std::size_t i = 1; i < offers.size(); ++i)
    if (!apart(raw(offers[i - 1].price.value), raw(offers[i].price.value))) return d.discard();
  d.prompt({count_text(busy * 100)});
  for (const Offer& offer : offers) {
    d.show(unit::kUsdPerHour, offer.price);
    d.step(offer.text, "An hour of work costs " + hourly(offer.price.value) + ".");
  }
}

constexpr Template kCostTemplates[] = {
    {"t.cloud-bill", gpu_hour},
    {"t.break-even", break_even},
    {"t.break-even-months", break_even_months},
    {"t.token-price", token_price},
    {"t.used-hour", used_hour},
    {"t.spot-price", spot_price},
    {"t.electricity-share", electricity_share},
    {"t.replicas-for-peak", replicas_for_peak},
    {"t.tco-order", tco_order},
};

}  // namespace

std::span<const Template> cost_templates() { return kCostTemplates; }

}  // namespace podwright
