/// Published numbers of parameters and FLOPs. Tolerances: equality, or the digits that the source prints.
#include <gtest/gtest.h>

#include <cmath>

#include "catalog/catalog.h"
#include "model/closed_forms.h"
#include "model/flops.h"
#include "model/parameters.h"

namespace podwright::training_parameters_test {
namespace {

const Model& model_of(const char* id) {
  const auto model = find_model(embedded_catalog_facts(), id);
  EXPECT_TRUE(model) << id;
  return **model;
}

double per_token(const char* id, double sequence, const FlopsConvention& convention) {
  NoTrace trace;
  return raw(flops_per_token(trace, model_of(id), convention, sequence).total);
}

constexpr FlopsConvention kFull{.attention = FlopsConvention::Attention::full};

// arXiv 2104.04473 eq. 2.
TEST(WorkedParameters, GptClosedForm) {
  EXPECT_NEAR(gpt_parameters(48.0, 6144.0, 51200.0, 2048.0), 22.074e9, 0.0005e9);
  EXPECT_NEAR(gpt_parameters(96.0, 12288.0, 51200.0, 2048.0), 174.616e9, 0.0005e9);
  EXPECT_NEAR(gpt_parameters(105.0, 20480.0, 51200.0, 2048.0), 529.601e9, 0.0005e9);
  EXPECT_NEAR(gpt_parameters(128.0, 25600.0, 51200.0, 2048.0), 1008.039e9, 0.0005e9);
}

// The closed form leaves out the final norm, which has a scale and a bias.
TEST(WorkedParameters, GptOfTheCatalogIsTheClosedFormAndItsFinalNorm) {
  for (const char* const id : {"megatron-22b", "mt-nlg-530b", "megatron-1t"}) {
    const Model& model = model_of(id);
    ASSERT_TRUE(model.total_parameters);
    EXPECT_NEAR(*model.total_parameters - 2 * model.hidden_size,
                gpt_parameters(model.layers, model.hidden_size, model.vocab_size, model.position_embeddings), 1.0)
        << id;
  }
}

struct Korthikanti {
  double layers, hidden, batch, gpus, step, flops, mfu, mfu_printed, hfu, hfu_printed;
};

// arXiv 2205.05198 tables 3 and 5, eq. 7 and 8.
TEST(WorkedFlops, ModelAndHardwareUtilisationOfMegatron) {
  const FlopsPerSecond peak = tflops(312);
  for (const Korthikanti& row : {Korthikanti{48, 6144, 4, 8, 1.10, 1.143561e15, 41.65, 41.5, 43.81, 43.7},
                                 Korthikanti{96, 12288, 64, 64, 13.75, 1.410915e17, 51.39, 51.4, 52.77, 52.8},
                                 Korthikanti{105, 20480, 280, 280, 37.83, 1.852230e18, 56.05, 56.0, 56.96, 57.0},
                                 Korthikanti{128, 25600, 512, 512, 71.49, 6.425876e18, 56.27, 56.3, 57.01, 57.0},
                                 Korthikanti{105, 20480, 2240, 2240, 39.15, 1.481784e19, 54.16, 54.2, 0, 0}}) {
    const double tokens = row.batch * 2048;
    const Flops model = gpt_model_flops(tokens, 2048.0, row.layers, row.hidden, 51200.0);
    const Flops hardware = gpt_selective_recompute_flops(tokens, 2048.0, row.layers, row.hidden, 51200.0);
    EXPECT_NEAR(raw(model) / row.flops, 1.0, 5e-7);
    const double mfu = 100 * flops_utilisation(model, seconds(row.step), row.gpus, peak);
    EXPECT_NEAR(mfu, row.mfu, 0.005);
    EXPECT_NEAR(mfu, row.mfu_printed, 0.2);
    if (row.hfu > 0) {
      const double hfu = 100 * flops_utilisation(hardware, seconds(row.step), row.gpus, peak);
      EXPECT_NEAR(hfu, row.hfu, 0.005);
      EXPECT_NEAR(hfu, row.hfu_printed, 0.2);
      EXPECT_GE(hfu, mfu);
    }
  }
}

// MLPerf, Megatron-Bridge and NeMo publish rates from which these follow.
TEST(WorkedFlops, DenseModelsPerToken) {
  EXPECT_NEAR(per_token("llama-3-8b", 8192, {}), 51.4704e9, 0.00005e9);
  EXPECT_NEAR(per_token("llama-3-8b", 8192, {}) * 8192, 421.65e12, 0.005e12);
  EXPECT_NEAR(per_token("llama-3-8b", 8192, kFull), 57.9129e9, 0.00005e9);
  EXPECT_NEAR(per_token("llama-3-70b", 8192, {}), 449.22e9, 0.005e9);
  EXPECT_NEAR(per_token("llama-3-70b", 8192, kFull), 481.43e9, 0.005e9);
  EXPECT_NEAR(per_token("llama-3.1-405b", 8192, {}), 2523.96e9, 0.005e9);
  EXPECT_NEAR(per_token("llama-3.1-405b", 8192, kFull), 2625.42e9, 0.005e9);
  EXPECT_NEAR(per_token("llama-3.1-405b", 8192, kFull) * 8192, 21507.5e12, 0.05e12);
}

TEST(WorkedFlops, MixturesPerToken) {
  EXPECT_NEAR(per_token("qwen3-30b-a3b", 4096, {}), 23.006e9, 0.0005e9);
  EXPECT_NEAR(per_token("qwen3-235b-a22b", 4096, {}), 148.03e9, 0.005e9);
  EXPECT_NEAR(per_token("deepseek-v3", 4096, {}), 249.81e9, 0.005e9);
  EXPECT_NEAR(per_token("deepseek-v3", 4096, {.multi_token_depths = 1}), 259.99e9, 0.005e9);
}

// Two conventions for the same model: the one counts the gate and the windows, the other neither.
TEST(WorkedFlops, GptOss120bInTwoConventions) {
  EXPECT_NEAR(per_token("gpt-oss-120b", 4096, {}), 32.63e9, 0.005e9);
  EXPECT_NEAR(per_token("gpt-oss-120b", 4096, {.gate_counted = false, .window_counted = false}), 27.16e9, 0.005e9);
}

// MosaicML llm-foundry, MPT-70B on 512 H100.
TEST(WorkedFlops, MosaicConvention) {
  const Flops per = parameter_flops_per_token(64.8624e9, 80.0, 8192.0, 2048.0);
  EXPECT_NEAR(flops_utilisation(per * 1007, seconds(1), 1.0, tflops(989.4)), 0.4125, 0.00005);
}

double in_days(Seconds time) { return time / days(1); }

// arXiv 2104.04473 section 5.1 (printed 34 and 84), and the 13B run of BigScience.
TEST(WorkedFlops, DaysOfTraining) {
  EXPECT_NEAR(in_days(run_time_with_recompute(175e9, 300e9, 1024.0, tflops(140))), 33.9, 0.05);
  EXPECT_NEAR(in_days(run_time_with_recompute(1.008e12, 450e9, 3072.0, tflops(163))), 83.9, 0.05);
  EXPECT_NEAR(in_days(run_time_with_recompute(13e9, 300e9, 256.0, tflops(45))), 31.35, 0.005);
  EXPECT_NEAR(in_days(run_time(13e9, 300e9, 256.0, tflops(45))), 23.51, 0.005);
}

// arXiv 2203.15556 and 2404.10102.
TEST(WorkedFlops, ChinchillaLossAndOptimum) {
  EXPECT_EQ(run_flops(70e9, 1.4e12), Flops(5.88e23));
  EXPECT_NEAR(parametric_loss(kChinchillaFit, 70e9, 1.4e12), 1.9366, 0.00005);
  const ComputeOptimum rounded = compute_optimum(kChinchillaFit, Flops(5.76e23));
  EXPECT_NEAR(rounded.tokens / rounded.parameters, 92.6, 0.05);
  const ComputeOptimum refit = compute_optimum(kChinchillaRefit, Flops(5.76e23));
  EXPECT_NEAR(refit.parameters, 72.2e9, 0.05e9);
  EXPECT_NEAR(refit.tokens, 1.329e12, 0.0005e12);
  EXPECT_NEAR(refit.tokens / refit.parameters, 18.4, 0.05);
}

// arXiv 2104.04473 eq. 3 against logs of BLOOM's tune-up.
TEST(WorkedFlops, FullRecomputeOfBloom) {
  const Flops wide = gpt_full_recompute_flops(2048.0 * 2048.0, 2048.0, 106.0, 12288.0, 250880.0);
  EXPECT_NEAR(raw(wide), 6.70125e18, 0.000005e18);
  EXPECT_NEAR(raw(wide) / 112.69 / 384 / 1e12, 154.86, 0.005);
  const Flops deep = gpt_full_recompute_flops(2048.0 * 2048.0, 2048.0, 78.0, 13824.0, 250880.0);
  EXPECT_NEAR(raw(deep), 6.23744e18, 0.000005e18);
  EXPECT_NEAR(raw(deep) / 103.51 / 384 / 1e12, 156.93, 0.01);
}

}  // namespace
}  // namespace podwright::training_parameters_test
