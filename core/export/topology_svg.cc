#include "export/topology_svg.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "architecture/fabric.h"
#include "base/number_text.h"
#include "base/whole.h"
#include "export/svg.h"
#include "export/topology_facts.h"
#include "export/topology_places.h"

namespace podwright {
namespace {

constexpr double kTrunkStep = 10;  ///< between the trunks of two planes
constexpr double kStack = 4;       ///< by which the frame behind a line of several units stands out
constexpr double kDot = 2.5;

constexpr SvgFont kTopologyHeading{.size = 18, .bold = true};
constexpr SvgFont kColumn{.size = 12, .bold = true};

constexpr double kTopologyHeadingLine = svg_line_pitch(kTopologyHeading);
constexpr double kTopologyColumnLine = svg_line_pitch(kColumn);
constexpr double kTextWidth = kTopologyWidth - 2 * kTopologyMargin;

constexpr std::string_view kRule = " stroke=\"#1a1a1a\"";
constexpr std::string_view kSolid = " stroke=\"#1a1a1a\" stroke-width=\"1.5\"";
constexpr std::string_view kDashed = " stroke=\"#1a1a1a\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"";
constexpr std::string_view kFrame = " fill=\"#fafafa\" stroke=\"#8c8c8c\"";
constexpr std::string_view kInnerFrame = " fill=\"none\" stroke=\"#8c8c8c\"";
constexpr std::string_view kNodeLook = " fill=\"#ffffff\" stroke=\"#4d4d4d\"";
constexpr std::string_view kFreeLook = " fill=\"none\" stroke=\"#8c8c8c\" stroke-dasharray=\"3 2\"";
constexpr std::string_view kLeafLook = " fill=\"#e3eefa\" stroke=\"#1f4e79\"";
constexpr std::string_view kSpineLook = " fill=\"#fdeed3\" stroke=\"#7a4b00\"";
constexpr std::string_view kSmallSpineLook = " fill=\"#ffffff\" stroke=\"#7a4b00\"";
constexpr std::string_view kCoreLook = " fill=\"#e6e6e6\" stroke=\"#1a1a1a\" stroke-width=\"1.5\"";
constexpr std::string_view kManagerLook = " fill=\"#ffffff\" stroke=\"#1a1a1a\" stroke-width=\"2\"";

/// Planes after the first are dashed.
std::string_view line_look(std::size_t band) { return band == 0 ? kSolid : kDashed; }

/// What a bus joins on its right side.
struct Branch {
  double y = 0;
  double links = 0;
  std::string what;  ///< of its tooltip
};

class TopologyPainter {
 public:
  TopologyPainter(const TopologyFacts& facts, const std::vector<TopologyBlock>& blocks)
      : facts_(facts), need_(facts.need), fabric_(facts.fabric), columns_(topology_columns(facts.fabric.tiers)) {
    heading();
    column_heads();
    places_ = topology_places(facts, blocks, y_);
  }

  std::string paint() {
    for (const PlacedBlock& block : places_.blocks) {
      for (const PlacedRow& row : block.rows) unit(row);
      for (std::size_t band = 0; band < block.spines.size(); ++band) spines(block, band);
    }
    for (std::size_t band = 0; band < places_.cores.size(); ++band) cores(band);
    y_ = places_.bottom;
    footer();
    return svg_.document(kTopologyWidth, y_ + kTopologyMargin, "topology", title_, description(), data());
  }

 private:
  // ---- words around ---------------------------------------------------------

  std::string conclusion() const {
    static constexpr std::string_view kTiers[] = {"one tier", "two tiers", "three tiers"};
    const double switches = fabric_.leaf.total + fabric_.spine.total + fabric_.core.total;
    const double over = std::max(fabric_.oversubscription, fabric_.spine_oversubscription.value_or(1));
    std::string text = counted(need_.nodes, "node", "nodes") + " on " + counted(switches, "switch", "switches") +
                       " in " + std::string(kTiers[static_cast<std::size_t>(fabric_.tiers) - 1]) + ": " +
                       (over > 1 ? "oversubscribed " + human_number(over, 3) + " to 1" : "non-blocking");
    if (fabric_.bisection)
      text += ", " + human_number(*fabric_.bisection / gb_per_s(125), 5) + " Tb/s of bisection bandwidth";
    return text;
  }

