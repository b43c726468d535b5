#pragma once
/// Training software: which versions the catalog knows, and what it does where a run does not say.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "catalog/item.h"

namespace podwright {

struct FrameworkVersion {
  std::string version;
  std::string date;  ///< ISO, possibly shortened to the month; empty where no source gives it
};

/// What the memory figure that a framework prints counts.
/// allocated: tensors. reserved: what the allocator took. device: all that the process holds, as nvidia-smi shows it.
enum class MemoryFigure { allocated, reserved, device };
inline constexpr std::array<std::string_view, 3> kMemoryFigureWords{"allocated", "reserved", "device"};

/// unfused: each operation of a layer is a kernel, attention scores are stored. eager: FlashAttention-2, the rest a
/// kernel each. compiled: FlashAttention-2, the rest fused by a compiler. fused: Transformer Engine's kernels.
enum class KernelSet { unfused, eager, compiled, fused };
inline constexpr std::array<std::string_view, 4> kKernelSetWords{"unfused", "eager", "compiled", "fused"};

/// Scaling of fp8 tensors.
enum class Fp8Recipe { delayed, current, block };
inline constexpr std::array<std::string_view, 3> kFp8RecipeWords{"delayed", "current", "block"};
/// Which activations are computed again.
enum class Recompute { none, selective, full };
inline constexpr std::array<std::string_view, 3> kRecomputeWords{"none", "selective", "full"};

struct TrainingFramework : CatalogItem {
  std::vector<FrameworkVersion> versions;  ///< oldest first; empty: no source tells one version from another
  std::vector<std::string> words;  ///< in lower case; another spelling that holds one of them means this framework
  Recompute activation_recompute = Recompute::none;
  double zero_stage = 0;
  bool sequence_parallel = false;  ///< with tensor parallelism
  Fp8Recipe fp8_recipe = Fp8Recipe::delayed;
  MemoryFigure memory_figure = MemoryFigure::allocated;
  std::string family;  ///< frameworks that share kernels; empty: stands alone
  KernelSet kernels = KernelSet::compiled;
  double layer_kernels = 0;             ///< that the host launches one by one in a forward pass of a dense layer;
                                        ///< 0: not counted, and fitted constants describe its host
  bool hides_expert_exchange = false;   ///< behind a second batch in flight
  bool multi_token_prediction = false;  ///< trains the model's multi-token modules too
  std::string fused_sinks_since;        ///< ISO date from which attention with sinks is fused; empty: never
  std::string successor;                ///< id of what the same name means later on; empty: none
  std::string successor_since;          ///< ISO date, possibly shortened
};

/// Adds the frameworks of a file.
void read_training_frameworks(const JsonNode& node, const std::string& file, std::vector<TrainingFramework>& frameworks,
                              ErrorList& errors);

/// By id; null where the table has none.
const TrainingFramework* find_training_framework(const std::vector<TrainingFramework>& frameworks, std::string_view id);
/// The framework whose `words` a free text holds; of several the one that stands first, of two at one place the longer.
/// Null where none does.
const TrainingFramework* framework_by_words(const std::vector<TrainingFramework>& frameworks, std::string_view text);
/// The known version that a text means: "0.8" and "r0.8.0" are one, and so are "24.07" and "24.07.00". Null where none.
const FrameworkVersion* find_version(const TrainingFramework& framework, std::string_view version);

}  // namespace podwright
