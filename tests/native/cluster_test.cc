/// Several processes on this machine stand for several nodes.
#include <chrono>
#include <map>
#include <set>
#include <sstream>
#include <thread>
#include <tuple>

#include "calibration/judge_profile.h"
#include "native/fleet.h"
#include "probes/cluster/cluster_run.h"
#include "probes/elapsed.h"
#include "support/test_data.h"

namespace podwright::probes::cluster_test {
namespace {

// ---- launchers ----------------------------------------------------------------------------------------------------

using Set = std::map<std::string, std::string>;

PlaceOrWhy place_with(const Set& set, const RankOptions& options = {}) {
  return place_of(options, [&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? std::string() : found->second;
  });
}

TEST(Launchers, EachIsUnderstood) {
  const Set address = {{"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "7000"}};
  for (const Set& launcher :
       {Set{{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}, {"LOCAL_WORLD_SIZE", "4"}},
        Set{{"OMPI_COMM_WORLD_RANK", "5"},
            {"OMPI_COMM_WORLD_SIZE", "8"},
            {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
            {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}},
        Set{{"MV2_COMM_WORLD_RANK", "5"},
            {"MV2_COMM_WORLD_SIZE", "8"},
            {"MV2_COMM_WORLD_LOCAL_RANK", "1"},
            {"MV2_COMM_WORLD_LOCAL_SIZE", "4"}},
        Set{{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}},
        Set{{"SLURM_PROCID", "5"},
            {"SLURM_NTASKS", "8"},
            {"SLURM_LOCALID", "1"},
            {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}},
        Set{{"PMIX_RANK", "5"},
            {"SLURM_NTASKS", "8"},
            {"SLURM_LOCALID", "1"},
            {"SLURM_STEP_TASKS_PER_NODE", "4(x2)"}}}) {
    Set all = launcher;
    all.insert(address.begin(), address.end());
    const PlaceOrWhy found = place_with(all);
    ASSERT_TRUE(found.place) << launcher.begin()->first << ": " << found.why;
    EXPECT_EQ(found.place->rank, 5);
    EXPECT_EQ(found.place->ranks, 8);
    EXPECT_EQ(found.place->local_rank, 1);
    EXPECT_EQ(found.place->local_ranks, 4);
    EXPECT_EQ(found.place->address, "10.0.0.1:7000");
  }
  const auto indexed = place_with({{"JOB_COMPLETION_INDEX", "3"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "job-0.job"}});
  ASSERT_TRUE(indexed.place);
  EXPECT_EQ(indexed.place->rank, 3);
  EXPECT_EQ(indexed.place->address, "job-0.job:29500");
}

TEST(Launchers, ThatWereStartedByAnotherCount) {
  const auto found = place_with({{"RANK", "3"},
                                 {"WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_RANK", "1"},
                                 {"OMPI_COMM_WORLD_SIZE", "2"},
                                 {"SLURM_PROCID", "0"},
                                 {"SLURM_NTASKS", "2"},
                                 {"MASTER_ADDR", "::1"}});
  ASSERT_TRUE(found.place);
  EXPECT_EQ(found.place->rank, 3);
  EXPECT_EQ(found.place->address, "[::1]:29500");
}

TEST(Launchers, TorchrunListensAtItsOwnPort) {
  Set set = {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}, {"MASTER_PORT", "7000"}};
  EXPECT_EQ(place_with(set).place->address, "a:7000");
  set["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  EXPECT_EQ(place_with(set).place->address, "a:7001");
}

TEST(Launchers, SlurmNeedsNoAddress) {
  const Set job = {{"SLURM_PROCID", "2"},
                   {"SLURM_NTASKS", "5"},
                   {"SLURM_STEP_NODELIST", "gpu[007-011]"},
                   {"SLURM_JOB_ID", "48120042"},
                   {"SLURM_GPUS_PER_TASK", "1"}};
  const auto found = place_with(job);
  ASSERT_TRUE(found.place);
  EXPECT_EQ(found.place->address, "gpu007:20042");
  EXPECT_TRUE(found.place->own_devices);
  EXPECT_EQ(place_with(job, {.rank = {}, .world = {}, .rendezvous = "10.1.1.1:99"}).place->address, "10.1.1.1:99");
}

TEST(Launchers, FirstHostOfAList) {
  for (const auto& [list, first] : {std::pair("a", "a"),
                                    {"a03", "a03"},
                                    {"a,b", "a"},
                                    {"a[03-05,9],b1", "a03"},
                                    {"a[7,9]", "a7"},
                                    {"b1,a[03-05]", "b1"},
                                    {"r[1-2]n[4-8]", "r1n4"},
                                    {"r[1,2]n[4,8],c", "r1n4"},
                                    {"a[1-2]-ib", "a1-ib"},
                                    {"a[1", ""},
                                    {"", ""}})
    EXPECT_EQ(first_host(list), first) << list;
}

TEST(Launchers, WhatIsMissingIsSaid) {
  EXPECT_NE(place_with({}).why.find("--rank"), std::string::npos);
  EXPECT_FALSE(place_with({{"RANK", "1"}}).place);
  EXPECT_FALSE(place_with({{"RANK", "one"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "a"}}).place);
  EXPECT_NE(place_with({{"RANK", "4"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "a"}}).why.find("not below"),
            std::string::npos);
  EXPECT_NE(place_with({{"RANK", "1"}, {"WORLD_SIZE", "4"}}).why.find("MASTER_ADDR"), std::string::npos);
  for (const char* wrong : {"/shared/meet", "host", "host:", ":7000", "host:0", "host:70000", "host:7x"})
    EXPECT_NE(place_with({}, {.rank = 0, .world = 2, .rendezvous = wrong}).why.find("HOST:PORT"), std::string::npos)
        << wrong;
  // One alone meets no one.
  EXPECT_TRUE(place_with({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).place);
}

TEST(Cluster, EachRankHasItsFile) {
  EXPECT_EQ(rank_file("out/profile.json", 12), "out/profile.rank12.json");
  EXPECT_EQ(rank_file("profile", 0), "profile.rank0");
  EXPECT_EQ(rank_file(scratch("ranks") + "/", 12), scratch("ranks") + "/rank-00012.json");
  EXPECT_TRUE(std::filesystem::is_directory(scratch("ranks")));
}

// ---- runs -----------------------------------------------------------------------------------------------------------

TEST(Cluster, TwoRanksMergeTheirProfiles) {
  Fleet fleet = start("two", {{}, {}}, {.only = "hbm.triad"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  const Merged merged = merge(fleet);
  EXPECT_EQ(merged.code, 0);
  const HardwareProfile& profile = merged.profile;
  EXPECT_TRUE(profile.run.complete);
  EXPECT_EQ(profile.run.mode, RunMode::cluster);
  EXPECT_EQ(profile.devices.size(), 2U);
  EXPECT_EQ(profile.previous_digests.size(), 2U);
  std::map<std::string, int> counts;
  for (const ProbeResult& result : profile.results) {
    ++counts[result.probe];
    EXPECT_TRUE(result.usable() || result.check.status == CheckStatus::pass) << result.probe;
  }
  // Nothing but what was asked for.
  EXPECT_EQ(counts, (std::map<std::string, int>{{"hbm.triad", 2}}));
  EXPECT_TRUE(profile.links.empty());
}

TEST(Cluster, SlowRankIsNamedAndNoOther) {
  // Times come from the script, so that a busy machine makes nobody else slow.
  std::vector<std::vector<std::string>> variables(4);
  variables[2] = {"PODWRIGHT_FAKE=slow=1.5@hbm.triad"};
  Fleet fleet = start("slow", variables, {.only = "hbm.triad,hbm.read"});
  codes(fleet);
  const Merged merged = merge(fleet);
  EXPECT_EQ(merged.code, 1);
  EXPECT_EQ(merged.devices_of("slow_node"), std::vector<std::string>{"n2.d0"});
  int rows = 0;
  for (const ProfileVerdict& one : judge_profile(Catalog(), merged.profile).verdicts)
    rows += one.verdict.kind == VerdictKind::low && one.device == "n2.d0" && one.probe == "hbm.triad" ? 1 : 0;
  EXPECT_EQ(rows, 1);
}

TEST(Cluster, LimitedRankIsToldAndNotBlamed) {
  std::vector<std::vector<std::string>> variables(4);
  variables[2] = {"PODWRIGHT_FAKE=slow=1.5@launch.stream;clock=1.3e9;throttle=2"};
  Fleet fleet = start("limited", variables, {.only = "launch.stream"});
  EXPECT_EQ(codes(fleet).front(), 0);
  const Merged merged = merge(fleet);
  EXPECT_TRUE(merged.devices_of("slow_node").empty());
  EXPECT_TRUE(merged.says("Node 2: launch.stream takes 50 % longer than on the other nodes, which its limited clock"));
}

TEST(Cluster, OptionsThatAreGoneAreRefusedByName) {
  Program program({"probe", "--cluster", "--isolate"}, {}, scratch("isolate.log"));
  EXPECT_EQ(program.wait(), 2);
  EXPECT_NE(file_text(scratch("isolate.log.err")).find("--isolate"), std::string::npos);
}

void expect_lost(const Merged& merged, const std::string& rank, const std::string& how) {
  EXPECT_EQ(merged.code, 4);
  EXPECT_FALSE(merged.profile.run.complete);
  EXPECT_EQ(merged.profile.run.exit_code, 4);
  EXPECT_EQ(merged.devices_of("rank_lost"), std::vector<std::string>{"n" + rank});
  EXPECT_TRUE(merged.says("Node " + rank + " is missing: it " + how)) << merged.profile.limits.back();
}

TEST(Cluster, KilledRankIsNamedByWhatItLeft) {
  Fleet fleet = start("killed", {{}, {}, {"PODWRIGHT_FAKE=host=b;hang@hbm.triad"}},
                      {.only = "hbm.triad", .patience = "3", .at_once = {0, 1}});
  // It hangs in its first probe; by then its file says what it is.
  EXPECT_TRUE(until([&] { return std::filesystem::exists(rank_path(fleet, 2)); }));
  fleet.ranks[2]->kill(SIGKILL);
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4, 128 + SIGKILL}));
  const Merged merged = merge(fleet);
  expect_lost(merged, "2", "did not come to the end of measuring by itself");
  EXPECT_EQ(merged.profile.devices.size(), 3U);
}

TEST(Cluster, RankThatNeverCameIsNamed) {
  Fleet fleet = start("absent", {{}, {}, {}}, {.only = "hbm.triad", .patience = "3", .missing = 1, .at_once = {0, 2}});
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4}));
  const Merged merged = merge(fleet);
  expect_lost(merged, "1", "left no profile");
  EXPECT_EQ(merged.profile.devices.size(), 2U);
}

TEST(Cluster, LateRankIsWaitedFor) {
  const FleetOptions options{.only = "hbm.triad", .missing = 0};
  // The address is that of rank 0, so that the others come before anyone listens.
  Fleet fleet("late");
  fleet.ranks.push_back(start_rank(fleet, 1, 2, {}, options));
  EXPECT_TRUE(until([&] { return reached(fleet, 1, RankPart::alone); }));
  std::this_thread::sleep_for(std::chrono::seconds(1));  // for trials that meet nobody
  fleet.ranks.push_back(start_rank(fleet, 0, 2, {}, options));
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  EXPECT_EQ(merge(fleet).code, 0);
}

TEST(Cluster, RankThatComesTooLateIsNamed) {
  const FleetOptions options{.only = "hbm.triad", .patience = "2", .missing = 2, .at_once = {0, 1}};
  Fleet fleet = start("toolate", {{}, {}, {}}, options);
  EXPECT_EQ(codes(fleet), (std::vector<int>{4, 4}));
  fleet.ranks.push_back(start_rank(fleet, 2, 3, {}, options));
  EXPECT_EQ(fleet.ranks.back()->wait(), 4);
  const Merged merged = merge(fleet);
  expect_lost(merged, "2", "was ready ");
  EXPECT_TRUE(merged.says("after the first of the others had given up waiting"));
}

/// The arguments of the container in a manifest: a list of words on one line.
std::vector<std::string> container_arguments(const std::string& manifest) {
  const std::size_t begin = manifest.find("args: [");
  std::istringstream list(manifest.substr(begin + 7, manifest.find(']', begin) - begin - 7));
  std::vector<std::string> words;
  for (std::string word; std::getline(list, word, ',');) {
    std::erase_if(word, [](char c) { return c == ' ' || c == '"'; });
    words.push_back(word);
  }
  return words;
}

TEST(Cluster, LaunchersStartRanksByTheirVariablesAlone) {
  const std::string manifest(podwright_test_data("native/probes/deploy/probe-job.yaml"));
  for (const char* name : {"WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"})
    EXPECT_NE(manifest.find(std::string("- name: ") + name), std::string::npos) << name;
  const std::vector<std::string> address = {"MASTER_ADDR=127.0.0.1", "MASTER_PORT=" + std::to_string(free_port())};
  const std::vector<std::string> node = {"SLURM_STEP_NODELIST=localhost",
                                         "SLURM_JOB_ID=" + std::to_string(40000 + getpid() % 10000)};
  for (const auto& [rank_name, ranks_name, place] :
       {std::tuple("JOB_COMPLETION_INDEX", "WORLD_SIZE", address), std::tuple("RANK", "WORLD_SIZE", address),
        std::tuple("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", address),
        std::tuple("PMI_RANK", "PMI_SIZE", address), std::tuple("SLURM_PROCID", "SLURM_NTASKS", node)}) {
    Fleet fleet(std::string("by_") + rank_name);
    for (const char* rank : {"0", "1"}) {
      std::vector<std::string> arguments = container_arguments(manifest);
      ASSERT_FALSE(arguments.empty());
      std::replace(arguments.begin(), arguments.end(), std::string("/profiles/"), fleet.folder + "/");
      for (const char* more : {"--backend", "fake", "--only", "hbm.triad", "--budget", "1"})
        arguments.emplace_back(more);
      std::vector<std::string> variables = place;
      variables.insert(variables.end(), {std::string(rank_name) + "=" + rank, std::string(ranks_name) + "=2",
                                         "LD_LIBRARY_PATH=" PODWRIGHT_STAND_IN_NCCL});
      fleet.ranks.push_back(std::make_unique<Program>(arguments, variables, fleet.folder + rank + ".log"));
    }
    EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0})) << rank_name << file_text(fleet.folder + "0.log.err");
    EXPECT_EQ(merge(fleet).profile.devices.size(), 2U) << rank_name;
  }
}

