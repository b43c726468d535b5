/// Power, heat, racks and the floor.
#include <cmath>

#include "architecture/design_size.h"
#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/ownership_formulas.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/quantity_text.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr std::string_view kAirSystems[] = {"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200"};
constexpr DisplayUnit kMwh{"_mwh", "MWh", 3.6e9};
constexpr DisplayUnit kLitresPerMinute{"", "l/min", 1.0};
constexpr DisplayUnit kCubicMetres{"", "m3/s", 1.0};
constexpr DisplayUnit kKgPerM2{"", "kg/m2", 1.0};

Traced<Watts> power_of(Draft& d, const System& system) { return d.fact(system, "power_kw_max", system.power_max); }

std::string kw_text(Watts power) { return in_unit_text(raw(power) / 1e3, "kW"); }

/// What the electricity of some systems costs in a year; without a price that of the United States.
void open_energy(Draft& d, const System& system, double nodes, double load, double pue, std::optional<double> price) {
  d.planner(planner::kCost, [&](JsonWriter& r) {
    r.number("gpu_count", nodes * system.gpu_count);
    r.number("utilization", 1);
    r.begin_object("on_premises");
    r.quantity("it_power", unit::kKw, nodes * *system.power_max);
    r.number("load", load);
    r.number("pue", pue);
    if (price)
      r.number("electricity_usd_per_kwh", *price);
    else
      r.text("region", "USA");
    r.end_object();
  });
}

/// A design of a given number of systems in racks of this power.
template <class Fill>
void open_systems(Draft& d, const System& system, double nodes, const Fill& fill) {
  open_design(d, system.gpus.back(), nodes * system.gpu_count, fill);
}

double drawn_pue(Draft& d) { return d.whole(110, 180, 5) / 100; }

void facility(Draft& d) {
  const System& system = d.system(kAirSystems);
  const double nodes = d.whole(4, 64, 2);
  const double load = d.whole(60, 95, 5) / 100;
  const double pue = drawn_pue(d);
  d.prompt({count_text(nodes), system.name, kw_text(*system.power_max), count_text(load * 100), count_text(pue)});
  const auto it = named("it_power", d.given("nodes", nodes) * power_of(d, system));
  const auto all = named("facility_power", facility_power(it, d.given("load", load), d.given("pue", pue)));
  d.ask(unit::kKw, all);
  open_energy(d, system, nodes, load, pue, {});
  d.wrong("pue-forgotten", it.value * load);
  d.wrong("divides-by-pue", it.value * load / pue);
  d.wrong("load-forgotten", it.value * pue);
  d.wrong("pue-forgotten", it.value, "This is the machines' maximum, without the mean load and without the PUE.");
  d.wrong("one-gpu-only", all.value / nodes, "This is the draw of one system.");
}

void yearly_energy(Draft& d) {
  const double kilowatts = d.whole(20, 900, 10);
  const double pue = drawn_pue(d);
  d.prompt({count_text(kilowatts), count_text(pue)});
  const auto power = named(
      "facility_power", facility_power(d.given("it_power", kw(kilowatts)), d.given("load", 1.0), d.given("pue", pue)));
  const auto energy = named("energy", energy_per_year(power));
  d.ask(kMwh, energy);
  d.wrong("pue-forgotten", energy.value / pue);
  d.wrong("divides-by-pue", energy.value / (pue * pue));
  d.wrong("kw-for-kwh", energy.value / 24.0,
          "This multiplies the power by 365, the days of a year, and not by its hours.");
  d.wrong("kw-for-kwh", energy.value / 12.0, "This takes the 730 hours of a month for those of a year.");
  d.wrong("wrong-time-unit", energy.value / 3.6);
}

void energy_bill(Draft& d) {
  const System& system = d.system(kAirSystems);
  const double nodes = d.whole(1, 32);
  const double price = d.whole(6, 30) / 100;
  const double pue = drawn_pue(d);
  d.prompt({counted(nodes, system.name), (nodes == 1 ? "s " : " "), kw_text(*system.power_max),
            (nodes == 1 ? "" : " each"), count_text(pue), dollars_text(price)});
  const auto it = named("it_power", d.given("nodes", nodes) * power_of(d, system));
  const auto all = named("facility_power", facility_power(it, d.given("load", 1.0), d.given("pue", pue)));
  const auto cost = named("energy_cost", energy_cost(all, d.given("price", usd_per_kwh(price))));
  d.ask({"_usd_per_year", "USD a year", 1.0 / 31536000.0}, cost);
  open_energy(d, system, nodes, 1, pue, price);
  d.wrong("pue-forgotten", cost.value / pue);
  d.wrong("divides-by-pue", cost.value / (pue * pue));
  d.wrong("kw-for-kwh", cost.value / 24.0,
          "This multiplies the power by 365, the days of a year, and not by its hours.");
  d.wrong("kw-for-kwh", cost.value / 12.0, "This takes the 730 hours of a month for those of a year.");
  if (nodes > 1) d.wrong("one-gpu-only", cost.value / nodes, "This is the bill of one system.");
}

