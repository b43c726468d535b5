#include <gtest/gtest.h>

#include "architecture/selection.h"
#include "catalog/catalog.h"

namespace podwright::catalog_bands_test {
namespace {

template <class Item>
bool exists(const std::vector<Item>& items, const std::string& id) {
  for (const Item& item : items)
    if (item.id == id) return true;
  return false;
}

TEST(CatalogBands, NameOnlyWhatTheCatalogHas) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_GT(catalog.architecture_bands.size(), 100u);
  for (const ArchitectureBand& band : catalog.architecture_bands) {
    EXPECT_TRUE(exists(catalog.gpus, band.gpu_id)) << band.origin << " " << band.gpu_id;
    EXPECT_TRUE(exists(catalog.systems, band.system_id)) << band.origin << " " << band.system_id;
    EXPECT_TRUE(band.architecture_id == "single-node" || band.architecture_id == "custom" ||
                exists(catalog.architectures, band.architecture_id))
        << band.origin << " " << band.architecture_id;
    EXPECT_FALSE(band.why.empty()) << band.origin;
    std::string rest = band.source;
    while (!rest.empty()) {
      const std::size_t end = rest.find("; ");
      EXPECT_NE(find_source(catalog, rest.substr(0, end)), nullptr) << band.origin << " " << rest;
      rest = end == std::string::npos ? "" : rest.substr(end + 2);
    }
  }
}

TEST(CatalogBands, ScalableUnitsHaveTheirGpusInTheCatalog) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const ArchitectureBand& band : catalog.architecture_bands)
    for (const ReferenceArchitecture& architecture : catalog.architectures)
      if (architecture.id == band.architecture_id && band.max_scalable_units) {
        EXPECT_TRUE(architecture.gpus_per_scalable_unit.has_value()) << band.origin;
      }
}

TEST(CatalogBands, RealCatalogSizesASuperPod) {
  const Catalog& catalog = embedded_catalog_facts();
  const Result<const Gpu*> gpu = find_gpu(catalog, "h100-sxm5-80gb");
  ASSERT_TRUE(gpu.has_value());
  ArchitectureNeed need;
  need.gpu_count = 1016;
  need.ownership = Ownership::dgx;
  need.rack_power = kw(41);
  const ArchitectureChoice choice = choose_architecture(catalog, **gpu, need);
  ASSERT_FALSE(choice.designs.empty());
  const ArchitectureDesign& design = choice.designs.front();
  EXPECT_EQ(design.architecture_id, "dgx-superpod-h100");
  EXPECT_EQ(design.size.scalable_units, 4);
  EXPECT_TRUE(design.deviations.empty());
}

TEST(CatalogBands, EverySystemInABandThatNeedsLiquidSaysSo) {
  for (const System& system : embedded_catalog_facts().systems)
    if (system.id.find("nvl72") != std::string::npos) {
      EXPECT_EQ(system.cooling.rfind("liquid", 0), 0u) << system.id;
    }
}

}  // namespace
}  // namespace podwright::catalog_bands_test
