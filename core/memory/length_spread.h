#pragma once
/// How much the lengths of prompts and answers usually scatter. docs/method/percentiles.md#lengths.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

/// Standard deviations over means.
struct LengthSpread {
  double input = 0;
  double output = 0;
};

/// Lengths are never longer than the context leaves: where their mean comes near it, they lie evenly as far below the
/// mean as above.
inline double spread_below(double usual, double mean, double longest) {
  return std::min(usual, std::max(0.0, longest / mean - 1.0) / std::sqrt(3.0));
}

/// Figures of the catalog, as far as the model's context has room for them. 0 where the catalog has none.
inline LengthSpread usual_spread(const Catalog& catalog, double context_tokens, double input_tokens,
                                 double output_tokens) {
  const auto figure = [&](std::string_view id) {
    const OperatingFigure* found = find_operating_figure(catalog.operating_figures, id);
    return found == nullptr ? 0 : found->typical;
  };
  LengthSpread spread{figure("request-input-cv"), figure("request-output-cv")};
  if (context_tokens > 0) {
    spread.input = spread_below(spread.input, input_tokens, context_tokens - output_tokens);
    spread.output = spread_below(spread.output, output_tokens, context_tokens - input_tokens);
  }
  return spread;
}

}  // namespace podwright
