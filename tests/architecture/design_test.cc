// Whole designs: the published build closes, and every design of the selection holds together.
#include "architecture/design.h"
#include "architecture/design_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "architecture/design_wiring.h"
#include "architecture/fabric.h"

namespace podwright::design_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

DesignRequest gpus(double count, Ownership ownership = Ownership::dgx) {
  DesignRequest request;
  request.need.gpu_count = count;
  request.need.ownership = ownership;
  return request;
}

struct Chosen {
  ArchitectureDesign choice;
  Design<NoTrace> design;
};

Chosen chosen(std::string_view gpu_id, const DesignRequest& request) {
  const Gpu& gpu = **find_gpu(facts(), gpu_id);
  ArchitectureChoice choice = choose_architecture(facts(), gpu, request.need);
  NoTrace none;
  Chosen first{choice.designs.front(), make_design(none, facts(), gpu, choice.designs.front().parts, request)};
  return first;
}

/// Count of the bill's lines with this category and use, of those whose name holds `name`.
double counted(const Design<NoTrace>& design, std::string_view category, std::string_view use,
               std::string_view name = "") {
  double count = 0;
  for (const auto& line : design.bill.lines)
    if (line.category == category && line.use == use && line.name.find(name) != std::string::npos) count += line.count;
  return count;
}

// NVIDIA's tables of DGX B200 with and without the fabric manager on the compute network, and Eos.
TEST(Design, RoundSizesArePrintedOnes) {
  struct Printed {
    const char* gpu;
    double nodes, units, switches;
    ManagerPlace manager;
  };
  for (const Printed& row : {Printed{"b200-sxm", 31, 1, 12, ManagerPlace::compute_fabric},
                             Printed{"b200-sxm", 63, 2, 24, ManagerPlace::compute_fabric},
                             Printed{"b200-sxm", 64, 2, 24, ManagerPlace::elsewhere},
                             Printed{"b200-sxm", 127, 4, 48, ManagerPlace::compute_fabric},
                             Printed{"b200-sxm", 128, 4, 48, ManagerPlace::elsewhere},
                             Printed{"b200-sxm", 512, 16, 320, ManagerPlace::elsewhere},
                             Printed{"h100-sxm5-80gb", 576, 18, 360, ManagerPlace::elsewhere}}) {
    const Design<NoTrace> design = chosen(row.gpu, gpus(row.nodes * 8)).design;
    EXPECT_EQ(design.size.scalable_units, row.units) << row.nodes;
    const Fabric<NoTrace>& fabric = *design.networks.compute;
    EXPECT_EQ(fabric.leaf.total + fabric.spine.total + fabric.core.total, row.switches) << row.nodes;
    EXPECT_EQ(design.networks.manager_place, row.manager) << row.nodes;
    EXPECT_EQ(counted(design, "cable", "compute", "manager"), row.manager == ManagerPlace::elsewhere ? 0 : 4);
    EXPECT_EQ(next_size(*design.networks.compute_need, fabric).nodes, row.units * 32 + 1);
  }
}

double out_of_band(std::string_view gpu, double count, Ownership ownership) {
  const Design<NoTrace> design = chosen(gpu, gpus(count, ownership)).design;
  return design.networks.out_of_band ? design.networks.out_of_band->switches : 0;
}

// The tables of the Enterprise RAs 2-8-9-400, 2-8-5-200 and 2-4-3-200, and of the SuperPOD of H100.
TEST(Design, OutOfBandSwitchesAreThoseOfTheDocuments) {
  EXPECT_EQ(out_of_band("h100-sxm5-80gb", 64, Ownership::oem), 2);
  EXPECT_EQ(out_of_band("h100-sxm5-80gb", 96, Ownership::oem), 3);
  EXPECT_EQ(out_of_band("h100-sxm5-80gb", 512, Ownership::oem), 16);  // in proportion
  EXPECT_EQ(out_of_band("l40s", 160, Ownership::pcie), 3);
  EXPECT_EQ(out_of_band("h100-nvl-94gb", 128, Ownership::pcie), 4);
  EXPECT_EQ(out_of_band("h100-sxm5-80gb", 1016, Ownership::dgx), 8);
}

