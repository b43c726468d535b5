#pragma once
/// Fields that requests of several kinds share.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/fields.h"
#include "base/result.h"
#include "cost/cloud_data.h"

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

/// Workloads of a plan, or models that share GPUs: each takes the time of a request of its own.
inline constexpr Range kWorkloads{1, 100};
/// Of a Monte Carlo: docs/method/uncertainty.md#draws.
inline constexpr double kMostDraws = 1e6;

/// `model`, which the request must name.
void describe_model(FieldVisitor& visitor, std::optional<Model>& model);

/// `tuning` of the open object.
void describe_tuning(FieldVisitor& visitor, Tuning& tuning);

/// `suggest` of the open object.
void describe_suggest(FieldVisitor& visitor, bool& suggest);
/// `explain`, of requests whose whole answer is traced.
void describe_explain(FieldVisitor& visitor, bool& explain);

/// The field of requests whose answers change with the rates of a host, `calibration`. `answer_request` has read it
/// before.
void describe_calibration(FieldVisitor& visitor);

/// A problem at `path` where `day` is not a date.
void check_day(Errors& problems, std::string_view path, const std::string& day);

/// Where the default policy for prices is explained.
inline constexpr std::string_view kPolicyPage = "docs/method/prices.md#policy";
/// Providers of the price table.
std::vector<std::string> providers_of(const Catalog& catalog);
/// `price`, `not_before` and `all_offers` of the open object.
void describe_price_choice(FieldVisitor& visitor, PricePolicy& policy);
/// `price_policy` of the open object.
void describe_price_policy(FieldVisitor& visitor, const Catalog& catalog, PricePolicy& policy);

/// `egress_gb_per_month`, `egress_usd_per_gb` and `egress_tiers` of the open object.
void describe_egress(FieldVisitor& visitor, EgressRequest& egress);

/// A conflict at each item of the list at `path` whose name an earlier item has: answers tell items apart by name.
void check_names(FieldVisitor& visitor, const std::vector<std::string>& names, const std::string& path);

/// Names what has no name by its place, such as "workload-2", and checks that no name stands twice.
template <class Item>
void complete_names(FieldVisitor& visitor, std::vector<Item>& items, const std::string& path) {
  name_by_place(items, "workload");
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  check_names(visitor, names, path);
}

/// An error at a list of ids, words or counts, at `path`, in which `id` stands twice.
Error stands_twice(const std::string& id, std::string_view key, const std::string& path);

}  // namespace podwright
