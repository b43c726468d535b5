/// Profiles of the ranks of one run, with some of them missing or unfinished.
#include "measure/rank_profiles.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/sample_profile.h"

namespace podwright::rank_profiles_test {
namespace {

HardwareProfile rank_of(int rank, int ranks, RankPart part = RankPart::ended) {
  HardwareProfile profile = sample_profile();
  profile.run.rank = ProfileRank{.rank = rank, .ranks = ranks, .part = part, .node = "", .came_s = {}, .waited_s = {}};
  profile.run.complete = part == RankPart::ended;
  return profile;
}

ProbeResult pair_of(const std::string& a, const std::string& b, double seconds) {
  ProbeResult result = sample_product();
  result.probe = "coll.sendrecv";
  result.devices = {a, b};
  result.size = {};
  result.size.bytes = 1e8;
  result.size.ranks = result.size.nodes = 2;
  result.counted = {.bytes = 1e8, .flops = 0};
  result.samples_s.assign(24, seconds);
  result.mode = ProbeMode::burst;
  result.time_s = summary_of(result.samples_s);
  return result;
}

/// Written and read, as `merge` has them.
Result<HardwareProfile> merged(const std::vector<HardwareProfile>& profiles) {
  std::vector<ReadProfile> read;
  for (const HardwareProfile& one : profiles) {
    auto again = read_profile(profile_text(one));
    EXPECT_TRUE(again) << (again ? "" : again.error().front().path + " " + again.error().front().message);
    if (again) read.push_back(std::move(*again));
  }
  return merged_ranks(read);
}

std::vector<std::string> lost_in(const HardwareProfile& profile) {
  std::vector<std::string> lost;
  for (const HealthEvent& event : profile.health_events)
    if (event.name == "rank_lost") lost.push_back(event.device + ": " + event.message);
  return lost;
}

bool says(const HardwareProfile& profile, const std::string& words) {
  return std::any_of(profile.limits.begin(), profile.limits.end(),
                     [&](const std::string& limit) { return limit.find(words) != std::string::npos; });
}

TEST(RankProfiles, StandInTheOrderOfTheirRanks) {
  HardwareProfile one = rank_of(1, 2);
  one.devices.front().name = "the second";
  const auto whole = merged({one, rank_of(0, 2)});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->run.complete);
  EXPECT_FALSE(whole->run.rank);
  EXPECT_EQ(whole->run.mode, RunMode::cluster);
  ASSERT_EQ(whole->devices.size(), 2U);
  EXPECT_EQ(whole->devices[1].id, "n1.d0");
  EXPECT_EQ(whole->devices[1].name, "the second");
  EXPECT_TRUE(lost_in(*whole).empty());
}

TEST(RankProfiles, ExchangesBecomeResultsAndLinks) {
  HardwareProfile first = rank_of(0, 2);
  first.exchanges = {pair_of("n0.d0", "n1.d0", 4e-3), pair_of("n0.d0", "n1.d0", 2e-3)};
  const auto whole = merged({first, rank_of(1, 2)});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->exchanges.empty());
  EXPECT_EQ(std::count_if(whole->results.begin(), whole->results.end(),
                          [](const ProbeResult& one) { return one.probe == "coll.sendrecv"; }),
            2);
  const auto link = std::find_if(whole->links.begin(), whole->links.end(),
                                 [](const ProfileLink& one) { return one.type == "network"; });
  ASSERT_NE(link, whole->links.end());
  EXPECT_EQ(link->from, "n0.d0");
  EXPECT_EQ(link->to, "n1.d0");
  EXPECT_NEAR(*link->bytes_per_s, 1e8 / 2e-3, 1e3);
}

TEST(RankProfiles, EachMissingOneIsNamedByWhatItLeft) {
  HardwareProfile first = rank_of(0, 6);
  first.exchanges = {pair_of("n0.d0", "n5.d0", 1e-3)};
  const auto whole = merged({first, rank_of(1, 6, RankPart::started), rank_of(2, 6, RankPart::alone),
                             rank_of(3, 6, RankPart::together), rank_of(4, 6, RankPart::waited)});
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->run.complete);
  EXPECT_EQ(whole->run.exit_code, 4);
  EXPECT_EQ(lost_in(*whole),
            (std::vector<std::string>{"n1: Rank 1 did not come to the end of measuring by itself",
                                      "n2: Rank 2 measured by itself, and did not come to meet the others",
                                      "n3: Rank 3 met the others, and did not come to the end of measuring with them",
                                      "n5: Rank 5 left no profile"}));
  EXPECT_TRUE(says(*whole, "Node 5 is missing: it left no profile."));
  EXPECT_TRUE(says(*whole, "1 results between ranks were left out"));
  EXPECT_TRUE(read_profile(profile_text(*whole)));
}

