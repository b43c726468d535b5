#pragma once
/// What owning costs where nobody told: every part from a dated row of the catalog, or absent with the reason.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/building.h"
#include "cost/owned_cluster.h"
#include "cost/owned_terms.h"
#include "cost/ownership_formulas.h"
#include "cost/purchase.h"
#include "cost/resale.h"

namespace podwright {

// What a kilowatt of rented space costs by the power that is committed, and whether electricity is in that price.
// docs/method/ownership.md#facility.

/// Where the electricity of rented space is billed.
enum class ColocationPower { extra, included, not_told };

/// The row of a band; null with a reason where there is none.
struct ColocationPricing {
  const PurchasePrice* price = nullptr;  ///< USD per kilowatt and month
  ColocationPower power = ColocationPower::extra;
  std::string caution;  ///< what to know before using the price; may be empty
  std::string absence;
};

/// `power_included` wants a price that holds the electricity; else electricity is counted besides what is found.
ColocationPricing colocation_pricing(const Catalog& catalog, Watts committed, bool power_included);

/// Space rented by its committed power at the price `given`, else at the catalog's.
template <class Tracer>
CostPart<Tracer, UsdPerSecond> colocation_part(Tracer& trace, const Catalog& catalog,
                                               const Known<Tracer, Watts>& committed,
                                               const std::optional<Known<Tracer, UsdPerJoule>>& given,
                                               bool power_included, std::vector<std::string>& cautions) {
  Known<Tracer, UsdPerJoule> price{};
  if (given) {
    price = *given;
  } else {
    const ColocationPricing pricing = colocation_pricing(catalog, value_of(committed), power_included);
    if (pricing.price == nullptr) return {.absence = pricing.absence};
    if (!pricing.caution.empty()) cautions.push_back(pricing.caution);
    price = trace.fact(*pricing.price, "typical", usd_per_kw_month(pricing.price->price.typical / usd(1)));
  }
  return {.amount = named("cost.colocation", colocation_cost(committed, price))};
}

// What the licence of the accelerated software costs for each GPU, and which GPUs bring it along.

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

// What a cluster's size does to the cost of looking after it. docs/method/ownership.md#size.

inline constexpr std::string_view kOwningSizePage = "docs/method/ownership.md#size";

/// Share of the servers' price: typical for one server of eight GPUs, low from the size of large buyers on, in between
/// along the logarithm of the GPUs. Absent where the catalog has no such size.
std::optional<double> share_of_size(const Catalog& catalog, const PurchasePrice& row, double gpus);

/// Full-time people: one for the GPUs of a small cluster, and as many as a large fleet has, along a power of the GPUs.
/// Absent where the catalog has no such figures.
std::optional<double> people_of_size(const Catalog& catalog, double gpus);

// Price of electricity in a region as a part of the cost of owning. docs/method/ownership.md#energy.

/// In USD, or why it is absent. A price in another currency is converted at `given_rate` (USD for one unit of it), else
/// at the catalog's; `assumptions` gives the rate, `cautions` what the price stands on.
template <class Tracer>
CostPart<Tracer, UsdPerJoule> region_electricity(Tracer& trace, const Catalog& catalog, std::string_view region,
                                                 const std::optional<Known<Tracer, double>>& given_rate,
                                                 std::vector<std::string>& cautions,
                                                 std::vector<std::string>& assumptions) {
  using Rate = Known<Tracer, double>;
  const OperatingFigure* figure = given_rate ? nullptr : exchange_rate_figure(catalog, region);
  // A value and a flag: g++ 12 takes an optional that is filled on two ways for one that may be read empty.
  Rate rate{};
  const bool known = given_rate.has_value() || figure != nullptr;
  if (given_rate) rate = *given_rate;
  if (figure != nullptr) rate = trace.fact(*figure, "typical", figure->typical);
  const ElectricityPricing pricing =
      electricity_pricing(catalog, region, known ? std::optional<double>(value_of(rate)) : std::nullopt);
  if (!pricing.price) return {.absence = pricing.absence};
  if (!pricing.caution.empty()) cautions.push_back(pricing.caution);
  const auto price = electricity_price(trace, pricing, known ? std::optional<Rate>(rate) : std::nullopt, assumptions);
  if (figure != nullptr) assumptions.back() += " The rate is that of " + figure->source_of("typical") + ".";
  return {.amount = price};
}

/// A single machine has no network between machines.
enum class NetworkKind { none, infiniband, ethernet };
/// Where machines stand. `sunk`: a building that is there and paid for counts nothing, as `none` does.
enum class FacilityMode { colocation, own_building, sunk, none };
inline constexpr std::array<std::string_view, 4> kFacilityModeWords{"colocation", "own-building", "sunk", "none"};

/// What is known of the cluster, and what is chosen about it. Absent amounts of power and electricity have a reason.
template <class Tracer>
struct OwnedSite {
  const Gpu* gpu = nullptr;
  OwnedTerms<Tracer> terms;  ///< GPUs, years, servers, power and electricity; the network where `network` is none
  NetworkKind network = NetworkKind::none;                      ///< priced per GPU by a rule
  std::optional<Known<Tracer, Bytes>> storage;                  ///< usable; absent: none is bought
  std::optional<Known<Tracer, double>> next_generation_months;  ///< age at which it ships
  FacilityMode facility = FacilityMode::sunk;
  std::optional<Known<Tracer, UsdPerJoule>> colocation_price;  ///< absent: the catalog's
  Licence licence = Licence::nvidia_ai_enterprise;
  bool prepaid_licence = false;
};

/// Systems at their typical price. Boards alone are no machines: where only their price is known the servers are
/// absent.
template <class Tracer>
CostPart<Tracer, Usd> servers_part(Tracer& trace, const MachinePricing& machines, const Known<Tracer, double>& nodes,
                                   const Known<Tracer, double>& gpus) {
  if (machines.system_price == nullptr)
    return {.absence = machines.absence.empty() ? machines.caution : machines.absence};
  return {.amount = machine_cost(trace, machines, nodes, gpus)->typical};
}

/// Typical value of a row as `as` reads it, or why it is absent; `what` ends the sentence "No dated source for ...".
template <class T, class Tracer, class As>
CostPart<Tracer, T> part_of_row(Tracer& trace, const PurchasePrice* row, std::string_view what, const As& as) {
  if (row == nullptr) return {.absence = "No dated source for " + std::string(what) + "."};
  return {.amount = trace.fact(*row, "typical", as(row->price.typical / usd(1)))};
}

namespace owning_detail {

/// A number that a row gives as it is.
constexpr double plain(double x) { return x; }

template <class Tracer>
CostPart<Tracer, Usd> network_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (site.network == NetworkKind::none) return site.terms.network;
  const bool infiniband = site.network == NetworkKind::infiniband;
  const auto price =
      part_of_row<Usd>(trace,
                       purchase_price(catalog, infiniband ? "infiniband-ndr-fabric-per-gpu-all-in"
                                                          : "ethernet-roce-fabric-per-gpu-all-in"),
                       infiniband ? "an InfiniBand network per GPU" : "an Ethernet network per GPU", usd);
  if (!price.amount) return price;
  return {.amount = named("cost.network", purchase_cost(site.terms.gpu_count, *price.amount))};
}

template <class Tracer>
CostPart<Tracer, Usd> storage_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (!site.storage) return {};
  const auto price = part_of_row<UsdPerByte>(trace, purchase_price(catalog, "parallel-file-system-lustre-gpfs-usable"),
                                             "a parallel file system per TB", usd_per_tb);
  if (!price.amount) return {.absence = price.absence};
  return {.amount = named("cost.storage", storage_cost(*site.storage, *price.amount, 0.0))};
}

