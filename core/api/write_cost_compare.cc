#include "api/answer_writer.h"
#include "api/compared_table.h"
#include "api/write_common.h"
#include "api/write_cost.h"

namespace podwright {

void write_break_even(JsonWriter& out, const CostSides& sides) {
  if (!sides.break_even) return;
  AnswerWriter v(out);
  if (sides.break_even->found) return v.object({"break_even"}, *sides.break_even->found);
  out.begin_object("break_even");
  for (const char* key : {"utilization", "hours", "months"}) {
    out.key(key);
    out.null();
  }
  out.text("reason", sides.break_even->reason);
  out.end_object();
}

namespace {

/// Why the split of the demand is not known.
std::vector<std::string> hybrid_missing(const CostSides& sides) {
  std::vector<std::string> missing;
  if (!sides.owned->cost.total) missing = sides.owned->cost.missing;
  for (const std::string& reason : sides.rented->cost.missing) missing.push_back(reason);
  for (const Infeasible& reason : sides.rented->asked.problems) missing.push_back(reason.message.text());
  return missing;
}

}  // namespace

void write_hybrid(JsonWriter& out, const CostRequest& request, const CostSides& sides) {
  if (!request.demand) return;
  if (!sides.hybrid) {
    out.begin_object("hybrid");
    write_texts(out, "missing", hybrid_missing(sides));
    out.end_object();
    return;
  }
  AnswerWriter v(out);
  v.object({"hybrid"}, *sides.hybrid);
}

namespace {

/// Ways that were asked for and have no total, with the first reason.
std::vector<std::string> not_compared(const CostSides& sides) {
  std::vector<std::string> ways;
  if (sides.owned && !sides.owned->cost.total) ways.push_back("own: " + sides.owned->cost.missing.front());
  if (sides.rented && !sides.rented->years)
    ways.push_back("rent: " + (sides.rented->asked.problems.empty()
                                   ? sides.rented->cost.missing.front()
                                   : sides.rented->asked.problems.front().message.text()));
  if (sides.hosted && !sides.hosted->rate) ways.emplace_back("hosted-api: the number of tokens is not given.");
  return ways;
}

}  // namespace

void write_decision(JsonWriter& out, const CostSides& sides) {
  const Decision<Trace>& decision = sides.decision;
  if (decision.ways.empty()) return;
  out.begin_object("decision");
  out.text("cheapest", word_of(decision.ways.front().way, kCostWayWords));
  if (decision.saving) {
    out.quantity_as("saving_usd", unit::kUsd, *decision.saving);
    out.quantity_as("saving_fraction", unit::kNone, *decision.saved);
    out.boolean("nearly_equal", decision.nearly_equal);
  }
  out.begin_list("ways");
  for (const PricedWay<Trace>& way : decision.ways) {
    out.begin_object();
    out.text("way", word_of(way.way, kCostWayWords));
    out.quantity_as("npv_usd", unit::kUsd, way.present_value);
    out.quantity_as("usd_per_year", unit::kUsdPerYear, way.yearly);
    out.end_object();
  }
  out.end_list();
  if (sides.owned && sides.owned->bill) {
    out.quantity_as("idle_usd_per_year", unit::kUsdPerYear, sides.owned->bill->idle);
    out.quantity_as("idle_gpu_hours_per_year", unit::kHours, sides.owned->bill->idle_time);
  }
  write_texts(out, "not_compared", not_compared(sides));
  out.end_object();
}

}  // namespace podwright
