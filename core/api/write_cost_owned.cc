#include "api/answer_writer.h"
#include "api/owning_table.h"
#include "api/write_common.h"
#include "api/write_cost.h"

namespace podwright {
namespace {

constexpr DisplayUnit kJoules{"", "J", 1.0};

void write_work(JsonWriter& out, const OwnedWork<Trace>& work) {
  write_work_prices(out, work.prices);
  if (!work.energy_per_token) return;
  out.quantity_as("joules_per_token", kJoules, *work.energy_per_token);
  out.quantity_as("tokens_per_s_per_mw", unit::kNone, *work.tokens_per_s_per_megawatt);
}

}  // namespace

void write_owned(JsonWriter& out, Trace& trace, const OwnedSide<Trace>& owned) {
  out.begin_object("on_premises");
  if (owned.cost.capital) {
    write_fields(out, *owned.cost.capital);
    out.quantity_as("annual_capital_usd", unit::kUsdPerYear,
                    owned.bill ? owned.bill->capital : owned.cost.capital->yearly);
  }
  if (owned.cost.operation) write_fields(out, *owned.cost.operation);
  if (owned.bill) {
    out.quantity_as("annual_usd", unit::kUsdPerYear, owned.bill->yearly);
    out.quantity_as("idle_usd_per_year", unit::kUsdPerYear, owned.bill->idle);
    out.quantity_as("idle_gpu_hours_per_year", unit::kHours, owned.bill->idle_time);
    out.quantity_as("usd_per_gpu_hour_available", unit::kUsdPerHour, owned.bill->available);
    out.quantity_as("usd_per_gpu_hour_used", unit::kUsdPerHour, owned.bill->used);
    out.quantity("npv", unit::kUsd, owned.cost.total->net_present_cost);
    if (owned.asked.capital == CapitalMethod::annuity)
      out.quantity_as("usd_per_gpu_hour_available_straight_line", unit::kUsdPerHour,
                      *owned.cost.straight_line_available);
    if (owned.work) write_work(out, *owned.work);
    AnswerWriter v(out);
    if (!owned.bill->by_year.empty()) describe_owned_years(v, trace, owned.bill->by_year);
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
  write_texts(out, "cautions", owned.asked.cautions);
  out.end_object();
}

}  // namespace podwright
