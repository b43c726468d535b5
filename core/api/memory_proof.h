#pragma once
/// Whether the memory that Megatron-LM printed is what the estimate of the layout says. `podwright verify REQUEST
/// megatron.log`. docs/method/training_memory.md#proof.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "measure/megatron_log.h"

namespace podwright {

/// within: the measured peak is in the 90 % interval of the estimate. out_of_memory: the log ends where memory ran out.
enum class ProofState { within, above, below, out_of_memory };
inline constexpr std::array<std::string_view, 4> kProofStateWords{"within", "above", "below", "out-of-memory"};

/// A figure of the estimate, with its 90 % interval where the catalog knows how far estimates are off.
struct ProofFigure {
  Bytes value;
  std::optional<Bytes> low;
  std::optional<Bytes> high;
};

struct MemoryProof {
  ProofState state = ProofState::within;
  std::string gpu;
  double ranks = 1;  ///< GPUs of the layout
  double rank = 0;   ///< whose peak is compared: the fullest one that the log has
  int stage = 0;     ///< its pipeline stage, 0-based
  double stages = 1;
  std::optional<Bytes> allocated;   ///< measured; absent where memory ran out
  std::optional<Bytes> reserved;    ///< measured
  std::optional<Bytes> in_use;      ///< reserved, and the process as the estimate has it
  ProofFigure estimated_allocated;  ///< of the same rank
  ProofFigure estimated_in_use;
  Bytes capacity;
  std::optional<MegatronTheory> theory;
  std::vector<std::string> notes;  ///< what was not checked or stands out, sentences

  bool fits() const { return in_use && *in_use <= capacity; }
  bool holds() const { return state == ProofState::within && fits(); }
};

/// `request` is of kind training, or a search or plan for training, whose first layout counts. Errors: those of the
/// request; conflict where the log is of another layout; missing where the log has no rank of the fullest stage.
Result<MemoryProof> memory_proof(const Catalog& catalog, const JsonNode& request, const MegatronLog& log);

/// The same as JSON: states, and figures in GiB.
std::string memory_proof_json(const MemoryProof& proof);

}  // namespace podwright
