/// Writes the drawings that tests/web/drawings.spec.ts looks at: drawings_main FOLDER.
#include <fstream>
#include <iostream>

#include "export/elevation_svg.h"
#include "export/svg_parts.h"
#include "export/topology_svg.h"

namespace podwright {
namespace {

bool write(const std::string& folder, const std::string& name, const std::string& text) {
  std::ofstream file(folder + "/" + name + ".svg", std::ios::binary);
  file << text;
  return file.good();
}

bool write_all(const std::string& folder) {
  bool good = true;
  const auto topology = [&](const std::string& name, const FabricNeed<NoTrace>& need, const TopologyDrawing& options) {
    good = write(folder, "topology-" + name, topology_svg(need, test::built(need), options)) && good;
  };
  for (const double nodes : {31.0, 127.0, 2048.0}) {
    const std::string name = std::to_string(static_cast<int>(nodes));
    topology(name, test::h100_with_manager(nodes), {});
    good = write(folder, "elevation-" + name, elevation_svg(test::h100_racks(nodes))) && good;
  }
  FabricNeed<NoTrace> a100 = test::need(140, 8, 40, 20);
  a100.topology = FabricTopology::rail_groups;
  a100.units_per_group = 7;
  FabricNeed<NoTrace> pair = test::switch_pair(12, 8, 128);
  pair.link = gb_per_s(50);
  FabricNeed<NoTrace> alone = test::need(7, 8, 64, 8);
  FabricNeed<NoTrace> planes = test::b300_spectrum(256);
  planes.link = gb_per_s(50);
  FabricNeed<NoTrace> many_planes = test::need(70, 2, 64, 32);
  many_planes.planes = 4;
  topology("planes", planes, {});
  topology("four-planes", many_planes, {});
  topology("planes-of-pods", test::b300_spectrum(1500), {.open_units = {{2, 5, 24}}});
  topology("rail-groups-1", test::gb200(1), {});
  topology("rail-groups-16", test::gb200(16), {});
  topology("rail-groups-shared", a100, {});
  topology("pair", pair, {});
  topology("one-switch", alone, {});
  topology("uneven-pods", test::need(600, 3, 36, 10), {});
  topology("refused", test::gb200(20), {});
  topology("all-open", test::h100_with_manager(127), {.open_units = {{1, 2, 3, 4}}});
  topology("all-collapsed", test::h100_with_manager(127), {.open_units = {{}}});

  good = write(folder, "elevation-all", elevation_svg(test::h100_racks(127), {.collapse_alike = false})) && good;
  good = write(folder, "elevation-sheet", elevation_svg(test::h100_racks(127), {.page = 1})) && good;
  good = write(folder, "elevation-nvl72",
               elevation_svg(test::racks_of(design_of("gb300-nvl72", "dgx-superpod-gb300"), 64, 8, 160))) &&
         good;
  Elevations tight = test::h100_racks(31);
  tight.unplaced = test::numbered_labels("n", 17, 5);
  good = write(folder, "elevation-unplaced", elevation_svg(tight, {.first_rack = 3, .last_rack = 9})) && good;
  return good;
}

}  // namespace
}  // namespace podwright

int main(int arguments, char** values) {
  if (arguments == 2 && podwright::write_all(values[1])) return 0;
  std::cerr << "usage: drawings_main FOLDER (which must be there)\n";
  return 1;
}
