#pragma once
/// Data that leaves a cloud, and data that lies in it. docs/method/cloud_cost.md#egress.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"

namespace podwright {

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

/// Price per byte of one provider, flat, as the catalog's purchase prices have it, or why there is none.
struct DataPrice {
  const PurchasePrice* row = nullptr;
  std::string caution;
  std::string absence;
};
DataPrice egress_price(const Catalog& catalog, std::string_view provider);
DataPrice cloud_storage_price(const Catalog& catalog, std::string_view provider);

}  // namespace podwright
