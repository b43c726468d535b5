#pragma once
/// What owning costs where nobody told: every part from a dated row of the catalog, or absent with the reason.
#include <optional>
#include <string>
#include <string_view>

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
/// `sunk`: a building that is there and paid for counts nothing.
enum class FacilityMode { sunk, colocation, own_building };

/// Price of an item by the id of its row; null where there is none in USD.
const PurchasePrice* purchase_price(const Catalog& catalog, std::string_view id);
/// A figure of the same table that is no money: a fraction, a number of years.
const PurchasePrice* purchase_figure(const Catalog& catalog, std::string_view id);

/// What is known of the cluster. Absent amounts of power and electricity have a reason.
template <class Tracer>
struct OwnedSite {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  const Gpu* gpu = nullptr;
  Known<double> gpu_count;  ///< installed
  Known<double> horizon_years;
  Known<double> discount_rate;
  Known<double> load;
  Known<double> pue;
  CostPart<Tracer, Usd> servers;
  CostPart<Tracer, Watts> it_power;
  CostPart<Tracer, UsdPerJoule> electricity_price;
  std::optional<Known<Bytes>> storage;  ///< usable; absent: none is bought
  std::optional<Known<double>> utilization;
  std::optional<Known<double>> next_generation_months;    ///< age at which the next generation ships
  NetworkKind network = NetworkKind::none;                ///< priced per GPU by a rule ...
  std::optional<CostPart<Tracer, Usd>> network_by_items;  ///< ... unless the items of a design are priced
  FacilityMode facility = FacilityMode::sunk;
  Licence licence = Licence::nvidia_ai_enterprise;
  bool prepaid_licence = false;
};

/// Systems at their typical price. Boards alone are no machines: where only their price is known the servers are
/// absent.
template <class Tracer>
CostPart<Tracer, Usd> servers_part(Tracer& trace, const MachinePricing& machines,
                                   const typename Tracer::template Known<double>& nodes,
                                   const typename Tracer::template Known<double>& gpus) {
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
  if (site.network_by_items) return *site.network_by_items;
  if (site.network == NetworkKind::none) return {};
  const bool infiniband = site.network == NetworkKind::infiniband;
  const auto price =
      part_of_row<Usd>(trace,
                       purchase_price(catalog, infiniband ? "infiniband-ndr-fabric-per-gpu-all-in"
                                                          : "ethernet-roce-fabric-per-gpu-all-in"),
                       infiniband ? "an InfiniBand network per GPU" : "an Ethernet network per GPU", usd);
  if (!price.amount) return price;
  return {.amount = named("cost.network", purchase_cost(site.gpu_count, *price.amount)), .absence = {}};
}

template <class Tracer>
CostPart<Tracer, Usd> storage_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (!site.storage) return {};
  const auto price = part_of_row<UsdPerByte>(trace, purchase_price(catalog, "parallel-file-system-lustre-gpfs-usable"),
                                             "a parallel file system per TB", usd_per_tb);
  if (!price.amount) return {.amount = {}, .absence = price.absence};
  const auto overhead = trace.constant("overhead_of_usable_storage", 0.0, "the price is for usable capacity");
  return {.amount = named("cost.storage", storage_cost(*site.storage, *price.amount, overhead)), .absence = {}};
}

