#include "perf/training_arithmetic.h"

#include <gtest/gtest.h>

namespace podwright::training_arithmetic_test {
namespace {

// arXiv 2104.04473 section 2.2: 8 stages, 64 micro-batches of 3 s each. A plain schedule idles (8 - 1) x 3 s = 21 s,
// 7/64 of the ideal 192 s; with two model chunks per stage the bubble is half as long, with four a quarter.
TEST(Pipeline, BubbleOfAnInterleavedSchedule) {
  EXPECT_EQ(bubble_time(8.0, 1.0, Seconds(3)), Seconds(21));
  EXPECT_EQ(bubble_time(8.0, 2.0, Seconds(3)), Seconds(10.5));
  EXPECT_EQ(bubble_time(8.0, 4.0, Seconds(3)), Seconds(5.25));
  EXPECT_EQ(bubble_time(8.0, 1.0, Seconds(3)) / (64 * Seconds(3)), bubble_over_ideal(8.0, 64.0, 1.0));
  EXPECT_EQ(bubble_over_ideal(8.0, 64.0, 1.0), 7.0 / 64);
}

// arXiv 2205.05198 table 2 and 2104.04473 section 5.
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

double us(Seconds time) { return time.base_units() * 1e6; }

TEST(MatrixProduct, OfA4096CubeOn132Multiprocessors) {
  // 2 x 4096^3 / 500e12 = 274.878 us; 1024 tiles in 8 waves of 132 are 1056: 1/32 more, half of it remains; depth
  // 64/4096 more; 10 us to start.
  EXPECT_NEAR(us(matrix_product_time(4096.0, 4096.0, 4096.0, tflops(500), 132.0, 0.5, 64.0, 0.2, Seconds(10e-6))),
              293.535, 1e-3);
}

TEST(MatrixProduct, ThatFillsItsTilesAndWavesRunsAtTheRate) {
  EXPECT_DOUBLE_EQ(us(matrix_product_time(1280.0, 1280.0, 6400.0, tflops(100), 100.0, 1.0, 0.0, 0.0, Seconds(0))),
                   209.7152);
}

TEST(MatrixProduct, OfOneRowTakesAsLongAsItsTile) {
  const auto rows = [](double count) {
    return us(matrix_product_time(count, 128.0, 4096.0, tflops(100), 1.0, 1.0, 0.0, 0.0, Seconds(0)));
  };
  EXPECT_DOUBLE_EQ(rows(1), rows(128));
  EXPECT_DOUBLE_EQ(rows(129), 2 * rows(128));
}

TEST(MatrixProduct, WidthsOffMultiplesOf64AreSlower) {
  // Hidden sizes of BLOOM's tune-up over four ranks: 14,336 / 4 and 14,400 / 4.
  const auto per_flop = [](double columns) {
    return us(matrix_product_time(2048.0, columns, 14336.0, tflops(278), 1.0, 0.0, 39.0, 0.35, Seconds(0))) / columns;
  };
  EXPECT_NEAR(per_flop(3600) / per_flop(3584), 1.35, 1e-12);
  EXPECT_NEAR(us(matrix_product_time(128.0, 128.0, 100.0, tflops(1), 1.0, 0.0, 0.0, 0.35, Seconds(0))),
              2 * 1.6384 * 1.35, 1e-12);
}

TEST(GroupedProduct, PadsTheRowsOfEachExpert) {
  const auto time = [](double rows_each) {
    return us(grouped_product_time(8.0 * rows_each, rows_each, 1024.0, 1024.0, tflops(100), 1.0, 0.0, Seconds(0)));
  };
  EXPECT_NEAR(time(128), 8 * 2.0 * 128 * 1024 * 1024 / 100e12 * 1e6, 1e-12);
  EXPECT_DOUBLE_EQ(time(1), time(128));
  EXPECT_NEAR(time(96), time(128), 1e-12);
}

TEST(FusedAttention, IsItsWorkBeyondTheStart) {
  EXPECT_NEAR(us(fused_attention_time(Flops(1e12), tflops(500), Seconds(15e-6))), 2015, 1e-9);
  EXPECT_EQ(backward_attention_work(Flops(2e12)), Flops(5e12));
  // Llama-3-8B, 8,192 tokens: 6 x 8,192 x 4,096 FLOP a token in training, a third of it forward, over two ranks.
  EXPECT_NEAR(attention_work_of_rank(Flops(6.0 * 8192 * 4096), 8192.0, 2.0).base_units(), 8192.0 * 8192 * 4096, 1);
}

TEST(UnfusedAttention, PassesItsScoresThroughMemory) {
  const Bytes scores = score_pass_bytes(2048.0, 96.0, 2048.0, 8.0);
  EXPECT_EQ(scores, bytes(2.0 * 2048 * 12 * 2048));  // 12 heads a rank
  EXPECT_NEAR(us(unfused_attention_time(Flops(1e11), tflops(100), 1.5, 6.0, scores, gb_per_s(2000), Seconds(10e-6))),
              30 + 1500 + 6 * 100.663296 / 2, 1e-9);
}

TEST(Streaming, OfALayerOfLlama8b) {
  // 2 B x 8,192 tokens x (12 x 4,096 + 4 x 6,144 + 4 x 14,336) = 2.147 GB
  const Bytes payload = elementwise_bytes(8192.0, 4096.0, 1.0, 6144.0, 4.0 * 14336.0, 1.0);
  EXPECT_EQ(payload, bytes(2.0 * 8192 * (49152 + 24576 + 57344)));
  EXPECT_NEAR(us(streaming_time(payload, 1.5, gb_per_s(3000))), 1073.74, 0.01);
  EXPECT_EQ(elementwise_bytes(8192.0, 4096.0, 8.0, 6144.0, 4.0 * 14336.0, 8.0), payload / 8.0);
}

TEST(Streaming, AccumulationAndOptimizerPassEachParameterOnce) {
  EXPECT_DOUBLE_EQ(us(accumulation_time(1e9, 12.0, gb_per_s(2000))), 6000);
  EXPECT_DOUBLE_EQ(us(optimizer_time(1e9, 30.0, gb_per_s(3000))), 10000);
  EXPECT_EQ(quantised_bytes(4096.0, 6144.0, 0.0, 0.0), bytes(4.0 * 4096 * 6144));
}

TEST(Experts, RowsFollowTokensChoicesAndTheBusiestRank) {
  EXPECT_EQ(expert_rows(4096.0, 8.0, 2.0, 1.0), 16384);
  EXPECT_EQ(expert_rows(4096.0, 8.0, 2.0, 1.25), 20480);
  EXPECT_EQ(permuted_bytes(16384.0, 2048.0, 8.0), bytes(2.0 * 16384 * 2048 * 8));
  EXPECT_EQ(expert_elementwise_bytes(16384.0, 768.0), bytes(8.0 * 16384 * 768));
}

TEST(Experts, ATokenReachesTheNodesOfItsExperts) {
  EXPECT_DOUBLE_EQ(nodes_of_token(1.0, 8.0, 1.0), 1);
  EXPECT_DOUBLE_EQ(nodes_of_token(2.0, 1.0, 2.0), 1);
  EXPECT_NEAR(nodes_of_token(4.0, 8.0, 4.0), 4 * (1 - 0.1001129150390625), 1e-12);  // 0.75^8
  EXPECT_DOUBLE_EQ(nodes_of_token(8.0, 8.0, 4.0), 4);                               // the limit of DeepSeek-V3
}

TEST(Experts, BothNetworksCarryAtOnce) {
  // 4,096 tokens x 7,168 x 2 B, 8 experts each over 8 ranks of a node; 4 of 8 nodes.
  const Bytes tokens = bytes(4096.0 * 7168 * 2);
  const Bytes inside = expert_bytes_inside(tokens, 8.0, 8.0);
  const Bytes across = expert_bytes_across(tokens, 4.0, 8.0);
  EXPECT_EQ(inside, tokens * 7.0);
  EXPECT_EQ(across, tokens * 3.5);
  const auto time = [&](double link, double network) {
    return us(expert_exchange_time(inside, gb_per_s(link), across, gb_per_s(network), Seconds(10e-6)));
  };
  EXPECT_NEAR(time(400, 40), 20 + 3.5 * 58720256 / 40e9 * 1e6, 1e-6);    // the network binds
  EXPECT_NEAR(time(400, 400), 20 + 7.0 * 58720256 / 400e9 * 1e6, 1e-6);  // the links bind
  EXPECT_EQ(expert_bytes_inside(tokens, 8.0, 1.0), bytes(0));
}

TEST(ContextExchange, MovesKeysAndValues) {
  // Llama-3-8B, 8,192 tokens over two ranks: half of 4 B x 8,192 x 8 heads x 128.
  EXPECT_EQ(ring_bytes(4096.0, 2.0 * 8.0 * 128.0, 2.0), bytes(0.5 * 4 * 8192 * 8 * 128));
  EXPECT_EQ(ring_bytes(8192.0, 2.0 * 8.0 * 128.0, 1.0), bytes(0));
  // The all-to-all moves queries and output too, but each only once.
  EXPECT_EQ(head_exchange_bytes(4096.0, 2.0 * 8.0 * 128.0 + 2.0 * 32.0 * 128.0, 2.0), bytes(0.5 * 2 * 4096 * 10240));
}

TEST(Overlap, LeavesWhatIsLongerAndAShareOfTheRest) {
  EXPECT_DOUBLE_EQ(interfering_exchange(Seconds(3), Seconds(5), 0.2).base_units(), 0.6);
  EXPECT_DOUBLE_EQ(interfering_exchange(Seconds(7), Seconds(5), 0.2).base_units(), 3);
  EXPECT_EQ(interfering_exchange(Seconds(7), Seconds(5), 0.0), Seconds(2));
  EXPECT_EQ(interfering_exchange(Seconds(0), Seconds(5), 0.2), Seconds(0));
}

TEST(Host, CountsBeyondTheTimeOfTheGpu) {
  EXPECT_EQ(host_excess(Seconds(2), Seconds(5)), Seconds(0));
  EXPECT_EQ(host_excess(Seconds(5), Seconds(2)), Seconds(3));
}

TEST(Scale, CostsAShareForEachDoubling) {
  EXPECT_DOUBLE_EQ(lost_to_scale(Seconds(10), 0.01, 3.0).base_units(), 0.3);
  EXPECT_EQ(lost_to_scale(Seconds(10), 0.01, 0.0), Seconds(0));
}

TEST(Stages, SendForwardAndBackwardForEachChunk) {
  EXPECT_DOUBLE_EQ(stage_transfers(Seconds(1), 4.0, 0.5).base_units(), 4);
  EXPECT_EQ(shorter_time(Seconds(2), Seconds(3)), Seconds(2));
}

}  // namespace
}  // namespace podwright::training_arithmetic_test
