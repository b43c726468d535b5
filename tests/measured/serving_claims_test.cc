// Twenty published runs that were measured, asked as claims: none may be called impossible.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/csv_read.h"
#include "base/json_read.h"
#include "support/ask.h"
#include "support/test_data.h"

namespace podwright::serving_claims_test {
namespace {

TEST(ServingClaims, OfMeasuredRunsAreAccepted) {
  const auto table = parse_csv(podwright_test_data("tests/measured/data/serving_claims.csv"));
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 20u);
  std::set<std::string> gpus, engines, formats;
  for (const CsvTable::Row& row : table->rows) {
    const auto cell = [&](std::string_view column) { return table->cell(row, column); };
    const auto member = [&](std::string_view key, const std::string& value) {
      return value.empty() ? std::string() : ",\"" + std::string(key) + "\":" + value;
    };
    const auto text = [](const std::string& value) { return value.empty() ? value : "\"" + value + "\""; };
    const std::string request =
        R"({"kind":"explain","claim":{"model":")" + cell("model_id") + R"(","gpu":")" + cell("gpu_id") + "\"" +
        member("gpu_count", cell("num_gpus")) + member("weight_precision", text(cell("weight_precision"))) +
        member("kv_precision", text(cell("kv_precision"))) + member(cell("load"), cell("concurrency_or_batch")) +
        member("input_tokens", cell("input_len") == "0" ? "" : cell("input_len")) +
        member("output_tokens", cell("output_len")) + member(cell("metric"), cell("value")) + "}}";
    const Reply asked = ask(request);
    EXPECT_EQ(asked.outcome, Outcome::answer) << cell("id") << ": " << request << "\n" << json_text(asked.answer);
    EXPECT_EQ(asked.answer.find("verdict")->text, "plausible") << cell("id");
    gpus.insert(cell("gpu_id"));
    engines.insert(cell("framework"));
    formats.insert(cell("weight_precision"));
  }
  EXPECT_GE(gpus.size(), 12u);
  EXPECT_EQ(engines.size(), 4u);
  EXPECT_GE(formats.size(), 6u);
}

}  // namespace
}  // namespace podwright::serving_claims_test
