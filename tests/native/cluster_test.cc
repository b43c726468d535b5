/// Several processes on this machine stand for several nodes.
#include "calibration/judge_profile.h"
#include "native/fleet.h"
#include "probes/cluster/meeting.h"
#include "probes/cluster/seats.h"

#include <map>
#include <set>

namespace podwright::probes::cluster_test {
namespace {

TEST(Tournament, EveryPairMeetsOnceAndNobodyTwiceInARound) {
  for (int ranks = 2; ranks <= 9; ++ranks) {
    std::set<std::pair<int, int>> met;
    for (const auto& round : tournament(ranks)) {
      std::set<int> busy;
      for (const auto& [a, b] : round) {
        EXPECT_LT(a, b);
        EXPECT_TRUE(busy.insert(a).second && busy.insert(b).second);
        EXPECT_TRUE(met.insert({a, b}).second);
      }
    }
    EXPECT_EQ(static_cast<int>(met.size()), ranks * (ranks - 1) / 2);
    EXPECT_EQ(static_cast<int>(tournament(ranks).size()), ranks % 2 == 0 ? ranks - 1 : ranks);
  }
}

/// A job of a cluster may run these tests.
void forget_launchers() {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"}) unsetenv(rank);
}

TEST(Place, ComesFromFlagsOrLauncher) {
  forget_launchers();
  EXPECT_FALSE(own_hello({}).hello);
  EXPECT_FALSE(own_hello({.rank = 1, .world = {}, .rendezvous = ""}).hello);
  EXPECT_FALSE(own_hello({.rank = 4, .world = 4, .rendezvous = ""}).hello);
  const Variable rank("SLURM_PROCID", "2");
  const Variable world("SLURM_NTASKS", "5");
  const auto found = own_hello({});
  ASSERT_TRUE(found.hello);
  EXPECT_EQ(found.hello->rank, 2);
  EXPECT_EQ(found.hello->world, 5);
}

TEST(Cluster, TwoRanksMergeTheirProfiles) {
  Fleet fleet = start("two", {{}, {}}, scratch("meet_two"), "fake", "hbm.triad");
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  const auto read = read_profile(file_text(fleet.profile));
  ASSERT_TRUE(read) << read.error().front().path << read.error().front().message;
  const HardwareProfile& profile = read->profile;
  EXPECT_TRUE(profile.run.complete);
  EXPECT_EQ(profile.run.mode, RunMode::cluster);
  EXPECT_EQ(profile.devices.size(), 2U);
  EXPECT_EQ(profile.previous_digests.size(), 2U);
  std::map<std::string, int> counts;
  for (const ProbeResult& result : profile.results) {
    ++counts[result.probe];
    EXPECT_TRUE(result.usable() || result.check.status == CheckStatus::pass) << result.probe;
  }
  // Nothing but what was asked for: no measurement over the processors' network.
  EXPECT_EQ(counts, (std::map<std::string, int>{{"hbm.triad", 2}}));
  EXPECT_TRUE(profile.links.empty());
  EXPECT_FALSE(std::filesystem::exists(scratch("meet_two")));
}

TEST(Cluster, SlowRankIsNamedAndNoOther) {
  // Times come from the script, so that a busy machine makes nobody else slow.
  std::vector<std::vector<std::string>> variables(4);
  variables[2] = {"PODWRIGHT_FAKE=slow=1.5@hbm.triad"};
  Fleet fleet = start("slow", variables, scratch("meet_slow"), "fake", "hbm.triad,hbm.read");
  const std::vector<int> all = codes(fleet);
  EXPECT_EQ(all.front(), 1);
  const auto read = read_profile(file_text(fleet.profile));
  ASSERT_TRUE(read);
  std::vector<HealthEvent> named;
  for (const HealthEvent& event : read->profile.health_events)
    if (event.name == "slow_node") named.push_back(event);
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named.front().device, "n2.d0");
  EXPECT_EQ(named.front().message.rfind("hbm.triad takes 50 %", 0), 0U) << named.front().message;
  int rows = 0;
  for (const ProfileVerdict& one : judge_profile(Catalog(), read->profile).verdicts)
    rows += one.verdict.kind == VerdictKind::low && one.device == "n2.d0" && one.probe == "hbm.triad" ? 1 : 0;
  EXPECT_EQ(rows, 1);
}

TEST(Cluster, LimitedRankIsToldAndNotBlamed) {
  std::vector<std::vector<std::string>> variables(4);
  variables[2] = {"PODWRIGHT_FAKE=slow=1.5@launch.stream;clock=1.3e9;throttle=2"};
  Fleet fleet = start("limited", variables, scratch("meet_limited"), "fake", "launch.stream");
  EXPECT_EQ(codes(fleet).front(), 0);
  const auto read = read_profile(file_text(fleet.profile));
  ASSERT_TRUE(read);
  for (const HealthEvent& event : read->profile.health_events) EXPECT_NE(event.name, "slow_node") << event.message;
  EXPECT_EQ(
      read->profile.limits,
      (std::vector<std::string>{"Node 2: launch.stream takes 50 % longer than on the other nodes, which its limited "
                                "clock accounts for; it is not called slow."}));
}

TEST(Cluster, OptionsThatAreGoneAreRefusedByName) {
  Program program({"probe", "--cluster", "--isolate"}, {}, scratch("isolate.log"));
  EXPECT_EQ(program.wait(), 2);
  EXPECT_NE(file_text(scratch("isolate.log.err")).find("--isolate"), std::string::npos);
}

TEST(Cluster, KilledRankLeavesAValidUnfinishedProfile) {
  Fleet fleet =
      start("killed", {{}, {}, {"PODWRIGHT_FAKE=hang@hbm.triad"}}, scratch("meet_killed"), "fake", "hbm.triad");
  // Rank 2 has its turn when the others are done, and hangs there.
  usleep(2500000);
  fleet.ranks[2]->kill(SIGKILL);
  fleet.ranks[2]->wait();
  EXPECT_EQ(fleet.ranks[0]->wait(), 4);
  EXPECT_EQ(fleet.ranks[1]->wait(), 4);
  fleet.ranks.clear();
  const auto read = read_profile(file_text(fleet.profile));
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->profile.run.complete);
  EXPECT_EQ(read->profile.devices.size(), 2U);
  ASSERT_FALSE(read->profile.health_events.empty());
  EXPECT_EQ(read->profile.health_events.back().name, "rank_lost");
}

TEST(Cluster, RanksMeetOverTcpToo) {
  const int port = Listener(0).port();  // free a moment ago, and the system does not give it away again at once
  ASSERT_GT(port, 0);
  Fleet fleet = start("tcp", {{}, {}}, "tcp://127.0.0.1:" + std::to_string(port), "fake", "launch");
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
}

TEST(Cluster, StaleMeetingFileIsNoInvitation) {
  const std::string place = scratch("meet_stale");
  {
    std::ofstream old(place);
    old << R"({"addresses": ["127.0.0.1"], "port": 9, "nonce": "old", "written": 1})";
  }
  Fleet fleet = start("stale", {{}, {}}, place, "fake", "launch");
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
}

TEST(Cluster, WithoutARankIsWrongInput) {
  forget_launchers();
  Program program({"probe", "--cluster", "--rendezvous", scratch("none")}, {}, scratch("none.log"));
  EXPECT_EQ(program.wait(), 2);
}

}  // namespace
}  // namespace podwright::probes::cluster_test
