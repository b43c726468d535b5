#include "perf/training_arithmetic.h"

#include <gtest/gtest.h>

#include "perf/ceilings.h"

namespace podwright::offload_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

// arXiv 2101.06840 table 4: one node of two sockets updates 10 billion parameters in 2.57 s.
TEST(HostOptimizerTime, OfTheDgx2) {
  const PerSecond rate = per_second(find_operating_figure(facts().operating_figures, "cpu-adam-rate")->typical);
  EXPECT_NEAR(host_optimizer_time(10e9, 1.0, rate).base_units(), 2.57, 0.02);
  EXPECT_NEAR(host_optimizer_time(10e9 / 16.0, 16.0, rate).base_units(), 2.57, 0.02);
}

TEST(HostLink, IsOfTheGpuOrOfItsPcieGeneration) {
  const auto gpu = [](std::string_view id) -> const Gpu& { return **find_gpu(facts(), id); };
  EXPECT_EQ(host_link_rate(facts(), gpu("gh200-96gb"))->gpu_id, "gh200-96gb");
  EXPECT_EQ(host_link_rate(facts(), gpu("h100-sxm5-80gb"))->gpu_id, "h200-sxm5-141gb");
  EXPECT_EQ(host_link_rate(facts(), gpu("a100-sxm4-80gb"))->gpu_id, "rtx-4090");
  EXPECT_EQ(host_link_rate(facts(), gpu("gb200")), nullptr);
  EXPECT_EQ(host_link_rate(facts(), gpu("v100-sxm2-32gb")), nullptr);
  NoTrace trace;
  std::vector<std::string> assumptions;
  EXPECT_EQ(*host_link(trace, facts(), gpu("h100-sxm5-80gb"), assumptions), gb_per_s(55.06));
  EXPECT_EQ(assumptions.size(), 1u);
}

// 8 billion parameters on 8 GPUs, ZeRO: one billion each. 2 bytes a gradient out, 2 bytes a weight back.
TEST(OptimizerOffload, WaitsForTheHostAndForWhatTheBackwardPassDoesNotHide) {
  const Bytes out = offloaded_gradient_bytes(1e9, bytes(2));
  const Bytes back = offloaded_weight_bytes(1e9, bytes(2));
  EXPECT_EQ(out, gb(2));
  const Seconds gradients = offload_transfer_time(out, bytes(0), gb_per_s(50));
  const Seconds weights = offload_transfer_time(bytes(0), back, gb_per_s(50));
  EXPECT_NEAR(gradients.base_units(), 0.04, 1e-12);
  const Seconds update = host_optimizer_time(1e9, 8.0, per_second(4e9));
  EXPECT_EQ(update, seconds(2));
  EXPECT_EQ(exposed_optimizer_offload(gradients, seconds(1), update, weights), seconds(2));
  EXPECT_NEAR(exposed_optimizer_offload(gradients, seconds(0.01), update, weights).base_units(), 2.03, 1e-12);
}

TEST(ParameterOffload, HidesBehindEnoughWork) {
  const Bytes fetched = fetched_weight_bytes(8e9, bytes(2), 2.0, 4.0);
  EXPECT_EQ(fetched, gb(128));
  const Seconds transfer = offload_transfer_time(bytes(0), fetched, gb_per_s(50));
  EXPECT_NEAR(exposed_streaming(transfer, seconds(2)).base_units(), 0.56, 1e-12);
  EXPECT_EQ(exposed_streaming(transfer, seconds(3)), seconds(0));
}

TEST(NvmeStateTime, ReadsAndWritesOnce) {
  EXPECT_NEAR(nvme_state_time(1e9, bytes(12), gb_per_s(1.6)).base_units(), 15, 1e-12);
}

}  // namespace
}  // namespace podwright::offload_test
