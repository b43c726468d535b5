#include "export/topology_svg.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "architecture/cable_schedule.h"
#include "architecture/fabric_limits.h"
#include "base/number_text.h"
#include "export/svg.h"
#include "export/topology_rows.h"

namespace podwright {
namespace {

using Whole = std::uint32_t;

constexpr double kWidth = 1120;
constexpr double kMargin = 12;
constexpr double kPad = 6;              ///< between a frame and what stands in it
constexpr double kGap = 8;              ///< between the frames of two lines
constexpr double kPitch = 18;           ///< of small boxes one above the other
constexpr double kSmallBox = 16;        ///< their height
constexpr double kTextLine = 13;        ///< of boxes with several lines of text
constexpr double kHeadingLine = 20;     ///< of an open unit
constexpr double kManagerLine = 30;     ///< below the nodes of the last unit
constexpr double kTrunkStep = 10;       ///< between the trunks of two planes
constexpr double kStack = 4;            ///< by which the frame behind a line of several units stands out
constexpr double kPairGap = 34;         ///< between the switches of a pair
constexpr Whole kMostSmallBoxes = 72;   ///< of nodes in one unit
constexpr Whole kMostNodesAlone = 144;  ///< of nodes in a fabric without spines
constexpr Whole kMostLeafBoxes = 24;    ///< of one unit and plane
constexpr Whole kMostSpineBoxes = 24;   ///< of one group and plane
constexpr Whole kMostGroupBoxes = 8;

constexpr SvgFont kHeading{.size = 18, .bold = true};
constexpr SvgFont kColumn{.size = 12, .bold = true};
constexpr SvgFont kStrong{.size = 11, .bold = true};
constexpr SvgFont kPlain{.size = 10.5};
constexpr SvgFont kLabel{.size = 10, .mono = true};

constexpr std::string_view kFrame = " fill=\"#fafafa\" stroke=\"#8c8c8c\"";
constexpr std::string_view kNodeLook = " fill=\"#ffffff\" stroke=\"#4d4d4d\"";
constexpr std::string_view kFreeLook = " fill=\"none\" stroke=\"#8c8c8c\" stroke-dasharray=\"3 2\"";
constexpr std::string_view kLeafLook = " fill=\"#e3eefa\" stroke=\"#1f4e79\"";
constexpr std::string_view kSpineLook = " fill=\"#fdeed3\" stroke=\"#7a4b00\"";
constexpr std::string_view kSmallSpineLook = " fill=\"#ffffff\" stroke=\"#7a4b00\"";
constexpr std::string_view kCoreLook = " fill=\"#e6e6e6\" stroke=\"#1a1a1a\" stroke-width=\"1.5\"";
constexpr std::string_view kManagerLook = " fill=\"#ffffff\" stroke=\"#1a1a1a\" stroke-width=\"2\"";

Whole whole(double count) { return static_cast<Whole>(count); }

std::string number(double count) { return fixed_number(count, 0); }

std::string counted(double count, std::string_view one, std::string_view many) {
  return number(count) + " " + std::string(count == 1 ? one : many);
}

/// Planes drawn as one.
struct Band {
  Whole first = 0;
  Whole planes = 1;
};

struct TextLine {
  std::string text;
  SvgFont font;
};

/// Where the parts of the drawing stand, from left to right.
struct Columns {
  double core = 0, core_width = 0;
  double spine = 0, spine_width = 0;
  double leaf = 0, leaf_width = 0;
  double node = 0, node_width = 0;
};

Columns columns_of(double tiers) {
  if (tiers >= 3) return {12, 134, 276, 168, 578, 204, 906, 196};
  if (tiers == 2) return {0, 0, 12, 210, 366, 214, 712, 390};
  return {0, 0, 0, 0, 18, 214, 372, 730};
}

/// One line of units with its place.
struct PlacedRow {
  TopologyRow row;
  SvgBox frame;
  std::vector<SvgBox> leaves;  ///< of each band
  SvgBox nodes;
};

struct PlacedBlock {
  const TopologyBlock* block = nullptr;
  std::vector<PlacedRow> rows;
  std::vector<SvgBox> spines;  ///< of each band
};

/// What a bus joins on its right side.
struct Branch {
  double y = 0;
  double links = 0;
  std::string what;  ///< of its tooltip
};

class Painter {
 public:
  Painter(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric, std::vector<TopologyBlock> blocks)
      : need_(need), fabric_(fabric), blocks_(std::move(blocks)), columns_(columns_of(fabric.tiers)) {
    const Whole planes = whole(need.planes);
    bands_.push_back({0, 1});
    if (planes > 1) bands_.push_back({1, planes - 1});
    const bool grouped = need.topology == FabricTopology::rail_groups || fabric.core.per_plane > 0;
    layout_ = {.planes = planes,
               .rails = whole(need.rails),
               .leaves_of_rail = whole(fabric.leaves_of_rail),
               .leaves = whole(fabric.leaf.per_plane),
               .spines = whole(fabric.spine.per_plane),
               .cores = whole(fabric.core.per_plane),
               .spines_per_group = grouped ? whole(fabric.spines_of_group) : 0,
               .named_by_rail = fabric.spine.per_plane > 0};
  }

