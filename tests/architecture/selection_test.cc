#include "architecture/selection.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "architecture/test_catalog.h"
#include "support/patch_texts.h"

namespace podwright::selection_test {
namespace {

ArchitectureNeed need_of(double gpus) {
  ArchitectureNeed need;
  need.gpu_count = gpus;
  return need;
}

ArchitectureChoice choose(const char* gpu, const ArchitectureNeed& need, const char* form_factor = "SXM5") {
  return choose_architecture(selection_catalog(), gpu_named(gpu, form_factor), need);
}

bool fired(const ArchitectureDesign& design, int rule) {
  return std::any_of(design.rules_fired.begin(), design.rules_fired.end(),
                     [&](const FiredRule& r) { return r.number == rule; });
}

std::vector<std::string> ids(const ArchitectureChoice& choice) {
  std::vector<std::string> result;
  for (const ArchitectureDesign& design : choice.designs) result.push_back(design.architecture_id);
  return result;
}

TEST(Selection, AnyOwnershipPrefersAPublishedSize) {
  EXPECT_EQ(ids(choose("h100-sxm5-80gb", need_of(64))),
            (std::vector<std::string>{"dgx-basepod-ndr400", "era-2-8-9-400", "custom"}));
  EXPECT_EQ(ids(choose("h100-sxm5-80gb", need_of(128))),
            (std::vector<std::string>{"era-2-8-9-400", "dgx-superpod-h100", "dgx-basepod-ndr200"}));
  EXPECT_EQ(ids(choose("h100-sxm5-80gb", need_of(16))).front(), "dgx-basepod-ndr400");
}

TEST(Selection, PartlyFilledUnitIsNamedAsDeviation) {
  ArchitectureNeed need = need_of(96);
  need.ownership = Ownership::dgx;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  ASSERT_EQ(ids(choice), (std::vector<std::string>{"dgx-superpod-h100", "dgx-basepod-ndr200"}));
  EXPECT_EQ(choice.designs[0].deviations.size(), 1u);
  EXPECT_EQ(choice.designs[1].deviations.size(), 1u);
  EXPECT_EQ(choice.designs[0].parts.band->kind, "derived");
}

TEST(Selection, EveryRuleThatShapesTheDesignIsTold) {
  ArchitectureNeed need = need_of(96);
  need.growth_gpu_count = 248;
  need.ownership = Ownership::dgx;
  need.fabric = FabricFamily::infiniband;
  need.rack_power = kw(41);
  need.sovereignty = Sovereignty::air_gapped;
  const ArchitectureDesign design = choose("h100-sxm5-80gb", need).designs.front();
  for (const int rule : {3, 4, 5, 11, 12}) EXPECT_TRUE(fired(design, rule)) << rule;
  EXPECT_FALSE(fired(design, 2));
  EXPECT_FALSE(fired(design, 6));  // both sizes are one scalable unit of the same design
  for (const FiredRule& rule : design.rules_fired) EXPECT_FALSE(rule.source.empty()) << rule.number;
}

TEST(Selection, TheHorizonChoosesAndTodayFills) {
  ArchitectureNeed need = need_of(64);
  need.growth_gpu_count = 504;
  need.ownership = Ownership::dgx;
  const ArchitectureDesign design = choose("h100-sxm5-80gb", need).designs.front();
  EXPECT_EQ(design.architecture_id, "dgx-superpod-h100");
  EXPECT_EQ(design.size.nodes, 8);
  EXPECT_EQ(design.size.gpus, 64);
  EXPECT_EQ(design.size.horizon_nodes, 63);
  EXPECT_EQ(design.size.scalable_units, 2);
  ASSERT_TRUE(fired(design, 6));
  const auto growth = std::find_if(design.rules_fired.begin(), design.rules_fired.end(),
                                   [](const FiredRule& r) { return r.number == 6; });
  EXPECT_NE(growth->text.find("DGX BasePOD, current edition"), std::string::npos);
  EXPECT_NE(growth->text.find("leaves"), std::string::npos);
}

TEST(Selection, GrowthIntoAThirdTierWarnsOfRecabling) {
  ArchitectureNeed need = need_of(2048);
  need.growth_gpu_count = 4096;
  need.ownership = Ownership::dgx;
  const ArchitectureDesign design = choose("h100-sxm5-80gb", need).designs.front();
  const auto growth = std::find_if(design.rules_fired.begin(), design.rules_fired.end(),
                                   [](const FiredRule& r) { return r.number == 6; });
  ASSERT_NE(growth, design.rules_fired.end());
  EXPECT_NE(growth->text.find("re-cabling"), std::string::npos);
}

TEST(Selection, FullShellLeavesNoPortForTheFabricManager) {
  ArchitectureNeed need = need_of(2048);
  need.ownership = Ownership::dgx;
  const ArchitectureDesign full = choose("h100-sxm5-80gb", need).designs.front();
  EXPECT_TRUE(full.deviations.empty());
  ASSERT_EQ(full.notes.size(), 1u);
  EXPECT_NE(full.notes[0].text().find("256 places"), std::string::npos);
  need.gpu_count = 2040;
  const ArchitectureDesign one_fewer = choose("h100-sxm5-80gb", need).designs.front();
  EXPECT_TRUE(one_fewer.deviations.empty());
  ASSERT_EQ(one_fewer.notes.size(), 1u);
  EXPECT_NE(one_fewer.notes[0].text().find("255 systems, not 256"), std::string::npos);
}

TEST(Selection, RackBelowOneSystemIsRejectedWithTheShortfall) {
  ArchitectureNeed need = need_of(64);
  need.ownership = Ownership::dgx;
  need.rack_power = kw(10);
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  EXPECT_TRUE(choice.designs.empty());
  const auto rack = std::find_if(choice.rejected.begin(), choice.rejected.end(),
                                 [](const RejectedDesign& r) { return r.code == "rack-power"; });
  ASSERT_NE(rack, choice.rejected.end());
  EXPECT_EQ(rack->architecture_id, "dgx-basepod-ndr400");
  EXPECT_NEAR(rack->shortfall, 0.2, 1e-9);
  EXPECT_EQ(rack->unit, "kW");
  EXPECT_EQ(texts_of(rack->ways_out), (std::vector<std::string>{"{\"rack_power_kw\":10.2}"}));
}

TEST(Selection, LiquidSystemWithoutALoopIsRejected) {
  ArchitectureNeed need = need_of(576);
  need.liquid_cooling = false;
  const ArchitectureChoice choice = choose("gb300", need, "Superchip");
  EXPECT_TRUE(choice.designs.empty());
  ASSERT_FALSE(choice.rejected.empty());
  EXPECT_EQ(choice.rejected[0].code, "liquid-cooling");
  EXPECT_EQ(texts_of(choice.rejected[0].ways_out), (std::vector<std::string>{"{\"liquid_cooling\":true}"}));
  need.gpu_count = 64;
  EXPECT_EQ(choose("b300-sxm", need).designs.front().architecture_id, "era-2-8-9-800");  // air-cooled variants exist
}

TEST(Selection, FabricOutsideTheDocumentsIsACustomDesign) {
  ArchitectureNeed need = need_of(64);
  need.fabric = FabricFamily::roce;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  ASSERT_EQ(ids(choice), (std::vector<std::string>{"custom"}));
  ASSERT_FALSE(choice.designs[0].deviations.empty());
  EXPECT_NE(choice.designs[0].deviations[0].text().find("Not an NVIDIA reference architecture"), std::string::npos);
  EXPECT_FALSE(choice.designs[0].size.scalable_units.has_value());
  need.ownership = Ownership::dgx;
  const ArchitectureChoice dgx = choose("h100-sxm5-80gb", need);
  EXPECT_TRUE(dgx.designs.empty());
  EXPECT_EQ(dgx.rejected.front().code, "fabric");
  EXPECT_EQ(texts_of(dgx.rejected.front().ways_out), (std::vector<std::string>{"{\"fabric\":\"infiniband\"}"}));
}

TEST(Selection, OneNodeServesAnyFabric) {
  for (const std::string_view word : kFabricFamilyWords) {
    ArchitectureNeed need = need_of(8);
    need.fabric = *of_word<FabricFamily>(word, kFabricFamilyWords);
    EXPECT_EQ(ids(choose("h100-sxm5-80gb", need)).front(), "single-node") << word;
  }
}

TEST(Selection, ReplicasInsideOneNodePreferSmallFabrics) {
  ArchitectureNeed need = need_of(64);
  need.workload = "inference-one-node";
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  EXPECT_EQ(choice.designs.front().architecture_id, "era-2-8-9-400");
  EXPECT_TRUE(fired(choice.designs.front(), 2));
}

TEST(Selection, ServicesOfTheMakerComeFirstAmongEquals) {
  ArchitectureNeed need = need_of(64);
  need.services = Services::partner;
  EXPECT_EQ(ids(choose("h100-sxm5-80gb", need)).front(), "era-2-8-9-400");
  need.services = Services::nvidia;
  EXPECT_EQ(ids(choose("h100-sxm5-80gb", need)).front(), "dgx-basepod-ndr400");
}

TEST(Selection, PowerOfAnOemServerIsThatOfTheDgxWithTheSameGpusAndSaysSo) {
  ArchitectureNeed need = need_of(64);
  need.ownership = Ownership::oem;
  const ArchitectureDesign design = choose("b200-sxm", need).designs.front();
  EXPECT_EQ(design.parts.power_system->id, "dgx-b200");
  EXPECT_TRUE(std::any_of(design.notes.begin(), design.notes.end(),
                          [](const Message& n) { return n.text().find("that of DGX B200") != std::string::npos; }));
}

TEST(Selection, TypicalPowerIsNamedWhereNoMaximumIsKnown) {
  ArchitectureNeed need = need_of(576);
  need.ownership = Ownership::dgx;
  const ArchitectureDesign design = choose("b300-sxm", need).designs.front();
  EXPECT_NEAR(planned_power(*design.parts.power_system)->value / kw(1), 14.5, 1e-9);
  EXPECT_TRUE(std::any_of(design.notes.begin(), design.notes.end(),
                          [](const Message& n) { return n.text().find("typical figure") != std::string::npos; }));
}

TEST(Selection, PcieServersFollowTheirPatterns) {
  ArchitectureNeed need = need_of(64);
  need.ownership = Ownership::pcie;
  const ArchitectureChoice choice = choose("l40s", need, "PCIe");
  ASSERT_EQ(ids(choice), (std::vector<std::string>{"era-2-8-5-200", "era-2-4-3-200", "custom"}));
  EXPECT_EQ(choice.designs[0].size.nodes, 8);
  EXPECT_EQ(choice.designs[0].size.scalable_units, 2);
  EXPECT_EQ(choice.designs[1].size.nodes, 16);
  EXPECT_EQ(choice.designs[1].size.scalable_units, 4);
  EXPECT_EQ(choice.designs[0].parts.power_system, nullptr);  // no power figure is stored
}

TEST(Selection, GpuWithoutASystemIsNamed) {
  const ArchitectureChoice many = choose("rtx-4090", need_of(16), "PCIe");
  EXPECT_TRUE(many.designs.empty());
  ASSERT_EQ(many.rejected.size(), 1u);
  EXPECT_EQ(many.rejected[0].code, "no-system");
  const ArchitectureChoice one = choose("rtx-4090", need_of(1), "PCIe");
  ASSERT_EQ(ids(one), (std::vector<std::string>{"single-node"}));
  EXPECT_EQ(choose("h20-96gb", need_of(1)).rejected[0].code, "no-system");
}

TEST(Selection, CloudHasNoDesignToBuild) {
  ArchitectureNeed need = need_of(64);
  need.ownership = Ownership::cloud;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  EXPECT_TRUE(choice.designs.empty());
  EXPECT_EQ(choice.rejected.at(0).code, "ownership");
}

TEST(Selection, UnreadDocumentIsADeviation) {
  ArchitectureNeed need = need_of(248);
  need.ownership = Ownership::dgx;
  EXPECT_TRUE(choose("h100-sxm5-80gb", need).designs[0].deviations.empty());
  EXPECT_EQ(choose("h200-sxm5-141gb", need).designs[0].deviations.size(), 1u);
}

TEST(Selection, ZeroGpusAndShrinkingAreRefusedWithTheShortfall) {
  const ArchitectureChoice none = choose("h100-sxm5-80gb", need_of(0));
  EXPECT_TRUE(none.designs.empty());
  ASSERT_EQ(none.rejected.size(), 1u);
  EXPECT_EQ(none.rejected[0].code, "gpu-count");
  EXPECT_EQ(none.rejected[0].shortfall, 1);
  EXPECT_EQ(texts_of(none.rejected[0].ways_out), (std::vector<std::string>{"{\"gpu_count\":1}"}));
  ArchitectureNeed shrinking = need_of(96);
  shrinking.growth_gpu_count = 64;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", shrinking);
  EXPECT_TRUE(choice.designs.empty());
  ASSERT_EQ(choice.rejected.size(), 1u);
  EXPECT_EQ(choice.rejected[0].code, "growth-below-now");
  EXPECT_EQ(choice.rejected[0].shortfall, 32);
  for (const Patch& patch : choice.rejected[0].ways_out)
    EXPECT_FALSE(choose("h100-sxm5-80gb", patched(shrinking, patch)).designs.empty()) << patch.text();
}

TEST(Selection, SizesOfOtherDesignsAreToldWithTheirBounds) {
  ArchitectureNeed need = need_of(256);
  need.ownership = Ownership::dgx;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  const auto pod = std::find_if(choice.rejected.begin(), choice.rejected.end(), [](const RejectedDesign& rejected) {
    return rejected.architecture_id == "dgx-basepod-ndr400";
  });
  ASSERT_NE(pod, choice.rejected.end());
  EXPECT_EQ(pod->code, "size");
  EXPECT_EQ(pod->message.text(), "DGX BasePOD, current edition holds 2 to 8 nodes of DGX H100, and 32 are needed.");
  EXPECT_EQ(pod->shortfall, 24);
  EXPECT_EQ(pod->unit, "nodes");
  EXPECT_EQ(texts_of(pod->ways_out), (std::vector<std::string>{"{\"gpu_count\":64}"}));
  const auto custom = std::find_if(choice.rejected.begin(), choice.rejected.end(), [](const RejectedDesign& rejected) {
    return rejected.architecture_id == "custom" && rejected.system_id == "dgx-h100";
  });
  ASSERT_NE(custom, choice.rejected.end());
  EXPECT_EQ(texts_of(custom->ways_out), (std::vector<std::string>{"{\"growth_gpu_count\":16385}"}));
}

TEST(Selection, SeveralTenantsGetTheCloudPartnerDesign) {
  ArchitectureNeed need = need_of(256);
  need.tenancy = Tenancy::several_tenants;
  const ArchitectureChoice choice = choose("h100-sxm5-80gb", need);
  ASSERT_FALSE(choice.designs.empty());
  EXPECT_EQ(choice.designs.front().architecture_id, "ncp-dsx");
  EXPECT_TRUE(fired(choice.designs.front(), 3));
  const auto pod = std::find_if(choice.rejected.begin(), choice.rejected.end(), [](const RejectedDesign& rejected) {
    return rejected.architecture_id == "dgx-superpod-h100";
  });
  ASSERT_NE(pod, choice.rejected.end());
  EXPECT_EQ(pod->code, "tenancy");
  EXPECT_EQ(texts_of(pod->ways_out), (std::vector<std::string>{"{\"tenancy\":\"several-teams\"}"}));
  need.ownership = Ownership::cloud;  // the partner's own machines
  EXPECT_EQ(choose("h100-sxm5-80gb", need).designs.front().architecture_id, "ncp-dsx");
  need.ownership = Ownership::any;
  need.tenancy = Tenancy::several_teams;
  EXPECT_EQ(choose("h100-sxm5-80gb", need).designs.front().architecture_id, "dgx-superpod-h100");
}

TEST(Selection, SeveralBrokenConditionsAreToldAndSolvedTogether) {
  ArchitectureNeed need = need_of(576);
  need.liquid_cooling = false;
  need.rack_power = kw(40);
  const ArchitectureChoice choice = choose("gb300", need, "Superchip");
  EXPECT_TRUE(choice.designs.empty());
  const RejectedDesign& first = choice.rejected.front();
  EXPECT_EQ(first.code, "liquid-cooling");
  ASSERT_EQ(first.further.size(), 1u);
  EXPECT_EQ(first.further[0].code, "rack-power");
  EXPECT_EQ(first.further[0].shortfall, 102);
  EXPECT_EQ(first.ways_out.front().text(), "{\"liquid_cooling\":true,\"rack_power_kw\":142}");
  EXPECT_FALSE(choose("gb300", patched(need, first.ways_out.front()), "Superchip").designs.empty());
  ASSERT_EQ(choice.fallbacks.size(), 4u);
  EXPECT_NE(choice.fallbacks[0].text.find("Fewer nodes"), std::string::npos);
  EXPECT_NE(choice.fallbacks[1].text.find("previous generation"), std::string::npos);
  EXPECT_NE(choice.fallbacks[2].text.find("outside NVIDIA's reference"), std::string::npos);
  EXPECT_NE(choice.fallbacks[3].text.find("cloud"), std::string::npos);
}

TEST(Selection, LargeReplicasPreferRacksThatJoinMoreGpus) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto chosen = [&](const ArchitectureNeed& need) {
    return choose_architecture(catalog, **find_gpu(catalog, "b200-sxm"), need);
  };
  ArchitectureNeed need = need_of(144);
  need.workload = "inference";
  need.replica_gpus = 32;
  const ArchitectureChoice choice = chosen(need);
  ASSERT_EQ(choice.advice.size(), 1u);
  EXPECT_EQ(choice.advice[0].ways_out.size(), 3u);  // GB200, GB300, Rubin
  EXPECT_NE(choice.advice[0].text.find("preferred"), std::string::npos);
  EXPECT_TRUE(fired(choice.designs.front(), 2));
  need.liquid_cooling = false;
  const ArchitectureChoice dry = chosen(need);
  ASSERT_EQ(dry.advice.size(), 1u);
  EXPECT_TRUE(dry.advice[0].ways_out.empty());
  EXPECT_NE(dry.advice[0].text.find("needs a liquid loop"), std::string::npos);
  need.replica_gpus = 8;
  EXPECT_TRUE(chosen(need).advice.empty());
  need.gpu_count = 64;  // replicas inside one node need no fabric, so the collapsed pair comes first
  EXPECT_EQ(chosen(need).designs.front().architecture_id, "era-2-8-9-400");
}

TEST(Selection, HeightAndWeightOfTheRackAreLookedAt) {
  const Catalog& catalog = embedded_catalog_facts();
  ArchitectureNeed need = need_of(64);
  need.rack_units = 9;
  need.rack_load_kg = 140;
  const ArchitectureChoice b200 = choose_architecture(catalog, **find_gpu(catalog, "b200-sxm"), need);
  EXPECT_TRUE(b200.designs.empty());
  EXPECT_EQ(b200.rejected.front().code, "rack-height");
  ASSERT_EQ(b200.rejected.front().further.size(), 1u);
  EXPECT_EQ(b200.rejected.front().further[0].code, "rack-weight");
  EXPECT_FALSE(choose_architecture(catalog, **find_gpu(catalog, "h100-sxm5-80gb"), need).designs.empty());
  need = need_of(64);
  need.site_power = kw(50);
  const ArchitectureChoice h100 = choose_architecture(catalog, **find_gpu(catalog, "h100-sxm5-80gb"), need);
  EXPECT_TRUE(h100.designs.empty());
  EXPECT_EQ(h100.rejected.front().code, "site-power");
  EXPECT_NEAR(h100.rejected.front().shortfall, 31.6, 1e-9);
  EXPECT_EQ(h100.rejected.front().ways_out[0].text(), "{\"site_power_kw\":81.6}");
  EXPECT_EQ(h100.rejected.front().ways_out[1].text(), "{\"gpu_count\":32}");
}

TEST(Selection, EndorsedSizesAreNamedAndOthersAreADeviation) {
  const Catalog& catalog = embedded_catalog_facts();
  ArchitectureNeed need = need_of(96);
  need.ownership = Ownership::oem;
  const auto design = [&] {
    return choose_architecture(catalog, **find_gpu(catalog, "h200-sxm5-141gb"), need).designs.front();
  };
  const auto mentions = [](const std::vector<Message>& texts, const char* part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const Message& text) { return text.text().find(part) != std::string::npos; });
  };
  EXPECT_TRUE(mentions(design().notes, "12 nodes are among the endorsed sizes of Cisco, Dell, Lenovo, Supermicro"));
  need.gpu_count = 64 * 8;
  EXPECT_TRUE(mentions(design().notes, "endorsed sizes of Cisco."));
  need.gpu_count = 16;
  EXPECT_FALSE(mentions(design().notes, "endorsed sizes"));
  const ArchitectureChoice b300 = [&] {
    need.gpu_count = 96;
    return choose_architecture(catalog, **find_gpu(catalog, "b300-sxm"), need);
  }();
  EXPECT_TRUE(mentions(b300.designs.front().deviations, "not in any maker's list"));
}

