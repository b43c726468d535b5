#include "calibration/serving_notes.h"

#include <gtest/gtest.h>

namespace podwright::serving_notes_test {
namespace {

TEST(NumberAfter, ReadsTheFirstNumberBehindAPhraseThatBeginsAWord) {
  EXPECT_EQ(number_after("agg; attn dp4; moe tp8", "attn dp"), 4);
  EXPECT_EQ(number_after("max seqs 1,024; ep=8", "max seqs"), 1024);
  EXPECT_EQ(number_after("max seqs 512; ep=8", "ep"), 8);
  EXPECT_EQ(number_after("step 5", "ep"), std::nullopt);  // inside a word
  EXPECT_EQ(number_after("chunked prefill true, chunk 8192", "chunk"), 8192);
  EXPECT_EQ(number_after("attn dp", "attn dp"), std::nullopt);
}

TEST(ServingNotes, TellGroupsAndFormats) {
  const ServingNotes notes = read_serving_notes("agg; attn DP16; MoE TP4; release:1.2.0rc2.post2; gemm nvfp4");
  EXPECT_EQ(notes.attention_data, 16);
  EXPECT_TRUE(notes.attention_is_data_parallel);
  EXPECT_EQ(notes.expert_tensor, 4);
  EXPECT_EQ(notes.expert, std::nullopt);
  EXPECT_EQ(notes.linear_format, "nvfp4");
  EXPECT_EQ(notes.expert_format, "");
  EXPECT_EQ(notes.image_version, "1.2.0rc2.post2");
}

TEST(ServingNotes, TellTheFormatOfTheExpertsApart) {
  const ServingNotes notes = read_serving_notes("agg; MoE TP8; sglang:v0.5.9-cu130; gemm fp8, moe fp8_block");
  EXPECT_EQ(notes.linear_format, "fp8");
  EXPECT_EQ(notes.expert_format, "fp8_block");
  EXPECT_EQ(notes.image_version, "0.5.9");
  EXPECT_FALSE(notes.attention_is_data_parallel);
}

TEST(ServingNotes, KnowTheImagesOfTheEnginesOnly) {
  EXPECT_EQ(read_serving_notes("agg; vllm-openai:v0.19.0-cu130; gemm -").image_version, "0.19.0");
  EXPECT_EQ(read_serving_notes("agg; vllm-openai:v0.19.0-cu130; gemm -").linear_format, "");
  EXPECT_EQ(read_serving_notes("agg; tensorrtllm-runtime:0.9.0; gemm fp8").image_version, "");
  EXPECT_EQ(read_serving_notes("agg; release:gpt-oss-dev; gemm nvfp4").image_version, "");
}

TEST(ServingNotes, TellLimitsOfTheEngineAndTheLoad) {
  const ServingNotes notes = read_serving_notes(
      "1000 chat prompts, lengths are means; scheduler steps 15, chunked prefill TRUE, max batched tokens 512, max "
      "seqs "
      "256; mean ITL 37.964 ms, p99 TTFT 177611.7 ms");
  EXPECT_EQ(notes.requests, 1000);
  EXPECT_EQ(notes.max_batched_tokens, 512);
  EXPECT_EQ(notes.max_sequences, 256);
  EXPECT_EQ(read_serving_notes("offline batch, 256 requests in 399.64 s").requests, 256);
}

TEST(ServingNotes, TellSchedulersThatAreNotModelled) {
  EXPECT_TRUE(read_serving_notes("scheduler steps 15, chunked prefill TRUE, max seqs 512").other_scheduler);
  EXPECT_TRUE(read_serving_notes("scheduler steps 1, chunked prefill FALSE, max seqs 512").other_scheduler);
  EXPECT_FALSE(read_serving_notes("scheduler steps 1, chunked prefill TRUE, max seqs 512").other_scheduler);
  EXPECT_FALSE(read_serving_notes("1000 chat prompts").other_scheduler);
}

TEST(ServingNotes, TellWhatAColumnHoldsInstead) {
  EXPECT_TRUE(read_serving_notes("prompt processing, micro-batch size in the batch column").micro_batch);
  EXPECT_TRUE(read_serving_notes("single stream; value is decode tokens/s").decode_rate);
  EXPECT_TRUE(read_serving_notes("12 nodes; rates per node").figures_per_node);
  EXPECT_TRUE(read_serving_notes("max-throughput, attention DP, 896 sequences per rank").attention_is_data_parallel);
}

TEST(ServingNotes, OfNothingTellNothing) {
  const ServingNotes notes = read_serving_notes("");
  EXPECT_FALSE(notes.attention_data || notes.expert_tensor || notes.expert || notes.requests);
  EXPECT_FALSE(notes.attention_is_data_parallel || notes.micro_batch || notes.decode_rate || notes.figures_per_node);
}

}  // namespace
}  // namespace podwright::serving_notes_test
