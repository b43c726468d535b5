#pragma once
#include <vector>

namespace podwright {

/// Adds copies at the end. std::vector::insert, which can also make room between items, is compiled to far more.
template <class Item, class Items>
void append(std::vector<Item>& to, const Items& more) {
  for (const Item& item : more) to.push_back(item);
}

}  // namespace podwright
