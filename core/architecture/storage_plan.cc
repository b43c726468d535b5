#include "architecture/storage_plan.h"

#include <algorithm>

namespace podwright {

StorageGuide storage_guide(const Catalog& catalog, const ReferenceArchitecture* architecture) {
  if (architecture != nullptr && !architecture->site.storage_levels.empty()) return {.architecture = architecture};
  for (const ReferenceArchitecture& other : catalog.architectures)
    if (other.id == "dgx-superpod-h100" && !other.site.storage_levels.empty())
      return {.architecture = &other, .borrowed = true};
  return {};
}

std::size_t level_for(DataPattern pattern, std::size_t levels) {
  if (levels == 0) return 0;
  if (pattern == DataPattern::single_pass) return levels - 1;
  if (pattern == DataPattern::compressed_images && levels > 2) return 1;
  return 0;
}

std::optional<StorageLevelChoice> choose_storage_level(const StorageGuide& guide, const StorageNeed& need) {
  if (guide.architecture == nullptr) return std::nullopt;
  const std::vector<StorageLevel>& levels = guide.architecture->site.storage_levels;
  NoTrace trace;
  StorageLevelChoice choice;
  bool found = false;
  const std::size_t least = level_for(need.pattern, levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const auto bandwidth = storage_bandwidth(trace, guide, levels[i], need.scalable_units, need.gpus, need.nodes);
    if (!bandwidth) return std::nullopt;
    const bool reads_enough = !need.steady_read || bandwidth->read >= *need.steady_read;
    bool loses_little = true;
    if (need.checkpoint) {
      const auto cost = checkpoint_cost(trace, *need.checkpoint, bandwidth->write, bandwidth->read, need.readers,
                                        need.start, need.mean_time_between_failures);
      choice.lost_share.push_back(1 - cost.goodput.share);
      loses_little = choice.lost_share.back() <= need.most_lost_share;
    }
    if (found || i < least) continue;
    choice.level = i;
    choice.reads_enough = reads_enough;
    choice.loses_little = loses_little;
    found = reads_enough && loses_little;
  }
  if (levels.empty()) return std::nullopt;
  return choice;
}

}  // namespace podwright