  std::string paint() {
    heading();
    column_heads();
    for (const TopologyBlock& block : blocks_) place(block);
    for (const PlacedBlock& block : placed_) {
      for (const PlacedRow& row : block.rows) unit(row);
      if (has_spines()) spines(block);
    }
    if (fabric_.core.per_plane > 0) cores();
    footer();
    return svg_.document(kWidth, y_ + kMargin, "topology", title_, description_, data_);
  }

 private:
  // ---- what the fabric says
  // ------------------------------------------------------------------------------------------

  bool has_spines() const { return fabric_.spine.per_plane > 0; }
  bool is_pair() const { return need_.topology == FabricTopology::switch_pair; }

  std::string label(FabricDevice kind, Whole plane, Whole per_plane, Whole device) const {
    return device_label(layout_, {plane * per_plane + device, 1, kind});
  }
  std::string node_label(Whole node) const { return device_label(layout_, {node, 0, FabricDevice::node}); }
  /// From the first device of a band's first plane to the last of its last plane.
  std::string range(FabricDevice kind, const Band& band, Whole per_plane, Whole first, Whole last) const {
    const std::string from = label(kind, band.first, per_plane, first);
    const std::string to = label(kind, band.first + band.planes - 1, per_plane, last);
    return from == to ? from : from + " to " + to;
  }
  std::string plane_name(const Band& band) const {
    if (layout_.planes == 1) return {};
    if (band.planes == 1) return "Plane " + std::to_string(band.first + 1) + ": ";
    return "Planes " + std::to_string(band.first + 1) + " to " + std::to_string(band.first + band.planes) + ": ";
  }

  std::string link_speed() const { return human_number(*need_.link / gb_per_s(0.125), 4) + " Gb/s"; }
  std::string links_text(double links, double width) const {
    if (need_.link) {
      const std::string text = number(links) + " \xC3\x97 " + link_speed();
      if (svg_text_width(text, kPlain) <= width) return text;
    }
    return counted(links, "link", "links");
  }

  double leaves_of_unit() const { return has_spines() ? need_.rails * fabric_.leaves_of_rail : fabric_.leaf.per_plane; }
  double places_of(const TopologyRow& row) const {
    return has_spines() ? row.units() * need_.nodes_per_unit : fabric_.nodes_of_shell;
  }
  double nodes_of(const TopologyRow& row) const {
    if (!has_spines()) return need_.nodes;
    return std::clamp(need_.nodes - row.first * need_.nodes_per_unit, 0.0, places_of(row));
  }
  double leaves_of(const TopologyRow& row) const {
    return has_spines() ? row.units() * leaves_of_unit() : leaves_of_unit();
  }
  double uplinks_of(const TopologyRow& row, const Band& band) const {
    return leaves_of(row) * fabric_.uplinks * band.planes;
  }
  /// Ports to nodes that are taken on a leaf, by its number within the plane.
  double nodes_on_leaf(Whole leaf) const {
    if (!has_spines()) {
      const double ends = need_.nodes * need_.rails;
      const double leaves = fabric_.leaf.per_plane;
      return std::floor(ends / leaves) + (leaf < std::fmod(ends, leaves) ? 1 : 0);
    }
    const Whole per_rail = layout_.leaves_of_rail;
    const double first = std::floor(leaf / leaves_of_unit()) * need_.nodes_per_unit;
    const double present = std::clamp(need_.nodes - first, 0.0, need_.nodes_per_unit);
    return std::clamp(present - leaf % per_rail * fabric_.leaf_ports_down, 0.0, fabric_.leaf_ports_down);
  }
  double ports_for_nodes() const { return has_spines() || is_pair() ? fabric_.leaf_ports_down : need_.switch_ports; }

  Whole groups() const {
    return layout_.spines_per_group == 0 ? 1
                                         : (layout_.spines + layout_.spines_per_group - 1) / layout_.spines_per_group;
  }
  Whole spines_of_group(Whole group) const {
    if (layout_.spines_per_group == 0) return layout_.spines;
    return std::min(layout_.spines_per_group, layout_.spines - group * layout_.spines_per_group);
  }
  Whole first_spine(Whole group) const { return group * layout_.spines_per_group; }
  Whole core_groups() const {
    Whole common = layout_.cores;
    for (Whole group = 0; group < groups(); ++group) common = std::gcd(common, spines_of_group(group));
    return common;
  }

  std::string unit_name(const TopologyRow& row) const {
    if (row.first == row.last) return "Unit " + number(row.first + 1);
    return "Units " + number(row.first + 1) + " to " + number(row.last + 1);
  }

  // ---- words
  // ---------------------------------------------------------------------------------------------------------

