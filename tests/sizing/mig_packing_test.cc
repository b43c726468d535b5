#include "sizing/mig_packing.h"

#include <gtest/gtest.h>

#include <set>

namespace podwright::mig_packing_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }
const Gpu& gpu_of(const char* id) { return **find_gpu(catalog(), id); }

const MigProfile* profile_of(const char* gpu, const char* name) {
  for (const MigProfile* profile : mig_profiles_of(catalog().mig_profiles, gpu))
    if (profile->name == name) return profile;
  return nullptr;
}
const MigProfile* h100(const char* name) { return profile_of("h100-sxm5-80gb", name); }

TEST(MigProfiles, EveryCutGpuHasOneWholeAndAsManySmallOnesAsItSays) {
  std::set<std::string> gpus;
  for (const MigProfile& profile : catalog().mig_profiles) gpus.insert(profile.gpu_id);
  EXPECT_GE(gpus.size(), 15u);
  for (const std::string& id : gpus) {
    const auto profiles = mig_profiles_of(catalog().mig_profiles, id);
    EXPECT_EQ(profiles.front()->instances, gpu_of(id.c_str()).mig_max_instances) << id;
    EXPECT_EQ(profiles.back()->memory_slices, profiles.back()->gpu_memory_slices) << id;
    const Gpu& gpu = gpu_of(id.c_str());
    // A gigabyte printed is a gibibyte at most.
    const Bytes most = gpu.memory_driver.value_or(gib(gpu.memory->base_units() / 1e9));
    for (const MigProfile* profile : profiles) {
      EXPECT_EQ(profile->instances, static_cast<double>(profile->starts.size())) << profile->id;
      EXPECT_LE(*mig_slice(gpu, *profile).memory, 1.001 * most) << profile->id;
    }
  }
}

TEST(MigProfiles, ListedMemoryIsNeverMoreThanItsShare) {
  for (const MigProfile& profile : catalog().mig_profiles) {
    const Gpu& gpu = gpu_of(profile.gpu_id.c_str());
    if (!profile.memory || !gpu.memory_driver) continue;
    EXPECT_LE(*profile.memory, *gpu.memory_driver * (1.01 * mig_memory_share(profile))) << profile.id;
    EXPECT_GE(*profile.memory, *gpu.memory_driver * (0.9 * mig_memory_share(profile))) << profile.id;
  }
}

TEST(MigSlice, RatesFollowTheirShares) {
  const Gpu& gpu = gpu_of("h100-sxm5-80gb");
  const Gpu slice = mig_slice(gpu, *h100("3g.40gb"));
  EXPECT_DOUBLE_EQ(slice.peak_dense_flops.at("bf16").base_units(),
                   gpu.peak_dense_flops.at("bf16").base_units() * 60 / 132);
  EXPECT_EQ(slice.memory_bandwidth->base_units(), gpu.memory_bandwidth->base_units() / 2);
  EXPECT_EQ(*slice.memory_driver, gib(39.5));
  EXPECT_FALSE(slice.link_bandwidth_one_way);
  EXPECT_DOUBLE_EQ(mig_compute_share(gpu_of("b200-sxm"), *profile_of("b200-sxm", "2g.45gb")), 2.0 / 7.0);
}

TEST(MigLegal, PlacesAsTheDriverHasThem) {
  EXPECT_TRUE(mig_legal({{0, h100("4g.40gb"), 0}, {0, h100("3g.40gb"), 4}}));
  EXPECT_FALSE(mig_legal({{0, h100("3g.40gb"), 4}, {0, h100("4g.40gb"), 4}}));  // 4g starts at 0 only
  EXPECT_FALSE(mig_legal({{0, h100("2g.20gb"), 6}}));
  EXPECT_TRUE(mig_legal({{0, h100("1g.20gb"), 6}}));
  EXPECT_FALSE(mig_legal({{0, h100("1g.10gb"), 7}}));
  EXPECT_FALSE(mig_legal({{0, h100("2g.20gb"), 0}, {0, h100("1g.10gb"), 1}}));
}

