#include "calibration/reference_profile.h"

#include <gtest/gtest.h>

#include <string>

#include "calibration/synthetic_fits.h"
#include "catalog/check.h"

namespace podwright::reference_profile_test {
namespace {

const Catalog& built_in() { return embedded_catalog_facts(); }

ReadProfile file_of(const HardwareProfile& profile) { return {profile, std::string(64, 'a')}; }

TEST(ReferenceProfile, ItsTableReadsBack) {
  const auto rows = with_reference(built_in(), synthetic_h100_profile({.gpus = 1}));
  ASSERT_TRUE(rows);
  ASSERT_FALSE(rows->empty());
  Catalog catalog;
  Errors errors;
  read_table("reference_rates.csv", reference_table(*rows), catalog, errors);
  const std::vector<ReferenceRate>& read = catalog.reference_rates;
  ASSERT_TRUE(errors.empty()) << errors.front().message;
  ASSERT_EQ(read.size(), rows->size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].probe, (*rows)[i].probe);
    EXPECT_EQ(read[i].size, (*rows)[i].size);
    EXPECT_NEAR(read[i].rate / (*rows)[i].rate, 1, 1e-5);
  }
}

TEST(ReferenceProfile, TheCatalogTakesIt) {
  Catalog catalog = built_in();
  Errors errors;
  const std::string table = reference_table(*with_reference(catalog, synthetic_h100_profile()));
  read_table("reference_rates.csv", table, catalog, errors);
  Source source;
  source.id = catalog.reference_rates.front().source;
  catalog.sources.push_back(source);
  const CatalogCheck check = check_catalog(catalog, "2026-11-20", 1e9);
  EXPECT_TRUE(check.problems.empty()) << check.problems.front();
}

TEST(ReferenceProfile, OfSeveralDevicesTheMiddleOneCountsEachResultOnce) {
  const auto one = with_reference(built_in(), synthetic_h100_profile({.gpus = 1}));
  HardwareProfile profile = synthetic_h100_host({.gpus = 3, .slow_last_gpu = 0.8});
  const auto three = with_reference(built_in(), file_of(profile));
  if (!three) return;  // a straggler is no reference
  for (const ReferenceRate& row : *one)
    EXPECT_EQ(
        std::count_if(three->begin(), three->end(), [&](const ReferenceRate& other) { return other.id == row.id; }),
        std::count_if(one->begin(), one->end(), [&](const ReferenceRate& other) { return other.id == row.id; }));
}

TEST(ReferenceProfile, AnotherGpusRowsStay) {
  Catalog catalog = built_in();
  ReferenceRate other;
  other.gpu_id = "h200-sxm5-141gb";
  other.probe = "gemm.bf16";
  catalog.reference_rates = {other};
  const auto rows = with_reference(catalog, synthetic_h100_profile({.gpus = 1}));
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->front().gpu_id, "h200-sxm5-141gb");
  EXPECT_EQ(rows->back().gpu_id, "h100-sxm5-80gb");
}

TEST(ReferenceProfile, OnlyAHealthyWholeMeasurementIsOne) {
  const auto path = [](void (*change)(HardwareProfile&)) {
    HardwareProfile profile = synthetic_h100_host({.gpus = 1});
    change(profile);
    const auto rows = with_reference(built_in(), file_of(profile));
    EXPECT_TRUE(rows || !rows.error().front().hint.empty());
    return rows ? std::string("none") : rows.error().front().path;
  };
  EXPECT_EQ(path([](HardwareProfile&) {}), "none");
  EXPECT_EQ(path([](HardwareProfile& p) { p.run.complete = false; }), "/run/complete");
  EXPECT_EQ(path([](HardwareProfile& p) { p.run.backend = "fake"; }), "/run/backend");
  EXPECT_EQ(path([](HardwareProfile& p) { p.run.mode = RunMode::quick; }), "/run/mode");
  EXPECT_EQ(path([](HardwareProfile& p) { p.devices.front().key = "hal-9000"; }), "/devices/0/key");
  EXPECT_EQ(path([](HardwareProfile& p) { p.devices.front().mig_slice = "1g.10gb"; }), "/devices/0/mig_slice");
  EXPECT_EQ(path([](HardwareProfile& p) { p.devices.clear(), p.results.clear(); }), "/devices");
  EXPECT_EQ(path([](HardwareProfile& p) {
              for (ProbeResult& result : p.results)
                for (double* time : {&result.time_s->median, &*result.time_s->lo95, &*result.time_s->hi95}) *time *= 3;
            }),
            "/results");
}

}  // namespace
}  // namespace podwright::reference_profile_test
