#include "architecture/storage_plan.h"

namespace podwright {
namespace {

constexpr double kRoundingOfTables = 0.01;  // printed figures of two documents that mean the same share of a GPU

/// The first document with a table for InfiniBand; all later ones but GB200's repeat its shares of one GPU.
StorageGuide common_guide(const Catalog& catalog) {
  for (const ReferenceArchitecture& architecture : catalog.architectures)
    if (architecture.id == "dgx-superpod-h100" && !architecture.site.storage_levels.empty())
      return {.architecture = &architecture, .borrowed = true};
  return {};
}

std::optional<BytesPerSecond> read_per_gpu(const StorageGuide& guide, std::size_t level) {
  const ReferenceArchitecture& document = *guide.architecture;
  const StorageLevel& figures = document.site.storage_levels[level];
  if (!figures.unit_read || !document.gpus_per_scalable_unit) return std::nullopt;
  return storage_rate_per_gpu(*figures.unit_read, *document.gpus_per_scalable_unit);
}

}  // namespace

StorageGuide storage_guide(const Catalog& catalog, const ReferenceArchitecture* architecture) {
  if (architecture != nullptr && !architecture->site.storage_levels.empty()) return {.architecture = architecture};
  return common_guide(catalog);
}

StorageGuide scaled_storage_guide(const Catalog& catalog, const StorageGuide& guide) {
  const StorageGuide common = common_guide(catalog);
  if (guide.architecture == nullptr || common.architecture == nullptr || guide.borrowed) return {};
  for (std::size_t level = 0; level < guide.architecture->site.storage_levels.size(); ++level) {
    const auto own = read_per_gpu(guide, level);
    const auto others = read_per_gpu(common, level_from_the_top(guide, level, common));
    if (own && others && *own < *others * (1 - kRoundingOfTables)) return common;
  }
  return {};
}

std::size_t level_from_the_top(const StorageGuide& guide, std::size_t level, const StorageGuide& other) {
  const std::size_t above = guide.architecture->site.storage_levels.size() - 1 - level;
  const std::size_t top = other.architecture->site.storage_levels.size() - 1;
  return above > top ? 0 : top - above;
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
