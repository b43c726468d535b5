#include "architecture/design_words.h"

#include <gtest/gtest.h>

#include "architecture/site_parts.h"

namespace podwright::design_words_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

RackPlan<NoTrace> plan_of(const DesignParts& parts, double nodes, double units, double rack_kw, double packed) {
  NoTrace trace;
  return *rack_plan<NoTrace>(trace, facts(), parts, parts.architecture, nodes, units, rack_of(rack_kw),
                             usual_circuit(trace, facts()), packed);
}

TEST(SiteRules, FeedsOfAnH100Rack) {
  const RackPlan<NoTrace> plan = plan_of(design_of("dgx-h100", "dgx-superpod-h100"), 127, 4, 41, 3);
  const FiredRule rule = rule_feeds(*plan.feeds, plan.rack_power);
  EXPECT_EQ(rule.number, 8);
  EXPECT_EQ(rule.text,
            "A full rack draws 40.8 kW: 3 feeds of 32.8 kW, and with one lost each of the others carries 20.4 kW.");
}

TEST(SiteRules, StorageAndManagementNameTheirSource) {
  NoTrace trace;
  const DesignParts parts = design_of("dgx-h100", "dgx-superpod-h100");
  const StorageGuide guide = storage_guide(facts(), parts.architecture);
  const auto bandwidth =
      storage_bandwidth<NoTrace>(trace, guide, parts.architecture->site.storage_levels[1], 4.0, 1016.0, 127.0);
  const FiredRule storage = rule_storage(guide, *bandwidth);
  EXPECT_EQ(storage.text, "Storage of the level \"better\" reads 160 GB/s and writes 80 GB/s.");
  EXPECT_EQ(storage.source, "ra-01");
  const FiredRule management =
      rule_management(management_servers<NoTrace>(trace, parts.architecture, 4.0), *parts.architecture);
  EXPECT_EQ(management.text.rfind("4 management servers and 4 appliances", 0), 0u);
  EXPECT_EQ(management.source, "ra-01");
}

TEST(SiteRules, DeviationsAreNamed) {
  const DesignParts h100 = design_of("dgx-h100", "dgx-superpod-h100");
  const StorageGuide own = storage_guide(facts(), h100.architecture);
  EXPECT_TRUE(site_deviations(h100, plan_of(h100, 127, 4, 41, 3), own, {}).empty());
  EXPECT_EQ(site_deviations(h100, plan_of(h100, 127, 4, 25, 9), own, {}).size(), 2u);

  const DesignParts basepod = design_of("dgx-h100", "dgx-basepod-ndr400");
  const StorageGuide borrowed = storage_guide(facts(), basepod.architecture);
  EXPECT_EQ(site_deviations(basepod, plan_of(basepod, 8, 1, 41, 1), borrowed, {}).size(), 1u);

  const DesignParts gb200 = design_of("gb200-nvl72", "dgx-superpod-gb200");
  const StorageGuide guide = storage_guide(facts(), gb200.architecture);
  EXPECT_EQ(site_deviations(gb200, plan_of(gb200, 8, 1, 160, 3), guide, scaled_storage_guide(facts(), guide)).size(),
            1u);
}

}  // namespace
}  // namespace podwright::design_words_test
