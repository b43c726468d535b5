// Prices that a request brings come before those of the catalog, and every plan says which it takes.
#include <gtest/gtest.h>

#include <string>

#include "api/plan_example.h"
#include "api/quotes_request.h"
#include "support/ask.h"

namespace podwright::plan_quotes_test {
namespace {

using namespace plan_example;

const std::string kChat = chat(R"({"gpus":["h100-sxm5-80gb"]})", "{}", R"({"top":1,"draws":1000})");

std::string quoted(const std::string& quotes) { return R"({"quotes":[)" + quotes + "]}"; }

std::string rent(const std::string& name, double price, const std::string& more = "") {
  return R"({"type":"rent","name":")" + name + R"(","provider":"acme","gpu":"h100-sxm5-80gb","as_of":"2026-10-01",
      "usd_per_gpu_hour":)" +
         std::to_string(price) + more + "}";
}
std::string server(const std::string& name, double price, const std::string& more = "") {
  return R"({"type":"server","name":")" + name + R"(","provider":"maker","gpu":"h100-sxm5-80gb","system":"dgx-h100",
      "as_of":"2026-10-01","usd_per_system":)" +
         std::to_string(price) + more + "}";
}

std::string state(const JsonNode& answer, const std::string& name) {
  const JsonNode* quotes = find(answer, {"plans", "0", "cost", "quotes"});
  if (quotes == nullptr) return "none";
  for (const JsonNode& quote : quotes->items)
    if (quote.find("name")->text == name) return quote.find("state")->text;
  return "absent";
}

double cost(const JsonNode& answer, const char* way, const char* key) {
  return number(answer, {"plans", "0", "cost", way, key});
}

TEST(PlanQuotes, TheLowestThatFitsSetsTheRent) {
  const JsonNode list = ask(kChat, "{}").answer;
  const JsonNode answer =
      ask(kChat, quoted(rent("dear", 9) + "," + rent("low", 1.5, R"(,"gpus_per_machine":1)"))).answer;
  EXPECT_EQ(cost(answer, "cloud", "usd_per_gpu_hour"), 1.5);
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud", "segment"})->text, "quote");
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud", "instance"})->text, "low");
  EXPECT_EQ(state(answer, "low"), "used");
  EXPECT_EQ(state(answer, "dear"), "not-the-lowest");
  // List prices stand beside it.
  EXPECT_EQ(cost(answer, "cloud", "usd_per_gpu_hour_median"), cost(list, "cloud", "usd_per_gpu_hour_median"));
  EXPECT_EQ(find(answer, {"plans", "0", "risks", "0", "code"})->text, "quoted-price");
}

TEST(PlanQuotes, EachIsNextToTheListPriceOfTheSame) {
  const JsonNode list = ask(kChat, "{}").answer;
  const JsonNode answer = ask(kChat, quoted(rent("a", 2) + "," + rent("b", 9, R"(,"valid_until":"2026-10-01")") + "," +
                                            rent("c", 2, R"(,"term":"spot")") + "," + server("d", 1e5)))
                              .answer;
  const auto price = [&](const char* place, const char* key) {
    return find(answer, {"plans", "0", "cost", "quotes", place, key});
  };
  for (const char* place : {"0", "1"})
    EXPECT_EQ(price(place, "list_usd_per_gpu_hour")->number, cost(list, "cloud", "usd_per_gpu_hour_median"));
  // A plan rents on no such term.
  EXPECT_EQ(price("2", "list_usd_per_gpu_hour"), nullptr);
  EXPECT_GT(price("3", "list_usd_per_system")->number, 1e5);
}

TEST(PlanQuotes, AQuoteIsTakenAlsoWhereListPricesAreLower) {
  EXPECT_EQ(cost(ask(kChat, quoted(rent("dear", 12))).answer, "cloud", "usd_per_gpu_hour"), 12);
}

// A few GPUs of a machine that is billed whole.
TEST(PlanQuotes, ALowerPriceOfAGpuHourThatBillsMoreIsNotTaken) {
  const auto with = [](const std::string& quotes) {
    return ask(R"({"kind":"plan","workloads":[{"name":"w","type":"serving","model":"llama-3.1-8b",
        "peak_requests_per_s":2,"input_tokens":1500,"output_tokens":500}],
        "constraints":{"gpus":["h100-sxm5-80gb"],"ownership":"cloud"},"options":{"draws":0}})",
               quotes)
        .answer;
  };
  const JsonNode list = with("{}");
  const double price = cost(list, "cloud", "usd_per_gpu_hour");
  const JsonNode whole = with(quoted(rent("whole", price * 0.95)));
  EXPECT_EQ(yearly_cost(whole), yearly_cost(list));
  EXPECT_EQ(state(whole, "whole"), "not-the-lowest");
  const JsonNode single = with(quoted(rent("single", price * 0.95, R"(,"gpus_per_machine":1)")));
  EXPECT_LT(yearly_cost(single), yearly_cost(list));
  EXPECT_EQ(state(single, "single"), "used");
}

