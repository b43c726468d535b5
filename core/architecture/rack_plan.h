#pragma once
/// Racks, feeds and PDUs of a design, its IT power, and the air and liquid that carry the heat away. One code for
/// search and explanation: templates over the tracer. docs/method/racks_and_power.md.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

/// What one rack of the site allows.
template <class Tracer>
struct RackLimits {
  std::optional<Known<Tracer, Watts>> power;  ///< absent: as many systems as are drawn
  Known<Tracer, double> rack_units;
  std::optional<Known<Tracer, double>> load_kg;  ///< absent: weight is not looked at
};

/// A three-phase circuit.
template <class Tracer>
struct Circuit {
  Known<Tracer, double> line_voltage;
  Known<Tracer, double> current;
  Known<Tracer, double> derating;
  Known<Tracer, double> power_factor;
};

/// The circuit of the data-centre design guide; absent where the catalog lacks it.
template <class Tracer>
std::optional<Circuit<Tracer>> usual_circuit(Tracer& trace, const Catalog& catalog) {
  const auto voltage = usual_figure(trace, catalog, "feed-line-voltage");
  const auto current = usual_figure(trace, catalog, "feed-current");
  const auto derating = usual_figure(trace, catalog, "feed-derating");
  const auto factor = usual_figure(trace, catalog, "feed-power-factor");
  if (!voltage || !current || !derating || !factor) return std::nullopt;
  return Circuit<Tracer>{.line_voltage = *voltage, .current = *current, .derating = *derating, .power_factor = *factor};
}

/// Systems that fit one rack, and each limit by itself; 0: not even one does.
template <class Tracer>
struct NodesInRack {
  using Count = Known<Tracer, double>;
  std::optional<Count> by_power;
  std::optional<Count> by_height;
  std::optional<Count> by_weight;
  std::optional<Count> as_drawn;  ///< most that the design's document draws
  Count nodes;                    ///< the least of them
};

/// `drawing` is the document that draws a rack of such systems, null where none does. Absent where no power of the
/// system is known, and where nothing limits a rack. A system that is a rack stands alone.
template <class Tracer>
std::optional<NodesInRack<Tracer>> nodes_in_rack(Tracer& trace, const DesignParts& parts,
                                                 const ReferenceArchitecture* drawing,
                                                 const RackLimits<Tracer>& limits) {
  using Count = Known<Tracer, double>;
  const std::optional<PlannedPower> power = planned_power(parts);
  if (parts.system == nullptr || !power) return std::nullopt;
  NodesInRack<Tracer> in_rack;
  std::optional<Count> tightest;
  const auto tighten = [&](std::string_view id, const Count& limit) {
    tightest = tightest ? named(id, tighter_limit(*tightest, limit)) : limit;
  };
  if (limits.power) {
    in_rack.by_power =
        named("architecture.nodes_per_rack_by_power",
              nodes_per_rack(*limits.power, trace.fact(*parts.power_system, power->field, power->value)));
    tighten("architecture.nodes_per_rack_by_power", *in_rack.by_power);
  }
  if (is_rack(*parts.system)) {
    tighten("architecture.nodes_per_rack", 1.0);
    in_rack.nodes = *tightest;
    return in_rack;
  }
  const System& body = body_of(parts);
  if (body.rack_units) {
    in_rack.by_height = named("architecture.nodes_per_rack_by_height",
                              nodes_by_height(limits.rack_units, trace.fact(body, "rack_units", *body.rack_units)));
    tighten("architecture.nodes_per_rack_of_two", *in_rack.by_height);
  }
  if (body.weight_kg && limits.load_kg) {
    in_rack.by_weight = named("architecture.nodes_per_rack_by_weight",
                              nodes_by_weight(*limits.load_kg, trace.fact(body, "weight_kg", *body.weight_kg)));
    tighten("architecture.nodes_per_rack_of_three", *in_rack.by_weight);
  }
  if (drawing != nullptr && drawing->site.nodes_per_rack) {
    in_rack.as_drawn = trace.fact(*drawing, "racks.nodes_per_rack", *drawing->site.nodes_per_rack);
    tighten("architecture.nodes_per_rack", *in_rack.as_drawn);
  }
  if (!tightest) return std::nullopt;
  in_rack.nodes = *tightest;
  return in_rack;
}

