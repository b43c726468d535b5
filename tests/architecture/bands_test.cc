#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "architecture/selection.h"
#include "architecture/test_catalog.h"

namespace podwright::bands_test {
namespace {

struct Edge {
  double gpus;
  const char* architecture;
  double nodes;
  double scalable_units;  ///< 0: the design has none
  const char* compute_fabric;
};

void PrintTo(const Edge& edge, std::ostream* out) { *out << edge.gpus << " GPUs"; }

ArchitectureDesign chosen(const char* gpu, const char* ownership, double gpus, const char* fabric = "any") {
  ArchitectureNeed need;
  need.gpu_count = gpus;
  need.ownership = *of_word<Ownership>(ownership, kOwnershipWords);
  need.fabric = *of_word<FabricFamily>(fabric, kFabricFamilyWords);
  const ArchitectureChoice choice = choose_architecture(selection_catalog(), gpu_named(gpu), need);
  EXPECT_FALSE(choice.designs.empty());
  return choice.designs.empty() ? ArchitectureDesign{} : choice.designs.front();
}

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool takes(const ArchitectureBand& band, double nodes) {
  return band.min_nodes <= nodes && nodes <= band.max_nodes.value_or(nodes);
}

void expect_edge(const ArchitectureDesign& design, const Edge& edge) {
  ASSERT_NE(design.parts.band, nullptr);
  EXPECT_EQ(design.architecture_id, edge.architecture);
  EXPECT_EQ(design.size.nodes, edge.nodes);
  EXPECT_EQ(design.size.scalable_units.value_or(0), edge.scalable_units);
  EXPECT_EQ(design.parts.band->compute_fabric, edge.compute_fabric);
}

class DgxH100Edges : public testing::TestWithParam<Edge> {};
TEST_P(DgxH100Edges, ChooseTheBandsDesign) {
  expect_edge(chosen("h100-sxm5-80gb", "dgx", GetParam().gpus), GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Bands, DgxH100Edges,
    testing::Values(
        Edge{1, "single-node", 1, 0, "none"}, Edge{8, "single-node", 1, 0, "none"},
        Edge{9, "dgx-basepod-ndr400", 2, 0, "switch pair"}, Edge{16, "dgx-basepod-ndr400", 2, 0, "switch pair"},
        Edge{17, "dgx-basepod-ndr400", 3, 0, "switch pair"}, Edge{64, "dgx-basepod-ndr400", 8, 0, "switch pair"},
        Edge{65, "dgx-superpod-h100", 9, 1, "two tiers"}, Edge{128, "dgx-superpod-h100", 16, 1, "two tiers"},
        Edge{129, "dgx-superpod-h100", 17, 1, "two tiers"}, Edge{248, "dgx-superpod-h100", 31, 1, "two tiers"},
        Edge{249, "dgx-superpod-h100", 32, 1, "two tiers"}, Edge{256, "dgx-superpod-h100", 32, 1, "two tiers"},
        Edge{257, "dgx-superpod-h100", 33, 2, "two tiers"}, Edge{504, "dgx-superpod-h100", 63, 2, "two tiers"},
        Edge{512, "dgx-superpod-h100", 64, 2, "two tiers"}, Edge{1016, "dgx-superpod-h100", 127, 4, "two tiers"},
        Edge{1017, "dgx-superpod-h100", 128, 4, "two tiers"}, Edge{2040, "dgx-superpod-h100", 255, 8, "two tiers"},
        Edge{2048, "dgx-superpod-h100", 256, 8, "two tiers"}, Edge{2049, "dgx-superpod-h100", 257, 9, "three tiers"},
        Edge{16384, "dgx-superpod-h100", 2048, 64, "three tiers"}, Edge{16385, "custom", 2049, 0, ""}));

class OemH100Edges : public testing::TestWithParam<Edge> {};
TEST_P(OemH100Edges, ChooseTheBandsDesign) {
  expect_edge(chosen("h100-sxm5-80gb", "oem", GetParam().gpus), GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Bands, OemH100Edges,
    testing::Values(Edge{8, "single-node", 1, 0, "none"}, Edge{9, "era-2-8-9-400", 2, 1, "collapsed pair"},
                    Edge{32, "era-2-8-9-400", 4, 1, "collapsed pair"},
                    Edge{96, "era-2-8-9-400", 12, 3, "collapsed pair"},
                    Edge{97, "era-2-8-9-400", 13, 4, "separate pairs"}, Edge{129, "era-2-8-9-400", 17, 5, "two tiers"},
                    Edge{480, "era-2-8-9-400", 60, 15, "two tiers"}, Edge{481, "era-2-8-9-400", 61, 16, "three tiers"},
                    Edge{1024, "era-2-8-9-400", 128, 32, "three tiers"}, Edge{1025, "ncp-dsx", 129, 0, ""}));

class DgxGb300Edges : public testing::TestWithParam<Edge> {};
TEST_P(DgxGb300Edges, ChooseTheBandsDesign) { expect_edge(chosen("gb300", "dgx", GetParam().gpus), GetParam()); }
INSTANTIATE_TEST_SUITE_P(Racks, DgxGb300Edges,
                         testing::Values(Edge{72, "era-2-4-5-800-nvl72", 1, 1, "two tiers"},
                                         Edge{73, "era-2-4-5-800-nvl72", 2, 2, "two tiers"},
                                         Edge{504, "era-2-4-5-800-nvl72", 7, 7, "two tiers"},
                                         Edge{576, "dgx-superpod-gb300", 8, 1, "two tiers"},
                                         Edge{577, "dgx-superpod-gb300", 9, 2, "two tiers"},
                                         Edge{1152, "dgx-superpod-gb300", 16, 2, "two tiers"},
                                         Edge{9216, "dgx-superpod-gb300", 128, 16, "two tiers"},
                                         Edge{9217, "custom", 129, 0, ""}));

class DgxGb200Edges : public testing::TestWithParam<Edge> {};
TEST_P(DgxGb200Edges, ChooseTheBandsDesign) { expect_edge(chosen("gb200", "dgx", GetParam().gpus), GetParam()); }
INSTANTIATE_TEST_SUITE_P(Racks, DgxGb200Edges,
                         testing::Values(Edge{72, "dgx-superpod-gb200", 1, 1, "two tiers"},
                                         Edge{504, "dgx-superpod-gb200", 7, 1, "two tiers"},
                                         Edge{576, "dgx-superpod-gb200", 8, 1, "two tiers"},
                                         Edge{648, "dgx-superpod-gb200", 9, 2, "three tiers"},
                                         Edge{1152, "dgx-superpod-gb200", 16, 2, "three tiers"},
                                         Edge{9216, "dgx-superpod-gb200", 128, 16, "three tiers"},
                                         Edge{9288, "custom", 129, 0, ""}));

TEST(Bands, EditionsOfB300MoveTheBounds) {
  expect_edge(chosen("b300-sxm", "dgx", 576, "infiniband"), {576, "dgx-superpod-b300-xdr", 72, 1, "two tiers"});
  expect_edge(chosen("b300-sxm", "dgx", 577, "infiniband"), {577, "dgx-superpod-b300-xdr", 73, 2, "two tiers"});
  expect_edge(chosen("b300-sxm", "dgx", 10368, "infiniband"), {10368, "dgx-superpod-b300-xdr", 1296, 18, "two tiers"});
  expect_edge(chosen("b300-sxm", "dgx", 512, "spectrum-x"), {512, "dgx-superpod-b300-spectrum", 64, 1, "two tiers"});
  expect_edge(chosen("b300-sxm", "dgx", 8192, "spectrum-x"),
              {8192, "dgx-superpod-b300-spectrum", 1024, 16, "two tiers"});
  expect_edge(chosen("b300-sxm", "dgx", 8193, "spectrum-x"), {8193, "custom", 1025, 0, ""});
}

// Whatever the number of nodes, every owner of a system has a design for it.
TEST(Bands, HaveNoGaps) {
  std::set<std::tuple<std::string, std::string, std::string>> chains;
  for (const ArchitectureBand& band : selection_catalog().architecture_bands)
    for (const std::string& owner : band.ownership) chains.emplace(band.gpu_id, band.system_id, owner);
  EXPECT_GT(chains.size(), 20u);
  for (const auto& [gpu, system, owner] : chains)
    for (double nodes = 1; nodes < 2100; ++nodes) {
      bool taken = false;
      for (const ArchitectureBand& band : selection_catalog().architecture_bands)
        taken |= band.gpu_id == gpu && band.system_id == system && has(band.ownership, owner) && takes(band, nodes);
      EXPECT_TRUE(taken) << gpu << " " << system << " " << owner << " " << nodes;
    }
}

// Two rows with counts of their own never claim the same size of the same system and fabric, but for the named
// half-rate edition.
TEST(Bands, DoNotOverlap) {
  const auto& bands = selection_catalog().architecture_bands;
  const auto counted = [](const ArchitectureBand& band) {
    return band.fit != BandFit::open && band.fit != BandFit::reduced;
  };
  for (const ArchitectureBand& a : bands)
    for (const ArchitectureBand& b : bands) {
      if (&a == &b || !counted(a) || !counted(b) || a.gpu_id != b.gpu_id || a.system_id != b.system_id ||
          a.fabrics != b.fabrics)
        continue;
      EXPECT_TRUE(a.max_nodes.value_or(1e9) < b.min_nodes || b.max_nodes.value_or(1e9) < a.min_nodes)
          << a.id << " and " << b.id;
    }
}

TEST(Bands, ReaderNamesTheLineOfEveryProblem) {
  const std::string_view text =
      "family,ownership,gpus,systems,fabric,tenancy,min_nodes,max_nodes,architectures,compute_fabric,manager_nodes,max_"
      "scalable_units,fit,kind,why,source\n"
      "dgx,dgx,a; b,x,none,one-team,1,1,single-node,none,0,,published,derived,w,s\n"
      "dgx,dgx,a; b,x; y; z,none,one-team,1,1,single-node,none,0,,published,derived,w,s\n"
      "dgx,dgx,a,x,none,all,4,2,single-node,none,0,,good,derived,w,s\n";
  Catalog catalog;
  Errors errors;
  read_table("architecture_bands.csv", text, catalog, errors);
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_EQ(errors[0].path, "architecture_bands.csv:3");
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(errors[i].path, "architecture_bands.csv:4");
}

TEST(Bands, OneRowServesSeveralGpus) {
  const std::string_view text =
      "family,ownership,gpus,systems,fabric,tenancy,min_nodes,max_nodes,architectures,compute_fabric,manager_nodes,max_"
      "scalable_units,fit,kind,why,source\n"
      "dgx,dgx; oem,a; b,x; y,infiniband,one-team; several-teams,2,,p; q,two tiers,1,4,described,datasheet,w,s\n";
  Catalog catalog;
  Errors errors;
  read_table("architecture_bands.csv", text, catalog, errors);
  ASSERT_TRUE(errors.empty());
  const std::vector<ArchitectureBand>& bands = catalog.architecture_bands;
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_EQ(bands[1].gpu_id, "b");
  EXPECT_EQ(bands[1].system_id, "y");
  EXPECT_EQ(bands[1].architecture_id, "q");
  EXPECT_EQ(bands[1].ownership, (std::vector<std::string>{"dgx", "oem"}));
  EXPECT_FALSE(bands[1].max_nodes.has_value());
}

}  // namespace
}  // namespace podwright::bands_test
