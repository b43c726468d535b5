#include "api/write_cost_owned.h"

#include "api/write_common.h"
#include "api/write_cost_cloud.h"
#include "api/write_owning.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/building.h"
#include "cost/decision.h"
#include "cost/licence_price.h"
#include "cost/ownership_prices.h"
#include "cost/region_electricity.h"
#include "cost/work.h"

namespace podwright {
namespace {

template <class T>
using OwnedPart = CostPart<Trace, T>;

/// The numbers of `on_premises`, one part after the other. A number that is 0 is no part of the cluster.
class OwnedReader {
 public:
  OwnedReader(Trace& trace, const Catalog& catalog, const CostRequest& request)
      : trace_(trace), catalog_(catalog), request_(request), o_(*request.on_premises) {}

  OwnedAnswer read() {
    OwningInputs<Trace>& in = answer_.inputs;
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
    return std::move(answer_);
  }

 private:
  template <class T>
  OwnedPart<T> part(std::string_view pointer, double number, T amount) {
    if (number == 0) return {};
    return {.amount = trace_.input(pointer, amount), .absence = {}};
  }

  void purchase() {
    OwningInputs<Trace>& in = answer_.inputs;
    in.servers = part("/servers_usd", o_.servers_usd, usd(o_.servers_usd));
    in.network = part("/network_usd", o_.network_usd, usd(o_.network_usd));
    in.storage = part("/storage_usd", o_.storage_usd, usd(o_.storage_usd));
    in.spares = part("/spares_usd", o_.spares_usd, usd(o_.spares_usd));
    in.installation_fraction = part("/installation_fraction", o_.installation_fraction, o_.installation_fraction);
    if (const auto fixed = part("/installation_usd", o_.installation_usd, usd(o_.installation_usd)); fixed.amount)
      in.spares.amount = in.spares.amount
                             ? trace_.sum("cost.spares_and_installation", std::vector{*in.spares.amount, *fixed.amount})
                             : *fixed.amount;
    in.decommissioning = part("/decommissioning_usd", o_.decommissioning_usd, usd(o_.decommissioning_usd));
  }

  /// Straight between the points of the request; beyond the last one its share.
  Traced<double> residual_of_age() {
    const auto age = answer_.inputs.horizon_years;
    Traced<double> before_age = trace_.constant("age_when_new", 0.0, "definition");
    Traced<double> before = trace_.constant("share_when_new", 1.0, "definition");
    for (std::size_t i = 0; i < o_.residual_by_age.size(); ++i) {
      const TraceScope scope(trace_, "/residual_by_age/" + std::to_string(i));
      const auto at = trace_.input("/age_years", o_.residual_by_age[i].age_years);
      const auto fraction = trace_.input("/fraction", o_.residual_by_age[i].fraction);
      if (age.value < at.value) {
        const auto way = named("cost.share_of_way", share_of_way(age, before_age, at));
        return named("cost.resale_fraction", interpolated(before, fraction, way));
      }
      before_age = at;
      before = fraction;
    }
    return before;
  }