TEST(RankProfiles, LateOneIsNamedAndThoseThatWaitedAreNot) {
  HardwareProfile waited = rank_of(0, 2, RankPart::waited);
  waited.run.rank->came_s = 1000;
  waited.run.rank->waited_s = 120;
  HardwareProfile late = rank_of(1, 2, RankPart::waited);
  late.run.rank->came_s = 1150;
  late.run.rank->waited_s = 120;
  const auto whole = merged({waited, late});
  ASSERT_TRUE(whole);
  EXPECT_EQ(lost_in(*whole), (std::vector<std::string>{"n1: Rank 1 was ready 30 s after the first of the others had "
                                                       "given up waiting"}));
}

TEST(RankProfiles, SlowOneIsNamedByItsPairs) {
  std::vector<HardwareProfile> ranks;
  for (int rank = 0; rank < 5; ++rank) ranks.push_back(rank_of(rank, 5));
  for (int a = 0; a < 5; ++a)
    for (int b = a + 1; b < 5; ++b)
      ranks[static_cast<std::size_t>(a)].exchanges.push_back(
          pair_of("n" + std::to_string(a) + ".d0", "n" + std::to_string(b) + ".d0", b == 4 ? 3e-3 : 1e-3));
  const auto whole = merged(ranks);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->run.exit_code, 1);
  ASSERT_FALSE(whole->health_events.empty());
  EXPECT_EQ(whole->health_events.back().device, "n4.d0");
  EXPECT_EQ(whole->health_events.back().message, "coll.sendrecv takes 200 % longer than on the other nodes");
}

TEST(RankProfiles, OtherVersionsAreNamed) {
  HardwareProfile other = rank_of(1, 2);
  other.tool.version = "0.9.0";
  other.environment.driver = "575.51.03";
  EXPECT_EQ(rank_differences(rank_of(0, 2), other).size(), 2U);
  EXPECT_TRUE(rank_differences(rank_of(0, 2), rank_of(1, 2)).empty());
  const auto whole = merged({rank_of(0, 2), other});
  ASSERT_TRUE(whole);
  EXPECT_TRUE(says(*whole, "Node 1: Different program: \"1.0.0\" and \"0.9.0\"."));
  EXPECT_TRUE(says(*whole, "Node 1: Different driver"));
}

TEST(RankProfiles, ThoseOfSeveralRunsAreRefused) {
  HardwareProfile again = rank_of(0, 2);
  again.run.seed = 8;
  EXPECT_EQ(merged({rank_of(0, 2), again}).error().front().message, "Rank 0 is given twice.");
  EXPECT_FALSE(merged({rank_of(0, 2), rank_of(1, 3)}));
  EXPECT_FALSE(merged({rank_of(0, 2), sample_profile()}));
  EXPECT_FALSE(merged({rank_of(2, 2)}));
}

TEST(RankProfiles, SharedOneKeepsNothingPrivateOfItsExchanges) {
  HardwareProfile first = rank_of(0, 2);
  first.run.rank->node = "0123456789abcdef";
  first.exchanges = {pair_of("n0.d0", "n1.d0", 1e-3)};
  ProbeResult skipped;
  skipped.probe = "coll.allreduce";
  skipped.devices = {"n0.d0", "n1.d0"};
  skipped.skip = Skip{SkipReason::rank_lost, "connect to 10.20.30.40<29500> failed", ""};
  first.exchanges.push_back(skipped);
  first.limits = {"n0.d0: nccl:6: connect to 10.20.30.40<29500> failed"};
  const std::string shared = profile_text(first, {.share = true});
  for (const char* secret : {"10.20.30.40", "0123456789abcdef", "samples_s"})
    EXPECT_EQ(shared.find(secret), std::string::npos) << secret;
  ASSERT_TRUE(read_profile(shared));
  EXPECT_EQ(read_profile(shared)->profile.exchanges.size(), 2U);
}

}  // namespace
}  // namespace podwright::rank_profiles_test
