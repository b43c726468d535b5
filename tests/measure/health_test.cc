#include "measure/health.h"

#include <gtest/gtest.h>

namespace podwright::health_test {
namespace {

HardwareProfile with_counter(const std::string& name, double before, double after) {
  HardwareProfile profile;
  profile.run.duration_s = 60;
  profile.health_counters = {{"d0", name, before, after}};
  return profile;
}

HardwareProfile with_event(const std::string& name) {
  HardwareProfile profile;
  profile.health_events = {{"d1", name, ""}};
  return profile;
}

TEST(Health, QuietCountersAreNoFinding) {
  for (const char* name : {"ecc_uncorrectable", "ecc_correctable", "remapped_rows", "pcie_replay", "nvlink_crc"})
    EXPECT_TRUE(health_findings(with_counter(name, 7, 7)).empty()) << name;
  // A driver that was loaded anew counts from 0.
  EXPECT_TRUE(health_findings(with_counter("ecc_uncorrectable", 7, 0)).empty());
}

TEST(Health, UncorrectableErrorsFail) {
  const auto findings = health_findings(with_counter("ecc_uncorrectable", 1, 3));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].device, "d0");
  EXPECT_EQ(findings[0].gravity, HealthGravity::failed);
  EXPECT_EQ(findings[0].message, "2 uncorrectable memory errors during the run");
  EXPECT_EQ(exit_of(findings[0].gravity), ProbeExit::fault);
}

TEST(Health, CorrectedErrorsWarn) {
  const auto findings = health_findings(with_counter("ecc_correctable", 0, 1));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].gravity, HealthGravity::warning);
  EXPECT_EQ(exit_of(findings[0].gravity), ProbeExit::ok);
}

TEST(Health, ErrorsOfLinksTellTheirRate) {
  const auto findings = health_findings(with_counter("pcie_replay", 10, 130));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].gravity, HealthGravity::warning);
  EXPECT_EQ(findings[0].message, "120 repeated PCIe packets during the run (2 a second)");
}

TEST(Health, RowThatWaitsForAResetWarnsAlsoWithoutADifference) {
  const auto findings = health_findings(with_counter("remap_pending", 1, 1));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].gravity, HealthGravity::warning);
}

TEST(Health, XidsFailUnlessAProgramCausesThem) {
  // 79: the device fell off the bus; 48: double-bit memory error; 31: a program's illegal address.
  for (const char* name : {"xid:79", "xid:48"})
    EXPECT_EQ(health_findings(with_event(name)).front().gravity, HealthGravity::failed) << name;
  const auto ours = health_findings(with_event("xid:31"));
  ASSERT_EQ(ours.size(), 1U);
  EXPECT_EQ(ours[0].gravity, HealthGravity::own_fault);
  EXPECT_EQ(exit_of(ours[0].gravity), ProbeExit::internal_error);
  EXPECT_TRUE(health_findings(with_event("rank_lost")).empty());
}

}  // namespace
}  // namespace podwright::health_test