TEST(Design, EverySwitchDrawsPowerOrIsNamed) {
  const auto says = [](const Design<NoTrace>& design, std::string_view text) {
    return std::any_of(design.not_known.begin(), design.not_known.end(),
                       [&](const std::string& one) { return one.find(text) != std::string::npos; });
  };
  DesignRequest request = gpus(576);
  request.need.fabric = FabricFamily::infiniband;
  const Design<NoTrace> xdr = chosen("b300-sxm", request).design;
  const Fabric<NoTrace>& fabric = *xdr.networks.compute;
  const Watts compute = (fabric.leaf.total + fabric.spine.total) * kw(7);
  EXPECT_GE(xdr.power->it.switches, compute);
  EXPECT_LT(xdr.power->it.switches, compute + kw(10));

  const Design<NoTrace> oem = chosen("h100-sxm5-80gb", gpus(96, Ownership::oem)).design;
  EXPECT_DOUBLE_EQ(oem.power->it.switches / kw(1), 2 * 0.94 + 3 * 0.098);
  EXPECT_FALSE(oem.power->whole);
  EXPECT_TRUE(says(oem, "typical one with passive cables"));
  EXPECT_TRUE(says(chosen("a100-sxm4-80gb", gpus(1120)).design, "Power of Quantum QM8790: no public figure"));
}

// The 1.2 MW of a scalable unit of GB200 hold its switches too.
TEST(Design, OfGb200StaysWithinThePowerOfItsUnit) {
  const Design<NoTrace> unit = chosen("gb200", gpus(576)).design;
  EXPECT_DOUBLE_EQ(unit.power->it.systems / kw(1), 8 * 132);
  EXPECT_GT(unit.power->it.switches, kw(90));
  EXPECT_LT(unit.power->it.total, kw(1200));
}

// Meta's clusters of 24,576 GPUs are tapered 7:1 above their pods.
TEST(Design, LinksAboveTheSpinesMayBeTapered) {
  DesignRequest request = gpus(24576);
  EXPECT_EQ(chosen("h100-sxm5-80gb", request).design.networks.compute->core.total, 384);
  request.core_oversubscription = 7;
  const Chosen tapered = chosen("h100-sxm5-80gb", request);
  const Fabric<NoTrace>& fabric = *tapered.design.networks.compute;
  EXPECT_EQ(tapered.design.size.nodes, 3072);
  EXPECT_EQ(fabric.spine.total, 768);
  EXPECT_EQ(fabric.spine_core_links, 768 * 5);  // 32 links down, ceil(32 / 7) up
  EXPECT_EQ(fabric.core.total, 60);
  const std::vector<Message> deviations = design_deviations(tapered.choice.parts, tapered.design);
  EXPECT_TRUE(std::any_of(deviations.begin(), deviations.end(),
                          [](const Message& one) { return one.text().find("tapered 6.4 : 1") != std::string::npos; }));
}

TEST(Design, OfVeraRubinHasRacksButNoCounts) {
  const Chosen rack = chosen("rubin", gpus(144, Ownership::any));
  EXPECT_EQ(rack.choice.parts.system->id, "vera-rubin-nvl72");
  EXPECT_EQ(rack.design.size.nodes, 2);
  EXPECT_DOUBLE_EQ(rack.design.power->it.systems / kw(1), 460);
  EXPECT_FALSE(rack.design.power->whole);
  EXPECT_FALSE(rack.design.networks.compute.has_value());
}

TEST(Design, OfOtherMakersIsOutsideTheCatalog) {
  const ArchitectureChoice choice = choose_architecture(facts(), **find_gpu(facts(), "mi355x"), gpus(64).need);
  EXPECT_TRUE(choice.designs.empty());
  EXPECT_NE(choice.rejected.front().message.text().find("do not cover this accelerator from AMD"), std::string::npos);
}