  void heading() {
    static constexpr std::string_view kTiers[] = {"no", "one tier", "two tiers", "three tiers"};
    const double switches = fabric_.leaf.total + fabric_.spine.total + fabric_.core.total;
    const double over = std::max(fabric_.oversubscription, fabric_.spine_oversubscription.value_or(1));
    title_ = counted(need_.nodes, "node", "nodes") + " on " + counted(switches, "switch", "switches") + " in " +
             std::string(kTiers[std::min<std::size_t>(3, whole(fabric_.tiers))]) + ": " +
             (over > 1 ? "oversubscribed " + human_number(over, 3) + " to 1" : "non-blocking");
    if (fabric_.bisection)
      title_ += ", " + human_number(*fabric_.bisection / gb_per_s(125), 5) + " Tb/s of bisection bandwidth";
    const double free = fabric_.nodes_of_shell - need_.nodes;
    std::string facts = std::string(is_pair()                                       ? "Switch pair"
                                    : need_.topology == FabricTopology::rail_groups ? "Rail groups"
                                    : fabric_.tiers == 1                            ? "One switch"
                                    : fabric_.tiers == 2                            ? "Fat tree"
                                                                                    : "Fat tree of pods") +
                        ", " + counted(need_.rails, "rail", "rails") + ", " +
                        (need_.planes == 1 ? "one plane" : number(need_.planes) + " planes") + ", switches of " +
                        counted(need_.switch_ports, "port", "ports") + ", links of " +
                        (need_.link ? link_speed() : "a speed that is not known");
    if (has_spines())
      facts += "; " + counted(fabric_.scalable_units, "unit", "units") + " of " +
               counted(need_.nodes_per_unit, "node", "nodes");
    facts += free > 0 ? ", " + counted(free, "place is free", "places are free") : ", no place is free";
    facts += ".";

    double y = kMargin + 12;
    for (const std::string& line : svg_wrapped(title_, kWidth - 2 * kMargin, kHeading)) {
      svg_.text(kMargin, y, line, kHeading);
      y += 24;
    }
    for (const std::string& line : svg_wrapped(facts, kWidth - 2 * kMargin, kPlain)) {
      svg_.text(kMargin, y, line, kPlain, SvgAnchor::start, kSvgMuted);
      y += 16;
    }
    y_ = y + 14;
    describe(facts);
  }

  void describe(const std::string& facts) {
    description_ = facts + " " + counted(fabric_.leaf.total, "leaf", "leaves") + ", " +
                   counted(fabric_.spine.total, "spine", "spines") + ", " +
                   counted(fabric_.core.total, "core", "cores") + "; links: " + number(fabric_.node_leaf_links) +
                   " of nodes, " + number(fabric_.leaf_spine_links) + " between leaves and spines, " +
                   number(fabric_.spine_core_links) + " between spines and cores.";
    data_ = svg_attribute("data-nodes", need_.nodes) + svg_attribute("data-units", fabric_.scalable_units) +
            svg_attribute("data-planes", need_.planes) + svg_attribute("data-leaves", fabric_.leaf.total) +
            svg_attribute("data-spines", fabric_.spine.total) + svg_attribute("data-cores", fabric_.core.total);
  }

  void head(double x, double width, const std::string& text, const std::string& detail, bool links = false) {
    const SvgAnchor anchor = links ? SvgAnchor::middle : SvgAnchor::start;
    const double at = links ? x + width / 2 : x;
    const SvgFont& font = links ? kPlain : kColumn;
    const std::string_view look = links ? kSvgMuted : std::string_view();
    svg_.text(at, y_, svg_fitted(text, width, font), font, anchor, look);
    svg_.text(at, y_ + 15, svg_fitted(detail, width, kPlain), kPlain, anchor, kSvgMuted);
  }

  void column_heads() {
    const Columns& at = columns_;
    const double leaf_end = at.leaf + at.leaf_width;
    const std::string kind = fabric_.tiers == 1 ? counted(fabric_.leaf.total, "switch", "switches")
                                                : counted(fabric_.leaf.total, "leaf", "leaves");
    if (fabric_.core.total > 0) {
      head(at.core, at.core_width, counted(fabric_.core.total, "core", "cores"),
           counted(need_.switch_ports, "port", "ports") + " each");
      head(at.core + at.core_width + 4, at.spine - at.core - at.core_width - 8,
           counted(fabric_.spine_core_links, "link", "links"), "spine to core", true);
    }
    if (has_spines()) {
      head(at.spine, at.spine_width, counted(fabric_.spine.total, "spine", "spines"),
           counted(need_.switch_ports, "port", "ports") + " each");
      head(at.spine + at.spine_width + 4, at.leaf - kPad - at.spine - at.spine_width - 8,
           counted(fabric_.leaf_spine_links, "link", "links"), "leaf to spine", true);
    }
    std::string ports = number(ports_for_nodes()) + " down";
    if (has_spines()) ports += ", " + number(fabric_.uplinks) + " up of " + number(need_.switch_ports);
    if (is_pair()) ports += ", " + number(fabric_.uplinks) + " to the other";
    head(at.leaf, at.leaf_width, kind, ports);
    head(leaf_end + 4, at.node - leaf_end - 8, counted(fabric_.node_leaf_links, "link", "links"),
         has_spines() ? "node to leaf" : "node to switch", true);
    head(at.node, at.node_width, counted(need_.nodes, "node", "nodes"),
         counted(need_.rails * need_.planes, "link", "links") + " each");
    y_ += 30;
    svg_.line(kMargin, y_, kWidth - kMargin, y_, " stroke=\"#1a1a1a\"");
    y_ += 12;
  }

  // ---- places
  // --------------------------------------------------------------------------------------------------------

  /// Small boxes for leaves of one unit and plane; 0 where their number is all that is said.
  Whole leaf_boxes() const {
    const double leaves = leaves_of_unit();
    return leaves <= kMostLeafBoxes ? whole(leaves) : need_.rails <= kMostLeafBoxes ? whole(need_.rails) : 0;
  }
  double leaf_height(const TopologyRow& row) const {
    if (!has_spines()) return is_pair() ? 2 * 36 + kPairGap : 36;
    if (!row.open || leaf_boxes() == 0) return 36;
    return leaf_boxes() * kPitch + 2 * kPad - (kPitch - kSmallBox);
  }

