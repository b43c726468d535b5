#include "base/stable_sort.h"

#include <algorithm>
#include <numeric>

namespace podwright {

std::vector<std::size_t> stable_order(std::size_t count, PlaceBefore before, const void* known) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [=](std::size_t a, std::size_t b) { return before(known, a, b); });
  return order;
}

std::vector<std::size_t> sorting_swaps(std::vector<std::size_t> order) {
  // The item of a place that was filled before is where the swap of that place has put it.
  for (std::size_t i = 0; i < order.size(); ++i)
    while (order[i] < i) order[i] = order[order[i]];
  return order;
}

}  // namespace podwright
