#pragma once
/// What the cost of owning is computed from: one list of terms, filled by a request, by the catalog, or by a draw of
/// uncertain numbers. docs/method/ownership.md.
#include <optional>
#include <string>
#include <string_view>

#include "base/trace.h"
#include "base/units.h"
#include "cost/cost_inputs.h"

namespace podwright {

/// A part of the cost in one of three states: known; wanted but not known (`absence` says why); or no part of the
/// cluster at all, which counts nothing.
template <class Tracer, class T>
struct CostPart {
  std::optional<Known<Tracer, T>> amount = {};
  std::string absence = {};
};

/// `Term` is CostPart where some may be missing, Known where none is.
template <class Tracer, template <class, class> class Term = CostPart>
struct OwnedTerms {
  Known<Tracer, double> gpu_count{};
  Known<Tracer, double> horizon_years{};
  Known<Tracer, double> discount_rate{};
  std::optional<Known<Tracer, double>> utilization;  ///< share of the hours in which the GPUs are used; above 0

  // What is bought, and what is left of it.
  Term<Tracer, Usd> servers{};
  Term<Tracer, Usd> network{};
  Term<Tracer, Usd> storage{};
  Term<Tracer, Usd> spares{};
  Term<Tracer, double> installation_fraction{};     ///< of the servers' price
  Term<Tracer, double> residual_fraction{};         ///< of the servers' price, at the end
  Term<Tracer, double> fabric_residual_fraction{};  ///< of the price of network and storage, at the end
  Term<Tracer, Usd> decommissioning{};              ///< paid at the end

  // What running it takes. Amounts per time are those of the first year; only electricity grows.
  Term<Tracer, Watts> it_power{};  ///< most that the machines draw
  Term<Tracer, double> load{};     ///< mean over most; no part: full load
  Term<Tracer, double> pue{};      ///< no part: the machines alone
  Term<Tracer, UsdPerJoule> electricity_price{};
  Term<Tracer, double> escalation{};  ///< of the price of electricity, per year
  Term<Tracer, UsdPerSecond> facility{};
  Term<Tracer, double> support_fraction{};  ///< of the servers' price, per year
  Term<Tracer, UsdPerSecond> licence_per_gpu{};
  Term<Tracer, double> staff{};             ///< full-time equivalents
  Term<Tracer, UsdPerSecond> salary{};      ///< of one
  Term<Tracer, UsdPerSecond> connection{};  ///< lines to the outside
};

/// Calls `visit(input, nothing, term...)` for each term of a purchase, with the same term of all `terms`; `input` is
/// its place among the numbers that can be uncertain, `nothing` the name of the number of one that is no part.
template <class Visit, class... Terms>
constexpr void for_each_capital_term(const Visit& visit, Terms&... terms) {
  visit(CostInput::servers, "no_servers", terms.servers...);
  visit(CostInput::network, "no_network", terms.network...);
  visit(CostInput::storage, "no_storage", terms.storage...);
  visit(CostInput::spares, "no_spares", terms.spares...);
  visit(CostInput::installation_fraction, "no_installation", terms.installation_fraction...);
  visit(CostInput::residual_fraction, "no_residual", terms.residual_fraction...);
  visit(CostInput::fabric_residual_fraction, "no_fabric_residual", terms.fabric_residual_fraction...);
  visit(CostInput::decommissioning, "no_decommissioning", terms.decommissioning...);
}

/// The same for each term of operation.
template <class Visit, class... Terms>
constexpr void for_each_operation_term(const Visit& visit, Terms&... terms) {
  visit(CostInput::it_power, "no_power", terms.it_power...);
  visit(CostInput::load, "full_load", terms.load...);
  visit(CostInput::pue, "no_overhead_of_the_facility", terms.pue...);
  visit(CostInput::electricity_price, "no_electricity", terms.electricity_price...);
  visit(CostInput::electricity_growth, "no_escalation", terms.escalation...);
  visit(CostInput::facility, "no_facility", terms.facility...);
  visit(CostInput::support_fraction, "no_support", terms.support_fraction...);
  visit(CostInput::license_per_gpu, "no_licences", terms.licence_per_gpu...);
  visit(CostInput::staff_fte, "no_staff", terms.staff...);
  visit(CostInput::staff_pay, "no_salary", terms.salary...);
  visit(CostInput::connection, "no_lines", terms.connection...);
}

template <class Visit, class... Terms>
constexpr void for_each_owned_term(const Visit& visit, Terms&... terms) {
  for_each_capital_term(visit, terms...);
  for_each_operation_term(visit, terms...);
}

/// The number of a term that is no part of the cluster.
constexpr double neutral_of(CostInput input) { return input == CostInput::load || input == CostInput::pue ? 1.0 : 0.0; }

/// The same terms without their explanation.
template <class Tracer>
OwnedTerms<NoTrace> plain_terms(const OwnedTerms<Tracer>& terms) {
  OwnedTerms<NoTrace> plain{.gpu_count = value_of(terms.gpu_count),
                            .horizon_years = value_of(terms.horizon_years),
                            .discount_rate = value_of(terms.discount_rate)};
  if (terms.utilization) plain.utilization = value_of(*terms.utilization);
  for_each_owned_term(
      [](CostInput, std::string_view, const auto& from, auto& to) {
        if (from.amount) to.amount = value_of(*from.amount);
        to.absence = from.absence;
      },
      terms, plain);
  return plain;
}

/// Everything certain at these numbers, nothing rented yet. Absent where a part of the cost or the utilization is not
/// known.
template <class Tracer>
std::optional<UncertainCosts> certain_owning(const OwnedTerms<Tracer>& terms) {
  UncertainCosts costs;
  costs.gpu_count = value_of(terms.gpu_count);
  costs[CostInput::life_years] = certain(value_of(terms.horizon_years));
  costs[CostInput::discount_rate] = certain(value_of(terms.discount_rate));
  if (terms.utilization) costs[CostInput::utilization] = certain(value_of(*terms.utilization));
  bool complete = terms.utilization.has_value();
  for_each_owned_term(
      [&](CostInput input, std::string_view, const auto& part) {
        complete = complete && (part.amount || part.absence.empty());
        costs[input] = part.amount ? certain(value_of(*part.amount)) : certain(neutral_of(input));
      },
      terms);
  if (!complete) return std::nullopt;
  return costs;
}

}  // namespace podwright