  std::string topology() const {
    if (facts_.is_pair()) return "Switch pair";
    if (facts_.has_rail_groups()) return "Rail groups";
    if (!facts_.has_spines()) return "One switch";
    return fabric_.core.total > 0 ? "Fat tree of pods" : "Fat tree";
  }

  std::string summary() const {
    std::string text = topology() + ", " + counted(need_.rails, "rail", "rails") + ", " +
                       (need_.planes == 1 ? "one plane" : grouped(need_.planes) + " planes") + ", switches of " +
                       counted(need_.switch_ports, "port", "ports") + ", links of " +
                       (need_.link ? facts_.link_speed() : "a speed that is not known");
    if (facts_.has_spines())
      text += "; " + counted(fabric_.scalable_units, "unit", "units") + " of " +
              counted(need_.nodes_per_unit, "node", "nodes");
    const double free = fabric_.nodes_of_shell - need_.nodes;
    return text + (free > 0 ? ", " + counted(free, "place is free.", "places are free.") : ", no place is free.");
  }

  std::string description() const {
    return summary() + " " + counted(fabric_.leaf.total, "leaf", "leaves") + ", " +
           counted(fabric_.spine.total, "spine", "spines") + ", " + counted(fabric_.core.total, "core", "cores") +
           "; links: " + grouped(fabric_.node_leaf_links) + " of nodes, " + grouped(fabric_.leaf_spine_links) +
           " between leaves and spines, " + grouped(fabric_.spine_core_links) + " between spines and cores.";
  }

  std::string data() const {
    return svg_attribute("data-nodes", need_.nodes) + svg_attribute("data-units", fabric_.scalable_units) +
           svg_attribute("data-planes", need_.planes) + svg_attribute("data-leaves", fabric_.leaf.total) +
           svg_attribute("data-spines", fabric_.spine.total) + svg_attribute("data-cores", fabric_.core.total);
  }

  void heading() {
    title_ = conclusion();
    y_ = svg_.lines(kTopologyMargin, kTopologyMargin + 12, svg_wrapped(title_, kTextWidth, kTopologyHeading),
                    kTopologyHeading);
    y_ = svg_.lines(kTopologyMargin, y_, svg_wrapped(summary(), kTextWidth, kTopologyPlain), kTopologyPlain, kSvgMuted);
    y_ += 14;
  }

  void column_head(double x, double width, const std::string& text, const std::string& detail) {
    svg_.text(x, y_, svg_fitted(text, width, kColumn), kColumn);
    svg_.text(x, y_ + kTopologyColumnLine, svg_fitted(detail, width, kTopologyPlain), kTopologyPlain, SvgAnchor::start,
              kSvgMuted);
  }
  /// Between two columns.
  void gap_head(double left, double right, double links, std::string_view between) {
    const double width = right - left - 8;
    svg_.text((left + right) / 2, y_, svg_fitted(counted(links, "link", "links"), width, kTopologyPlain),
              kTopologyPlain, SvgAnchor::middle, kSvgMuted);
    svg_.text((left + right) / 2, y_ + kTopologyColumnLine, svg_fitted(between, width, kTopologyPlain), kTopologyPlain,
              SvgAnchor::middle, kSvgMuted);
  }

