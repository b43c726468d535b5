#include "api/architecture_request.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/design_table.h"
#include "api/field_reader.h"
#include "architecture/fabric.h"
#include "base/append.h"

namespace podwright {
namespace {

/// A schedule is meant to be read and printed.
constexpr double kMostLinks = 500000;

bool is_short(const FabricNeed<NoTrace>& need) {
  // Where a required count is missing, that is the error.
  if (need.nodes < 1 || need.rails < 1 || need.switch_ports < 1 || need.nodes_per_unit < 1) return true;
  NoTrace none;
  const Fabric<NoTrace> fabric = build_fabric(none, need);
  return fabric.node_leaf_links + fabric.leaf_spine_links + fabric.spine_core_links + fabric.inter_switch_links <=
         kMostLinks;
}

void describe_leaf(FieldVisitor& v, FabricNeed<NoTrace>& need) {
  v.number({"oversubscription", "Downward over upward ports of a leaf; 1 is non-blocking", within(1, 64), kPlainCase},
           need.oversubscription);
  v.count(
      {"leaf_ports_down", "Endpoints on one leaf; absent: the nodes of a unit shared evenly among the leaves of a rail",
       within(1, 4095)},
      need.leaf_ports_down);
  v.count({"uplinks", "Uplinks of one leaf; absent: by the oversubscription", within(1, 4095)}, need.uplinks);
  v.number({"core_oversubscription", "Links of a spine to leaves over those to cores; absent: 1", within(1, 64)},
           need.core_oversubscription);
  v.count({"manager_links", "Leaf ports that the fabric manager takes", within(0, 1000), kPlainCase},
          need.manager_links);
}

void describe_cables(FieldVisitor& v, FabricNeed<NoTrace>& need) {
  std::optional<double> link;
  v.number(
      {"link_gb_per_s", "One link, one direction, GB/s (400 Gb/s is 50); absent: no bandwidths", within(0.001, 1e6)},
      link);
  if (link) need.link = gb_per_s(*link);
  need.links_per_cable = std::min(2.0, need.planes);
  v.count({"links_per_cable", "2 where one cable holds two links", within(1, 2),
           "1, with planes 2: a cage holds a link of each plane (docs/method/fabric.md#planes)"},
          need.links_per_cable);
  v.count({"ports_per_cage", "Ports that one transceiver serves; absent: transceivers are not counted", within(1, 8)},
          need.ports_per_cage);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, FabricRequest& r) {
  FabricNeed<NoTrace>& need = r.need;
  describe_head(v, "fabric");
  need.planes = need.oversubscription = need.units_per_group = 1;
  v.count({"nodes", "Nodes that are there", kRequired, within(1, 100000)}, need.nodes);
  v.count({"rails", "Links of a node to one plane, each to a leaf of its own", kRequired, within(1, 64)}, need.rails);
  v.count({"switch_ports", "Ports of a switch at the speed of the links", kRequired, within(2, 4096)},
          need.switch_ports);
  v.count({"nodes_per_unit", "Nodes of a scalable unit, which is built whole", kRequired, within(1, 100000)},
          need.nodes_per_unit);
  word(v,
       {"topology",
        "fat-tree: spines join all leaves; rail-groups: each rail of some units has its own spines, cores join "
        "them; switch-pair: two switches, half of whose ports join each other",
        kPlainCase},
       need.topology, kFabricTopologyWords);
  v.count({"planes", "Independent copies of the network", within(1, 8), kPlainCase}, need.planes);
  v.count(
      {"scalable_units", "Scalable units whose shell is built; absent: as many as hold the nodes", within(1, 100000)},
      need.scalable_units);
  v.count({"units_per_group", "Scalable units whose leaves share the spines of a rail group", within(1, 100000),
           "a rail group of each unit, as in the GB200 design"},
          need.units_per_group);
  describe_leaf(v, need);
  describe_cables(v, need);
  v.flag({"cable_schedule", "Adds every link, port to port"}, r.cable_schedule);
  describe_explain(v, r.explain);
  v.rule(!r.cable_schedule || is_short(need), "cable_schedule", "A schedule is written for at most 500,000 links.",
         "Leave \"cable_schedule\" out, or ask for fewer nodes or smaller units.");
}

namespace {

/// The same need, each number known from the request or its default.
FabricNeed<Trace> traced_need(Trace& trace, const FabricNeed<NoTrace>& plain) {
  const auto known = [&](std::string_view pointer,
                         const std::optional<double>& value) -> std::optional<Traced<double>> {
    if (!value) return std::nullopt;
    return trace.input(pointer, *value);
  };
  FabricNeed<Trace> need;
  need.topology = plain.topology;
  need.nodes = trace.input("/nodes", plain.nodes);
  need.rails = trace.input("/rails", plain.rails);
  need.switch_ports = trace.input("/switch_ports", plain.switch_ports);
  need.nodes_per_unit = trace.input("/nodes_per_unit", plain.nodes_per_unit);
  need.planes = trace.input("/planes", plain.planes);
  need.oversubscription = trace.input("/oversubscription", plain.oversubscription);
  need.manager_links = trace.input("/manager_links", plain.manager_links);
  need.units_per_group = trace.input("/units_per_group", plain.units_per_group);
  need.links_per_cable = trace.input("/links_per_cable", plain.links_per_cable);
  need.scalable_units = known("/scalable_units", plain.scalable_units);
  need.leaf_ports_down = known("/leaf_ports_down", plain.leaf_ports_down);
  need.uplinks = known("/uplinks", plain.uplinks);
  need.core_oversubscription = known("/core_oversubscription", plain.core_oversubscription);
  need.ports_per_cage = known("/ports_per_cage", plain.ports_per_cage);
  if (plain.link) need.link = trace.input("/link_gb_per_s", *plain.link);
  return need;
}

std::vector<Infeasible> refusals_of(const FabricNeed<NoTrace>& need) {
  NoTrace none;
  return fabric_refusals(need, build_fabric(none, need));
}

/// Port counts of the catalog's switches beyond that of the request, smallest first.
std::set<double> larger_switches(const Catalog& catalog, double ports) {
  std::set<double> larger;
  for (const Switch& item : catalog.switches)
    if (item.ports && *item.ports > ports) larger.insert(*item.ports);
  return larger;
}

/// Patches that leave to the rules what the request says of leaves and spines: each of its keys alone, then all of
/// them.
std::vector<Patch> by_rule(const JsonNode& document) {
  std::vector<Patch> patches;
  Patch all;
  for (const std::string key : {"leaf_ports_down", "uplinks", "oversubscription", "units_per_group"}) {
    if (document.find(key) == nullptr) continue;
    patches.push_back(Patch().clear("/" + key));
    all.clear("/" + key);
  }
  if (patches.size() > 1) patches.push_back(all);
  return patches;
}

/// A fat tree by the rules alone, with as many units as hold the nodes.
Patch all_by_rule() {
  return Patch("/topology", "fat-tree")
      .clear("/leaf_ports_down")
      .clear("/uplinks")
      .clear("/oversubscription")
      .clear("/scalable_units");
}

/// The refusals with those ways out that lead to a fabric. Where none of a refusal's own does: what the request says of
/// leaves and spines left to the rules, else a switch of the catalog with more ports, else both, else fewer nodes too.
std::vector<Infeasible> reasons_of(const Catalog& catalog, const JsonNode& document, const FabricRequest& request) {
  std::vector<Infeasible> reasons;
  for (const Infeasible& refusal : refusals_of(request.need)) {
    Infeasible reason = refusal;
    reason.ways_out.clear();
    const auto attempt = [&](const Patch& patch) {
      const auto changed = read_patched<FabricRequest>(catalog, document, patch);
      if (changed && refusals_of(changed->need).empty()) reason.ways_out.push_back(patch);
    };
    const auto attempt_if_none = [&](const Patch& patch) {
      if (reason.ways_out.empty()) attempt(patch);
    };
    const std::vector<Patch> rules = by_rule(document);
    for (const Patch& patch : refusal.ways_out) attempt(patch);
    for (const Patch& patch : rules) attempt_if_none(patch);
    const std::set<double> larger = larger_switches(catalog, request.need.switch_ports);
    for (const double ports : larger) attempt_if_none({"/switch_ports", ports});
    std::vector<Patch> partial = refusal.ways_out;
    append(partial, rules);
    partial.push_back(all_by_rule());
    for (const Patch& patch : partial) attempt_if_none(patch.and_also(all_by_rule()));
    for (const Patch& patch : partial)
      for (const double ports : larger) attempt_if_none(Patch(patch).set("/switch_ports", ports));
    const double most_ports = larger.empty() ? request.need.switch_ports : *larger.rbegin();
    const Patch largest = all_by_rule().set("/switch_ports", most_ports);
    for (double nodes = std::floor(request.need.nodes / 2); nodes >= 1; nodes = std::floor(nodes / 2))
      attempt_if_none(Patch(largest).set("/nodes", nodes));
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

void describe_answer(auto& v, Trace& trace, const Asked& asked, const FabricRequest& request,
                     const std::vector<Infeasible>& reasons) {
  const bool feasible = reasons.empty();
  v.text({"kind"}, "fabric");
  v.flag({"feasible"}, feasible);
  if (const auto part = v.when(feasible)) {
    const FabricNeed<Trace> need = v.real() ? traced_need(trace, request.need) : FabricNeed<Trace>{};
    const Fabric<Trace> fabric = v.real() ? build_fabric(trace, need) : Fabric<Trace>{};
    v.group({"fabric"}, [&] { describe_fabric(v, need, fabric); });
    v.group({"next_step", "The next size"}, [&] { describe_next_size(v, trace, need, fabric); });
    if (const auto schedule = v.when(request.cable_schedule))
      v.group({"cable_schedule"}, [&] { describe_cable_schedule(v, request.need); });
  }
  if (const auto part = v.when(!feasible))
    describe_reasons(v, reasons, trace, "docs/method/fabric.md#limits", "architecture.shortfall");
  describe_foot(v, asked);
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

Answer answer_fabric(const Asked& asked, const FabricRequest& request) {
  const auto reasons = reasons_of(asked.catalog, asked.document, request);
  Trace trace(sources_of(asked.assumptions));
  return written_answer(&trace, reasons.empty(),
                        [&](AnswerWriter& v) { describe_answer(v, trace, asked, request, reasons); });
}

void describe_fabric_answer(AnswerShape& v) {
  Trace trace;
  describe_answer(v, trace, nothing_asked(), FabricRequest{}, {});
}

}  // namespace podwright
