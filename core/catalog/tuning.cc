#include "catalog/tuning.h"

#include <algorithm>

#include "base/lower_case.h"

namespace podwright {

Tuning tuning_of(const std::vector<MeasuredSource>& sources, std::string_view source) {
  const std::string name = lower_case(source);
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const MeasuredSource& known) {
    return name.find(known.words) != std::string::npos;
  });
  return found == sources.end() ? Tuning::typical : found->tuning;
}

}  // namespace podwright
