#include "api/write_fabric.h"

#include "api/write_common.h"
#include "architecture/cable_schedule.h"
#include "architecture/fabric_limits.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr DisplayUnit kTbPerSecond{"_tb_per_s", "TB/s", 1e12};

void write_tier(JsonWriter& out, std::string_view name, const FabricTier<Trace>& tier) {
  out.begin_object(name);
  out.quantity("per_plane", unit::kNone, tier.per_plane);
  out.quantity("total", unit::kNone, tier.total);
  out.end_object();
}

void write_switches(JsonWriter& out, const Fabric<Trace>& fabric) {
  write_tier(out, "leaf", fabric.leaf);
  write_tier(out, "spine", fabric.spine);
  write_tier(out, "core", fabric.core);
}

void write_links(JsonWriter& out, const FabricNeed<Trace>& need, const Fabric<Trace>& fabric) {
  out.quantity("node_leaf_links", unit::kNone, fabric.node_leaf_links);
  out.quantity("leaf_spine_links", unit::kNone, fabric.leaf_spine_links);
  out.quantity("spine_core_links", unit::kNone, fabric.spine_core_links);
  out.quantity("manager_links", unit::kNone, need.manager_links);
  const bool pair = need.topology == FabricTopology::switch_pair;
  if (pair) out.quantity("inter_switch_links", unit::kNone, fabric.inter_switch_links);
  if (need.links_per_cable.value == 1) return;
  out.quantity("node_leaf_cables", unit::kNone, fabric.node_leaf_cables);
  out.quantity("leaf_spine_cables", unit::kNone, fabric.leaf_spine_cables);
  out.quantity("spine_core_cables", unit::kNone, fabric.spine_core_cables);
  if (pair) out.quantity("inter_switch_cables", unit::kNone, fabric.inter_switch_cables);
}

/// Links that are there already and must be laid anew.
std::vector<std::string> changes(const Fabric<Trace>& now, const Fabric<Trace>& larger) {
  const double spines = now.spine.total.value;
  if (spines == 0 && larger.spine.total.value > 0)
    return {"One switch is not enough: leaves and spines take its place."};
  std::vector<std::string> texts;
  const bool part_pod = now.spines_of_part_pod > 0;
  if (now.core.total.value == 0 && larger.core.total.value > 0)
    texts.emplace_back("Cores come above the spines, half of whose ports turn upwards.");
  else if (now.spines_of_group.value != larger.spines_of_group.value)
    texts.emplace_back("The leaves that are there spread their uplinks over more spines.");
  if (part_pod && larger.spine.total.value > spines)
    texts.emplace_back("The leaves of the last pod spread their uplinks over more spines.");
  if (now.core.total.value > 0 && larger.core.total.value > now.core.total.value)
    texts.emplace_back("The spines that are there spread their links over more cores.");
  return texts;
}

/// A pair that grows node by node has no scalable units.
bool has_units(const FabricNeed<Trace>& need) {
  return need.topology != FabricTopology::switch_pair || need.nodes_per_unit.value != 1;
}

}  // namespace

void write_fabric(JsonWriter& out, const FabricNeed<Trace>& need, const Fabric<Trace>& fabric) {
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

void write_next_size(JsonWriter& out, Trace& trace, const FabricNeed<Trace>& need, const Fabric<Trace>& fabric) {
  const FabricNeed<Trace> next = next_size(trace, need, fabric);
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
  const Fabric<Trace> larger = build_fabric(trace, next);
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

}  // namespace podwright
