/// Collectives between processes: who takes part, how they meet, what is measured, and what happens when one is
/// missing.
#include <cmath>
#include <map>
#include <set>

#include "calibration/collective_times.h"
#include "calibration/usable_points.h"
#include "native/fleet.h"
#include "probes/cluster/seats.h"
#include "probes/elapsed.h"
#include "probes/wire.h"
#include "probes/worker.h"

namespace podwright::probes::between_test {
namespace {

TEST(Wire, NumberThatIsNoneLeavesTheMessageReadable) {
  const auto read = read_wire<Fact>(wire_text(Fact{"rate", "", std::nan("")}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->key, "rate");
  EXPECT_EQ(read->number, 0);
  EXPECT_FALSE(read_wire<Fact>("not JSON"));
}

// ---- who takes part -------------------------------------------------------------------------------------------------

HardwareProfile rank_with(int devices, const std::string& node) {
  HardwareProfile profile;
  profile.run.rank.emplace().node = node;
  profile.run.backend = "fake";
  for (int i = 0; i < devices; ++i) {
    ProfileDevice device;
    device.id = "d" + std::to_string(i);
    device.pci_bus_id = "0" + std::to_string(i) + ":00.0";
    device.memory_total_gib = 80;
    profile.devices.push_back(device);
  }
  return profile;
}

RunOptions planned(std::vector<std::string> only) {
  RunOptions run = fake_options(std::move(only));
  run.budget.mode = RunMode::standard;
  return run;
}

std::set<std::string> shapes_of(const GroupPlan& plan) {
  std::set<std::string> shapes;
  for (const GroupCase& one : plan.cases)
    for (const std::vector<int>& team : one.teams)
      shapes.insert(one.one.probe.substr(5) + "/" + std::to_string(team.size()) + "/" +
                    std::to_string(plan.nodes_of(team)));
  return shapes;
}

TEST(Seats, OneProcessOfEachNodeSeatsAllItsDevices) {
  std::vector<std::string> sentences;
  const auto seats = seats_of({rank_with(4, "a"), rank_with(4, "b")}, sentences);
  ASSERT_EQ(seats.size(), 8U);
  EXPECT_EQ(seats[5].name(), "n1.d1");
  EXPECT_EQ(seats[5].node, 1);
  const GroupPlan plan = plan_group(seats, planned({"coll.allreduce", "coll.sendrecv"}));
  // Each node measured itself alone.
  EXPECT_EQ(shapes_of(plan), (std::set<std::string>{"allreduce/2/2", "sendrecv/2/2", "allreduce/8/2", "sendrecv/8/2"}));
  EXPECT_EQ(plan.teams, (std::vector<std::vector<int>>{{0, 4}}));
  for (const GroupCase& one : plan.cases)
    if (one.one.size.ranks == 8.0) {
      EXPECT_EQ(std::fmod(*one.one.size.bytes, 16), 0);
    }
}

/// Pairs of seats that exchange.
std::set<std::vector<int>> teams_of(const GroupPlan& plan) {
  std::set<std::vector<int>> teams;
  for (const GroupCase& one : plan.cases)
    if (one.one.size.ranks == 2.0) teams.insert(one.teams.begin(), one.teams.end());
  return teams;
}

TEST(Seats, PairsKeepToTheirRails) {
  std::vector<std::string> sentences;
  std::vector<HardwareProfile> ranks = {rank_with(3, "a"), rank_with(3, "b")};
  // The faulty one stands aside, and the others keep their partners.
  ranks[1].health_events.push_back({"d1", "device_fault", "a sticky error"});
  const auto seats = seats_of(ranks, sentences);
  const GroupPlan plan = plan_group(seats, planned({"coll.sendrecv"}));
  EXPECT_EQ(teams_of(plan), (std::set<std::vector<int>>{{0, 3}, {2, 4}}));
  EXPECT_EQ(plan.teams, (std::vector<std::vector<int>>{{0, 3}})) << "other pairs send within the communicator of all";
}

TEST(Seats, EveryNodeMeetsEachOtherOnceAndNoneTwiceInARound) {
  for (int nodes = 2; nodes <= 16; ++nodes) {
    std::vector<std::string> sentences;
    std::vector<HardwareProfile> ranks;
    for (int node = 0; node < nodes; ++node) ranks.push_back(rank_with(1, std::to_string(node)));
    const GroupPlan plan = plan_group(seats_of(ranks, sentences), planned({"coll.sendrecv"}));
    std::set<std::vector<int>> met;
    for (const GroupCase& one : plan.cases) {
      if (one.one.size.ranks != 2.0 || *one.one.size.bytes < 1e8) continue;
      std::set<int> busy;
      for (const std::vector<int>& team : one.teams) {
        EXPECT_LT(team[0], team[1]);
        EXPECT_TRUE(busy.insert(team[0]).second && busy.insert(team[1]).second);
        EXPECT_TRUE(met.insert(team).second || nodes == 2);
      }
    }
    EXPECT_EQ(static_cast<int>(met.size()), nodes * (nodes - 1) / 2);
  }
}

TEST(Seats, ManyNodesMeetSomeOfTheOthers) {
  std::vector<std::string> sentences;
  std::vector<HardwareProfile> ranks;
  for (int node = 0; node < 40; ++node) ranks.push_back(rank_with(1, std::to_string(node)));
  const GroupPlan plan = plan_group(seats_of(ranks, sentences), planned({"coll.sendrecv"}));
  std::map<int, int> partners;
  for (const std::vector<int>& team : teams_of(plan))
    for (const int seat : team) ++partners[seat];
  for (const auto& [seat, count] : partners) EXPECT_TRUE(count >= 14 && count <= 16) << seat << " " << count;
  EXPECT_EQ(partners.size(), 40U);
}

TEST(Seats, OneProcessOfEachDeviceMeasuresTheNodeToo) {
  std::vector<std::string> sentences;
  std::vector<HardwareProfile> ranks;
  for (const char* node : {"a", "a", "b", "b", "c", "c"}) {
    ranks.push_back(rank_with(1, node));
    ranks.back().devices.front().pci_bus_id = std::to_string(ranks.size());
  }
  const auto seats = seats_of(ranks, sentences);
  EXPECT_TRUE(sentences.empty());
  const GroupPlan plan = plan_group(seats, planned({"coll.allgather", "coll.sendrecv"}));
  EXPECT_EQ(shapes_of(plan), (std::set<std::string>{"allgather/3/3", "sendrecv/3/3", "sendrecv/2/2", "allgather/6/3",
                                                    "sendrecv/6/3", "allgather/2/1", "sendrecv/2/1"}));
  EXPECT_EQ(plan.teams, (std::vector<std::vector<int>>{{0, 2, 4}, {0, 1}}));
  // Of three nodes one rests in each round; everybody runs as many cases.
  for (std::size_t seat = 0; seat < plan.seats.size(); ++seat)
    EXPECT_EQ(plan.cases_of(static_cast<int>(seat)).size(), plan.cases.size());
}

TEST(Seats, SharedFaultyAndSlicedDevicesStandAside) {
  std::vector<HardwareProfile> ranks = {rank_with(2, "a"), rank_with(2, "a"), rank_with(2, "b")};
  ranks[1].health_events.push_back({"d1", "device_fault", "a sticky error"});
  ranks[2].devices[0].mig_slice = "1g.10gb";
  std::vector<std::string> sentences;
  // Ranks 0 and 1 see the same two devices.
  const auto seats = seats_of(ranks, sentences);
  std::vector<std::string> names;
  for (const Seat& seat : seats) names.push_back(seat.name());
  EXPECT_EQ(names, (std::vector<std::string>{"n0.d0", "n0.d1", "n2.d1"}));
  EXPECT_EQ(sentences.size(), 3U);
}

TEST(Seats, OneSeatHasNoPartner) {
  std::vector<std::string> sentences;
  const auto seats = seats_of({rank_with(1, "a"), rank_with(1, "a")}, sentences);
  EXPECT_EQ(seats.size(), 1U) << "both ranks have the same bus id";
  EXPECT_TRUE(plan_group(seats, planned({})).cases.empty());
}

// ---- runs -----------------------------------------------------------------------------------------------------------

const ProbeResult* result_of(const HardwareProfile& profile, const std::string& probe, double ranks, double nodes,
                             double bytes) {
  for (const ProbeResult& one : profile.results)
    if (one.probe == probe && one.size.ranks == ranks && one.size.nodes.value_or(1) == nodes && one.size.bytes == bytes)
      return &one;
  return nullptr;
}

std::vector<std::string> script(const std::string& steps) { return {"PODWRIGHT_FAKE=" + steps}; }

TEST(Between, FourProcessesOnTwoNodesMeasureNodeBetweenAndAll) {
  Fleet fleet =
      start("between",
            {script("host=a"), script("host=a;wait=5e-6"), script("host=b;slow=2@coll.allreduce"), script("host=b")},
            {.only = "coll", .budget = "200"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0, 0, 0}));
  const HardwareProfile profile = merge(fleet).profile;
  EXPECT_TRUE(profile.run.complete);
  constexpr double kBytes = 2 * 1024 * 1024;
  const ProbeResult* all = result_of(profile, "coll.allreduce", 4, 2, kBytes);
  ASSERT_NE(all, nullptr);
  ASSERT_TRUE(all->time_s);
  EXPECT_EQ(all->devices, (std::vector<std::string>{"n0.d0", "n1.d0", "n2.d0", "n3.d0"}));
  EXPECT_EQ(all->check.status, CheckStatus::pass);
  EXPECT_EQ(all->dtype, "bf16");
  // The rank that takes twice as long decides, and the one that waited longest tells how far apart they came.
  const double alone = 18e-6 + 1.75 * kBytes / 460e9;
  EXPECT_NEAR(all->time_s->median / (2 * alone), 1, 0.01);
  EXPECT_NEAR(*all->context.entry_skew_s, 4e-6, 1e-9);
  const ProbeResult* between = result_of(profile, "coll.allreduce", 2, 2, kBytes);
  ASSERT_NE(between, nullptr);
  EXPECT_EQ(between->devices, (std::vector<std::string>{"n0.d0", "n2.d0"}));
  EXPECT_NEAR(between->time_s->median / (2 * alone), 1, 0.01);
  const ProbeResult* inside = result_of(profile, "coll.allreduce", 2, 1, kBytes);
  ASSERT_NE(inside, nullptr);
  EXPECT_EQ(inside->devices, (std::vector<std::string>{"n0.d0", "n1.d0"}));
  EXPECT_NEAR(inside->time_s->median / alone, 1, 0.01);
  EXPECT_FALSE(inside->size.nodes);
  EXPECT_NE(result_of(profile, "coll.sendrecv", 2, 2, 8192), nullptr);
  // Plans read them as what they are: in a node, between nodes, and over all.
  const auto tables = collective_tables(results_on(profile, profile.devices.front(), is_collective_probe));
  for (const char* key : {"coll.allreduce/2", "coll.allreduce/2/2", "coll.allreduce/4/2"})
    EXPECT_EQ(tables.count(key), 1U) << key;
}

TEST(Between, PairsOfARoundKeepTheirOwnTimes) {
  Fleet fleet =
      start("pairs", {script("host=a"), script("host=b"), script("host=c"), script("host=d;slow=3@coll.sendrecv")},
            {.only = "coll.sendrecv", .budget = "200"});
  codes(fleet);
  const Merged merged = merge(fleet);
  EXPECT_EQ(merged.code, 1);
  const HardwareProfile& profile = merged.profile;
  std::map<std::vector<std::string>, double> pairs;
  for (const ProbeResult& one : profile.results)
    if (one.probe == "coll.sendrecv" && one.size.ranks == 2.0 && *one.size.bytes > 1e8)
      pairs[one.devices] = one.time_s->median;
  ASSERT_EQ(pairs.size(), 6U);
  const double alone = 18e-6 + 1.75 * 128.0 * 1024 * 1024 / 460e9;
  for (const auto& [devices, seconds] : pairs)
    EXPECT_NEAR(seconds / alone, devices.back() == "n3.d0" ? 3 : 1, 0.02) << devices.front() << " " << devices.back();
  // The pairs name the node.
  std::vector<HealthEvent> named;
  for (const HealthEvent& event : profile.health_events)
    if (event.name == "slow_node") named.push_back(event);
  ASSERT_EQ(named.size(), 1U);
  EXPECT_EQ(named.front().device, "n3.d0");
}

TEST(Between, OneSlowAdapterIsNamedByItsDevice) {
  // Scripted devices have no bus id; the second of the last node sends at a third of the pace.
  Fleet fleet = start("rails",
                      {script("host=a;devices=2"), script("host=b;devices=2"), script("host=c;devices=2"),
                       script("host=d;devices=2;slow_device=1:3@coll.sendrecv")},
                      {.only = "coll.sendrecv", .budget = "200"});
  codes(fleet);
  const Merged merged = merge(fleet);
  EXPECT_EQ(merged.code, 1);
  const HardwareProfile& profile = merged.profile;
  std::set<std::string> named;
  for (const HealthEvent& event : profile.health_events)
    if (event.name == "slow_node") named.insert(event.device);
  EXPECT_EQ(named, std::set<std::string>{"n3.d1"});
  // Every pair of a rail is a link, at its own rate.
  int links = 0;
  int slow = 0;
  for (const ProfileLink& link : profile.links) {
    if (link.type != "network") continue;
    ++links;
    EXPECT_EQ(link.from.back(), link.to.back());
    slow += *link.bytes_per_s < 0.15e12;
  }
  EXPECT_EQ(links, 12);
  EXPECT_EQ(slow, 3);
}

TEST(Between, ProcessorsMeasureNothingBetweenThem) {
  Fleet fleet = start("own", {{}, {}},
                      {.backend = "cpu", .only = "cpu.copy,cpu.launch", .more = {"--watchdog", "100"}, .budget = "2"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  const HardwareProfile profile = merge(fleet).profile;
  EXPECT_TRUE(profile.run.complete);
  EXPECT_FALSE(profile.results.empty());
  for (const ProbeResult& one : profile.results) EXPECT_FALSE(one.size.nodes) << one.probe;
}

/// Ranks that live end with 4, and the merged profile is valid and says why.
void expect_unfinished(const Merged& merged, const std::string& sentence) {
  EXPECT_EQ(merged.code, 4);
  EXPECT_FALSE(merged.profile.run.complete);
  EXPECT_EQ(merged.profile.run.exit_code, 4);
  std::string all;
  for (const std::string& limit : merged.profile.limits) all += limit + "\n";
  EXPECT_TRUE(merged.says(sentence)) << sentence << "\nin\n" << all;
}

const ProbeResult* skipped_among(const HardwareProfile& profile, double ranks) {
  for (const ProbeResult& one : profile.results)
    if (one.probe == "coll.allreduce" && one.size.ranks == ranks && one.skip) return &one;
  return nullptr;
}

TEST(Between, RankThatHangsBeforeTheMeetingIsNamed) {
  Fleet fleet = start("nojoin", {script("host=a"), script("host=b;no_join"), script("host=c")},
                      {.only = "coll", .more = {"--watchdog", "0.2"}, .patience = "3", .at_once = {0, 2}});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 4}));
  const Merged merged = merge(fleet);
  expect_unfinished(merged, "rank 1 did not meet the others: it said nothing until the time was over");
  EXPECT_TRUE(merged.says("rank 0 did not meet the others: not all 3 ranks came within "));
}

TEST(Between, RankThatIsKilledBeforeTheMeetingIsNamed) {
  Fleet fleet = start("killedjoin", {script("host=a"), script("host=b;kill_rank"), script("host=c")},
                      {.only = "coll", .patience = "3", .at_once = {0, 2}});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 128 + SIGKILL, 4}));
  const Merged merged = merge(fleet);
  expect_unfinished(merged, "Node 1 is missing: it measured by itself, and did not come to meet the others.");
  EXPECT_EQ(merged.devices_of("rank_lost"), std::vector<std::string>{"n1"});
  EXPECT_EQ(merged.profile.devices.size(), 3U);
}

