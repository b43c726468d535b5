#include "api/design_table.h"

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "architecture/cable_schedule.h"
#include "architecture/fabric.h"
#include "base/infeasible.h"
#include "base/words.h"

namespace podwright {

namespace {

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

/// Absent where there is none.
template <class Tracer>
std::optional<Message> refusal_of(const FabricNeed<Tracer>& need) {
  NoTrace none;
  const FabricNeed<NoTrace> plain = plain_need(need);
  const auto refusals = fabric_refusals(plain, build_fabric(none, plain));
  if (refusals.empty()) return std::nullopt;
  return refusals.front().message;
}

constexpr AnswerField kTiers{"tiers"};
constexpr AnswerField kNodes{"nodes"};
constexpr AnswerField kUnits{"scalable_units", "Scalable units (groups built whole)"};

}  // namespace

template <class Table, class Tracer>
void describe(Table& v, const FabricTier<Tracer>& tier) {
  v.number({"per_plane"}, tier.per_plane);
  v.number({"total"}, tier.total);
}

template <class Table, class Tracer>
void describe_switches(Table& v, const Fabric<Tracer>& fabric) {
  v.object({"leaf"}, fabric.leaf);
  v.object({"spine"}, fabric.spine);
  v.object({"core"}, fabric.core);
}

template <class Table, class Tracer>
void describe_links(Table& v, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  v.number({"node_leaf_links", "Links from nodes to leaves"}, fabric.node_leaf_links);
  v.number({"leaf_spine_links", "Links from leaves to spines"}, fabric.leaf_spine_links);
  v.number({"spine_core_links", "Links from spines to cores"}, fabric.spine_core_links);
  v.number({"manager_links", "Links of the fabric manager"}, need.manager_links);
  const bool pair = need.topology == FabricTopology::switch_pair;
  if (const auto part = v.when(pair))
    v.number({"inter_switch_links", "Links between the switches"}, fabric.inter_switch_links);
  if (const auto part = v.when(value_of(need.links_per_cable) != 1)) {
    v.number({"node_leaf_cables", "Cables from nodes to leaves"}, fabric.node_leaf_cables);
    v.number({"leaf_spine_cables", "Cables from leaves to spines"}, fabric.leaf_spine_cables);
    v.number({"spine_core_cables", "Cables from spines to cores"}, fabric.spine_core_cables);
    if (const auto of_pair = v.when(pair))
      v.number({"inter_switch_cables", "Cables between the switches"}, fabric.inter_switch_cables);
  }
}

template <class Table, class Tracer>
void describe_fabric(Table& v, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  v.word({"topology"}, need.topology, kFabricTopologyWords);
  v.number(kTiers, fabric.tiers);
  v.number(kNodes, need.nodes);
  if (const auto part = v.when(has_units(need))) v.number(kUnits, fabric.scalable_units);
  v.number({"max_nodes", "Maximum nodes"}, fabric.max_nodes);
  v.number({"max_nodes_two_tiers", "Maximum nodes with two tiers"}, fabric.max_nodes_two_tiers);
  describe_switches(v, fabric);
  v.number({"leaf_ports_down", "Leaf ports to nodes"}, fabric.leaf_ports_down);
  v.number({"uplinks", "Leaf ports to spines"}, fabric.uplinks);
  describe_links(v, need, fabric);
  v.number({"node_transceivers", "Transceivers at nodes"}, fabric.node_transceivers);
  v.number({"switch_transceivers", "Transceivers at switches"}, fabric.switch_transceivers);
  v.number({"oversubscription"}, fabric.oversubscription);
  v.number({"spine_oversubscription"}, fabric.spine_oversubscription);
  v.number({"bisection_tb_per_s", "Bisection bandwidth", unit::kTbPerSecond}, fabric.bisection);
  v.number({"injection_per_node_gb_per_s", "Injection bandwidth per node", unit::kGbPerSecond},
           fabric.injection_per_node);
  v.texts({"notes"}, [&] {
    NoTrace none;
    const FabricNeed<NoTrace> plain = plain_need(need);
    return fabric_notes(plain, build_fabric(none, plain));
  });
}

template <class Table, class Tracer>
void describe_next_size(Table& v, Tracer& trace, const FabricNeed<Tracer>& need, const Fabric<Tracer>& fabric) {
  const FabricNeed<Tracer> next = v.real() ? next_size(need, fabric) : need;
  const std::optional<Message> refusal = v.real() ? refusal_of(next) : std::nullopt;
  v.number(kNodes, next.nodes);
  v.flag({"feasible"}, !refusal);
  v.fields(refusal, [&](const Message& message) { describe_message(v, message); });
  if (refusal) return;
  if (const auto part = v.when(true)) {
    const Fabric<Tracer> larger = v.real() ? build_fabric(trace, next) : fabric;
    if (const auto units = v.when(has_units(next))) v.number(kUnits, larger.scalable_units);
    v.number(kTiers, larger.tiers);
    describe_switches(v, larger);
    v.number({"leaf_spine_links", "Links from leaves to spines"}, larger.leaf_spine_links);
    v.number({"spine_core_links", "Links from spines to cores"}, larger.spine_core_links);
    v.texts({"changes"}, changes(fabric, larger));
  }
}

void describe_cable_schedule(auto& v, const FabricNeed<NoTrace>& need) {
  NoTrace none;
  const CableSchedule schedule = v.real() ? cable_schedule(need, build_fabric(none, need)) : CableSchedule{};
  const FabricLayout& layout = schedule.layout;
  v.column({"from"}, schedule.links, [&](const FabricLink& link) { return device_label(layout, link.from); });
  v.column({"from_port"}, schedule.links, [&](const FabricLink& link) { return port_label(layout, link.from); });
  v.column({"to"}, schedule.links, [&](const FabricLink& link) { return device_label(layout, link.to); });
  v.column({"to_port"}, schedule.links, [&](const FabricLink& link) { return port_label(layout, link.to); });
}

template void describe_fabric(AnswerWriter&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void describe_next_size(AnswerWriter&, NoTrace&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void describe_fabric(AnswerWriter&, const FabricNeed<Trace>&, const Fabric<Trace>&);
template void describe_next_size(AnswerWriter&, Trace&, const FabricNeed<Trace>&, const Fabric<Trace>&);
template void describe_fabric(AnswerShape&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void describe_next_size(AnswerShape&, NoTrace&, const FabricNeed<NoTrace>&, const Fabric<NoTrace>&);
template void describe_fabric(AnswerShape&, const FabricNeed<Trace>&, const Fabric<Trace>&);
template void describe_next_size(AnswerShape&, Trace&, const FabricNeed<Trace>&, const Fabric<Trace>&);
template void describe_cable_schedule(AnswerWriter&, const FabricNeed<NoTrace>&);
template void describe_cable_schedule(AnswerShape&, const FabricNeed<NoTrace>&);

}  // namespace podwright
