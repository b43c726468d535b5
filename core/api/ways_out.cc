#include "api/ways_out.h"

#include "base/number_text.h"

namespace podwright {
namespace {

/// GPUs that the sizes of the parallel groups multiply to; absent sizes are 1.
double gpus_of(const JsonNode& document) {
  double gpus = 1;
  const JsonNode* parallelism = document.find("parallelism");
  if (parallelism == nullptr) return gpus;
  for (const char* key : {"tensor", "pipeline", "context", "attention_data", "data"})
    if (const JsonNode* size = parallelism->find(key); size != nullptr && size->is_number()) gpus *= size->number;
  return gpus;
}

}  // namespace

std::string with_gpu_count(const JsonNode& document, const std::string& patch) {
  const auto parsed = parse_json(patch);
  if (!parsed || parsed->find("parallelism") == nullptr) return patch;
  const auto count = parse_json("{\"gpu_count\":" + shortest_number(gpus_of(merged(document, *parsed))) + "}");
  const JsonNode* before = document.find("gpu_count");
  if (before != nullptr && before->number == count->items.front().number) return patch;
  return json_text(merged(*parsed, *count));
}

std::string workload_patch(const JsonNode& document, std::size_t workload, const std::string& patch) {
  const auto parsed = parse_json(patch);
  PODWRIGHT_ASSERT(parsed.has_value());
  const std::vector<JsonNode>& workloads = document.find("workloads")->items;
  std::string list;
  for (std::size_t i = 0; i < workloads.size(); ++i)
    list += (i == 0 ? "" : ",") + json_text(i == workload ? merged(workloads[i], *parsed) : workloads[i]);
  return "{\"workloads\":[" + list + "]}";
}

}  // namespace podwright
