#include "export/design_files.h"

#include "export/bill_csv.h"
#include "export/cables_csv.h"
#include "export/containerlab.h"
#include "export/elevation_svg.h"
#include "export/graphviz.h"
#include "export/netbox.h"
#include "export/slurm.h"
#include "export/topology_svg.h"

namespace podwright {
namespace {

std::vector<WiredNetwork> networks_of(const WiredDesign& wired) {
  std::vector<WiredNetwork> networks;
  for (std::size_t i = 0; i < wired.wiring.networks.size(); ++i)
    networks.push_back({&wired.wiring.networks[i], wired.runs[i].empty() ? nullptr : &wired.runs[i]});
  return networks;
}

class DesignExporter {
 public:
  DesignExporter(const Catalog& catalog, const Design<NoTrace>& design, const WiredDesign& wired,
                 const DesignFileOptions& options)
      : catalog_(catalog), design_(design), wired_(wired), options_(options) {}

  void write(DesignExport what) {
    switch (what) {
      case DesignExport::topology_svg:
        if (has_compute("topology-svg"))
          add("topology.svg", "image/svg+xml",
              topology_svg(*design_.networks.compute_need, *design_.networks.compute, drawing()));
        break;
      case DesignExport::elevation_svg:
        if (has_racks("elevation-svg")) add("elevation.svg", "image/svg+xml", elevation_svg(*wired_.elevations));
        break;
      case DesignExport::bill_csv:
        add("bill_of_materials.csv", "text/csv", bill_csv(design_.bill));
        break;
      case DesignExport::cables_csv:
        add("cables.csv", "text/csv", cables_csv(networks_of(wired_)));
        break;
      case DesignExport::netbox:
        if (has_racks("netbox")) add(netbox_files(catalog_, options_.site, *wired_.elevations, networks_of(wired_)));
        break;
      case DesignExport::graphviz:
        if (has_compute("graphviz")) add("compute.dot", "text/vnd.graphviz", graphviz_dot(compute()));
        break;
      case DesignExport::slurm:
        if (has_compute("slurm")) add(slurm_topology(compute()));
        break;
      case DesignExport::containerlab:
        lab();
        break;
    }
  }

  ExportFiles take() { return std::move(result_); }

 private:
  TopologyDrawing drawing() const {
    TopologyDrawing drawing;
    if (options_.open_units.empty()) return drawing;
    drawing.open_units.emplace();
    for (const double unit : options_.open_units) drawing.open_units->push_back(static_cast<std::uint32_t>(unit));
    return drawing;
  }
  const NetworkWiring& compute() const { return *find_network(wired_.wiring, "compute"); }
  bool has_compute(std::string_view what) {
    if (design_.networks.compute) return true;
    result_.not_written.push_back(std::string(what) + ": no compute network of this design is known.");
    return false;
  }
  bool has_racks(std::string_view what) {
    if (wired_.elevations) return true;
    result_.not_written.push_back(std::string(what) + ": no racks of this design are known.");
    return false;
  }
  void add(std::string name, std::string media_type, std::string text) {
    result_.files.push_back({std::move(name), std::move(media_type), std::move(text)});
  }
  void add(std::vector<ExportFile> files) {
    for (ExportFile& file : files) result_.files.push_back(std::move(file));
  }
  void lab() {
    if (!has_compute("containerlab")) return;
    Result<std::string> text = containerlab_topology(compute());
    if (text)
      add("podwright.clab.yml", "application/yaml", std::move(*text));
    else
      for (const Error& error : text.error()) result_.not_written.push_back("containerlab: " + error.message);
  }

  const Catalog& catalog_;
  const Design<NoTrace>& design_;
  const WiredDesign& wired_;
  const DesignFileOptions& options_;
  ExportFiles result_;
};

}  // namespace

ExportFiles design_files(const Catalog& catalog, const Design<NoTrace>& design, const WiredDesign& wired,
                         const DesignFileOptions& options) {
  DesignExporter exporter(catalog, design, wired, options);
  for (const DesignExport what : options.wanted) exporter.write(what);
  return exporter.take();
}

}  // namespace podwright
