#pragma once
/// Deals the links of spines to the cores above blocks. docs/method/fabric.md#wiring-of-the-side-fabrics.
#include <cstdint>
#include <vector>

#include "architecture/wiring.h"

namespace podwright {

/// Block by block and spine by spine, in turn over the cores: each core has the same number of links of a full block,
/// and none has two more than another. Every spine passes on as many links as it has taken, on its next ports.
/// `used`: ports of the device taken so far, by its index in the wiring; `first_port`: index of the label "1".
class CoreDealer {
 public:
  CoreDealer(NetworkWiring& wiring, std::vector<std::uint32_t>& used, std::uint32_t first_port)
      : wiring_(wiring), used_(used), first_port_(first_port) {}

  void deal(std::uint32_t first_spine, std::uint32_t spines, std::uint32_t first_core, std::uint32_t cores) {
    std::uint32_t turn = 0;
    for (std::uint32_t spine = first_spine; spine < first_spine + spines; ++spine)
      for (std::uint32_t links = used_[spine]; links > 0; --links) {
        const std::uint32_t core = first_core + turn++ % cores;
        wiring_.wires.push_back({.from_device = spine,
                                 .from_port = first_port_ + used_[spine]++,
                                 .to_device = core,
                                 .to_port = first_port_ + used_[core]++});
      }
  }

 private:
  NetworkWiring& wiring_;
  std::vector<std::uint32_t>& used_;
  std::uint32_t first_port_;
};

}  // namespace podwright