  /// Nodes in one small box: 1, those of a leaf, or 0 where their number is all that is said.
  Whole nodes_of_box(const TopologyRow& row) const {
    const double places = places_of(row);
    if (!row.open) return 0;
    if (places <= (has_spines() ? kMostSmallBoxes : kMostNodesAlone)) return 1;
    const double step = has_spines() ? fabric_.leaf_ports_down : std::ceil(places / kMostSmallBoxes);
    return std::ceil(places / step) <= kMostSmallBoxes ? whole(step) : 0;
  }
  double cell_width(Whole nodes_of_cell, const TopologyRow& row) const {
    const std::string last = node_label(whole(row.first * need_.nodes_per_unit + places_of(row)) - 1);
    return svg_text_width(nodes_of_cell == 1 ? last : last + " to " + last, kLabel) + 10;
  }

  struct Grid {
    Whole step = 0;  ///< nodes of a cell
    Whole cells = 0;
    Whole columns = 1;
    double pitch = 0;  ///< of columns
    double height() const { return (cells + columns - 1) / columns * kPitch + 2 * kPad - (kPitch - kSmallBox); }
  };
  Grid grid_of(const TopologyRow& row) const {
    Grid grid{.step = nodes_of_box(row)};
    if (grid.step == 0) return grid;
    grid.cells = whole(std::ceil(places_of(row) / grid.step));
    const double inside = columns_.node_width - 2 * kPad + 4;
    const Whole most = std::max(1U, whole(inside / (cell_width(grid.step, row) + 4)));
    const double beside = static_cast<double>(bands_.size()) * (leaf_height(row) + kPad) - 3 * kPad + 2;
    const Whole lines = std::max(1U, whole(beside / kPitch));
    grid.columns = std::clamp((grid.cells + lines - 1) / lines, 1U, most);
    grid.pitch = std::min(inside / grid.columns, cell_width(grid.step, row) + 60);
    return grid;
  }

  bool holds_manager(const TopologyRow& row) const {
    return need_.manager_links > 0 && (!has_spines() || row.last + 1 == fabric_.scalable_units);
  }

  PlacedRow place(const TopologyRow& row, double y) const {
    PlacedRow placed{.row = row};
    double inner = y + (row.open && has_spines() ? kHeadingLine + 2 : kPad);
    const double top = inner;
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      placed.leaves.push_back({columns_.leaf, inner, columns_.leaf_width, leaf_height(row)});
      inner += leaf_height(row) + kPad;
    }
    double height = inner - kPad - top;
    const Grid grid = grid_of(row);
    if (grid.step > 0) height = std::max(height, grid.height());
    for (SvgBox& box : placed.leaves) box.y += std::floor((top + height - (inner - kPad)) / 2);
    placed.nodes = {columns_.node, top, columns_.node_width, height};
    const double bottom = top + height + (holds_manager(row) ? kManagerLine : 0) + kPad;
    placed.frame = {columns_.leaf - kPad, y, kWidth - kMargin - columns_.leaf + kPad, bottom - y};
    return placed;
  }

  void place(const TopologyBlock& block) {
    PlacedBlock placed{.block = &block};
    const double top = y_;
    for (const TopologyRow& row : block.rows) {
      placed.rows.push_back(place(row, y_));
      y_ = placed.rows.back().frame.bottom() + kGap;
    }
    if (has_spines()) {
      double height = -kGap;
      for (const Band& band : bands_) height += spine_height(block, band) + kGap;
      const double rows = y_ - kGap - top;
      if (height > rows) {
        shift(placed, std::floor((height - rows) / 2));
        y_ = top + height + kGap;
      }
      double y = top + std::floor(std::max(0.0, rows - height) / 2);
      for (const Band& band : bands_) {
        placed.spines.push_back({columns_.spine, y, columns_.spine_width, spine_height(block, band)});
        y += spine_height(block, band) + kGap;
      }
    }
    placed_.push_back(std::move(placed));
  }

  static void shift(PlacedBlock& block, double down) {
    for (PlacedRow& row : block.rows) {
      row.frame.y += down;
      row.nodes.y += down;
      for (SvgBox& box : row.leaves) box.y += down;
    }
  }

  // ---- boxes
  // ---------------------------------------------------------------------------------------------------------

  /// Lines of text in the middle of a box.
  void words(const SvgBox& box, const std::vector<TextLine>& lines) {
    double y = box.middle() - (static_cast<double>(lines.size()) - 1) * kTextLine / 2;
    for (const TextLine& line : lines) {
      svg_.text(box.x + box.width / 2, y, svg_fitted(line.text, box.width - 6, line.font), line.font,
                SvgAnchor::middle);
      y += kTextLine;
    }
  }

  /// A label in a small box, whose line it may come near.
  void name_in(const SvgBox& box, const std::string& name) {
    words({box.x - 3, box.y, box.width + 6, box.height}, {{name, kLabel}});
  }

  static std::string_view dashes(std::size_t band) {
    return band == 0 ? " stroke=\"#1a1a1a\" stroke-width=\"1.5\""
                     : " stroke=\"#1a1a1a\" stroke-width=\"1.5\" stroke-dasharray=\"6 3\"";
  }

  void open_bundle(std::string_view tier, double links, const std::string& what) {
    svg_.open("g", svg_attribute("class", "bundle " + std::string(tier)) + svg_attribute("data-tier", tier) +
                       svg_attribute("data-links", links));
    svg_.title(links_text(links, kWidth) + ": " + what);
  }