  void column_heads() {
    const TopologyColumns& at = columns_;
    const std::string ports = counted(need_.switch_ports, "port", "ports") + " each";
    if (fabric_.core.total > 0) {
      column_head(at.core, at.core_width, counted(fabric_.core.total, "core", "cores"), ports);
      gap_head(at.core + at.core_width, at.spine, fabric_.spine_core_links, "spine to core");
    }
    if (facts_.has_spines()) {
      column_head(at.spine, at.spine_width, counted(fabric_.spine.total, "spine", "spines"), ports);
      gap_head(at.spine + at.spine_width, at.leaf - kTopologyPad, fabric_.leaf_spine_links, "leaf to spine");
    }
    std::string leaf_ports = grouped(facts_.ports_for_nodes()) + " down";
    if (facts_.has_spines()) leaf_ports += ", " + grouped(fabric_.uplinks) + " up of " + grouped(need_.switch_ports);
    if (facts_.is_pair()) leaf_ports += ", " + grouped(fabric_.uplinks) + " to the other";
    column_head(at.leaf, at.leaf_width,
                facts_.has_spines() ? counted(fabric_.leaf.total, "leaf", "leaves")
                                    : counted(fabric_.leaf.total, "switch", "switches"),
                leaf_ports);
    gap_head(at.leaf + at.leaf_width, at.node, fabric_.node_leaf_links,
             facts_.has_spines() ? "node to leaf" : "node to switch");
    column_head(at.node, at.node_width, counted(need_.nodes, "node", "nodes"),
                counted(need_.rails * need_.planes, "link", "links") + " each");
    y_ += kTopologyColumnLine + 15;
    svg_.line(kTopologyMargin, y_, kTopologyWidth - kTopologyMargin, y_, kRule);
    y_ += 12;
  }

  void footer() {
    double y = y_ + 13;
    std::vector<std::string> notes;
    if (facts_.has_spines())
      notes.push_back("Each node has a link to a leaf of every rail" +
                      std::string(need_.planes > 1 ? " in every plane" : "") +
                      "; each leaf spreads its uplinks evenly over its spines. Numbers next to leaves: ports to nodes "
                      "that are taken.");
    if (need_.planes == 2) notes.emplace_back("Solid lines: plane 1. Dashed lines: plane 2.");
    if (need_.planes > 2) notes.emplace_back("Solid lines: plane 1. Dashed lines: the other planes, which are alike.");
    for (std::string& note : fabric_notes(need_, fabric_)) notes.push_back(std::move(note));
    for (const std::string& note : notes)
      y = svg_.lines(kTopologyMargin, y, svg_wrapped(note, kTextWidth, kTopologyPlain), kTopologyPlain, kSvgMuted);
    y_ = y - 7;
  }

  // ---- boxes and links ------------------------------------------------------

  /// Lines of text in the middle of a box.
  void words(const SvgBox& box, const std::vector<TextLine>& lines) {
    double y = box.middle() - (static_cast<double>(lines.size()) - 1) * kTextPitch / 2;
    for (const TextLine& line : lines) {
      svg_.text(box.x + box.width / 2, y, svg_fitted(line.text, box.width - 6, line.font), line.font,
                SvgAnchor::middle);
      y += kTextPitch;
    }
  }

  /// A label alone, which may come near the line around it.
  void small_box(const SvgBox& box, std::string_view look, const std::string& label) {
    svg_.rect(box, look, 2);
    svg_.text(box.x + box.width / 2, box.middle(), svg_fitted(label, box.width - 2, kTopologyLabel), kTopologyLabel,
              SvgAnchor::middle);
  }

  /// A label on the left, a figure or nothing on the right.
  void wide_box(const SvgBox& box, std::string_view look, const std::string& label, const std::string& figure) {
    svg_.rect(box, look, 2);
    const double right = figure.empty() ? 0 : svg_text_width(figure, kTopologyPlain) + 8;
    svg_.text(box.x + 4, box.middle(), svg_fitted(label, box.width - right - 6, kTopologyLabel), kTopologyLabel);
    if (!figure.empty()) svg_.text(box.right() - 4, box.middle(), figure, kTopologyPlain, SvgAnchor::end, kSvgMuted);
  }

  void open_part(std::string_view kind, double count, const std::string& more = {}) {
    svg_.open("g", svg_attribute("class", kind) + svg_attribute("data-count", count) + more);
  }

  /// A box with words of its own.
  void part(std::string_view kind, double count, const SvgBox& box, std::string_view look,
            const std::vector<TextLine>& lines, const std::string& more = {}) {
    open_part(kind, count, more);
    svg_.rect(box, look, 2);
    words(box, lines);
    svg_.close();
  }

  std::string links_text(double links, double width) const {
    if (need_.link) {
      std::string text = grouped(links) + " \xC3\x97 " + facts_.link_speed();
      if (svg_text_width(text, kTopologyPlain) <= width) return text;
    }
    return counted(links, "link", "links");
  }

