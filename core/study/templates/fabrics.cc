/// Switched fabrics: switches, cables, limits, oversubscription.
#include <cmath>

#include "architecture/fabric.h"
#include "architecture/side_fabrics.h"
#include "base/arithmetic.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/quantity_text.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

/// A rail-optimised fat tree of whole units, and its numbers in words.
struct Tree {
  double ports = 0;
  double rails = 0;
  double nodes_per_unit = 0;
  double units = 0;
  double nodes = 0;
  Fabric<Trace> fabric;
};

FabricNeed<Trace> need_of(Draft& d, const Tree& tree, double oversubscription) {
  FabricNeed<Trace> need;
  need.nodes = d.given("nodes", tree.nodes);
  need.rails = d.given("rails", tree.rails);
  need.switch_ports = d.given("switch_ports", tree.ports);
  need.nodes_per_unit = d.given("nodes_per_unit", tree.nodes_per_unit);
  need.planes = d.given("planes", 1.0);
  need.oversubscription = d.given("oversubscription", oversubscription);
  need.manager_links = d.given("manager_links", 0.0);
  need.units_per_group = d.given("units_per_group", 1.0);
  need.links_per_cable = d.given("links_per_cable", 1.0);
  return need;
}

/// Units of half a switch's ports in nodes fill their leaves exactly.
Tree draw_tree(Draft& d) {
  Tree tree;
  tree.ports = d.pick({32, 40, 64, 128});
  tree.rails = d.pick({4, 8});
  tree.nodes_per_unit = tree.ports / 2;
  tree.units = d.whole(1, std::floor(tree.ports / tree.rails / 2));
  tree.nodes = tree.units * tree.nodes_per_unit;
  tree.fabric = build_fabric(d.trace(), need_of(d, tree, 1));
  // Where the plain ceiling does not divide the uplinks, more spines are needed than the question's numbers tell.
  const bool plain = value_of(tree.fabric.spine.per_plane) == tree.fabric.least_spines;
  if (value_of(tree.fabric.tiers) != 2 || !plain) d.discard();
  return tree;
}

/// The planner's fabric of nodes with a given number of rails; `fill` adds what else the question says of the leaves.
template <class Fill>
void open_fabric(Draft& d, double nodes, double rails, double ports, double nodes_per_unit, const Fill& fill) {
  d.planner(planner::kFabric, [&](JsonWriter& r) {
    r.number("nodes", nodes);
    r.number("rails", rails);
    r.number("switch_ports", ports);
    r.number("nodes_per_unit", nodes_per_unit);
    fill(r);
  });
}
void open_tree(Draft& d, double nodes, double rails, double ports) {
  open_fabric(d, nodes, rails, ports, ports / 2, [](JsonWriter&) {});
}
/// Leaves of a given number of nodes with one link each.
template <class Fill>
void open_leaves(Draft& d, double leaves, double down, double up, double ports, const Fill& fill) {
  open_fabric(d, leaves * down, 1, ports, down, [&](JsonWriter& r) {
    r.number("leaf_ports_down", down);
    r.number("uplinks", up);
    fill(r);
  });
}

std::string tree_text(const Tree& tree) {
  return counted(tree.nodes, "node") + " with " + counted(tree.rails, "NIC") +
         " each form a non-blocking two-tier fat tree of switches with " + count_text(tree.ports) +
         " ports. The NICs of a rail go to leaves of their own: " + count_text(tree.nodes_per_unit) +
         " nodes fill a leaf of each rail";
}

void fat_tree_switches(Draft& d) {
  const Tree tree = draw_tree(d);
  const auto leaves = tree.fabric.leaf.per_plane;
  const auto spines = tree.fabric.spine.per_plane;
  d.prompt({tree_text(tree)});
  const auto all = d.trace().sum("switches", std::vector<Traced<double>>{leaves, spines});
  d.ask(unit::kNone, all);
  open_tree(d, tree.nodes, tree.rails, tree.ports);
  d.wrong("spines-forgotten", leaves.value);
  d.wrong("no-uplinks", leaves.value / 2 + spines.value);
  d.wrong("one-rail", std::ceil(all.value / tree.rails));
  d.wrong("rounded-to-pairs", leaves.value * 2,
          "This takes as many spines as leaves; a spine faces leaves with all its ports.");
  d.wrong("counts-full-tree", tree.ports + tree.ports / 2);
  d.wrong("spines-forgotten", spines.value, "This counts the spines alone.");
}

