#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/check.h"
#include "catalog/files.h"
#include "catalog/traffic.h"

namespace podwright::traffic_preset_test {
namespace {

constexpr std::string_view kColumns =
    "id,name,input_tokens,input_tokens_cv,output_tokens,output_tokens_cv,prefix_hit_ratio,system_prompt_tokens,"
    "system_prompts,turns,think_time_s,dispersion,hours,source,note\n";

Errors errors_of(const std::string& row) {
  Catalog catalog;
  Errors errors;
  read_table("traffic_presets.csv", std::string(kColumns) + row + "\n", catalog, errors);
  return errors;
}

TEST(TrafficPresets, AreReadWithWhatIsPublished) {
  const auto& presets = embedded_catalog_facts().traffic_presets;
  ASSERT_EQ(presets.size(), 16U);
  const TrafficPreset& mooncake = presets[3];
  EXPECT_EQ(mooncake.id, "mooncake-conversation");
  EXPECT_EQ(mooncake.input_tokens, 12035);
  EXPECT_EQ(mooncake.turns, 1.49);
  EXPECT_FALSE(mooncake.prefix_hit_ratio.has_value());
  EXPECT_EQ(mooncake.source, "mooncake-traces");
  EXPECT_EQ(presets[2].hours.size(), 24U);
  EXPECT_EQ(presets[2].hours[14], 134);
}

// What sessions and the first block share is what a cache without limit finds in the trace itself: 0.374.
TEST(TrafficPresets, SharingOfTheirSessionsIsThatOfTheTrace) {
  const TrafficPreset& mooncake = embedded_catalog_facts().traffic_presets[3];
  const TrafficPattern pattern{.system_prompt_tokens = *mooncake.system_prompt_tokens, .turns = *mooncake.turns};
  const double fresh = fresh_tokens(pattern, *mooncake.input_tokens, *mooncake.output_tokens);
  EXPECT_NEAR(1 - fresh / *mooncake.input_tokens, 0.374, 0.01);
}

/// Of a catalog with this row alone.
std::vector<std::string> problems_of(const std::string& row) {
  const std::string table = std::string(kColumns) + row + "\n";
  const auto catalog = test::read({{"sources.json", test::kSources}, {"traffic_presets.csv", table}});
  EXPECT_TRUE(catalog.has_value());
  return catalog ? check_catalog(*catalog, "2026-11-20", 365).problems : std::vector<std::string>{};
}

TEST(TrafficPresets, SayOnceWhatIsSharedAndFitThePrompts) {
  EXPECT_TRUE(problems_of("a,A,1000,,100,,,200,1,3,10,,,sheet,").empty());
  EXPECT_EQ(problems_of("a,A,1000,,100,,0.5,200,1,3,10,,,sheet,").size(), 1U);
  EXPECT_EQ(problems_of("a,A,1000,,500,,,200,1,3,10,,,sheet,").size(), 1U);
  EXPECT_EQ(problems_of("a,A,1000,,100,,,,,,,,1 2 3,sheet,").size(), 1U);
  EXPECT_EQ(problems_of("a,A,1000,,100,,,,,,,,,nowhere,").size(), 1U);
}

TEST(TrafficPresets, HaveBothLengthsInTheirRanges) {
  EXPECT_EQ(errors_of("a,A,,,100,,,,,,,,,sheet,").size(), 1U);
  EXPECT_EQ(errors_of("a,A,1000,,100,,,,,0.5,,,,sheet,").size(), 1U);
}

}  // namespace
}  // namespace podwright::traffic_preset_test
