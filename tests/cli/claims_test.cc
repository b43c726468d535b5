#include "cli/claims.h"

#include <gtest/gtest.h>

namespace podwright::cli::claims_test {
namespace {

constexpr const char* kLedger =
    "id,objective,topic,statement,notes_say,answer,verdict,engine,source,explanation\n"
    "S1,2.1,memory,Training takes four times the memory.,4x,16 bytes a parameter,wrong,rule,paper,\"Counts, not "
    "words\"\n"
    "S2,2.7,links,NVLink moves 900 GB/s.,900,450 each way,misleading,catalog,datasheet,Both directions\n"
    "S3,2.7,links,InfiniBand NDR moves 400 Gb/s.,400,400 Gb/s,correct,catalog,datasheet,\n";

CsvTable ledger() { return *parse_csv(kLedger); }

std::string ids(const CsvTable& table, const ClaimFilter& filter) {
  const auto claims = choose_claims(table, filter);
  EXPECT_TRUE(claims);
  std::string all;
  for (const CsvTable::Row* row : *claims) all += table.cell(*row, "id") + " ";
  return all;
}

TEST(Claims, AreChosenByVerdictObjectiveAndWords) {
  const CsvTable table = ledger();
  EXPECT_EQ(ids(table, {}), "S1 S2 S3 ");
  EXPECT_EQ(ids(table, {.verdict = "wrong", .objective = "", .words = ""}), "S1 ");
  EXPECT_EQ(ids(table, {.verdict = "", .objective = "2.7", .words = ""}), "S2 S3 ");
  EXPECT_EQ(ids(table, {.verdict = "", .objective = "", .words = "nvlink  450"}), "S2 ");
  EXPECT_EQ(ids(table, {.verdict = "correct", .objective = "2.1", .words = ""}), "");
}

TEST(Claims, NameAnOptionThatTheLedgerDoesNotHave) {
  const CsvTable table = ledger();
  const auto claims = choose_claims(table, {.verdict = "false", .objective = "9.9", .words = ""});
  ASSERT_FALSE(claims);
  ASSERT_EQ(claims.error().size(), 2U);
  EXPECT_EQ(claims.error()[0].path, "--verdict");
  EXPECT_EQ(claims.error()[0].hint, "The ledger has: correct, misleading, wrong.");
  EXPECT_EQ(claims.error()[1].path, "--objective");
}

TEST(Claims, AreSaidWithWhatHoldsAndTheSource) {
  const CsvTable table = ledger();
  const auto claims = choose_claims(table, {.verdict = "wrong", .objective = "", .words = ""});
  EXPECT_EQ(claims_text(table, *claims),
            "S1  wrong  (objective 2.1, memory)\n"
            "  claim     Training takes four times the memory.\n"
            "  notes say 4x\n"
            "  holds     16 bytes a parameter\n"
            "  why       Counts, not words\n"
            "  source    paper\n\n"
            "1 of 3 claims\n");
  EXPECT_EQ(
      claims_json(table, *claims),
      R"({"claims":[{"id":"S1","objective":"2.1","topic":"memory",)"
      R"("statement":"Training takes four times the memory.","notes_say":"4x","answer":"16 bytes a parameter",)"
      R"("verdict":"wrong","engine":"rule","source":"paper","explanation":"Counts, not words"}],"count":1,"of":3})");
}

}  // namespace
}  // namespace podwright::cli::claims_test
