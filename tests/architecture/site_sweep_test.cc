// Racks, feeds, storage and licences of whatever the selection gives, over all GPUs with bands and many sizes.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "architecture/design_elevations.h"
#include "architecture/management_plan.h"
#include "architecture/selection.h"
#include "architecture/site_parts.h"
#include "architecture/storage_plan.h"

namespace podwright::site_sweep_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

std::set<std::string> gpus_with_bands() {
  std::set<std::string> ids;
  for (const ArchitectureBand& band : facts().architecture_bands) ids.insert(band.gpu_id);
  return ids;
}

void check_design(const ArchitectureDesign& design, double rack_kw) {
  NoTrace trace;
  if (!design.size.nodes) return;
  const auto plan = rack_plan<NoTrace>(trace, facts(), design.parts, design.parts.architecture, *design.size.nodes,
                                       design.size.scalable_units, rack_of(rack_kw), usual_circuit(trace, facts()), 0);
  const bool power_known = design.parts.power_system != nullptr;
  ASSERT_EQ(plan.has_value(), power_known) << design.architecture_id;
  if (!plan) return;
  EXPECT_LE(plan->rack_power, kw(rack_kw) * (1 + 1e-12));
  EXPECT_GE(plan->compute_racks * plan->in_rack.nodes, *design.size.nodes);
  EXPECT_LT((plan->compute_racks - 1) * plan->in_rack.nodes, *design.size.nodes);
  EXPECT_LE(plan->feeds->after_loss, plan->feeds->feed_power * (1 + 1e-12));
  EXPECT_GE(*plan->pdus, is_rack(*design.parts.system) ? 2 * plan->other_racks : 2 * plan->racks);

  const StorageGuide guide = storage_guide(facts(), design.parts.architecture);
  ASSERT_NE(guide.architecture, nullptr);
  for (const StorageLevel& level : guide.architecture->site.storage_levels) {
    const auto bandwidth = storage_bandwidth<NoTrace>(trace, guide, level, design.size.scalable_units,
                                                      *design.size.gpus, *design.size.nodes);
    ASSERT_TRUE(bandwidth.has_value());
    EXPECT_GT(bandwidth->write, BytesPerSecond());
    EXPECT_GT(bandwidth->read, bandwidth->write);
  }
  if (design.parts.architecture == nullptr) return;
  for (const auto& line :
       software_licences<NoTrace>(facts(), *design.parts.architecture, *design.size.gpus, *design.size.nodes))
    if (line.licences) {
      EXPECT_LE(*line.licences, *design.size.gpus) << line.product->id;
    }
}

TEST(SiteSweep, EveryDesignStandsInRacks) {
  std::mt19937_64 random(3);
  for (const std::string& id : gpus_with_bands()) {
    const Result<const Gpu*> gpu = find_gpu(facts(), id);
    ASSERT_TRUE(gpu.has_value()) << id;
    for (int round = 0; round < 60; ++round) {
      ArchitectureNeed need;
      need.gpu_count = 1 + static_cast<double>(random() % (round % 2 == 0 ? 300 : 20000));
      const double rack_kw = 16 + static_cast<double>(random() % 200);
      need.rack_power = kw(rack_kw);
      for (const ArchitectureDesign& design : choose_architecture(facts(), **gpu, need).designs)
        check_design(design, rack_kw);
    }
  }
}

// The selection refuses what the site cannot take, with the same shortfall.
TEST(SiteSweep, ImpossibleSitesAreRefusedBySelectionToo) {
  ArchitectureNeed need;
  need.gpu_count = 64;
  need.rack_power = kw(12);
  const ArchitectureChoice b200 = choose_architecture(facts(), **find_gpu(facts(), "b200-sxm"), need);
  EXPECT_TRUE(b200.designs.empty());
  ASSERT_FALSE(b200.rejected.empty());
  EXPECT_EQ(b200.rejected.front().code, "rack-power");
  EXPECT_NEAR(b200.rejected.front().shortfall, 2.3, 1e-9);

  need.rack_power = kw(160);
  need.liquid_cooling = false;
  const ArchitectureChoice nvl72 = choose_architecture(facts(), **find_gpu(facts(), "gb200"), need);
  EXPECT_TRUE(nvl72.designs.empty());
  ASSERT_FALSE(nvl72.rejected.empty());
  EXPECT_EQ(nvl72.rejected.front().code, "liquid-cooling");
}

}  // namespace
}  // namespace podwright::site_sweep_test