TEST(Cluster, OtherCommandsReadTheMergedProfile) {
  Fleet fleet = start("readers", {{"PODWRIGHT_FAKE=host=a"}, {"PODWRIGHT_FAKE=host=b"}},
                      {.only = "hbm,gemm,launch,coll.allreduce", .budget = "60"});
  EXPECT_EQ(codes(fleet), (std::vector<int>{0, 0}));
  merge(fleet);
  const std::string merged = fleet.folder + ".merged.json";
  const std::string log = scratch("readers.log");
  EXPECT_LT(Program({"verify", merged}, {}, log).wait(), 2) << file_text(log + ".err");
  EXPECT_NE(file_text(log).find("n1.d0"), std::string::npos) << file_text(log);
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"-o", scratch("readers.calibration.json")}}) {
    std::vector<std::string> words{"calibrate", merged};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(Program(words, {}, log).wait(), 1) << "scripted devices are no machine";
  }
  // Each rank's file is one of a node; a merged one is not.
  EXPECT_EQ(Program({"compare", rank_path(fleet, 0), rank_path(fleet, 1)}, {}, log).wait(), 1) << file_text(log);
  EXPECT_NE(file_text(log).find("2 nodes: 2 unjudged."), std::string::npos) << file_text(log);
}

TEST(Cluster, WithoutARankOrAFileIsWrongInput) {
  for (const char* rank : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "RANK"}) unsetenv(rank);
  EXPECT_EQ(Program({"probe", "--cluster", "-o", scratch("none.json")}, {}, scratch("none.log")).wait(), 2);
  EXPECT_EQ(Program({"probe", "--cluster", "--rank", "0", "--world", "1"}, {}, scratch("none.log")).wait(), 2);
}

}  // namespace
}  // namespace podwright::probes::cluster_test
