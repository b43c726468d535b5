#include <gtest/gtest.h>

#include <sstream>

#include "api/answer.h"
#include "cli/print_answer.h"

namespace podwright::cli::cost_text_test {
namespace {

std::string text_of(const std::string& request) {
  const auto answer = parse_json(answer_request(embedded_catalog_facts(), request).text);
  EXPECT_TRUE(answer);
  Page page;
  if (answer) cost_text(page, *answer);
  return page.take();
}

const std::string kServer =
    R"({"kind":"cost","gpu_count":8,"horizon_years":5,"utilization":0.6,
        "on_premises":{"servers_usd":285000,"network_usd":32000,"it_power_kw":10.2,"electricity_usd_per_kwh":0.083},
        "cloud":{"usd_per_gpu_hour":3.99},"uncertainty":{"draws":1000}})";

TEST(CostText, BeginsWithTheDecisionAndNamesEverySide) {
  const std::string text = text_of(kServer);
  EXPECT_EQ(text.rfind("Over 5 years at 60 % use, owning is cheaper than renting", 0), 0u) << text;
  for (const char* title : {"The options, cheapest first", "Owning\n", "Renting\n", "Break-even of owning",
                            "How certain", "What would change the decision"})
    EXPECT_NE(text.find(title), std::string::npos) << title;
}

TEST(CostText, SaysUnitsInWordsAndPartsThatCostNothingInOneLine) {
  const std::string text = text_of(kServer);
  EXPECT_EQ(text.find("usd per"), std::string::npos) << text;
  EXPECT_NE(text.find("$317,000"), std::string::npos);
  EXPECT_NE(text.find("9.945 kW"), std::string::npos);
  EXPECT_NE(text.find("  Counted as 0: installation"), std::string::npos);
  EXPECT_EQ(text.find("\n\n\n"), std::string::npos);
}

TEST(CostText, AMissingPriceIsToldAtTheTop) {
  const std::string text = text_of(R"({"kind":"cost","gpu_count":8,"cloud":{"usd_per_gpu_hour":3,"storage_gb":10}})");
  EXPECT_EQ(text.rfind("Renting has no total: No dated source", 0), 0u) << text;
}

TEST(CostText, CountsKeepTheirDigits) {
  const std::string text = text_of(
      R"({"kind":"cost","gpu_count":16400,"cloud":{"usd_per_gpu_hour":3},"uncertainty":{"draws":100},
          "fleet":{"gpu_hours_per_failure":50677,"repair_hours":48,"run":{"checkpoint_s":30}}})");
  EXPECT_NE(text.find("servers                                         2,050\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("2,051"), std::string::npos);
  for (const char* block : {"Failures of the fleet\n", "failures per year", "spare servers",
                            "share of time they suffice", "paid without progress, per year"})
    EXPECT_NE(text.find(block), std::string::npos) << block << "\n" << text;
}

TEST(CostText, LinesEndAtTheColumnOfAllTexts) {
  std::istringstream lines(text_of(kServer));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
}

}  // namespace
}  // namespace podwright::cli::cost_text_test
