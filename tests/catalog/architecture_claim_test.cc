#include "catalog/architecture_claim.h"

#include <gtest/gtest.h>

#include <set>

#include "catalog/catalog.h"
#include "catalog/check.h"

namespace podwright::architecture_claim_test {
namespace {

const std::vector<ArchitectureClaim>& claims() { return embedded_catalog_facts().architecture_claims; }

const ArchitectureClaim& claim(double number) { return claims()[static_cast<std::size_t>(number - 1)]; }

std::vector<std::string> ids_of(std::string ids) {
  std::vector<std::string> parts;
  for (std::size_t end = ids.find("; "); end != std::string::npos; end = ids.find("; ")) {
    parts.push_back(ids.substr(0, end));
    ids.erase(0, end + 2);
  }
  parts.push_back(ids);
  return parts;
}

Errors errors_of(std::string_view row) {
  Catalog catalog;
  Errors errors;
  const std::string text =
      "number,document,claim,verified,quantity,claimed_value,verified_value,unit,verdict,source\n" + std::string(row);
  read_table("architecture_claims.csv", text, catalog, errors);
  return errors;
}

TEST(ArchitectureClaims, AllTwentyThreeAreThere) {
  ASSERT_EQ(claims().size(), 23u);
  for (std::size_t i = 0; i < claims().size(); ++i) {
    EXPECT_EQ(claims()[i].number, static_cast<double>(i + 1));
    EXPECT_EQ(claims()[i].id, "architecture-" + std::to_string(i + 1));
    EXPECT_FALSE(claims()[i].claim.empty());
    EXPECT_FALSE(claims()[i].verified.empty());
  }
}

TEST(ArchitectureClaims, EveryOneHasSourcesThatExist) {
  for (const ArchitectureClaim& item : claims()) {
    ASSERT_FALSE(item.source.empty()) << item.id;
    for (const std::string& id : ids_of(item.source))
      EXPECT_NE(find_source(embedded_catalog_facts(), id), nullptr) << item.id << " " << id;
    EXPECT_NE(find_source(embedded_catalog_facts(), item.document), nullptr) << item.id << " " << item.document;
  }
}

TEST(ArchitectureClaims, ComeFromThreeDocuments) {
  std::set<std::string> documents;
  for (const ArchitectureClaim& item : claims()) documents.insert(item.document);
  EXPECT_EQ(documents, (std::set<std::string>{"study-document-000", "study-document-001", "study-document-004"}));
}

TEST(ArchitectureClaims, WhatIsNotConfirmedHasNoVerifiedValue) {
  for (const ArchitectureClaim& item : claims())
    if (item.verdict == StudyVerdict::unconfirmed) {
      EXPECT_FALSE(item.verified_value.has_value()) << item.id;
    }
  EXPECT_EQ(claim(6).verdict, StudyVerdict::unconfirmed);
  EXPECT_EQ(claim(13).verdict, StudyVerdict::unconfirmed);
}

TEST(ArchitectureClaims, AWrongNumberDiffersFromTheVerifiedOne) {
  for (const ArchitectureClaim& item : claims())
    if (item.claimed_value && item.verified_value) {
      EXPECT_NE(*item.claimed_value, *item.verified_value) << item.id;
    }
}

// The verified values are those of the catalog's own items.
TEST(ArchitectureClaims, AgreeWithTheCatalog) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const Switch& item : catalog.switches)
    if (item.id == "qm9700") {
      EXPECT_DOUBLE_EQ(*claim(1).verified_value, *item.ports * *item.port_gbps / 1000);
    }
  for (const ReferenceArchitecture& item : catalog.architectures) {
    if (item.id == "dgx-superpod-h100") {
      EXPECT_EQ(*claim(2).verified_value, *item.nodes_per_scalable_unit);
      EXPECT_EQ(*claim(5).verified_value, *item.usable_nodes_with_manager * 8);
    }
    if (item.id == "dgx-basepod-ndr400") {
      EXPECT_EQ(*claim(4).verified_value, *item.described_max_nodes);
    }
  }
  double largest = 0;
  for (const System& system : catalog.systems) {
    if (system.gpu_count == 8 && system.id.rfind("dgx-", 0) == 0)
      for (const auto& power : {system.power_max, system.power_typical})
        if (power) largest = std::max(largest, *power / kw(1));
    if (system.id == "gb200-nvl72") {
      EXPECT_EQ(*claim(20).verified_value, *system.power_max / kw(1));
      EXPECT_EQ(*claim(23).verified_value, system.gpu_count);
    }
  }
  EXPECT_EQ(*claim(11).verified_value, largest);
}

