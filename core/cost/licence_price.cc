#include "cost/licence_price.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cost/purchase.h"

namespace podwright {
namespace {

constexpr double kBundleYears = 5;
constexpr std::string_view kBundle = "nvidia-ai-enterprise-bundled-term-with-h100-pcie-h100-nvl-h200-nvl";
constexpr std::string_view kYearly = "nvidia-ai-enterprise-subscription-1-year";
constexpr std::string_view kPrepaid = "nvidia-ai-enterprise-subscription-5-years-prepaid";
constexpr std::string_view kInClouds = "nvidia-ai-enterprise-in-cloud-marketplaces";
/// The GPUs that the bundle's row names.
constexpr std::array<std::string_view, 3> kBundledGpus{"h100-pcie-80gb", "h100-nvl-94gb", "h200-nvl-141gb"};

void find_price(const Catalog& catalog, std::string_view id, LicencePricing& pricing) {
  pricing.price = purchase_price(catalog, id);
  if (pricing.price == nullptr)
    pricing.absence = "No dated source for the price of the software licence \"" + std::string(id) + "\".";
}

}  // namespace

LicencePricing cloud_licence_pricing(const Catalog& catalog) {
  LicencePricing pricing;
  find_price(catalog, kInClouds, pricing);
  return pricing;
}

LicencePricing licence_pricing(const Catalog& catalog, const Gpu& gpu, double horizon_years, bool prepaid) {
  LicencePricing pricing;
  const bool bundled = std::find(kBundledGpus.begin(), kBundledGpus.end(), gpu.id) != kBundledGpus.end();
  const bool in_bundle = bundled && horizon_years <= kBundleYears;
  const std::string_view id = in_bundle ? kBundle : prepaid ? kPrepaid : kYearly;
  pricing.term_years = in_bundle || prepaid ? kBundleYears : 1;
  find_price(catalog, id, pricing);
  if (pricing.price == nullptr) return pricing;
  if (bundled && !in_bundle)
    pricing.caution =
        gpu.name + " brings five years of the licence along; the years beyond make the whole time be priced.";
  if (prepaid && !in_bundle && horizon_years < kBundleYears)
    pricing.caution = "The licence is paid for five years, longer than the machines are planned for.";
  return pricing;
}

}  // namespace podwright
