#include "perf/speculative.h"

#include <gtest/gtest.h>

#include "perf/estimate_serving.h"

namespace podwright::speculative_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

ServingEstimate<NoTrace> estimate(double clients, std::optional<Speculative> speculative,
                                  std::string_view id = "llama-3.1-70b") {
  ServingRun run;
  run.weight_precision = "fp8";
  run.engine = "vllm";
  run.parallelism.tensor = 4;
  run.input_tokens = 1024;
  run.output_tokens = 512;
  run.load = {LoadKind::concurrency, clients};
  run.speculative = std::move(speculative);
  NoTrace none;
  return estimate_serving(none, facts(), model(id), **find_gpu(facts(), "h100-sxm5-80gb"), run);
}
Speculative head(double drafts, double acceptance) {
  Speculative s;
  s.draft_tokens = drafts;
  s.acceptance = acceptance;
  return s;
}
double tpot(const ServingEstimate<NoTrace>& e) { return e.performance->tpot->base_units(); }

TEST(Speculative, TokensOfAStepAreAGeometricSum) {
  EXPECT_NEAR(tokens_per_verified_step(3, 0.7), 1 + 0.7 + 0.49 + 0.343, 1e-12);
  EXPECT_EQ(tokens_per_verified_step(4, 0), 1);
  EXPECT_EQ(tokens_per_verified_step(4, 1), 5);
  // Published tokens per step: 3.53 with 7 drafts of EAGLE-3, 2.08 with 4 of EAGLE.
  EXPECT_NEAR(tokens_per_verified_step(7, 0.74), 3.53, 0.05);
  EXPECT_NEAR(tokens_per_verified_step(4, 0.55), 2.08, 0.05);
}

TEST(Speculative, SpeedsUpFewSequencesAndNotManyThatArithmeticBinds) {
  const double few = tpot(estimate(4, {})) / tpot(estimate(4, head(3, 0.7)));
  EXPECT_GT(few, 1.5);
  EXPECT_LT(few, tokens_per_verified_step(3, 0.7));
  const auto plain = estimate(400, {});
  const auto drafted = estimate(400, head(7, 0.6));
  EXPECT_GT(tpot(drafted), tpot(plain));
}

TEST(Speculative, BetterDraftsAreFaster) {
  double before = tpot(estimate(8, head(3, 0.0)));
  EXPECT_GT(before, tpot(estimate(8, {})));  // nothing is accepted: the draft only costs
  for (const double acceptance : {0.3, 0.6, 0.9, 1.0}) {
    const double now = tpot(estimate(8, head(3, acceptance)));
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(Speculative, ADraftModelCostsItsOwnSteps) {
  Speculative small = head(3, 0.7);
  small.draft_model = std::make_shared<const Model>(model("llama-3.2-1b"));
  Speculative large = head(3, 0.7);
  large.draft_model = std::make_shared<const Model>(model("llama-3.1-8b"));
  EXPECT_LT(tpot(estimate(8, small)), tpot(estimate(8, large)));
  EXPECT_GT(estimate(8, small).performance->decode_step.draft, Seconds(0));
}

TEST(Speculative, TheDraftTakesRoomOfTheCache) {
  const auto plain = estimate(1e6, {});
  Speculative large = head(3, 0.7);
  large.draft_model = std::make_shared<const Model>(model("llama-3.1-8b"));
  const auto drafted = estimate(1e6, large);
  EXPECT_LT(drafted.performance->admitted_concurrency, estimate(1e6, head(3, 0.7)).performance->admitted_concurrency);
  EXPECT_LT(drafted.performance->admitted_concurrency, plain.performance->admitted_concurrency);
  Speculative too_large = head(3, 0.7);
  too_large.draft_model = std::make_shared<const Model>(model("llama-3.1-405b"));
  const auto none = estimate(1, too_large);
  EXPECT_FALSE(none.feasible);
  EXPECT_EQ(none.reasons.at(0).code, "no-room-for-draft");
}

/// Costs of the model with a draft over those without one.
template <class Part>
double with_draft_over_without(const Speculative& draft, const Part& part) {
  NoTrace none;
  ServingRun run;
  run.weight_precision = "fp8";
  run.engine = "vllm";
  run.parallelism.tensor = 4;
  run.input_tokens = 1024;
  run.output_tokens = 512;
  run.load = {LoadKind::concurrency, 8};
  run.speculative = draft;
  const Model& llama = model("llama-3.1-70b");
  const Gpu& gpu = **find_gpu(facts(), "h100-sxm5-80gb");
  const Engine& engine = *find_engine_conventions(facts(), "vllm");
  const WeightFormat& format = *find_weight_format(facts().weight_formats, "fp8");
  const auto memory = serving_memory(none, llama, gpu, engine, format, run);
  auto limits = serving_limits(none, memory, run, format);
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
  auto costs = engine_costs(none, facts(), gpu, llama, layer_stack(llama), run, limits, assumptions, reasons);
  const double without = part(*costs);
  EXPECT_TRUE(add_draft(none, facts(), llama, gpu, engine, format, run, memory, limits, *costs, assumptions, reasons));
  return part(*costs) / without;
}

TEST(Speculative, TokensAreChosenForEveryProposalAndReturnedAsFarAsTheyAreAccepted) {
  EXPECT_DOUBLE_EQ(
      with_draft_over_without(head(3, 0.7), [](const auto& costs) { return costs.sampling_row.base_units(); }), 4);
  EXPECT_DOUBLE_EQ(
      with_draft_over_without(head(3, 0.7), [](const auto& costs) { return costs.host_sequence.base_units(); }),
      tokens_per_verified_step(3, 0.7));
  EXPECT_DOUBLE_EQ(
      with_draft_over_without(head(3, 0), [](const auto& costs) { return costs.host_sequence.base_units(); }), 1);
}

TEST(Speculative, AHeadOfExpertsIsOneLayer) {
  const Model head = draft_head_of(model("deepseek-v3"));
  const LayerStack stack = layer_stack(head);
  ASSERT_EQ(stack.kinds.size(), 1U);
  EXPECT_EQ(stack.kinds[0].mlp, MlpKind::moe);
  EXPECT_EQ(stack.kinds[0].count, 1);
}

}  // namespace
}  // namespace podwright::speculative_test
