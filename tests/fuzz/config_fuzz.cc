/// Any JSON as a config.json: a model whose layers add up and whose parameters can be counted, or errors below its
/// path.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json_read.h"
#include "base/result.h"
#include "catalog/huggingface_config.h"
#include "model/parameters.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace podwright;
  const Result<JsonNode> node = parse_json({reinterpret_cast<const char*>(data), size});
  if (!node) return 0;
  ErrorList list;
  const std::optional<Model> model = read_huggingface_config(*node, "/model", list);
  const Errors errors = list.take();
  PODWRIGHT_ASSERT(model.has_value() == errors.empty());
  for (const Error& error : errors)
    PODWRIGHT_ASSERT(error.path.substr(0, 6) == "/model" && !error.code.empty() && !error.message.empty());
  if (!model) return 0;
  double layers = 0;
  for (const LayerGroup& group : model->layer_groups) layers += group.count;
  PODWRIGHT_ASSERT(model->layer_groups.empty() || layers == model->layers);
  NoTrace trace;
  const ParameterParts<NoTrace> parts = parameter_parts(trace, *model);
  PODWRIGHT_ASSERT(std::isfinite(parts.total) && parts.total > 0);
  PODWRIGHT_ASSERT(parts.active > 0 && parts.active <= parts.total);
  return 0;
}