  void residual() {
    OwningInputs<Trace>& in = answer_.inputs;
    if (!o_.residual_by_age.empty())
      in.residual_fraction.amount = residual_of_age();
    else
      in.residual_fraction = part("/residual_fraction", o_.residual_fraction, o_.residual_fraction);
    const bool overtaken = o_.next_generation_age_years && *o_.next_generation_age_years <= request_.horizon_years;
    if (overtaken && in.residual_fraction.amount && o_.next_generation_loss > 0)
      in.residual_fraction.amount =
          named("cost.residual_after_next_generation",
                share_after_loss(*in.residual_fraction.amount,
                                 trace_.input("/next_generation_loss", o_.next_generation_loss)));
    const auto network = part("/network_residual_fraction", o_.network_residual_fraction, o_.network_residual_fraction);
    const auto storage = part("/storage_residual_fraction", o_.storage_residual_fraction, o_.storage_residual_fraction);
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
    OwningInputs<Trace>& in = answer_.inputs;
    in.it_power = part("/it_power_kw", o_.it_power_kw, kw(o_.it_power_kw));
    in.load.amount = trace_.input("/load", o_.load);
    in.pue.amount = trace_.input("/pue", o_.pue);
    in.escalation = part("/electricity_escalation_per_year", o_.electricity_escalation_per_year,
                         o_.electricity_escalation_per_year);
    if (o_.facility.mode == CostFacilityMode::colocation && o_.facility.power_included) return;
    if (o_.electricity_usd_per_kwh) {
      in.electricity_price =
          part("/electricity_usd_per_kwh", *o_.electricity_usd_per_kwh, usd_per_kwh(*o_.electricity_usd_per_kwh));
      return;
    }
    if (o_.region.empty()) return;
    std::optional<Traced<double>> rate;
    if (o_.usd_per_currency) rate = trace_.input("/usd_per_currency", *o_.usd_per_currency);
    in.electricity_price = region_electricity(trace_, catalog_, o_.region, rate, answer_.cautions, answer_.assumed);
  }

  /// The request's, else that of the band of the committed power.
  OwnedPart<UsdPerJoule> colocation_price(Watts committed) {
    const CostFacility& f = o_.facility;
    if (f.usd_per_kw_month)
      return {.amount = trace_.input("/usd_per_kw_month", usd_per_kw_month(*f.usd_per_kw_month)), .absence = {}};
    const ColocationPricing pricing = colocation_pricing(catalog_, committed, f.power_included);
    if (pricing.price == nullptr) return {.amount = {}, .absence = pricing.absence};
    if (!pricing.caution.empty()) answer_.cautions.push_back(pricing.caution);
    return {.amount = trace_.fact(*pricing.price, "typical", usd_per_kw_month(pricing.price->price.typical / usd(1))),
            .absence = {}};
  }

  void facility() {
    OwningInputs<Trace>& in = answer_.inputs;
    const CostFacility& f = o_.facility;
    const TraceScope scope(trace_, "/facility");
    if (f.mode == CostFacilityMode::none || f.mode == CostFacilityMode::sunk) return;
    if (f.mode == CostFacilityMode::colocation) {
      const auto committed = f.committed_kw ? part("/committed_kw", *f.committed_kw, kw(*f.committed_kw)) : in.it_power;
      if (!committed.amount) return;
      const OwnedPart<UsdPerJoule> price = colocation_price(committed.amount->value);
      if (price.amount)
        in.facility.amount = named("cost.colocation", colocation_cost(*committed.amount, *price.amount));
      else
        in.facility.absence = price.absence;
      return;
    }
    if (!in.it_power.amount) return;
    in.facility.amount =
        building_numbers<Trace>(trace_, *in.it_power.amount,
                                {.price = trace_.input("/building_usd_per_w", usd_per_watt(f.building_usd_per_w)),
                                 .life_years = trace_.input("/building_years", f.building_years),
                                 .interest = in.discount_rate,
                                 .operation = trace_.input("/building_usd_per_w_month",
                                                           usd_per_kw_month(f.building_usd_per_w_month * 1000.0)),
                                 .occupancy = trace_.input("/occupancy", f.occupancy)})
            .total;
  }

