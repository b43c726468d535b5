#pragma once
/// How tokens spread over experts in the probe of expert products; the plan counts bytes with it, the backend runs it.
#include <algorithm>
#include <cstdint>
#include <vector>

namespace podwright::probes {

/// Rows of each expert: equal, or in proportion to 1, 1/2, 1/3 ... (`zipf`), whole and `rows` together.
inline std::vector<std::int64_t> expert_rows(std::int64_t experts, std::int64_t rows, bool zipf) {
  double weights = 0;
  for (std::int64_t e = 0; e < experts; ++e) weights += zipf ? 1.0 / static_cast<double>(e + 1) : 1.0;
  std::vector<std::int64_t> of_expert;
  std::int64_t given = 0;
  double until = 0;
  for (std::int64_t e = 0; e < experts; ++e) {
    // Shares are rounded together with all before them, so that nothing is lost.
    until += zipf ? 1.0 / static_cast<double>(e + 1) : 1.0;
    const bool last = e + 1 == experts;
    const auto place = last ? rows : static_cast<std::int64_t>(static_cast<double>(rows) * until / weights + 0.5);
    of_expert.push_back(place - given);
    given = place;
  }
  return of_expert;
}

/// Experts that have any rows, whose weights are read.
inline std::int64_t experts_touched(const std::vector<std::int64_t>& rows) {
  return std::count_if(rows.begin(), rows.end(), [](std::int64_t one) { return one > 0; });
}

}  // namespace podwright::probes
