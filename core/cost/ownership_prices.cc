#include "cost/ownership_prices.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "base/math.h"
#include "base/number_text.h"
#include "cost/purchase.h"

namespace podwright {
namespace {

/// Rows of the price table with the committed power that they stand for, in kilowatts, and what they say of
/// electricity. `printed_below_kw` is the end of the band as printed, where the row stands in above it.
struct Band {
  std::string_view row;
  double from_kw = 0;
  double below_kw = 0;
  double printed_below_kw = 0;
  ColocationPower power = ColocationPower::extra;
};
constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::array<Band, 3> kBands{
    {{"colocation-retail-cage", 0, 250, 250, ColocationPower::not_told},
     {"wholesale-colocation-north-america-primary-markets-250-500-kw", 250, 1000, 500, ColocationPower::extra},
     {"colocation-large-wholesale-1-mw", 1000, kUnbounded, kUnbounded, ColocationPower::not_told}}};

constexpr double kGpusOfOneServer = 8;

std::string caution_of(const Band& band, double committed_kw, const PurchasePrice& price) {
  std::string text;
  if (committed_kw > band.printed_below_kw)
    text = "No price of colocation is known between " + human_number(band.printed_below_kw) + " and " +
           human_number(band.below_kw) + " kW; that of the smaller band is used instead.";
  if (band.power == ColocationPower::not_told)
    text += std::string(text.empty() ? "" : " ") + "Whether the price of \"" + price.name +
            "\" includes electricity is not known; electricity is counted in addition.";
  return text;
}

}  // namespace

std::optional<double> share_of_size(const Catalog& catalog, const PurchasePrice& row, double gpus) {
  const double typical = row.price.typical / usd(1);
  const OperatingFigure* large = find_operating_figure(catalog.operating_figures, "gpus-of-large-buyer");
  if (large == nullptr) return std::nullopt;
  if (gpus <= kGpusOfOneServer) return typical;
  const double way = math::log(gpus / kGpusOfOneServer) / math::log(large->typical / kGpusOfOneServer);
  return typical - (typical - row.price.low / usd(1)) * std::min(1.0, way);
}

std::optional<double> people_of_size(const Catalog& catalog, double gpus) {
  const auto figure = [&](std::string_view id) { return find_operating_figure(catalog.operating_figures, id); };
  const OperatingFigure* small = figure("gpus-per-person");
  const OperatingFigure* large = figure("gpus-of-large-fleet");
  const OperatingFigure* people = figure("people-of-large-fleet");
  if (small == nullptr || large == nullptr || people == nullptr) return std::nullopt;
  const double growth = math::log(people->typical) / math::log(large->typical / small->typical);
  return math::pow(gpus / small->typical, growth);
}

ColocationPricing colocation_pricing(const Catalog& catalog, Watts committed, bool power_included) {
  const double committed_kw = committed / kw(1);
  ColocationPricing pricing;
  for (const Band& band : kBands) {
    if (committed_kw < band.from_kw || committed_kw >= band.below_kw) continue;
    if ((band.power == ColocationPower::included) != power_included) continue;
    pricing.power = band.power;
    pricing.price = purchase_price(catalog, band.row);
    if (pricing.price != nullptr) pricing.caution = caution_of(band, committed_kw, *pricing.price);
  }
  if (pricing.price == nullptr)
    pricing.absence = "No dated source for colocation of " + human_number(committed_kw) + " kW per kW and month" +
                      (power_included ? " with electricity in its price; give usd_per_kw_month." : ".");
  return pricing;
}

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
