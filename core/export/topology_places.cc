#include "export/topology_places.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/whole.h"

namespace podwright {
namespace {

constexpr double kPad = kTopologyPad;
constexpr double kPitch = kTopologyPitch;
constexpr double kGap = 8;              ///< between the frames of two lines, and between boxes of two planes
constexpr double kBoxHeadingLine = 22;  ///< of an open unit
constexpr double kBesideLabel = 6;      ///< of a small box
constexpr double kMostAir = 60;         ///< the same, at most
constexpr Whole kMostNodeBoxes = 72;    ///< of one unit
constexpr Whole kMostNodesAlone = 144;  ///< of a fabric without spines
constexpr Whole kMostLeafBoxes = 24;    ///< of one unit and plane
constexpr Whole kMostSpineBoxes = 24;   ///< of one group and plane
constexpr Whole kMostGroupBoxes = 8;

/// Small boxes one above the other in their frame.
double stack_height(Whole boxes) { return boxes * kPitch - (kPitch - kSmallBoxHeight) + 2 * kPad; }

void add_labels(std::vector<TextLine>& words, const std::string& labels, double width) {
  for (std::string& line : svg_wrapped(labels, width - 8, kTopologyLabel))
    words.push_back({std::move(line), kTopologyLabel});
}

class Placer {
 public:
  Placer(const TopologyFacts& facts, double top) : facts_(facts) {
    places_.columns = topology_columns(facts.fabric.tiers);
    places_.bottom = top;
  }

  TopologyPlaces take(const std::vector<TopologyBlock>& blocks) {
    for (const TopologyBlock& block : blocks) place(block, blocks.size() == 1);
    if (facts_.fabric.core.per_plane > 0) place_cores();
    return std::move(places_);
  }

 private:
  const TopologyColumns& columns() const { return places_.columns; }

  // Leaves and nodes of a line.

  /// Each leaf has a small box, or each rail where leaves are many, or none has.
  Whole leaf_boxes(const TopologyRow& row) const {
    if (!row.open || !facts_.has_spines()) return 0;
    const double leaves = facts_.leaves_of_unit();
    if (leaves <= kMostLeafBoxes) return whole(leaves);
    return facts_.layout.rails <= kMostLeafBoxes ? facts_.layout.rails : 0;
  }

  double leaf_height(const TopologyRow& row) const {
    if (facts_.is_pair()) return 2 * kSwitchBoxHeight + kPairGap;
    const Whole boxes = leaf_boxes(row);
    return boxes > 0 ? stack_height(boxes) : kSwitchBoxHeight;
  }

  /// One, or those that share a leaf, or none.
  Whole nodes_of_box(const TopologyRow& row) const {
    const double places = facts_.places_of(row);
    if (!row.open) return 0;
    if (places <= (facts_.has_spines() ? kMostNodeBoxes : kMostNodesAlone)) return 1;
    const double step = facts_.has_spines() ? facts_.fabric.leaf_ports_down : std::ceil(places / kMostNodeBoxes);
    return std::ceil(places / step) <= kMostNodeBoxes ? whole(step) : 0;
  }

  /// As many columns as make the nodes about as high as the leaves beside them.
  NodeGrid grid_of(const TopologyRow& row, double height) const {
    NodeGrid grid{.step = nodes_of_box(row)};
    if (grid.step == 0) return grid;
    const double places = facts_.places_of(row);
    grid.boxes = whole(std::ceil(places / grid.step));
    const std::string last = facts_.node_label(whole(row.first * facts_.need.nodes_per_unit + places) - 1);
    const double label = svg_text_width(grid.step == 1 ? last : last + " to " + last, kTopologyLabel);
    const double inside = columns().node_width - 2 * kPad + 4;
    const Whole most = std::max(1U, whole(inside / (label + kBesideLabel + 4)));
    const Whole lines = std::max(1U, whole((height - 2 * kPad + 2) / kPitch));
    grid.columns = std::clamp((grid.boxes + lines - 1) / lines, 1U, most);
    grid.pitch = std::min(inside / grid.columns, label + kMostAir);
    return grid;
  }