TEST(Between, LibraryThatJoinsNoGroupIsNamed) {
  Fleet fleet = start("joinfails", {script("host=a"), script("host=b;join_fails"), script("host=c")},
                      {.only = "coll", .patience = "3", .at_once = {0, 2}});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 4}));
  expect_unfinished(merge(fleet), "rank 1 did not meet the others: nccl:2: the library joins no group");
}

TEST(Between, RankThatIsKilledInACollectiveIsNamed) {
  Fleet fleet = start("killed", {script("host=a"), script("host=b"), script("host=c;pace=0.05@coll")},
                      {.only = "coll", .budget = "200"});
  // All have joined once one of them has kept a collective.
  ASSERT_TRUE(until([&] {
    const auto read = read_profile(file_text(rank_path(fleet, 0)));
    return read && !read->profile.exchanges.empty();
  }));
  fleet.ranks[2]->kill(SIGKILL);
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 128 + SIGKILL}));
  const Merged merged = merge(fleet);
  expect_unfinished(merged,
                    "Node 2 is missing: it met the others, and did not come to the end of measuring with them.");
  EXPECT_EQ(merged.devices_of("rank_lost"), std::vector<std::string>{"n2"});
  EXPECT_TRUE(merged.says("n0.d0: nccl:6: ")) << "the library tells that one went away";
}

