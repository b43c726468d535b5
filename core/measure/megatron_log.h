#pragma once
/// What a log of Megatron-LM says of the memory of its ranks: the lines of report_memory() and
/// report_theoretical_memory() of megatron/training, Megatron Core 0.14 to 0.19. Their MB are 2^20 bytes.
/// docs/method/training_memory.md#proof.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace podwright {

/// The fullest moment of a rank, as the allocator of PyTorch saw it.
struct MegatronRank {
  double rank = 0;
  Bytes max_allocated;
  std::optional<Bytes> max_reserved;
};

/// Megatron-LM's own formula, of the fullest rank.
struct MegatronTheory {
  Bytes weights_and_optimizer;
  Bytes activations;
  Bytes total;
};

struct MegatronLog {
  std::vector<MegatronRank> ranks;  ///< by rank; of those whose optimizer had its states
  std::optional<MegatronTheory> theory;
  bool out_of_memory = false;
  /// What the command, traced by the shell, or the printed arguments say of the layout: "tensor-model-parallel-size",
  /// "world-size", "rank" ...; empty where neither is in the log.
  std::map<std::string, double> arguments;
};

/// By the marks that Megatron-LM writes, or that it was started with.
bool is_megatron_log(std::string_view text);

/// Errors: paths are ":<line>"; "missing", with an empty path, where no rank reached its second step, or none reported
/// its memory. A log that ends because memory ran out has no ranks, and is read.
Result<MegatronLog> import_megatron_log(std::string_view text);

}  // namespace podwright
