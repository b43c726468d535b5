#pragma once
/// Owning against renting as members of an answer.
#include "base/json_write.h"
#include "cost/break_even.h"
#include "cost/hybrid.h"

namespace podwright {

/// `"break_even": {...}`; what is never reached is null, with a reason.
template <class Tracer>
void write_break_even_numbers(JsonWriter& out, const BreakEven<Tracer>& found);
/// `"hybrid": {...}`
template <class Tracer>
void write_hybrid_numbers(JsonWriter& out, const Hybrid<Tracer>& hybrid);

}  // namespace podwright
