#pragma once
/// What owning costs where nobody told: every part from a dated row of the catalog, or absent with the reason.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "cost/building.h"
#include "cost/colocation_price.h"
#include "cost/licence_price.h"
#include "cost/owned_cluster.h"
#include "cost/purchase.h"
#include "cost/resale.h"

namespace podwright {

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
  Licence licence = Licence::nvidia_ai_enterprise;
  bool prepaid_licence = false;
};

/// Systems at their typical price. Boards alone are no machines: where only their price is known the servers are
/// absent.
template <class Tracer>
CostPart<Tracer, Usd> servers_part(Tracer& trace, const MachinePricing& machines, const Known<Tracer, double>& nodes,
                                   const Known<Tracer, double>& gpus) {
  if (machines.system_price == nullptr)
    return {.amount = {}, .absence = machines.absence.empty() ? machines.caution : machines.absence};
  return {.amount = machine_cost(trace, machines, nodes, gpus)->typical, .absence = {}};
}

/// Typical value of a row as `as` reads it, or why it is absent; `what` ends the sentence "No dated source for ...".
template <class T, class Tracer, class As>
CostPart<Tracer, T> part_of_row(Tracer& trace, const PurchasePrice* row, std::string_view what, const As& as) {
  if (row == nullptr) return {.amount = {}, .absence = "No dated source for " + std::string(what) + "."};
  return {.amount = trace.fact(*row, "typical", as(row->price.typical / usd(1))), .absence = {}};
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
  return {.amount = named("cost.network", purchase_cost(site.terms.gpu_count, *price.amount)), .absence = {}};
}

template <class Tracer>
CostPart<Tracer, Usd> storage_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (!site.storage) return {};
  const auto price = part_of_row<UsdPerByte>(trace, purchase_price(catalog, "parallel-file-system-lustre-gpfs-usable"),
                                             "a parallel file system per TB", usd_per_tb);
  if (!price.amount) return {.amount = {}, .absence = price.absence};
  return {.amount = named("cost.storage", storage_cost(*site.storage, *price.amount, 0.0)), .absence = {}};
}

/// Of a server with GPUs; the table tells no other kind.
template <class Tracer>
CostPart<Tracer, double> residual_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const ResaleCurve curve = resale_curve(catalog);
  if (!curve.absence.empty()) return {.amount = {}, .absence = curve.absence};
  const auto months = named("cost.months", month_count(site.terms.horizon_years));
  return {.amount = resale_fraction(trace, curve, months, site.next_generation_months, BandEdge::middle),
          .absence = {}};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> facility_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site,
                                             std::vector<std::string>& cautions) {
  const CostPart<Tracer, Watts>& it_power = site.terms.it_power;
  if (site.facility == FacilityMode::sunk || site.facility == FacilityMode::none) return {};
  if (!it_power.amount) return {.amount = {}, .absence = it_power.absence};
  if (site.facility == FacilityMode::colocation)
    return colocation_part<Tracer>(trace, catalog, *it_power.amount, std::nullopt, false, cautions);
  const auto price = part_of_row<UsdPerWatt>(trace, purchase_price(catalog, "data-centre-construction-per-critical-w"),
                                             "building a data centre", usd_per_watt);
  const auto life = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-useful-life"),
                                        "the life of a data centre", plain);
  const auto operation =
      part_of_row<UsdPerJoule>(trace, purchase_price(catalog, "data-centre-opex-excl-power"), "running a data centre",
                               [](double usd_per_watt_month) { return usd_per_kw_month(usd_per_watt_month * 1000.0); });
  const auto occupancy = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-occupancy-fill"),
                                             "the occupancy of a data centre", plain);
  if (!price.amount) return {.amount = {}, .absence = price.absence};
  if (!life.amount) return {.amount = {}, .absence = life.absence};
  if (!operation.amount) return {.amount = {}, .absence = operation.absence};
  if (!occupancy.amount) return {.amount = {}, .absence = occupancy.absence};
  return {.amount = building_numbers<Tracer>(*it_power.amount, {.price = *price.amount,
                                                                .life_years = *life.amount,
                                                                .interest = site.terms.discount_rate,
                                                                .operation = *operation.amount,
                                                                .occupancy = *occupancy.amount})
                        .total,
          .absence = {}};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> licence_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (site.licence == Licence::none) return {};
  const LicencePricing pricing =
      licence_pricing(catalog, *site.gpu, value_of(site.terms.horizon_years), site.prepaid_licence);
  if (pricing.price == nullptr) return {.amount = {}, .absence = pricing.absence};
  return {.amount = licence_per_gpu(trace, pricing), .absence = {}};
}

template <class Tracer>
CostPart<Tracer, double> staff_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const auto each =
      part_of_row<double>(trace, purchase_figure(catalog, "fte-per-gpu-server"), "the staff of a GPU server", plain);
  if (!each.amount) return each;
  const auto servers = named("cost.servers_of_eight", cited("unit of the row on staff", site.terms.gpu_count / 8.0));
  return {.amount = named("cost.staff_count", staff_count(servers, *each.amount, 0.0)), .absence = {}};
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
  inputs.installation_fraction = part_of_row<double>(
      trace, purchase_figure(catalog, "integration-and-deployment-uplift-on-hardware"), "installing servers", plain);
  inputs.residual_fraction = owning_detail::residual_part(trace, catalog, site);
  inputs.escalation = part_of_row<double>(trace, purchase_figure(catalog, "electricity-price-escalation"),
                                          "how the price of electricity rises", plain);
  inputs.facility = owning_detail::facility_part(trace, catalog, site, cautions);
  inputs.support_fraction = part_of_row<double>(trace, purchase_figure(catalog, "hardware-support-maintenance"),
                                                "the support of servers", plain);
  inputs.licence_per_gpu = owning_detail::licence_part(trace, catalog, site);
  inputs.staff = owning_detail::staff_part(trace, catalog, site);
  inputs.salary = part_of_row<UsdPerSecond>(trace, purchase_price(catalog, "infrastructure-engineer-fully-loaded"),
                                            "the salary of an engineer", [](double x) { return usd(x) / years(1); });
  return inputs;
}

}  // namespace podwright
