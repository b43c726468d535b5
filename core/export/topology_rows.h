#pragma once
/// Which scalable units and spine groups of a fabric are drawn together. docs/method/drawings.md#collapsing.
#include <cstdint>
#include <vector>

#include "architecture/fabric.h"

namespace podwright {

/// Scalable units, from 0, that one line of a drawing shows.
struct TopologyRow {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  bool open = false;

  std::uint32_t units() const { return last - first + 1; }
};

/// Lines whose leaves share spines: those of one layer, of pods, or of rail groups.
struct TopologyBlock {
  std::vector<TopologyRow> rows;
  std::uint32_t first_group = 0;  ///< spine groups, from 0
  std::uint32_t last_group = 0;
  bool single = false;  ///< shows units one by one, so that its spines are worth a closer look
};

/// Units up to this number each have a line of their own.
inline constexpr std::uint32_t kMostSingleUnits = 16;
/// Beyond it the first of them still have.
inline constexpr std::uint32_t kFirstSingleUnits = 3;

/// Every unit once, in order. `open` holds units from 1; others than those of the fabric are ignored. A fabric without
/// spines is one open line.
std::vector<TopologyBlock> topology_blocks(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                                           const std::vector<std::uint32_t>& open);

}  // namespace podwright
