#include "perf/estimate_serving.h"

namespace podwright {

const Engine* find_engine_conventions(const Catalog& catalog, std::string_view id) {
  for (const Engine& engine : catalog.engines)
    if (engine.id == id) return &engine;
  return nullptr;
}

}  // namespace podwright
