/// One verdict for each device of files that an operator pastes, and rates that no hardware gives.
#include "calibration/device_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

#include "calibration/judge_profile.h"
#include "calibration/rate_ceiling.h"
#include "measure/import_files.h"
#include "measure/profile_merge.h"
#include "support/test_data.h"

namespace podwright::device_verdict_test {
namespace {

FileText hot_log() { return {"smi.xml", std::string(podwright_test_data("tests/measure/data/hot_h100.xml"))}; }
FileText all_reduce_589() {
  return {"all_reduce_589.txt", std::string(podwright_test_data("tests/measure/data/all_reduce_589.txt"))};
}

ProfileJudgement judged(const std::vector<FileText>& files, const std::string& gpu = "") {
  std::vector<ChosenGpu> chosen;
  if (!gpu.empty()) chosen.push_back({"", gpu});
  const auto read = import_files(embedded_catalog_facts(), files, "1.0.0", chosen);
  EXPECT_TRUE(read) << read.error().front().message;
  return read ? judge_profile(embedded_catalog_facts(), read->profile->profile) : ProfileJudgement{};
}

const DeviceVerdict& on(const ProfileJudgement& judgement, const std::string& device) {
  const auto found = std::find_if(judgement.devices.begin(), judgement.devices.end(),
                                  [&](const DeviceVerdict& one) { return one.device == device; });
  EXPECT_NE(found, judgement.devices.end()) << device;
  return *found;
}

/// The table with every time multiplied.
FileText with_times(double factor, const std::string& name = "all_reduce.txt") {
  std::string text;
  std::string table = all_reduce_589().text;
  for (std::size_t begin = 0; begin < table.size();) {
    std::string line = table.substr(begin, table.find('\n', begin) - begin);
    begin += line.size() + 1;
    char type[16], operation[16];
    double size = 0, count = 0, root = 0, time = 0, algorithm = 0, bus = 0;
    if (std::sscanf(line.c_str(), "%lf %lf %15s %15s %lf %lf %lf %lf", &size, &count, type, operation, &root, &time,
                    &algorithm, &bus) == 8)
      line = std::to_string(static_cast<long long>(size)) + " 1 float sum -1 " + std::to_string(factor * time) +
             " 0 0 0 0 0 0 0";
    text += line + "\n";
  }
  return {name, text};
}

TEST(DeviceVerdicts, TheHotGpuNeedsServiceAndSaysWhy) {
  const ProfileJudgement judgement = judged({hot_log()});
  EXPECT_EQ(judgement.summary.text(), "1 of 8 GPUs needs service. 7 of 8 GPUs are fine.");
  EXPECT_EQ(judgement.exit, ProbeExit::fault);
  const DeviceVerdict& hot = judgement.devices.front();
  EXPECT_EQ(hot.device, "d3");
  EXPECT_EQ(hot.gpu, "h100-sxm5-80gb");
  EXPECT_EQ(hot.state, DeviceState::service);
  EXPECT_EQ(hot.says.text(),
            "GPU 3 needs service: 2 uncorrectable ECC errors, 88 °C (1 °C beyond the limit), heat makes the hardware "
            "slow the clocks, a row remap waits for a reset, a clock of 1,095 of 1,980 MHz, a power limit of 500 W "
            "(700 W by default), a PCIe link of 8 lanes (16 are possible).");
  ASSERT_EQ(hot.steps.size(), 7U);
  EXPECT_EQ(hot.steps.front().command, "dcgmi diag -r 3 -i 3");
  EXPECT_FALSE(hot.steps.front().advice.text().empty());
  for (const DeviceVerdict& one : judgement.devices)
    if (one.device != "d3") {
      EXPECT_EQ(one.state, DeviceState::fine) << one.says.text();
      EXPECT_TRUE(one.causes.empty() && one.steps.empty());
    }
  EXPECT_FALSE(on(judgement, "d0").not_checked.empty());
}

TEST(DeviceVerdicts, NothingThatWasJudgedIsNotFine) {
  // Collectives of sizes for which there is no norm.
  FileText table = with_times(20);
  table.text = table.text.substr(0, table.text.find("16777216"));
  const ProfileJudgement judgement = judged({table});
  EXPECT_EQ(judgement.summary.code, "machine/nothing-judged");
  for (const DeviceVerdict& one : judgement.devices) EXPECT_EQ(one.state, DeviceState::unjudged);
}

TEST(DeviceVerdicts, AnAllReduceAboveTheHardwareIsImpossible) {
  const ProfileJudgement judgement = judged({hot_log(), all_reduce_589()});
  const DeviceVerdict& machine = on(judgement, "host");
  EXPECT_EQ(machine.state, DeviceState::impossible);
  EXPECT_EQ(machine.says.text(),
            "The machine: All-reduce at 589 GB/s is impossible: the links carry 450 GB/s one way, and the fastest "
            "published all-reduce of 8 with sums in the switch gives 468 GB/s. What may be wrong: the unit (bits or "
            "bytes, GB or GiB), algorithm and bus bandwidth mixed up, the collective or the number of its GPUs, the "
            "GPU (taken for H100 SXM5 80GB).");
  for (const ProfileVerdict& one : judgement.verdicts)
    if (one.probe == "coll.allreduce") {
      EXPECT_EQ(one.verdict.kind, VerdictKind::impossible);
      ASSERT_TRUE(one.says);
      EXPECT_EQ(one.verdict.sentence, one.says->text());
    }
}

TEST(DeviceVerdicts, WhatPublishedMachinesReachIsPossible) {
  // 468 GB/s, more than a link carries: switches add up.
  for (const double factor : {589.0 / 468, 589.0 / 430}) {
    const ProfileJudgement judgement = judged({hot_log(), with_times(factor)});
    EXPECT_EQ(on(judgement, "host").state, DeviceState::fine) << on(judgement, "host").says.text();
  }
  EXPECT_EQ(on(judged({hot_log(), with_times(589.0 / 530)}), "host").state, DeviceState::impossible);
}

TEST(DeviceVerdicts, OtherCollectivesAreBoundByTheLinks) {
  // The times of 589 GB/s in an all-reduce are those of 294 GB/s in an all-gather.
  EXPECT_EQ(judged({hot_log(), with_times(1, "all_gather.txt")}).summary.text(),
            "1 of 8 GPUs needs service. 7 of 8 GPUs are fine.");
  const ProfileJudgement fast = judged({hot_log(), with_times(0.6, "all_gather.txt")});
  EXPECT_EQ(on(fast, "host").state, DeviceState::impossible) << on(fast, "host").says.text();
}

TEST(DeviceVerdicts, ThePersonsWordOnTheGpuCounts) {
  const ProfileJudgement judgement = judged({hot_log(), with_times(589.0 / 393)}, "h100-pcie-80gb");
  const DeviceVerdict& machine = on(judgement, "host");
  EXPECT_EQ(machine.state, DeviceState::impossible);
  EXPECT_NE(machine.says.text().find("PCIe 5 x16 carries 63"), std::string::npos) << machine.says.text();
  EXPECT_EQ(on(judgement, "d3").match, KeyMatch::chosen);
  EXPECT_EQ(on(judged({hot_log(), with_times(589.0 / 420)}), "host").state, DeviceState::fine);
}

TEST(DeviceVerdicts, ALinkBetweenDevicesAboveItsDataSheetIsImpossible) {
  FileText links{"nvbandwidth.json",
                 R"({"nvbandwidth":{"CUDA Runtime Version":12090,"Driver Version":"575.57","testcases":[
  {"name":"device_to_device_memcpy_read_ce","status":"Passed","bandwidth_matrix":[["N/A","780.0"],["390.0","N/A"]]}]}})"};
  const ProfileJudgement judgement = judged({hot_log(), links});
  bool found = false;
  for (const DeviceVerdict& one : judgement.devices)
    found = found || (one.state == DeviceState::impossible &&
                      one.says.text().find("Copying between GPUs at 780 GB/s is impossible: the links carry 450 GB/s "
                                           "one way") != std::string::npos);
  EXPECT_TRUE(found);
}