  void people() {
    OwningInputs<Trace>& in = answer_.inputs;
    const auto per_year = [&](std::string_view pointer, double x) { return part(pointer, x, usd(x) / years(1)); };
    in.support_fraction =
        part("/support_fraction_per_year", o_.support_fraction_per_year, o_.support_fraction_per_year);
    in.licence_per_gpu = per_year("/license_usd_per_gpu_year", o_.license_usd_per_gpu_year);
    in.staff = part("/staff_fte", o_.staff_fte, o_.staff_fte);
    in.salary = per_year("/staff_usd_per_year", o_.staff_usd_per_year);
    in.lines = per_year("/network_usd_per_year", o_.network_usd_per_year);
    if (o_.staff_fte > 0 && o_.staff_usd_per_year == 0)
      answer_.cautions.emplace_back("staff_fte counts nothing without staff_usd_per_year.");
    if (o_.servers_usd == 0) answer_.cautions.emplace_back("No servers are bought: servers_usd is left out.");
    if (o_.it_power_kw == 0) answer_.cautions.emplace_back("No energy is counted: it_power_kw is left out.");
    const bool paid_with_the_room = o_.facility.mode == CostFacilityMode::colocation && o_.facility.power_included;
    if (o_.it_power_kw > 0 && !o_.electricity_usd_per_kwh && o_.region.empty() && !paid_with_the_room)
      answer_.cautions.emplace_back("Electricity costs nothing: neither electricity_usd_per_kwh nor region is given.");
    if (request_.gpu) licences();
  }

  /// What the price list says of the GPU's licences, beside what the request counts.
  void licences() {
    const LicencePricing listed = licence_pricing(catalog_, *request_.gpu, request_.horizon_years, false);
    if (listed.price == nullptr) {
      answer_.cautions.push_back(listed.absence);
      return;
    }
    const double yearly = listed.price->price.typical / usd(1) / listed.term_years;
    if (yearly == 0 && o_.license_usd_per_gpu_year > 0)
      answer_.cautions.push_back(request_.gpu->name + " is sold with five years of NVIDIA AI Enterprise: " +
                                 dollars_text(o_.license_usd_per_gpu_year * request_.gpu_count) +
                                 " a year of licences may be paid twice (" + listed.price->source + ").");
    if (yearly > 0 && o_.license_usd_per_gpu_year == 0)
      answer_.cautions.push_back("Licences are not counted. NVIDIA AI Enterprise is listed at " + dollars_text(yearly) +
                                 " per GPU and year (" + listed.price->source +
                                 "): set license_usd_per_gpu_year where it is used.");
    if (!listed.caution.empty()) answer_.cautions.push_back(listed.caution);
  }

