/// Workers, ranks and their files that say what no program of this project says: refused or clamped, never believed,
/// and never the end of the program that listens.
#include <netdb.h>
#include <sys/socket.h>

#include <cmath>
#include <thread>

#include "files/write_whole.h"
#include "measure/sample_summary.h"
#include "native/fleet.h"
#include "probes/device_facts.h"
#include "probes/elapsed.h"
#include "probes/nccl_group.h"
#include "probes/wire.h"
#include "probes/worker.h"

namespace podwright::probes::hostile_peers_test {
namespace {

// ---- workers --------------------------------------------------------------------------------------------------------

TEST(HostilePeers, NumbersThatAMemberCannotHoldKeepItsDefault) {
  for (const char* number : {"1e300", "-1e300", "4000000000", "-5", "null", "\"7\"", "[]"}) {
    const auto read = read_wire<WorkerMessage>(std::string(R"({"kind":)") + number + R"(,"devices":)" + number + "}");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, WorkerMessage::Kind::unreadable) << number;
    EXPECT_TRUE(read->devices == 0 || read->devices == -5) << number;
  }
  EXPECT_EQ(read_wire<ProbeCase>(R"({"heat":77,"peer":1e99,"members":[1e99,3]})")->members,
            (std::vector<std::int32_t>{0, 3}));
}

/// A program that reads its job and says `lines`, whatever it is asked.
std::string program_that_says(const std::string& name, const std::string& lines) {
  const std::string path = scratch(name);
  std::ofstream(path) << "#!/bin/sh\nread job\n" << lines << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string says(const std::string& message) { return "printf '%s\\n' '" + message + "'\n"; }

RunOutcome run_with(const std::string& name, const std::string& lines, std::vector<int> devices = {}) {
  RunOptions options = fake_options({"hbm.triad"});
  options.program = program_that_says(name, lines);
  options.devices = std::move(devices);
  return run_probes(options);
}

struct Hostile {
  const char* name;
  std::string lines;
  const char* message;
};

TEST(HostilePeers, WorkerThatIsNoneMakesTheRunUnusable) {
  const std::string long_line = "head -c 70000 /dev/zero | tr '\\0' x";
  for (const Hostile& one : std::vector<Hostile>{
           {"silent", "exit 3", "the worker ended with status 3"},
           {"garbage", "echo garbage", "the worker said what cannot be read"},
           {"list", "echo '[1]'", "the worker said what cannot be read"},
           {"kind", says(R"({"kind":4000000000})"), "the worker said what cannot be read"},
           {"bytes", "printf '{\"kind\":1,\"reason\":\"\\377\\376\"}\\n'", "the worker said what cannot be read"},
           {"endless_line", "tr '\\0' x </dev/zero", "the worker said more than can be kept"},
           {"endless_lines", "x=$(" + long_line + R"(); yes '{"kind":2,"reason":"'"$x"'"}')",
            "the worker said more than can be kept"},
           {"deaf", "exec >&-; exec sleep 100", "the worker closed its output"}}) {
    const RunOutcome outcome = run_with(one.name, one.lines);
    EXPECT_EQ(outcome.exit, ProbeExit::unusable) << one.name;
    EXPECT_NE(outcome.message.find(one.message), std::string::npos) << one.name << ": " << outcome.message;
  }
}

TEST(HostilePeers, CountsOfDevicesAreClamped) {
  const std::string many = says(R"({"kind":1,"devices":2000000000})") + says(R"({"kind":9})");
  EXPECT_EQ(run_with("many", many, {kMostDevices}).exit, ProbeExit::wrong_input);
  const std::string fewer_than_none = says(R"({"kind":1,"devices":-7})") + says(R"({"kind":9})");
  EXPECT_TRUE(run_with("fewer", fewer_than_none).profile.devices.empty());
}

/// The profile of a run in which a worker says this of each case.
HardwareProfile profile_of(const std::string& name, const std::string& finished) {
  const std::string facts =
      R"({"kind":2,"facts":[{"key":"memory_total_bytes","number":-5},{"key":"pcie_width","number":1e300},)"
      R"({"key":"logical_cores","number":1e17},{"key":"compute_capability_number","number":1e17},)"
      R"({"key":"sm_count","number":1e17},{"key":"sm_clock_max_hz","number":-1},{"key":"","number":1},)"
      R"({"key":"memory_free_bytes","number":1e17},{"key":"idle_utilization","number":0}]})";
  const std::string health =
      R"({"kind":3,"facts":[{"key":"ecc_corrected","number":-4},{"key":"","text":"x"},{"key":"rises","number":1e19}]})";
  std::string lines = says(R"({"kind":1,"devices":1})") + says(facts) + says(health);
  for (int i = 0; i < 40; ++i) lines += says(finished);
  const RunOutcome outcome = run_with(name, lines + says(R"({"kind":9})"));
  EXPECT_EQ(outcome.exit, ProbeExit::ok) << name;
  const auto read = read_profile(profile_text(outcome.profile));
  EXPECT_TRUE(read) << name << (read ? "" : read.error().front().path + " " + read.error().front().message);
  return read ? read->profile : HardwareProfile();
}

TEST(HostilePeers, ResultsThatNoProfileCanHoldAreSkipped) {
  for (const auto& [name, measured] :
       {std::pair("negative", R"({"result":{"probe":"x","samples_s":[-1e300]}})"),
        {"none", R"({"result":{"probe":"x"}})"},
        {"checked", R"({"checked":1e300,"result":{"probe":"x","samples_s":[1]}})"},
        {"numbers", R"({"result":{"probe":"x","samples_s":[1],"context":{"temperature_c":1e300}}})"},
        {"unknown", R"({"result":{"probe":"x","samples_s":[1],"exit":77}})"}}) {
    const HardwareProfile profile = profile_of(name, std::string(R"({"kind":7,"measured":)") + measured + "}");
    ASSERT_FALSE(profile.results.empty()) << name;
    for (const ProbeResult& result : profile.results) {
      ASSERT_TRUE(result.skip) << name;
      EXPECT_EQ(result.skip->message.rfind("the backend sent ", 0), 0U) << result.skip->message;
    }
    EXPECT_FALSE(profile.devices.front().memory_total_gib) << "less than nothing";
    EXPECT_FALSE(profile.devices.front().pcie_width) << "a link of that width is none";
    EXPECT_TRUE(profile.health_counters.empty()) << "none of them counts";
  }
}

// ---- ranks ----------------------------------------------------------------------------------------------------------

/// The second rank of two, by hand: it speaks as the library of these tests does.
class HandMadeRank {
 public:
  explicit HandMadeRank(int port) {
    addrinfo wanted{};
    wanted.ai_family = AF_INET;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    getaddrinfo("127.0.0.1", std::to_string(port).c_str(), &wanted, &found);
    const Deadline deadline(120);
    while (deadline.left() > 0) {
      to_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      if (connect(to_, found->ai_addr, found->ai_addrlen) == 0) break;
      close(to_);
      usleep(20000);
    }
    freeaddrinfo(found);
    struct {
      std::int32_t rank = 1, ranks = 2, version = 22803, filler = 0;
      std::uint64_t bytes = 0;
    } header;
    std::int32_t state = -1;
    EXPECT_TRUE(give(&header, sizeof header) && take(&state, sizeof state));
    EXPECT_EQ(state, 0);
  }
  ~HandMadeRank() { close(to_); }
  HandMadeRank(const HandMadeRank&) = delete;
  HandMadeRank& operator=(const HandMadeRank&) = delete;

  /// What both say, one after the other; empty where the other one went away.
  std::string gather(const std::string& own) {
    const std::uint64_t bytes = own.size();
    std::string all(2 * own.size(), '\0');
    return give(&bytes, sizeof bytes) && give(own.data(), own.size()) && take(all.data(), all.size()) ? all : "";
  }
  /// As the probes do it: lengths first, then texts of the longest one's length. What the other one says.
  std::string tell(const std::string& own, std::uint64_t length) {
    const std::string lengths = gather({reinterpret_cast<const char*>(&length), sizeof length});
    if (lengths.empty()) return "";
    std::uint64_t other = 0;
    std::memcpy(&other, lengths.data(), sizeof other);
    if (length > (std::uint64_t{1} << 20)) return "";  // refused
    std::string padded = own;
    padded.resize(std::max<std::size_t>(length, other));
    return gather(padded).substr(0, other);
  }

 private:
  bool give(const void* bytes, std::size_t count) const {
    return send(to_, bytes, count, MSG_NOSIGNAL) == static_cast<ssize_t>(count);
  }
  bool take(void* bytes, std::size_t count) const {
    return count == 0 || recv(to_, bytes, count, MSG_WAITALL) == static_cast<ssize_t>(count);
  }
  int to_ = -1;
};

/// Rank 0 of a run of two, and what it ends with after it met `peer`. Its own profile stays valid and says why.
Merged meet_with(const std::string& name, const std::function<void(int port)>& peer) {
  Fleet fleet(name);
  fleet.ranks.push_back(start_rank(fleet, 0, 2, {"PODWRIGHT_FAKE=host=a"}, {.only = "coll.sendrecv"}));
  peer(std::atoi(fleet.place.c_str() + fleet.place.rfind(':') + 1));
  EXPECT_EQ(codes(fleet), std::vector<int>{4}) << name;
  return merge(fleet);
}

/// What rank 1 would say of itself if it were as rank 0 is.
HardwareProfile card_like(const std::string& other) {
  auto read = read_profile(other);
  EXPECT_TRUE(read);
  HardwareProfile card = read ? read->profile : HardwareProfile();
  card.run.rank->rank = 1;
  card.run.rank->node = "another";
  return card;
}

TEST(HostilePeers, RankThatSaysTooMuchIsRefusedByName) {
  for (const std::uint64_t length :
       {std::uint64_t{1000000000000000000}, ~std::uint64_t{0}, (std::uint64_t{1} << 20) + 1}) {
    const Merged merged = meet_with("long", [&](int port) { HandMadeRank(port).tell("", length); });
    EXPECT_TRUE(merged.says("rank 1 says " + std::to_string(length) + " bytes of itself")) << length;
  }
}

TEST(HostilePeers, RankWhoseCardCannotBeUsedIsRefusedByName) {
  using Forge = std::function<std::string(const std::string& other)>;
  const auto changed = [](const std::function<void(HardwareProfile&)>& change) -> Forge {
    return [change](const std::string& other) {
      HardwareProfile card = card_like(other);
      change(card);
      return profile_text(card);
    };
  };
  for (const auto& [name, forge] : std::vector<std::pair<const char*, Forge>>{
           {"junk", [](const std::string&) { return std::string(5000, '\xff'); }},
           {"nothing", [](const std::string&) { return std::string(); }},
           {"no_rank", changed([](HardwareProfile& card) { card.run.rank.reset(); })},
           {"other_rank", changed([](HardwareProfile& card) { card.run.rank->rank = 0; })},
           {"other_count", changed([](HardwareProfile& card) { card.run.rank->ranks = 1000000; })},
           {"many_devices", changed([](HardwareProfile& card) {
              const ProfileDevice one = card.devices.front();
              for (int i = 1; i <= kMostDevices; ++i) {
                card.devices.push_back(one);
                card.devices.back().id = "d" + std::to_string(i);
              }
            })}}) {
    const Merged merged = meet_with(std::string("card_") + name, [&forge = forge](int port) {
      HandMadeRank rank(port);
      // The other's card is only known after the own one was sent; an own device says enough of it.
      HardwareProfile sample;
      sample.run.backend = "fake";
      sample.run.rank.emplace().ranks = 2;
      ProfileDevice& device = sample.devices.emplace_back();
      device.id = "d0";
      device.kind = "gpu";
      const std::string card = forge(profile_text(sample));
      rank.tell(card, card.size());
      rank.tell("", 0);
    });
    EXPECT_TRUE(merged.says("since what rank 1 says of itself cannot be used")) << name;
  }
}

TEST(HostilePeers, ReportsOfOtherRanksAreMadeReadable) {
  // Reads what another process sent as it lies in memory: no text that does not end, no number that is none.
  StepReport report;
  std::memset(static_cast<void*>(&report), 0xff, sizeof report);
  make_readable(report);
  EXPECT_EQ(report.code, PW_RENEW);
  EXPECT_STREQ(report.fault.reason, "rank_lost");
  EXPECT_EQ(report.numbers, (std::array<double, 4>{0, 0, 0, 0}));
  report.numbers = {1e300, -1, std::numeric_limits<double>::infinity(), 2};
  report.code = PW_SKIP;
  std::memset(report.fault.detail, 'x', sizeof report.fault.detail);
  make_readable(report);
  EXPECT_EQ(report.code, PW_SKIP);
  EXPECT_EQ(std::strlen(report.fault.detail), sizeof report.fault.detail - 1);
  EXPECT_EQ(report.numbers, (std::array<double, 4>{1e15, 0, 1e15, 2}));
}

// ---- files ----------------------------------------------------------------------------------------------------------

HardwareProfile rank_profile(int rank, int ranks) {
  HardwareProfile profile;
  profile.run.backend = "fake";
  profile.run.complete = true;
  ProfileRank& place = profile.run.rank.emplace();
  place.rank = rank;
  place.ranks = ranks;
  place.part = RankPart::ended;
  ProfileDevice& device = profile.devices.emplace_back();
  device.id = "d0";
  device.kind = "gpu";
  return profile;
}

TEST(HostilePeers, FilesOfRanksThatCannotBeAreRefused) {
  struct Files {
    const char* name;
    std::vector<HardwareProfile> ranks;
    int code;
    const char* says;
  };
  HardwareProfile pair = rank_profile(0, 2);
  ProbeResult& exchange = pair.exchanges.emplace_back();
  exchange.probe = "coll.sendrecv";
  exchange.devices = {"n0.d0", "n1.d0"};
  exchange.size.nodes = exchange.size.ranks = 2;
  exchange.samples_s = {1, 1, 1};
  exchange.time_s = summary_of(exchange.samples_s);
  exchange.check.status = CheckStatus::pass;
  HardwareProfile stranger = pair;
  stranger.exchanges.front().devices = {"n0.d0", "n99999999999.d0"};
  HardwareProfile nobody = pair;
  nobody.exchanges.front().devices.clear();
  for (const Files& files :
       std::vector<Files>{{"million", {rank_profile(0, 1000000)}, 2, "fewer than one in a hundred left a profile"},
                          {"beyond", {rank_profile(5, 2)}, 2, "of a run of another number of ranks"},
                          {"twice", {rank_profile(0, 2), rank_profile(0, 2)}, 2, "Rank 0 is given twice"},
                          {"pair_without_size", {pair, rank_profile(1, 2)}, 0, ""},
                          {"stranger", {stranger, rank_profile(1, 2)}, 0, ""},
                          {"nobody", {nobody, rank_profile(1, 2)}, 2, "devices"}}) {
    std::vector<std::string> arguments = {"merge", "-o", scratch("hostile.merged.json")};
    for (const HardwareProfile& rank : files.ranks) {
      arguments.push_back(scratch(files.name + std::to_string(arguments.size()) + ".json"));
      EXPECT_TRUE(write_profile(rank, arguments.back()));
    }
    const std::string log = scratch("hostile.log");
    EXPECT_EQ(Program(arguments, {}, log).wait(), files.code) << files.name << file_text(log + ".err");
    EXPECT_NE(file_text(log + ".err").find(files.says), std::string::npos) << files.name << file_text(log + ".err");
  }
}

TEST(HostilePeers, PlantedLinksAreNotFollowed) {
  const std::string folder = scratch("links");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string victim = folder + "/victim";
  std::ofstream(victim) << "untouched";
  const std::string place = folder + "/profile.json";
  std::filesystem::create_symlink(victim, place + ".part");
  EXPECT_EQ(write_whole(place, "a profile"), "");
  EXPECT_EQ(file_text(place), "a profile");
  EXPECT_EQ(file_text(victim), "untouched");
  // Nothing but what was there and the profile.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 3);
  // The turn of a node is a file that all users know by its name.
  Fleet fleet = start("turn", {{"TMPDIR=" + folder}}, {.only = "hbm.triad"});
  EXPECT_EQ(codes(fleet), std::vector<int>{0});
  std::string turn;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().rfind("podwright-turn-", 0) == 0) turn = entry.path();
  ASSERT_FALSE(turn.empty());
  std::filesystem::remove(turn);
  const std::string made = folder + "/made";
  std::filesystem::create_symlink(made, turn);
  fleet = start("turn", {{"TMPDIR=" + folder}}, {.only = "hbm.triad"});
  EXPECT_EQ(codes(fleet), std::vector<int>{0}) << "it goes on without a turn";
  EXPECT_FALSE(std::filesystem::exists(made));
}

}  // namespace
}  // namespace podwright::probes::hostile_peers_test
