#pragma once
/// Fields that requests of several kinds share.
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"

namespace podwright {

/// `kind` and `schema`, with which every request begins.
void describe_head(FieldVisitor& visitor, std::string_view kind);

/// The words by which the items of a table are named.
template <class Item>
std::vector<std::string> ids(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.id);
  return names;
}

/// `explain`, of requests whose whole answer is traced.
void describe_explain(FieldVisitor& visitor, bool& explain);

}  // namespace podwright
