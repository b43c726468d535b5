#include "export/design_files.h"

#include "architecture/rack_plan.h"
#include "base/append.h"
#include "base/whole.h"
#include "base/words.h"
#include "export/ansible.h"
#include "export/containerlab.h"
#include "export/elevation_svg.h"
#include "export/graphviz.h"
#include "export/netbox.h"
#include "export/slurm.h"
#include "export/tables.h"
#include "export/topology_svg.h"

namespace podwright {
namespace {

std::vector<WiredNetwork> networks_of(const WiredDesign& wired) {
  std::vector<WiredNetwork> networks;
  for (std::size_t i = 0; i < wired.wiring.networks.size(); ++i)
    networks.push_back({&wired.wiring.networks[i], wired.runs[i].empty() ? nullptr : &wired.runs[i]});
  return networks;
}

bool shows_compute(DesignExport what) {
  return what == DesignExport::topology_svg || what == DesignExport::graphviz || what == DesignExport::slurm ||
         what == DesignExport::containerlab;
}

bool shows_racks(DesignExport what) { return what == DesignExport::elevation_svg || what == DesignExport::netbox; }

std::string topology_of(const Design<NoTrace>& design, const std::vector<double>& open_units) {
  TopologyDrawing drawing;
  if (!open_units.empty()) drawing.open_units.emplace(open_units.begin(), open_units.end());
  return topology_svg(*design.networks.compute_need, *design.networks.compute, drawing);
}

/// Nodes of the scheduler that NVLink joins: the trays of a system that is a whole rack.
std::uint32_t nodes_of_a_domain(const DesignParts& parts) {
  return parts.system != nullptr && is_rack(*parts.system) ? whole(*parts.system->trays) : 1;
}

NetboxSite netbox_site(const Catalog& catalog, const DesignParts& parts, const Design<NoTrace>& design,
                       const DesignFileOptions& options) {
  NetboxSite site{.name = options.site, .gpu = options.gpu, .gpu_role = "system"};
  if (parts.system == nullptr) return site;
  site.gpus_of_device = parts.system->gpu_count;
  if (is_rack(*parts.system)) {
    site.gpu_role = "compute";
    site.gpus_of_device /= *parts.system->trays;
  }
  NoTrace trace;
  const std::optional<Circuit<NoTrace>> circuit = usual_circuit(trace, catalog);
  if (design.racks && design.racks->feeds && circuit)
    site.feeds = {.per_rack = design.racks->feeds->feeds,
                  .line_voltage = circuit->line_voltage,
                  .current = circuit->current,
                  .derating = circuit->derating};
  return site;
}

}  // namespace

ExportFiles design_files(const Catalog& catalog, const DesignParts& parts, const Design<NoTrace>& design,
                         const WiredDesign& wired, const DesignFileOptions& options) {
  ExportFiles result;
  const NetworkWiring* compute = find_network(wired.wiring, "compute");
  const auto add = [&](std::string name, std::string media_type, std::string text) {
    result.files.push_back({std::move(name), std::move(media_type), std::move(text)});
  };
  const auto add_all = [&](const std::vector<ExportFile>& files) { append(result.files, files); };
  for (const DesignExport what : options.wanted) {
    const std::string word(word_of(what, kDesignExportWords));
    if (shows_compute(what) && !design.networks.compute) {
      result.not_written.push_back(word + ": no compute network of this design is known.");
      continue;
    }
    if (shows_racks(what) && !wired.elevations) {
      result.not_written.push_back(word + ": no racks of this design are known.");
      continue;
    }
    switch (what) {
      case DesignExport::topology_svg:
        add("topology.svg", "image/svg+xml", topology_of(design, options.open_units));
        break;
      case DesignExport::elevation_svg:
        add("elevation.svg", "image/svg+xml", elevation_svg(*wired.elevations));
        break;
      case DesignExport::bill_csv:
        add("bill_of_materials.csv", "text/csv", bill_csv(design.bill));
        break;
      case DesignExport::cables_csv:
        add("cables.csv", "text/csv", cables_csv(networks_of(wired)));
        break;
      case DesignExport::netbox:
        add_all(
            netbox_files(catalog, netbox_site(catalog, parts, design, options), *wired.elevations, networks_of(wired)));
        break;
      case DesignExport::graphviz:
        add("compute.dot", "text/vnd.graphviz", graphviz_dot(*compute));
        break;
      case DesignExport::slurm:
        add_all(slurm_topology(*compute, nodes_of_a_domain(parts)));
        break;
      case DesignExport::containerlab:
        if (const Result<std::string> text = containerlab_topology(*compute))
          add("podwright.clab.yml", "application/yaml", *text);
        else
          for (const Error& error : text.error()) result.not_written.push_back(word + ": " + error.message);
        break;
      case DesignExport::ansible:
        if (std::string text = ansible_inventory(networks_of(wired), wired.elevations ? &*wired.elevations : nullptr);
            !text.empty())
          add("ansible/inventory.yaml", "application/yaml", std::move(text));
        else
          result.not_written.push_back(word + ": no devices of this design are known.");
        break;
    }
  }
  return result;
}

}  // namespace podwright