TEST(ArchitectureClaims, RefuseGapsAndUnknownVerdicts) {
  EXPECT_TRUE(errors_of("1,study-document-004,a,b,,,,,wrong,ra-01\n").empty());
  EXPECT_EQ(errors_of("2,study-document-004,a,b,,,,,wrong,ra-01\n").size(), 1u);
  EXPECT_EQ(errors_of("1,study-document-004,a,b,,,,,false,ra-01\n").size(), 1u);
  EXPECT_EQ(errors_of("1,study-document-004,a,b,,,5,,wrong,ra-01\n").size(), 1u);
}

TEST(SoftwareProducts, AreWholeAndNamed) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_EQ(catalog.software_products.size(), 11u);
  for (const SoftwareProduct& product : catalog.software_products) EXPECT_FALSE(product.source.empty()) << product.id;
}

// Every word of the software lists belongs to a product, so that no licence is forgotten.
TEST(SoftwareProducts, CoverWhatTheArchitecturesList) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const ReferenceArchitecture& architecture : catalog.architectures)
    for (const std::string& text : architecture.site.software) {
      bool named = text == "CUDA";  // comes with the driver
      for (const SoftwareProduct& product : catalog.software_products)
        named = named || text.find(product.name) != std::string::npos;
      EXPECT_TRUE(named) << architecture.id << ": " << text;
    }
}

// architecture_site.h: 40.8 kW a rack, 38 racks, three storage levels.
TEST(ArchitectureSite, OfTheH100SuperPod) {
  for (const ReferenceArchitecture& architecture : embedded_catalog_facts().architectures) {
    if (architecture.id != "dgx-superpod-h100") continue;
    const ArchitectureSite& site = architecture.site;
    EXPECT_EQ(site.nodes_per_rack, 4);
    EXPECT_EQ(site.drawn.units, 4);
    EXPECT_EQ(site.drawn.racks, 38);
    EXPECT_EQ(site.drawn.compute_rack_pdus, 96);
    EXPECT_EQ(site.drawn.other_rack_pdus, 12);
    EXPECT_EQ(site.drawn.management_servers, 4);
    EXPECT_EQ(site.drawn.fabric_managers, 4);
    EXPECT_EQ(site.in_band_links_per_node, 2);
    EXPECT_EQ(site.drawn.in_band_nfs_links, 8);
    ASSERT_EQ(site.storage_levels.size(), 3u);
    EXPECT_EQ(site.storage_levels[0].name, "good");
    EXPECT_EQ(site.storage_levels[0].node_write, gb_per_s(2));
    EXPECT_EQ(site.storage_levels[1].unit_read, gb_per_s(40));
    EXPECT_EQ(site.storage_levels[2].four_units_write, gb_per_s(250));
    EXPECT_EQ(site.gds_read, gb_per_s(27));
    EXPECT_EQ(site.node_maximum, gb_per_s(80));
  }
}

TEST(ArchitectureSite, EmbeddedCatalogHasNoProblems) {
  const CatalogCheck check = check_catalog(embedded_catalog_facts(), "2026-11-21", 1e9);
  for (const std::string& problem : check.problems) ADD_FAILURE() << problem;
}

}  // namespace
}  // namespace podwright::architecture_claim_test