void fat_tree_cables(Draft& d) {
  const Tree tree = draw_tree(d);
  const auto down = tree.fabric.node_leaf_links;
  const auto up = tree.fabric.leaf_spine_links;
  d.prompt({tree_text(tree)});
  const auto all = named("links", down + up);
  d.ask(unit::kNone, all);
  open_tree(d, tree.nodes, tree.rails, tree.ports);
  d.wrong("upper-links-forgotten", down.value);
  d.wrong("one-rail", tree.nodes + up.value);
  d.wrong("one-rail", tree.nodes * 2);
  d.wrong("counts-full-tree", tree.fabric.leaf.per_plane.value * tree.ports * 2,
          "This counts every link at both of its ends.");
  d.wrong("rounded-to-pairs", all.value * 1.5, "This counts the links of a third tier, which two tiers do not have.");
}

void fat_tree_limit(Draft& d) {
  const double ports = d.pick({24, 32, 36, 40, 48, 64, 72, 128});
  const double links = d.pick({1, 2, 4, 8});
  d.prompt({count_text(ports), counted(links, "link")});
  const auto limit = named("endpoints", two_tier_limit(d.given("switch_ports", ports)));
  const auto nodes = named("nodes", limit / d.given("links_per_node", links));
  if (nodes.value != std::floor(nodes.value)) return d.discard();
  d.ask(unit::kNone, nodes);
  // The planner builds units whole; half a unit at the end would not be one of its fabrics.
  if (std::fmod(nodes.value, ports / 2) == 0) open_tree(d, nodes.value, links, ports);
  d.wrong("no-uplinks", nodes.value * 2);
  d.wrong("counts-full-tree", std::floor(nodes.value / 2),
          "This halves twice; half of a leaf's ports face nodes, all of a spine's face leaves.");
  if (links > 1) d.wrong("one-rail", limit.value);
  d.wrong("spines-forgotten", std::floor(ports / links), "This is what a single switch holds.");
  d.wrong("node-links-forgotten", std::floor(nodes.value / 4),
          "This halves the ports of spines too; all of them face leaves.");
}

void oversubscription(Draft& d) {
  const double ports = d.pick({32, 40, 48, 64, 128});
  const double down = d.whole(ports / 2, ports - 4, 2);
  const auto up =
      named("uplinks", uplinks_of_full_leaf(d.given("switch_ports", ports), d.given("ports_to_nodes", down)));
  d.prompt({count_text(ports), count_text(down)});
  const auto ratio = named("oversubscription", tier_oversubscription(d.given("ports_to_nodes", down), up));
  d.ask(unit::kNone, ratio);
  open_leaves(d, 2, down, up.value, ports, [](JsonWriter&) {});
  d.wrong("ridge-inverted", up.value / down, "This inverts the ratio: uplinks over ports to nodes.");
  d.wrong("counts-full-tree", ports / up.value, "This divides all ports by the uplinks.");
  d.wrong("counts-full-tree", ports / down, "This divides all ports by those to nodes.");
  d.wrong("both-ways-for-one-way", ratio.value * 2,
          "This doubles the ports to nodes; both sides carry both directions.");
  d.wrong("counts-full-tree", down / ports, "This is the share of the ports that face nodes.");
}

/// Leaves with their links, drawn as text.
std::string topology_drawing(double leaves, double spines, double down, double up, double gbit) {
  const auto row = [](std::string_view word, double count) {
    std::string text;
    for (double i = 1; i <= (count > 5 ? 4 : count); ++i)
      text += (i > 1 ? "  [" : "[") + std::string(word) + count_text(i) + "]";
    return text + (count > 5 ? "  ...  [" + std::string(word) + count_text(count) + "]" : "");
  };
  return "spines   " + row("S", spines) + "\n            |  " + count_text(up) + " uplinks of " + count_text(gbit) +
         " Gb/s from each leaf\nleaves   " + row("L", leaves) + "\n            |  " + count_text(down) + " links of " +
         count_text(gbit) + " Gb/s from each leaf to nodes\nnodes    " + count_text(leaves * down) + " ports";
}

