#pragma once
/// The compute network as Slurm's topology/tree and topology/block take it. docs/method/exports.md#slurm.
#include <cstdint>
#include <string>
#include <vector>

#include "architecture/wiring.h"
#include "export/export_file.h"

namespace podwright {

// Lists of names in the short form of Slurm: "n[00001-00032,00040]". docs/method/exports.md#slurm.

/// Names that differ in the number at their end, with as many digits, become one expression; commas between those.
/// Names hold letters, digits and "-".
std::string hostlist(const std::vector<std::string>& names);

/// topology.conf for topology/tree, and topology.yaml for Slurm 25.05 and later, which reads that one instead where
/// both exist. `domain_nodes`: nodes that NVLink joins, in the order of the wiring; above 1 they are blocks in
/// topology.yaml, and in topology-block.conf, which is for older versions.
std::vector<ExportFile> slurm_topology(const NetworkWiring& compute, std::uint32_t domain_nodes = 1);

}  // namespace podwright
