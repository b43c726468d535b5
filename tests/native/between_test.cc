/// Collectives between processes: who takes part, how they meet, what is measured, and what happens when one is
/// missing.
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "calibration/collective_times.h"
#include "calibration/usable_points.h"
#include "native/fleet.h"
#include "probes/cluster/between_nodes.h"
#include "probes/cluster/process_group.h"
#include "probes/wire.h"

namespace podwright::probes::between_test {
namespace {

// ---- meeting
// ----------------------------------------------------------------------------------------------------------

GroupSeat seat(int rank, double patience_s) { return {rank, {"a", "b", "c"}, patience_s}; }

TEST(ProcessGroup, AllTellAllInStep) {
  ProcessGroup first(seat(0, 10));
  const auto place = first.open();
  ASSERT_TRUE(place);
  std::vector<std::vector<StepReport>> heard(3);
  const auto live = [&](ProcessGroup& group) {
    ASSERT_TRUE(group.meet(*place)) << group.why();
    const auto all = group.tell({PW_OK, "", "", {1.0 * group.rank()}}, 5);
    ASSERT_TRUE(all) << group.why();
    heard[static_cast<std::size_t>(group.rank())] = *all;
  };
  ProcessGroup second(seat(1, 10));
  ProcessGroup third(seat(2, 10));
  std::thread one([&] { live(second); });
  std::thread two([&] { live(third); });
  live(first);
  one.join();
  two.join();
  for (const auto& reports : heard) {
    ASSERT_EQ(reports.size(), 3U);
    for (std::size_t rank = 0; rank < 3; ++rank)
      EXPECT_EQ(reports[rank].numbers, std::vector<double>{static_cast<double>(rank)});
  }
}

TEST(ProcessGroup, WhoDidNotComeIsNamedToAll) {
  ProcessGroup first(seat(0, 1));
  const auto place = first.open();
  ProcessGroup second(seat(1, 5));
  std::thread one([&] { EXPECT_FALSE(second.meet(*place)); });
  EXPECT_FALSE(first.meet(*place));
  one.join();
  EXPECT_EQ(first.why(), "c did not join within 1 s");
  EXPECT_EQ(second.why(), first.why());
}

TEST(ProcessGroup, WhoWentAwayIsNamedToAll) {
  ProcessGroup first(seat(0, 10));
  const auto place = first.open();
  ProcessGroup second(seat(1, 10));
  std::thread one([&] {
    ASSERT_TRUE(second.meet(*place));
    EXPECT_FALSE(second.tell({}, 5));
  });
  std::thread two([&] {
    ProcessGroup third(seat(2, 10));
    ASSERT_TRUE(third.meet(*place));
  });
  ASSERT_TRUE(first.meet(*place));
  two.join();
  EXPECT_FALSE(first.tell({}, 5));
  one.join();
  EXPECT_EQ(first.why(), "c went away");
  EXPECT_EQ(second.why(), "c went away");
}

TEST(ProcessGroup, AnotherGroupsPlaceIsNoInvitation) {
  ProcessGroup first({0, {"a", "b"}, 1});
  const auto place = first.open();
  ASSERT_TRUE(place);
  MeetingPlace other = *place;
  other.nonce = "another";
  ProcessGroup second({1, {"a", "b"}, 1});
  std::thread one([&] { EXPECT_FALSE(second.meet(other)); });
  EXPECT_FALSE(first.meet(*place));
  one.join();
}

// A caller that gave up waiting for its welcome comes again; the connection that it left behind is no member.
TEST(ProcessGroup, WhoComesAgainIsTakenAgain) {
  ProcessGroup first({0, {"a", "b", "c"}, 10});
  const auto place = first.open();
  ASSERT_TRUE(place);
  Connection left = connect_to("127.0.0.1", place->port, 2);
  ASSERT_TRUE(left.send_text(wire_text(Hello{1, 3, place->nonce})));
  left.close();
  ProcessGroup second(seat(1, 10));
  ProcessGroup third(seat(2, 10));
  std::thread one([&] { EXPECT_TRUE(second.meet(*place)) << second.why(); });
  std::thread two([&] {
    // Comes last, so that rank 0 still waits when the second one comes again.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    EXPECT_TRUE(third.meet(*place)) << third.why();
  });
  EXPECT_TRUE(first.meet(*place)) << first.why();
  one.join();
  two.join();
}

TEST(Wire, NumberThatIsNoneLeavesTheMessageReadable) {
  const auto read = read_wire<StepReport>(wire_text(StepReport{PW_FAULT, "oom", "", {std::nan(""), 2}}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->code, PW_FAULT);
  EXPECT_EQ(read->numbers, (std::vector<double>{0, 2}));
  EXPECT_FALSE(read_wire<StepReport>("not JSON"));
}

// ---- who takes part
// -----------------------------------------------------------------------------------------------------

HardwareProfile rank_with(int devices) {
  HardwareProfile profile;
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
  const auto seats = seats_of({rank_with(4), rank_with(4)}, {"a", "b"}, sentences);
  ASSERT_EQ(seats.size(), 8U);
  EXPECT_EQ(seats[5].name(), "n1.d1");
  EXPECT_EQ(seats[5].node, 1);
  const auto plans = plan_groups(seats, {.backend = "fake", .only = {"coll.allreduce", "coll.sendrecv"}});
  ASSERT_EQ(plans.size(), 2U);  // each node measured itself alone
  EXPECT_EQ(shapes_of(plans[0]), (std::set<std::string>{"allreduce/2/2", "sendrecv/2/2"}));
  EXPECT_EQ(shapes_of(plans[1]), (std::set<std::string>{"allreduce/8/2", "sendrecv/8/2", "sendrecv/2/2"}));
  for (const GroupCase& one : plans[1].cases)
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
  std::vector<HardwareProfile> ranks = {rank_with(3), rank_with(3)};
  // The faulty one stands aside, and the others keep their partners.
  ranks[1].health_events.push_back({"d1", "device_fault", "a sticky error"});
  const auto seats = seats_of(ranks, {"a", "b"}, sentences);
  const auto plans = plan_groups(seats, {.backend = "fake", .only = {"coll.sendrecv"}});
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(teams_of(plans[1]), (std::set<std::vector<int>>{{0, 3}, {2, 4}}));
}

TEST(Seats, ManyNodesMeetSomeOfTheOthers) {
  std::vector<std::string> sentences;
  std::vector<HardwareProfile> ranks;
  std::vector<std::string> hosts;
  for (int node = 0; node < 40; ++node) {
    ranks.push_back(rank_with(1));
    hosts.push_back(std::to_string(node));
  }
  const auto plans = plan_groups(seats_of(ranks, hosts, sentences), {.backend = "fake", .only = {"coll.sendrecv"}});
  ASSERT_EQ(plans.size(), 1U);
  std::map<int, int> partners;
  for (const std::vector<int>& team : teams_of(plans[0]))
    for (const int seat : team) ++partners[seat];
  for (const auto& [seat, count] : partners) EXPECT_EQ(count, 15) << seat;
  EXPECT_EQ(partners.size(), 40U);
}

TEST(Seats, OneProcessOfEachDeviceMeasuresTheNodeToo) {
  std::vector<std::string> sentences;
  std::vector<HardwareProfile> ranks;
  for (int rank = 0; rank < 6; ++rank) {
    ranks.push_back(rank_with(1));
    ranks.back().devices.front().pci_bus_id = std::to_string(rank);
  }
  const auto seats = seats_of(ranks, {"a", "a", "b", "b", "c", "c"}, sentences);
  EXPECT_TRUE(sentences.empty());
  const auto plans = plan_groups(seats, {.backend = "fake", .only = {"coll.allgather", "coll.sendrecv"}});
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(shapes_of(plans[0]), (std::set<std::string>{"allgather/3/3", "sendrecv/3/3"}));
  EXPECT_EQ(shapes_of(plans[1]), (std::set<std::string>{"sendrecv/2/2", "allgather/6/3", "sendrecv/6/3"}));
  EXPECT_EQ(shapes_of(plans[2]), (std::set<std::string>{"allgather/2/1", "sendrecv/2/1"}));
  // Of three nodes one rests in each round; everybody runs as many cases.
  for (const GroupPlan& plan : plans)
    for (std::size_t seat = 0; seat < plan.seats.size(); ++seat)
      EXPECT_EQ(plan.cases_of(static_cast<int>(seat)).size(), plan.cases.size());
}

TEST(Seats, SharedFaultyAndSlicedDevicesStandAside) {
  std::vector<HardwareProfile> ranks = {rank_with(2), rank_with(2), rank_with(2)};
  ranks[1].health_events.push_back({"d1", "device_fault", "a sticky error"});
  ranks[2].devices[0].mig_slice = "1g.10gb";
  std::vector<std::string> sentences;
  // Ranks 0 and 1 see the same two devices.
  const auto seats = seats_of(ranks, {"a", "a", "b"}, sentences);
  std::vector<std::string> names;
  for (const Seat& seat : seats) names.push_back(seat.name());
  EXPECT_EQ(names, (std::vector<std::string>{"n0.d0", "n0.d1", "n2.d1"}));
  EXPECT_EQ(sentences.size(), 3U);
}

TEST(Seats, OneSeatHasNoPartner) {
  std::vector<std::string> sentences;
  const auto seats = seats_of({rank_with(1), rank_with(1)}, {"a", "a"}, sentences);
  EXPECT_EQ(seats.size(), 1U) << "both ranks have the same bus id";
  EXPECT_TRUE(plan_groups(seats, {.backend = "fake", .only = {}}).empty());
}

// ---- runs
// -----------------------------------------------------------------------------------------------------------------

HardwareProfile profile_of(const Fleet& fleet) {
  const auto read = read_profile(file_text(fleet.profile));
  EXPECT_TRUE(read);
  return read ? read->profile : HardwareProfile();
}

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
            scratch("meet_between"), "fake", "coll", {}, "200");
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0, 0, 0}));
  const HardwareProfile profile = profile_of(fleet);
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
            scratch("meet_pairs"), "fake", "coll.sendrecv", {}, "200");
  EXPECT_EQ(codes(fleet).front(), 1);
  const HardwareProfile profile = profile_of(fleet);
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
                      scratch("meet_rails"), "fake", "coll.sendrecv", {}, "200");
  EXPECT_EQ(codes(fleet).front(), 1);
  const HardwareProfile profile = profile_of(fleet);
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
  Fleet fleet = start("own", {{}, {}}, scratch("meet_own"), "cpu", "cpu.copy,cpu.launch", {"--watchdog", "100"}, "2");
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  const HardwareProfile profile = profile_of(fleet);
  EXPECT_TRUE(profile.run.complete);
  EXPECT_FALSE(profile.results.empty());
  for (const ProbeResult& one : profile.results) EXPECT_FALSE(one.size.nodes) << one.probe;
}

