#include "measure/verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/words.h"
#include "measure/profile_merge.h"
#include "measure/sample_profile.h"

namespace podwright::verdict_test {
namespace {

/// A copy probe of this rate (GB/s) with an interval of +-`half_width`.
ProbeResult copy_of(double gb_per_second, double half_width = 0.005) {
  ProbeResult result;
  result.probe = "hbm.copy";
  result.devices = {"d0"};
  result.counted.bytes = 1e9;
  const double time = 1 / gb_per_second;
  SampleSummary summary = summary_of(std::vector<double>{time});
  summary.lo95 = time / (1 + half_width);
  summary.hi95 = time / (1 - half_width);
  result.time_s = summary;
  return result;
}

std::string word(const Verdict& verdict) { return std::string(word_of(verdict.kind, kVerdictWords)); }

VerdictNorms published() {
  VerdictNorms norms;
  norms.band = PublishedBand{4000, 4200, 4300, "published copies"};
  for (double* rate : {&norms.band->p10, &norms.band->p50, &norms.band->p90}) *rate *= 1e9;
  return norms;
}

TEST(Verdict, OfAPublishedBand) {
  const struct {
    double rate;
    const char* verdict;
  } rows[] = {{3100, "bad"}, {3190, "uncertain"}, {3500, "low"}, {3800, "uncertain"}, {4000, "ok"}, {4600, "high"}};
  for (const auto& row : rows) {
    const double half_width = std::string(row.verdict) == "uncertain" && row.rate < 3500 ? 0.3 : 0.005;
    EXPECT_EQ(word(judge(copy_of(row.rate, half_width), published())), row.verdict) << row.rate;
  }
  EXPECT_EQ(judge(copy_of(4000), published()).confidence, "published");
}

TEST(Verdict, OfGenericFloors) {
  VerdictNorms norms;
  norms.floors = GenericFloors{4.8e12, "datasheet", 0.85, 0.75, "this project's floors"};
  EXPECT_EQ(word(judge(copy_of(4300), norms)), "ok");
  EXPECT_EQ(word(judge(copy_of(3900), norms)), "low");
  EXPECT_EQ(word(judge(copy_of(3000), norms)), "bad");
  EXPECT_EQ(
      judge(copy_of(4300), norms).sentence,
      "hbm.copy 4,300 GB/s, 89.6 % of the datasheet, of which 85 % is expected (this project's floors). As expected.");
}

TEST(Verdict, AKnownCauseLimitsAndDoesNotAccuse) {
  VerdictNorms norms = published();
  norms.causes = {{"link", 0.99}, {"clock", 0.8}};
  const Verdict verdict = judge(copy_of(3500), norms);
  EXPECT_EQ(word(verdict), "limited");
  EXPECT_EQ(verdict.cause, "clock");
  EXPECT_NE(verdict.sentence.find("Not a fault"), std::string::npos);
  norms.causes = {{"clock", 0.99}};
  EXPECT_EQ(word(judge(copy_of(3500), norms)), "low");
}

TEST(Verdict, OfWhatWasNotMeasuredWell) {
  const HardwareProfile profile = sample_profile();
  EXPECT_EQ(word(judge(profile.results[1], published())), "skipped");
  EXPECT_EQ(word(judge(profile.results[2], published())), "failed");
  ProbeResult odd = copy_of(4000);
  odd.flags.push_back({FlagKind::quantised, ""});
  EXPECT_EQ(judge(odd, published()).sentence, "hbm.copy cannot be trusted: quantised.");
  EXPECT_EQ(word(judge(copy_of(4000), {})), "unjudged");
}

TEST(Verdict, OfPeersNeedsPeers) {
  const std::vector<MeasuredRate> one = {{99, 100, 101}};
  EXPECT_FALSE(compare_peers(one).applies);
  const std::vector<MeasuredRate> node = {{99, 100, 101}, {98, 100, 102}, {90, 91, 92}, {99, 101, 103}};
  EXPECT_EQ(compare_peers(node).stragglers, (std::vector<std::size_t>{2}));
  EXPECT_EQ(*set_ratio(std::vector<double>{0.5, 1.0, 1.01}), 1.0);
  EXPECT_FALSE(set_ratio({}));
}

TEST(Verdict, DecidesTheExitCode) {
  EXPECT_EQ(exit_of(VerdictKind::failed), ProbeExit::fault);
  EXPECT_EQ(exit_of(VerdictKind::low), ProbeExit::low);
  EXPECT_EQ(exit_of(VerdictKind::limited), ProbeExit::ok);
  EXPECT_EQ(exit_of(VerdictKind::skipped), ProbeExit::ok);
  EXPECT_EQ(exit_of(SkipReason::no_driver, true), ProbeExit::unusable);
  EXPECT_EQ(exit_of(SkipReason::no_driver, false), ProbeExit::ok);
  EXPECT_EQ(exit_of(SkipReason::hang, false), ProbeExit::fault);
}

ReadProfile read_sample(double seed) {
  HardwareProfile profile = sample_profile();
  profile.run.seed = seed;
  return *read_profile(profile_text(profile));
}

TEST(Merge, KeepsDevicesResultsAndDigestsOfAll) {
  ReadProfile other = read_sample(2);
  other.profile.environment.driver = "575.57";
  const std::vector<ReadProfile> both = {read_sample(1), other};
  const auto merged = merged_profiles(both);
  ASSERT_TRUE(merged);
  EXPECT_EQ(merged->devices.size(), 2U);
  EXPECT_EQ(merged->devices[1].id, "n1.d0");
  EXPECT_EQ(merged->results.size(), 6U);
  EXPECT_EQ(merged->previous_digests, (std::vector<std::string>{both[0].digest, both[1].digest}));
  const auto names_driver = [](const std::string& limit) { return limit.find("driver") != std::string::npos; };
  EXPECT_EQ(std::count_if(merged->limits.begin(), merged->limits.end(), names_driver), 1);
  EXPECT_TRUE(read_profile(profile_text(*merged)));
}

TEST(Merge, NodesThatGaveNothingKeepTheirNumbers) {
  const std::vector<ReadProfile> nodes = {{}, read_sample(1), {}, read_sample(2)};
  const auto merged = merged_profiles(nodes);
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->devices.size(), 2U);
  EXPECT_EQ(merged->devices[0].id, "n1.d0");
  EXPECT_EQ(merged->devices[1].id, "n3.d0");
  EXPECT_EQ(merged->previous_digests, (std::vector<std::string>{nodes[1].digest, nodes[3].digest}));
  EXPECT_EQ(merged->environment.driver, nodes[1].profile.environment.driver);
  const std::vector<ReadProfile> none(2);
  EXPECT_EQ(merged_profiles(none).error().front().code, "missing");
}

TEST(Merge, RefusesNothingAndTheSameTwice) {
  EXPECT_EQ(merged_profiles({}).error().front().code, "missing");
  const std::vector<ReadProfile> twice = {read_sample(1), read_sample(1)};
  EXPECT_EQ(merged_profiles(twice).error().front().path, "/1");
}

TEST(Compare, TellsChangesBeyondTheNoise) {
  const HardwareProfile before = sample_profile();
  HardwareProfile after = before;
  EXPECT_FALSE(compared_profiles(before, after).results.front().beyond_noise);
  ProbeResult& product = after.results.front();
  for (double& sample : product.samples_s) sample *= 1.1;
  product.flags.clear();
  finish_result(product, {});
  after.environment.nccl = "2.28";
  const ProfileComparison comparison = compared_profiles(before, after);
  ASSERT_EQ(comparison.results.size(), 1U);
  EXPECT_TRUE(comparison.results.front().beyond_noise);
  EXPECT_NEAR(comparison.results.front().time_ratio, 1.1, 1e-9);
  EXPECT_EQ(comparison.differences.size(), 1U);
  EXPECT_EQ(comparison.only_before, 0);
}

}  // namespace
}  // namespace podwright::verdict_test
