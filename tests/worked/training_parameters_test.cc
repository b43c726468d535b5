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

// arXiv 2104.04473 eq. 2, which leaves out the final norm: a scale and a bias.
TEST(WorkedParameters, GptClosedForm) {
  const auto parameters = [](const char* id) {
    NoTrace trace;
    return parameter_parts(trace, model_of(id)).total - 2 * model_of(id).hidden_size;
  };
  EXPECT_NEAR(parameters("megatron-22b"), 22.074e9, 0.0005e9);
  EXPECT_NEAR(parameters("mt-nlg-530b"), 529.601e9, 0.0005e9);
  EXPECT_NEAR(parameters("megatron-1t"), 1008.039e9, 0.0005e9);
}

struct Korthikanti {
  const char* model;
  double batch, gpus, step, flops, mfu, mfu_printed;
};

// arXiv 2205.05198 tables 3 and 5, eq. 7.
TEST(WorkedFlops, ModelUtilisationOfMegatron) {
  const FlopsPerSecond peak = tflops(312);
  for (const Korthikanti& row : {Korthikanti{"megatron-22b", 4, 8, 1.10, 1.143561e15, 41.65, 41.5},
                                 Korthikanti{"mt-nlg-530b", 280, 280, 37.83, 1.852230e18, 56.05, 56.0},
                                 Korthikanti{"megatron-1t", 512, 512, 71.49, 6.425876e18, 56.27, 56.3},
                                 Korthikanti{"mt-nlg-530b", 2240, 2240, 39.15, 1.481784e19, 54.16, 54.2}}) {
    const Flops work = Flops(per_token(row.model, 2048, kFull) * row.batch * 2048);
    EXPECT_NEAR(raw(work) / row.flops, 1.0, 5e-7);
    const double mfu = 100 * flops_utilisation(work, seconds(row.step), row.gpus, peak);
    EXPECT_NEAR(mfu, row.mfu, 0.005);
    EXPECT_NEAR(mfu, row.mfu_printed, 0.2);
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

double in_days(Seconds time) { return time / days(1); }

// The 13B run of BigScience.
TEST(WorkedFlops, DaysOfTraining) { EXPECT_NEAR(in_days(run_time(13e9, 300e9, 256.0, tflops(45))), 23.51, 0.005); }

// arXiv 2203.15556.
TEST(WorkedFlops, WorkOfChinchilla) { EXPECT_EQ(run_flops(70e9, 1.4e12), Flops(5.88e23)); }

}  // namespace
}  // namespace podwright::training_parameters_test