  PlacedRow place(const TopologyRow& row, double y) const {
    PlacedRow placed{.row = row, .leaf_boxes = leaf_boxes(row)};
    const double top = y + (row.open && facts_.has_spines() ? kBoxHeadingLine : kPad);
    const auto bands = static_cast<double>(facts_.bands.size());
    const double leaves = bands * (leaf_height(row) + kPad) - kPad;
    placed.grid = grid_of(row, leaves);
    const double height = placed.grid.step > 0 ? std::max(leaves, placed.grid.height()) : leaves;
    double next = top + std::floor((height - leaves) / 2);
    for (std::size_t band = 0; band < facts_.bands.size(); ++band, next += leaf_height(row) + kPad)
      placed.leaves.push_back({columns().leaf, next, columns().leaf_width, leaf_height(row)});
    placed.nodes = {columns().node, top, columns().node_width, height};
    if (!facts_.has_spines() && placed.grid.step > 0)
      placed.nodes.width = placed.grid.columns * placed.grid.pitch - 4 + 2 * kPad;
    double bottom = placed.nodes.bottom();
    const bool last = !facts_.has_spines() || row.last + 1 == facts_.fabric.scalable_units;
    if (last && facts_.need.manager_links > 0) {
      placed.manager = {columns().node, bottom + 8, std::max(placed.nodes.width, 190.0), kManagerHeight};
      bottom = placed.manager.bottom();
    }
    placed.frame = {columns().leaf - kPad, y,
                    std::max(placed.nodes.right(), placed.manager.right()) + 2 * kPad - columns().leaf,
                    bottom + kPad - y};
    return placed;
  }

  // Spines.

  /// What a box of spines says, and how it lists them next to an open unit or where all units share them.
  PlacedSpines spines_of(const TopologyBlock& block, const PlaneBand& band, bool only) const {
    const Whole groups = block.last_group - block.first_group + 1;
    const Whole in_first = facts_.spines_of_group(block.first_group);
    const Whole first = facts_.first_spine(block.first_group);
    bool near = only;
    for (const TopologyRow& row : block.rows) near = near || row.open;

    PlacedSpines spines;
    spines.lists_groups = near && groups > 1 && groups <= kMostGroupBoxes;
    if (near && groups == 1 && facts_.bands.back().planes == 1 && in_first <= kMostSpineBoxes) {
      const double label = svg_text_width(facts_.label(FabricDevice::spine, 0, first), kTopologyLabel);
      spines.list_columns = std::max(1U, whole((columns().spine_width - 2 * kPad + 4) / (label + 2 * kBesideLabel)));
    }
    add_words(spines, block, band);
    if (!spines.lists_groups && spines.list_columns == 0) {
      const Whole last = facts_.first_spine(block.last_group) + facts_.spines_of_group(block.last_group) - 1;
      add_labels(spines.words, facts_.labels(FabricDevice::spine, band, first, last), columns().spine_width);
    }
    spines.words_height = static_cast<double>(spines.words.size()) * kTextPitch + 10;
    double lines = spines.lists_groups ? groups : 0;
    if (spines.list_columns > 0) lines = std::ceil(static_cast<double>(in_first) / spines.list_columns);
    spines.box = {columns().spine, 0, columns().spine_width,
                  spines.words_height + (lines > 0 ? lines * kPitch + kPad - 2 : 0)};
    return spines;
  }

  void add_words(PlacedSpines& spines, const TopologyBlock& block, const PlaneBand& band) const {
    const Whole groups = block.last_group - block.first_group + 1;
    const bool rails = facts_.has_rail_groups();
    const std::string plane = facts_.plane_name(band);
    const std::string count = counted(facts_.spines_of(block) * band.planes, "spine", "spines");
    if (groups > 1 && !plane.empty()) spines.words.push_back({plane, kTopologyStrong});
    spines.words.push_back({groups == 1 && !plane.empty() ? plane + ": " + count : count, kTopologyStrong});
    if (groups > 1)
      spines.words.push_back(
          {"in " + grouped(groups * band.planes) + (rails ? " rail groups" : " pods"), kTopologyPlain});
    else if (facts_.layout.spines_per_group > 0)
      spines.words.push_back({(rails ? "rail group " : "pod ") + grouped(block.first_group + 1), kTopologyPlain});
  }

