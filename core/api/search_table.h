#pragma once
/// Fields that the answers of both searches share; traced or not.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "api/common_table.h"
#include "api/field_reader.h"
#include "cost/rent.h"
#include "sizing/candidates.h"
#include "sizing/launch_options.h"

namespace podwright {

/// Where the numbers of what a search found come from, for the trace: each stands at `list` and its index
/// ("/layouts/"), with the request's sources and, for the keys that the search chose, its page.
inline std::map<std::string, std::string> origins_of_found(const std::vector<Assumption>& assumptions,
                                                           const std::string& list, std::size_t count,
                                                           std::span<const char* const> chosen) {
  std::map<std::string, std::string> origins = sources_of(assumptions);
  const std::map<std::string, std::string> defaults = origins;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string place = list + std::to_string(i);
    for (const auto& [path, source] : defaults) origins.emplace(place + path, source);
    for (const char* const key : chosen) origins.emplace(place + key, "chosen by the search, docs/method/search.md");
  }
  return origins;
}

/// The first of each kind of idea that makes the request feasible; `is_found`: the changed request has a candidate.
template <class Request, class IsFound>
std::vector<Patch> working_ideas(const Asked& asked, std::vector<Patch> ideas, const IsFound& is_found) {
  std::vector<Patch> working;
  for (Patch& patch : ideas) {
    if (!working.empty() && patch.first() == working.back().first()) continue;
    const auto changed = read_patched<Request>(asked.catalog, asked.document, patch);
    if (changed && is_found(*changed)) working.push_back(std::move(patch));
  }
  return working;
}

/// The lowest list price on demand; absent where the request has a price or the catalog none.
std::optional<UsdPerSecond> catalog_rent(const Catalog& catalog, const auto& request, const Gpu& gpu) {
  if (price_row(request, gpu)) return std::nullopt;
  return rent_market(catalog.cloud_prices, {.gpu_id = gpu.id}).cheapest_per_gpu;
}

/// Of a GPU-hour: rows of the request go before the catalog's list prices.
template <class Tracer, class Request>
std::optional<Known<Tracer, UsdPerSecond>> known_price(Tracer& tracer, const Catalog& catalog, const Request& request,
                                                       const Gpu& gpu) {
  if (const auto row = price_row(request, gpu))
    return tracer.input("/prices/" + std::to_string(*row) + "/usd_per_gpu_hour",
                        usd_per_hour(*request.prices[*row].usd_per_gpu_hour));
  const auto rent = catalog_rent(catalog, request, gpu);
  if (!rent) return std::nullopt;
  return tracer.method("cost.cheapest_rent_per_gpu", *rent, "docs/method/prices.md");
}

/// What counts and shortfalls of rejected candidates are.
inline constexpr std::string_view kRejectedPage = "docs/method/search.md#rejected";

/// For each reason how many layouts it excluded, and the one that missed least.
void describe_search_rejected(auto& v, auto& trace, const std::vector<sizing::Rejection>& rejected) {
  v.list({"rejected"}, rejected, [&](const sizing::Rejection& rejection) {
    const Infeasible& reason = rejection.reason;
    describe_message(v, reason.message, reason.code);
    v.number({"count"}, [&] { return trace.method("search.dropped", rejection.count, kRejectedPage); });
    v.text({"nearest", "Closest candidate"}, rejection.layout);
    if (const auto part = v.when(reason.shortfall != 0)) {
      v.number({"shortfall", "Short by"},
               [&] { return trace.method("search.shortfall_of_nearest", reason.shortfall, kRejectedPage); });
      v.text({"unit"}, reason.unit);
    }
  });
}

void describe(auto& v, const sizing::LaunchArguments& launch) {
  v.text({"program"}, launch.program);
  v.text({"form"}, launch.form);
  v.texts({"environment"}, launch.environment);
  v.texts({"arguments"}, launch.arguments);
  v.texts({"cannot"}, launch.cannot);
}

}  // namespace podwright