  /// From one box on the left over a trunk to lines on the right that end at `right`.
  void bus(std::string_view tier, const SvgBox& left, std::size_t band, double right,
           const std::vector<Branch>& branches) {
    double stub = left.middle();
    for (const Branch& branch : branches)
      if (std::fabs(branch.y - left.middle()) < std::fabs(stub - left.middle()) || stub == left.middle())
        if (branch.y > left.y + 4 && branch.y < left.bottom() - 4) stub = branch.y;
    const double trunk = left.right() + kTrunkStep * static_cast<double>(band + 1);
    const double labels = left.right() + kTrunkStep * static_cast<double>(bands_.size() + 1) - 4;
    double top = stub;
    double bottom = stub;
    for (const Branch& branch : branches) {
      top = std::min(top, branch.y);
      bottom = std::max(bottom, branch.y);
    }
    svg_.polyline({left.right(), stub, trunk, stub}, dashes(band));
    if (bottom > top) svg_.line(trunk, top, trunk, bottom, dashes(band));
    if (branches.size() > 1 && stub > top && stub < bottom) svg_.dot(trunk, stub, 2.5);
    for (const Branch& branch : branches) {
      open_bundle(tier, branch.links, branch.what);
      svg_.line(trunk, branch.y, right, branch.y, dashes(band));
      if (branches.size() > 1 && branch.y > top && branch.y < bottom) svg_.dot(trunk, branch.y, 2.5);
      svg_.text((labels + right) / 2, branch.y - 9, links_text(branch.links, right - labels - 4), kPlain,
                SvgAnchor::middle);
      svg_.close();
    }
  }

  void unit(const PlacedRow& placed) {
    const TopologyRow& row = placed.row;
    const double nodes = nodes_of(row);
    const double free = places_of(row) - nodes;
    const std::string id =
        "unit-" + std::to_string(row.first + 1) + (row.units() > 1 ? "-" + std::to_string(row.last + 1) : "");
    const std::string content = counted(nodes, "node", "nodes") + ", " +
                                counted(leaves_of(row) * need_.planes, "leaf", "leaves") +
                                (free > 0 ? ", " + counted(free, "place free", "places free") : "");
    svg_.open("g", svg_attribute("id", id) + svg_attribute("class", "unit") +
                       svg_attribute("data-first-unit", row.first + 1) + svg_attribute("data-last-unit", row.last + 1) +
                       svg_attribute("data-state", row.open ? "open" : "collapsed") +
                       svg_attribute("data-nodes", nodes) + svg_attribute("data-free", free) +
                       svg_attribute("data-leaves", leaves_of(row) * need_.planes));
    svg_.title((has_spines() ? unit_name(row) + ": " : "") + content);
    if (row.units() > 1 && has_spines()) {
      const SvgBox& front = placed.frame;
      svg_.rect({front.x + kStack, front.y + kStack, front.width, front.height}, kFrame, 4);
    }
    svg_.rect(placed.frame, kFrame, 4);
    if (row.open && has_spines()) {
      svg_.text(columns_.leaf, placed.frame.y + 12, unit_name(row), kStrong);
      svg_.text(placed.frame.right() - kPad, placed.frame.y + 12, content, kPlain, SvgAnchor::end, kSvgMuted);
    }
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      leaves(row, bands_[band], placed.leaves[band]);
      node_links(placed, band);
    }
    node_boxes(placed);
    if (holds_manager(row)) manager(placed);
    svg_.close();
  }

  void leaves(const TopologyRow& row, const Band& band, const SvgBox& box) {
    const Whole per_plane = layout_.leaves;
    const Whole of_unit = whole(leaves_of_unit());
    if (!has_spines()) {
      for (Whole leaf = 0; leaf < of_unit; ++leaf) {
        const SvgBox one{box.x, box.y + leaf * (36 + kPairGap), box.width, 36};
        svg_.open("g", " class=\"leaf\"" + svg_attribute("data-count", band.planes));
        svg_.rect(one, kLeafLook, 2);
        words(one, {{range(FabricDevice::leaf, band, per_plane, leaf, leaf), kLabel},
                    {number(nodes_on_leaf(leaf)) + " of " + number(ports_for_nodes()) + " ports to nodes", kPlain}});
        svg_.close();
      }
      if (is_pair()) between_the_pair(band, box);
      return;
    }
    const Whole first = row.first * of_unit;
    const Whole boxes = row.open ? leaf_boxes() : 0;
    if (boxes == 0) {
      svg_.open("g", " class=\"leaf\"" + svg_attribute("data-count", leaves_of(row) * band.planes));
      svg_.rect(box, kLeafLook, 2);
      const std::string count = counted(leaves_of(row) * band.planes, "leaf", "leaves");
      words(box, {{row.open ? plane_name(band) + count : unit_name(row) + ": " + count, kStrong},
                  {range(FabricDevice::leaf, band, per_plane, first, (row.last + 1) * of_unit - 1), kLabel}});
      svg_.close();
      return;
    }
    svg_.rect(box, " fill=\"none\" stroke=\"#8c8c8c\"", 2);
    const Whole step = of_unit / boxes;
    for (Whole i = 0; i < boxes; ++i) {
      const Whole leaf = first + i * step;
      const SvgBox one{box.x + kPad, box.y + kPad + i * kPitch, box.width - 2 * kPad, kSmallBox};
      std::string name = range(FabricDevice::leaf, band, per_plane, leaf, leaf + step - 1);
      if (step > 1 && band.planes == 1)
        name = label(FabricDevice::leaf, band.first, per_plane, leaf) + " to l" + std::to_string(step);
      // The names of leaves in several planes leave no room for their number.
      std::string used = band.planes > 1 ? std::string() : counted(step, "leaf", "leaves");
      if (step * band.planes == 1) used = number(nodes_on_leaf(leaf)) + " of " + number(fabric_.leaf_ports_down);
      svg_.open("g", " class=\"leaf\"" + svg_attribute("data-count", step * band.planes));
      if (step * band.planes == 1) svg_.title(name + ": " + used + " ports to nodes are taken");
      svg_.rect(one, kLeafLook, 2);
      const double right = svg_text_width(used, kPlain);
      svg_.text(one.x + 4, one.middle(), svg_fitted(name, one.width - right - (used.empty() ? 6 : 14), kLabel), kLabel);
      if (!used.empty()) svg_.text(one.right() - 4, one.middle(), used, kPlain, SvgAnchor::end, kSvgMuted);
      svg_.close();
    }
  }

