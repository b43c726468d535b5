#include "catalog/training_recipe.h"

#include "base/among.h"
#include "base/stable_sort.h"
#include "catalog/compute_capability.h"
#include "catalog/engine.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, 3> kPipelineBufferWords{"none", "outputs", "outputs-and-receives"};
constexpr std::array<std::string_view, 2> kShardUnitWords{"layer", "weight"};
constexpr std::array<std::string_view, 3> kSelectiveWords{"core-attention", "cheap-values", "alternate-products"};

std::vector<std::string> needed_texts(ObjectReader& reader, std::string_view key) {
  if (!reader.has(key)) reader.missing(key, "a list of ids");
  return read_texts(reader, key);
}

double number_of(ObjectReader& reader, std::string_view key, std::string_view meaning, Range range) {
  const auto value = reader.number(key, range);
  if (!value && !reader.has(key)) reader.missing(key, meaning);
  return value.value_or(0.0);
}

void read_states(ObjectReader& reader, StateRecipe& states) {
  constexpr Range kBytes{.min = 0, .max = 64};
  const auto width = [&](std::string_view key, std::string_view meaning) {
    return bytes(number_of(reader, key, meaning, kBytes));
  };
  states.precisions = needed_texts(reader, "precisions");
  states.weight = width("weight_bytes", "bytes of a parameter");
  states.linear_weight =
      reader.has("linear_weight_bytes") ? width("linear_weight_bytes", "bytes of a linear weight") : states.weight;
  states.gradient = width("gradient_bytes", "bytes of a gradient");
  states.master = width("master_bytes", "bytes of the optimizer's 32-bit copies");
  states.moment = width("moment_bytes", "bytes of both moments of Adam");
  states.element = width("element_bytes", "bytes of a saved value");
  states.linear_input = width("linear_input_bytes", "bytes of a saved input of a linear weight");
  states.weight_copy = width("weight_copy_bytes", "bytes of narrow copies of a linear weight");
  states.gathered = width("gathered_bytes", "bytes of a gathered parameter");
  states.logit = width("logit_bytes", "bytes per token and vocabulary entry at the loss");
  const auto or_none = [&](std::string_view key, std::string_view meaning) {
    return reader.has(key) ? width(key, meaning) : Bytes(0);
  };
  states.kept_logit = or_none("kept_logit_bytes", "bytes per token and vocabulary entry kept until the next step");
  states.adapter = or_none("adapter_bytes", "bytes of an adapter's weight, gradient or moment");
  states.split_logit =
      reader.has("split_logit_bytes")
          ? width("split_logit_bytes", "bytes per token and vocabulary entry at the loss of a split vocabulary")
          : states.logit;
}

void read_stack(ObjectReader& reader, TrainingStack& stack) {
  read_entry_head(reader, "training_recipes.json/stacks", stack);
  stack.frameworks = needed_texts(reader, "frameworks");
  keep(stack.from, reader.text("from"));
  keep(stack.fused_attention, reader.flag("fused_attention"));
  keep(stack.dropout, reader.flag("dropout"));
  keep(stack.weight_gradient_buffers, reader.flag("weight_gradient_buffers"));
  keep(stack.offload_moves_gradients, reader.flag("offload_moves_gradients"));
  keep(stack.pipeline_keeps_gathered, reader.flag("pipeline_keeps_gathered"));
  keep(stack.pipeline_buffers, read_word<PipelineBuffers>(reader, "pipeline_buffers", kPipelineBufferWords));
  keep(stack.shard_unit, read_word<ShardUnit>(reader, "shard_unit", kShardUnitWords));
  keep(stack.shards_whole_state, reader.flag("shards_whole_state"));
  keep(stack.saves_gathered_inputs, reader.flag("saves_gathered_inputs"));
  keep(stack.saves_each_operation, reader.flag("saves_each_operation"));
  keep(stack.frees_gradients, reader.flag("frees_gradients"));
  keep(stack.optimizer_passes, reader.number("optimizer_passes", {.min = 0, .max = 100}));
  keep(stack.optimizer_temporary, reader.number("optimizer_temporary", {.min = 0, .max = 10}));
  keep(stack.selective, read_word<SelectiveRecompute>(reader, "selective", kSelectiveWords));
  stack.prefetch_units = number_of(reader, "prefetch_units", "units gathered ahead", {.min = 0, .max = 64});
  stack.allocated_share = number_of(reader, "allocated_share", "allocated of reserved memory", {.min = 0.1, .max = 1});
  reader.text("notes");
  read_list(reader, "states", stack.states, read_states);
  if (!reader.has("states")) reader.missing("states", "bytes per parameter by precision");
}

void read_context(ObjectReader& reader, GpuContext& context) {
  read_entry_head(reader, "training_recipes.json/contexts", context);
  context.compute_capability = number_of(reader, "compute_capability", "compute capability", {.min = 1, .max = 99});
  context.context =
      mib(number_of(reader, "context_mib", "memory of a process before its first tensor", {.min = 0, .max = 1e5}));
}

}  // namespace

void read_training_recipes(const JsonNode& node, const std::string& file, TrainingRecipes& recipes, ErrorList& errors) {
  ObjectReader reader(node, file + "#", errors);
  read_list(reader, "stacks", recipes.stacks, read_stack);
  read_list(reader, "contexts", recipes.contexts, read_context);
  reader.finish();
  sort_stably(recipes.contexts,
              [](const GpuContext& a, const GpuContext& b) { return a.compute_capability < b.compute_capability; });
}

TrainingRecipe find_training_recipe(const TrainingRecipes& recipes, std::string_view framework,
                                    std::string_view precision, std::string_view version) {
  TrainingRecipe found;
  for (const TrainingStack& stack : recipes.stacks) {
    if (!is_among(stack.frameworks, framework)) continue;
    if (!version.empty() && !stack.from.empty() && compare_versions(version, stack.from) < 0) continue;
    if (found && compare_versions(stack.from, found.stack->from) < 0) continue;
    for (std::size_t i = 0; i < stack.states.size(); ++i) {
      if (is_among(stack.states[i].precisions, precision)) {
        found = {.all = &recipes, .stack = &stack, .states = i};
        break;
      }
    }
  }
  return found;
}

const GpuContext* find_gpu_context(const TrainingRecipes& recipes, std::string_view compute_capability) {
  if (recipes.contexts.empty()) return nullptr;
  const double wanted = capability_number(compute_capability);
  if (wanted <= 0) return &recipes.contexts.back();
  const GpuContext* found = &recipes.contexts.front();
  for (const GpuContext& context : recipes.contexts) {
    if (context.compute_capability <= wanted + 1e-9) found = &context;
  }
  return found;
}

}  // namespace podwright