void pue_of_site(Draft& d) {
  const double it = d.whole(200, 2000, 20);
  const double pue = d.whole(108, 190, 1) / 100;
  const double site = std::floor(it * pue + 0.5);
  d.drawing("meter                     mean power\nutility feed              " + count_text(site) +
            " kW\nIT load (rack PDUs)       " + count_text(it) + " kW\ncooling and losses        " +
            count_text(site - it) + " kW");
  d.prompt({});
  const auto ratio = named("pue", d.given("site_power", site) / d.given("it_power", it));
  d.ask(unit::kNone, ratio);
  d.wrong("divides-by-pue", it / site, "This inverts the ratio; a PUE is at least 1.");
  d.wrong("pue-forgotten", (site - it) / it, "This compares cooling and losses alone with the IT load.");
  d.wrong("ridge-inverted", site / (site - it), "This divides by cooling and losses instead of the IT load.");
  d.wrong("pue-forgotten", (site + site - it) / it,
          "This counts cooling and losses twice; the utility feed has them already.");
}

void rack_nodes(Draft& d) {
  const System& system = d.system(kAirSystems);
  const double units = d.pick({42, 44, 48, 52});
  const double reserved = d.whole(2, 8);
  const double kilowatts = d.whole(15, 60, 1);
  d.prompt({count_text(units), count_text(reserved), count_text(kilowatts), system.name, count_text(*system.rack_units),
            kw_text(*system.power_max)});
  const auto by_height = named("by_height", nodes_by_height(d.given("usable_units", units - reserved),
                                                            d.fact(system, "rack_units", system.rack_units)));
  const auto by_power = named("by_power", nodes_per_rack(d.given("rack_power", kw(kilowatts)), power_of(d, system)));
  const auto both = named("nodes", tighter_limit(by_height, by_power));
  if (both.value < 1 || by_height.value == by_power.value) return d.discard();
  d.ask(unit::kNone, both);
  open_systems(d, system, both.value, [&](JsonWriter& r) {
    r.number("rack_power_kw", kilowatts);
    r.number("rack_units", units - reserved);
  });
  d.wrong("height-alone", by_height.value);
  d.wrong("power-alone", by_power.value);
  d.wrong("rounded-to-pairs", both.value + 1, "One of them exceeds the tighter limit.");
  d.wrong("rounded-to-pairs", both.value + 2, "Two of them exceed the tighter limit.");
  d.wrong("off-by-one", both.value - 1, "One more still fits by height and by power.");
  d.wrong("height-alone", std::floor(units / *system.rack_units));
}

void rack_count_of_gpus(Draft& d) {
  const System& system = d.system(kAirSystems);
  const double gpus = d.whole(40, 1200, 8);
  const double kilowatts = d.whole(15, 60, 5);
  d.prompt({count_text(kilowatts), count_text(gpus), system.name, kw_text(*system.power_max)});
  const auto nodes = named("nodes", node_count(d.given("gpus", gpus), d.fact(system, "gpu_count", system.gpu_count)));
  const auto each = named("nodes_per_rack", nodes_per_rack(d.given("rack_power", kw(kilowatts)), power_of(d, system)));
  if (each.value < 1) return d.discard();
  d.ask(unit::kNone, named("racks", rack_count(nodes, each)), 0);
  open_systems(d, system, nodes.value, [&](JsonWriter& r) { r.number("rack_power_kw", kilowatts); });
}

void liquid_share(Draft& d) {
  const double kilowatts = d.whole(60, 150, 5);
  const double share = d.whole(60, 95, 1) / 100;
  const double racks = d.whole(1, 16);
  d.prompt({counted(racks, "rack"), count_text(kilowatts), (racks == 1 ? "s " : " "), count_text(share * 100)});
  const auto heat = named("heat", d.given("racks", racks) * d.given("rack_power", kw(kilowatts)));
  const auto liquid = named("liquid_heat", heat * d.given("liquid_share", share));
  d.ask(unit::kKw, named("air_heat", heat - liquid), 0.02);
}

void water_flow(Draft& d) {
  const double kilowatts = d.whole(30, 150, 5);
  const double rise = d.whole(5, 15);
  d.prompt({count_text(kilowatts), count_text(rise)});
  const auto flow =
      named("flow", water_flow_l_per_min(d.given("heat", kw(kilowatts)), d.given("temperature_rise", rise)));
  d.ask(kLitresPerMinute, flow);
  d.wrong("wrong-time-unit", flow.value / 60);
  d.wrong("samples-forgotten", flow.value * rise, "This leaves the temperature rise out.");
  d.wrong("unit-factor", flow.value / 3.6, "This is off by the 3.6 between kJ and Wh.");
  d.wrong("unit-factor", flow.value / 2, "With half the water the loop would warm twice as much.");
  d.wrong("unit-factor", flow.value * 2, "With twice the water the loop would warm half as much.");
}