/// The feeds of one rack.
template <class Tracer>
struct RackFeeds {
  Known<Tracer, Watts> feed_power;  ///< of one feed
  Known<Tracer, double> feeds;      ///< with the one that may be lost
  Known<Tracer, Watts> after_loss;  ///< on each of the others
};

template <class Tracer>
RackFeeds<Tracer> rack_feeds(const Known<Tracer, Watts>& rack_power, const Circuit<Tracer>& circuit) {
  const auto apparent = named("architecture.feed_apparent_power",
                              feed_apparent_power(circuit.line_voltage, circuit.current, circuit.derating));
  RackFeeds<Tracer> feeds;
  feeds.feed_power = named("architecture.feed_power", apparent * circuit.power_factor);
  feeds.feeds = named("architecture.feeds_per_rack", feeds_per_rack(rack_power, feeds.feed_power));
  feeds.after_loss = named("architecture.feed_load_after_loss", feed_load_after_loss(rack_power, feeds.feeds));
  return feeds;
}

/// Switches beside the systems.
template <class Tracer>
struct SwitchCount {
  std::string role;  ///< compute, storage, in-band, out-of-band
  const Switch* item = nullptr;
  Known<Tracer, double> count{};
};

/// Maximum draw of systems and switches. Storage systems and management servers are not in it: no document tells
/// theirs.
template <class Tracer>
struct ItPower {
  Known<Tracer, Watts> systems;
  Known<Tracer, Watts> switches;
  Known<Tracer, Watts> total;
  std::vector<std::string> not_known;  ///< switches that draw more than is counted, one sentence each
};

template <class Tracer>
std::optional<ItPower<Tracer>> it_power(Tracer& trace, const DesignParts& parts, const Known<Tracer, double>& nodes,
                                        const std::vector<SwitchCount<Tracer>>& switches) {
  using Power = Known<Tracer, Watts>;
  const std::optional<PlannedPower> power = planned_power(parts);
  if (!power) return std::nullopt;
  ItPower<Tracer> it;
  it.systems = named("architecture.systems_power", nodes * trace.fact(*parts.power_system, power->field, power->value));
  std::vector<Power> parts_of_switches;
  for (const SwitchCount<Tracer>& group : switches) {
    if (value_of(group.count) == 0) continue;
    const std::string name = group.item != nullptr
                                 ? group.item->name
                                 : "the " + std::string(group.role) + " switches, which the document does not name";
    const std::optional<PlannedPower> draw = group.item == nullptr ? std::nullopt : planned_power(*group.item);
    if (!draw) {
      it.not_known.push_back("Power of " + name + ": no public figure was found; the sums are without it.");
      continue;
    }
    if (!group.item->power_max)
      it.not_known.push_back("Power of " + name +
                             ": the public figure is the typical one with passive cables; optical cables add to it.");
    parts_of_switches.push_back(
        named("architecture.switches_power", group.count * trace.fact(*group.item, draw->field, draw->value)));
  }
  it.switches = trace.sum("architecture.all_switches_power", parts_of_switches);
  it.total = trace.sum("architecture.it_power_with_switches", std::vector<Power>{it.systems, it.switches});
  return it;
}

template <class Tracer>
struct RackPlan {
  using Count = Known<Tracer, double>;
  using Power = Known<Tracer, Watts>;
  NodesInRack<Tracer> in_rack;
  Count compute_racks;
  std::optional<Count> drawn_other_racks;  ///< of the document's drawing, scaled to this number of units
  Count other_racks;                       ///< of networks and management
  Count racks;
  Power rack_power;                        ///< of a full compute rack
  std::optional<Count> rack_weight_kg;     ///< of its systems, without the rack
  std::optional<RackFeeds<Tracer>> feeds;  ///< of a full compute rack; absent where no circuit is known
  std::optional<Count> compute_pdus;
  std::optional<Count> other_pdus;
  std::optional<Count> pdus;
  std::optional<Count> floor_m2;  ///< absent where the catalog has no footprint
};

