#pragma once
/// What each kind of provider asks for a GPU-hour: quartiles and outliers. docs/method/prices.md#bands.
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "cost/rent.h"

namespace podwright {

inline constexpr const char* kBandPage = "docs/method/prices.md#bands";

struct Quartiles {
  UsdPerSecond lower;
  UsdPerSecond median;
  UsdPerSecond upper;
};

/// Of the providers of a segment, each with its lowest price of a GPU.
struct PriceBand {
  CloudSegment segment = CloudSegment::hyperscaler;
  double providers = 0;
  std::optional<Quartiles> quartiles;  ///< of three providers and more
};

struct PriceBands {
  RentTerm term = RentTerm::on_demand;
  std::vector<PriceBand> bands;             ///< of the segments that have a provider
  std::vector<const CloudPrice*> outliers;  ///< beyond the fences of their band
};

/// Of the rows that the filter admits, marketplaces and what is sold out among them: they set no price, but they are
/// asked prices. Points into `rows`.
PriceBands price_bands(std::span<const CloudPrice> rows, RentFilter filter);

}  // namespace podwright
