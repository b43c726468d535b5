#include "base/stable_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace podwright::stable_sort_test {
namespace {

TEST(SortStably, OrdersAsTheStandardLibraryDoes) {
  struct Item {
    std::string name;
    int rank;
    bool operator==(const Item&) const = default;
  };
  const auto before = [](const Item& a, const Item& b) { return a.rank < b.rank; };
  for (int count = 0; count < 60; ++count) {
    std::vector<Item> items;
    for (int i = 0; i < count; ++i) items.push_back({"item " + std::to_string(i), i * i * 7919 % 11});
    std::vector<Item> expected = items;
    std::stable_sort(expected.begin(), expected.end(), before);
    sort_stably(items, before);
    EXPECT_EQ(items, expected) << count;
  }
}

TEST(SortStably, PutsWordsInOrder) {
  std::vector<std::string> words{"pear", "apple", "fig"};
  sort_stably(words);
  EXPECT_EQ(words, (std::vector<std::string>{"apple", "fig", "pear"}));
}

TEST(StableOrder, NamesPlaces) {
  const std::vector<double> values{3, 1, 2, 1};
  EXPECT_EQ(stable_order(values.size(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; }),
            (std::vector<std::size_t>{1, 3, 2, 0}));
}

}  // namespace
}  // namespace podwright::stable_sort_test
