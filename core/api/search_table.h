#pragma once
/// Fields that the answers of both searches share; traced or not.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "api/common_table.h"
#include "api/field_reader.h"
#include "cost/provider_name.h"
#include "cost/rent.h"
#include "sizing/candidates.h"
#include "sizing/limit_certainty.h"

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

inline constexpr const char* kCertaintyPage = "docs/method/search.md#how-sure-a-limit-is-kept";

/// Each limit with what is reached of it, and how sure that is.
void describe_limits(auto& v, auto& tracer, const std::vector<sizing::LimitCertainty>& limits) {
  if (const auto part = v.when(!limits.empty()))
    v.list({"limits"}, limits, [&](const sizing::LimitCertainty& one) {
      const auto told = [&](const char* id, const auto& value) {
        return value ? std::optional(tracer.method(id, *value, kCertaintyPage)) : std::nullopt;
      };
      const std::string key(v.real() ? sizing::key_of(one.limit) : "");
      v.text({"limit"}, key);
      v.number({"limit_s", unit::kSeconds}, [&] { return tracer.input("/" + key, one.limit.most); });
      v.number({"reached_s", unit::kSeconds},
               [&] { return tracer.method("search.limit_reached", one.reached, kCertaintyPage); });
      v.number({"reached_s_low", unit::kSeconds}, [&] { return told("search.limit_reached_low", one.low); });
      v.number({"reached_s_high", unit::kSeconds}, [&] { return told("search.limit_reached_high", one.high); });
      v.number({"probability", "Probability that it is kept"},
               [&] { return told("search.limit_probability", one.probability); });
      if (const auto certain = v.when(one.high.has_value()))
        v.text({"kept"}, [&] { return sizing::certainty_word(one); });
    });
}

/// Sizes of the parallel groups, of each pool where there are two, and the tokens that a draft proposes.
void describe_arrangement(auto& v, auto& tracer, const ServingRun& run) {
  const std::optional<Disaggregated>& pools = run.disaggregated;
  const auto sizes = [&](const ServingParallelism& of) {
    v.group({"parallelism"}, [&] { describe_sizes(v, tracer, of); });
  };
  const auto pool = [&](const AnswerField& field, double gpus, const ServingParallelism& of) {
    v.group(field, [&] {
      describe_chosen(v, tracer, {"gpu_count", "GPUs"}, gpus);
      sizes(of);
    });
  };
  if (const auto part = v.when(!pools)) sizes(run.parallelism);
  v.object({"pools"}, pools, [&](const Disaggregated& both) {
    pool({"prefill"}, both.prefill_gpus, both.prefill);
    pool({"decode"}, both.decode_gpus, both.decode);
  });
  v.fields(run.speculative,
           [&](const auto& draft) { describe_chosen(v, tracer, {"draft_tokens"}, draft.draft_tokens); });
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

/// Whose list price on demand a GPU has; null where the request has a price or the catalog none.
const CloudPrice* rent_row(const Catalog& catalog, const auto& request, const Gpu& gpu, const RentFilter& filter) {
  if (price_row(request, gpu)) return nullptr;
  return rent_market(catalog.cloud_prices, filter).chosen;
}

/// Whose price it is; null where the request gives it.
void describe_basis(auto& v, const CloudPrice* offer) {
  v.fields(offer, [&](const CloudPrice& row) {
    v.text({"basis"}, "list price on demand");
    v.text({"provider"}, row.provider);
    v.text({"as_of", "Price as of"}, row.as_of);
  });
}

/// What a search assumes of the price of a GPU.
inline std::string price_assumed(const Gpu& gpu, const CloudPrice& row) {
  return gpu.name + " costs " + dollars_text(raw(gpu_hour_price(*row.on_demand, row.gpu_count) * hours(1))) +
         " an hour on demand, as " + provider_name(row.provider) + " asked on " + row.as_of +
         ", the middle of the three lowest providers; set prices.";
}

/// Of a GPU-hour: rows of the request go before the catalog's list prices.
template <class Tracer, class Request>
std::optional<Known<Tracer, UsdPerSecond>> known_price(Tracer& tracer, const Catalog& catalog, const Request& request,
                                                       const Gpu& gpu, const RentFilter& filter) {
  if (const auto row = price_row(request, gpu))
    return tracer.input("/prices/" + std::to_string(*row) + "/usd_per_gpu_hour",
                        usd_per_hour(*request.prices[*row].usd_per_gpu_hour));
  const CloudPrice* row = rent_row(catalog, request, gpu, filter);
  if (row == nullptr) return std::nullopt;
  return rent_per_gpu(tracer, *row, RentTerm::on_demand);
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

}  // namespace podwright
