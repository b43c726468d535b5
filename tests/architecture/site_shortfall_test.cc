#include "architecture/site_shortfall.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "architecture/site_parts.h"
#include "base/json_read.h"
#include "support/patch_texts.h"

namespace podwright::site_shortfall_test {
namespace {

std::vector<Infeasible> shortfalls_of(const char* system, const SiteLimits& site, double nodes = 1,
                                      std::optional<Watts> facility = std::nullopt) {
  return site_shortfalls(embedded_catalog_facts(), design_of(system), site, nodes, facility);
}

bool offers(const Infeasible& shortfall, std::string_view patch) {
  const std::vector<std::string> texts = texts_of(shortfall.ways_out);
  return std::find(texts.begin(), texts.end(), patch) != texts.end();
}

TEST(SiteShortfall, OfB200InARackOf12Kilowatts) {
  const auto shortfalls = shortfalls_of("dgx-b200", {.rack_power = kw(12)});
  ASSERT_EQ(shortfalls.size(), 1u);
  EXPECT_EQ(shortfalls[0].code, "rack-power");
  EXPECT_EQ(shortfalls[0].shortfall, 2.3);
  EXPECT_EQ(shortfalls[0].unit, "kW");
  EXPECT_EQ(shortfalls[0].ways_out.front().text(), R"({"rack_power_kw":14.3})");
  EXPECT_TRUE(offers(shortfalls[0], R"({"gpu":"h200-sxm5-141gb"})"));
  EXPECT_FALSE(offers(shortfalls[0], R"({"gpu":"b300-sxm"})"));
}

TEST(SiteShortfall, OfNvl72WithoutLiquid) {
  const auto shortfalls = shortfalls_of("gb200-nvl72", {.rack_power = kw(160), .liquid_cooling = false});
  ASSERT_EQ(shortfalls.size(), 1u);
  EXPECT_EQ(shortfalls[0].code, "liquid-cooling");
  EXPECT_EQ(shortfalls[0].shortfall, 0);
  EXPECT_EQ(shortfalls[0].ways_out.front().text(), R"({"liquid_cooling":true})");
  EXPECT_TRUE(offers(shortfalls[0], R"({"gpu":"b200-sxm"})"));
  EXPECT_FALSE(offers(shortfalls[0], R"({"gpu":"gb300"})"));
}

TEST(SiteShortfall, NamesEveryLimitThatIsBroken) {
  const auto shortfalls = shortfalls_of("dgx-b200", {.rack_power = kw(10), .rack_units = 8, .rack_load_kg = 100});
  ASSERT_EQ(shortfalls.size(), 3u);
  EXPECT_EQ(shortfalls[1].code, "rack-height");
  EXPECT_EQ(shortfalls[1].shortfall, 2);
  EXPECT_EQ(shortfalls[2].code, "rack-weight");
  EXPECT_EQ(shortfalls[2].shortfall, 42.4);
}

TEST(SiteShortfall, OfTheWholeSiteOffersFewerGpus) {
  const auto shortfalls = shortfalls_of("dgx-h100", {.site_power = kw(500)}, 64, kw(64 * 10.2 * 1.3));
  ASSERT_EQ(shortfalls.size(), 1u);
  EXPECT_EQ(shortfalls[0].code, "site-power");
  EXPECT_NEAR(shortfalls[0].shortfall, 348.64, 1e-9);
  EXPECT_TRUE(offers(shortfalls[0], R"({"gpu_count":296})"));
}

TEST(SiteShortfall, IsNoneWhereEverythingFits) {
  EXPECT_TRUE(
      shortfalls_of("dgx-h100", {.rack_power = kw(10.2), .rack_units = 8, .rack_load_kg = 131, .liquid_cooling = false})
          .empty());
  EXPECT_TRUE(shortfalls_of("gb300-nvl72", {.rack_power = kw(142)}).empty());
}

TEST(CountShortfall, OfNoGpusAndOfShrinking) {
  EXPECT_TRUE(count_shortfalls(8, std::nullopt).empty());
  EXPECT_TRUE(count_shortfalls(8, 8).empty());
  const auto none = count_shortfalls(0, std::nullopt);
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].code, "gpu-count");
  EXPECT_EQ(none[0].shortfall, 1);
  EXPECT_EQ(none[0].ways_out.front().text(), R"({"gpu_count":1})");
  const auto shrinking = count_shortfalls(96, 64);
  ASSERT_EQ(shrinking.size(), 1u);
  EXPECT_EQ(shrinking[0].code, "growth-below-now");
  EXPECT_EQ(shrinking[0].shortfall, 32);
  EXPECT_TRUE(offers(shrinking[0], R"({"growth_gpu_count":96})"));
}

TEST(SiteShortfall, WaysOutAreMergePatches) {
  for (const Infeasible& shortfall : shortfalls_of("gb200-nvl72", {.rack_power = kw(12), .liquid_cooling = false}))
    for (const Patch& patch : shortfall.ways_out) EXPECT_TRUE(parse_json(patch.text()).has_value()) << patch.text();
}

}  // namespace
}  // namespace podwright::site_shortfall_test