void air_flow(Draft& d) {
  const double kilowatts = d.whole(8, 60, 2);
  const double rise = d.whole(8, 20);
  d.prompt({count_text(kilowatts), count_text(rise)});
  d.ask(kCubicMetres,
        named("flow", air_flow_m3_per_s(d.given("heat", kw(kilowatts)), d.given("temperature_rise", rise))), 0.02);
}

void heat_in_btu(Draft& d) {
  const System& system = d.system(kAirSystems);
  const double nodes = d.whole(1, 40);
  d.prompt({(nodes == 1 ? "does " : "do "), counted(nodes, system.name), kw_text(*system.power_max)});
  const auto heat = named("heat", d.given("nodes", nodes) * power_of(d, system));
  const auto btu = named("btu_per_h", heat_btu_per_h(heat));
  d.ask({"", "kBTU/h", 1e3}, btu);
  open_systems(d, system, nodes, [](JsonWriter&) {});
  d.wrong("unit-factor", btu.value / (3.412 * 3.412));
  d.wrong("unit-factor", raw(heat.value), "These are kilowatts; the factor to BTU per hour is left out.");
  d.wrong("load-forgotten", btu.value / 2, "This takes half the load; full power is asked for.");
  if (nodes > 1) d.wrong("one-gpu-only", btu.value / nodes, "This is the heat of one system.");
  d.wrong("pue-forgotten", btu.value * 1.3, "This adds 30 % for the building; the heat of the machines is asked for.");
}

void feed(Draft& d) {
  const double voltage = d.pick({208, 400, 415});
  const double current = d.pick({16, 30, 32, 60, 63});
  d.prompt({count_text(voltage), count_text(current)});
  const auto apparent = named(
      "apparent_power",
      feed_apparent_power(d.given("line_voltage", voltage), d.given("current", current), d.given("derating", 0.8)));
  const auto power = named("power", apparent * d.given("power_factor", 0.95));
  d.ask(unit::kKw, power);
  open_any_design(d, kAnyDesignGpus, [&](JsonWriter& r) {
    r.begin_object("circuit");
    r.number("line_voltage_v", voltage);
    r.number("current_a", current);
    r.number("derating", 0.8);
    r.number("power_factor", 0.95);
    r.end_object();
  });
  d.wrong("derating-forgotten", power.value / 0.8);
  d.wrong("single-phase", power.value / std::sqrt(3.0));
  d.wrong("single-phase", power.value * std::sqrt(3.0),
          "This multiplies by 3; between lines the factor is the square root of 3.");
  d.wrong("derating-forgotten", apparent.value, "This leaves the power factor out: it is in kVA, not in kW.");
  d.wrong("derating-forgotten", apparent.value / 0.8, "This leaves out both the 80 % and the power factor.");
}

void feeds_of_rack(Draft& d) {
  const double rack = d.whole(12, 60);
  const double circuit = d.pick({8.6, 11, 17.3, 22, 32.7});
  d.prompt({count_text(rack), count_text(circuit)});
  const auto feeds =
      named("feeds", feeds_per_rack(d.given("rack_power", kw(rack)), d.given("feed_power", kw(circuit))));
  d.ask(unit::kNone, feeds);
  d.wrong("redundancy-forgotten", feeds.value - 1);
  d.wrong("rounded-to-pairs", 2 * (feeds.value - 1) == feeds.value ? feeds.value + 2 : 2 * (feeds.value - 1),
          "One circuit may fail at a time; a second set of all of them is more than asked for.");
  d.wrong("rounded-to-pairs", feeds.value + 1, "This has two spare circuits; one is asked for.");
  d.wrong("ceiling-forgotten", feeds.value - 2, "This rounds down and has no spare.");
}

void ups(Draft& d) {
  const double load = d.whole(150, 2400, 10);
  const double module_kw = d.pick({50, 100, 200, 250, 500});
  d.prompt({count_text(module_kw), count_text(load)});
  d.ask(unit::kNone, named("modules", ups_modules(d.given("load", kw(load)), d.given("module_power", kw(module_kw)))),
        0);
}

