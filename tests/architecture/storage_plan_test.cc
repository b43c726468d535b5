#include "architecture/storage_plan.h"

#include <gtest/gtest.h>

#include "architecture/site_parts.h"

namespace podwright::storage_plan_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

std::optional<StorageBandwidth<NoTrace>> bandwidth_of(std::string_view architecture, std::size_t level,
                                                      std::optional<double> units, double gpus, double nodes) {
  NoTrace trace;
  const StorageGuide guide = storage_guide(facts(), item_of(facts().architectures, architecture));
  if (guide.architecture == nullptr || level >= guide.architecture->site.storage_levels.size()) return std::nullopt;
  return storage_bandwidth(trace, guide, guide.architecture->site.storage_levels[level], units, gpus, nodes);
}

// Every cell of the table for one and four units: 15/7, 40/20, 125/62 and 60/30, 160/80, 500/250 GB/s.
TEST(StorageLevels, OfTheH100SuperPod) {
  const double one_read[] = {15, 40, 125};
  const double one_write[] = {7, 20, 62};
  for (std::size_t level = 0; level < 3; ++level) {
    const auto one = bandwidth_of("dgx-superpod-h100", level, 1, 256, 32);
    EXPECT_DOUBLE_EQ(one->read / gb_per_s(1), one_read[level]);
    EXPECT_DOUBLE_EQ(one->write / gb_per_s(1), one_write[level]);
  }
}

/// Printed figures for four units beside four times the printed figures for one. Write cells are rounded down for one
/// unit, so four times falls short by up to 2 GB/s.
TEST(StorageLevels, OfFourUnitsAreFourTimesThoseOfOne) {
  for (const ReferenceArchitecture& architecture : facts().architectures)
    for (const StorageLevel& level : architecture.site.storage_levels) {
      if (level.four_units_read) {
        EXPECT_EQ(*level.four_units_read, 4 * *level.unit_read) << architecture.id << " " << level.name;
      }
      if (level.four_units_write) {
        EXPECT_GE(*level.four_units_write, 4 * *level.unit_write);
        EXPECT_LE(*level.four_units_write, 4 * *level.unit_write + gb_per_s(2));
      }
    }
}

struct PerGpu {
  const char* architecture;
  std::size_t level;
  double gb_per_s;
};
// The column "read per GPU" of the storage tables.
TEST(StorageLevels, PerGpu) {
  const PerGpu rows[] = {{"dgx-superpod-h100", 0, 0.059},          {"dgx-superpod-h100", 1, 0.156},
                         {"dgx-superpod-h100", 2, 0.488},          {"dgx-superpod-gb200", 0, 0.069},
                         {"dgx-superpod-gb200", 1, 0.217},         {"dgx-superpod-b300-spectrum", 0, 0.156},
                         {"dgx-superpod-b300-spectrum", 1, 0.488}, {"dgx-superpod-gb300", 0, 0.156},
                         {"dgx-superpod-gb300", 1, 0.486}};
  for (const PerGpu& row : rows) {
    const auto bandwidth = bandwidth_of(row.architecture, row.level, 1, 576, 72);
    ASSERT_TRUE(bandwidth.has_value()) << row.architecture;
    EXPECT_NEAR(bandwidth->read_per_gpu / gb_per_s(1), row.gb_per_s, 0.0005) << row.architecture << " " << row.level;
  }
}

TEST(StorageLevels, ADocumentWithoutATableBorrowsTheSharesOfOneGpu) {
  const StorageGuide guide = storage_guide(facts(), item_of(facts().architectures, "dgx-basepod-ndr400"));
  EXPECT_TRUE(guide.borrowed);
  const auto bandwidth = bandwidth_of("dgx-basepod-ndr400", 1, std::nullopt, 64, 8);
  EXPECT_DOUBLE_EQ(bandwidth->read / gb_per_s(1), 10);
  EXPECT_DOUBLE_EQ(bandwidth->write / gb_per_s(1), 5);
}

// The GB200 table repeats the figures of 256 GPUs for 576: per GPU they are 2.25 times lower than anywhere else.
TEST(StorageLevels, OfGb200AreShownScaledToo) {
  for (const ReferenceArchitecture& architecture : facts().architectures) {
    if (architecture.site.storage_levels.empty()) continue;
    const StorageGuide own = storage_guide(facts(), &architecture);
    const StorageGuide scaled = scaled_storage_guide(facts(), own);
    EXPECT_EQ(scaled.architecture != nullptr, architecture.id == "dgx-superpod-gb200") << architecture.id;
    if (scaled.architecture == nullptr) continue;
    const double expected_read[] = {90, 281.25};
    const double expected_write[] = {45, 139.5};
    NoTrace trace;
    for (std::size_t level = 0; level < 2; ++level) {
      const std::size_t other = level_from_the_top(own, level, scaled);
      EXPECT_EQ(other, level + 1);
      const auto bandwidth =
          storage_bandwidth<NoTrace>(trace, scaled, scaled.architecture->site.storage_levels[other], 1.0, 576.0, 8.0);
      EXPECT_DOUBLE_EQ(bandwidth->read / gb_per_s(1), expected_read[level]);
      EXPECT_DOUBLE_EQ(bandwidth->write / gb_per_s(1), expected_write[level]);
    }
  }
}

