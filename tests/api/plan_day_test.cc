// Replicas that follow the hours of the day, in a plan of machines rented by the hour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "api/plan_example.h"

namespace podwright::plan_day_test {
namespace {

using namespace plan_example;

/// `more` of the workload; hours come from `traffic`.
std::string chat_with(const std::string& traffic, const std::string& more = "", const std::string& constraints = "") {
  // Machines of 8 GPUs, whatever the catalog has.
  return R"({"kind":"plan","quotes":[{"name":"offer","provider":"cloud","gpu":"h100-sxm5-80gb","as_of":"2026-10-01",
  "type":"rent","gpus_per_machine":8,"cluster_network":true,"usd_per_gpu_hour":2.5}],"workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":60,)" +
         more + R"("input_tokens":1500,"output_tokens":400,"ttft_s_p95_max":2,"tpot_s_p95_max":0.06)" + traffic +
         R"(}],"constraints":{"gpus":["h100-sxm5-80gb"])" + constraints + R"(},"options":{"top":1,"draws":0}})";
}

constexpr double kInstance = 8;
const std::string kFlat = "";
const std::string kOffice = R"(,"traffic":{"hours":[1,1,1,1,1,1,2,4,7,10,12,12,11,12,12,11,10,7,4,3,2,2,1,1]})";
const std::string kSteady = R"(,"traffic":{"hours":[3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3,3]})";

double cloud(const JsonNode& answer, std::initializer_list<std::string_view> key) {
  const JsonNode* of = find(answer, {"plans", "0", "cost", "cloud"});
  EXPECT_NE(of, nullptr) << json_text(answer).substr(0, 500);
  return of == nullptr ? 0 : number(*of, key);
}

const JsonNode* day_of(const JsonNode& answer) { return find(answer, {"plans", "0", "estimates", "0", "day"}); }

// Each hour has the replicas of its share of the busiest one, rounded up.
TEST(PlanDay, HoursHaveTheirReplicas) {
  const JsonNode answer = answer_of(chat_with(kOffice));
  const JsonNode* day = day_of(answer);
  ASSERT_NE(day, nullptr);
  const double gpus = number(answer, {"plans", "0", "demand", "peak_gpus"});
  const double peak = number(*day, {"hours_of_day", "10", "replicas"});
  EXPECT_EQ(number(*day, {"hours_of_day", "10", "gpu_count"}), gpus);
  EXPECT_EQ(number(*day, {"hours_of_day", "8", "replicas"}), std::ceil(peak * 7 / 12));
  EXPECT_EQ(number(*day, {"hours_of_day", "0", "replicas"}), std::max(1.0, std::ceil(peak / 12)));
  EXPECT_NEAR(number(*day, {"hours_of_day", "9", "requests_per_s"}), 50, 1e-9);
}

// What stands on average, instance by instance and hour by hour, with the starts.
TEST(PlanDay, TheBillIsThatOfTheHours) {
  const JsonNode answer = answer_of(chat_with(kOffice));
  const JsonNode& hours = *day_of(answer)->find("hours_of_day");
  const double start_h = number(*day_of(answer), {"replica_start_s"}) / 3600;
  double sum = 0;
  double before = std::ceil(number(hours, {"23", "gpu_count"}) / kInstance);
  for (const JsonNode& hour : hours.items) {
    const double instances = std::ceil(number(hour, {"gpu_count"}) / kInstance);
    sum += instances + start_h * std::max(0.0, instances - before);
    before = instances;
  }
  EXPECT_NEAR(cloud(answer, {"followed_day", "rented_gpus_mean"}), sum / 24 * kInstance, 1e-9);
  EXPECT_NEAR(cloud(answer, {"followed_day", "idle_share"}),
              1 - number(answer, {"plans", "0", "demand", "mean_gpus"}) / (sum / 24 * kInstance), 1e-12);
}

TEST(PlanDay, WhatFollowingSavesIsTheDifferenceToStaying) {
  const JsonNode answer = answer_of(chat_with(kOffice));
  const JsonNode flat = answer_of(chat_with(kFlat));
  const double saved = cloud(answer, {"followed_day", "saved_usd_per_year"});
  EXPECT_GT(saved, 0);
  EXPECT_NEAR(cloud(answer, {"as_needed_usd_per_year"}) + saved, cloud(flat, {"as_needed_usd_per_year"}), 1);
}

// A day without changes is a peak all the time, and needs no start.
TEST(PlanDay, ASteadyDayIsNoDay) {
  const JsonNode steady = answer_of(chat_with(kSteady));
  const JsonNode flat = answer_of(chat_with(kFlat));
  EXPECT_EQ(cloud(steady, {"followed_day", "saved_usd_per_year"}), 0);
  EXPECT_EQ(cloud(steady, {"as_needed_usd_per_year"}), cloud(flat, {"as_needed_usd_per_year"}));
  EXPECT_EQ(day_of(flat), nullptr);
  EXPECT_EQ(find(flat, {"plans", "0", "cost", "cloud", "followed_day"}), nullptr);
}