void ups_batteries(Draft& d) {
  const double load = d.whole(100, 2000, 20);
  const double minutes = d.whole(3, 20);
  d.prompt({count_text(load), count_text(minutes)});
  const auto energy = named("energy", d.given("load", kw(load)) * d.given("ride_through", seconds(60 * minutes)));
  d.ask(unit::kKwh, energy);
  d.wrong("kw-for-kwh", kwh(load));
  d.wrong("wrong-time-unit", energy.value * 60.0);
  d.wrong("wrong-time-unit", energy.value * 2.0, "This is the energy of twice the time.");
  d.wrong("wrong-time-unit", energy.value * 6.0, "This divides the minutes by 10; an hour has 60.");
  d.wrong("wrong-time-unit", energy.value / 2.0, "This is the energy of half the time.");
}

void floor_load(Draft& d) {
  const System& system = d.system({"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200"});
  const double count = d.whole(2, 4);
  const double width = d.pick({0.6, 0.7, 0.8});
  const double depth = d.pick({1.0, 1.1, 1.2});
  const double empty = d.whole(100, 200, 10);
  d.prompt({count_text(empty), count_text(width), count_text(depth), count_text(count), system.name,
            count_text(*system.weight_kg)});
  const auto inside =
      named("devices_weight", d.given("devices", count) * d.fact(system, "weight_kg", system.weight_kg));
  const auto all = named("rack_weight", inside + d.given("empty_rack", empty));
  const auto load = named("floor_load", floor_load_kg_per_m2(all, d.given("width", width), d.given("depth", depth)));
  d.ask(kKgPerM2, load);
  open_system(d, system);
  d.wrong("residual-forgotten", load.value * inside.value / all.value, "This leaves the weight of the empty rack out.");
  d.wrong("residual-forgotten", all.value, "This is the weight in kg; it is not divided by the area.");
  d.wrong("residual-forgotten", all.value / width, "This divides by the width alone.");
  d.wrong("one-gpu-only", (inside.value / count + empty) / (width * depth), "This counts one system in the rack.");
}

/// What a room that takes so much heat by air can do with a rack.
void cooling_choice(Draft& d) {
  const bool rack_scale = d.index(3) == 0;
  const double air = d.whole(12, 48, 2);
  const System& system = rack_scale ? d.system({"gb200-nvl72"}) : d.system(kAirSystems);
  const double nodes = rack_scale ? 1 : d.whole(2, 5);
  const auto power = named("rack_power", d.given("systems", nodes) * power_of(d, system));
  const auto fit = named("systems_per_rack", nodes_per_rack(d.given("air_limit", kw(air)), power_of(d, system)));
  d.show(unit::kKw, power);
  const double ratio = raw(power.value) / kw(air).base_units();
  if (ratio > 0.93 && ratio < 1.07) return d.discard();
  d.show(unit::kNone, fit);
  const bool spread = ratio > 1 && fit.value >= 1;
  d.prompt({count_text(air), (rack_scale ? std::string("One ") : count_text(nodes) + " "), system.name,
            (rack_scale ? "s " : " "), kw_text(*system.power_max), (rack_scale ? "" : " each"),
            (rack_scale ? "it?" : "all of them?")});
  const std::string as_it_is = "air as it is, in one rack";
  const std::string apart_text = "air as it is, spread over more racks";
  const std::string liquid = "a liquid loop to the machines, and air for the rest";
  const std::string nothing = "air as it is, as the machines draw less on average";
  const std::string draws =
      "The machines draw " + kw_text(power.value) + " together and the room takes " + count_text(air) + " kW per rack.";
  const std::string& right = ratio < 1 ? as_it_is : spread ? apart_text : liquid;
  d.right(right, draws);
  for (const std::string* option : {&as_it_is, &apart_text, &liquid, &nothing}) {
    if (*option == right) continue;
    if (option == &as_it_is)
      d.mistaken("height-alone", *option);
    else if (option == &apart_text)
      d.wrong(*option,
              ratio < 1 ? "One rack suffices: " + draws : "No air rack of this room takes even one of them: " + draws);
    else if (option == &liquid)
      d.wrong(*option, "It would work, but air suffices. " + draws);
    else
      d.wrong(*option, "Cooling must take the maximum: all GPUs may be busy at once.");
  }
  d.conclude(draws);
}

constexpr Template kSiteTemplates[] = {
    {"t.facility-power", facility},   {"t.yearly-energy", yearly_energy},
    {"t.energy-bill", energy_bill},   {"t.pue-of-site", pue_of_site},
    {"t.rack-nodes", rack_nodes},     {"t.rack-count", rack_count_of_gpus},
    {"t.liquid-share", liquid_share}, {"t.water-flow", water_flow},
    {"t.air-flow", air_flow},         {"t.heat-btu", heat_in_btu},
    {"t.feed-power", feed},           {"t.rack-feeds", feeds_of_rack},
    {"t.ups-modules", ups},           {"t.ups-energy", ups_batteries},
    {"t.floor-load", floor_load},     {"t.cooling-choice", cooling_choice},
};

}  // namespace

std::span<const Template> site_templates() { return kSiteTemplates; }

}  // namespace podwright
