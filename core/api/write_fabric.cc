#include "api/write_fabric.h"

#include "api/write_common.h"
#include "architecture/cable_schedule.h"
#include "architecture/fabric_limits.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr DisplayUnit kTbPerSecond{"_tb_per_s", "TB/s", 1e12};

template <class Tracer>
void write_tier(JsonWriter& out, std::string_view name, const FabricTier<Tracer>& tier) {
  out.begin_object(name);
  out.quantity("per_plane", unit::kNone, tier.per_plane);
  out.quantity("total", unit::kNone, tier.total);
  out.end_object();
}

template <class Tracer>
void write_switches(JsonWriter& out, const Fabric<Tracer>& fabric) {
  write_tier(out, "leaf", fabric.leaf);
  write_tier(out, "spine", fabric.spine);
  write_tier(out, "core", fabric.core);
}

template <class Tracer>
void write_links(JsonWriter& out, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  out.quantity("node_leaf_links", unit::kNone, fabric.node_leaf_links);
  out.quantity("leaf_spine_links", unit::kNone, fabric.leaf_spine_links);
  out.quantity("spine_core_links", unit::kNone, fabric.spine_core_links);
  out.quantity("manager_links", unit::kNone, need.manager_links);
  const bool pair = need.topology == FabricTopology::switch_pair;
  if (pair) out.quantity("inter_switch_links", unit::kNone, fabric.inter_switch_links);
  if (value_of(need.links_per_cable) == 1) return;
  out.quantity("node_leaf_cables", unit::kNone, fabric.node_leaf_cables);
  out.quantity("leaf_spine_cables", unit::kNone, fabric.leaf_spine_cables);
  out.quantity("spine_core_cables", unit::kNone, fabric.spine_core_cables);
  if (pair) out.quantity("inter_switch_cables", unit::kNone, fabric.inter_switch_cables);
}

/// Links that are there already and must be laid anew.
template <class Tracer>
std::vector<std::string> changes(const Fabric<Tracer>& now, const Fabric<Tracer>& larger) {
  const double spines = value_of(now.spine.total);
  if (spines == 0 && value_of(larger.spine.total) > 0)
    return {"One switch is not enough: leaves and spines take its place."};
  std::vector<std::string> texts;
  const bool part_pod = now.spines_of_part_pod > 0;
  if (value_of(now.core.total) == 0 && value_of(larger.core.total) > 0)
    texts.emplace_back("Cores come above the spines, half of whose ports turn upwards.");
  else if (value_of(now.spines_of_group) != value_of(larger.spines_of_group))
    texts.emplace_back("The leaves that are there spread their uplinks over more spines.");
  if (part_pod && value_of(larger.spine.total) > spines)
    texts.emplace_back("The leaves of the last pod spread their uplinks over more spines.");
  if (value_of(now.core.total) > 0 && value_of(larger.core.total) > value_of(now.core.total))
    texts.emplace_back("The spines that are there spread their links over more cores.");
  return texts;
}

/// A pair that grows node by node has no scalable units.
template <class Tracer>
bool has_units(const FabricNeed<Tracer>& need) {
  return need.topology != FabricTopology::switch_pair || value_of(need.nodes_per_unit) != 1;
}

}  // namespace

template <class Tracer>
void write_fabric(JsonWriter& out, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  out.begin_object();
  out.text("topology", word_of(need.topology, kFabricTopologyWords));
  out.quantity("tiers", unit::kNone, fabric.tiers);
  out.quantity("nodes", unit::kNone, need.nodes);
  if (has_units(need)) out.quantity("scalable_units", unit::kNone, fabric.scalable_units);
  out.quantity("max_nodes", unit::kNone, fabric.max_nodes);
  out.quantity("max_nodes_two_tiers", unit::kNone, fabric.max_nodes_two_tiers);
  write_switches(out, fabric);
  out.quantity("leaf_ports_down", unit::kNone, fabric.leaf_ports_down);
  out.quantity("uplinks", unit::kNone, fabric.uplinks);
  write_links(out, need, fabric);
  write_optional(out, "node_transceivers", unit::kNone, fabric.node_transceivers);
  write_optional(out, "switch_transceivers", unit::kNone, fabric.switch_transceivers);
  out.quantity("oversubscription", unit::kNone, fabric.oversubscription);
  write_optional(out, "spine_oversubscription", unit::kNone, fabric.spine_oversubscription);
  write_optional(out, "bisection", kTbPerSecond, fabric.bisection);
  write_optional(out, "injection_per_node", unit::kGbPerSecond, fabric.injection_per_node);
  NoTrace none;
  const FabricNeed<NoTrace> plain = plain_need(need);
  write_texts(out, "notes", fabric_notes(plain, build_fabric(none, plain)));
  out.end_object();
}

template <class Tracer>
void write_next_size(JsonWriter& out, Tracer& trace, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  const FabricNeed<Tracer> next = next_size(need, fabric);
  NoTrace none;
  const FabricNeed<NoTrace> plain = plain_need(next);
  const auto refusals = fabric_refusals(plain, build_fabric(none, plain));
  out.begin_object();
  out.quantity("nodes", unit::kNone, next.nodes);
  out.boolean("feasible", refusals.empty());
  if (!refusals.empty()) {
    out.text("message", refusals.front().message);
    out.end_object();
    return;
  }
  const Fabric<Tracer> larger = build_fabric(trace, next);
  if (has_units(next)) out.quantity("scalable_units", unit::kNone, larger.scalable_units);
  out.quantity("tiers", unit::kNone, larger.tiers);
  write_switches(out, larger);
  out.quantity("leaf_spine_links", unit::kNone, larger.leaf_spine_links);
  out.quantity("spine_core_links", unit::kNone, larger.spine_core_links);
  write_texts(out, "changes", changes(fabric, larger));
  out.end_object();
}

void write_cable_schedule(JsonWriter& out, const FabricNeed<NoTrace>& need) {
  NoTrace none;
  const CableSchedule schedule = cable_schedule(need, build_fabric(none, need));
  const auto column = [&](std::string_view name, auto text_of) {
    out.begin_list(name);
    for (const FabricLink& link : schedule.links) out.text(text_of(link));
    out.end_list();
  };
  const FabricLayout& layout = schedule.layout;
  out.begin_object();
  column("from", [&](const FabricLink& link) { return device_label(layout, link.from); });
  column("from_port", [&](const FabricLink& link) { return port_label(layout, link.from); });
  column("to", [&](const FabricLink& link) { return device_label(layout, link.to); });
  column("to_port", [&](const FabricLink& link) { return port_label(layout, link.to); });
  out.end_object();
}

template void write_fabric(JsonWriter&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void write_fabric(JsonWriter&, const FabricNeed<Trace>&, const Fabric<Trace>&);
template void write_next_size(JsonWriter&, NoTrace&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void write_next_size(JsonWriter&, Trace&, const FabricNeed<Trace>&, const Fabric<Trace>&);

}  // namespace podwright
