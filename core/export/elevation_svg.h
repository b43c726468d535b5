#pragma once
/// Rack elevations as a drawing, unit by unit, in pages that print on A4 and Letter. docs/method/drawings.md#racks.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "architecture/elevation.h"

namespace podwright {

struct ElevationDrawing {
  /// Draws neighbours that are alike once. Absent: where there are more than kMostSingleRacks.
  std::optional<bool> collapse_alike;
  std::uint32_t first_rack = 1;            ///< from 1, in the order of the elevations
  std::optional<std::uint32_t> last_rack;  ///< absent: to the end
  std::optional<std::uint32_t> page;       ///< from 1; absent: all pages, one below the other
};

inline constexpr std::uint32_t kMostSingleRacks = 12;

/// Racks next to each other that one elevation stands for: the same kinds of devices at the same units.
struct RackRun {
  std::uint32_t first = 0;  ///< index into Elevations::racks
  std::uint32_t last = 0;

  std::uint32_t racks() const { return last - first + 1; }
};
/// Of the racks that are drawn, in order.
std::vector<RackRun> rack_runs(const Elevations& elevations, const ElevationDrawing& options);

/// At least 1.
std::uint32_t elevation_pages(const Elevations& elevations, const ElevationDrawing& options = {});

std::string elevation_svg(const Elevations& elevations, const ElevationDrawing& options = {});

}  // namespace podwright
