#include "api/explain_request.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/ask.h"

namespace podwright::topic_test {
namespace {

const std::string kTopic = R"({"kind":"explain","topic":"reference-architectures"})";

const JsonNode& members(const JsonNode& answer, std::string_view key) {
  static const JsonNode none;
  const JsonNode* list = answer.find(key);
  EXPECT_NE(list, nullptr) << key;
  return list == nullptr ? none : *list;
}

TEST(ExplainTopic, GivesAllTwentyThreeStatementsWithSourcesThatExist) {
  const Reply asked = ask(kTopic);
  EXPECT_EQ(asked.outcome, Outcome::answer);
  const JsonNode& claims = members(asked.answer, "claims");
  ASSERT_EQ(claims.items.size(), 23u);
  for (std::size_t i = 0; i < claims.items.size(); ++i) {
    const JsonNode& claim = claims.items[i];
    EXPECT_EQ(claim.find("number")->number, static_cast<double>(i + 1));
    for (const char* key : {"document", "claim", "verified", "verdict", "source"})
      EXPECT_FALSE(claim.find(key)->text.empty()) << i << " " << key;
    ASSERT_FALSE(members(claim, "sources").items.empty()) << i;
    for (const JsonNode& source : members(claim, "sources").items) {
      EXPECT_NE(find_source(embedded_catalog_facts(), source.find("id")->text), nullptr) << i;
      EXPECT_NE(source.find("title"), nullptr) << i;
    }
    EXPECT_NE(find_source(embedded_catalog_facts(), claim.find("document")->text), nullptr) << i;
  }
}

TEST(ExplainTopic, GivesTheValuesOfTheCatalog) {
  const Reply asked = ask(kTopic);
  EXPECT_EQ(number_at(asked.answer, "/claims/0/claimed_value"), 1.28);
  EXPECT_EQ(number_at(asked.answer, "/claims/0/verified_value"), 25.6);
  EXPECT_EQ(number_at(asked.answer, "/claims/4/verified_value"), 248);
  EXPECT_EQ(asked.answer.find("claims")->items[4].find("claimed_value"), nullptr);
  EXPECT_EQ(asked.answer.find("claims")->items[2].find("unit"), nullptr);
  for (std::size_t i = 0; i < 23; ++i) {
    const ArchitectureClaim& claim = embedded_catalog_facts().architecture_claims[i];
    const JsonNode& shown = asked.answer.find("claims")->items[i];
    EXPECT_EQ(shown.find("verified_value") != nullptr, claim.verified_value.has_value()) << i;
    if (claim.verified_value) {
      EXPECT_EQ(shown.find("verified_value")->number, *claim.verified_value) << i;
    }
  }
}

TEST(ExplainTopic, TellsWhatTheMaterialCallsEachSize) {
  const JsonNode answer = ask(kTopic).answer;
  const JsonNode& sizes = members(answer, "sizes");
  ASSERT_EQ(sizes.items.size(), embedded_catalog_facts().study_bands.size());
  std::set<std::string> names;
  int gaps = 0;
  for (const JsonNode& size : sizes.items) {
    if (const JsonNode* name = size.find("name")) names.insert(name->text);
    gaps += size.find("gap") != nullptr ? 1 : 0;
    EXPECT_FALSE(size.find("correction")->text.empty());
  }
  EXPECT_EQ(names, (std::set<std::string>{"single node", "BasePOD", "DGX POD", "SuperPOD", "custom"}));
  EXPECT_EQ(gaps, 2);
}

TEST(ExplainTopic, SelectsByNumberAndByVerdict) {
  const Reply one = ask(kTopic, R"({"number":23})");
  ASSERT_EQ(members(one.answer, "claims").items.size(), 1u);
  EXPECT_EQ(number_at(one.answer, "/claims/0/verified_value"), 72);
  EXPECT_EQ(one.answer.find("sizes"), nullptr);
  const Reply unconfirmed = ask(kTopic, R"({"verdict":"unconfirmed"})");
  EXPECT_EQ(members(unconfirmed.answer, "claims").items.size(), 2u);
  const Reply none = ask(kTopic, R"({"number":1,"verdict":"unconfirmed"})");
  EXPECT_EQ(none.outcome, Outcome::answer);
  EXPECT_TRUE(members(none.answer, "claims").items.empty());
}

TEST(ExplainTopic, RefusesWhatIsNoTopic) {
  EXPECT_EQ(first_error(ask(kTopic, R"({"number":24})").answer, "path"), "/number");
  EXPECT_EQ(first_error(ask(kTopic, R"({"verdict":"false"})").answer, "path"), "/verdict");
  EXPECT_EQ(first_error(ask(kTopic, R"({"topic":"prices"})").answer, "path"), "/topic");
  EXPECT_EQ(first_error(ask(kTopic, R"({"explain":true})").answer, "path"), "/explain");
  EXPECT_EQ(first_error(ask(kTopic, R"({"claim":{"parameters":8e9,"gpu":"h100-sxm5-80gb","mfu":0.4}})").answer, "path"),
            "/claim");
  EXPECT_EQ(first_error(ask(R"({"kind":"explain","number":2})").answer, "path"), "/number");
}

}  // namespace
}  // namespace podwright::topic_test