/// Of a server with GPUs; the table tells no other kind.
template <class Tracer>
CostPart<Tracer, double> residual_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const ResaleCurve curve = resale_curve(catalog);
  if (!curve.absence.empty()) return {.amount = {}, .absence = curve.absence};
  const auto months = named("cost.months", month_count(site.horizon_years));
  return {.amount = resale_fraction(trace, curve, months, site.next_generation_months, BandEdge::middle),
          .absence = {}};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> facility_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (site.facility == FacilityMode::sunk) return {};
  if (!site.it_power.amount) return {.amount = {}, .absence = site.it_power.absence};
  const auto per_month = [](double x) { return usd_per_kw_month(x); };
  if (site.facility == FacilityMode::colocation) {
    const ColocationPricing pricing = colocation_pricing(catalog, value_of(*site.it_power.amount), false);
    if (pricing.price == nullptr) return {.amount = {}, .absence = pricing.absence};
    const auto price = trace.fact(*pricing.price, "typical", per_month(pricing.price->price.typical / usd(1)));
    return {.amount = named("cost.colocation", colocation_cost(*site.it_power.amount, price)), .absence = {}};
  }
  const auto price = part_of_row<UsdPerWatt>(trace, purchase_price(catalog, "data-centre-construction-per-critical-w"),
                                             "building a data centre", usd_per_watt);
  const auto life = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-useful-life"),
                                        "the life of a data centre", plain);
  const auto operation =
      part_of_row<UsdPerJoule>(trace, purchase_price(catalog, "data-centre-opex-excl-power"), "running a data centre",
                               [&](double usd_per_watt_month) { return per_month(usd_per_watt_month * 1000.0); });
  const auto occupancy = part_of_row<double>(trace, purchase_figure(catalog, "data-centre-occupancy-fill"),
                                             "the occupancy of a data centre", plain);
  if (!price.amount) return {.amount = {}, .absence = price.absence};
  if (!life.amount) return {.amount = {}, .absence = life.absence};
  if (!operation.amount) return {.amount = {}, .absence = operation.absence};
  if (!occupancy.amount) return {.amount = {}, .absence = occupancy.absence};
  return {.amount = building_numbers<Tracer>(trace, *site.it_power.amount,
                                             {.price = *price.amount,
                                              .life_years = *life.amount,
                                              .interest = site.discount_rate,
                                              .operation = *operation.amount,
                                              .occupancy = *occupancy.amount})
                        .total,
          .absence = {}};
}

template <class Tracer>
CostPart<Tracer, UsdPerSecond> licence_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  if (site.licence == Licence::none) return {};
  const LicencePricing pricing =
      licence_pricing(catalog, *site.gpu, value_of(site.horizon_years), site.prepaid_licence);
  if (pricing.price == nullptr) return {.amount = {}, .absence = pricing.absence};
  return {.amount = licence_per_gpu(trace, pricing), .absence = {}};
}

template <class Tracer>
CostPart<Tracer, double> staff_part(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  const auto each =
      part_of_row<double>(trace, purchase_figure(catalog, "fte-per-gpu-server"), "the staff of a GPU server", plain);
  if (!each.amount) return each;
  const auto servers = named("cost.servers_of_eight", servers_of_eight(site.gpu_count));
  const auto fixed = trace.constant("fixed_staff", 0.0, "people that come with the servers only");
  return {.amount = named("cost.staff_count", staff_count(servers, *each.amount, fixed)), .absence = {}};
}

}  // namespace owning_detail

/// Inputs of owning_cost() with typical values of the catalog: network and storage, installation, residual value,
/// support, licences, staff, the building and a rising price of electricity. Spares, lines, data that leaves and
/// decommissioning are no part until the caller says so.
template <class Tracer>
OwningInputs<Tracer> ownership_from_catalog(Tracer& trace, const Catalog& catalog, const OwnedSite<Tracer>& site) {
  using owning_detail::plain;
  OwningInputs<Tracer> inputs;
  inputs.gpu_count = site.gpu_count;
  inputs.horizon_years = site.horizon_years;
  inputs.discount_rate = site.discount_rate;
  inputs.utilization = site.utilization;
  inputs.servers = site.servers;
  inputs.network = owning_detail::network_part(trace, catalog, site);
  inputs.storage = owning_detail::storage_part(trace, catalog, site);
  inputs.installation_fraction = part_of_row<double>(
      trace, purchase_figure(catalog, "integration-and-deployment-uplift-on-hardware"), "installing servers", plain);
  inputs.residual_fraction = owning_detail::residual_part(trace, catalog, site);
  inputs.it_power = site.it_power;
  inputs.load.amount = site.load;
  inputs.pue.amount = site.pue;
  inputs.electricity_price = site.electricity_price;
  inputs.escalation = part_of_row<double>(trace, purchase_figure(catalog, "electricity-price-escalation"),
                                          "how the price of electricity rises", plain);
  inputs.facility = owning_detail::facility_part(trace, catalog, site);
  inputs.support_fraction = part_of_row<double>(trace, purchase_figure(catalog, "hardware-support-maintenance"),
                                                "the support of servers", plain);
  inputs.licence_per_gpu = owning_detail::licence_part(trace, catalog, site);
  inputs.staff = owning_detail::staff_part(trace, catalog, site);
  inputs.salary = part_of_row<UsdPerSecond>(trace, purchase_price(catalog, "infrastructure-engineer-fully-loaded"),
                                            "the salary of an engineer", [](double x) { return usd(x) / years(1); });
  return inputs;
}

}  // namespace podwright
