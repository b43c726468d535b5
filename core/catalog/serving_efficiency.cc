#include "catalog/serving_efficiency.h"

#include "catalog/engine.h"

namespace podwright {
namespace {

bool has_number(std::string_view version) {
  const std::size_t first = !version.empty() && version[0] == 'v' ? 1 : 0;
  return version.size() > first && version[first] >= '0' && version[first] <= '9';
}

}  // namespace

double ServingEfficiency::mean_factor(EngineFactor factor) const {
  double sum = 0;
  double engines = 0;
  for (const EngineSoftware& row : software) {
    if (row.level != EngineSoftware::Level::engine || row.rows <= 0) continue;
    sum += row[factor];
    engines += 1;
  }
  return engines > 0 ? sum / engines : 0;
}

const EngineSoftware* ServingEfficiency::engine(std::string_view id) const {
  for (const EngineSoftware& row : software)
    if (row.level == EngineSoftware::Level::engine && row.engine == id) return &row;
  return nullptr;
}

const EngineSoftware* ServingEfficiency::period(std::string_view engine, std::string_view version) const {
  const EngineSoftware* found = nullptr;
  const bool newest = !has_number(version);
  for (const EngineSoftware& row : software) {
    if (row.level != EngineSoftware::Level::period || row.engine != engine) continue;
    if (row.period == version) return &row;
    if (row.from_version.empty()) continue;
    if (!newest && compare_versions(version, row.from_version) < 0) continue;
    if (found == nullptr || compare_versions(row.from_version, found->from_version) > 0) found = &row;
  }
  return found;
}

const EngineSoftware* ServingEfficiency::period_at(std::string_view engine, double year) const {
  const EngineSoftware* found = nullptr;
  for (const EngineSoftware& row : software) {
    if (row.level != EngineSoftware::Level::period || row.engine != engine || row.from_version.empty()) continue;
    if (row.from_year <= 0 || row.from_year > year) continue;
    if (found == nullptr || row.from_year > found->from_year) found = &row;
  }
  return found;
}

const ServingLevel* ServingEfficiency::level(std::string_view engine, std::string_view period, std::string_view gpu,
                                             std::string_view model) const {
  for (const ServingLevel& row : levels)
    if (row.model == model && row.gpu == gpu && row.engine == engine && row.period == period) return &row;
  return nullptr;
}

const ServingSpread* ServingEfficiency::spread(std::string_view metric, std::string_view knowledge,
                                               std::string_view architecture) const {
  for (const ServingSpread& row : spreads)
    if (row.metric == metric && row.knowledge == knowledge && row.architecture == architecture) return &row;
  return nullptr;
}

}  // namespace podwright