TEST(PlanQuotes, WhatIsExpiredOrDoesNotFitIsNotTaken) {
  const std::string expired = rent("old", 1, R"(,"valid_until":"2026-10-09")");
  const std::string today = rent("today", 3, R"(,"valid_until":"2026-10-10")");
  const std::string abroad = rent("abroad", 1, R"(,"country":"FIN")");
  const JsonNode answer = ask(kChat, quoted(expired + "," + today)).answer;
  EXPECT_EQ(state(answer, "old"), "expired");
  EXPECT_EQ(state(answer, "today"), "used");
  const std::string at_home = R"({"constraints":{"sovereignty":"in-country"},)" + quoted(abroad).substr(1);
  const JsonNode sovereign = ask(kChat, at_home).answer;
  EXPECT_EQ(state(sovereign, "abroad"), "does-not-fit");
  EXPECT_NE(cost(sovereign, "cloud", "usd_per_gpu_hour"), 1);
}

TEST(PlanQuotes, AnOrderThatIsTooSmallDoesNotFit) {
  const JsonNode answer = ask(kChat, quoted(rent("large", 0.5, R"(,"min_gpus":1000)"))).answer;
  EXPECT_EQ(state(answer, "large"), "does-not-fit");
  EXPECT_GT(cost(answer, "cloud", "usd_per_gpu_hour"), 0.5);
}

TEST(PlanQuotes, ANetworkThatIsQuotedChangesThePurchase) {
  const std::string large = R"({"workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":40,"input_tokens":2000,"output_tokens":500}],"economics":{"network_usd_per_gpu":)";
  const auto owned = [&](const char* price) { return ask(kChat, large + price + "}}").answer; };
  const JsonNode cheap = owned("1000");
  const JsonNode dear = owned("3000");
  EXPECT_EQ(cost(dear, "on_premises", "installation_usd"), cost(cheap, "on_premises", "installation_usd"));
  EXPECT_NEAR(cost(dear, "on_premises", "capex_usd") - cost(cheap, "on_premises", "capex_usd"),
              cost(dear, "on_premises", "network_usd") * 2 / 3, 1);
}

TEST(PlanQuotes, AFirmPriceIsCertain) {
  const JsonNode answer = ask(kChat, quoted(rent("firm", 2, R"(,"gpus_per_machine":1)"))).answer;
  const JsonNode* tornado = find(answer, {"plans", "0", "cost", "tornado"});
  ASSERT_NE(tornado, nullptr);
  for (const JsonNode& input : tornado->items) EXPECT_NE(input.find("input")->text, "rent_per_gpu");
  const double low = number(answer, {"plans", "0", "cost", "distribution", "rent_usd_per_year", "p5"});
  const double list =
      number(ask(kChat, "{}").answer, {"plans", "0", "cost", "distribution", "rent_usd_per_year", "p5"});
  EXPECT_GT(low, 0);
  EXPECT_NE(low, list);
}

TEST(PlanQuotes, ACommitmentMayBeQuoted) {
  const JsonNode answer = ask(kChat, quoted(rent("year", 0.9, R"(,"term":"reserved-1y")"))).answer;
  EXPECT_EQ(cost(answer, "committed", "usd_per_gpu_hour"), 0.9);
  EXPECT_EQ(state(answer, "year"), "used");
  // Of two terms only the cheaper is in a sum.
  const JsonNode two = ask(kChat, quoted(rent("one", 0.9, R"(,"term":"reserved-1y")") + "," +
                                         rent("three", 0.8, R"(,"term":"reserved-3y")")))
                           .answer;
  EXPECT_NE(state(two, "one") == "used", state(two, "three") == "used");
  const std::string short_use =
      R"({"economics":{"horizon_years":0.5},)" + quoted(rent("year", 0.9, R"(,"term":"reserved-1y")")).substr(1);
  EXPECT_EQ(state(ask(kChat, short_use).answer, "year"), "does-not-fit");
}

// Of 30 to 1,000 days, for machines that serve all the time: whatever the catalog's contracts ask.
TEST(PlanQuotes, AContractMayBeQuoted) {
  const std::string lasts = R"(,"term":"contract","contract_days_least":30,"contract_days_most":1000)";
  const JsonNode answer = ask(kChat, quoted(rent("weeks", 0.8, lasts) + "," + rent("dear", 0.9, lasts))).answer;
  EXPECT_EQ(cost(answer, "committed", "usd_per_gpu_hour"), 0.8);
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "committed", "term"})->text, "contract");
  EXPECT_EQ(state(answer, "weeks"), "used");
  EXPECT_EQ(state(answer, "dear"), "not-the-lowest");
  const JsonNode* listed = find(answer, {"plans", "0", "cost", "quotes", "0", "list_usd_per_gpu_hour"});
  ASSERT_NE(listed, nullptr);
  EXPECT_GT(listed->number, 0.8);
}