TEST(Design, OfFourUnitsOfH100Closes) {
  const Chosen pod = chosen("h100-sxm5-80gb", gpus(1016));
  EXPECT_EQ(pod.choice.architecture_id, "dgx-superpod-h100");
  const Design<NoTrace>& d = pod.design;
  EXPECT_EQ(counted(d, "system", "compute"), 127);
  EXPECT_EQ(counted(d, "cable", "compute", "node to leaf") + counted(d, "cable", "compute", "leaf to spine"), 2040);
  EXPECT_EQ(counted(d, "cable", "compute", "manager"), 4);
  EXPECT_EQ(counted(d, "transceiver", "compute", "switches"), 1536);
  EXPECT_EQ(counted(d, "transceiver", "compute", "nodes"), 508);
  EXPECT_EQ(counted(d, "switch", "compute"), 48);
  EXPECT_EQ(counted(d, "cable", "storage", "node to leaf") + counted(d, "cable", "storage", "leaf to spine"), 494);
  EXPECT_EQ(counted(d, "cable", "storage", "storage to leaf"), 48);
  EXPECT_EQ(counted(d, "transceiver", "storage", "switches"), 369);
  EXPECT_EQ(counted(d, "transceiver", "storage", "nodes"), 254);
  EXPECT_EQ(counted(d, "switch", "storage"), 16);
  EXPECT_EQ(counted(d, "switch", "in-band"), 8);
  EXPECT_EQ(counted(d, "cable", "in-band", "node to leaf"), 254);
  EXPECT_EQ(counted(d, "cable", "in-band", "pair"), 6);
  EXPECT_EQ(counted(d, "cable", "in-band", "core"), 24);
  EXPECT_EQ(counted(d, "cable", "out-of-band", "device"), 317);
  EXPECT_EQ(counted(d, "switch", "out-of-band"), 8);
  EXPECT_EQ(counted(d, "server", "management", "server"), 4);
  EXPECT_EQ(counted(d, "server", "management", "fabric manager"), 4);
  EXPECT_EQ(counted(d, "rack", "site"), 38);
  EXPECT_EQ(counted(d, "pdu", "site"), 108);
  EXPECT_EQ(counted(d, "licence", "software", "NVIDIA AI Enterprise"), 1016);
  EXPECT_NEAR(d.power->it.total / kw(1), 1409.99, 0.005);
}

TEST(Design, ElevationsHoldEveryDeviceOfTheBill) {
  for (const double count : {8.0, 64.0, 96.0, 248.0, 1016.0, 4096.0, 16384.0, 20000.0}) {
    const DesignRequest request = gpus(count);
    const Chosen pod = chosen("h100-sxm5-80gb", request);
    const auto elevations =
        elevations_of(facts(), pod.choice.parts, request, pod.design, design_wiring(pod.choice.parts, pod.design));
    ASSERT_TRUE(elevations.has_value()) << count;
    std::map<std::string, double> placed;
    std::set<std::string> labels;
    for (const RackElevation& rack : elevations->racks)
      for (const RackedDevice& device : rack.devices) {
        placed[elevations->kinds[device.kind].item_id] += 1;
        EXPECT_TRUE(labels.insert(device.label).second) << device.label;
      }
    EXPECT_TRUE(elevations->unplaced.empty());
    std::map<std::string, double> bought;
    for (const auto& line : pod.design.bill.lines)
      if (line.category == "system" || line.category == "switch")
        bought[line.item_id] += line.count;
      else if (line.category == "server")
        bought[""] += line.count;
    EXPECT_EQ(placed, bought) << count;
    EXPECT_EQ(static_cast<double>(elevations->racks.size()), pod.design.racks->racks) << count;
  }
}

// Schedule totals = fabric counts = bill; both ends of every cable are devices that stand in a rack or are PDUs and
// file servers, which the elevations do not hold.
TEST(Design, WiresAreThoseOfTheBill) {
  for (const double count : {64.0, 96.0, 248.0, 1016.0, 2040.0, 3328.0, 16384.0}) {
    const DesignRequest request = gpus(count);
    const Chosen pod = chosen("h100-sxm5-80gb", request);
    const DesignWiring wiring = design_wiring(pod.choice.parts, pod.design);
    const auto elevations = elevations_of(facts(), pod.choice.parts, request, pod.design, wiring);
    std::set<std::string> racked;
    for (const RackElevation& rack : elevations->racks)
      for (const RackedDevice& device : rack.devices) racked.insert(device.label);
    for (const NetworkWiring& network : wiring.networks) {
      SCOPED_TRACE(std::to_string(count) + " " + network.network);
      std::set<std::pair<std::uint32_t, std::uint32_t>> used;
      for (const Wire& wire : network.wires) {
        EXPECT_TRUE(used.emplace(wire.from_device, wire.from_port).second);
        EXPECT_TRUE(used.emplace(wire.to_device, wire.to_port).second);
      }
      for (const WiredDevice& device : network.devices)
        if (device.role != "pdu" && device.role != "storage") {
          EXPECT_TRUE(racked.count(device.label) == 1) << device.label;
        }
      const double links = static_cast<double>(network.wires.size());
      EXPECT_EQ(links, counted(pod.design, "cable", network.network));
    }
    if (count > 200) {
      EXPECT_EQ(wiring.networks.size(), 4U) << count;
      EXPECT_TRUE(wiring.not_wired.empty());
    }
  }
}

double side_switches(const Design<NoTrace>& design) {
  return design.networks.storage->switches + *design.networks.in_band_switches + design.networks.out_of_band->switches;
}

