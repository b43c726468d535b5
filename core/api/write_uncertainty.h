#pragma once
/// How sure a comparison of costs is, as members of an answer.
#include "base/json_write.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {

/// `"distribution": {...}`; without a rented side only that of owning.
void write_distribution(JsonWriter& out, const Traced<double>& draws, const UncertaintyNumbers<Trace>& numbers,
                        bool rented);
/// `"tornado": [...]`
void write_tornado(JsonWriter& out, const UncertaintyNumbers<Trace>& numbers);
/// `"decision_flips": [...]`: at which value of each input the cheaper way changes.
void write_flips(JsonWriter& out, const UncertaintyNumbers<Trace>& numbers);

}  // namespace podwright
