#include <gtest/gtest.h>

#include "perf/attention.h"
#include "perf/collectives.h"
#include "perf/engine_step_formulas.h"
#include "perf/pipeline.h"
#include "perf/roofline.h"
#include "perf/serving_formulas.h"

namespace podwright::formulas_test {
namespace {

TEST(Roofline, TheLongerOfArithmeticAndTrafficBinds) {
  EXPECT_EQ(roofline_time(Flops(4e12), tflops(2), gb(1), gb_per_s(1)), Seconds(2));
  EXPECT_EQ(roofline_time(Flops(4e12), tflops(2), gb(3), gb_per_s(1)), Seconds(3));
}

TEST(Roofline, OneSequenceCannotDecodeFasterThanItsWeightsAreRead) {
  EXPECT_NEAR(Seconds(1) / transfer_time(gib(14.96), gb_per_s(1008)), 62.8,
              0.05);  // Llama-3-8B in 16 bit on an RTX 4090
}

TEST(Collectives, RingMovesAGibibyte) {
  EXPECT_EQ(all_reduce_traffic(8.0, gib(1)), gib(1.75));
  EXPECT_EQ(all_gather_traffic(8.0, gib(1)), gib(0.875));
}

TEST(Collectives, SmallMessageOfEightGpus) {
  EXPECT_NEAR(all_reduce_time(8.0, bytes(128 * 8192 * 2), gb_per_s(468), Seconds(0)).base_units() * 1e6, 7.84, 0.005);
  EXPECT_NEAR(all_reduce_time(8.0, bytes(128 * 8192 * 2), gb_per_s(468), microseconds(3)).base_units() * 1e6, 10.84,
              0.005);
}

TEST(Collectives, OneRankTakesNoTime) {
  EXPECT_EQ(all_reduce_time(1.0, gb(1), gb_per_s(400), microseconds(10)), Seconds(0));
  EXPECT_EQ(all_gather_time(1.0, gb(1), gb_per_s(400), microseconds(10)), Seconds(0));
  EXPECT_EQ(all_to_all_time(1.0, gb(1), gb_per_s(400), microseconds(10)), Seconds(0));
}

TEST(Collectives, AllReduceIsScatterAndGather) {
  const Seconds two = all_gather_time(4.0, gb(2), gb_per_s(300), Seconds(0)) * 2.0;
  EXPECT_DOUBLE_EQ(all_reduce_time(4.0, gb(2), gb_per_s(300), Seconds(0)).base_units(), two.base_units());
}

TEST(Pipeline, BubbleOverIdealTime) {
  EXPECT_NEAR(100 * bubble_over_ideal(8.0, 64.0, 3.0), 3.646, 0.0005);
  EXPECT_NEAR(100 * bubble_over_ideal(35.0, 280.0, 3.0), 4.048, 0.0005);
  EXPECT_NEAR(100 * bubble_over_ideal(64.0, 512.0, 1.0), 12.305, 0.0005);
}

TEST(Pipeline, BubbleOverTotalTime) {
  EXPECT_NEAR(bubble_over_total(8.0, 24.0, 1.0), 0.2258, 0.00005);
  EXPECT_NEAR(bubble_over_total(8.0, 64.0, 1.0), 0.0986, 0.00005);
  EXPECT_NEAR(bubble_over_total(32.0, 96.0, 1.0), 0.2441, 0.00005);
}

TEST(Pipeline, OneStageNeverWaits) {
  EXPECT_EQ(bubble_time(1.0, 1.0, Seconds(3)), Seconds(0));
  EXPECT_EQ(bubble_time_zb_h1(1.0, Seconds(1), Seconds(1), Seconds(1)), Seconds(0));
}

TEST(Pipeline, SplitBackwardLeavesAThird) {
  EXPECT_DOUBLE_EQ(bubble_time_zb_h1(8.0, Seconds(1), Seconds(1), Seconds(1)).base_units(),
                   bubble_time(8.0, 1.0, Seconds(3)).base_units() / 3);
}

TEST(Attention, CausalPairs) {
  EXPECT_EQ(causal_pairs(1000.0, 1000.0), 500000);
  EXPECT_EQ(causal_pairs(1000.0, 4000.0), 500000);        // a window longer than the sequence
  EXPECT_EQ(causal_pairs(1000.0, 100.0), 100000 - 5000);  // s w - w^2 / 2
  EXPECT_EQ(chunked_pairs(1000.0, 400.0), 2 * 80000 + 20000);
}

TEST(Attention, PromptOfASeventyBillionModel) {
  // 2 * heads * head_dim * layers * s^2 = 2 * 64 * 128 * 80 * 1024^2
  EXPECT_EQ(attention_work(80.0 * causal_pairs(1024.0, 1024.0), 64.0, 128.0, 128.0),
            Flops(2.0 * 64 * 128 * 80 * 1024 * 1024));
}

TEST(Experts, TouchedByATokenBatch) {
  const auto touched = [](double tokens) { return experts_touched(256.0, untouched_expert_share(256.0, 8.0, tokens)); };
  EXPECT_DOUBLE_EQ(touched(1), 8);
  EXPECT_NEAR(touched(32), 163.3, 0.05);
  EXPECT_NEAR(touched(64), 222.4, 0.05);
  EXPECT_NEAR(touched(128), 251.6, 0.05);
  EXPECT_EQ(untouched_expert_share(8.0, 8.0, 1.0), 0);
}

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
  EXPECT_EQ(prompt_tokens_of_step(64.0, 511.0, 1024.0, 1984.0), 1024);   // one prompt at a time
  EXPECT_EQ(prompt_tokens_of_step(64.0, 15.0, 128.0, 1984.0), 4 * 128);  // four come in each step
  EXPECT_EQ(prompt_tokens_of_step(64.0, 15.0, 1024.0, 1984.0), 1984);    // as far as there is room
  EXPECT_GT(request_steps(15.0, 1.0, 64.0 * 1024.0, 1984.0), 16);        // short answers: prompts queue
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
}  // namespace podwright::formulas_test
