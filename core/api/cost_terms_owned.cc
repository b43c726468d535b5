#include <functional>
#include <type_traits>

#include "api/cost_terms.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/building.h"
#include "cost/ownership_prices.h"
#include "cost/resale.h"

namespace podwright {
namespace {

/// The numbers of `on_premises`, one part after the other. A number that is 0 is no part of the cluster.
class OwnedReader {
 public:
  OwnedReader(Trace& trace, const Catalog& catalog, const CostRequest& request)
      : trace_(trace), catalog_(catalog), request_(request), o_(*request.on_premises) {}

  OwnedAsked<Trace> read() {
    OwnedTerms<Trace>& in = asked_.terms;
    in.gpu_count = trace_.input("/gpu_count", request_.gpu_count);
    in.horizon_years = trace_.input("/horizon_years", request_.horizon_years);
    in.discount_rate = trace_.input("/discount_rate", request_.discount_rate);
    in.utilization = trace_.input("/utilization", request_.utilization);
    const TraceScope scope(trace_, "/on_premises");
    purchase();
    residual();
    power();
    facility();
    people();
    asked_.capital = o_.capital;
    tax();
    return std::move(asked_);
  }

 private:
  /// `make` gives the number its unit.
  template <class Make = std::identity>
  auto part(std::string_view pointer, double number, const Make& make = {}) {
    CostPart<Trace, std::decay_t<decltype(make(number))>> part;
    if (number != 0) part.amount = trace_.input(pointer, make(number));
    return part;
  }

  void purchase() {
    OwnedTerms<Trace>& in = asked_.terms;
    in.servers = part("/servers_usd", o_.servers_usd, usd);
    in.network = part("/network_usd", o_.network_usd, usd);
    in.storage = part("/storage_usd", o_.storage_usd, usd);
    in.spares = part("/spares_usd", o_.spares_usd, usd);
    in.installation_fraction = part("/installation_fraction", o_.installation_fraction);
    if (const auto fixed = part("/installation_usd", o_.installation_usd, usd); fixed.amount)
      in.spares.amount = in.spares.amount
                             ? trace_.sum("cost.spares_and_installation", std::vector{*in.spares.amount, *fixed.amount})
                             : *fixed.amount;
    in.decommissioning = part("/decommissioning_usd", o_.decommissioning_usd, usd);
  }

  void residual() {
    OwnedTerms<Trace>& in = asked_.terms;
    if (!o_.residual_by_age.empty())
      in.residual_fraction.amount =
          share_at_age<Trace>(in.horizon_years, o_.residual_by_age.size(), [&](std::size_t i) {
            const TraceScope scope(trace_, "/residual_by_age/" + std::to_string(i));
            return AgeMark<Trace>{.age = trace_.input("/age_years", o_.residual_by_age[i].age_years),
                                  .share = trace_.input("/fraction", o_.residual_by_age[i].fraction)};
          });
    else
      in.residual_fraction = part("/residual_fraction", o_.residual_fraction);
    const bool overtaken = o_.next_generation_age_years && *o_.next_generation_age_years <= request_.horizon_years;
    if (overtaken && in.residual_fraction.amount && o_.next_generation_loss > 0)
      in.residual_fraction.amount =
          named("cost.residual_after_next_generation",
                share_after_loss(*in.residual_fraction.amount,
                                 trace_.input("/next_generation_loss", o_.next_generation_loss)));
    const auto network = part("/network_residual_fraction", o_.network_residual_fraction);
    const auto storage = part("/storage_residual_fraction", o_.storage_residual_fraction);
    if (!network.amount && !storage.amount) return;
    const auto none = trace_.constant("nothing_left", 0.0, "definition");
    const auto no_price = trace_.constant("not_bought", usd(0), "definition");
    if (!in.network.amount && !in.storage.amount) return;
    in.fabric_residual_fraction.amount =
        named("cost.fabric_residual_fraction",
              blended_fraction(in.network.amount.value_or(no_price), network.amount.value_or(none),
                               in.storage.amount.value_or(no_price), storage.amount.value_or(none)));
  }

  void power() {
    OwnedTerms<Trace>& in = asked_.terms;
    in.it_power = part("/it_power_kw", o_.it_power_kw, kw);
    in.load.amount = trace_.input("/load", o_.load);
    in.pue.amount = trace_.input("/pue", o_.pue);
    in.escalation = part("/electricity_escalation_per_year", o_.electricity_escalation_per_year);
    if (o_.facility.mode == FacilityMode::colocation && o_.facility.power_included) return;
    if (o_.electricity_usd_per_kwh) {
      in.electricity_price = part("/electricity_usd_per_kwh", *o_.electricity_usd_per_kwh, usd_per_kwh);
      return;
    }
    if (o_.region.empty()) return;
    std::optional<Traced<double>> rate;
    if (o_.usd_per_currency) rate = trace_.input("/usd_per_currency", *o_.usd_per_currency);
    in.electricity_price = region_electricity(trace_, catalog_, o_.region, rate, asked_.cautions, asked_.assumed);
  }

