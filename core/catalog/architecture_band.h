#pragma once
/// Which design fits which number of nodes: the size bands that the choice of an architecture goes by.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/item.h"

namespace podwright {

/// How well a size stands in the design's own document, best first.
/// published: among its sizes (tested, or drawn as such). described: only in its tables of large sizes, or in a
/// document not read whole. partial: below its smallest size, the scalable unit is filled in part. reduced: an older
/// edition at a lower link rate. open: no document gives the counts (custom designs, partner designs).
enum class BandFit { published, described, partial, reduced, open };
inline constexpr std::array<std::string_view, 5> kBandFitWords{"published", "described", "partial", "reduced", "open"};

/// One row: for one GPU in one system, the design for `min_nodes` to `max_nodes` nodes. A node is a server, or a rack
/// where the system is one.
struct ArchitectureBand : CatalogItem {
  std::string family;                  ///< dgx, oem, pcie, nvl72
  std::vector<std::string> ownership;  ///< dgx, oem, pcie
  std::string gpu_id;
  std::string system_id;
  std::vector<std::string> fabrics;  ///< infiniband, spectrum-x, roce; "none" where no compute fabric is needed
  std::vector<std::string> tenancy;  ///< that the design is made for: one-team, several-teams, several-tenants
  double min_nodes = 1;
  std::optional<double> max_nodes;  ///< absent: no upper end
  std::string architecture_id;      ///< of a reference architecture, or single-node, custom
  std::string
      compute_fabric;  ///< none, switch pair, collapsed pair, separate pairs, two tiers, three tiers; empty: not known
  double manager_nodes = 0;                  ///< nodes whose links the whole build gives to the fabric manager
  std::optional<double> max_scalable_units;  ///< of the band; absent where the design has no scalable unit
  BandFit fit = BandFit::published;
  std::string kind;  ///< datasheet, recalled, derived
  std::string why;   ///< reason in words
};

}  // namespace podwright