void expect_unfinished(const HardwareProfile& profile, const std::string& sentence, SkipReason reason) {
  EXPECT_FALSE(profile.run.complete);
  EXPECT_EQ(profile.run.exit_code, 4);
  bool said = false;
  for (const std::string& limit : profile.limits) said = said || limit.find(sentence) != std::string::npos;
  EXPECT_TRUE(said) << sentence;
  const ProbeResult* skipped = nullptr;
  for (const ProbeResult& one : profile.results)
    if (one.probe == "coll.allreduce" && one.size.ranks == 3.0) skipped = &one;
  ASSERT_NE(skipped, nullptr);
  ASSERT_TRUE(skipped->skip);
  EXPECT_EQ(skipped->skip->reason, reason) << skipped->skip->message;
}

TEST(Between, RankThatNeverJoinsIsNamed) {
  Fleet fleet = start("nojoin", {script("host=a"), script("host=b;no_join"), script("host=c")}, scratch("meet_nojoin"),
                      "fake", "coll", {"--watchdog", "0.05"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 4}));
  expect_unfinished(profile_of(fleet), "n1.d0: it did not join within 6 s", SkipReason::hang);
}

TEST(Between, RankThatIsKilledInTheJoinLeavesAnUnfinishedProfile) {
  Fleet fleet = start("killedjoin", {script("host=a"), script("host=b;kill_rank"), script("host=c")},
                      scratch("meet_killedjoin"), "fake", "coll", {"--watchdog", "0.05"});
  const std::vector<int> all = codes(fleet);
  EXPECT_EQ(all, (std::vector<int>{4, 128 + SIGKILL, 4}));
  const HardwareProfile profile = profile_of(fleet);
  expect_unfinished(profile, "n1: it stopped answering", SkipReason::rank_lost);
  EXPECT_EQ(profile.devices.size(), 3U);
}

