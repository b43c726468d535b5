#include "calibration/measured_cells.h"

#include <gtest/gtest.h>

namespace podwright::measured_cells_test {
namespace {

TEST(CellNumber, ReadsWhatTablesPrint) {
  EXPECT_EQ(cell_number("8"), 8.0);
  EXPECT_EQ(cell_number(" 0.5 "), 0.5);
  EXPECT_EQ(cell_number("16,384"), 16384.0);
  EXPECT_EQ(cell_number("1e3"), 1000.0);
  for (const char* text : {"", "eight", "8 GB", "0x10", "inf", "nan", "1.2.3", "~16"})
    EXPECT_FALSE(cell_number(text)) << text;
}

TEST(CellFlag, KnowsYesAndNo) {
  EXPECT_EQ(cell_flag("TRUE"), true);
  EXPECT_EQ(cell_flag("no"), false);
  EXPECT_FALSE(cell_flag("maybe"));
}

TEST(BlankCell, IsAnyWordForNothing) {
  for (const char* text : {"", "  ", "-", "N/A", "nan", "not printed"}) EXPECT_TRUE(blank_cell(text)) << text;
  EXPECT_FALSE(blank_cell("none"));  // recompute none is an answer
  EXPECT_FALSE(blank_cell("0"));
}

TEST(WrittenPrecision, KnowsTheSpellingsOfSources) {
  const auto precision = [](const char* text) { return written_precision(text)->precision; };
  for (const char* text : {"bf16", "BF16-mixed", "amp_bf16", "bfloat16", "bf16/fp32"})
    EXPECT_EQ(precision(text), Precision::bf16) << text;
  for (const char* text : {"fp16", "float16", "FP16-mixed", "half"})
    EXPECT_EQ(precision(text), Precision::fp16) << text;
  for (const char* text : {"fp8", "FP8-CS", "amp_fp8", "float8 rowwise", "fp8 (e4m3)", "bf16 + fp8 linear"})
    EXPECT_EQ(precision(text), Precision::fp8) << text;
  for (const char* text : {"mxfp8", "fp8-mx", "MXFP8"}) EXPECT_EQ(precision(text), Precision::mxfp8) << text;
  EXPECT_EQ(precision("nvfp4"), Precision::nvfp4);
  EXPECT_EQ(precision("TF32"), Precision::tf32);
  EXPECT_EQ(precision("float32"), Precision::fp32);
  EXPECT_FALSE(written_precision("mixed"));
  EXPECT_FALSE(written_precision(""));
}

TEST(WrittenPrecision, TellsTheScalingWhereTheSpellingDoes) {
  EXPECT_EQ(written_precision("fp8-cs")->recipe, Fp8Recipe::current);
  EXPECT_EQ(written_precision("fp8 tensorwise")->recipe, Fp8Recipe::current);
  EXPECT_EQ(written_precision("fp8-delayed")->recipe, Fp8Recipe::delayed);
  EXPECT_EQ(written_precision("fp8_blockwise")->recipe, Fp8Recipe::block);
  EXPECT_FALSE(written_precision("fp8")->recipe);
}

TEST(WrittenRecompute, KnowsTheSpellingsOfSources) {
  for (const char* text : {"none", "False", "no", "off"}) EXPECT_EQ(written_recompute(text), Recompute::none) << text;
  for (const char* text : {"full", "true", "full AC", "uniform", "all layers"})
    EXPECT_EQ(written_recompute(text), Recompute::full) << text;
  for (const char* text : {"selective", "selective op", "SAC", "core_attn", "mla_up_proj, layernorm"})
    EXPECT_EQ(written_recompute(text), Recompute::selective) << text;
  EXPECT_FALSE(written_recompute(""));
}

TEST(WrittenSchedule, KnowsTheSpellingsOfSources) {
  const auto schedule = [](const char* text) { return written_schedule(text)->schedule; };
  EXPECT_EQ(schedule("1F1B"), Schedule::one_f_one_b);
  EXPECT_EQ(schedule("Interleaved 1F1B"), Schedule::interleaved);
  EXPECT_EQ(schedule("ZB-H1"), Schedule::zb_h1);
  EXPECT_EQ(schedule("zb_2p"), Schedule::zb_2p);
  EXPECT_EQ(schedule("GPipe"), Schedule::gpipe);
  EXPECT_TRUE(written_schedule("zb-1p")->exact);
  EXPECT_FALSE(written_schedule("DualPipe")->exact);
  EXPECT_FALSE(written_schedule("round robin"));
}

TEST(VersionIn, FindsTheFirstPointedNumber) {
  EXPECT_EQ(version_in("NeMo 24.07 / Megatron-Core"), "24.07");
  EXPECT_EQ(version_in("Megatron-Core r0.8.0"), "0.8.0");
  EXPECT_EQ(version_in("DeepSpeed ZeRO-3"), "");
  EXPECT_EQ(version_in("v2."), "");
}

}  // namespace
}  // namespace podwright::measured_cells_test