  void facility() {
    OwnedTerms<Trace>& in = asked_.terms;
    const CostFacility& f = o_.facility;
    const TraceScope scope(trace_, "/facility");
    if (f.mode == FacilityMode::none || f.mode == FacilityMode::sunk) return;
    if (f.mode == FacilityMode::colocation) {
      const auto committed = f.committed_kw ? part("/committed_kw", *f.committed_kw, kw) : in.it_power;
      if (!committed.amount) return;
      std::optional<Traced<UsdPerJoule>> price;
      if (f.usd_per_kw_month) price = trace_.input("/usd_per_kw_month", usd_per_kw_month(*f.usd_per_kw_month));
      in.facility =
          colocation_part<Trace>(trace_, catalog_, *committed.amount, price, f.power_included, asked_.cautions);
      return;
    }
    if (!in.it_power.amount) return;
    in.facility.amount =
        building_numbers<Trace>(*in.it_power.amount,
                                {.price = trace_.input("/building_usd_per_w", usd_per_watt(f.building_usd_per_w)),
                                 .life_years = trace_.input("/building_years", f.building_years),
                                 .interest = in.discount_rate,
                                 .operation = trace_.input("/building_usd_per_w_month",
                                                           usd_per_kw_month(f.building_usd_per_w_month * 1000.0)),
                                 .occupancy = trace_.input("/occupancy", f.occupancy)})
            .total;
  }

  void people() {
    OwnedTerms<Trace>& in = asked_.terms;
    const auto per_year = [](double x) { return usd(x) / years(1); };
    in.support_fraction = part("/support_fraction_per_year", o_.support_fraction_per_year);
    in.licence_per_gpu = part("/license_usd_per_gpu_year", o_.license_usd_per_gpu_year, per_year);
    in.staff = part("/staff_fte", o_.staff_fte);
    in.salary = part("/staff_usd_per_year", o_.staff_usd_per_year, per_year);
    in.connection = part("/network_usd_per_year", o_.network_usd_per_year, per_year);
    if (o_.staff_fte > 0 && o_.staff_usd_per_year == 0)
      asked_.cautions.emplace_back("staff_fte counts nothing without staff_usd_per_year.");
    if (o_.servers_usd == 0) asked_.cautions.emplace_back("No servers are bought: servers_usd is left out.");
    if (o_.it_power_kw == 0) asked_.cautions.emplace_back("No energy is counted: it_power_kw is left out.");
    const bool paid_with_the_room = o_.facility.mode == FacilityMode::colocation && o_.facility.power_included;
    if (o_.it_power_kw > 0 && !o_.electricity_usd_per_kwh && o_.region.empty() && !paid_with_the_room)
      asked_.cautions.emplace_back("Electricity costs nothing: neither electricity_usd_per_kwh nor region is given.");
    if (request_.gpu) licences();
  }

  void tax() {
    if (o_.tax == TaxMethod::none) return;
    TaxTerms<Trace> terms;
    terms.schedule = o_.tax == TaxMethod::straight_line ? TaxSchedule::straight_line : TaxSchedule::declining_balance;
    terms.tax_rate = trace_.input("/tax_rate", o_.tax_rate);
    terms.life_years = trace_.constant("recovery_class_years", 5.0, "docs/method/ownership.md#tax");
    if (o_.tax == TaxMethod::bonus)
      terms.bonus_fraction = trace_.constant("whole_bonus", 1.0, "docs/method/ownership.md#tax");
    asked_.tax = terms;
  }

  /// What the price list says of the GPU's licences, beside what the request counts.
  void licences() {
    const LicencePricing listed = licence_pricing(catalog_, *request_.gpu, request_.horizon_years, false);
    if (listed.price == nullptr) {
      asked_.cautions.push_back(listed.absence);
      return;
    }
    const double yearly = listed.price->price.typical / usd(1) / listed.term_years;
    if (yearly == 0 && o_.license_usd_per_gpu_year > 0)
      asked_.cautions.push_back(request_.gpu->name + " is sold with five years of NVIDIA AI Enterprise: " +
                                dollars_text(o_.license_usd_per_gpu_year * request_.gpu_count) +
                                " a year for licences may be paid twice (" + listed.price->source + ").");
    if (yearly > 0 && o_.license_usd_per_gpu_year == 0)
      asked_.cautions.push_back("Licences are not counted. NVIDIA AI Enterprise is listed at " + dollars_text(yearly) +
                                " per GPU and year (" + listed.price->source +
                                "): set license_usd_per_gpu_year where it is used.");
    if (!listed.caution.empty()) asked_.cautions.push_back(listed.caution);
  }

  Trace& trace_;
  const Catalog& catalog_;
  const CostRequest& request_;
  const CostOnPremises& o_;
  OwnedAsked<Trace> asked_;
};

}  // namespace

OwnedAsked<Trace> owned_terms(Trace& trace, const Catalog& catalog, const CostRequest& request) {
  return OwnedReader(trace, catalog, request).read();
}

}  // namespace podwright