  void open_bundle(std::string_view tier, double links, const std::string& what) {
    svg_.open("g", svg_attribute("class", "bundle " + std::string(tier)) + svg_attribute("data-tier", tier) +
                       svg_attribute("data-links", links));
    svg_.title(links_text(links, kTopologyWidth) + ": " + what);
  }

  /// Above a line at height `y`.
  void links_label(double left, double right, double y, double links) {
    svg_.text((left + right) / 2, y - 9, links_text(links, right - left - 4), kTopologyPlain, SvgAnchor::middle);
  }

  /// Where a bus leaves its box: at the height of the nearest branch, else in the middle.
  static double stub_of(const SvgBox& box, const std::vector<Branch>& branches) {
    double stub = box.middle();
    double nearest = box.height;
    for (const Branch& branch : branches) {
      const double distance = std::fabs(branch.y - box.middle());
      if (distance >= nearest || branch.y <= box.y + 4 || branch.y >= box.bottom() - 4) continue;
      nearest = distance;
      stub = branch.y;
    }
    return stub;
  }

  /// From a box on the left over a trunk to lines on the right that end at `right`.
  void bus(std::string_view tier, const SvgBox& box, std::size_t band, double right,
           const std::vector<Branch>& branches) {
    const double stub = stub_of(box, branches);
    const double trunk = box.right() + kTrunkStep * static_cast<double>(band + 1);
    const double labels = box.right() + kTrunkStep * static_cast<double>(facts_.bands.size() + 1) - 4;
    double top = stub;
    double bottom = stub;
    for (const Branch& branch : branches) {
      top = std::min(top, branch.y);
      bottom = std::max(bottom, branch.y);
    }
    const auto join = [&](double y) {
      if (branches.size() > 1 && y > top && y < bottom) svg_.dot(trunk, y, kDot);
    };
    svg_.line(box.right(), stub, trunk, stub, line_look(band));
    if (bottom > top) svg_.line(trunk, top, trunk, bottom, line_look(band));
    join(stub);
    for (const Branch& branch : branches) {
      open_bundle(tier, branch.links, branch.what);
      svg_.line(trunk, branch.y, right, branch.y, line_look(band));
      if (branch.y != stub) join(branch.y);
      links_label(labels, right, branch.y, branch.links);
      svg_.close();
    }
  }

  // ---- units ----------------------------------------------------------------

  void unit(const PlacedRow& placed) {
    const TopologyRow& row = placed.row;
    const double nodes = facts_.nodes_of(row);
    const double free = facts_.places_of(row) - nodes;
    const double leaf_count = facts_.leaves_of(row) * need_.planes;
    std::string id = "unit-" + std::to_string(row.first + 1);
    if (row.units() > 1) id += "-" + std::to_string(row.last + 1);
    std::string content = counted(nodes, "node", "nodes") + ", " + counted(leaf_count, "leaf", "leaves");
    if (free > 0) content += ", " + counted(free, "place free", "places free");
    svg_.open("g", svg_attribute("id", id) + svg_attribute("class", "unit") +
                       svg_attribute("data-first-unit", row.first + 1) + svg_attribute("data-last-unit", row.last + 1) +
                       svg_attribute("data-state", row.open ? "open" : "collapsed") +
                       svg_attribute("data-nodes", nodes) + svg_attribute("data-free", free) +
                       svg_attribute("data-leaves", leaf_count));
    svg_.title((facts_.has_spines() ? facts_.unit_name(row) + ": " : "") + content);
    const SvgBox& frame = placed.frame;
    if (row.units() > 1 && facts_.has_spines())
      svg_.rect({frame.x + kStack, frame.y + kStack, frame.width, frame.height}, kFrame, 4);
    svg_.rect(frame, kFrame, 4);
    if (row.open && facts_.has_spines()) {
      svg_.text(columns_.leaf, frame.y + 12, facts_.unit_name(row), kTopologyStrong);
      svg_.text(frame.right() - kTopologyPad, frame.y + 12, content, kTopologyPlain, SvgAnchor::end, kSvgMuted);
    }
    for (std::size_t band = 0; band < facts_.bands.size(); ++band) {
      leaves(placed, band);
      node_links(placed, band);
    }
    nodes_of(placed);
    if (placed.manager.height > 0) manager(placed);
    svg_.close();
  }