TEST(StorageLevels, OneNodeIsLimitedByItsLinks) {
  const auto alone = bandwidth_of("dgx-superpod-h100", 2, 4, 1016, 1);
  EXPECT_EQ(alone->node_read, gb_per_s(80));
  const auto all = bandwidth_of("dgx-superpod-h100", 2, 4, 1016, 127);
  EXPECT_NEAR(*all->node_read / gb_per_s(1), 500.0 / 127, 1e-9);
  EXPECT_EQ(all->single_node_read, gb_per_s(40));
}

TEST(StorageLevels, SuitTheData) {
  EXPECT_EQ(level_for(DataPattern::language, 3), 0u);
  EXPECT_EQ(level_for(DataPattern::compressed_images, 3), 1u);
  EXPECT_EQ(level_for(DataPattern::single_pass, 3), 2u);
  EXPECT_EQ(level_for(DataPattern::compressed_images, 2), 0u);
  EXPECT_EQ(level_for(DataPattern::single_pass, 2), 1u);
}

TEST(StorageLevels, OnlyTheHighestWantsGpuDirectStorage) {
  EXPECT_FALSE(bandwidth_of("dgx-superpod-h100", 1, 4, 1016, 127)->wants_gds);
  EXPECT_TRUE(bandwidth_of("dgx-superpod-h100", 2, 4, 1016, 127)->wants_gds);
  EXPECT_EQ(bandwidth_of("dgx-superpod-h100", 2, 4, 1016, 127)->gds_read, gb_per_s(27));
}

StorageLevelChoice chosen(const StorageNeed& need) {
  const StorageGuide guide = storage_guide(facts(), item_of(facts().architectures, "dgx-superpod-h100"));
  return *choose_storage_level(guide, need);
}

// 405B on 1,016 GPUs: 5,670 GB at 28, 80, 248 GB/s.
TEST(StorageLevels, RiseUntilCheckpointsCostLittle) {
  StorageNeed need{.gpus = 1016, .nodes = 127, .scalable_units = 4};
  EXPECT_EQ(chosen(need).level, 0u);
  need.checkpoint = gb(5670);
  need.start = seconds(300);
  need.mean_time_between_failures = hours(49.9);
  const StorageLevelChoice loose = chosen(need);
  EXPECT_EQ(loose.level, 0u);
  ASSERT_EQ(loose.lost_share.size(), 3u);
  EXPECT_GT(loose.lost_share[0], loose.lost_share[1]);
  EXPECT_GT(loose.lost_share[1], loose.lost_share[2]);
  need.most_lost_share = loose.lost_share[1];
  EXPECT_EQ(chosen(need).level, 1u);
  need.most_lost_share = 0.001;
  EXPECT_EQ(chosen(need).level, 2u);
  EXPECT_FALSE(chosen(need).loses_little);
}

TEST(StorageLevels, RiseUntilTheJobIsFed) {
  StorageNeed need{.gpus = 1016, .nodes = 127, .scalable_units = 4, .steady_read = gb_per_s(100)};
  EXPECT_EQ(chosen(need).level, 1u);
  need.steady_read = gb_per_s(600);
  EXPECT_EQ(chosen(need).level, 2u);
  EXPECT_FALSE(chosen(need).reads_enough);
}

// 30 TB in five copies and 20 checkpoints of 70B at 14 bytes: 150 + 19.6 TB.
TEST(StorageCapacity, AddsUpInTiers) {
  NoTrace trace;
  const StorageContent<NoTrace> content{.dataset = tb(30),
                                        .copies = 5,
                                        .checkpoint = gb(980),
                                        .checkpoints = 20,
                                        .recent_checkpoints = 2,
                                        .logs = bytes(0)};
  const auto capacity = storage_capacity_in_tiers(trace, content, design_of("dgx-h100").system, 127.0);
  EXPECT_DOUBLE_EQ(capacity.total / tb(1), 169.6);
  EXPECT_DOUBLE_EQ(capacity.hot / tb(1), 31.96);
  EXPECT_DOUBLE_EQ(capacity.cold / tb(1), 30);
  EXPECT_DOUBLE_EQ((capacity.hot + capacity.warm + capacity.cold) / capacity.total, 1);
  EXPECT_DOUBLE_EQ(*capacity.local_cache / tb(1), 127 * 30.72);
}

// 70B on 248 GPUs at 62 GB/s: 15.8 s, Young 4,822 s, 0.656 % lost.
TEST(CheckpointCost, Of70BOnOneUnit) {
  NoTrace trace;
  const auto cost = checkpoint_cost(trace, gb(980), gb_per_s(62), gb_per_s(125), 1.0, seconds(0), seconds(735634));
  EXPECT_NEAR(cost.write.base_units(), 15.81, 0.005);
  EXPECT_NEAR(cost.restart_read.base_units(), 7.84, 0.005);
  EXPECT_NEAR(cost.goodput.interval.base_units(), 4822, 0.5);
  EXPECT_NEAR(100 * (1 - cost.goodput.share), 0.656 + 100 * 7.84 / 735634, 0.0005);
}

TEST(CheckpointCost, AFasterLevelNeverLosesMore) {
  NoTrace trace;
  for (double parameters = 1e9; parameters < 2e12; parameters *= 3) {
    double before = 0;
    for (std::size_t level = 0; level < 3; ++level) {
      const auto bandwidth = bandwidth_of("dgx-superpod-h100", level, 4, 1016, 127);
      const auto cost = checkpoint_cost(trace, bytes(14 * parameters), bandwidth->write, bandwidth->read, 1.0,
                                        seconds(300), hours(49.9));
      EXPECT_GE(cost.goodput.share, before) << parameters << " " << level;
      before = cost.goodput.share;
    }
  }
}

}  // namespace
}  // namespace podwright::storage_plan_test
