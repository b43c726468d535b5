#include "perf/calendar.h"

#include <gtest/gtest.h>

#include "model/flops.h"

namespace podwright::calendar_test {
namespace {

double days_of(double parameters, double tokens, double gpus, double tflops_per_gpu, bool recompute) {
  const Flops once = matmul_training_flops(parameters) * tokens;
  const Flops work = recompute ? hardware_flops_full_recompute(once) : once;
  return time_at_utilisation(work, gpus, tflops(tflops_per_gpu), 1.0) / days(1);
}

// arXiv 2104.04473 section 5.1 prints 34 and 84 days; BigScience planned 13B with both conventions.
TEST(RunTime, OfPrintedRuns) {
  EXPECT_NEAR(days_of(175e9, 300e9, 1024, 140, true), 33.9, 0.05);
  EXPECT_NEAR(days_of(1.008e12, 450e9, 3072, 163, true), 83.9, 0.05);
  EXPECT_NEAR(days_of(13e9, 300e9, 256, 45, true), 31.35, 0.005);
  EXPECT_NEAR(days_of(13e9, 300e9, 256, 45, false), 23.51, 0.005);
}

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu_of(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model_of(std::string_view id) { return **find_model(facts(), id); }

struct Answered {
  std::optional<Calendar<NoTrace>> calendar;
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
};

Answered calendar_of(const CalendarRequest& request, std::string_view gpu, double gpu_count, double tokens_per_s,
                     const TrainingRun& run = {}) {
  NoTrace trace;
  Answered answered;
  std::optional<Seconds> per_failure;
  if (request.gpu_hours_per_failure) per_failure = hours(*request.gpu_hours_per_failure);
  answered.calendar = training_calendar(trace, facts(), model_of("llama-3.1-405b"), gpu_of(gpu), nullptr, run,
                                        gpu_count, request, per_failure, per_second(tokens_per_s),
                                        std::optional<Watts>(), answered.assumptions, answered.reasons);
  return answered;
}

CalendarRequest tokens(double count) {
  CalendarRequest request;
  request.tokens = count;
  return request;
}

// The published run: 16,384 H100 at about 400 TFLOP/s each, more than 90 % of the time effective.
TEST(TrainingCalendar, OfLlama3) {
  const Answered answered = calendar_of(tokens(1e12), "h100-sxm5-80gb", 16384, 16384 * 160.0);
  ASSERT_TRUE(answered.calendar);
  const Calendar<NoTrace>& calendar = *answered.calendar;
  EXPECT_NEAR(calendar.mean_time_between_failures / hours(1), 3.093, 0.0005);
  EXPECT_NEAR(*calendar.checkpoint / gb(1), 5670, 20);
  EXPECT_NEAR(calendar.write.base_units(), 12.7, 0.1);
  EXPECT_GT(calendar.goodput.share, 0.90);
  EXPECT_LT(calendar.goodput.share, 0.95);
  EXPECT_NEAR(*calendar.run_time / calendar.without_interruptions, 1 / calendar.goodput.share, 1e-12);
  EXPECT_NEAR(*calendar.expected_failures, *calendar.run_time / hours(3.093), 0.01);
  EXPECT_EQ(*calendar.gpu_time, 16384 * *calendar.run_time);
  EXPECT_FALSE(calendar.energy);
  EXPECT_FALSE(calendar.cost);
  EXPECT_TRUE(answered.reasons.empty());
  EXPECT_EQ(answered.assumptions.size(), 3u);
}

TEST(TrainingCalendar, TakesWhatTheRequestSays) {
  CalendarRequest request = tokens(1e12);
  request.write_s = 60;
  request.restart_s = 0;
  request.gpu_hours_per_failure = 11135.0 / 3600 * 16384;
  request.gpu_price_usd_per_hour = 2;
  const Answered answered = calendar_of(request, "h100-sxm5-80gb", 16384, 16384 * 160.0);
  ASSERT_TRUE(answered.calendar);
  EXPECT_NEAR(answered.calendar->goodput.interval.base_units(), 1156, 0.5);
  EXPECT_NEAR(answered.calendar->goodput.share, 1 - 0.104, 5e-4);
  EXPECT_NEAR(*answered.calendar->cost / usd(1), 2 * (*answered.calendar->gpu_time / hours(1)), 1e-6);
  EXPECT_TRUE(answered.assumptions.empty());
}

TEST(TrainingCalendar, AsynchronousCheckpointsPauseForTheHostCopy) {
  CalendarRequest request = tokens(1e12);
  const double whole = calendar_of(request, "h100-sxm5-80gb", 16384, 1e6).calendar->goodput.share;
  request.asynchronous = true;
  const Answered answered = calendar_of(request, "h100-sxm5-80gb", 16384, 1e6);
  EXPECT_LT(*answered.calendar->pause, seconds(0.01));
  EXPECT_EQ(answered.calendar->goodput.interval, answered.calendar->write);
  EXPECT_GT(answered.calendar->goodput.share, whole);
}

TEST(TrainingCalendar, SaysWhenARunDoesNotMoveOn) {
  CalendarRequest request = tokens(1e12);
  request.gpu_hours_per_failure = 1000;
  const Answered answered = calendar_of(request, "h100-sxm5-80gb", 16384, 1e6);
  ASSERT_TRUE(answered.calendar);
  EXPECT_FALSE(answered.calendar->run_time);
  EXPECT_EQ(answered.calendar->goodput.share, 0);
  ASSERT_EQ(answered.reasons.size(), 1u);
  EXPECT_EQ(answered.reasons[0].code, "no-progress");
  EXPECT_FALSE(answered.reasons[0].ways_out.empty());
}

TEST(TrainingCalendar, SaysWhenTheDeadlinePasses) {
  CalendarRequest request = tokens(1e12);
  request.deadline_days = 3;
  TrainingRun run;
  run.global_batch_size = 2048;
  run.parallelism.data = 128;
  const Answered answered = calendar_of(request, "h100-sxm5-80gb", 16384, 16384 * 160.0, run);
  ASSERT_EQ(answered.reasons.size(), 1u);
  EXPECT_EQ(answered.reasons[0].code, "deadline");
  EXPECT_EQ(answered.reasons[0].ways_out[0].text(), R"({"parallelism":{"data":256}})");
  EXPECT_GT(answered.reasons[0].shortfall, 1);
}

TEST(FailureRateOf, PrefersTheSameGpuThenTheFamilyThenTheLargestFleet) {
  EXPECT_EQ(failure_rate_of(facts(), gpu_of("h100-sxm5-80gb"))->fleet, "Meta Llama 3 405B");
  EXPECT_EQ(failure_rate_of(facts(), gpu_of("h200-sxm5-141gb"))->fleet, "Crusoe");
  EXPECT_EQ(failure_rate_of(facts(), gpu_of("a100-sxm4-80gb"))->fleet, "Meta RSC-1");
  EXPECT_NE(failure_rate_of(facts(), gpu_of("b200-sxm")), nullptr);
}

TEST(Stragglers, SlowARunMoreWithMoreGpus) {
  CalendarRequest request = tokens(1e12);
  request.step_time_variation = 0.02;
  const Answered few = calendar_of(request, "h100-sxm5-80gb", 8, 1e6);
  const Answered many = calendar_of(request, "h100-sxm5-80gb", 16384, 1e6);
  EXPECT_NEAR(*few.calendar->slowest_over_mean, 1.03, 0.002);
  EXPECT_NEAR(*many.calendar->slowest_over_mean, 1.08, 0.002);
  EXPECT_FALSE(calendar_of(request, "h100-sxm5-80gb", 1, 1e6).calendar->slowest_over_mean);
}

}  // namespace
}  // namespace podwright::calendar_test