// The chat is planned for four years, and the list has contracts that end sooner.
TEST(PlanQuotes, AContractThatBindsTooLongDoesNotFit) {
  const std::string lasts = R"(,"term":"contract","contract_days_least":1600,"contract_days_most":1800)";
  const JsonNode answer = ask(kChat, quoted(rent("long", 0.06, lasts))).answer;
  EXPECT_EQ(state(answer, "long"), "does-not-fit");
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "quotes", "0", "does_not_fit", "code"})->text, "quote-unfit/contract");
}

TEST(PlanQuotes, ServersNetworkAndSupportAreOwnedAtTheirPrice) {
  const std::string own = R"({"constraints":{"ownership":"dgx"},"economics":{"network_usd_per_gpu":1000,
      "support_fraction_per_year":0.04},)" +
                          quoted(server("a", 250000) + "," + server("b", 240000) + "," +
                                 server("other", 1000, R"(,"valid_until":"2026-10-02")"))
                              .substr(1);
  const JsonNode owned = ask(R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b",
      "peak_requests_per_s":60,"mean_requests_per_s":50,"input_tokens":2000,"output_tokens":500}],
      "constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0,"top":1}})",
                             own)
                             .answer;
  const double nodes = number(owned, {"plans", "0", "architecture", "nodes"});
  ASSERT_GT(nodes, 1);
  EXPECT_EQ(cost(owned, "on_premises", "servers_usd"), nodes * 240000);
  EXPECT_EQ(cost(owned, "on_premises", "servers_usd_high"), nodes * 240000);
  EXPECT_EQ(cost(owned, "on_premises", "network_usd"), nodes * 8 * 1000);
  EXPECT_EQ(find(owned, {"plans", "0", "cost", "on_premises", "network_basis"})->text, "request");
  EXPECT_EQ(cost(owned, "on_premises", "support_fraction_per_year"), 0.04);
  EXPECT_EQ(state(owned, "b"), "used");
  EXPECT_EQ(state(owned, "a"), "not-the-lowest");
  EXPECT_EQ(state(owned, "other"), "expired");
}

TEST(QuoteTable, NamesTheLineOfWhatCannotBe) {
  const std::string head = "type,name,price,min_gpus\n";
  EXPECT_TRUE(read_quote_table(head + "rent,a,2.2,32\n"));
  for (const char* wrong : {"rent,a,-2.2,32\n", "rent,a,2.2,-32\n", "rent,a,fast,32\n", "gift,a,2,3\n"}) {
    const auto read = read_quote_table(head + "rent,b,2,1\n" + wrong);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().front().path, ":3") << wrong;
  }
  EXPECT_FALSE(read_quote_table(""));
}

TEST(PlanQuotes, BadOnesAreNamedWithTheirPath) {
  const auto refused = [](const std::string& quotes) {
    const Reply asked = ask(kChat, quoted(quotes));
    EXPECT_EQ(asked.outcome, Outcome::wrong_input);
    return find(asked.answer, {"errors", "0", "path"})->text;
  };
  EXPECT_EQ(refused(rent("x", 2, R"(,"valid_until":"soon")")), "/quotes/0/valid_until");
  EXPECT_EQ(refused(rent("x", 200)), "/quotes/0/usd_per_gpu_hour");
  EXPECT_EQ(refused(rent("x", 2, R"(,"valid_until":"2026-09-01")")), "/quotes/0/valid_until");
  EXPECT_EQ(refused(rent("x", 2, R"(,"country":"Germany")")), "/quotes/0/country");
  EXPECT_EQ(refused(rent("x", 2) + "," + rent("x", 3)), "/quotes/1/name");
  EXPECT_EQ(refused(rent("x", 2, R"(,"term":"contract","contract_days_most":9)")), "/quotes/0/contract_days_least");
  EXPECT_EQ(refused(rent("x", 2, R"(,"term":"contract","contract_days_least":9)")), "/quotes/0/contract_days_most");
  EXPECT_EQ(refused(rent("x", 2, R"(,"term":"contract","contract_days_least":9,"contract_days_most":8)")),
            "/quotes/0/contract_days_most");
  EXPECT_EQ(refused(rent("x", 2, R"(,"contract_days_least":9)")), "/quotes/0/contract_days_least");
  EXPECT_EQ(refused(R"({"type":"server","name":"x","provider":"y","gpu":"gb200","system":"dgx-h100",
      "as_of":"2026-10-01","usd_per_system":100000})"),
            "/quotes/0/gpu");
}

}  // namespace
}  // namespace podwright::plan_quotes_test
