#include "catalog/embedded_facts.h"

#include <algorithm>
#include <deque>
#include <string>

#include "catalog/catalog.h"

namespace podwright {
namespace {

constexpr std::string_view kModels = "models/";
constexpr std::string_view kClaims = "architecture_claims.csv";
constexpr std::string_view kStudyBands = "study_bands.csv";
constexpr std::string_view kGgmlTypes = "ggml_types.csv";
constexpr std::string_view kMigProfiles = "mig_profiles.csv";
constexpr std::string_view kProbeNorms = "probe_norms.csv";
constexpr std::string_view kRecipes = "training_recipes.json";
constexpr std::string_view kTrainingRates = "training_rates.csv";
constexpr std::string_view kFrameworks = "training_frameworks.json";
constexpr std::string_view kGpuHourCosts = "gpu_hour_tco.csv";
constexpr std::string_view kCurrencies = "currencies.csv";

Catalog whole(Result<Catalog> read) {
  if (!read) {
    const std::string problem = read.error().front().path + ": " + read.error().front().message;
    assertion_failed(problem.c_str(), PODWRIGHT_FILE, __LINE__);
  }
  return std::move(*read);
}

/// Of the files that are not read at the start, those whose path begins so.
Catalog read_later(std::string_view beginning) {
  std::vector<EmbeddedText> files;
  for (const LaterText& file : embedded_later())
    if (file.path.starts_with(beginning)) files.push_back({file.path, file.text()});
  return whole(read_catalog(files));
}

template <auto part, const std::string_view& beginning>
void read_at_first_use(Catalog& catalog) {
  using Value = std::decay_t<decltype((catalog.*part).get())>;
  const auto read = []() -> const Value& {
    static const Value value = (read_later(beginning).*part).get();
    return value;
  };
  catalog.*part = Later<Value>(read);
}

}  // namespace

std::span<const EmbeddedText> embedded_catalog() {
  static const std::vector<EmbeddedText> all = [] {
    const std::span<const EmbeddedText> at_start = embedded_at_start();
    std::vector<EmbeddedText> files(at_start.begin(), at_start.end());
    for (const LaterText& file : embedded_later()) files.push_back({file.path, file.text()});
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return files;
  }();
  return all;
}

const Catalog& embedded_catalog_facts() {
  static const Catalog catalog = [] {
    Catalog read = whole(read_catalog(embedded_at_start()));
    read.files.clear();
    read_at_first_use<&Catalog::models, kModels>(read);
    read_at_first_use<&Catalog::architecture_claims, kClaims>(read);
    read_at_first_use<&Catalog::study_bands, kStudyBands>(read);
    read_at_first_use<&Catalog::ggml_types, kGgmlTypes>(read);
    read_at_first_use<&Catalog::mig_profiles, kMigProfiles>(read);
    read_at_first_use<&Catalog::probe_norms, kProbeNorms>(read);
    read_at_first_use<&Catalog::training_recipes, kRecipes>(read);
    read_at_first_use<&Catalog::training_rates, kTrainingRates>(read);
    read_at_first_use<&Catalog::training_frameworks, kFrameworks>(read);
    read_at_first_use<&Catalog::gpu_hour_costs, kGpuHourCosts>(read);
    read_at_first_use<&Catalog::currencies, kCurrencies>(read);
    return read;
  }();
  return catalog;
}

const Model* embedded_model(std::string_view id) {
  static std::deque<Model> found;
  const auto same = std::find_if(found.begin(), found.end(), [&](const Model& model) { return model.id == id; });
  if (same != found.end()) return &*same;
  const std::string path = std::string(kModels) + std::string(id) + ".json";
  for (const LaterText& file : embedded_later()) {
    if (file.path != path) continue;
    const EmbeddedText text{file.path, file.text()};
    const Result<Catalog> read = read_catalog({&text, 1});
    return read ? &found.emplace_back(read->models[0]) : nullptr;
  }
  return nullptr;
}

}  // namespace podwright
