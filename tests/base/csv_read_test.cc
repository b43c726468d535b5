#include "base/csv_read.h"

#include <gtest/gtest.h>

namespace podwright::csv_read_test {
namespace {

CsvTable parsed(std::string_view text) {
  const Result<CsvTable> table = parse_csv(text);
  EXPECT_TRUE(table) << text;
  return table ? *table : CsvTable{};
}

TEST(ParseCsv, ReadsQuotedCellsAndCountsLines) {
  const CsvTable table = parsed("id,note,n\r\na,\"x, \"\"y\"\"\nz\",1\r\n\r\nb,,\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"id", "note", "n"}));
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"a", "x, \"y\"\nz", "1"}));
  EXPECT_EQ(table.rows[0].line, 2);
  EXPECT_EQ(table.rows[1].cells, (std::vector<std::string>{"b", "", ""}));
  EXPECT_EQ(table.rows[1].line, 5);
}

TEST(ParseCsv, FindsCellsByColumn) {
  const CsvTable table = parsed("id,n\na,1");
  EXPECT_EQ(table.column("n"), 1);
  EXPECT_EQ(table.column("m"), -1);
  EXPECT_EQ(table.cell(table.rows[0], "n"), "1");
  EXPECT_EQ(table.cell(table.rows[0], "m"), "");
}

TEST(ParseCsv, TakesTextWithoutRowsAndWithAByteOrderMark) {
  EXPECT_TRUE(parsed("").columns.empty());
  EXPECT_TRUE(parsed("a,b").rows.empty());
  EXPECT_EQ(parsed("\xEF\xBB\xBFid,n\n").column("id"), 0);
}

TEST(ParseCsv, NamesEveryBrokenRow) {
  const Result<CsvTable> table = parse_csv("a,b\n1,2,3\n1,2\n4\n\"open,5");
  ASSERT_FALSE(table);
  ASSERT_EQ(table.error().size(), 4u);
  EXPECT_EQ(table.error()[0].path, ":2");
  EXPECT_EQ(table.error()[1].path, ":4");
  EXPECT_EQ(table.error()[2].path, ":5");
  EXPECT_EQ(table.error()[0].code, "not-csv");
}

TEST(ParseCsv, BehindTwoHundredProblemsTheRestIsCounted) {
  std::string text = "a,b\n";
  for (int i = 0; i < 1000; ++i) text += "1\n";
  const Result<CsvTable> table = parse_csv(text);
  ASSERT_FALSE(table);
  ASSERT_EQ(table.error().size(), kMostErrors + 1);
  EXPECT_EQ(table.error().back().code, "more-errors");
  EXPECT_NE(table.error().back().message.find("1000 problems"), std::string::npos);
}

TEST(ParseCsv, RefusesMoreThanItsLimits) {
  const auto code = [](std::string_view text) {
    const Result<CsvTable> table = parse_csv(text);
    return table ? "" : table.error().front().code;
  };
  EXPECT_EQ(code(std::string(CsvLimits::kColumns - 1, ',')), "");
  EXPECT_EQ(code(std::string(CsvLimits::kColumns, ',')), "too-large");
  // A row that is far too wide is one problem.
  EXPECT_EQ(code("a,b\n" + std::string(1'000'000, ',') + "\n1,2\n"), "not-csv");
  std::string rows = "a\n";
  for (std::size_t i = 0; i < CsvLimits::kCells; ++i) rows += "1\n";
  EXPECT_EQ(code(rows), "");
  EXPECT_EQ(code(rows + "1\n"), "too-large");
  EXPECT_EQ(code(std::string(CsvLimits::kBytes + 1, 'a')), "too-large");
}

}  // namespace
}  // namespace podwright::csv_read_test