/// Of a server with GPUs; the table tells no other kind.
template <class Tracer>
CostPart<Tracer, double> residual_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const ResaleCurve curve = resale_curve(catalog);
  if (!curve.absence.empty()) return {.absence = curve.absence};
  const auto months = named("cost.months", month_count(site.terms.horizon_years));
  return {.amount = resale_fraction(trace, curve, months, site.next_generation_months, BandEdge::middle)};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> facility_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site,
                                             std::vector<std::string>& cautions) {
  const CostPart<Tracer, Watts>& it_power = site.terms.it_power;
  if (site.facility == FacilityMode::sunk || site.facility == FacilityMode::none) return {};
  if (!it_power.amount) return {.absence = it_power.absence};
  if (site.facility == FacilityMode::colocation)
    return colocation_part<Tracer>(trace, catalog, *it_power.amount, site.colocation_price, false, cautions);
  const auto price = part_of_row<UsdPerWatt>(trace, purchase_price(catalog, "data-centre-construction-per-critical-w"),
                                             "building a data centre", usd_per_watt);
  const auto life = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-useful-life"),
                                        "the life of a data centre", plain);
  const auto operation =
      part_of_row<UsdPerJoule>(trace, purchase_price(catalog, "data-centre-opex-excl-power"), "running a data centre",
                               [](double usd_per_watt_month) { return usd_per_kw_month(usd_per_watt_month * 1000.0); });
  const auto occupancy = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-occupancy-fill"),
                                             "the occupancy of a data centre", plain);
  for (const std::string& absence : {price.absence, life.absence, operation.absence, occupancy.absence})
    if (!absence.empty()) return {.absence = absence};
  return {.amount = building_numbers<Tracer>(*it_power.amount, {.price = *price.amount,
                                                                .life_years = *life.amount,
                                                                .interest = site.terms.discount_rate,
                                                                .operation = *operation.amount,
                                                                .occupancy = *occupancy.amount})
                        .total};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> licence_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (site.licence == Licence::none) return {};
  const LicencePricing pricing =
      licence_pricing(catalog, *site.gpu, value_of(site.terms.horizon_years), site.prepaid_licence);
  if (pricing.price == nullptr) return {.absence = pricing.absence};
  return {.amount = licence_per_gpu(trace, pricing)};
}

