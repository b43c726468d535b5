// No row of a table vanishes: each is predicted, or skipped with a code, a reason and its line.
#include <gtest/gtest.h>

#include <set>

#include "base/csv_read.h"
#include "base/json_write.h"
#include "calibration/measured_table.h"
#include "support/ask.h"
#include "support/test_data.h"

namespace podwright::every_row_test {
namespace {

class EveryRow : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryRow, IsPredictedOrSkippedWithAReason) {
  const std::string csv(podwright_test_data("tests/measured/data/" + std::string(GetParam())));
  JsonWriter request;
  request.begin_object();
  request.text("kind", "backtest");
  request.text("csv", csv);
  request.end_object();
  const Reply reply = ask(request.take());
  ASSERT_EQ(reply.outcome, Outcome::answer);
  std::set<std::string> ids;
  for (const JsonNode& cell : reply.answer.find("rows")->items) ids.insert(cell.find("id")->text);
  std::size_t set_aside = 0;
  for (const JsonNode& skipped : reply.answer.find("skipped")->items) {
    ids.insert(skipped.find("id")->text);
    EXPECT_FALSE(skipped.find("code")->text.empty());
    EXPECT_FALSE(skipped.find("reason")->text.empty());
    EXPECT_GT(skipped.find("line")->number, 1);
    set_aside += skipped.find("code")->text == kSetAside ? 1 : 0;
  }
  const auto table = parse_csv(csv);
  ASSERT_TRUE(table);
  std::set<std::string> of_table;
  std::size_t told = 0;
  for (const CsvTable::Row& row : table->rows) {
    of_table.insert(table->cell(row, "id"));
    told += table->cell(row, "set_aside").empty() ? 0 : 1;
  }
  EXPECT_EQ(ids, of_table);
  EXPECT_EQ(reply.answer.find("table_rows")->number, static_cast<double>(table->rows.size()));
  EXPECT_EQ(set_aside, told);
  EXPECT_EQ(reply.answer.find("unknown_columns"), nullptr) << json_text(*reply.answer.find("unknown_columns"));
}

INSTANTIATE_TEST_SUITE_P(OfTable, EveryRow,
                         ::testing::Values("training.csv", "training_single_node.csv", "training_nanotron.csv",
                                           "serving.csv", "serving_memory.csv", "traffic.csv"));

}  // namespace
}  // namespace podwright::every_row_test