  void between_the_pair(const Band& band, const SvgBox& box) {
    const double x = box.x + 24;
    const double links = fabric_.inter_switch_links / need_.planes * band.planes;
    open_bundle("pair", links, "from one switch of the pair to the other");
    for (const double offset : {-3.0, 3.0})
      svg_.line(x + offset, box.y + 36, x + offset, box.y + 36 + kPairGap, " stroke=\"#1a1a1a\" stroke-width=\"1.5\"");
    svg_.text(x + 12, box.middle(), links_text(links, box.width - 40), kPlain);
    svg_.close();
  }

  void node_links(const PlacedRow& placed, std::size_t band) {
    const SvgBox& box = placed.leaves[band];
    const double links = nodes_of(placed.row) * need_.rails * bands_[band].planes;
    const double y = std::clamp(box.middle(), placed.nodes.y + 8, placed.nodes.bottom() - 4);
    const double x = box.right() + (is_pair() ? kTrunkStep : 0);
    open_bundle("node-leaf", links, "each node has one to a leaf of every rail");
    svg_.line(x, y, placed.nodes.x, y, dashes(band));
    // The switches of a pair share the nodes' links.
    if (is_pair())
      svg_.polyline({box.right(), box.y + 18, x, box.y + 18, x, box.bottom() - 18, box.right(), box.bottom() - 18},
                    dashes(band));
    svg_.text((x + placed.nodes.x) / 2, y - 9, links_text(links, placed.nodes.x - x - 8), kPlain, SvgAnchor::middle);
    svg_.close();
  }

  void node_boxes(const PlacedRow& placed) {
    const TopologyRow& row = placed.row;
    const SvgBox& box = placed.nodes;
    const Grid grid = grid_of(row);
    const auto first = whole(row.first * (has_spines() ? need_.nodes_per_unit : 0));
    const auto present = whole(nodes_of(row));
    const auto places = whole(places_of(row));
    if (grid.step == 0) {
      svg_.open(
          "g", " class=\"node\"" + svg_attribute("data-count", present) + svg_attribute("data-free", places - present));
      svg_.rect(box, present == 0 ? kFreeLook : kNodeLook, 2);
      std::vector<TextLine> lines{{present == 0 ? "no node yet" : counted(present, "node", "nodes"), kStrong}};
      if (places > present && present > 0) lines[0].text += ", ";
      if (places > present) lines[0].text += (present == 0 ? ", " : "") + number(places - present) + " free";
      if (present == 1) lines.push_back({node_label(first), kLabel});
      if (present > 1) lines.push_back({node_label(first) + " to " + node_label(first + present - 1), kLabel});
      words(box, lines);
      svg_.close();
      return;
    }
    svg_.rect(box, " fill=\"none\" stroke=\"#8c8c8c\"", 2);
    for (Whole cell = 0; cell < grid.cells; ++cell) {
      const Whole from = cell * grid.step;
      const Whole to = std::min(from + grid.step, places);
      const Whole there = std::clamp(present, from, to) - from;
      const SvgBox one{box.x + kPad + cell % grid.columns * grid.pitch, box.y + kPad + cell / grid.columns * kPitch,
                       grid.pitch - 4, kSmallBox};
      svg_.open("g",
                " class=\"node\"" + svg_attribute("data-count", there) + svg_attribute("data-free", to - from - there));
      svg_.rect(one, there == 0 ? kFreeLook : kNodeLook, 2);
      const std::string name = there == 0   ? "free"
                               : there == 1 ? node_label(first + from)
                                            : node_label(first + from) + " to " + node_label(first + from + there - 1);
      name_in(one, name);
      svg_.close();
    }
  }

  void manager(const PlacedRow& placed) {
    const SvgBox box{placed.nodes.x, placed.nodes.bottom() + 8, placed.nodes.width, kManagerLine - 8};
    const FabricPort last{whole(need_.manager_links) - 1, 1, FabricDevice::manager};
    const std::string name =
        "Fabric manager: m1" + (last.device > 0 ? " to " + device_label(layout_, last) : std::string());
    const double x = columns_.leaf + columns_.leaf_width - 24;
    open_bundle("manager", need_.manager_links, "the fabric manager takes ports of leaves, from the last unit on");
    svg_.polyline({box.x, box.middle(), x, box.middle(), x, placed.leaves.back().bottom()}, dashes(0));
    const double left = columns_.leaf + columns_.leaf_width;
    svg_.text((left + box.x) / 2, box.middle() - 9, links_text(need_.manager_links, box.x - left - 8), kPlain,
              SvgAnchor::middle);
    svg_.close();
    svg_.rect(box, kManagerLook, 2);
    words(box, {{name, kStrong}});
  }

