#pragma once
/// A network as a lab of containers. docs/method/exports.md#containerlab.
#include <string>

#include "architecture/wiring.h"
#include "base/result.h"

namespace podwright {

inline constexpr std::size_t kMostLabNodes = 2000;

struct ContainerlabOptions {
  std::string name = "podwright";
  std::string switch_kind = "linux";  ///< "cumulus_cvx" and "sonic-vs" for Spectrum switches; InfiniBand has none
  std::string switch_image = "ghcr.io/srl-labs/network-multitool";
  std::string host_image = "ghcr.io/srl-labs/network-multitool";
};

/// The topology file (*.clab.yml). A port of a switch keeps its number ("eth17"; "swp17" on cumulus_cvx), those of
/// others are numbered in the order of the wires, from "eth1". Error "out-of-range" where the network has more than
/// kMostLabNodes devices.
Result<std::string> containerlab_topology(const NetworkWiring& wiring, const ContainerlabOptions& options = {});

}  // namespace podwright
