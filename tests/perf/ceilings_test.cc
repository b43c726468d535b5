#include "perf/ceilings.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::ceilings_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }

TEST(KernelRates, EveryRowNamesAGpuAndASource) {
  EXPECT_GT(facts().kernel_rates.size(), 100u);
  for (const KernelRate& rate : facts().kernel_rates) {
    EXPECT_TRUE(rate.gpu_id == "any" || find_gpu(facts(), rate.gpu_id)) << rate.id;
    EXPECT_FALSE(rate.source.empty()) << rate.id;
  }
}

TEST(KernelRates, WrongCellsAreErrorsWithTheirLine) {
  Catalog catalog;
  Errors errors;
  read_table("kernel_rates.csv",
             "gpu_id,operation,precision,ranks,low,typical,high,unit,source,note\n"
             "x,gemm,bf16,1,4,5,6,parsec,s,\nx,gemm,bf16,1,5,4,6,TB/s,s,\n",
             catalog, errors);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].path, "kernel_rates.csv:2");
  EXPECT_EQ(errors[1].path, "kernel_rates.csv:3");
  EXPECT_NE(errors[0].message.find("parsec"), std::string::npos);
}

TEST(Ceilings, MeasuredWhereTheTableHasIt) {
  NoTrace none;
  std::vector<std::string> assumptions;
  EXPECT_EQ(*gemm_ceiling(none, facts(), gpu("h100-sxm5-80gb"), "bf16", assumptions), tflops(775));
  EXPECT_EQ(*memory_ceiling(none, facts(), gpu("b200-sxm"), "weight-streaming", "fp8", assumptions),
            BytesPerSecond(4.2e12));
  EXPECT_EQ(*node_ceiling(none, facts(), gpu("h100-sxm5-80gb"), "all-reduce-bus-bandwidth", 8, assumptions),
            gb_per_s(468));
  EXPECT_TRUE(assumptions.empty());
}

TEST(Ceilings, OfOtherGpusAreEstimatesBelowThePeakAndSaySo) {
  NoTrace none;
  for (const char* id : {"rtx-4090", "a10", "l4", "h100-pcie-80gb", "v100-sxm2-32gb", "gh200-96gb"}) {
    std::vector<std::string> assumptions;
    const std::string precision = gemm_precision(gpu(id), "bf16");
    const auto gemm = gemm_ceiling(none, facts(), gpu(id), precision, assumptions);
    const auto memory = memory_ceiling(none, facts(), gpu(id), "kv-reading", "bf16", assumptions);
    ASSERT_TRUE(gemm && memory) << id;
    EXPECT_EQ(assumptions.size(), 2u) << id;
    EXPECT_LT(*gemm, gpu(id).peak_dense_flops.at(precision)) << id;
    EXPECT_LT(*memory, *gpu(id).memory_bandwidth) << id;
  }
}

TEST(Ceilings, NeverAboveTheDataSheet) {
  NoTrace none;
  for (const Gpu& each : facts().gpus) {
    std::vector<std::string> assumptions;
    for (const auto& [precision, peak] : each.peak_dense_flops) {
      const auto gemm = gemm_ceiling(none, facts(), each, precision, assumptions);
      if (gemm) {
        EXPECT_LE(*gemm, peak) << each.id << " " << precision;
      }
    }
    const auto reading = memory_ceiling(none, facts(), each, "weight-streaming", "bf16", assumptions);
    if (reading) {
      EXPECT_LE(*reading, *each.memory_bandwidth) << each.id;
    }
  }
}

TEST(Ceilings, NarrowWeightsRunInSixteenBitWhereTheGpuLacksTheirProducts) {
  EXPECT_EQ(gemm_precision(gpu("h100-sxm5-80gb"), "fp8"), "fp8");
  EXPECT_EQ(gemm_precision(gpu("a100-sxm4-80gb"), "fp8"), "bf16");
  EXPECT_EQ(gemm_precision(gpu("h100-sxm5-80gb"), "fp4"), "bf16");
  EXPECT_EQ(gemm_precision(gpu("v100-sxm2-32gb"), "bf16"), "fp16");
  EXPECT_EQ(gemm_precision(gpu("v100-sxm2-32gb"), "fp8"), "");
}

TEST(Ceilings, CardsWithoutLinksExchangeOverPcie) {
  NoTrace none;
  std::vector<std::string> assumptions;
  const auto four = node_ceiling(none, facts(), gpu("rtx-4090"), "all-reduce-bus-bandwidth", 4, assumptions);
  ASSERT_TRUE(four);
  EXPECT_LT(*four, gb_per_s(32));
  EXPECT_EQ(assumptions.size(), 1u);
  EXPECT_FALSE(node_ceiling(none, facts(), gpu("t4"), "all-reduce-bus-bandwidth", 2,
                            assumptions));  // no card of its generation was measured
}

TEST(Ceilings, NetworkComesFromASystem) {
  NoTrace none;
  const System* dgx = system_with_network(facts(), gpu("h100-sxm5-80gb"));
  ASSERT_NE(dgx, nullptr);
  const auto network = network_ceiling(none, facts(), *dgx);
  ASSERT_TRUE(network);
  EXPECT_LT(*network, gb_per_s(50));
  EXPECT_GT(*network, gb_per_s(30));
  EXPECT_EQ(system_with_network(facts(), gpu("rtx-4090")), nullptr);
}

}  // namespace
}  // namespace podwright::ceilings_test
