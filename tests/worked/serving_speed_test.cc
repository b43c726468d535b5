/// Published serving runs and what follows from them. Tolerances: the digits that the source prints.
#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "model/parameters.h"
#include "perf/collectives.h"
#include "perf/lane_schedule.h"
#include "perf/roofline.h"
#include "perf/step_arithmetic.h"

namespace podwright::serving_speed_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

// MLPerf Inference v5.1, entry 5.1-0069: eight B200, llama2-70b, server.
TEST(WorkedServing, RequestsInFlightOfAServerRun) {
  const double output = 294.45;
  const PerSecond rate = per_second(99123 / output);
  EXPECT_NEAR(rate.base_units(), 336.6, 0.05);
  const double in_flight = requests_in_flight(rate, seconds(0.2459), tokens_after_first(output), seconds(0.1233));
  EXPECT_NEAR(in_flight, 12263, 0.5);
  EXPECT_NEAR(in_flight / 8, 1533, 0.5);
  EXPECT_LT(in_flight / 8, 2048);
}

// vLLM on the fp8 cache: slope of the time between tokens over the length, Llama-3.1-8B on H100.
TEST(WorkedServing, SpeedOfReadingTheCache) {
  const auto speed = [](double bytes_per_token, double slope) {
    return gb_per_s(1) * (transfer_time(bytes(bytes_per_token), gb_per_s(1)) / seconds(slope));
  };
  EXPECT_NEAR(speed(131072, 4.37e-8) / gb_per_s(1000), 3.00, 0.005);
  EXPECT_NEAR(speed(65536, 2.37e-8) / gb_per_s(1000), 2.77, 0.005);
}

// The same fit at zero context: 16-bit weights over the shortest time between tokens.
TEST(WorkedServing, SpeedOfReadingTheWeights) {
  const Model& model = **find_model(facts(), "llama-3.1-8b");
  NoTrace none;
  const Bytes weights = weight_bytes(parameter_parts(none, model).total, 16.0, 1.0);
  EXPECT_NEAR(weights / gb(1), 16.06, 0.005);
  EXPECT_NEAR(weights / milliseconds(6.44) / gb_per_s(1000), 2.5, 0.05);
  EXPECT_NEAR(weights / milliseconds(3.93) / gb_per_s(1000), 4.1, 0.05);
}

// Llama-3-8B F16 on an RTX 4090 (XiongjieDai): ceiling of one sequence, and what was measured.
TEST(WorkedServing, CeilingOfOneSequence) {
  const Seconds token = transfer_time(gib(14.96), BytesPerSecond(1.008e12));
  EXPECT_NEAR(seconds(1) / token, 62.8, 0.05);
  EXPECT_NEAR(54.84 * (token / seconds(1)), 0.87, 0.005);
}

TEST(WorkedServing, ExpertsThatTokensTouch) {
  const auto touched = [](double tokens) { return experts_touched(256.0, untouched_expert_share(256.0, 8.0, tokens)); };
  EXPECT_NEAR(touched(1), 8, 1e-9);
  EXPECT_NEAR(touched(32), 163.3, 0.05);
  EXPECT_NEAR(touched(64), 222.4, 0.05);
  EXPECT_NEAR(touched(128), 251.6, 0.05);
}

TEST(WorkedServing, RingOfEightGpus) {
  const Bytes payload = message_bytes(128.0, 8192.0, 2.0);
  EXPECT_NEAR(all_reduce_time(8.0, payload, gb_per_s(468), seconds(0)) / microseconds(1), 7.84, 0.005);
}

}  // namespace
}  // namespace podwright::serving_speed_test
