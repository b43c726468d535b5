#pragma once
/// Numbers of owned machines as members of an answer, the same wherever they stand.
#include <vector>

#include "base/json_write.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Purchase and what is left of it; not the yearly amount, which has several methods.
template <class Tracer>
void write_owned_capital(JsonWriter& out, const OwnedCapital<Tracer>& capital);
template <class Tracer>
void write_owned_operation(JsonWriter& out, const OwnedOperation<Tracer>& operation);
/// `"by_year": [...]`
template <class Tracer>
void write_owned_years(JsonWriter& out, Tracer& trace, const std::vector<OwningYear<Tracer>>& by_year);

}  // namespace podwright
