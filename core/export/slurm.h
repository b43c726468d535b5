#pragma once
/// The compute network as Slurm's topology/tree takes it. docs/method/exports.md#slurm.
#include <string>
#include <vector>

#include "architecture/wiring.h"
#include "export/export_file.h"

namespace podwright {

/// A switch of Slurm's tree: a place, not a device.
struct SlurmSwitch {
  std::string name;                   ///< at most 64 characters
  std::vector<std::string> nodes;     ///< of a leaf
  std::vector<std::string> switches;  ///< of all others
};

/// Lowest first; each node is in one leaf. A leaf is the nodes that have all their leaf switches in common ("su001",
/// "su001-l2" where a unit has several, "leaf001" where such nodes are of several units), above it stands what the
/// spines join without cores ("pod001", or "su001" for a whole unit), and on top "core", "spine" or "pair".
std::vector<SlurmSwitch> slurm_tree(const NetworkWiring& compute);

/// topology.conf, and topology.yaml for Slurm 25.05 and later, which reads that one instead where both exist.
std::vector<ExportFile> slurm_topology(const NetworkWiring& compute);

}  // namespace podwright
