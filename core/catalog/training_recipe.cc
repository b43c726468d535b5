#include "catalog/training_recipe.h"

#include <algorithm>

#include "catalog/compute_capability.h"
#include "catalog/engine.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

void read_head(ObjectReader& reader, const std::string& folder, CatalogItem& item) {
  item.id = reader.text("id").value_or("");
  if (item.id.empty() && !reader.has("id")) reader.missing("id", "the entry's id in kebab-case");
  item.name = reader.text("name").value_or(item.id);
  item.origin = "catalog/training_recipes.json/" + folder + "/" + item.id;
  read_item_sources(reader, item);
}

std::vector<std::string> needed_texts(ObjectReader& reader, std::string_view key) {
  if (!reader.has(key)) reader.missing(key, "a list of ids");
  return read_texts(reader, key);
}

double number_of(ObjectReader& reader, std::string_view key, std::string_view meaning, Range range) {
  const auto value = reader.number(key, range);
  if (!value && !reader.has(key)) reader.missing(key, meaning);
  return value.value_or(0.0);
}

StateRecipe read_states(const JsonNode& node, const std::string& path, ErrorList& errors) {
  ObjectReader reader(node, path, errors);
  constexpr Range kBytes{.min = 0, .max = 64};
  const auto width = [&](std::string_view key, std::string_view meaning) {
    return bytes(number_of(reader, key, meaning, kBytes));
  };
  StateRecipe states;
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
  states.split_logit =
      reader.has("split_logit_bytes")
          ? width("split_logit_bytes", "bytes per token and vocabulary entry at the loss of a split vocabulary")
          : states.logit;
  reader.finish();
  return states;
}

TrainingStack read_stack(const JsonNode& node, const std::string& path, ErrorList& errors) {
  ObjectReader reader(node, path, errors);
  TrainingStack stack;
  read_head(reader, "stacks", stack);
  stack.frameworks = needed_texts(reader, "frameworks");
  stack.from = reader.text("from").value_or("");
  stack.fused_attention = reader.flag("fused_attention").value_or(true);
  stack.dropout = reader.flag("dropout").value_or(false);
  stack.weight_gradient_buffers = reader.flag("weight_gradient_buffers").value_or(false);
  stack.offload_moves_gradients = reader.flag("offload_moves_gradients").value_or(false);
  stack.pipeline_keeps_gathered = reader.flag("pipeline_keeps_gathered").value_or(false);
  const std::string buffers =
      reader.word("pipeline_buffers", {"none", "outputs", "outputs-and-receives"}).value_or("none");
  stack.pipeline_buffers = buffers == "none"      ? PipelineBuffers::none
                           : buffers == "outputs" ? PipelineBuffers::outputs
                                                  : PipelineBuffers::outputs_and_receives;
  stack.shard_unit = reader.word("shard_unit", {"layer", "weight"}).value_or("layer") == "layer" ? ShardUnit::layer
                                                                                                 : ShardUnit::weight;
  stack.shards_whole_state = reader.flag("shards_whole_state").value_or(false);
  stack.saves_gathered_inputs = reader.flag("saves_gathered_inputs").value_or(false);
  const std::string selective =
      reader.word("selective", {"core-attention", "cheap-values", "alternate-products"}).value_or("core-attention");
  stack.selective = selective == "core-attention" ? SelectiveRecompute::core_attention
                    : selective == "cheap-values" ? SelectiveRecompute::cheap_values
                                                  : SelectiveRecompute::alternate_products;
  stack.prefetch_units = number_of(reader, "prefetch_units", "units gathered ahead", {.min = 0, .max = 64});
  stack.allocated_share = number_of(reader, "allocated_share", "allocated of reserved memory", {.min = 0.1, .max = 1});
  stack.notes = reader.text("notes").value_or("");
  if (const JsonNode* states = reader.list("states")) {
    for (std::size_t i = 0; i < states->items.size(); ++i) {
      stack.states.push_back(read_states(states->items[i], reader.path("states") + "/" + std::to_string(i), errors));
    }
  } else if (!reader.has("states")) {
    reader.missing("states", "bytes per parameter by precision");
  }
  reader.finish();
  return stack;
}

GpuContext read_context(const JsonNode& node, const std::string& path, ErrorList& errors) {
  ObjectReader reader(node, path, errors);
  GpuContext context;
  read_head(reader, "contexts", context);
  context.compute_capability = number_of(reader, "compute_capability", "compute capability", {.min = 1, .max = 99});
  context.context =
      mib(number_of(reader, "context_mib", "memory of a process before its first tensor", {.min = 0, .max = 1e5}));
  reader.finish();
  return context;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void read_training_recipes(const JsonNode& node, const std::string& file, TrainingRecipes& recipes, ErrorList& errors) {
  ObjectReader reader(node, file + "#", errors);
  if (const JsonNode* stacks = reader.list("stacks")) {
    for (std::size_t i = 0; i < stacks->items.size(); ++i) {
      recipes.stacks.push_back(read_stack(stacks->items[i], reader.path("stacks") + "/" + std::to_string(i), errors));
    }
  }
  if (const JsonNode* contexts = reader.list("contexts")) {
    for (std::size_t i = 0; i < contexts->items.size(); ++i) {
      recipes.contexts.push_back(
          read_context(contexts->items[i], reader.path("contexts") + "/" + std::to_string(i), errors));
    }
  }
  reader.finish();
  std::stable_sort(recipes.contexts.begin(), recipes.contexts.end(), [](const GpuContext& a, const GpuContext& b) {
    return a.compute_capability < b.compute_capability;
  });
}

TrainingRecipe find_training_recipe(const TrainingRecipes& recipes, std::string_view framework,
                                    std::string_view precision, std::string_view version) {
  TrainingRecipe found;
  for (const TrainingStack& stack : recipes.stacks) {
    if (!has(stack.frameworks, framework)) continue;
    if (!version.empty() && !stack.from.empty() && compare_versions(version, stack.from) < 0) continue;
    if (found && compare_versions(stack.from, found.stack->from) < 0) continue;
    for (std::size_t i = 0; i < stack.states.size(); ++i) {
      if (has(stack.states[i].precisions, precision)) {
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
