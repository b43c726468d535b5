#include "api/describe_weights.h"

#include "memory/exact_weights.h"

namespace podwright {

void describe_weights(FieldVisitor& v, const Catalog& catalog, const std::optional<Model>& model, ServingRun& run) {
  const bool given =
      v.enter({.key = "weights",
               .help = "Bytes of a file's tensors by class, as \"podwright model FILE\" prints them; absent: those of "
                       "weight_precision"});
  WeightBytes bytes;
  for (std::size_t i = 0; i < kTensorClasses; ++i) {
    const std::string key = std::string(kTensorClassWords[i]) + "_bytes";
    const std::string help = "Stored bytes of class " + std::string(kTensorClassWords[i]);
    std::optional<double> value;
    v.number({.key = key, .help = help, .range = {0, 1e16}}, value);
    if (value) bytes[i] = Bytes(*value);
  }
  v.leave();
  const WeightFormat* format = find_weight_format(catalog.weight_formats, run.weight_precision);
  if (!given || !model || format == nullptr) return;
  Result<WeightFormat> exact = exact_weight_format(*format, *model, bytes);
  if (!exact) return v.problems(exact.error());
  run.exact_weights = std::make_shared<const WeightFormat>(std::move(*exact));
}

}  // namespace podwright