  // ---- spines and cores
  // ----------------------------------------------------------------------------------------------

  /// Spines get a closer look beside an open unit, or where all units share them.
  bool shows_more(const TopologyBlock& block) const {
    bool open = blocks_.size() == 1;
    for (const TopologyRow& row : block.rows) open = open || row.open;
    return open;
  }
  bool lists_groups(const TopologyBlock& block) const {
    return shows_more(block) && block.last_group > block.first_group &&
           block.last_group - block.first_group < kMostGroupBoxes;
  }
  bool lists_spines(const TopologyBlock& block) const {
    return shows_more(block) && block.first_group == block.last_group && bands_.back().planes == 1 &&
           spines_of_group(block.first_group) <= kMostSpineBoxes;
  }
  double spines_of(const TopologyBlock& block) const {
    double spines = 0;
    for (Whole group = block.first_group; group <= block.last_group; ++group) spines += spines_of_group(group);
    return spines;
  }
  Whole spine_columns(const TopologyBlock& block) const {
    const std::string text = label(FabricDevice::spine, 0, layout_.spines, first_spine(block.first_group));
    return std::max(1U, whole((columns_.spine_width - 2 * kPad + 4) / (svg_text_width(text, kLabel) + 12)));
  }
  std::vector<TextLine> spine_words(const TopologyBlock& block, const Band& band) const {
    const Whole shown = block.last_group - block.first_group + 1;
    const bool rails = need_.topology == FabricTopology::rail_groups;
    std::vector<TextLine> lines;
    const std::string count = counted(spines_of(block) * band.planes, "spine", "spines");
    if (!plane_name(band).empty() && shown > 1) lines.push_back({plane_name(band), kStrong});
    if (!lines.empty()) lines.back().text.resize(lines.back().text.size() - 2);
    lines.push_back({(shown > 1 ? std::string() : plane_name(band)) + count, kStrong});
    if (shown > 1)
      lines.push_back({"in " + counted(shown * band.planes, "", rails ? "rail groups" : "pods"), kPlain});
    else if (layout_.spines_per_group > 0)
      lines.push_back({(rails ? "rail group " : "pod ") + number(block.first_group + 1), kPlain});
    if (lists_groups(block) || lists_spines(block)) return lines;
    const Whole first = first_spine(block.first_group);
    const Whole last = first_spine(block.last_group) + spines_of_group(block.last_group) - 1;
    for (std::string& line :
         svg_wrapped(range(FabricDevice::spine, band, layout_.spines, first, last), columns_.spine_width - 8, kLabel))
      lines.push_back({std::move(line), kLabel});
    return lines;
  }
  double words_height(const TopologyBlock& block, const Band& band) const {
    return static_cast<double>(spine_words(block, band).size()) * kTextLine + 10;
  }
  double spine_height(const TopologyBlock& block, const Band& band) const {
    double lines = 0;
    if (lists_groups(block)) lines = block.last_group - block.first_group + 1;
    if (lists_spines(block)) lines = std::ceil(spines_of(block) / spine_columns(block));
    return words_height(block, band) + (lines > 0 ? lines * kPitch + kPad - 2 : 0);
  }

  std::string rail_of(Whole group) const {
    if (need_.topology != FabricTopology::rail_groups) return {};
    return " rail " + number(group % layout_.rails + 1);
  }

