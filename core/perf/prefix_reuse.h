#pragma once
/// What a prefix cache finds, in closed form. docs/method/replay.md#reuse.
#include "catalog/traffic.h"

namespace podwright {

/// Of one replica.
struct ReuseLoad {
  double requests_per_s = 0;
  double room_tokens = 0;  ///< of the pool, beside what running sequences hold of their own
  double service_s = 0;    ///< time of a request
  double replicas = 1;
  double block_tokens = 1;
};

struct PrefixReuse {
  double hit_ratio = 0;  ///< of the prompts' tokens
  double unlimited = 0;  ///< the same with a cache that forgets nothing
  double kept_s = 0;     ///< how long a prefix stays that nobody asks for
};

/// `input` and `output` are mean tokens of prompts and answers.
PrefixReuse prefix_reuse(const TrafficPattern& traffic, double input, double output, const ReuseLoad& load);

}  // namespace podwright
