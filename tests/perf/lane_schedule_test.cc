#include "perf/lane_schedule.h"

#include <gtest/gtest.h>

namespace podwright::lane_schedule_test {
namespace {

TEST(Serving, RequestsInFlightByLittlesLaw) {
  const double rate = 99123 / 294.45;  // output tokens a second over tokens of a request
  EXPECT_NEAR(rate, 336.6, 0.05);
  EXPECT_NEAR(requests_in_flight(per_second(rate), Seconds(0.2459), 294.45 - 1.0, Seconds(0.1233)), 12263, 1);
}

TEST(Serving, PromptsThatFitBetweenDecodeStepsDoNotLengthenARequest) {
  EXPECT_EQ(prompt_chunks(1024.0, 1984.0), 1);
  EXPECT_EQ(prompt_chunks(5000.0, 2000.0), 3);
  EXPECT_EQ(request_steps(511.0, 1.0, 64.0 * 1024.0, 1984.0), 512);
  EXPECT_EQ(mixed_steps(512.0, 64.0 * 1024.0, 1024.0), 64);
  EXPECT_EQ(prompts_per_step(64.0, 15.0), 4);
  EXPECT_EQ(prompt_tokens_of_step(0.125, 1024.0, 1984.0), 1024);   // one prompt at a time
  EXPECT_EQ(prompt_tokens_of_step(4.0, 128.0, 1984.0), 4 * 128);   // four come in each step
  EXPECT_EQ(prompt_tokens_of_step(4.0, 1024.0, 1984.0), 1984);     // as far as there is room
  EXPECT_GT(request_steps(15.0, 1.0, 64.0 * 1024.0, 1984.0), 16);  // short answers: prompts queue
}

TEST(Serving, TimesOfARequestAddUp) {
  const Seconds prompt = prompt_time(Seconds(0.05), Seconds(0.02), 1.0, 2.0);
  EXPECT_DOUBLE_EQ(prompt.base_units(), 0.015);
  EXPECT_DOUBLE_EQ(cycle_time(511.0, Seconds(0.02), 64.0, prompt).base_units(), 512 * 0.02 + 64 * 0.015);
  const Seconds queue = prompt_queue(0.5, 64.0, prompt);
  EXPECT_DOUBLE_EQ(queue.base_units(), 0.24);
  const Seconds first = wait_for_step(Seconds(0.02), 1024.0, 1984.0) + prompt + queue;
  const Seconds request = first + answer_time(511.0, Seconds(0.02), 64.0, prompt, queue);
  EXPECT_DOUBLE_EQ(request.base_units(), 0.02 + 511 * 0.02 + 64 * 0.015);
  EXPECT_DOUBLE_EQ((first + 511 * time_per_output_token(request, first, 511.0)).base_units(), request.base_units());
}

}  // namespace
}  // namespace podwright::lane_schedule_test
