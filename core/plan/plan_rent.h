#pragma once
/// A plan on rented machines, by the hour or for whole terms, and what that comes to over the horizon.
/// docs/method/decision.md#ways.
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_data.h"
#include "plan/plan_request.h"
#include "plan/rent_offers.h"

namespace podwright {

/// GPUs that a plan rents, and the share of the time in which they work.
template <class Tracer>
struct RentedWork {
  Known<Tracer, double> gpus{};
  Known<Tracer, double> use{};
};

template <class Tracer>
struct RentedWay {
  RentedTerms<Tracer> inputs;
  CloudCost<Tracer> cost;                             ///< at the prices of the start
  std::optional<Known<Tracer, UsdPerSecond>> yearly;  ///< level over the horizon; absent where a part has no price
};

template <class Tracer>
struct Commitment {
  CommitmentOffer offer;
  RentCost<Tracer> rent;
  RentedWay<Tracer> way;
};

namespace plan_detail {

/// Inside the scope /economics.
template <class Tracer>
Horizon<Tracer> plan_horizon(Tracer& trace, const PlanEconomics& economics) {
  return horizon_of<Tracer>(trace.input("/horizon_years", economics.horizon_years),
                            trace.input("/discount_rate", economics.discount_rate));
}

/// Yearly changes of the rent: of its price, and of the demand; absent: none. Inside the scope /economics.
template <class Tracer>
Known<Tracer, double> price_change(Tracer& trace, const PlanEconomics& economics) {
  return trace.input("/rent_change_per_year", economics.rent_change_per_year);
}
template <class Tracer>
std::optional<Known<Tracer, double>> demand_growth(Tracer& trace, const PlanEconomics& economics) {
  if (economics.demand_growth_per_year == 0) return std::nullopt;
  return trace.input("/demand_growth_per_year", economics.demand_growth_per_year);
}

/// The software of every GPU while it stands.
template <class Tracer>
void add_cloud_licence(Tracer& trace, const Catalog& catalog, Licence licence, RentedTerms<Tracer>& in) {
  if (licence == Licence::none) return;
  const LicencePricing pricing = cloud_licence_pricing(catalog);
  if (pricing.price != nullptr)
    in.license_per_gpu = trace.fact(*pricing.price, "typical", usd_per_hour(raw(pricing.price->price.typical)));
  else
    in.missing.push_back(pricing.absence);
}

/// The same as the choice of an offer counts it.
inline UsdPerSecond cloud_licence(const Catalog& catalog, Licence licence) {
  NoTrace none;
  RentedTerms<NoTrace> terms;
  add_cloud_licence(none, catalog, licence, terms);
  return terms.license_per_gpu.value_or(UsdPerSecond());
}

/// Storage, egress and support of a cloud. Inside the scope /economics.
template <class Tracer>
void add_beside_machines(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                         const std::string& provider, RentedWay<Tracer>& way) {
  RentedTerms<Tracer>& in = way.inputs;
  if (economics.storage_tb) {
    std::optional<Known<Tracer, UsdPerByteSecond>> price;
    if (economics.storage_usd_per_gb_month)
      price = trace.input("/storage_usd_per_gb_month", usd_per_gb_month(*economics.storage_usd_per_gb_month));
    add_cloud_storage(trace, catalog, provider, trace.input("/storage_tb", tb(*economics.storage_tb)), price, in);
  }
  add_egress(trace, catalog, provider, economics.egress, in);
  if (economics.cloud_support_fraction > 0)
    in.support_fraction = trace.input("/cloud_support_fraction", economics.cloud_support_fraction);
  if (economics.cloud_support_usd_per_month > 0)
    in.support_fixed =
        trace.input("/cloud_support_usd_per_month", usd_per_month(economics.cloud_support_usd_per_month));
}

/// What a provider bills beside its machines as the choice of an offer counts it: storage and egress.
inline UsdPerSecond beside_machines(const Catalog& catalog, const PlanEconomics& economics,
                                    const std::string& provider) {
  NoTrace none;
  RentedWay<NoTrace> way;
  add_beside_machines(none, catalog, economics, provider, way);
  return way.inputs.storage.value_or(UsdPerSecond()) + way.inputs.egress.value_or(UsdPerSecond());
}

/// `commitment` is null for machines by the hour.
template <class Tracer>
RentedWay<Tracer> rented_way(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                             const CloudPrice& row, const RentCost<Tracer>& rent, const RentedWork<Tracer>& work,
                             const CommitmentOffer* commitment) {
  const TraceScope scope(trace, "/economics");
  RentedWay<Tracer> way;
  RentedTerms<Tracer>& in = way.inputs;
  in.term = commitment == nullptr ? RentTerm::on_demand : commitment->term;
  in.commitment_years = commitment == nullptr ? 0 : commitment->years;
  in.gpu_count = work.gpus;
  in.billed_gpus = rent.billed_gpus;
  in.utilization = work.use;
  in.price_per_gpu = rent.per_gpu;
  add_cloud_licence(trace, catalog, economics.license, in);
  add_beside_machines(trace, catalog, economics, row.provider, way);
  way.cost = cloud_cost(trace, in);
  if (way.cost.total)
    way.yearly = level_rent(trace, in, way.cost, plan_horizon(trace, economics), price_change(trace, economics),
                            demand_growth(trace, economics));
  return way;
}

/// Level amount of whole terms within the horizon, and of machines by the hour in what is left of it: `by_the_hour`,
/// whose sum must be there.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_of_terms(Tracer& trace, const PlanEconomics& economics, const RentedWay<Tracer>& way,
                                           const RentedWay<Tracer>& by_the_hour) {
  const Horizon<Tracer> horizon = plan_horizon(trace, economics);
  const auto change = price_change(trace, economics);
  const auto growth = demand_growth(trace, economics);
  const auto term = static_cast<std::size_t>(way.inputs.commitment_years);
  const auto terms = static_cast<std::size_t>(economics.horizon_years) / term * term;
  const auto bills = cloud_years(trace, way.inputs, way.cost, static_cast<double>(terms), change, horizon.rate, growth);
  const auto rest =
      cloud_years(trace, by_the_hour.inputs, by_the_hour.cost, economics.horizon_years, change, horizon.rate, growth);
  std::vector<Known<Tracer, Usd>> values;
  for (std::size_t year = 0; year < rest.years.size(); ++year)
    values.push_back((year < terms ? bills : rest).years[year].discounted);
  return named("cost.level_rent", level_of_value(trace.sum("cost.cloud_present_value", values), horizon.annuity));
}

/// Contracts for a run, or without a break over the horizon where `run_time` is absent. Inside the scope /economics.
template <class Tracer>
RentedWork<Tracer> contracted_work(Tracer& trace, const PlanEconomics& economics, const CloudPrice& row,
                                   const RentedWork<Tracer>& work,
                                   const std::optional<Known<Tracer, Seconds>>& run_time) {
  const auto held =
      run_time ? *run_time
               : named("plan.time_of_horizon", trace.input("/horizon_years", economics.horizon_years) * years(1));
  const auto billed =
      named("plan.contracted_time", contracted_time(held, trace.fact(row, "contract_days_least", *row.contract_least),
                                                    trace.fact(row, "contract_days_most", *row.contract_most)));
  const auto times = billed / held;
  return {.gpus = work.gpus, .use = named("plan.use_of_contracts", run_time ? work.use * times : times)};
}

/// Over the horizon; absent where nothing is offered. `by_the_hour` fills what whole terms leave of the horizon; may be
/// null. `run_time` is that of the only run that the machines are for; absent where they stand all the time.
template <class Tracer>
std::optional<Commitment<Tracer>> cheapest_commitment(Tracer& trace, const Catalog& catalog,
                                                      const PlanEconomics& economics,
                                                      const std::vector<CommitmentOffer>& offers,
                                                      const RentedWork<Tracer>& work,
                                                      const RentedWay<Tracer>* by_the_hour,
                                                      const std::optional<Known<Tracer, Seconds>>& run_time) {
  std::optional<Commitment<Tracer>> cheapest;
  for (const CommitmentOffer& offer : offers) {
    const CloudPrice& row = *offer.market.chosen;
    const bool contract = offer.term == RentTerm::contract;
    const bool fills = contract || std::fmod(economics.horizon_years, offer.years) == 0;
    if (!fills && (by_the_hour == nullptr || !by_the_hour->cost.total)) continue;
    const auto rent = rent_cost(trace, row, offer.term, work.gpus);
    auto stands = work;
    if (contract) {
      const TraceScope scope(trace, "/economics");
      stands = contracted_work(trace, economics, row, work, run_time);
    }
    auto way = rented_way(trace, catalog, economics, row, rent, stands, &offer);
    if (way.cost.total && !fills) {
      const TraceScope scope(trace, "/economics");
      way.yearly = level_of_terms(trace, economics, way, *by_the_hour);
    }
    const bool cheaper =
        !cheapest || !cheapest->way.yearly || (way.yearly && value_of(*way.yearly) < value_of(*cheapest->way.yearly));
    if (cheaper) cheapest = Commitment<Tracer>{.offer = offer, .rent = rent, .way = std::move(way)};
  }
  return cheapest;
}

/// Renting on demand as owning is compared with it: whole instances for all GPUs that are in use. Inside the scope
/// /economics; `way` has a sum. Owning is cheaper above `utilization`.
template <class Tracer>
RentCompared<Tracer> compared_rent(Tracer& trace, const PlanEconomics& economics, const RentedWay<Tracer>& way,
                                   const Known<Tracer, double>& gpus, const Known<Tracer, double>& utilization) {
  RentCompared<Tracer> compared;
  compared.all = *cloud_cost(trace, in_full_use(way.inputs, gpus)).total;
  compared.beside = rent_beside(trace, way.inputs);
  if (changes(economics.rent_change_per_year)) compared.price_change = price_change(trace, economics);
  compared.utilization = utilization;
  return compared;
}

/// Level rent of `gpus` in full use, without what is billed beside the machines. Inside the scope /economics.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_of_machines(Tracer& trace, const PlanEconomics& economics,
                                              const RentedWay<Tracer>& way, const Known<Tracer, double>& gpus) {
  RentedTerms<Tracer> machines = in_full_use(way.inputs, gpus);
  machines.storage.reset();
  machines.egress.reset();
  machines.support_fixed.reset();
  return level_rent(trace, machines, cloud_cost(trace, machines), plan_horizon(trace, economics),
                    price_change(trace, economics), demand_growth(trace, economics));
}

}  // namespace plan_detail
}  // namespace podwright
