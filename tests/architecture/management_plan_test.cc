#include "architecture/management_plan.h"

#include <gtest/gtest.h>

#include "architecture/site_parts.h"

namespace podwright::management_plan_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

const ReferenceArchitecture& architecture(std::string_view id) { return *item_of(facts().architectures, id); }

ManagementServers<NoTrace> servers_of(std::string_view id, std::optional<double> units) {
  NoTrace trace;
  return management_servers(trace, &architecture(id), units);
}

TEST(ManagementServers, AsTheDocumentsSay) {
  EXPECT_EQ(servers_of("dgx-basepod-ndr400", std::nullopt).servers, 5);
  EXPECT_FALSE(servers_of("dgx-basepod-ndr400", std::nullopt).fabric_managers.has_value());
  EXPECT_EQ(servers_of("dgx-superpod-h100", 4).servers, 4);
  EXPECT_EQ(servers_of("dgx-superpod-h100", 4).fabric_managers, 4);
  EXPECT_EQ(servers_of("dgx-superpod-h100", 1).servers, 4);
  EXPECT_EQ(servers_of("dgx-superpod-h100", 8).servers, 8);
  EXPECT_FALSE(servers_of("dgx-superpod-b200", 4).servers.has_value());
}

// 254 + 8 + 8 in-band ports, 317 out-of-band.
TEST(ManagementPorts, OfFourUnits) {
  EXPECT_EQ(in_band_ports(254.0, 8.0, 8.0), 270);
  EXPECT_EQ(out_of_band_ports(out_of_band_devices(127.0, 64.0, 8.0, 8.0), 108.0, 2.0), 317);
}

TEST(ManagementPorts, OfFourUnitsAssembled) {
  NoTrace trace;
  const ReferenceArchitecture& pod = architecture("dgx-superpod-h100");
  const auto ports =
      management_ports<NoTrace>(trace, &pod, 127.0, 4.0, servers_of("dgx-superpod-h100", 4), 64.0, 8.0, 108.0);
  EXPECT_EQ(ports.in_band_nodes, 254);
  EXPECT_EQ(ports.in_band_servers, 8);
  EXPECT_EQ(ports.in_band_file_servers, 8);
  EXPECT_EQ(ports.in_band, 270);
  EXPECT_EQ(ports.out_of_band, 317);
}

TEST(ManagementPorts, MissingFiguresStayAbsent) {
  NoTrace trace;
  const ReferenceArchitecture& pod = architecture("dgx-superpod-b200");
  const auto ports =
      management_ports<NoTrace>(trace, &pod, 31.0, 1.0, servers_of("dgx-superpod-b200", 1), 12.0, 2.0, std::nullopt);
  EXPECT_FALSE(ports.in_band.has_value());
  EXPECT_EQ(ports.out_of_band, 45);
}

std::optional<double> licences_of(std::string_view id, std::string_view product) {
  for (const auto& line : software_licences<NoTrace>(facts(), architecture(id), 1016.0, 127.0))
    if (line.product->id == product) return line.licences;
  return -1;
}

TEST(SoftwareLicences, OfTheH100SuperPod) {
  EXPECT_EQ(licences_of("dgx-superpod-h100", "nvidia-ai-enterprise"), 1016);
  EXPECT_EQ(licences_of("dgx-superpod-h100", "base-command-manager"), 1016);
  EXPECT_EQ(licences_of("dgx-superpod-h100", "slurm"), 0);
  EXPECT_EQ(licences_of("dgx-superpod-h100", "base-command-platform"), std::nullopt);
  EXPECT_EQ(licences_of("dgx-superpod-h100", "mission-control"), -1);
}

TEST(SoftwareLicences, MissionControlCoversWhatItContains) {
  for (const auto& line : software_licences<NoTrace>(facts(), architecture("dgx-superpod-b200"), 1016.0, 127.0)) {
    if (line.product->id == "mission-control") {
      EXPECT_EQ(line.licences, 1016);
    }
    if (line.product->id == "base-command-manager" || line.product->id == "run-ai") {
      EXPECT_EQ(line.licences, 0);
      EXPECT_EQ(line.covered_by->id, "mission-control");
    }
  }
  EXPECT_EQ(licences_of("dgx-superpod-gb200", "ufm"), 127);
}

TEST(SoftwareLicences, EveryListedStackHasALineForEachProduct) {
  for (const ReferenceArchitecture& item : facts().architectures) {
    EXPECT_EQ(software_licences<NoTrace>(facts(), item, 8.0, 1.0).empty(), item.site.software.empty()) << item.id;
  }
}

}  // namespace
}  // namespace podwright::management_plan_test
