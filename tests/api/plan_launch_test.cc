/// From a plan for training to files that start it: what the model's file says reaches them, the plan and a search give
/// one run one price, and a way out leads to a plan.
#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "base/json_read.h"

namespace podwright::plan_launch_test {
namespace {

constexpr std::string_view kFile = R"({"architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe",
  "head_dim": 128, "hidden_size": 2560, "intermediate_size": 7680, "max_position_embeddings": 8192,
  "moe_intermediate_size": 960, "num_attention_heads": 32, "num_experts": 64, "num_experts_per_tok": 8,
  "num_hidden_layers": 36, "num_key_value_heads": 4, "rms_norm_eps": 1e-06, "rope_theta": 1000000,
  "router_aux_loss_coef": 0.001, "tie_word_embeddings": false, "vocab_size": 151936})";

JsonNode answered(const std::string& request) {
  const Answer answer = answer_request(embedded_catalog_facts(), request);
  EXPECT_NE(answer.outcome, Outcome::wrong_input) << answer.text;
  return *parse_json(answer.text);
}

/// `more`: keys of the workload, `rest`: of the request.
JsonNode planned(const std::string& file, const std::string& more, const std::string& rest) {
  return answered(R"({"kind": "plan", "workloads": [{"type": "training", "tokens": 1.5e12, "model": )" + file + more +
                  R"(}], "options": {"draws": 0}, )" + rest + "}");
}

