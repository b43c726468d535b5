#pragma once
/// Data that lies in a cloud and data that leaves it, as parts of a bill: at the price that is given, else at the
/// provider's in the catalog, else named as missing. docs/method/cloud_cost.md#egress.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/cloud_cost.h"
#include "cost/egress.h"

namespace podwright {

/// One step of a price list, in the units of its keys.
struct EgressStep {
  std::optional<double> up_to_gb;  ///< per month; absent: the last step
  double usd_per_gb = 0;
};

/// Data that leaves a cloud, as a request has it.
struct EgressRequest {
  double gb_per_month = 0;
  std::optional<double> usd_per_gb;  ///< one price for every gigabyte
  std::vector<EgressStep> steps;     ///< in place of it; both absent: the provider's in the catalog
};

/// Adds the storage of `volume` to the bill; `given` is its price, may be absent.
template <class Tracer>
void add_cloud_storage(Tracer& trace, const Catalog& catalog, std::string_view provider,
                       const Known<Tracer, Bytes>& volume, const std::optional<Known<Tracer, UsdPerByteSecond>>& given,
                       RentedTerms<Tracer>& in) {
  auto price = given;
  if (!price) {
    const DataPrice found = cloud_storage_price(catalog, provider);
    if (found.row == nullptr) {
      in.missing.push_back(found.absence + " Give \"storage_usd_per_gb_month\".");
      return;
    }
    price = trace.fact(*found.row, "typical", usd_per_gb_month(raw(found.row->price.typical)));
  }
  in.storage = named("cost.cloud_storage", cited("docs/method/cloud_cost.md#storage", volume * *price));
}

namespace cloud_data_detail {

/// The price list of the request, or the provider's only step; empty where there is neither.
template <class Tracer>
std::vector<EgressTier<Tracer>> egress_tiers(Tracer& trace, const Catalog& catalog, std::string_view provider,
                                             const EgressRequest& egress, RentedTerms<Tracer>& in,
                                             std::vector<std::string>& cautions) {
  if (egress.usd_per_gb)
    return {{.to = {}, .price = trace.input("/egress_usd_per_gb", usd_per_gb(*egress.usd_per_gb))}};
  std::vector<EgressTier<Tracer>> tiers;
  for (std::size_t i = 0; i < egress.steps.size(); ++i) {
    const TraceScope scope(trace, "/egress_tiers/" + std::to_string(i));
    const EgressStep& step = egress.steps[i];
    EgressTier<Tracer> tier{.to = {}, .price = trace.input("/usd_per_gb", usd_per_gb(step.usd_per_gb))};
    if (step.up_to_gb) tier.to = trace.input("/up_to_gb", gb(*step.up_to_gb));
    tiers.push_back(tier);
  }
  if (!tiers.empty()) return tiers;
  const DataPrice found = egress_price(catalog, provider);
  if (found.row == nullptr) {
    in.missing.push_back(found.absence + " Give \"egress_usd_per_gb\" or \"egress_tiers\".");
    return {};
  }
  if (!found.caution.empty()) cautions.push_back(found.caution);
  return {{.to = {}, .price = trace.fact(*found.row, "typical", usd_per_gb(raw(found.row->price.typical)))}};
}

}  // namespace cloud_data_detail

/// Adds the egress of a month to the bill. Inside the scope of the object that has the keys of `egress`.
template <class Tracer>
void add_egress(Tracer& trace, const Catalog& catalog, std::string_view provider, const EgressRequest& egress,
                RentedTerms<Tracer>& in, std::vector<std::string>& cautions) {
  if (egress.gb_per_month == 0) return;
  const auto tiers = cloud_data_detail::egress_tiers(trace, catalog, provider, egress, in, cautions);
  if (tiers.empty()) return;
  in.egress = tiered_egress(trace, trace.input("/egress_gb_per_month", gb(egress.gb_per_month)), tiers);
}

}  // namespace podwright
