#include "catalog/probe_norm.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "catalog/check.h"
#include "catalog/files.h"

namespace podwright::probe_norm_test {
namespace {

constexpr std::string_view kHead =
    "kind,gpu_id,probe,dtype,mode,sizes,least_bytes,ranks,link_generation,p10,p50,p90,ok,low,unit,denominator,source,"
    "note\n";
constexpr std::string_view kFloor =
    "floor,any,hbm.copy,,burst,bytes,1e9,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n";

struct ReadNorms {
  std::vector<ProbeNorm> norms;
  Errors errors;
};
ReadNorms read_row(std::string_view row) {
  Catalog catalog;
  Errors errors;
  read_table("probe_norms.csv", std::string(kHead) + std::string(row), catalog, errors);
  return {catalog.probe_norms, errors};
}

TEST(ProbeNorm, ReadsEachKind) {
  const ReadNorms floor = read_row(kFloor);
  ASSERT_TRUE(floor.errors.empty()) << test::text_of(floor.errors);
  EXPECT_EQ(floor.norms[0].sizes, NormSizes::bytes);
  EXPECT_EQ(floor.norms[0].denominator, NormDenominator::memory_bandwidth);
  EXPECT_EQ(*floor.norms[0].ok, 0.85);
  EXPECT_EQ(floor.norms[0].origin, "catalog/probe_norms.csv/2");

  const ReadNorms band =
      read_row("band,example-gpu,gemm.bf16,bf16,sustained,large-products,,,,600,,820,,,TFLOP/s,none,sheet,one table\n");
  ASSERT_TRUE(band.errors.empty()) << test::text_of(band.errors);
  EXPECT_EQ(band.norms[0].mode, ProbeMode::sustained);
  EXPECT_DOUBLE_EQ(*band.norms[0].p10, 600e12);
  EXPECT_FALSE(band.norms[0].p50);

  const ReadNorms time = read_row("floor,any,launch.graph,,burst,any,,,,,,,2,4,us,none,sheet,\n");
  ASSERT_TRUE(time.errors.empty()) << test::text_of(time.errors);
  EXPECT_TRUE(time.norms[0].is_time);
  EXPECT_DOUBLE_EQ(*time.norms[0].ok, 2e-6);
}

TEST(ProbeNorm, NamesTheLineOfEachError) {
  const struct {
    const char* row;
    const char* code;
  } rows[] = {
      {"ceiling,any,hbm.copy,,burst,any,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,peak,any,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,burst,some,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,0.85,0.75,miles,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,0.75,0.85,share,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,1.5,0.85,share,memory-bandwidth,sheet,\n", "out-of-range"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,0.85,,share,memory-bandwidth,sheet,\n", "missing"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,0.85,0.75,share,none,sheet,\n", "conflict"},
      {"floor,any,hbm.copy,,burst,bytes,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n", "conflict"},
      {"floor,any,hbm.copy,,burst,any,,,,,,,most,0.75,share,memory-bandwidth,sheet,\n", "wrong-type"},
      {"floor,,hbm.copy,,burst,any,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n", "missing"},
      {"floor,any,launch.graph,,burst,any,,,,,,,4,2,us,none,sheet,\n", "out-of-range"},
      {"band,any,gemm.bf16,,burst,any,,,,700,600,800,,,TFLOP/s,none,sheet,\n", "out-of-range"},
      {"band,any,gemm.bf16,,burst,any,,,,700,,,,,TFLOP/s,none,sheet,\n", "missing"},
      {"band,any,gemm.bf16,,burst,any,,,,700,,800,0.8,0.7,TFLOP/s,none,sheet,\n", "missing"},
      {"landmark,any,gemm.bf16,,burst,any,,,,,,,0.8,0.7,TFLOP/s,none,sheet,\n", "missing"},
      {"band,any,gemm.bf16,,burst,any,,,,0.7,,0.8,,,share,peak,sheet,\n", "conflict"},
  };
  for (const auto& row : rows) {
    const ReadNorms result = read_row(std::string(kFloor) + row.row);
    ASSERT_FALSE(result.errors.empty()) << row.row;
    EXPECT_EQ(result.errors[0].code, row.code) << row.row << test::text_of(result.errors);
    EXPECT_EQ(result.errors[0].path, "probe_norms.csv:3");
    EXPECT_FALSE(result.errors[0].message.empty());
  }
}

TEST(ProbeNorm, CatalogCheckFindsSlips) {
  const auto problems = [](std::string_view rows) {
    const std::string table = std::string(kHead) + std::string(rows);
    const auto catalog = test::read(
        {{"gpus/example-gpu.json", test::kGpu}, {"sources.json", test::kSources}, {"probe_norms.csv", table}});
    EXPECT_TRUE(catalog) << test::text_of(catalog.error());
    return check_catalog(*catalog, "2026-11-20", 1e9).problems;
  };
  EXPECT_TRUE(problems(kFloor).empty());
  EXPECT_EQ(problems("floor,no-such-gpu,hbm.copy,,burst,any,,,,,,,0.85,0.75,share,memory-bandwidth,sheet,\n").size(),
            1U);
  EXPECT_EQ(problems("floor,any,hbm.copy,,burst,any,,,,,,,0.85,0.75,share,memory-bandwidth,nowhere,\n").size(), 1U);
  EXPECT_EQ(problems("floor,any,hbm.copy,,burst,any,,,,,,,0.85,0.01,share,memory-bandwidth,sheet,\n").size(), 1U);
  // 950 of 900 TFLOP/s.
  EXPECT_EQ(problems("band,example-gpu,gemm.bf16,bf16,burst,large-products,,,,600,,950,,,TFLOP/s,none,sheet,\n").size(),
            1U);
}

TEST(ProbeNorm, TheCatalogHasFloorsOfEveryKindOfProbe) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const char* probe : {"hbm.copy", "hbm.triad", "decode.weights", "gemm.bf16", "gemm.fp8", "gemm.nvfp4",
                            "pcie.h2d", "pcie.d2h", "p2p.matrix", "coll.allreduce", "launch.graph", "mem.capacity"})
    EXPECT_TRUE(std::any_of(catalog.probe_norms.begin(), catalog.probe_norms.end(), [&](const ProbeNorm& norm) {
      return norm.probe == probe && norm.kind == NormKind::floor;
    })) << probe;
}

TEST(ProductPeak, OfBlockScaledFormatsIsThatOfTheirWidth) {
  const Catalog& catalog = embedded_catalog_facts();
  const Gpu& gpu = **find_gpu(catalog, "b200-sxm");
  EXPECT_EQ(product_peak(gpu, "nvfp4")->base_units(), 9000e12);
  EXPECT_EQ(product_peak(gpu, "mxfp8")->base_units(), 4500e12);
  EXPECT_EQ(product_peak(gpu, "bf16")->base_units(), 2250e12);
  EXPECT_FALSE(product_peak(gpu, "int3"));
}

}  // namespace
}  // namespace podwright::probe_norm_test
