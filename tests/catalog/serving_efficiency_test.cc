#include "catalog/serving_efficiency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::serving_efficiency_test {
namespace {

/// "code:line" of every problem.
std::vector<std::string> problems_of(std::string_view table, const std::string& csv) {
  Catalog catalog;
  Errors errors;
  EXPECT_TRUE(read_table(table, csv, catalog, errors));
  std::vector<std::string> problems;
  for (const Error& error : errors) {
    EXPECT_FALSE(error.message.empty());
    problems.push_back(error.code + error.path.substr(table.size()));
  }
  return problems;
}

std::string constants_table() {
  std::string csv = "id,value,prior,spread,source,note\n";
  for (std::size_t i = 0; i < kServingConstants; ++i)
    csv += std::string(serving_constant_word(static_cast<ServingConstant>(i))) + ",0.5,0.6,0.2,somebody,\n";
  return csv;
}

const std::string kSoftware =
    "level,engine,period,from_version,from_year,time,experts,prompts,host_step,host_sequence,first_token,burst,"
    "host_prior,rows,source,note\n";

std::string period(const std::string& name, const std::string& from_version, const std::string& from_year) {
  return "period,vllm," + name + "," + from_version + "," + from_year + ",0,0,0,0,0,0,0,0,1,somebody,\n";
}

using Problems = std::vector<std::string>;

TEST(ServingConstants, AreReadByTheirWords) {
  Catalog catalog;
  Errors errors;
  std::string csv = constants_table();
  csv.replace(csv.find("host_step_s,0.5"), 15, "host_step_s,0.7");
  read_table("serving_constants.csv", csv, catalog, errors);
  EXPECT_TRUE(errors.empty());
  const ServingEfficiency& efficiency = catalog.serving_efficiency;
  EXPECT_EQ(efficiency[ServingConstant::host_step_s], 0.7);
  EXPECT_EQ(efficiency[ServingConstant::host_sequence_s], 0.5);
  EXPECT_EQ(efficiency.constant(ServingConstant::burst).prior, 0.6);
  EXPECT_EQ(efficiency.constant(ServingConstant::burst).source_of("value"), "somebody");
}

TEST(ServingConstants, EveryOneMustBeThere) {
  std::string csv = constants_table();
  const std::size_t line = csv.find("kv_8_bit");
  csv.erase(line, csv.find('\n', line) + 1 - line);
  EXPECT_EQ(problems_of("serving_constants.csv", csv), Problems{"missing"});
}

TEST(ServingConstants, RefuseWhatIsNoConstantAndWhatIsNoNumber) {
  const std::string csv = constants_table();
  const std::string next = std::to_string(kServingConstants + 2);
  EXPECT_EQ(problems_of("serving_constants.csv", csv + "gemm_2_bit,0.5,0.5,0.2,somebody,\n"),
            Problems{"unknown-key:" + next});
  EXPECT_EQ(problems_of("serving_constants.csv", csv + "burst,0.5,0.5,0.2,somebody,\n"),
            Problems{"duplicate-key:" + next});
  const std::string others = csv.substr(0, csv.find("\npower_memory,") + 1);
  const std::string last = std::to_string(kServingConstants + 1);
  EXPECT_EQ(problems_of("serving_constants.csv", others + "power_memory,fast,0.5,0.2,somebody,\n"),
            Problems{"wrong-type:" + last});
  EXPECT_EQ(problems_of("serving_constants.csv", others + "power_memory,-1,0.5,0.2,somebody,\n"),
            Problems{"out-of-range:" + last});
  EXPECT_EQ(problems_of("serving_constants.csv", others + "power_memory,,0.5,0.2,somebody,\n"),
            Problems{"missing:" + last});
  EXPECT_EQ(problems_of("serving_constants.csv", "id,value\n").front(), "missing:1");
}

TEST(ServingSoftware, RefusesBadRows) {
  EXPECT_TRUE(problems_of("serving_software.csv", kSoftware + period("0.6", "0.1", "2023.5")).empty());
  EXPECT_EQ(problems_of("serving_software.csv", kSoftware + "version,vllm,,,,0,0,0,0,0,0,0,0,1,somebody,\n"),
            Problems{"out-of-range:2"});
  EXPECT_EQ(problems_of("serving_software.csv", kSoftware + "engine,,,,,0,0,0,0,0,0,0,0,1,somebody,\n"),
            Problems{"missing:2"});
  EXPECT_EQ(problems_of("serving_software.csv", kSoftware + "engine,vllm,,,,9,0,0,0,0,0,0,0,1,somebody,\n"),
            Problems{"out-of-range:2"});
  EXPECT_EQ(problems_of("serving_software.csv", kSoftware + "engine,vllm,,,,0,0,,0,0,0,0,0,1,somebody,\n"),
            Problems{"missing:2"});
}

TEST(ServingSpreads, RefuseBadRows) {
  const std::string head = "metric,knowledge,architecture,half_width,rows,source,note\n";
  EXPECT_TRUE(problems_of("serving_spreads.csv", head + "tpot,run,dense,0.2,40,somebody,\n").empty());
  EXPECT_EQ(problems_of("serving_spreads.csv", head + "tpot,run,dense,0,40,somebody,\n"), Problems{"out-of-range:2"});
  EXPECT_EQ(problems_of("serving_spreads.csv", head + "tpot,run,dense,20 %,40,somebody,\n"), Problems{"wrong-type:2"});
  EXPECT_EQ(problems_of("serving_spreads.csv", head + ",run,dense,0.2,40,somebody,\n"), Problems{"missing:2"});
  EXPECT_EQ(problems_of("serving_spreads.csv", "metric,knowledge,architecture,width,rows,source,note\n"),
            (Problems{"missing:1", "unknown-key:1"}));
}

TEST(ServingSupportTable, RefusesBadRows) {
  const std::string head = "engine,period,gpu,model,rows,source\n";
  EXPECT_TRUE(problems_of("serving_support.csv", head + "vllm,,l4,llama-3-8b,4,somebody\n").empty());
  EXPECT_EQ(problems_of("serving_support.csv", head + "vllm,,l4,,4,somebody\n"), Problems{"missing:2"});
  EXPECT_EQ(problems_of("serving_support.csv", head + "vllm,,l4,llama-3-8b,few,somebody\n"), Problems{"wrong-type:2"});
}

TEST(EnginePeriods, ServeTheVersionsUpToTheNext) {
  Catalog catalog;
  Errors errors;
  read_table("serving_software.csv",
             kSoftware + period("0.6", "0.1", "2023.5") + period("0.11", "0.8", "2025.1") +
                 period("0.15", "0.14", "2026") + period("0.12.0rc1", "", ""),
             catalog, errors);
  ASSERT_TRUE(errors.empty());
  const ServingEfficiency& efficiency = catalog.serving_efficiency;
  const auto of_version = [&](std::string_view version) {
    const EngineSoftware* found = efficiency.period("vllm", version);
    return found == nullptr ? std::string() : found->period;
  };
  EXPECT_EQ(of_version("0.6.3"), "0.6");
  EXPECT_EQ(of_version("0.8"), "0.11");
  EXPECT_EQ(of_version("0.13.9"), "0.11");
  EXPECT_EQ(of_version("0.14.1"), "0.15");
  EXPECT_EQ(of_version("9.0"), "0.15");             // newer than the data
  EXPECT_EQ(of_version(""), "0.15");                // the newest
  EXPECT_EQ(of_version("nightly"), "0.15");         // no number
  EXPECT_EQ(of_version("0.12.0rc1"), "0.12.0rc1");  // its own name
  EXPECT_EQ(of_version("0.0.1"), "");
  EXPECT_EQ(efficiency.period("sglang", "0.5"), nullptr);
  EXPECT_EQ(efficiency.period_at("vllm", 2025.5)->period, "0.11");
  EXPECT_EQ(efficiency.period_at("vllm", 2020), nullptr);
}

TEST(EmbeddedServingEfficiency, HasAWidthForEveryMetricAndEachEngineItsRow) {
  const ServingEfficiency& efficiency = embedded_catalog_facts().serving_efficiency;
  for (const char* metric : {"tpot", "ttft", "throughput", "prompt", "power", "energy"})
    for (const char* architecture : {"dense", "moe"}) {
      double last = 0;
      for (const char* knowledge : {"run", "engine", "none"}) {
        const ServingSpread* spread = efficiency.spread(metric, knowledge, architecture);
        ASSERT_NE(spread, nullptr) << metric << ' ' << knowledge << ' ' << architecture;
        EXPECT_GE(spread->half_width, last);
        last = spread->half_width;
      }
    }
  ASSERT_NE(efficiency.spread("any", "gpu", "any"), nullptr);
  ASSERT_NE(efficiency.spread("any", "roofline", "any"), nullptr);
  for (const ServingSupport& entry : efficiency.support) {
    EXPECT_NE(efficiency.engine(entry.engine), nullptr) << entry.id;
    EXPECT_TRUE(find_gpu(embedded_catalog_facts(), entry.gpu)) << entry.id;
    EXPECT_GT(entry.rows, 0) << entry.id;
  }
}

}  // namespace
}  // namespace podwright::serving_efficiency_test
