#pragma once
/// How prompts name items of the catalog and their numbers.
#include <string>

#include "base/units.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "study/draft.h"
#include "study/quantity_text.h"

namespace podwright {

/// A share of 0 to 1 as exams write it.
inline constexpr DisplayUnit kPercent{"", "%", 0.01};

/// "Llama-3.1-70B (70.6 billion parameters)".
inline std::string with_parameters(const Model& model) {
  return model.name + " (" + large_number(*model.total_parameters) + " parameters)";
}

/// All parameters of the model, as the catalog has them.
inline Traced<double> parameters_of(Draft& d, const Model& model) {
  return d.fact(model, "total_parameters", model.total_parameters);
}

/// "An H100 SXM5 80GB" at the beginning of a sentence.
inline std::string upper_article(const std::string& name) {
  std::string text = with_article(name);
  text.front() = 'A';
  return text;
}

/// "H100 SXM5 80GB (80 GB, 3,350 GB/s)".
inline std::string with_memory(const Gpu& gpu) {
  return gpu.name + " (" + in_unit_text(raw(*gpu.memory) / 1e9, "GB") + ", " +
         in_unit_text(raw(*gpu.memory_bandwidth) / 1e9, "GB/s") + ")";
}

}  // namespace podwright
