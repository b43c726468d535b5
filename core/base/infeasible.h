#pragma once
/// Infeasible is an answer: which limit broke, by how much, and what would lift it.
#include <string>
#include <vector>

#include "base/message.h"
#include "base/patch.h"

namespace podwright {

struct Infeasible {
  std::string code;  ///< "weights-do-not-fit", "no-room-for-one-sequence", ...
  Message message = {};
  double shortfall = 0;              ///< what is missing, in `unit`; 0 where that is no number
  std::string unit = {};             ///< "bytes" ...
  std::vector<Patch> ways_out = {};  ///< each of which alone lifts this limit (others may remain)
};

}  // namespace podwright