/// Copies of two GPUs, the second one at this rate from the host.
FileText copies(const std::string& second, const std::string& name = "NVIDIA H100 80GB HBM3") {
  std::string names;
  if (!name.empty())
    names = R"x("GPU Device list":["0: )x" + name + R"x( (00000000:18:00): (node-1)","1: )x" + name +
            R"x( (00000000:28:00): (node-1)"],)x";
  return {"nvbandwidth.json", R"x({"nvbandwidth":{"Driver Version":"575.57",)x" + names + R"x("testcases":[
  {"name":"host_to_device_memcpy_ce","status":"Passed","bandwidth_matrix":[["55.3",")x" +
                                  second + R"x("]]},
  {"name":"device_to_host_memcpy_ce","status":"Passed","bandwidth_matrix":[["54.9","55.0"]]},
  {"name":"device_to_device_memcpy_read_ce","status":"Passed","bandwidth_matrix":[["N/A","396"],["396","N/A"]]}]}})x"};
}

const ProfileVerdict* verdict_on(const ProfileJudgement& judgement, const std::string& device, std::string_view probe) {
  for (const ProfileVerdict& one : judgement.verdicts)
    if (one.device == device && one.probe == probe) return &one;
  return nullptr;
}

TEST(DeviceVerdicts, CopiesFromTheHostAreJudgedByTheDataSheetAndByPeers) {
  const ProfileJudgement healthy = judged({copies("55.4")});
  EXPECT_EQ(healthy.summary.text(), "2 of 2 GPUs are fine.");
  ASSERT_NE(verdict_on(healthy, "d1", "pcie.h2d"), nullptr);
  const ProfileJudgement sick = judged({copies("27.6")});
  EXPECT_EQ(sick.exit, ProbeExit::low);
  EXPECT_EQ(on(sick, "d0").state, DeviceState::fine);
  // A slower slot could be the cause, so that it is no fault of the GPU yet.
  EXPECT_EQ(on(sick, "d1").state, DeviceState::look);
  const Verdict& verdict = verdict_on(sick, "d1", "pcie.h2d")->verdict;
  EXPECT_EQ(verdict.kind, VerdictKind::low);
  EXPECT_NE(verdict.sentence.find("datasheet's link (PCIe 5 x16)"), std::string::npos) << verdict.sentence;
  EXPECT_EQ(on(sick, "d1").causes.size(), 2U) << "below the norm, and slower than its peer";
}