/// A share of the servers' price at the size of the cluster.
template <class Tracer>
CostPart<Tracer, double> share_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site,
                                    std::string_view id, std::string_view row_id, std::string_view what) {
  const PurchasePrice* row = purchase_figure(catalog, row_id);
  const auto share = row == nullptr ? std::nullopt : share_of_size(catalog, *row, value_of(site.terms.gpu_count));
  if (!share) return {.absence = "No dated source for " + std::string(what) + "."};
  return {.amount = trace.method(id, *share, kOwningSizePage)};
}

/// What is left of the uplift on the servers' price after the network, which it covers.
template <class Tracer>
CostPart<Tracer, double> installation_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site,
                                           const OwnedTerms<Tracer>& terms) {
  const auto uplift = share_part(trace, catalog, site, "cost.uplift_of_servers",
                                 "integration-and-deployment-uplift-on-hardware", "installing servers");
  if (!uplift.amount || !terms.network.amount || !terms.servers.amount) return uplift;
  return {.amount = named("cost.installation_fraction",
                          installation_share(*uplift.amount, *terms.network.amount, *terms.servers.amount))};
}

template <class Tracer>
CostPart<Tracer, double> staff_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const std::optional<double> people = people_of_size(catalog, value_of(site.terms.gpu_count));
  if (!people) return {.absence = "No dated source for the staff of a cluster."};
  return {.amount = trace.method("cost.staff_of_size", *people, kOwningSizePage)};
}

}  // namespace owning_detail

/// Inputs of owning_cost() with typical values of the catalog: network and storage, installation, residual value,
/// support, licences, staff, the building and a rising price of electricity. Spares, lines, data that leaves and
/// decommissioning are no part until the caller says so. `cautions` gets what to know before using the prices.
template <class Tracer>
OwnedTerms<Tracer> ownership_from_catalog(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site,
                                          std::vector<std::string>& cautions) {
  using owning_detail::plain;
  OwnedTerms<Tracer> inputs = site.terms;
  inputs.network = owning_detail::network_part(trace, catalog, site);
  inputs.storage = owning_detail::storage_part(trace, catalog, site);
  inputs.installation_fraction = owning_detail::installation_part(trace, catalog, site, inputs);
  inputs.residual_fraction = owning_detail::residual_part(trace, catalog, site);
  inputs.escalation = part_of_row<double>(trace, purchase_figure(catalog, "electricity-price-escalation"),
                                          "how the price of electricity rises", plain);
  inputs.facility = owning_detail::facility_part(trace, catalog, site, cautions);
  inputs.support_fraction = owning_detail::share_part(trace, catalog, site, "cost.support_fraction",
                                                      "hardware-support-maintenance", "the support of servers");
  inputs.licence_per_gpu = owning_detail::licence_part(trace, catalog, site);
  inputs.staff = owning_detail::staff_part(trace, catalog, site);
  inputs.salary = part_of_row<UsdPerSecond>(trace, purchase_price(catalog, "infrastructure-engineer-fully-loaded"),
                                            "the salary of an engineer", [](double x) { return usd(x) / years(1); });
  return inputs;
}

}  // namespace podwright