  void leaves(const PlacedRow& placed, std::size_t band) {
    if (!facts_.has_spines())
      switches(placed.leaves[band], facts_.bands[band]);
    else if (placed.leaf_boxes > 0)
      leaf_boxes(placed, band);
    else
      leaves_in_one(placed, band);
  }

  /// One switch or a pair.
  void switches(const SvgBox& box, const PlaneBand& band) {
    for (Whole leaf = 0; leaf < facts_.layout.leaves; ++leaf) {
      const SvgBox one{box.x, box.y + leaf * (kSwitchBoxHeight + kPairGap), box.width, kSwitchBoxHeight};
      part("leaf", band.planes, one, kLeafLook,
           {{facts_.labels(FabricDevice::leaf, band, leaf, leaf), kTopologyLabel},
            {grouped(facts_.nodes_on_leaf(leaf)) + " of " + grouped(facts_.ports_for_nodes()) + " ports to nodes",
             kTopologyPlain}});
    }
    if (!facts_.is_pair()) return;
    const double x = box.x + 24;
    const double links = fabric_.inter_switch_links / need_.planes * band.planes;
    open_bundle("pair", links, "from one switch of the pair to the other");
    for (const double offset : {-3.0, 3.0})
      svg_.line(x + offset, box.y + kSwitchBoxHeight, x + offset, box.bottom() - kSwitchBoxHeight, kSolid);
    svg_.text(x + 12, box.middle(), links_text(links, box.width - 40), kTopologyPlain);
    svg_.close();
  }

  void leaves_in_one(const PlacedRow& placed, std::size_t band) {
    const TopologyRow& row = placed.row;
    const PlaneBand& planes = facts_.bands[band];
    const double count = facts_.leaves_of(row) * planes.planes;
    const auto of_unit = static_cast<Whole>(facts_.leaves_of_unit());
    part("leaf", count, placed.leaves[band], kLeafLook,
         {{(row.open ? std::string() : facts_.unit_name(row) + ": ") + counted(count, "leaf", "leaves"),
           kTopologyStrong},
          {facts_.labels(FabricDevice::leaf, planes, row.first * of_unit, (row.last + 1) * of_unit - 1),
           kTopologyLabel}});
  }

  void leaf_boxes(const PlacedRow& placed, std::size_t band) {
    const SvgBox& box = placed.leaves[band];
    const PlaneBand& planes = facts_.bands[band];
    const auto of_unit = static_cast<Whole>(facts_.leaves_of_unit());
    const Whole step = of_unit / placed.leaf_boxes;
    const Whole count = step * planes.planes;
    svg_.rect(box, kInnerFrame, 2);
    for (Whole i = 0; i < placed.leaf_boxes; ++i) {
      const Whole leaf = placed.row.first * of_unit + i * step;
      std::string label = facts_.labels(FabricDevice::leaf, planes, leaf, leaf + step - 1);
      std::string figure;
      // The labels of leaves in several planes leave no room for a figure.
      if (count == 1) {
        figure = grouped(facts_.nodes_on_leaf(leaf)) + " of " + grouped(fabric_.leaf_ports_down);
      } else if (planes.planes == 1) {
        label = facts_.label(FabricDevice::leaf, planes.first, leaf) + " to l" + std::to_string(step);
        figure = counted(step, "leaf", "leaves");
      }
      open_part("leaf", count);
      if (count == 1) svg_.title(label + ": " + figure + " ports to nodes are taken");
      wide_box({box.x + kTopologyPad, box.y + kTopologyPad + i * kTopologyPitch, box.width - 2 * kTopologyPad,
                kSmallBoxHeight},
               kLeafLook, label, figure);
      svg_.close();
    }
  }

