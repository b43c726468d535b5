#pragma once
/// Data that lies in a cloud and data that leaves it, as parts of a bill: at the price that is given, else at the
/// provider's in the catalog, else named as missing. docs/method/cloud_cost.md#egress.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/cloud_cost.h"

namespace podwright {

// Data that leaves a cloud, and data that lies in it. docs/method/cloud_cost.md#egress.

using UsdPerByte = Quantity<Dim{.byte = -1, .usd = 1}>;
using UsdPerByteSecond = Quantity<Dim{.byte = -1, .second = -1, .usd = 1}>;

/// A month of prices per month has 730 hours.
inline constexpr Seconds kMonth = hours(730);
constexpr UsdPerByte usd_per_gb(double x) { return UsdPerByte(x / 1e9); }
constexpr UsdPerByteSecond usd_per_gb_month(double x) { return UsdPerByteSecond(x / 1e9 / kMonth.base_units()); }
constexpr UsdPerSecond usd_per_month(double x) { return UsdPerSecond(x / kMonth.base_units()); }

/// Part of a month's volume that falls between two borders of a price list.
constexpr auto volume_in_tier(Of<Bytes> auto volume, Of<Bytes> auto from, Of<Bytes> auto to) {
  return cited("docs/method/cloud_cost.md#egress", max(Bytes(0), min(volume, to) - from));
}

/// Part above the last border.
constexpr auto volume_above(Of<Bytes> auto volume, Of<Bytes> auto from) {
  return cited("docs/method/cloud_cost.md#egress", max(Bytes(0), volume - from));
}

/// A volume per month of 730 hours as money per time.
constexpr auto egress_rate(Of<Bytes> auto volume_per_month, Of<UsdPerByte> auto price) {
  return cited("docs/method/cloud_cost.md#egress", volume_per_month * price / kMonth);
}

/// One step of a price list, for the volume above the step before it.
template <class Tracer>
struct EgressTier {
  std::optional<Known<Tracer, Bytes>> to;  ///< absent: the last step
  Known<Tracer, UsdPerByte> price;
};

/// Mean rate of a month's egress; `tiers` in rising order, at least one, the last without border.
template <class Tracer>
Known<Tracer, UsdPerSecond> tiered_egress(Tracer& trace, const Known<Tracer, Bytes>& volume,
                                          const std::vector<EgressTier<Tracer>>& tiers) {
  std::vector<Known<Tracer, UsdPerSecond>> parts;
  Known<Tracer, Bytes> from = Bytes(0);
  for (const EgressTier<Tracer>& tier : tiers) {
    const auto inside = tier.to ? named("cost.egress_in_tier", volume_in_tier(volume, from, *tier.to))
                                : named("cost.egress_in_tier", volume_above(volume, from));
    parts.push_back(named("cost.egress_of_tier", egress_rate(inside, tier.price)));
    if (tier.to) from = *tier.to;
  }
  return trace.sum("cost.egress", parts);
}

/// The price list of one provider, first step first. Where it prints none, the highest list of any provider stands in,
/// so that an unknown price neither takes a provider out nor makes it the better one, and `caution` says so.
struct DataPrices {
  std::vector<const CloudDataPrice*> steps;
  std::string caution;
  std::string absence;  ///< why there is no price at all: no provider is named
};
DataPrices egress_prices(const Catalog& catalog, std::string_view provider);
DataPrices cloud_storage_prices(const Catalog& catalog, std::string_view provider);

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
    const DataPrices found = cloud_storage_prices(catalog, provider);
    if (found.steps.empty()) {
      in.missing.push_back(found.absence + " Give \"storage_usd_per_gb_month\".");
      return;
    }
    if (!found.caution.empty()) in.cautions.push_back(found.caution);
    const CloudDataPrice& first = *found.steps.front();
    price = trace.fact(first, "usd_per_gb", usd_per_gb_month(first.usd_per_gb));
  }
  in.storage = named("cost.cloud_storage", cited("docs/method/cloud_cost.md#storage", volume * *price));
}

namespace cloud_data_detail {

/// The price list of the request, or the provider's; empty where there is neither.
template <class Tracer>
std::vector<EgressTier<Tracer>> egress_tiers(Tracer& trace, const Catalog& catalog, std::string_view provider,
                                             const EgressRequest& egress, RentedTerms<Tracer>& in) {
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
  const DataPrices found = egress_prices(catalog, provider);
  if (found.steps.empty()) in.missing.push_back(found.absence + " Give \"egress_usd_per_gb\" or \"egress_tiers\".");
  if (!found.caution.empty()) in.cautions.push_back(found.caution);
  for (const CloudDataPrice* step : found.steps) {
    EgressTier<Tracer> tier{.to = {}, .price = trace.fact(*step, "usd_per_gb", usd_per_gb(step->usd_per_gb))};
    // What lies above the last border that is known has the price below it.
    if (step->up_to_gb && step != found.steps.back()) tier.to = trace.fact(*step, "up_to_gb", gb(*step->up_to_gb));
    tiers.push_back(tier);
  }
  return tiers;
}

}  // namespace cloud_data_detail

/// Adds the egress of a month to the bill. Inside the scope of the object that has the keys of `egress`.
template <class Tracer>
void add_egress(Tracer& trace, const Catalog& catalog, std::string_view provider, const EgressRequest& egress,
                RentedTerms<Tracer>& in) {
  if (egress.gb_per_month == 0) return;
  const auto tiers = cloud_data_detail::egress_tiers(trace, catalog, provider, egress, in);
  if (tiers.empty()) return;
  in.egress = tiered_egress(trace, trace.input("/egress_gb_per_month", gb(egress.gb_per_month)), tiers);
}

}  // namespace podwright