/// A part of `node`, which outlives it.
const JsonNode& at(const JsonNode&& node, std::string_view path) = delete;
const JsonNode& at(const JsonNode& node, std::string_view path) {
  static const JsonNode kNone;
  const JsonNode* here = &node;
  while (here != nullptr && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view step = path.substr(0, end);
    const std::size_t index = here->is_list() ? std::stoul(std::string(step)) : 0;
    here = !here->is_list() ? here->find(step) : index < here->items.size() ? &here->items[index] : nullptr;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return here == nullptr ? kNone : *here;
}

/// Text of a file of the answer.
std::string file_of(const JsonNode& answer, std::string_view name) {
  for (const JsonNode& file : at(answer, "exports").items)
    if (at(file, "name").text == name) return at(file, "text").text;
  return "";
}

const std::string kOneGpu = R"("constraints": {"ownership": "cloud", "gpus": ["b300-sxm"]})";

TEST(PlanLaunch, GivesTheFilesOfItsLayout) {
  const JsonNode plan = planned(std::string(kFile), R"(, "deadline_days": 45)",
                                kOneGpu + R"(, "exports": ["all"], "deploy": {"checkpoints": "/shared/run 1"})");
  const std::string batch = file_of(plan, "slurm/train-megatron-lm.sbatch");
  for (const char* line :
       {"#SBATCH --time=", "export CHECKPOINTS='/shared/run 1'\n", "  --save \"$CHECKPOINTS\"",
        "  --load \"$CHECKPOINTS\"", "  --save-interval ", "  --rotary-base 1000000 ", "  --norm-epsilon 1e-06 ",
        "  --moe-aux-loss-coeff 0.001 ", "  --max-position-embeddings 8192 ", "  --qk-layernorm "})
    EXPECT_NE(batch.find(line), std::string::npos) << line << batch;
  const std::string proof = file_of(plan, "memory-proof/prove-memory.sh");
  EXPECT_FALSE(proof.empty());
  EXPECT_EQ(proof.find("--save"), std::string::npos) << "two steps are not kept";
  EXPECT_TRUE(file_of(plan, "slurm/train-torchtitan.sbatch").empty()) << "it has no such model";
  // So many whole days as the upper end of the prediction has, and the rest in hours.
  const double longest = at(plan, "plans/0/estimates/0/run/time_days_high").number;
  EXPECT_NE(batch.find("--time=" + std::to_string(static_cast<int>(longest)) + "-"), std::string::npos) << longest;
}

TEST(PlanLaunch, ASearchPricesTheRunAsThePlan) {
  const JsonNode plan = planned(std::string(kFile), R"(, "deadline_days": 45)", kOneGpu);
  const JsonNode& best = at(plan, "plans/0");
  const std::string gpus = std::to_string(static_cast<int>(at(best, "gpu_count").number));
  const JsonNode search = answered(R"({"kind": "search", "gpu": "b300-sxm", "tokens": 1.5e12, "gpu_count": )" + gpus +
                                   R"(, "model": )" + std::string(kFile) + "}");
  EXPECT_EQ(at(search, "layouts/0/run/usd_per_gpu_hour").number, at(best, "cost/cloud/usd_per_gpu_hour").number);
  EXPECT_EQ(at(search, "layouts/0/run/provider").text, at(best, "cost/cloud/provider").text);
  // What a faster run costs starts from the same price.
  for (std::size_t i = 0; i < at(plan, "pareto/gpu_count").items.size(); ++i)
    if (at(plan, "pareto/gpu_count").items[i].number == at(best, "gpu_count").number) {
      EXPECT_NEAR(at(plan, "pareto/usd_per_hour").items[i].number, at(best, "cost/cloud/usd_per_hour").number, 1e-6);
    }
}

TEST(PlanLaunch, SaysWhatItReadOfTheModelsFile) {
  std::string typo(kFile);
  typo.replace(typo.find("num_experts\""), 11, "num_expert");
  const JsonNode wrong = planned(typo, R"(, "deadline_days": 45)", kOneGpu);
  const JsonNode& notes = at(wrong, "plans/0/estimates/0/model_notes");
  ASSERT_EQ(notes.items.size(), 2u);
  EXPECT_EQ(at(notes, "0/code").text, "model-read");
  EXPECT_NE(at(notes, "1/message").text.find("num_expert"), std::string::npos);
  const JsonNode right = planned(std::string(kFile), R"(, "deadline_days": 45)", kOneGpu);
  const JsonNode& read = at(right, "plans/0/estimates/0/model_notes");
  ASSERT_EQ(read.items.size(), 1u);
  // Experts 36 x 64 x 3 x 2560 x 960, attention 36 x 2560 x (2 x 4096 + 2 x 512), embeddings 2 x 151936 x 2560.
  const std::string said = at(read, "0/message").text;
  EXPECT_TRUE(said.starts_with("Read from the model's file: qwen3_moe, 18.6 billion parameters, ")) << said;
  EXPECT_TRUE(said.ends_with(" billion active, 36 layers, 64 experts.")) << said;
}

TEST(PlanLaunch, KeepsTheNumberOfGpus) {
  const auto with = [](const std::string& most) {
    return planned(std::string(kFile), R"(, "deadline_days": 45)",
                   R"("constraints": {"ownership": "cloud", "max_gpus": )" + most + "}");
  };
  const JsonNode many = with("32");
  ASSERT_FALSE(at(many, "plans").items.empty());
  for (const JsonNode& plan : at(many, "plans").items) EXPECT_LE(at(plan, "gpu_count").number, 32);
  const JsonNode few = with("4");
  EXPECT_TRUE(at(few, "plans").items.empty());
  EXPECT_FALSE(at(few, "reasons").items.empty());
}

TEST(PlanLaunch, ALaterDeadlineThatIsOfferedIsKept) {
  const std::string cloud = R"("constraints": {"ownership": "cloud", "gpus": ["b200-sxm"]})";
  const JsonNode none = planned(std::string(kFile), R"(, "deadline_days": 0.1)", cloud);
  ASSERT_TRUE(at(none, "plans").items.empty());
  const double offered = at(none, "rejected/0/ways_out/0/workloads/0/deadline_days").number;
  ASSERT_GT(offered, 0.1);
  const JsonNode later = planned(std::string(kFile), R"(, "deadline_days": )" + std::to_string(offered + 1e-6), cloud);
  EXPECT_FALSE(at(later, "plans").items.empty()) << offered;
}

}  // namespace
}  // namespace podwright::plan_launch_test
