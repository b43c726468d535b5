#include "memory/training_memory.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/words.h"

namespace podwright {
namespace {

Error gap(std::string path, std::string message, std::string hint) {
  return {"not-modelled", std::move(path), std::move(message), std::move(hint)};
}

std::string_view precision_word(const TrainingRun& run) { return word_of(run.precision, kPrecisionWords); }

bool keeps_alternate_products(const LayerKind& kind) {
  return kind.mlp == MlpKind::dense && has_attention(kind) && !kind.latent;
}

}  // namespace

TrainingRecipe training_recipe(const TrainingRecipes& recipes, const TrainingRun& run) {
  return find_training_recipe(recipes, run.framework, precision_word(run),
                              run.framework_version.empty() ? run.framework_date : run.framework_version);
}

Errors training_memory_gaps(const Model& model, const LayerStack& stack, const Gpu& gpu, const TrainingRun& run,
                            const TrainingRecipe& recipe) {
  Errors gaps;
  if (!recipe) {
    const std::string pair = "\"" + run.framework + "\" with " + std::string(precision_word(run));
    gaps.push_back(
        gap("/framework", "No source says how " + pair + " keeps its state.", "Name another framework or precision."));
    return gaps;
  }
  if (!gpu.memory_driver && !gpu.memory)
    gaps.push_back(
        {"missing", "/gpu", "The memory of \"" + gpu.id + "\" is not known.", "Give memory_gb in an inline object."});
  if (run.activation_recompute == Recompute::selective &&
      recipe.stack->selective == SelectiveRecompute::alternate_products) {
    if (!std::all_of(stack.kinds.begin(), stack.kinds.end(), keeps_alternate_products)) {
      gaps.push_back(gap("/activation_recompute",
                         "What " + recipe.stack->name + " keeps of the layers of \"" + model.id +
                             "\" with selective recompute is not known.",
                         "none or full"));
    }
  }
  const auto has_target = [&](const LayerKind& kind) {
    return adapted_weights(model, kind, run.lora_targets).size() > 0;
  };
  if (!run.lora_targets.empty() && !std::any_of(stack.kinds.begin(), stack.kinds.end(), has_target))
    gaps.push_back(gap("/lora_targets", "\"" + model.id + "\" has none of the weights that are to have adapters.",
                       "absent: all linear weights"));
  if (offloads_parameters(run.offload) && (run.parallelism.zero_stage < 3 || !recipe.stack->offload_moves_gradients)) {
    gaps.push_back(gap("/offload", "Offload of parameters is modelled for sharded parameters only.",
                       "zero_stage 3 with a framework that shards and offloads parameters"));
  }
  if (run.offload != Offload::none && run.offload_target == OffloadTarget::nvme) {
    if (!recipe.stack->offload_moves_gradients || run.parallelism.zero_stage < 3)
      gaps.push_back(gap("/offload_target", "States on drives are modelled for sharded states only.",
                         "cpu, or zero_stage 3 with a framework that shards and offloads parameters"));
    if (offloads_activations(run.offload))
      gaps.push_back(gap("/offload_target", "No source covers activations offloaded to drives.", "cpu"));
  }
  if (run.parallelism.shard == Shard::hybrid && run.parallelism.zero_stage >= 2 && !gpu.link_domain_gpus) {
    gaps.push_back({"missing", "/gpu",
                    "Hybrid sharding needs the GPUs of one fast domain, which are not known for \"" + gpu.id + "\".",
                    "shard full"});
  }
  if (run.method == TrainingMethod::qlora && recipe.bytes().weight_copy > Bytes(0)) {
    gaps.push_back(gap("/method", "QLoRA is modelled with 16-bit and 32-bit computation only.", "precision bf16"));
  }
  return gaps;
}

}  // namespace podwright
