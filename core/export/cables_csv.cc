#include "export/cables_csv.h"

#include <array>

#include "base/result.h"
#include "base/words.h"
#include "export/csv_text.h"

namespace podwright {

std::string cables_csv(const std::vector<WiredNetwork>& networks) {
  const std::array<std::string, kCableLengths.size()> lengths = cable_length_texts();
  std::string text, id;
  std::size_t wires = 0;
  for (const WiredNetwork& network : networks) wires += network.wiring->wires.size();
  text.reserve(64 + wires * 96);
  add_csv_row(text, {"id", "network", "from_device", "from_port", "to_device", "to_port", "medium", "length_m"});
  for (const WiredNetwork& network : networks) {
    const NetworkWiring& wiring = *network.wiring;
    PODWRIGHT_ASSERT(network.runs == nullptr || network.runs->size() == wiring.wires.size());
    std::vector<std::string> labels, ports;
    for (const WiredDevice& device : wiring.devices) labels.push_back(inert_cell(device.label));
    for (const std::string& port : wiring.ports) ports.push_back(inert_cell(port));
    for (std::size_t i = 0; i < wiring.wires.size(); ++i) {
      const Wire& wire = wiring.wires[i];
      const CableRun run = network.runs == nullptr ? CableRun{} : (*network.runs)[i];
      cable_id(id, wiring, wire);
      add_csv_row(text, {id, wiring.network, labels[wire.from_device], ports[wire.from_port], labels[wire.to_device],
                         ports[wire.to_port], word_of(run.medium, kCableMediumWords),
                         run.length == kNoLength ? std::string_view() : std::string_view(lengths[run.length])});
    }
  }
  return text;
}

}  // namespace podwright