TEST(Design, MoreSystemsNeverNeedFewerSwitchesOfTheSideNetworks) {
  double before = 0;
  for (double nodes = 17; nodes <= 2048; nodes += nodes < 400 ? 13 : 61) {
    const Chosen pod = chosen("h100-sxm5-80gb", gpus(nodes * 8));
    ASSERT_TRUE(pod.design.networks.storage) << nodes;
    ASSERT_TRUE(pod.design.networks.in_band) << nodes;
    const DesignWiring wiring = design_wiring(pod.choice.parts, pod.design);
    EXPECT_TRUE(wiring.not_wired.empty()) << nodes << " " << wiring.not_wired.front();
    EXPECT_GE(side_switches(pod.design), before) << nodes;
    before = side_switches(pod.design);
  }
}

TEST(Design, ThirdTiersAreNamedAsDerived) {
  const auto derived = [](double count) {
    const Chosen pod = chosen("h100-sxm5-80gb", gpus(count));
    int told = 0;
    for (const Message& deviation : design_deviations(pod.choice.parts, pod.design))
      told += deviation.text().find("derived") != std::string::npos;
    return told;
  };
  EXPECT_EQ(derived(1016), 0);
  EXPECT_EQ(derived(3328), 1);
  EXPECT_EQ(derived(16384), 2);
}

TEST(Design, SwitchesThatADocumentDoesNotNameSayTheirPorts) {
  const Chosen pod = chosen("b300-sxm", gpus(128, Ownership::oem));
  EXPECT_EQ(counted(pod.design, "switch", "compute", "128 x 400 Gb/s ports, not named by the document"), 4);
  EXPECT_FALSE(pod.design.power && pod.design.power->whole);
  const Chosen larger = chosen("b300-sxm", gpus(1024, Ownership::oem));
  EXPECT_EQ(larger.design.networks.compute->leaf.total, 32);
  EXPECT_EQ(larger.design.networks.compute->spine.total, 16);
}

TEST(Design, CountsPrintedForOneSizeAreShownForThatSizeAlone) {
  const Chosen four = chosen("gb300", gpus(288, Ownership::oem));
  ASSERT_EQ(four.choice.architecture_id, "era-2-4-5-800-nvl72");
  ASSERT_TRUE(four.design.printed);
  EXPECT_EQ(four.design.printed->east_west_leaves, 16);
  EXPECT_EQ(four.design.printed->east_west_spines, 8);
  EXPECT_EQ(four.design.printed->north_south_leaves, 4);
  EXPECT_EQ(four.design.printed->north_south_spines, 2);
  EXPECT_EQ(four.design.printed->out_of_band, 8);
  EXPECT_FALSE(four.design.networks.compute);
  EXPECT_FALSE(chosen("gb300", gpus(216, Ownership::oem)).design.printed);
}

std::set<std::string> gpus_with_bands() {
  std::set<std::string> ids;
  for (const ArchitectureBand& band : facts().architecture_bands) ids.insert(band.gpu_id);
  return ids;
}

TEST(Design, EveryFabricOfTheSelectionCanBeWired) {
  int fabrics = 0;
  for (const std::string& id : gpus_with_bands()) {
    const Gpu& gpu = **find_gpu(facts(), id);
    for (double count = 1; count <= 20000; count = std::floor(count * 1.19 + 3)) {
      DesignRequest request = gpus(count, Ownership::any);
      for (const bool growth : {false, true}) {
        if (growth) request.need.growth_gpu_count = std::floor(count * 2.5);
        for (const ArchitectureDesign& design : choose_architecture(facts(), gpu, request.need).designs) {
          if (design.parts.system == nullptr) continue;
          NoTrace none;
          const Design<NoTrace> built = make_design(none, facts(), gpu, design.parts, request);
          if (!built.networks.compute) {
            // Only where a custom design leaves every document's rule.
            const bool has_rule = built.guides.fabric != nullptr && design.parts.band->fit != BandFit::open;
            EXPECT_FALSE(has_rule) << id << " " << count << " " << design.architecture_id;
            continue;
          }
          ++fabrics;
          const auto refusals = fabric_refusals(*built.networks.compute_need, *built.networks.compute);
          EXPECT_TRUE(refusals.empty()) << id << " " << count << " " << design.architecture_id;
          EXPECT_EQ(built.networks.compute->node_leaf_links, built.networks.compute_need->nodes *
                                                                 built.networks.compute_need->rails *
                                                                 built.networks.compute_need->planes);
        }
      }
    }
  }
  EXPECT_GT(fabrics, 500);
}

}  // namespace
}  // namespace podwright::design_test
