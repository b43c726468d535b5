// The load of serving on several sites, each built and paid by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/plan_example.h"
#include "support/ask.h"

namespace podwright::plan_sites_test {
namespace {

using namespace plan_example;

/// Requests/s of all sites; `more` of the constraints.
std::string load(double peak, double mean, const std::string& more = "") {
  return R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":)" +
         std::to_string(peak) + R"(,"mean_requests_per_s":)" + std::to_string(mean) +
         R"(,"input_tokens":2000,"output_tokens":500,"ttft_s_p95_max":3,"tpot_s_p95_max":0.06}],
      "constraints":{"gpus":["h100-sxm5-80gb"])" +
         more + R"(},"economics":{"storage_tb":20},"options":{"draws":0,"top":1}})";
}

const JsonNode& plan_of(const JsonNode& answer) { return *find(answer, {"plans", "0"}); }
double owned(const JsonNode& plan, const char* key) { return number(plan, {"cost", "on_premises", key}); }

// Two sites with half of the load each are two plans of that load: design, network, storage, staff and odds.
TEST(PlanSites, EachIsThePlanOfItsShare) {
  const JsonNode one = answer_of(load(30, 12));
  const JsonNode two = answer_of(load(60, 24, R"(,"sites":2)"));
  const JsonNode& site = plan_of(two);
  for (const char* part : {"cost", "architecture", "layouts", "power", "energy", "demand"})
    EXPECT_EQ(json_text(*site.find(part)), json_text(*plan_of(one).find(part))) << part;
  EXPECT_EQ(number(site, {"all_sites", "gpu_count"}), 2 * number(plan_of(one), {"gpu_count"}));
  EXPECT_NEAR(number(site, {"all_sites", "usd_per_year"}), 2 * yearly_cost(one), 1e-6);
  EXPECT_NEAR(number(site, {"all_sites", "sites_capex_usd"}), 2 * owned(plan_of(one), "capex_usd"), 1e-6);
  EXPECT_NEAR(number(site, {"all_sites", "sites_power_max_kw"}),
              2 * number(plan_of(one), {"energy", "facility_power_max_kw"}), 1e-9);
  EXPECT_NE(site.find("summary")->text.find(" on each of 2 sites"), std::string::npos);
  EXPECT_EQ(plan_of(one).find("all_sites"), nullptr);
}

// Of three sites one may be lost: each has the GPUs of half the load, two thirds of which are used while none is.
TEST(PlanSites, TheOthersCarryALostOne) {
  const JsonNode half = answer_of(load(30, 12));
  const JsonNode three = answer_of(load(60, 24, R"(,"sites":3,"survives_site_loss":true)"));
  const JsonNode& site = plan_of(three);
  const double gpus = number(plan_of(half), {"gpu_count"});
  EXPECT_EQ(number(site, {"gpu_count"}), gpus);
  EXPECT_EQ(json_text(*find(site, {"layouts", "0", "limits"})),
            json_text(*find(plan_of(half), {"layouts", "0", "limits"})));
  const double usual = std::ceil(gpus * 2 / 3);
  EXPECT_EQ(number(site, {"demand", "reserve_gpus"}), gpus - usual);
  EXPECT_EQ(number(site, {"demand", "peak_gpus"}), gpus);
  EXPECT_NEAR(number(site, {"demand", "mean_gpus"}), number(plan_of(half), {"demand", "mean_gpus"}) * usual / gpus,
              1e-9);
  EXPECT_EQ(owned(site, "capex_usd"), owned(plan_of(half), "capex_usd"));
  EXPECT_EQ(number(site, {"all_sites", "gpu_count"}), 3 * gpus);
  // A site answers a third of the tokens, which the bill of that site pays.
  const double tokens = 24.0 / 3 * 500 * 8760 * 3600 / 1e6;
  EXPECT_NEAR(owned(site, "usd_per_million_output_tokens"), owned(site, "annual_usd") / tokens, 1e-9);
  // What waits for a loss is rented all the time.
  EXPECT_GT(
      number(site, {"cost", "cloud", "as_needed_usd_per_year"}),
      number(answer_of(load(40, 16, R"(,"sites":2)")), {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"}));
}

TEST(PlanSites, AReserveComesOnTop) {
  const JsonNode sites = answer_of(load(60, 24, R"(,"sites":2,"survives_site_loss":true)"));
  const JsonNode spare = answer_of(load(60, 24, R"(,"sites":2,"survives_site_loss":true,"spare_machines":1)"));
  EXPECT_EQ(number(spare, {"plans", "0", "demand", "reserve_gpus"}),
            number(sites, {"plans", "0", "demand", "reserve_gpus"}) + 8);
  EXPECT_EQ(number(spare, {"plans", "0", "gpu_count"}), number(sites, {"plans", "0", "gpu_count"}) + 8);
}

TEST(PlanSites, WhatCannotBeSharedIsRefused) {
  const auto refused = [](const std::string& patch) {
    const Reply reply = ask(load(60, 24), patch);
    EXPECT_EQ(reply.outcome, Outcome::wrong_input);
    return find(reply.answer, {"errors", "0", "path"})->text;
  };
  EXPECT_EQ(refused(R"({"constraints":{"survives_site_loss":true}})"), "/constraints/survives_site_loss");
  EXPECT_EQ(refused(R"({"constraints":{"sites":2},"workloads":[{"type":"training","model":"llama-3.1-8b","tokens":1e9,
      "deadline_days":9}]})"),
            "/constraints/sites");
}

}  // namespace
}  // namespace podwright::plan_sites_test
