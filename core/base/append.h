#pragma once
#include <algorithm>
#include <string>
#include <vector>

namespace podwright {

/// Adds copies at the end. std::vector::insert, which can also make room between items, is compiled to far more.
template <class Item, class Items>
void append(std::vector<Item>& to, const Items& more) {
  for (const Item& item : more) to.push_back(item);
}

/// Adds a copy at the end unless an equal item is there.
template <class Items, class Item>
void add_once(Items& to, const Item& item) {
  if (std::find(to.begin(), to.end(), item) == to.end()) to.push_back(item);
}

/// Adds those sentences that are not there.
inline void append_once(std::vector<std::string>& to, const std::vector<std::string>& more) {
  for (const std::string& sentence : more) add_once(to, sentence);
}

}  // namespace podwright