TEST(Between, WorkerThatDiesInACollectiveEndsItForAll) {
  Fleet fleet =
      start("crash", {script("host=a"), script("host=b"), script("host=c;crash@coll.allreduce")}, {.only = "coll"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 4}));
  const Merged merged = merge(fleet);
  expect_unfinished(merged, "n2.d0: the worker ended by signal 6");
  const ProbeResult* skipped = skipped_among(merged.profile, 3);
  ASSERT_NE(skipped, nullptr);
  EXPECT_EQ(skipped->skip->reason, SkipReason::rank_lost) << skipped->skip->message;
}

TEST(Between, RankThatHangsInACollectiveEndsItForAllInTime) {
  Fleet fleet = start("hangs", {script("host=a"), script("host=b;hang@coll.allreduce"), script("host=c")},
                      {.only = "coll.allreduce", .more = {"--watchdog", "0.1"}, .limit = "120"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 4}));
  expect_unfinished(merge(fleet), "n1.d0: nothing came for five times the predicted time");
}

TEST(Between, FailureOfOneRanksLibraryIsEverybodysSkip) {
  Fleet fleet = start("library", {script("host=a"), script("host=b;library_missing@coll.allreduce")}, {.only = "coll"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  int skipped = 0;
  for (const ProbeResult& one : merge(fleet).profile.results) {
    if (one.probe != "coll.allreduce" || one.size.ranks != 2.0) continue;
    ++skipped;
    ASSERT_TRUE(one.skip);
    EXPECT_EQ(one.skip->reason, SkipReason::library_missing);
    EXPECT_EQ(one.skip->message.rfind("n1.d0: ", 0), 0U) << one.skip->message;
  }
  EXPECT_EQ(skipped, 3);
}

TEST(Between, OtherVersionsRefuseCollectives) {
  for (const auto& [word, steps] : {std::pair("Different driver", "host=b;driver=580;library=2.28.3"),
                                    {"Different NCCL", "host=b;driver=575;library=2.27.5"}}) {
    Fleet fleet =
        start("versions", {script("host=a;driver=575;library=2.28.3"), script(steps)}, {.only = "launch,coll"});
    EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4}));
    const Merged merged = merge(fleet);
    expect_unfinished(merged, "were not measured, since versions or options differ");
    EXPECT_TRUE(merged.says(std::string("Node 1: ") + word));
    for (const ProbeResult& one : merged.profile.results) EXPECT_EQ(one.probe.find("coll"), std::string::npos);
  }
}

TEST(Between, OtherOptionsRefuseCollectives) {
  Fleet fleet("options");
  for (const int rank : {0, 1})
    fleet.ranks.push_back(start_rank(fleet, rank, 2, script(rank == 0 ? "host=a" : "host=b"),
                                     {.only = rank == 0 ? "coll" : "coll.allreduce"}));
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4}));
  expect_unfinished(merge(fleet), "were not measured, since versions or options differ");
}

TEST(Between, LibraryThatRefusesAnotherVersionOfItselfIsTold) {
  Fleet fleet = start("refused", {{"PODWRIGHT_FAKE=host=a"}, {"PODWRIGHT_FAKE=host=b", "STAND_IN_NCCL_VERSION=22703"}},
                      {.only = "launch", .patience = "6", .at_once = {0, 1}});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4}));
  expect_unfinished(merge(fleet), "did not meet the others: nccl:5: ncclCommInitRankConfig: invalid usage");
}

}  // namespace
}  // namespace podwright::probes::between_test
