#pragma once
/// How sure a comparison of costs is, as members of an answer.
#include "base/json_write.h"
#include "cost/uncertainty_numbers.h"

namespace podwright {

/// `"distribution": {...}`; without a rented side only that of owning.
template <class Tracer>
void write_distribution(JsonWriter& out, Tracer& trace, const typename Tracer::template Known<double>& draws,
                        const UncertaintyNumbers<Tracer>& numbers, bool rented);
/// `"tornado": [...]`
template <class Tracer>
void write_tornado(JsonWriter& out, const UncertaintyNumbers<Tracer>& numbers);
/// `"decision_flips": [...]`: at which value of each input the cheaper way changes.
template <class Tracer>
void write_flips(JsonWriter& out, const UncertaintyNumbers<Tracer>& numbers);

}  // namespace podwright