  Trace& trace_;
  const Catalog& catalog_;
  const CostRequest& request_;
  const CostOnPremises& o_;
  OwnedAnswer answer_;
};

void add_tax(Trace& trace, const CostRequest& request, OwnedAnswer& owned) {
  const CostOnPremises& o = *request.on_premises;
  if (o.tax == TaxMethod::none || !owned.cost.capital) return;
  TaxTerms<Trace> terms;
  terms.schedule = o.tax == TaxMethod::straight_line ? TaxSchedule::straight_line : TaxSchedule::declining_balance;
  terms.tax_rate = trace.input("/on_premises/tax_rate", o.tax_rate);
  terms.life_years = trace.constant("recovery_class_years", 5.0, "docs/method/ownership.md#tax");
  if (o.tax == TaxMethod::bonus)
    terms.bonus_fraction = trace.constant("whole_bonus", 1.0, "docs/method/ownership.md#tax");
  owned.tax = tax_numbers(trace, owned.cost.capital->capex, owned.inputs.discount_rate, terms);
}

}  // namespace

namespace {

/// Money per year with the capital of the method that is asked for; the annuity is what everything else is made with.
void add_straight_line(OwnedAnswer& owned) {
  const OwningCost<Trace>& cost = owned.cost;
  owned.capital = named("cost.straight_line_capital",
                        straight_line(cost.capital->capex, cost.capital->terminal, owned.inputs.horizon_years));
  owned.yearly = named("cost.straight_line_ownership", ownership_cost(*owned.capital, cost.operation->yearly));
  owned.available = cost.straight_line_available;
  owned.used = named("cost.own_per_used_gpu", used_gpu_price(*owned.available, *owned.inputs.utilization));
  for (OwningYear<Trace>& year : owned.by_year) {
    year.capital = *owned.capital;
    year.total = named("cost.ownership_of_year", ownership_cost(year.capital, year.operation));
  }
}

/// Unit prices and energy of the work that the machines do while they are in use.
void add_work(Trace& trace, const CostRequest& request, OwnedAnswer& owned) {
  const auto rates = work_rates(trace, request);
  if (!rates) return;
  owned.work = work_prices(*owned.used, owned.inputs.gpu_count, *rates);
  if (!rates->input_tokens || !rates->output_tokens || !owned.inputs.it_power.amount) return;
  const auto tokens = named("cost.tokens_per_s", *rates->input_tokens + *rates->output_tokens);
  const auto& power = owned.cost.operation->facility_power;
  owned.energy_per_token = named("cost.energy_per_token", power / tokens);
  owned.tokens_per_s_per_megawatt = named("cost.tokens_per_s_per_megawatt", tokens_per_s_per_megawatt(tokens, power));
}

}  // namespace

OwnedAnswer owned_answer(Trace& trace, const Catalog& catalog, const CostRequest& request) {
  OwnedAnswer owned = OwnedReader(trace, catalog, request).read();
  owned.cost = owning_cost(trace, owned.inputs);
  add_tax(trace, request, owned);
  if (!owned.cost.total) return owned;
  owned.capital = owned.cost.capital->yearly;
  owned.yearly = owned.cost.total->yearly;
  owned.available = owned.cost.total->available;
  owned.used = owned.cost.used;
  owned.by_year = owned.cost.by_year;
  if (request.on_premises->capital == CapitalMethod::straight_line) add_straight_line(owned);
  owned.idle = named("cost.own_idle", paid_while_idle(*owned.yearly, *owned.inputs.utilization));
  owned.idle_time = named("cost.idle_gpu_time", idle_gpu_time(owned.inputs.gpu_count, *owned.inputs.utilization));
  add_work(trace, request, owned);
  return owned;
}

namespace {

constexpr DisplayUnit kJoules{"", "J", 1.0};

}  // namespace

void write_owned(JsonWriter& out, Trace& trace, const CostRequest& request, const OwnedAnswer& owned) {
  out.begin_object("on_premises");
  if (owned.cost.capital) {
    write_owned_capital(out, *owned.cost.capital);
    out.quantity_as("annual_capital_usd", unit::kUsdPerYear,
                    owned.capital ? *owned.capital : owned.cost.capital->yearly);
  }
  if (owned.cost.operation) write_owned_operation(out, *owned.cost.operation);
  if (owned.cost.total) {
    out.quantity_as("annual_usd", unit::kUsdPerYear, *owned.yearly);
    out.quantity_as("idle_usd_per_year", unit::kUsdPerYear, *owned.idle);
    out.quantity_as("idle_gpu_hours_per_year", unit::kHours, *owned.idle_time);
    out.quantity_as("usd_per_gpu_hour_available", unit::kUsdPerHour, *owned.available);
    out.quantity_as("usd_per_gpu_hour_used", unit::kUsdPerHour, *owned.used);
    out.quantity("npv", unit::kUsd, owned.cost.total->net_present_cost);
    if (request.on_premises->capital == CapitalMethod::annuity)
      out.quantity_as("usd_per_gpu_hour_available_straight_line", unit::kUsdPerHour,
                      *owned.cost.straight_line_available);
    if (owned.work) write_work_prices(out, *owned.work);
    if (owned.energy_per_token) {
      out.quantity_as("joules_per_token", kJoules, *owned.energy_per_token);
      out.quantity_as("tokens_per_s_per_mw", unit::kNone, *owned.tokens_per_s_per_megawatt);
    }
    if (!owned.by_year.empty()) write_owned_years(out, trace, owned.by_year);
  }
  if (owned.tax) {
    out.begin_object("tax");
    out.quantity("shield", unit::kUsd, owned.tax->shield);
    out.begin_list("deductions_usd");
    for (const TaxYear<Trace>& year : owned.tax->years) out.quantity_value(unit::kUsd, year.deduction);
    out.end_list();
    out.end_object();
  }
  write_texts(out, "missing", owned.cost.missing);
  write_texts(out, "cautions", owned.cautions);
  out.end_object();
}

}  // namespace podwright
