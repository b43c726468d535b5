/// One verdict for each device of files that an operator pastes, and rates that no hardware gives.
#include "calibration/device_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "calibration/judge_profile.h"
#include "calibration/rate_ceiling.h"
#include "measure/import_files.h"
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
            "all-reduce of 8 published with sums in the switch gives 468 GB/s. What may be wrong: the unit (bits or "
            "bytes, GB or GiB), algorithm bandwidth and bus bandwidth, the collective or the number of its GPUs, the "
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