  void node_links(const PlacedRow& placed, std::size_t band) {
    const SvgBox& box = placed.leaves[band];
    const double links = facts_.nodes_of(placed.row) * need_.rails * facts_.bands[band].planes;
    const double y = box.middle();
    const double x = box.right() + (facts_.is_pair() ? kTrunkStep : 0);
    open_bundle("node-leaf", links, "each node has one to a leaf of every rail");
    svg_.line(x, y, placed.nodes.x, y, line_look(band));
    // The switches of a pair share the links of the nodes.
    const double half = kSwitchBoxHeight / 2;
    if (facts_.is_pair())
      svg_.polyline(
          {box.right(), box.y + half, x, box.y + half, x, box.bottom() - half, box.right(), box.bottom() - half},
          line_look(band));
    links_label(x + 2, placed.nodes.x - 2, y, links);
    svg_.close();
  }

  void nodes_of(const PlacedRow& placed) {
    const auto first = static_cast<Whole>(facts_.has_spines() ? placed.row.first * need_.nodes_per_unit : 0);
    const auto present = static_cast<Whole>(facts_.nodes_of(placed.row));
    const auto places = static_cast<Whole>(facts_.places_of(placed.row));
    if (placed.grid.step == 0) {
      nodes_in_one(placed.nodes, first, present, places);
      return;
    }
    const NodeGrid& grid = placed.grid;
    const SvgBox& box = placed.nodes;
    svg_.rect(box, kInnerFrame, 2);
    for (Whole i = 0; i < grid.boxes; ++i) {
      const Whole from = i * grid.step;
      const Whole to = std::min(from + grid.step, places);
      const Whole there = std::clamp(present, from, to) - from;
      open_part("node", there, svg_attribute("data-free", to - from - there));
      small_box({box.x + kTopologyPad + i % grid.columns * grid.pitch,
                 box.y + kTopologyPad + i / grid.columns * kTopologyPitch, grid.pitch - 4, kSmallBoxHeight},
                there == 0 ? kFreeLook : kNodeLook, there == 0 ? "free" : node_labels(first + from, there));
      svg_.close();
    }
  }

  std::string node_labels(Whole first, Whole nodes) const {
    const std::string from = facts_.node_label(first);
    return nodes == 1 ? from : from + " to " + facts_.node_label(first + nodes - 1);
  }

  void nodes_in_one(const SvgBox& box, Whole first, Whole present, Whole places) {
    const std::string free = places > present ? ", " + grouped(places - present) + " free" : std::string();
    std::vector<TextLine> lines{
        {(present == 0 ? "no node yet" : counted(present, "node", "nodes")) + free, kTopologyStrong}};
    if (present > 0) lines.push_back({node_labels(first, present), kTopologyLabel});
    part("node", present, box, present == 0 ? kFreeLook : kNodeLook, lines,
         svg_attribute("data-free", places - present));
  }

  void manager(const PlacedRow& placed) {
    const SvgBox& box = placed.manager;
    const double leaf_end = columns_.leaf + columns_.leaf_width;
    const double x = leaf_end - 24;
    const FabricPort last{static_cast<Whole>(need_.manager_links) - 1, 1, FabricDevice::manager};
    open_bundle("manager", need_.manager_links, "the fabric manager takes ports of leaves, from the last unit on");
    svg_.polyline({box.x, box.middle(), x, box.middle(), x, placed.leaves.back().bottom()}, kSolid);
    links_label(leaf_end + 2, box.x - 2, box.middle(), need_.manager_links);
    svg_.close();
    svg_.rect(box, kManagerLook, 2);
    words(box, {{"Fabric manager: m1" + (last.device > 0 ? " to " + device_label(facts_.layout, last) : std::string()),
                 kTopologyStrong}});
  }

  // ---- spines and cores -----------------------------------------------------

  void spines(const PlacedBlock& placed, std::size_t band) {
    const TopologyBlock& block = placed.block;
    const PlaneBand& planes = facts_.bands[band];
    const PlacedSpines& at = placed.spines[band];
    std::vector<Branch> branches;
    for (const PlacedRow& row : placed.rows)
      branches.push_back(
          {row.leaves[band].middle(), facts_.uplinks_of(row.row, planes), "leaves of " + facts_.unit_name(row.row)});
    bus("leaf-spine", at.box, band, columns_.leaf, branches);
    open_part("spine", facts_.spines_of(block) * planes.planes);
    svg_.rect(at.box, kSpineLook, 2);
    words({at.box.x, at.box.y + 2, at.box.width, at.words_height - 4}, at.words);
    if (at.lists_groups) spine_groups(block, planes, at);
    if (at.list_columns > 0) spine_boxes(block, planes, at);
    svg_.close();
  }

