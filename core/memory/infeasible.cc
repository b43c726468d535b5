#include "memory/infeasible.h"

#include "base/number_text.h"

namespace podwright {
namespace {

std::string nested(const std::string& key, const std::string& value) {
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return "{\"" + key + "\":" + value + "}";
  return "{\"" + key.substr(0, dot) + "\":" + nested(key.substr(dot + 1), value) + "}";
}

}  // namespace

Bytes gpu_memory(const Gpu& gpu) { return gpu.memory_driver.value_or(gpu.memory.value_or(Bytes(0))); }

const Gpu* smallest_gpu_with(const std::vector<Gpu>& gpus, Bytes needed) {
  const Gpu* best = nullptr;
  for (const Gpu& gpu : gpus) {
    if (gpu_memory(gpu) < needed) continue;
    if (best == nullptr || gpu_memory(gpu) < gpu_memory(*best)) best = &gpu;
  }
  return best;
}

std::string merge_patch(const std::string& key, const std::string& text) { return nested(key, "\"" + text + "\""); }
std::string merge_patch(const std::string& key, double number) { return nested(key, shortest_number(number)); }

}  // namespace podwright
