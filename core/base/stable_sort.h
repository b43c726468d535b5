#pragma once
/// Sorting where equal items stay in their order. One function sorts the places of items of all types: std::stable_sort
/// would be compiled again for each.
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace podwright {

/// Whether the item at place `a` stands before that at `b`; `known` is what the comparison knows.
using PlaceBefore = bool (*)(const void* known, std::size_t a, std::size_t b);

/// The places of `count` items in the order of the items.
std::vector<std::size_t> stable_order(std::size_t count, PlaceBefore before, const void* known);

template <class Before>
std::vector<std::size_t> stable_order(std::size_t count, const Before& before) {
  return stable_order(
      count, [](const void* known, std::size_t a, std::size_t b) { return (*static_cast<const Before*>(known))(a, b); },
      &before);
}

/// From the places of items the swaps that put them in order: for each place, from the first, that of its item by then.
std::vector<std::size_t> sorting_swaps(std::vector<std::size_t> order);

template <class Item, class Before = std::less<>>
void sort_stably(std::vector<Item>& items, const Before& before = {}) {
  const std::vector<std::size_t> swaps = sorting_swaps(
      stable_order(items.size(), [&](std::size_t a, std::size_t b) { return before(items[a], items[b]); }));
  for (std::size_t i = 0; i < swaps.size(); ++i)
    if (swaps[i] != i) std::swap(items[i], items[swaps[i]]);
}

}  // namespace podwright
