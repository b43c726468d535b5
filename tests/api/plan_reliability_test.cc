#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/plan_example.h"
#include "catalog/catalog.h"

namespace podwright::plan_reliability_test {
namespace {

using namespace plan_example;

double told(const JsonNode& answer, std::string_view key) { return number(answer, {"plans", "0", "reliability", key}); }

TEST(PlanReliability, FailuresOfTheFleetThatStandsClosest) {
  const JsonNode answer = answer_of(chat(kH100));
  const double gpus = number(answer, {"plans", "0", "architecture", "gpus"});
  // Llama 3: one failure in 50,677 GPU-hours.
  EXPECT_NEAR(told(answer, "failures_per_year"), gpus * 8760 / 50677, 1e-3);
  EXPECT_NEAR(told(answer, "machine_hours_per_failure"), 50677.0 / 8, 0.1);
  EXPECT_NE(find(answer, {"plans", "0", "reliability", "assumption"}), nullptr);
  EXPECT_EQ(find(answer, {"plans", "0", "reliability", "availability"}), nullptr);
  ASSERT_NE(find(answer, {"plans", "0", "reliability", "missing", "0"}), nullptr);
  EXPECT_NE(find(answer, {"plans", "0", "reliability", "missing", "0"})->text.find("repair_hours"), std::string::npos);
}

TEST(PlanReliability, AvailabilityAndSparesFollowTheRepair) {
  const JsonNode answer = answer_of(chat(kH100, R"({"gpu_hours_per_failure":40000,"repair_hours":120})"));
  const double machines = number(answer, {"plans", "0", "architecture", "nodes"});
  const double failures = machines * 8760 / 5000;
  EXPECT_NEAR(told(answer, "failures_per_year"), failures, 1e-9);
  EXPECT_NEAR(told(answer, "availability"), 5000.0 / 5120, 1e-12);
  const double in_repair = failures * 120 / 8760;
  EXPECT_NEAR(told(answer, "machines_in_repair"), in_repair, 1e-12);
  EXPECT_EQ(told(answer, "spare_machines"), std::ceil(in_repair + 1.645 * std::sqrt(in_repair)));
  EXPECT_GT(told(answer, "spares_suffice"), 0.9);
  EXPECT_LE(told(answer, "spares_suffice"), 1);
  EXPECT_EQ(find(answer, {"plans", "0", "reliability", "assumption"}), nullptr);
  EXPECT_EQ(find(answer, {"plans", "0", "reliability", "missing"}), nullptr);
}

TEST(PlanReliability, WithoutARateNothingIsTold) {
  Catalog catalog = embedded_catalog_facts();
  catalog.failure_rates.clear();
  const JsonNode answer = answer_of(catalog, chat(kH100, R"({"repair_hours":120})"));
  EXPECT_EQ(find(answer, {"plans", "0", "reliability", "failures_per_year"}), nullptr);
  EXPECT_NE(find(answer, {"plans", "0", "reliability", "missing", "0"}), nullptr);
}

}  // namespace
}  // namespace podwright::plan_reliability_test