  void spine_groups(const TopologyBlock& block, const PlaneBand& planes, const PlacedSpines& at) {
    double y = at.box.y + at.words_height;
    for (Whole group = block.first_group; group <= block.last_group; ++group, y += kTopologyPitch) {
      const std::string first = facts_.label(FabricDevice::spine, planes.first, facts_.first_spine(group));
      wide_box({at.box.x + kTopologyPad, y, at.box.width - 2 * kTopologyPad, kSmallBoxHeight}, kSmallSpineLook,
               first.substr(0, first.rfind('-')) + facts_.rail_of(group),
               counted(facts_.spines_of_group(group) * planes.planes, "spine", "spines"));
    }
  }

  void spine_boxes(const TopologyBlock& block, const PlaneBand& planes, const PlacedSpines& at) {
    const Whole first = facts_.first_spine(block.first_group);
    const double pitch = (at.box.width - 2 * kTopologyPad + 4) / at.list_columns;
    for (Whole i = 0; i < facts_.spines_of_group(block.first_group); ++i)
      small_box({at.box.x + kTopologyPad + i % at.list_columns * pitch,
                 at.box.y + at.words_height + i / at.list_columns * kTopologyPitch, pitch - 4, kSmallBoxHeight},
                kSmallSpineLook, facts_.label(FabricDevice::spine, planes.first, first + i));
  }

  void cores(std::size_t band) {
    const PlacedCores& at = places_.cores[band];
    const PlaneBand& planes = facts_.bands[band];
    std::vector<Branch> branches;
    for (const PlacedBlock& block : places_.blocks) {
      // Spines pass on as many links as they take.
      double links = 0;
      for (const PlacedRow& row : block.rows) links += facts_.uplinks_of(row.row, planes);
      branches.push_back({block.spines[band].box.middle(), links, "spines of these units, upwards"});
    }
    bus("spine-core", at.box, band, columns_.spine, branches);
    part("core", fabric_.core.per_plane * planes.planes, at.box, kCoreLook, at.words);
  }

  const TopologyFacts& facts_;
  const FabricNeed<NoTrace>& need_;
  const Fabric<NoTrace>& fabric_;
  TopologyColumns columns_;
  TopologyPlaces places_;
  SvgWriter svg_;
  double y_ = 0;
  std::string title_;
};

std::string refused(const std::vector<Infeasible>& refusals) {
  SvgWriter svg;
  double y = kTopologyMargin + 12;
  const std::string title = "This fabric cannot be wired";
  svg.text(kTopologyMargin, y, title, kTopologyHeading);
  y += kTopologyHeadingLine;
  std::string reasons;
  for (const Infeasible& refusal : refusals) {
    const std::string reason = refusal.message.text();
    reasons += (reasons.empty() ? "" : " ") + reason;
    y = svg.lines(kTopologyMargin, y, svg_wrapped(reason, kTextWidth, kTopologyPlain), kTopologyPlain);
  }
  return svg.document(kTopologyWidth, y + kTopologyMargin, "topology", title, reasons, {});
}

/// All units of a small fabric, the first of a large one.
std::vector<std::uint32_t> usual_units(const Fabric<NoTrace>& fabric) {
  return fabric.scalable_units <= 2 ? std::vector<std::uint32_t>{1, 2} : std::vector<std::uint32_t>{1};
}

}  // namespace

std::string topology_svg(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                         const TopologyDrawing& options) {
  const std::vector<Infeasible> refusals = fabric_refusals(need, fabric);
  if (!refusals.empty()) return refused(refusals);
  const std::vector<std::uint32_t> open = options.open_units ? *options.open_units : usual_units(fabric);
  const TopologyFacts facts(need, fabric);
  return TopologyPainter(facts, topology_blocks(need, fabric, open)).paint();
}

}  // namespace podwright
