#include "api/electricity_claim_request.h"

#include <array>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/request_calendar.h"
#include "base/number_text.h"
#include "cost/cost_inputs.h"

namespace podwright {
namespace {

std::string summary_of(const ElectricityClaim& claim, const ElectricityCheck<Trace>& check) {
  const std::string years = human_number(claim.years) + (claim.years == 1 ? " year" : " years");
  std::string text = "Electricity of " + years + " costs " + dollars_text(check.electricity.value / usd(1)) + ", " +
                     human_number(check.ratio.value) + " of the machines' " + dollars_text(claim.servers_usd);
  if (check.right) return text + "; the claim is right.";
  return text + ", not " + human_number(claim.electricity_over_hardware) + ". The claim would need " +
         dollars_text(check.price_for_claim.value / usd_per_kwh(1)) + " per kWh, or " +
         human_number(check.years_for_claim.value) + " years.";
}

template <class Table>
void describe_electricity(Table& v, const Catalog& catalog, const ElectricityClaim& claim,
                          const ElectricityCheck<Trace>& check, const Trace* explained,
                          const std::vector<Assumption>& assumptions) {
  static constexpr std::array<std::string_view, 2> kWords{"wrong", "right"};
  v.text({"kind"}, "explain");
  v.word({"verdict"}, check.right, kWords);
  v.text({"summary"}, [&] { return summary_of(claim, check); });
  v.number({"electricity_over_hardware", "Electricity over the price of the machines"}, check.ratio);
  v.number({"claimed_over_found"}, check.claimed_over_found);
  v.number({"energy_per_year_kwh", "Electricity per year", unit::kKwh}, check.energy_per_year);
  v.number({"electricity_usd_per_year", "Electricity, per year", unit::kUsdPerYear}, check.electricity_per_year);
  v.number({"electricity_usd", "Electricity of all years", unit::kUsd}, check.electricity);
  v.group({"claim_would_need", "The claim would need"}, [&] {
    v.number({"electricity_usd_per_kwh", "Electricity price", unit::kUsdPerKwh}, check.price_for_claim);
    v.number({"years"}, check.years_for_claim);
  });
  describe_foot(v, catalog, assumptions, {});
  describe_trace(v, explained);
}

}  // namespace

std::optional<ElectricityClaim> describe_electricity_claim(FieldVisitor& v) {
  std::optional<double> claimed;
  v.number({.key = "electricity_over_hardware",
            .help = "Claimed: cost of electricity over the price of the machines, 1 is as much",
            .range = {1e-6, 1e6}},
           claimed);
  ElectricityClaim claim;
  const bool needed = claimed.has_value();
  v.number({.key = "servers_usd", .help = "Price of the machines, USD", .required = needed, .range = kPositive},
           claim.servers_usd);
  v.number(
      {.key = "it_power_kw", .help = "Power of the machines at full load, kW", .required = needed, .range = kPositive},
      claim.it_power_kw);
  describe_mean_power(v, claim.load, claim.pue, needed);
  v.number({.key = "electricity_usd_per_kwh",
            .help = "Price of electricity, USD/kWh",
            .required = needed,
            .range = {1e-6, 10}},
           claim.electricity_usd_per_kwh);
  v.number({.key = "years",
            .help = "Years of electricity that the claim means",
            .range = {0.1, 30},
            .default_source = needed ? "five years, as servers are commonly kept" : ""},
           claim.years);
  const bool said = claim.servers_usd > 0 || claim.it_power_kw > 0 || claim.electricity_usd_per_kwh > 0;
  v.rule(needed || !said, "electricity_over_hardware", "\"electricity_over_hardware\" is missing: what is claimed.",
         "Write {\"electricity_over_hardware\": 1} where electricity is said to cost as much as the machines.");
  if (!claimed) return std::nullopt;
  claim.electricity_over_hardware = *claimed;
  return claim;
}

Answer answer_electricity_claim(const Catalog& catalog, const ElectricityClaim& claim, bool explain,
                                const std::vector<Assumption>& assumptions) {
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  AnswerWriter v(out);
  ElectricityCheck<Trace> check;
  {
    const TraceScope scope(trace, "/claim");
    check = check_claim(trace, claim);
  }
  out.begin_object();
  describe_electricity(v, catalog, claim, check, explain ? &trace : nullptr, assumptions);
  out.end_object();
  return {out.take(), check.right ? Outcome::answer : Outcome::infeasible};
}

void describe_electricity_claim_answer(AnswerShape& v) { describe_electricity(v, Catalog{}, {}, {}, nullptr, {}); }

}  // namespace podwright
