#pragma once
/// Where the parts of a drawing of a fabric stand: columns of tiers, lines of units, boxes as high as their words.
#include <cstdint>
#include <string>
#include <vector>

#include "export/svg.h"
#include "export/topology_facts.h"

namespace podwright {

inline constexpr double kTopologyWidth = 1120;
inline constexpr double kTopologyMargin = 12;
inline constexpr double kTopologyPad = 6;       ///< between a frame and what is in it
inline constexpr double kTopologyPitch = 18;    ///< of small boxes one above the other
inline constexpr double kSmallBoxHeight = 16;   ///< of them
inline constexpr double kSwitchBoxHeight = 38;  ///< two lines of text
inline constexpr double kPairGap = 34;          ///< between the switches of a pair
inline constexpr double kManagerHeight = 22;

inline constexpr SvgFont kTopologyStrong{.size = 11, .bold = true};
inline constexpr SvgFont kTopologyPlain{.size = 10.5};
inline constexpr SvgFont kTopologyLabel{.size = 10, .mono = true};

inline constexpr double kTextPitch = svg_line_pitch(kTopologyStrong);  ///< of lines of text in a box

struct TextLine {
  std::string text;
  SvgFont font;
};

/// From left to right.
struct TopologyColumns {
  double core = 0, core_width = 0;
  double spine = 0, spine_width = 0;
  double leaf = 0, leaf_width = 0;
  double node = 0, node_width = 0;
};
TopologyColumns topology_columns(double tiers);

/// Small boxes of the nodes of one unit.
struct NodeGrid {
  std::uint32_t step = 0;  ///< nodes of a box; 0: no small boxes
  std::uint32_t boxes = 0;
  std::uint32_t columns = 1;
  double pitch = 0;  ///< of columns

  double height() const;
};

struct PlacedRow {
  TopologyRow row;
  SvgBox frame;
  std::vector<SvgBox> leaves;    ///< of each band of planes
  std::uint32_t leaf_boxes = 0;  ///< small ones of one plane; 0: none
  SvgBox nodes;
  NodeGrid grid;
  SvgBox manager;  ///< no height: it has none
};

/// Spines of a block in one band of planes.
struct PlacedSpines {
  SvgBox box;
  std::vector<TextLine> words;
  double words_height = 0;
  bool lists_groups = false;       ///< a small box for each group
  std::uint32_t list_columns = 0;  ///< of small boxes, one for each spine; 0: none
};

struct PlacedBlock {
  TopologyBlock block;
  std::vector<PlacedRow> rows;
  std::vector<PlacedSpines> spines;  ///< of each band of planes
};

struct PlacedCores {
  SvgBox box;
  std::vector<TextLine> words;
};

struct TopologyPlaces {
  TopologyColumns columns;
  std::vector<PlacedBlock> blocks;
  std::vector<PlacedCores> cores;  ///< of each band of planes
  double bottom = 0;
};

/// `top` is where the first line begins.
TopologyPlaces topology_places(const TopologyFacts& facts, const std::vector<TopologyBlock>& blocks, double top);

}  // namespace podwright
