#include "catalog/reference_rate.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/check.h"
#include "catalog/files.h"

namespace podwright::reference_rate_test {
namespace {

constexpr std::string_view kHead =
    "gpu_id,probe,way,dtype,mode,m,n,k,bytes,row_bytes,ranks,nodes,batch,context_tokens,page_tokens,experts,threads,"
    "low,rate,high,unit,probe_version,source\n";
constexpr std::string_view kRow =
    "example-gpu,gemm.bf16,cublaslt,bf16,burst,8192,8192,8192,,,,,,,,,,700,710,720,TFLOP/s,1,sheet\n";

struct ReadRates {
  std::vector<ReferenceRate> rates;
  Errors errors;
};
ReadRates read_text(const std::string& text) {
  Catalog catalog;
  Errors errors;
  read_table("reference_rates.csv", text, catalog, errors);
  return {catalog.reference_rates, errors};
}
ReadRates read_rows(std::string_view rows) { return read_text(std::string(kHead) + std::string(rows)); }

TEST(ReferenceRate, ReadsARow) {
  const ReadRates read = read_rows(kRow);
  ASSERT_TRUE(read.errors.empty()) << test::text_of(read.errors);
  const ReferenceRate& rate = read.rates.front();
  EXPECT_EQ(rate.way, "cublaslt");
  EXPECT_EQ(rate.mode, ProbeMode::burst);
  EXPECT_EQ(rate.size.m, 8192.0);
  EXPECT_FALSE(rate.size.bytes);
  EXPECT_DOUBLE_EQ(rate.rate, 710e12);
  EXPECT_EQ(rate.origin, "catalog/reference_rates.csv/2");
  EXPECT_EQ(reference_table(read.rates), std::string(kHead) + std::string(kRow));
}

TEST(ReferenceRate, IsEmptyUntilAGpuWasMeasured) {
  EXPECT_TRUE(read_rows("").errors.empty());
  EXPECT_TRUE(embedded_catalog_facts().reference_rates.empty());
}

TEST(ReferenceRate, NamesTheLineOfEachError) {
  const struct {
    const char* row;
    const char* code;
  } rows[] = {
      {",gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,710,720,TFLOP/s,1,sheet\n", "missing"},
      {"example-gpu,gemm.bf16,,bf16,peak,,,,,,,,,,,,,700,710,720,TFLOP/s,1,sheet\n", "out-of-range"},
      {"example-gpu,gemm.bf16,,bf16,burst,much,,,,,,,,,,,,700,710,720,TFLOP/s,1,sheet\n", "wrong-type"},
      {"example-gpu,gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,690,720,TFLOP/s,1,sheet\n", "out-of-range"},
      {"example-gpu,gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,,720,TFLOP/s,1,sheet\n", "missing"},
      {"example-gpu,gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,710,720,miles,1,sheet\n", "out-of-range"},
      {"example-gpu,gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,710,720,TFLOP/s,,sheet\n", "missing"},
      {"example-gpu,gemm.bf16,,bf16,burst,,,,,,,,,,,,,700,710,720,TFLOP/s,1,\n", "missing"},
  };
  for (const auto& row : rows) {
    const ReadRates read = read_rows(std::string(kRow) + row.row);
    ASSERT_FALSE(read.errors.empty()) << row.row;
    EXPECT_EQ(read.errors[0].code, row.code) << row.row << test::text_of(read.errors);
    EXPECT_EQ(read.errors[0].path, "reference_rates.csv:3");
  }
  const ReadRates other = read_text("gpu_id,probe\n");
  ASSERT_FALSE(other.errors.empty());
  EXPECT_EQ(other.errors[0].path, "reference_rates.csv:1");
  EXPECT_NE(other.errors[0].hint.find("probe_version"), std::string::npos);
}

TEST(ReferenceRate, CatalogCheckFindsSlips) {
  const auto problems = [](const std::string& rows) {
    const std::string table = std::string(kHead) + rows;
    const auto catalog = test::read(
        {{"gpus/example-gpu.json", test::kGpu}, {"sources.json", test::kSources}, {"reference_rates.csv", table}});
    EXPECT_TRUE(catalog) << test::text_of(catalog.error());
    return check_catalog(*catalog, "2026-11-20", 1e9).problems.size();
  };
  const std::string row(kRow);
  EXPECT_EQ(problems(row), 0U);
  EXPECT_EQ(problems(row + row), 1U);
  EXPECT_EQ(problems("no-such-gpu,hbm.read,own,,burst,,,,,,,,,,,,,1,1,1,GB/s,1,sheet\n"), 1U);
  EXPECT_EQ(problems("example-gpu,hbm.read,own,,burst,,,,,,,,,,,,,3,3,3,GB/s,1,sheet\n"), 1U);  // TB/s meant
  EXPECT_EQ(problems("example-gpu,hbm.read,own,,burst,,,,,,,,,,,,,2800,2800,2800,GB/s,1,nowhere\n"), 1U);
  EXPECT_EQ(problems(row + "example-gpu,hbm.read,own,,burst,,,,,,,,,,,,,2800,2800,2800,GB/s,1,list\n"), 1U);
}

}  // namespace
}  // namespace podwright::reference_rate_test
