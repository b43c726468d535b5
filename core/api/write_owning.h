#pragma once
/// Numbers of owned machines as members of an answer, the same wherever they stand.
#include <vector>

#include "base/json_write.h"
#include "cost/owned_cluster.h"

namespace podwright {

/// Purchase and what is left of it; not the yearly amount, which has several methods.
void write_owned_capital(JsonWriter& out, const OwnedCapital<Trace>& capital);
void write_owned_operation(JsonWriter& out, const OwnedOperation<Trace>& operation);
/// `"by_year": [...]`
void write_owned_years(JsonWriter& out, Trace& trace, const std::vector<OwningYear<Trace>>& by_year);

}  // namespace podwright
