#include "export/tables.h"

#include "base/csv_write.h"
#include "base/words.h"
#include "export/format_text.h"

namespace podwright {

std::string bill_csv(const BillOfMaterials<NoTrace>& bill) {
  std::string text;
  add_csv_row(text, {"category", "item_id", "name", "use", "count", "unit", "note"});
  for (const BillLine<NoTrace>& line : bill.lines)
    add_csv_row(text, {inert_cell(line.category), inert_cell(line.item_id), inert_cell(line.name), inert_cell(line.use),
                       shortest_number(line.count), inert_cell(line.unit), inert_cell(line.note)});
  for (const std::string& name : bill.not_counted)
    add_csv_row(text, {"not-counted", "", inert_cell(name), "", "", "", ""});
  return text;
}

std::string cables_csv(const std::vector<WiredNetwork>& networks) {
  std::string text;
  text.reserve(64 + wires_of(networks) * 96);
  add_csv_row(text, {"id", "network", "from_device", "from_port", "to_device", "to_port", "medium", "length_m"});
  for (const WiredNetwork& network : networks) {
    const NetworkWiring& wiring = *network.wiring;
    std::vector<std::string> labels, ports;
    for (const WiredDevice& device : wiring.devices) labels.push_back(inert_cell(device.label));
    for (const std::string& port : wiring.ports) ports.push_back(inert_cell(port));
    for_each_cable(network, [&](const Wire& wire, const ExportedCable& cable) {
      add_csv_row(text,
                  {cable.id, wiring.network, labels[wire.from_device], ports[wire.from_port], labels[wire.to_device],
                   ports[wire.to_port], word_of(cable.medium, kCableMediumWords), cable.length_m});
    });
  }
  return text;
}

}  // namespace podwright