/// Racks and PDUs. `drawing` as in nodes_in_rack(). `packed_other_racks` is what pack_racks() needs for the devices
/// beside the systems, which draw `network_power`. Absent where a rack takes no system, or where no power is known.
template <class Tracer>
std::optional<RackPlan<Tracer>> rack_plan(Tracer& trace, const Catalog& catalog, const DesignParts& parts,
                                          const ReferenceArchitecture* drawing, const Known<Tracer, double>& nodes,
                                          const std::optional<Known<Tracer, double>>& scalable_units,
                                          const RackLimits<Tracer>& limits,
                                          const std::optional<Circuit<Tracer>>& circuit, double packed_other_racks,
                                          const Known<Tracer, Watts>& network_power = {}) {
  using Count = Known<Tracer, double>;
  const auto in_rack = nodes_in_rack(trace, parts, drawing, limits);
  if (!in_rack || value_of(in_rack->nodes) < 1) return std::nullopt;
  RackPlan<Tracer> plan;
  plan.in_rack = *in_rack;
  plan.compute_racks = named("architecture.compute_racks", rack_count(nodes, in_rack->nodes));
  const PlannedPower power = *planned_power(*parts.power_system);
  plan.rack_power =
      named("architecture.rack_power", in_rack->nodes * trace.fact(*parts.power_system, power.field, power.value));
  const System& body = parts.system->weight_kg ? *parts.system : *parts.power_system;
  if (body.weight_kg)
    plan.rack_weight_kg =
        named("architecture.rack_weight", in_rack->nodes * trace.fact(body, "weight_kg", *body.weight_kg));

  // Racks beside those of the systems: what the document draws, scaled, and at least what the devices need.
  const DrawnBuild* drawn = drawing == nullptr ? nullptr : &drawing->site.drawn;
  std::optional<Count> drawn_compute;
  std::optional<Count> drawn_other;
  const auto drawn_fact = [&](std::string_view field, const std::optional<double>& value) {
    return trace.fact(*drawing, field, *value);
  };
  if (drawn != nullptr && drawn->racks && drawn->nodes && in_rack->as_drawn) {
    drawn_compute = named("architecture.drawn_compute_racks",
                          rack_count(drawn_fact("racks.drawn_nodes", drawn->nodes), *in_rack->as_drawn));
    drawn_other =
        named("architecture.drawn_other_racks", drawn_fact("racks.total_racks_4su", drawn->racks) - *drawn_compute);
  }
  const Count packed =
      trace.method("architecture.packed_racks", packed_other_racks, "docs/method/racks_and_power.md#elevations");
  plan.other_racks = packed;
  if (drawn_other && scalable_units && drawn->units) {
    plan.drawn_other_racks =
        named("architecture.scaled_other_racks",
              scaled_drawing(*drawn_other, *scalable_units, drawn_fact("racks.drawn_units", drawn->units)));
    plan.other_racks = named("architecture.other_racks", at_least(*plan.drawn_other_racks, packed));
  }
  plan.racks = named("architecture.all_racks", plan.compute_racks + plan.other_racks);

  if (circuit) plan.feeds = rack_feeds(plan.rack_power, *circuit);
  std::optional<Count> pdus_per_rack;
  if (drawing != nullptr && drawing->site.rack_pdus_per_rack)
    pdus_per_rack = drawn_fact("racks.rack_pdus_per_rack", drawing->site.rack_pdus_per_rack);
  else if (drawn_compute && drawn->compute_rack_pdus)
    pdus_per_rack = named("architecture.pdus_per_compute_rack",
                          drawn_fact("pdus_4su.compute", drawn->compute_rack_pdus) / *drawn_compute);
  // One at the end of each feed; as many as are drawn where a rack holds what the drawing shows.
  const bool as_drawn = in_rack->as_drawn && value_of(in_rack->nodes) == value_of(*in_rack->as_drawn);
  if (pdus_per_rack && plan.feeds && as_drawn)
    pdus_per_rack = named("architecture.pdus_per_rack_at_least", at_least(*pdus_per_rack, plan.feeds->feeds));
  else if (plan.feeds)
    pdus_per_rack = plan.feeds->feeds;
  if (is_rack(*parts.system))
    plan.compute_pdus = 0.0;
  else if (pdus_per_rack)
    plan.compute_pdus = named("architecture.compute_pdus", plan.compute_racks * *pdus_per_rack);
  if (value_of(plan.other_racks) == 0) {
    plan.other_pdus = plan.other_racks;
  } else if (drawn_other && drawn->other_rack_pdus) {
    const auto per_rack =
        named("architecture.pdus_per_other_rack", drawn_fact("pdus_4su.other", drawn->other_rack_pdus) / *drawn_other);
    plan.other_pdus = named("architecture.other_pdus", plan.other_racks * per_rack);
  } else if (circuit) {
    // Not drawn anywhere: by what a rack of them draws on average.
    const auto feeds =
        rack_feeds(named("architecture.network_rack_power", power_of_each(network_power, plan.other_racks)), *circuit);
    plan.other_pdus = named("architecture.other_pdus", plan.other_racks * feeds.feeds);
  }
  if (plan.compute_pdus && plan.other_pdus)
    plan.pdus = trace.sum("architecture.pdus", std::vector<Count>{*plan.compute_pdus, *plan.other_pdus});

  const auto width = usual_figure(trace, catalog, "rack-width");
  const auto depth = usual_figure(trace, catalog, "rack-depth");
  const auto cold = usual_figure(trace, catalog, "cold-aisle");
  const auto hot = usual_figure(trace, catalog, "hot-aisle");
  if (width && depth && cold && hot)
    plan.floor_m2 = named("architecture.floor",
                          plan.racks * named("architecture.rack_floor", rack_floor_m2(*width, *depth, *cold, *hot)));
  return plan;
}