MigWish wish(std::vector<const MigProfile*> profiles, double copies) {
  return {.profiles = std::move(profiles), .copies = copies};
}

double placed(const MigPacking& packing) {
  double count = 0;
  for (const auto& gpu : packing.gpus) {
    EXPECT_TRUE(mig_legal(gpu));
    count += static_cast<double>(gpu.size());
  }
  return count;
}

TEST(PackMig, SevenSmallOnesFillOneGpu) {
  EXPECT_EQ(pack_mig({wish({h100("1g.10gb")}, 7)}, 100).gpus.size(), 1u);
  const MigPacking eight = pack_mig({wish({h100("1g.10gb")}, 8)}, 100);
  EXPECT_EQ(eight.gpus.size(), 2u);
  EXPECT_EQ(placed(eight), 8);
  EXPECT_TRUE(eight.fewest);
}

TEST(PackMig, TheLargerOneCoversTheLastSlice) {
  const MigPacking packing = pack_mig({wish({h100("1g.20gb")}, 1), wish({h100("1g.10gb")}, 6)}, 100);
  ASSERT_EQ(packing.gpus.size(), 1u);
  EXPECT_EQ(packing.gpus[0].back().start, 6);
}

TEST(PackMig, WhatIsLeftOfComputeWidens) {
  const MigPacking packing = pack_mig({wish({h100("1g.20gb"), h100("2g.20gb")}, 2)}, 100);
  ASSERT_EQ(packing.gpus.size(), 1u);
  double compute = 0;
  for (const MigInstance& instance : packing.gpus[0]) compute += instance.profile->compute_slices;
  EXPECT_GE(compute, 3);
  EXPECT_TRUE(mig_legal(packing.gpus[0]));
}

TEST(PackMig, OneMoreCopyNeverTakesFewerGpus) {
  std::size_t before = 0;
  for (double copies = 1; copies <= 24; ++copies) {
    const MigPacking packing =
        pack_mig({wish({h100("3g.40gb")}, 2), wish({h100("2g.20gb")}, 3), wish({h100("1g.10gb")}, copies)}, 100);
    EXPECT_EQ(placed(packing), 5 + copies);
    EXPECT_GE(packing.gpus.size(), before);
    before = packing.gpus.size();
  }
}

TEST(PackMig, ALimitLeavesCopiesOver) {
  const MigPacking packing = pack_mig({wish({h100("7g.80gb")}, 1), wish({h100("1g.10gb")}, 3), wish({}, 2)}, 1);
  EXPECT_EQ(packing.left_over, (std::vector<double>{1, 0, 2}));
  EXPECT_EQ(placed(packing), 3);
}

TEST(MigFits, ALargerSliceHoldsWhatASmallerHolds) {
  MigWorkload workload;
  workload.model = **find_model(catalog(), "llama-3.1-8b");
  workload.run.weight_precision = "fp8";
  workload.run.engine = "vllm";
  workload.run.input_tokens = 1024;
  workload.run.output_tokens = 128;
  workload.run.load = {LoadKind::concurrency, 2};
  for (const char* id : {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "a30"}) {
    const auto fits = mig_fits(catalog(), gpu_of(id), workload);
    EXPECT_TRUE(fits.back().holds) << id << fits.back().why_not;
    EXPECT_EQ(fits.size(), mig_profiles_of(catalog().mig_profiles, id).size());
    for (std::size_t i = 1; i < fits.size(); ++i) EXPECT_TRUE(!fits[i - 1].holds || fits[i].holds) << id << i;
    for (const MigFit& fit : fits) EXPECT_EQ(fit.holds, fit.why_not.empty());
  }
  EXPECT_FALSE(mig_fits(catalog(), gpu_of("h100-sxm5-80gb"), workload).front().holds);  // 9.75 GiB
}

}  // namespace
}  // namespace podwright::mig_packing_test
