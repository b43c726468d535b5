#pragma once
/// Infeasible is an answer: which limit broke, by how much, and what would lift it.
#include <string>
#include <vector>

#include "base/units.h"
#include "catalog/gpu.h"

namespace podwright {

struct Infeasible {
  std::string code;      ///< "weights-do-not-fit", "no-room-for-one-sequence", ...
  std::string message;   ///< one sentence with the numbers
  double shortfall = 0;  ///< what is missing, in `unit`
  std::string unit;      ///< "bytes" ...
  /// JSON merge patches of the request, each of which alone lifts this limit (others may remain).
  std::vector<std::string> ways_out;
};

/// The GPU with the least memory that still holds `needed`; null where none of `gpus` does.
const Gpu* smallest_gpu_with(const std::vector<Gpu>& gpus, Bytes needed);

/// Memory a GPU offers: what its driver reports, else the printed figure (decimal gigabytes, which the driver's exceeds
/// or equals). Zero where neither is known.
Bytes gpu_memory(const Gpu& gpu);

/// `{"key": "text"}` and `{"key": 12}` as JSON; a key "a.b" nests.
std::string merge_patch(const std::string& key, const std::string& text);
std::string merge_patch(const std::string& key, double number);

}  // namespace podwright