/// The planner fills spines; where the drawing's have ports to spare, its fabric has fewer.
void open_drawing(Draft& d, double leaves, double spines, double down, double up, double gbit) {
  const double ports = leaves * up / spines;
  if (ports < down + up) return;
  open_leaves(d, leaves, down, up, ports, [&](JsonWriter& r) { r.number("link_gb_per_s", gbit / 8); });
}

void topology_bisection(Draft& d) {
  const double leaves = d.pick({4, 6, 8, 12, 16});
  const double spines = d.pick({2, 4, 8});
  const double up = spines * d.whole(1, 4);
  const double ratio = d.pick({1, 2, 3, 4});
  const double down = up * ratio;
  const double gbit = d.pick({100, 200, 400});
  if (down + up > 64) return d.discard();
  d.drawing(topology_drawing(leaves, spines, down, up, gbit));
  d.prompt({});
  const auto over =
      named("oversubscription", tier_oversubscription(d.given("ports_to_nodes", down), d.given("uplinks", up)));
  const auto link = named("link", bytes_of_line_rate(d.given("bits_per_second", gbit * 1e9)));
  const auto ports = named("node_ports", d.given("leaves", leaves) * d.given("ports_to_nodes", down));
  const auto rate = named("bisection", bisection(ports, link, over));
  d.ask(unit::kGbPerSecond, rate);
  open_drawing(d, leaves, spines, down, up, gbit);
  d.wrong("bits-for-bytes", rate.value * 8.0);
  if (ratio > 1) d.wrong("no-uplinks", rate.value * ratio);
  d.wrong("both-ways-for-one-way", rate.value * 2.0);
  d.wrong("per-link", rate.value / (leaves / 2), "This is what one leaf's uplinks carry.");
  d.wrong("bytes-for-bits", rate.value / 8.0);
}

void topology_links(Draft& d) {
  const double leaves = d.whole(4, 24);
  const double spines = d.pick({2, 4, 8});
  const double up = spines * d.whole(1, 4);
  const double down = up * d.pick({1, 2, 3});
  const double gbit = d.pick({100, 200, 400});
  if (down + up > 64) return d.discard();
  d.drawing(topology_drawing(leaves, spines, down, up, gbit));
  d.prompt({});
  const auto links =
      named("cables", leaf_spine_links(d.given("leaves", leaves), d.given("uplinks", up), d.given("planes", 1.0)));
  d.ask(unit::kNone, links);
  open_drawing(d, leaves, spines, down, up, gbit);
  d.wrong("upper-links-forgotten", leaves * down == links.value ? links.value * 2 : leaves * down);
  d.wrong("per-link", leaves * spines, "This counts one cable from each leaf to each spine; the drawing has more.");
  d.wrong("per-link", links.value * spines,
          "This multiplies by the spines again; the uplinks are those to all spines.");
  d.wrong("no-uplinks", leaves * (up + down), "This counts the cables to nodes too.");
  d.wrong("per-link", up, "These are the cables of one leaf.");
}

void network_port_count(Draft& d) {
  const double nodes = d.whole(4, 64);
  const double switches = d.whole(2, 24);
  const double pdus = d.whole(4, 32, 2);
  d.prompt({counted(nodes, "node"), count_text(switches), counted(pdus, "rack PDU")});
  const auto ports = d.trace().sum(
      "ports",
      std::vector<Traced<double>>{d.given("nodes", nodes), d.given("switches", switches), d.given("pdus", pdus)});
  d.ask(unit::kNone, ports, 0);
}

constexpr Template kFabricTemplates[] = {
    {"t.fat-tree-switches", fat_tree_switches},   {"t.fat-tree-cables", fat_tree_cables},
    {"t.fat-tree-limit", fat_tree_limit},         {"t.oversubscription", oversubscription},
    {"t.topology-bisection", topology_bisection}, {"t.topology-cables", topology_links},
    {"t.management-ports", network_port_count},
};

}  // namespace

std::span<const Template> fabric_templates() { return kFabricTemplates; }

}  // namespace podwright