/// Heat of some machines and what carries it away.
template <class Tracer>
struct CoolingNumbers {
  using Flow = Known<Tracer, double>;
  using Power = Known<Tracer, Watts>;
  Flow btu_per_h;
  std::optional<Power> liquid;  ///< absent for systems cooled by air, and where the share is not known
  std::optional<Flow> liquid_l_per_min;
  std::optional<Power> air;  ///< absent where a system has a liquid loop and the share is not known
  std::optional<Flow> air_m3_per_h;
  std::optional<Flow> air_cfm;
};

/// `heat` is that of systems (`system` says how they are cooled), or of devices cooled by air (`system` null).
template <class Tracer>
CoolingNumbers<Tracer> cooling_numbers(Tracer& trace, const Known<Tracer, Watts>& heat, const System* system,
                                       const Known<Tracer, double>& air_rise_k,
                                       const Known<Tracer, double>& liquid_rise_k) {
  CoolingNumbers<Tracer> cooling;
  cooling.btu_per_h = named("architecture.heat", heat_btu_per_h(heat));
  const bool liquid = system != nullptr && needs_liquid(*system);
  if (!liquid) cooling.air = heat;
  if (liquid && system->liquid_heat_fraction) {
    const auto share = trace.fact(*system, "liquid_heat_fraction", *system->liquid_heat_fraction);
    cooling.liquid = named("architecture.liquid_heat", heat * share);
    cooling.liquid_l_per_min = named("architecture.liquid_flow", water_flow_l_per_min(*cooling.liquid, liquid_rise_k));
    cooling.air = named("architecture.air_heat", heat - *cooling.liquid);
  }
  if (cooling.air) {
    const auto flow = named("architecture.air_flow", air_flow_m3_per_s(*cooling.air, air_rise_k));
    cooling.air_m3_per_h = named("architecture.air_flow_m3_per_h", air_flow_m3_per_h(flow));
    cooling.air_cfm = named("architecture.air_flow_cfm", air_flow_cfm(flow));
  }
  return cooling;
}

/// Modules and battery of an uninterruptible supply.
template <class Tracer>
struct UpsNumbers {
  Known<Tracer, double> modules;
  Known<Tracer, Joules> energy;
};

template <class Tracer>
UpsNumbers<Tracer> ups_numbers(const Known<Tracer, Watts>& load, const Known<Tracer, Watts>& module_power,
                               const Known<Tracer, Seconds>& ride_through) {
  return {.modules = named("architecture.ups_modules", ups_modules(load, module_power)),
          .energy = named("architecture.ups_energy", load * ride_through)};
}

}  // namespace podwright