  // Blocks and cores.

  void place(const TopologyBlock& block, bool only) {
    PlacedBlock placed{.block = block};
    const double top = places_.bottom;
    double y = top;
    for (const TopologyRow& row : block.rows) {
      placed.rows.push_back(place(row, y));
      y = placed.rows.back().frame.bottom() + kGap;
    }
    const double rows = y - kGap - top;
    double spines = 0;
    if (facts_.has_spines()) {
      for (const PlaneBand& band : facts_.bands) {
        placed.spines.push_back(spines_of(block, band, only));
        spines += placed.spines.back().box.height + kGap;
      }
      spines -= kGap;
    }
    if (spines > rows) shift(placed.rows, std::floor((spines - rows) / 2));
    double next = top + std::floor(std::max(0.0, rows - spines) / 2);
    for (PlacedSpines& one : placed.spines) {
      one.box.y = next;
      next = one.box.bottom() + kGap;
    }
    places_.bottom = top + std::max(rows, spines) + kGap;
    places_.blocks.push_back(std::move(placed));
  }

  static void shift(std::vector<PlacedRow>& rows, double down) {
    for (PlacedRow& row : rows) {
      row.frame.y += down;
      row.nodes.y += down;
      row.manager.y += down;
      for (SvgBox& box : row.leaves) box.y += down;
    }
  }

  std::vector<TextLine> core_words(const PlaneBand& band) const {
    const std::string plane = facts_.plane_name(band);
    const std::string count = counted(facts_.fabric.core.per_plane * band.planes, "core", "cores");
    std::vector<TextLine> words{{plane.empty() ? count : plane + ": " + count, kTopologyStrong}};
    const Whole parts = facts_.core_groups();
    const Whole cores = facts_.layout.cores;
    if (parts > 1 && parts < cores)
      words.push_back({grouped(parts) + " groups of " + grouped(cores / parts), kTopologyPlain});
    add_labels(words, facts_.labels(FabricDevice::core, band, 0, cores - 1), columns().core_width);
    return words;
  }

  /// In the middle of all spines.
  void place_cores() {
    double height = -2 * kGap;
    for (const PlaneBand& band : facts_.bands) {
      places_.cores.push_back({{}, core_words(band)});
      PlacedCores& cores = places_.cores.back();
      cores.box = {columns().core, 0, columns().core_width, static_cast<double>(cores.words.size()) * kTextPitch + 14};
      height += cores.box.height + 2 * kGap;
    }
    const SvgBox& first = places_.blocks.front().spines.front().box;
    const SvgBox& last = places_.blocks.back().spines.back().box;
    double y = std::floor(std::max(first.y, (first.middle() + last.middle() - height) / 2));
    for (PlacedCores& cores : places_.cores) {
      cores.box.y = y;
      y = cores.box.bottom() + 2 * kGap;
    }
    places_.bottom = std::max(places_.bottom, y - kGap);
  }

  const TopologyFacts& facts_;
  TopologyPlaces places_;
};

}  // namespace

TopologyColumns topology_columns(double tiers) {
  if (tiers >= 3) return {12, 134, 276, 168, 578, 204, 906, 196};
  if (tiers == 2) return {0, 0, 12, 210, 366, 214, 712, 390};
  return {0, 0, 0, 0, 18, 214, 372, 730};
}

double NodeGrid::height() const { return stack_height((boxes + columns - 1) / columns); }

TopologyPlaces topology_places(const TopologyFacts& facts, const std::vector<TopologyBlock>& blocks, double top) {
  return Placer(facts, top).take(blocks);
}

}  // namespace podwright
