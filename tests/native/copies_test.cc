/// Copies beside the usual ones, and how kernels are started.
#include <set>

#include "native/runs.h"

namespace podwright::probes::copies_test {
namespace {

std::vector<const ProbeResult*> results_of(const RunOutcome& outcome, const std::string& probe) {
  std::vector<const ProbeResult*> found;
  for (const ProbeResult& result : outcome.profile.results)
    if (result.probe == probe) found.push_back(&result);
  return found;
}

TEST(Copies, OfPageableMemoryAreProbesOfTheirOwn) {
  const RunOutcome outcome = run_standard("", {"pcie"});
  EXPECT_EQ(outcome.exit, ProbeExit::ok);
  for (const char* probe : {"pcie.h2d.pageable", "pcie.d2h.pageable"}) {
    ASSERT_EQ(results_of(outcome, probe).size(), 1U) << probe;
    EXPECT_EQ(results_of(outcome, probe).front()->size.bytes, 64.0 * 1024 * 1024);
    EXPECT_TRUE(results_of(outcome, probe).front()->usable());
  }
  EXPECT_EQ(results_of(outcome, "pcie.h2d").size(), 6U);
}

TEST(Copies, BetweenDevicesGoBothWaysAndInSmall) {
  const RunOutcome outcome = run_standard("devices=3", {"p2p"});
  for (const char* probe : {"p2p.matrix", "p2p.bidir", "p2p.read", "p2p.lat"}) {
    std::set<std::vector<std::string>> pairs;
    for (const ProbeResult* result : results_of(outcome, probe)) pairs.insert(result->devices);
    EXPECT_EQ(pairs.size(), 6U) << probe;
  }
  EXPECT_EQ(results_of(outcome, "p2p.bidir").front()->counted.bytes, 2 * 256.0 * 1024 * 1024);
  EXPECT_EQ(results_of(outcome, "p2p.lat").front()->size.bytes, 4096.0);
  EXPECT_EQ(outcome.profile.links.size(), 6U);  // of the copies one way alone
}

TEST(Launches, GoByTheStreamAndAsGraph) {
  const RunOutcome outcome = run_standard("", {"launch"});
  ASSERT_EQ(outcome.profile.results.size(), 2U);
  EXPECT_EQ(results_of(outcome, "launch.stream").front()->variant.graph, std::nullopt);
  EXPECT_EQ(results_of(outcome, "launch.graph").front()->variant.graph, true);
}

}  // namespace
}  // namespace podwright::probes::copies_test