TEST(Between, LibraryThatJoinsNoGroupIsNamed) {
  Fleet fleet = start("joinfails", {script("host=a"), script("host=b;join_fails"), script("host=c")},
                      scratch("meet_joinfails"), "fake", "coll", {"--watchdog", "0.2"});
  EXPECT_EQ(codes(fleet).front(), 4);
  expect_unfinished(profile_of(fleet), "nccl:2: n1.d0: the library joins no group", SkipReason::nccl);
}

TEST(Between, WorkerThatDiesInACollectiveEndsItForAll) {
  Fleet fleet = start("crash", {script("host=a"), script("host=b"), script("host=c;crash@coll.allreduce")},
                      scratch("meet_crash"), "fake", "coll", {"--watchdog", "0.2"});
  EXPECT_EQ(codes(fleet).front(), 4);
  expect_unfinished(profile_of(fleet), "n2.d0: the worker ended by signal 6", SkipReason::device_fault);
}

TEST(Between, FailureOfOneRanksLibraryIsEverybodysSkip) {
  Fleet fleet = start("library", {script("host=a"), script("host=b;library_missing@coll.allreduce")},
                      scratch("meet_library"), "fake", "coll");
  EXPECT_EQ(codes(fleet).front(), 0);
  int skipped = 0;
  for (const ProbeResult& one : profile_of(fleet).results) {
    if (one.probe != "coll.allreduce" || one.size.ranks != 2.0) continue;
    ++skipped;
    ASSERT_TRUE(one.skip);
    EXPECT_EQ(one.skip->reason, SkipReason::library_missing);
    EXPECT_EQ(one.skip->message.rfind("n1.d0: ", 0), 0U) << one.skip->message;
  }
  EXPECT_EQ(skipped, 3);
}

TEST(Between, OtherVersionsOfDriverOrLibraryRefuseCollectives) {
  for (const auto& [word, steps] : {std::pair("Different driver", "host=b;driver=580;library=2.28.3"),
                                    {"Different NCCL", "host=b;driver=575;library=2.27.5"}}) {
    Fleet fleet = start("versions", {script("host=a;driver=575;library=2.28.3"), script(steps)},
                        scratch("meet_versions"), "fake", "launch,coll");
    EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
    const HardwareProfile profile = profile_of(fleet);
    bool named = false;
    bool refused = false;
    for (const std::string& limit : profile.limits) {
      named = named || limit.find(word) != std::string::npos;
      refused = refused || limit.find("were not measured, since versions differ") != std::string::npos;
    }
    EXPECT_TRUE(named && refused) << word;
    for (const ProbeResult& one : profile.results) EXPECT_EQ(one.probe.find("coll"), std::string::npos) << one.probe;
  }
}

}  // namespace
}  // namespace podwright::probes::between_test