// A slower start is paid for, once for every replica and day that begins.
TEST(PlanDay, AStartIsPaidFor) {
  const JsonNode fast = answer_of(chat_with(kOffice, R"("replica_start_s":0,)"));
  const JsonNode slow = answer_of(chat_with(kOffice, R"("replica_start_s":3600,)"));
  const JsonNode published = answer_of(chat_with(kOffice));
  EXPECT_EQ(number(*day_of(slow), {"replica_start_s"}), 3600);
  EXPECT_LT(cloud(fast, {"as_needed_usd_per_year"}), cloud(published, {"as_needed_usd_per_year"}));
  EXPECT_LT(cloud(published, {"as_needed_usd_per_year"}), cloud(slow, {"as_needed_usd_per_year"}));
  // Up once a day from the night's instances to all.
  const double night = std::ceil(number(*day_of(fast), {"hours_of_day", "0", "gpu_count"}) / kInstance) * kInstance;
  const double noon = std::ceil(number(*day_of(fast), {"hours_of_day", "10", "gpu_count"}) / kInstance) * kInstance;
  const double more =
      cloud(slow, {"followed_day", "rented_gpus_mean"}) - cloud(fast, {"followed_day", "rented_gpus_mean"});
  EXPECT_GE(more, (noon - night) / 24 - 1e-9);
}

// Seconds: instance and engine as published, and the weights at their rate.
TEST(PlanDay, AStartReadsTheWeights) {
  const JsonNode answer = answer_of(chat_with(kOffice));
  const double start = number(*day_of(answer), {"replica_start_s"});
  const double weights =
      number(answer, {"plans", "0", "estimates", "0", "memory_per_gpu", "weights_gib"}) * 1.073741824;
  const double replica = number(*day_of(answer), {"hours_of_day", "10", "gpu_count"}) /
                         number(*day_of(answer), {"hours_of_day", "10", "replicas"});
  EXPECT_NEAR(start, 180 + 200 + weights * std::min(8.0, replica) / 1.05, 0.01);
}

// Another mean than that of the hours moves the bill towards none or all of the time.
TEST(PlanDay, AMeanOfItsOwnScalesTheDay) {
  const double own = cloud(answer_of(chat_with(kOffice)), {"followed_day", "rented_gpus_mean"});
  const auto with_mean = [](const std::string& mean) {
    return cloud(answer_of(chat_with(kOffice, "\"mean_requests_per_s\":" + mean + ",")),
                 {"followed_day", "rented_gpus_mean"});
  };
  const double hours_mean = 60.0 * 129 / 24 / 12;
  EXPECT_NEAR(with_mean(std::to_string(hours_mean)), own, 1e-3);
  EXPECT_LT(with_mean("15"), own);
  EXPECT_GT(with_mean("50"), own);
}

// What is owned does not follow: its bill is that of the same mean without hours.
TEST(PlanDay, OwnedMachinesStay) {
  const JsonNode hours = answer_of(chat_with(kOffice));
  const JsonNode mean =
      answer_of(chat_with(kFlat, R"("mean_requests_per_s":)" + std::to_string(60.0 * 129 / 24 / 12) + ","));
  const auto owned = [](const JsonNode& answer) {
    return number(answer, {"plans", "0", "cost", "on_premises", "annual_usd"});
  };
  EXPECT_NEAR(owned(hours), owned(mean), 1e-3 * owned(mean));
}

// A run waits for the quiet hours of the curve, so the curve stays.
TEST(PlanDay, ARunBesideItKeepsTheCurve) {
  const std::string run =
      R"({"name":"tune","type":"training","model":"llama-3.1-8b","method":"lora","tokens":1e9,"deadline_days":20,"runs_per_year":6},)";
  std::string request = chat_with(kOffice);
  request.insert(request.find(R"({"name":"chat")"), run);
  EXPECT_EQ(find(answer_of(request), {"plans", "0", "estimates", "1", "day"}), nullptr);
}

// A reason names the day and an assumption its start; neither is there without hours.
TEST(PlanDay, IsTold) {
  const std::string day = json_text(answer_of(chat_with(kOffice)));
  const std::string flat = json_text(answer_of(chat_with(kFlat)));
  for (const char* part : {"\"followed-day\"", "set replica_start_s"}) {
    EXPECT_NE(day.find(part), std::string::npos) << part;
    EXPECT_EQ(flat.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(json_text(answer_of(chat_with(kOffice, R"("replica_start_s":60,)"))).find("set replica_start_s"),
            std::string::npos);
}

}  // namespace
}  // namespace podwright::plan_day_test
