#include "architecture/study_naming.h"

#include <gtest/gtest.h>

#include "catalog/check.h"

namespace podwright::study_naming_test {
namespace {

using Names = std::vector<std::string>;

StudyName named(double gpus) { return study_name(embedded_catalog_facts(), gpus); }

TEST(StudyNaming, FollowsTheBandsOfTheMaterial) {
  EXPECT_EQ(named(1).names, Names{"single node"});
  EXPECT_EQ(named(8).names, Names{"single node"});
  EXPECT_EQ(named(16).names, Names{"BasePOD"});
  EXPECT_EQ(named(64).names, Names{"BasePOD"});
  EXPECT_EQ(named(160).names, (Names{"DGX POD", "SuperPOD"}));
  EXPECT_EQ(named(999).names, (Names{"DGX POD", "SuperPOD"}));
  EXPECT_EQ(named(1001).names, Names{"custom"});
  EXPECT_EQ(named(16384).names, Names{"custom"});
}

TEST(StudyNaming, NamesTheGaps) {
  for (const double gpus : {9.0, 15.0, 65.0, 159.0}) {
    const StudyName name = named(gpus);
    EXPECT_TRUE(name.gap) << gpus;
    EXPECT_TRUE(name.names.empty()) << gpus;
    ASSERT_EQ(name.corrections.size(), 1u) << gpus;
  }
  EXPECT_NE(named(12).corrections[0].find("Two systems"), std::string::npos);
  EXPECT_NE(named(100).corrections[0].find("filled in part"), std::string::npos);
  EXPECT_FALSE(named(64).gap);
}

// 1,000 stands in two bands of the material.
TEST(StudyNaming, TellsOverlaps) {
  EXPECT_EQ(named(1000).names, (Names{"DGX POD", "SuperPOD", "custom"}));
  EXPECT_EQ(named(1000).bands.size(), 3u);
}

TEST(StudyNaming, PointsAtTheClaimsThatSayMore) {
  const StudyName pod = named(160);
  ASSERT_EQ(pod.claims.size(), 3u);
  EXPECT_EQ(pod.claims[0]->number, 2);
  EXPECT_EQ(pod.claims[2]->number, 6);
  EXPECT_EQ(named(32).claims.size(), 2u);
  EXPECT_TRUE(named(4).claims.empty());
}

TEST(StudyNaming, NoSizeIsLeftOutAndEachHasSources) {
  for (double gpus = 1; gpus <= 20000; ++gpus) {
    const StudyName name = named(gpus);
    ASSERT_FALSE(name.bands.empty()) << gpus;
    ASSERT_NE(name.gap, !name.names.empty()) << gpus;
    ASSERT_FALSE(name.corrections.empty()) << gpus;
    ASSERT_EQ(name.sources.front(), "study-document-004") << gpus;
    for (const std::string& id : name.sources) ASSERT_NE(find_source(embedded_catalog_facts(), id), nullptr) << id;
  }
  EXPECT_TRUE(named(0).bands.empty());
  EXPECT_FALSE(named(0).gap);
}

// The sizes that the corrections speak of are those of the catalog's designs.
TEST(StudyNaming, CorrectionsAgreeWithTheCatalog) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto expect_text = [](double gpus, const std::string& text) {
    bool found = false;
    for (const std::string& correction : named(gpus).corrections) found |= correction.find(text) != std::string::npos;
    EXPECT_TRUE(found) << text;
  };
  const auto whole = [](double value) { return std::to_string(static_cast<int>(value)); };
  for (const ReferenceArchitecture& item : catalog.architectures) {
    if (item.id == "dgx-superpod-h100") {
      expect_text(160, whole(*item.usable_nodes_with_manager * 8) + " to " + whole(*item.gpus_per_scalable_unit));
      expect_text(1001, whole(*item.tested_max_nodes * 8) + " GPUs with NDR");
      expect_text(1001, whole(*item.described_max_nodes * 8));
    }
    if (item.id == "dgx-superpod-b300-spectrum") expect_text(160, whole(*item.gpus_per_scalable_unit) + " with B300");
    if (item.id == "dgx-superpod-b300-xdr") {
      expect_text(160, whole(*item.gpus_per_scalable_unit) + " with XDR");
      expect_text(1001, whole(*item.tested_max_nodes * 8) + " with B300");
    }
    if (item.id == "dgx-basepod-ndr400") expect_text(32, "2 to " + whole(*item.described_max_nodes) + " DGX systems");
    if (item.id == "dgx-basepod-ndr200") expect_text(32, whole(*item.described_max_nodes * 8) + " GPUs at half");
    if (item.id == "dgx-superpod-a100")
      expect_text(160, whole(*item.nodes_per_scalable_unit) + " systems and " + whole(*item.gpus_per_scalable_unit));
  }
}

}  // namespace
}  // namespace podwright::study_naming_test
