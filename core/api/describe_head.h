#pragma once
/// Fields that requests of several kinds share.
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"

namespace podwright {

/// `kind` and `schema`, with which every request begins.
void describe_head(FieldVisitor& visitor, std::string_view kind);

/// `type`, which says what kind of workload is searched for; `form` is that of the table that asks.
void describe_search_type(FieldVisitor& visitor, std::string_view form, bool required);

/// The words by which the items of a table are named.
template <class Item>
std::vector<std::string> ids(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.id);
  return names;
}

/// `explain`, of requests whose whole answer is traced.
void describe_explain(FieldVisitor& visitor, bool& explain);

/// The field of requests whose answers change with the rates of a host, `calibration`. `answer_request` has read it
/// before.
void describe_calibration(FieldVisitor& visitor);

}  // namespace podwright
