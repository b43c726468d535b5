/// The plans of examples/ as whole answers: search, design, cost, draws, trace. The goal is 50 ms for each of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/answer.h"

namespace podwright {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool register_plans() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(PODWRIGHT_EXAMPLES)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    if (path.extension() != ".json") continue;
    const std::string request = text_of(path);
    if (request.find("\"kind\": \"plan\"") == std::string::npos) continue;
    benchmark::RegisterBenchmark(("plan/" + path.stem().string()).c_str(), [request](benchmark::State& state) {
      for (auto _ : state) benchmark::DoNotOptimize(answer_request(embedded_catalog_facts(), request));
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}

const bool registered = register_plans();

}  // namespace
}  // namespace podwright