  void spines(const PlacedBlock& placed) {
    const TopologyBlock& block = *placed.block;
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      std::vector<Branch> branches;
      for (const PlacedRow& row : placed.rows)
        branches.push_back(
            {row.leaves[band].middle(), uplinks_of(row.row, bands_[band]), "leaves of " + unit_name(row.row)});
      const SvgBox& box = placed.spines[band];
      bus("leaf-spine", box, band, columns_.leaf, branches);
      svg_.open("g", " class=\"spine\"" + svg_attribute("data-count", spines_of(block) * bands_[band].planes));
      svg_.rect(box, kSpineLook, 2);
      words({box.x, box.y + 2, box.width, words_height(block, bands_[band]) - 4}, spine_words(block, bands_[band]));
      double y = box.y + words_height(block, bands_[band]);
      if (lists_groups(block)) {
        for (Whole group = block.first_group; group <= block.last_group; ++group, y += kPitch) {
          const SvgBox one{box.x + kPad, y, box.width - 2 * kPad, kSmallBox};
          const std::string first = label(FabricDevice::spine, bands_[band].first, layout_.spines, first_spine(group));
          const std::string name = first.substr(0, first.rfind('-'));
          const std::string count = counted(spines_of_group(group) * bands_[band].planes, "spine", "spines");
          const double right = svg_text_width(count, kPlain) + 8;
          svg_.rect(one, kSmallSpineLook, 2);
          svg_.text(one.x + 4, one.middle(), svg_fitted(name + rail_of(group), one.width - right - 6, kLabel), kLabel);
          svg_.text(one.right() - 4, one.middle(), count, kPlain, SvgAnchor::end, kSvgMuted);
        }
      }
      if (lists_spines(block)) {
        const Whole across = spine_columns(block);
        const double pitch = (box.width - 2 * kPad + 4) / across;
        for (Whole i = 0; i < spines_of_group(block.first_group); ++i) {
          const SvgBox one{box.x + kPad + i % across * pitch, y + i / across * kPitch, pitch - 4, kSmallBox};
          svg_.rect(one, kSmallSpineLook, 2);
          name_in(one,
                  label(FabricDevice::spine, bands_[band].first, layout_.spines, first_spine(block.first_group) + i));
        }
      }
      svg_.close();
    }
  }

  std::vector<TextLine> core_words(const Band& band) const {
    std::vector<TextLine> lines{
        {plane_name(band) + counted(fabric_.core.per_plane * band.planes, "core", "cores"), kStrong}};
    const Whole parts = core_groups();
    if (parts > 1 && parts < layout_.cores)
      lines.push_back({number(parts) + " groups of " + number(layout_.cores / parts), kPlain});
    for (std::string& line : svg_wrapped(range(FabricDevice::core, band, layout_.cores, 0, layout_.cores - 1),
                                         columns_.core_width - 8, kLabel))
      lines.push_back({std::move(line), kLabel});
    return lines;
  }

  void cores() {
    double height = -2 * kGap;
    for (const Band& band : bands_) height += static_cast<double>(core_words(band).size()) * kTextLine + 14 + 2 * kGap;
    const double top = placed_.front().spines.front().middle();
    const double bottom = placed_.back().spines.back().middle();
    double y = std::floor(std::max(placed_.front().spines.front().y, (top + bottom - height) / 2));
    for (std::size_t band = 0; band < bands_.size(); ++band) {
      const std::vector<TextLine> lines = core_words(bands_[band]);
      const SvgBox box{columns_.core, y, columns_.core_width, static_cast<double>(lines.size()) * kTextLine + 14};
      y = box.bottom() + 2 * kGap;
      std::vector<Branch> branches;
      for (const PlacedBlock& block : placed_) {
        double links = 0;
        for (const PlacedRow& row : block.rows) links += uplinks_of(row.row, bands_[band]);
        branches.push_back({block.spines[band].middle(), links, "spines of these units, upwards"});
      }
      bus("spine-core", box, band, columns_.spine, branches);
      svg_.open("g", " class=\"core\"" + svg_attribute("data-count", fabric_.core.per_plane * bands_[band].planes));
      svg_.rect(box, kCoreLook, 2);
      words(box, lines);
      svg_.close();
      y_ = std::max(y_, box.bottom() + kGap);
    }
  }

  // ---- below
  // ---------------------------------------------------------------------------------------------------------

  void footer() {
    y_ += 6;
    std::vector<std::string> notes;
    if (has_spines())
      notes.emplace_back("Each node has a link to a leaf of every rail" +
                         std::string(need_.planes > 1 ? " in every plane" : "") +
                         "; each leaf spreads its uplinks evenly over its spines. Numbers beside leaves: ports to "
                         "nodes that are taken.");
    if (bands_.size() > 1)
      notes.emplace_back(bands_[1].planes == 1 ? "Solid lines: plane 1. Dashed lines: plane 2."
                                               : "Solid lines: plane 1. Dashed lines: the other planes, which are "
                                                 "alike.");
    for (std::string& note : fabric_notes(need_, fabric_)) notes.push_back(std::move(note));
    for (const std::string& note : notes)
      for (const std::string& line : svg_wrapped(note, kWidth - 2 * kMargin, kPlain)) {
        svg_.text(kMargin, y_ + 7, line, kPlain, SvgAnchor::start, kSvgMuted);
        y_ += 15;
      }
  }

  const FabricNeed<NoTrace>& need_;
  const Fabric<NoTrace>& fabric_;
  std::vector<TopologyBlock> blocks_;
  Columns columns_;
  FabricLayout layout_;
  std::vector<Band> bands_;
  std::vector<PlacedBlock> placed_;
  SvgWriter svg_;
  double y_ = 0;
  std::string title_, description_, data_;
};

std::string refused(const std::vector<FabricRefusal>& refusals) {
  SvgWriter svg;
  double y = kMargin + 12;
  const std::string title = "This fabric cannot be wired";
  svg.text(kMargin, y, title, kHeading);
  y += 24;
  std::string reasons;
  for (const FabricRefusal& refusal : refusals) {
    reasons += (reasons.empty() ? "" : " ") + refusal.message;
    for (const std::string& line : svg_wrapped(refusal.message, kWidth - 2 * kMargin, kPlain)) {
      svg.text(kMargin, y, line, kPlain);
      y += 16;
    }
  }
  return svg.document(kWidth, y + kMargin, "topology", title, reasons, {});
}

/// All units of a small fabric, the first of a large one.
std::vector<std::uint32_t> usual_units(const Fabric<NoTrace>& fabric) {
  return fabric.scalable_units <= 2 ? std::vector<std::uint32_t>{1, 2} : std::vector<std::uint32_t>{1};
}

}  // namespace

std::string topology_svg(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                         const TopologyDrawing& options) {
  const std::vector<FabricRefusal> refusals = fabric_refusals(need, fabric);
  if (!refusals.empty()) return refused(refusals);
  const std::vector<std::uint32_t> open = options.open_units ? *options.open_units : usual_units(fabric);
  return Painter(need, fabric, topology_blocks(need, fabric, open)).paint();
}

}  // namespace podwright
