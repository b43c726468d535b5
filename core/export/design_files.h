#pragma once
/// Drawings and files of a whole design, by the names that requests ask for. docs/method/exports.md.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/design.h"
#include "architecture/design_wiring.h"
#include "export/export_file.h"

namespace podwright {

enum class DesignExport {
  topology_svg,
  elevation_svg,
  bill_csv,
  cables_csv,
  netbox,
  graphviz,
  slurm,
  containerlab,
  ansible
};
inline constexpr std::array<std::string_view, 9> kDesignExportWords{"topology-svg", "elevation-svg", "bill-csv",
                                                                    "cables-csv",   "netbox",        "graphviz",
                                                                    "slurm",        "containerlab",  "ansible"};

struct DesignFileOptions {
  std::vector<DesignExport> wanted;  ///< files come in this order
  std::string site;                  ///< name of the place, in files that need one
  std::string gpu;                   ///< name of the GPU
  std::vector<double> open_units;    ///< of the topology drawing; empty: chosen by the size
};

ExportFiles design_files(const Catalog& catalog, const DesignParts& parts, const Design<NoTrace>& design,
                         const WiredDesign& wired, const DesignFileOptions& options);

}  // namespace podwright