TEST(DeviceVerdicts, CopiesOfDevicesThatTheCatalogLacksAreComparedWithEachOther) {
  for (const char* name : {"", "A device of nobody"}) {
    EXPECT_EQ(judged({copies("55.4", name)}).exit, ProbeExit::ok);
    const ProfileJudgement sick = judged({copies("27.6", name)});
    EXPECT_EQ(sick.exit, ProbeExit::low);
    EXPECT_EQ(on(sick, "d1").state, DeviceState::look);
    EXPECT_EQ(on(sick, "d0").state, DeviceState::unjudged);
  }
}

TEST(DeviceVerdicts, TheWorseOfTwoRunsCounts) {
  const FileText good = with_times(589.0 / 446, "a/all_reduce.txt"), bad = with_times(589.0 / 200, "b/all_reduce.txt");
  for (const auto& files : {std::vector{good, bad}, std::vector{bad, good}}) {
    EXPECT_EQ(on(judged(files), "host").state, DeviceState::service);
    const auto read = import_files(embedded_catalog_facts(), files, "1.0.0");
    const std::vector<std::string>& limits = read->profile->profile.limits;
    EXPECT_TRUE(std::any_of(limits.begin(), limits.end(), [](const std::string& limit) {
      return limit.starts_with("Several files of nccl-tests measured the same");
    }));
  }
}

TEST(DeviceVerdicts, ACollectiveIsTheMachinesOwn) {
  const ProfileJudgement judgement = judged({with_times(589.0 / 200)});
  ASSERT_NE(verdict_on(judgement, "host", "coll.allreduce"), nullptr);
  EXPECT_EQ(verdict_on(judgement, "d0", "coll.allreduce"), nullptr);
  EXPECT_NE(verdict_on(judgement, "host", "coll.allreduce")->judged.find("bus bandwidth"), std::string::npos);
}

TEST(DeviceVerdicts, OfMergedProfilesTheHostStaysTheHost) {
  const auto read = import_files(embedded_catalog_facts(), std::vector{copies("55.4")}, "1.0.0");
  const auto merged = merged_profiles(std::vector{*read->profile});
  ASSERT_TRUE(merged);
  const ProfileJudgement judgement = judge_profile(embedded_catalog_facts(), *merged);
  EXPECT_EQ(judgement.summary.text(), "2 of 2 GPUs are fine.");
  EXPECT_NE(verdict_on(judgement, "n0.d0", "pcie.d2h"), nullptr);
}