TEST(Selection, UnsureFieldsOfADesignAreNamed) {
  const Catalog& catalog = embedded_catalog_facts();
  ArchitectureNeed need = need_of(320);
  need.ownership = Ownership::dgx;
  const ArchitectureDesign design =
      choose_architecture(catalog, **find_gpu(catalog, "a100-sxm4-80gb"), need).designs.front();
  EXPECT_TRUE(std::any_of(design.notes.begin(), design.notes.end(), [](const Message& note) {
    return note.text().find("Not certain about") != std::string::npos;
  }));
}

// More GPUs never need fewer nodes, and the shell always holds the nodes.
TEST(Selection, EverySizeHasADesignThatHoldsIt) {
  for (const char* gpu :
       {"h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm", "b300-sxm", "a100-sxm4-80gb", "gb200", "gb300"})
    for (double gpus = 1; gpus < 30000; gpus = gpus * 1.09 + 1) {
      const double whole = static_cast<double>(static_cast<long>(gpus));
      const ArchitectureChoice choice = choose(gpu, need_of(whole));
      ASSERT_FALSE(choice.designs.empty()) << gpu << " " << whole;
      EXPECT_LE(choice.designs.size(), 3u);
      for (const ArchitectureDesign& design : choice.designs) {
        EXPECT_GE(*design.size.gpus, whole);
        EXPECT_LT(*design.size.gpus - whole, design.parts.system->gpu_count);
        if (!design.size.scalable_units) continue;
        const double shell = *design.size.scalable_units * *design.parts.architecture->gpus_per_scalable_unit /
                             design.parts.system->gpu_count;
        EXPECT_LE(*design.size.nodes, shell) << gpu << " " << whole;
      }
    }
}

TEST(DesignSize, LeavesAnExplanationOfEveryNumber) {
  ArchitectureNeed need = need_of(96);
  need.growth_gpu_count = 248;
  need.rack_power = kw(40);
  need.ownership = Ownership::dgx;
  const ArchitectureDesign design = choose("h100-sxm5-80gb", need).designs.front();
  Trace trace;
  const SiteNumbers<Trace> site{.gpu_count = trace.input("/gpu_count", need.gpu_count),
                                .growth_gpu_count = trace.input("/growth_gpu_count", *need.growth_gpu_count),
                                .rack_power = trace.input("/rack_power_kw", *need.rack_power)};
  const DesignSize<Trace> size = design_size(trace, design.parts, site);
  EXPECT_EQ(size.nodes->value, *design.size.nodes);
  EXPECT_EQ(size.scalable_units->value, *design.size.scalable_units);
  const TraceNode& nodes = trace.nodes()[static_cast<std::size_t>(size.nodes->node)];
  EXPECT_EQ(nodes.equation, "ceil(request_gpu_count / dgx_h100_gpu_count)");
}

}  // namespace
}  // namespace podwright::selection_test
