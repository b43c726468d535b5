#include "architecture/study_naming.h"

#include <algorithm>
#include <cmath>

#include "base/append.h"
#include "base/stable_sort.h"

namespace podwright {
namespace {

void add_sources(std::vector<std::string>& ids, const std::string& list) {
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find("; ", begin), list.size());
    add_once(ids, list.substr(begin, end - begin));
    begin = end + 2;
  }
}

}  // namespace

StudyName study_name(const Catalog& catalog, double gpu_count) {
  const double gpus = std::ceil(gpu_count);
  StudyName name;
  for (const StudyBand& band : catalog.study_bands) {
    if (gpus < band.min_gpus || gpus > band.max_gpus.value_or(gpus)) continue;
    name.bands.push_back(&band);
    add_once(name.corrections, band.correction);
    if (band.size_name.empty())
      name.gap = true;
    else
      add_once(name.names, band.size_name);
    for (const double number : band.claims)
      for (const ArchitectureClaim& claim : catalog.architecture_claims)
        if (claim.number == number) add_once(name.claims, &claim);
  }
  sort_stably(name.claims,
              [](const ArchitectureClaim* a, const ArchitectureClaim* b) { return a->number < b->number; });
  for (const StudyBand* band : name.bands) add_sources(name.sources, band->document);
  for (const StudyBand* band : name.bands) add_sources(name.sources, band->source);
  return name;
}

}  // namespace podwright