TEST(DeviceVerdicts, AnUncontainedErrorIsIsolatedFirstAndOnItsNode) {
  const FileText diagnostic{"dcgm.json",
                            std::string(podwright_test_data("tests/measure/data/imports/dcgm4_fail_memory.json"))};
  const auto read = import_files(embedded_catalog_facts(), std::vector{diagnostic}, "1.0.0");
  const auto merged = merged_profiles(std::vector{*read->profile});
  ASSERT_TRUE(merged);
  for (const auto& [judgement, device, command] :
       {std::tuple{judged({diagnostic}), "d1", "dcgmi diag -r 3 -i 1"},
        {judge_profile(embedded_catalog_facts(), *merged), "n0.d1", "dcgmi diag -r 3 -i 1  # on node n0"}}) {
    const DeviceStep& first = on(judgement, device).steps.front();
    EXPECT_EQ(first.command, command);
    EXPECT_EQ(first.advice.code, "health-advice/isolate");
  }
}

TEST(DeviceVerdicts, AScriptedProfilePassesForNoMachine) {
  auto read = import_files(embedded_catalog_facts(), std::vector{copies("55.4")}, "1.0.0");
  HardwareProfile scripted = read->profile->profile;
  scripted.run.backend = "fake";
  const ProfileJudgement judgement = judge_profile(embedded_catalog_facts(), scripted);
  EXPECT_EQ(judgement.summary.code, "machine/scripted");
  EXPECT_FALSE(any_judged(judgement.devices));
  for (const ProfileVerdict& one : judgement.verdicts) {
    EXPECT_EQ(one.verdict.kind, VerdictKind::unjudged);
    EXPECT_TRUE(one.verdict.sentence.starts_with("Scripted, not measured")) << one.verdict.sentence;
  }
}

TEST(DeviceVerdicts, MemoryAloneDoesNotMakeADeviceFine) {
  HardwareProfile profile;
  profile.devices.push_back({.id = "d0", .kind = "gpu", .key = "h100-sxm5-80gb", .name = "NVIDIA H100 80GB HBM3"});
  profile.devices.front().memory_total_gib = 79.19;
  profile.devices.front().memory_allocatable_gib = 78.5;
  const ProfileJudgement judgement = judge_profile(embedded_catalog_facts(), profile);
  ASSERT_FALSE(judgement.verdicts.empty());
  EXPECT_EQ(on(judgement, "d0").state, DeviceState::unjudged);
}

TEST(RateCeilings, KnowWhatCarriesACollective) {
  const Catalog& catalog = embedded_catalog_facts();
  HardwareProfile profile;
  const auto most = [&](const char* gpu, const char* probe, double ranks) {
    ProfileDevice device;
    device.id = "d0";
    device.kind = "gpu";
    device.key = gpu;
    ProbeSize size;
    size.ranks = ranks;
    const auto ceiling = rate_ceiling(catalog, roofs_of(catalog, profile, device), probe, "", size, 1);
    return ceiling ? ceiling->most / 1e9 : 0;
  };
  EXPECT_NEAR(most("h100-sxm5-80gb", "coll.allreduce", 2), 1.02 * 450, 1e-6);
  EXPECT_NEAR(most("h100-sxm5-80gb", "coll.allreduce", 8), 1.10 * 468, 1e-6);
  EXPECT_NEAR(most("h100-sxm5-80gb", "coll.allgather", 8), 1.02 * 450, 1e-6);
  EXPECT_NEAR(most("b200-sxm", "coll.allreduce", 8), 1.10 * 900, 1e-6);        // the links, above what was published
  EXPECT_NEAR(most("a100-sxm4-80gb", "coll.allreduce", 8), 1.02 * 300, 1e-6);  // its switches do not add
  EXPECT_NEAR(most("h100-pcie-80gb", "coll.allreduce", 2), 1.02 * 300, 1e-6);  // a bridge of two
  EXPECT_LT(most("h100-pcie-80gb", "coll.allreduce", 8), 66);                  // over PCI Express
  EXPECT_LT(most("l40s", "coll.allreduce", 8), 34);
  ProbeSize nodes;
  nodes.ranks = 16;
  nodes.nodes = 2;
  ProfileDevice device;
  device.id = "d0";
  device.kind = "gpu";
  device.key = "h100-sxm5-80gb";
  EXPECT_FALSE(rate_ceiling(catalog, roofs_of(catalog, profile, device), "coll.allreduce", "", nodes, 1));
}

}  // namespace
}  // namespace podwright::device_verdict_test
