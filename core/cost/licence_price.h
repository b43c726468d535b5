#pragma once
/// What the licence of the accelerated software costs for each GPU, and which GPUs bring it along.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/operation.h"

namespace podwright {

/// Software whose licence is counted for every GPU, owned or rented.
enum class Licence { none, nvidia_ai_enterprise };
inline constexpr std::array<std::string_view, 2> kLicenceWords{"none", "nvidia-ai-enterprise"};

struct LicencePricing {
  const PurchasePrice* price = nullptr;  ///< per GPU for `term_years`; null: absent
  double term_years = 1;
  std::string caution;  ///< what to know before using it; may be empty
  std::string absence;  ///< why there is no price; empty where there is one
};

/// The subscription of one year; paid for five years at once where `prepaid`; 0 for GPUs sold with a bundled term,
/// within the five years of that bundle.
LicencePricing licence_pricing(const Catalog& catalog, const Gpu& gpu, double horizon_years, bool prepaid);

/// The same software as a cloud's market sells it, by the hour in which a GPU stands; `term_years` says nothing there.
LicencePricing cloud_licence_pricing(const Catalog& catalog);

/// Per GPU and time. `pricing.price` must be there.
template <class Tracer>
Known<Tracer, UsdPerSecond> licence_per_gpu(Tracer& trace, const LicencePricing& pricing) {
  return named("cost.licence_per_gpu", licence_rate(trace.fact(*pricing.price, "typical", pricing.price->price.typical),
                                                    trace.constant("licence_term_years", pricing.term_years,
                                                                   "term of the licence that is priced")));
}

}  // namespace podwright
