#include "probes/cuda/operation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "measure/verdict.h"
#include "probes/catalogue.h"
#include "probes/cuda/checked.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda::operations_test {
namespace {

constexpr int kCapabilities[] = {75, 80, 89, 90, 100, 103, 110, 120};

/// Every case that is planned for a GPU: each mode, generation and number of devices.
void each_planned(const std::function<void(const ProbeCase&, int capability)>& look) {
  for (const RunMode mode : {RunMode::quick, RunMode::standard, RunMode::soak, RunMode::cluster})
    for (const int capability : kCapabilities)
      for (const int devices : {1, 2, 8, 16}) {
        Machine machine{.backend = "cuda", .memory_bytes = 80 * kGiB, .cache_bytes = 50 * kMiB, .devices = devices};
        machine.capability = capability;
        machine.members.resize(static_cast<std::size_t>(devices));
        std::iota(machine.members.begin(), machine.members.end(), 0);
        for (const ProbeCase& one : gpu_cases(machine, mode)) look(one, capability);
      }
}

TEST(GpuOperations, EveryPlannedCaseHasOne) {
  int cases = 0;
  each_planned([&](const ProbeCase& one, int) {
    ++cases;
    EXPECT_NE(make_operation(one.probe), nullptr) << one.title();
  });
  EXPECT_GT(cases, 10000);
}

TEST(GpuOperations, FormatsFollowTheDevice) {
  std::set<std::pair<std::string, int>> planned;
  each_planned([&](const ProbeCase& one, int capability) { planned.insert({one.dtype, capability}); });
  for (const int capability : kCapabilities) {
    EXPECT_EQ(planned.count({"fp8-block", capability}), capability == 90 ? 1U : 0U) << capability;
    EXPECT_EQ(planned.count({"int8", capability}), capability < 89 ? 1U : 0U) << capability;
    EXPECT_EQ(planned.count({"fp8", capability}), capability >= 89 ? 1U : 0U) << capability;
    EXPECT_EQ(planned.count({"nvfp4", capability}), capability >= 100 ? 1U : 0U) << capability;
  }
}

/// Products whose proposals are tried before the first sample, those of each device one after the other.
int searches_of(const ProbeCase& one) {
  const int devices = std::max(1, static_cast<int>(one.members.size()));
  if (one.probe.rfind("gemm.", 0) == 0) return 1;
  if (one.probe == "decode.weights" || one.probe == "decode.step") return 4;
  if (one.probe == "prefill.attn") return 2;
  for (const char* load : {"soak", "soak.all", "overlap", "overlap.product"})
    if (one.probe == load) return devices;
  return 0;
}

/// The watchdog waits for what a case predicts, and runs fit their time only where searches are in it.
TEST(GpuOperations, SearchesAreInTheirTime) {
  int most = 0;
  each_planned([&](const ProbeCase& one, int) {
    const int searches = searches_of(one);
    most = std::max(most, searches);
    const double each = one.variant == "best" ? 1.5 : ProductShape{}.search_s;
    EXPECT_LE(searches * each, one.prepare_s) << one.title();
  });
  EXPECT_EQ(most, 16);
}

/// Beside each of them stands the usual choice.
TEST(GpuOperations, TheBestOfManyProposalsIsOfTheNineShapes) {
  for (const int capability : {75, 90, 100}) {
    Machine machine{.backend = "cuda", .memory_bytes = 80 * kGiB, .cache_bytes = 50 * kMiB};
    machine.capability = capability;
    const auto cases = gpu_cases(machine, RunMode::standard);
    const auto count = [&](const std::string& title) {
      return std::count_if(cases.begin(), cases.end(), [&](const ProbeCase& one) {
        return one.variant == title && one.probe == (capability < 80 ? "gemm.fp16" : "gemm.bf16") &&
               one.mode == ProbeMode::burst &&
               std::any_of(std::begin(kNineProducts), std::end(kNineProducts), [&](const LargeProduct& shape) {
                 return one.size.m == shape.m && one.size.n == shape.n && one.size.k == shape.k;
               });
      });
    };
    EXPECT_EQ(count("best"), 9) << capability;
    EXPECT_EQ(count(""), 9) << capability;
  }
}

/// Short bursts meet no limit of power.
TEST(GpuOperations, ZerosLastBesideTheSameProduct) {
  int zeros = 0;
  each_planned([&](const ProbeCase& one, int) {
    if (one.variant != "zeros") return;
    ++zeros;
    EXPECT_EQ(one.probe, "gemm.bf16");
    EXPECT_EQ(one.mode, ProbeMode::sustained);
  });
  EXPECT_GT(zeros, 0);
}

/// The words are those of docs/operator.md. Without a GPU no switch is found, and a library may be missing.
TEST(GpuOperations, WhatIsNotPossibleSaysWhy) {
  each_planned([](const ProbeCase& one, int capability) {
    const PwCase asked = case_for(one, 1);
    PwFault fault{};
    if (possible(asked, capability, fault)) return;
    const std::string reason = fault.reason;
    EXPECT_STRNE(fault.detail, "") << one.title();
    if (reason == "one_device") {
      EXPECT_EQ(asked.ranks, 1) << one.title();
    } else if (reason == "library_missing") {
      EXPECT_GT(asked.ranks, 1) << one.title();
    } else {
      EXPECT_EQ(reason, "not_supported") << one.title();
      EXPECT_TRUE(capability < 80 || asked.ranks > 1) << one.title() << " on " << capability << ": " << fault.detail;
    }
  });
}

TEST(GpuOperations, AnUnknownProbeIsSkipped) {
  EXPECT_EQ(make_operation("gemmm"), nullptr);
  PwCase one{};
  one.probe = "nothing";
  one.dtype = one.variant = "";
  PwFault fault{};
  EXPECT_FALSE(possible(one, 90, fault));
  EXPECT_STREQ(fault.reason, "not_supported");
}

TEST(CudaErrors, DeviceFaultsEndTheDevice) {
  for (const int error : {214, 220, 226, 700, 714, 719}) {
    const Meaning meaning = meaning_of(static_cast<cudaError_t>(error));
    EXPECT_STREQ(meaning.reason, "device_fault") << error;
    EXPECT_EQ(meaning.code, PW_STICKY) << error;
  }
  EXPECT_EQ(meaning_of(cudaErrorMemoryAllocation).code, PW_SKIP);
}

}  // namespace
}  // namespace podwright::probes::cuda::operations_test
