#pragma once
/// Members of an answer about a serving claim; traced or not.
#include "api/write_common.h"
#include "base/words.h"
#include "perf/serving_claim.h"

namespace podwright {

template <class Tracer>
void write_speed(JsonWriter& out, std::string_view key, const Speed<Tracer>& speed) {
  if (speed.rate) out.quantity_as(key, unit::kPerSecond, *speed.rate);
  if (speed.time) out.quantity_as(key, unit::kSeconds, *speed.time);
  if (speed.count) out.quantity_as(key, unit::kNone, *speed.count);
}

/// `"<name>": {<metric>: ..., limited_by, what it is made of}`.
template <class Tracer>
void write_roof(JsonWriter& out, std::string_view name, const ServingClaim& claim, const ServingRoof<Tracer>& roof) {
  out.begin_object(name);
  write_speed(out, word_of(claim.metric, kSpeedMetricWords), roof);
  out.text("limited_by", roof.limited_by);
  if (!roof.count) {
    out.quantity("weights_read", unit::kGb, roof.weights_read);
    out.quantity("kv_read_per_sequence", unit::kGb, roof.kv_per_sequence);
    out.quantity_as("sequences_per_replica", unit::kNone, roof.sequences);
    out.quantity("reading", unit::kSeconds, roof.reading);
    out.quantity("arithmetic", unit::kSeconds, roof.arithmetic);
    out.quantity("links", unit::kSeconds, roof.links);
  }
  if (roof.fit) out.quantity_as("sequences_that_fit_per_replica", unit::kNone, *roof.fit);
  out.end_object();
}

template <class Tracer>
void write_serving_check(JsonWriter& out, Tracer& tracer, const ServingClaim& claim,
                         const ServingClaimCheck<Tracer>& check) {
  out.boolean("feasible", check.verdict != ClaimVerdict::impossible);
  if (!check.reasons.empty())
    write_reasons(out, "reasons", check.reasons, tracer, "docs/method/serving_claims.md", "claim.shortfall");
  out.text("verdict", word_of(check.verdict, kClaimVerdictWords));
  out.begin_object("claimed");
  write_speed(out, word_of(claim.metric, kSpeedMetricWords), check.claimed);
  out.end_object();
  out.quantity("weights", unit::kGb, check.weights);
  write_roof(out, "bound", claim, check.bound);
  write_roof(out, "limit", claim, check.limit);
  if (check.measured) write_roof(out, "measured", claim, *check.measured);
}

}  // namespace podwright
