#pragma once
/// How training software keeps its state: bytes per parameter, what a layer saves, what is outside the allocator.
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

/// Bytes per parameter and per saved value for some precisions.
struct StateRecipe {
  std::vector<std::string> precisions;
  Bytes weight;         ///< of the parameter that training keeps
  Bytes linear_weight;  ///< of a linear weight of a layer; where narrow weights take the place of wide ones, theirs
  Bytes gradient;
  Bytes master;        ///< 32-bit copies of weights (and gradients) that the optimizer keeps
  Bytes moment;        ///< both moments of Adam
  Bytes element;       ///< a saved activation value
  Bytes linear_input;  ///< a saved input of a linear weight
  Bytes weight_copy;   ///< narrow copies of a linear weight kept beside it
  Bytes gathered;      ///< a parameter of a unit gathered from its shards
  Bytes logit;         ///< per token and vocabulary entry at the loss: logits, copies, gradient
  Bytes split_logit;   ///< the same where tensor-parallel ranks share the vocabulary
  Bytes kept_logit;    ///< of them, what is kept until the next step
  Bytes adapter;       ///< a weight of a low-rank adapter, its gradient or a moment; 0: as of other parameters
};

/// core_attention: only scores are computed again. cheap_values: outputs of norms, of activation functions and of the
/// up-projections of latent attention. alternate_products: every second matrix product, and all that is cheap.
enum class SelectiveRecompute { core_attention, cheap_values, alternate_products };

/// What a pipeline stage holds besides its layers. outputs: of every micro-batch in flight, what it sent on.
/// outputs_and_receives: and of every micro-batch of the step a buffer to receive into.
enum class PipelineBuffers { none, outputs, outputs_and_receives };

/// What sharded weights are gathered by: all of a layer, or one weight.
enum class ShardUnit { layer, weight };

/// One way of training that several frameworks share. `from` is the first version that it describes, empty: from the
/// beginning; a later stack of the same framework takes over at its own `from`.
struct TrainingStack : CatalogItem {
  std::vector<std::string> frameworks;
  std::string from;
  bool fused_attention = true;  ///< false: the scores of all heads are stored
  bool dropout = false;
  bool weight_gradient_buffers = false;  ///< one buffer per distinct shape of a linear weight
  bool offload_moves_gradients = false;  ///< optimizer offload takes sharded gradients along
  bool pipeline_keeps_gathered =
      false;  ///< with a pipeline, sharded weights stay gathered and gradients whole until the step's last micro-batch
  PipelineBuffers pipeline_buffers = PipelineBuffers::none;
  ShardUnit shard_unit = ShardUnit::layer;
  bool shards_whole_state = false;  ///< ZeRO stage 2 shards weights too, and holds all of them gathered from forward to
                                    ///< backward; stage 1 shards nothing
  bool saves_gathered_inputs = false;  ///< inputs of the sublayers are saved as gathered over sequence-parallel ranks
  SelectiveRecompute selective = SelectiveRecompute::core_attention;
  bool saves_each_operation = false;  ///< every operation of a layer saves what its own gradient reads: norms their
                                      ///< input in 32 bit, attention keys and values repeated for all heads
  bool frees_gradients = false;       ///< after each update: a first micro-batch starts without them
  double optimizer_passes = 0;     ///< values of a trained parameter that the optimizer's kernels, one for each of its
                                   ///< operations, read and write; 0: one kernel, which a fitted constant describes
  double optimizer_temporary = 0;  ///< what these kernels keep while they run, over the moments of Adam
  double prefetch_units = 1;       ///< units gathered ahead of the one in use
  double allocated_share = 1;      ///< of what the allocator reserves
  std::vector<StateRecipe> states;
};

/// Memory of a process before its first tensor, by compute capability of the GPU.
struct GpuContext : CatalogItem {
  double compute_capability = 0;
  Bytes context;
};

struct TrainingRecipes {
  std::vector<TrainingStack> stacks;
  std::vector<GpuContext> contexts;  ///< by rising compute capability
};

/// Adds the stacks and contexts of a file.
void read_training_recipes(const JsonNode& node, const std::string& file, TrainingRecipes& recipes, ErrorList& errors);

/// A stack and its entry for a precision; `states` is its index in the stack. Null when the catalog has none.
struct TrainingRecipe {
  const TrainingRecipes* all = nullptr;
  const TrainingStack* stack = nullptr;
  std::size_t states = 0;

  const StateRecipe& bytes() const { return stack->states[states]; }
  explicit operator bool() const { return stack != nullptr; }
};
/// `version` empty: the newest.
TrainingRecipe find_training_recipe(const TrainingRecipes& recipes, std::string_view framework,
                                    std::string_view precision, std::string_view version = {});

/// The context of the newest generation that is not newer than the GPU's; of the newest known where the GPU's is not
/// told.
const GpuContext* find_gpu_context(const TrainingRecipes& recipes, std::string_view compute_capability);

}  // namespace podwright
