// The choice over the facts of the catalog: small servers, GPUs without a system, rented machines, and how it reads.
#include <gtest/gtest.h>

#include <algorithm>

#include "architecture/counted.h"
#include "architecture/selection.h"
#include "base/json_read.h"

namespace podwright::selection_facts_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

ArchitectureNeed need_of(double gpus, Ownership ownership = Ownership::any) {
  ArchitectureNeed need;
  need.gpu_count = gpus;
  need.ownership = ownership;
  return need;
}

ArchitectureChoice choose(std::string_view gpu, const ArchitectureNeed& need) {
  return choose_architecture(facts(), **find_gpu(facts(), gpu), need);
}

std::string rule_text(const ArchitectureDesign& design, int number) {
  for (const FiredRule& rule : design.rules_fired)
    if (rule.number == number) return rule.text;
  ADD_FAILURE() << "rule " << number << " did not fire";
  return "";
}

// Servers of 4 and of 8 GPUs stand equal as single nodes, and below the smallest unit of either document.
TEST(SelectionOfFacts, SmallNumbersOfPcieGpusTakeTheServersThatFit) {
  const auto first = [](double gpus) { return choose("h200-nvl-141gb", need_of(gpus)).designs.at(0); };
  for (const double gpus : {1.0, 4.0}) {
    EXPECT_EQ(first(gpus).parts.system->gpu_count, 4) << gpus;
    EXPECT_EQ(first(gpus).size.nodes, 1) << gpus;
  }
  for (const double gpus : {5.0, 8.0}) EXPECT_EQ(first(gpus).parts.system->gpu_count, 8) << gpus;
  EXPECT_EQ(first(12).size.gpus, 12);
  const ArchitectureDesign one = choose("l40s", need_of(1)).designs.at(0);
  EXPECT_EQ(one.parts.system->gpu_count, 4);
  EXPECT_NE(rule_text(one, 14).find("fewer GPUs to buy"), std::string::npos);
}

void every_way_leads_out(std::string_view gpu, const ArchitectureNeed& need, std::size_t least) {
  std::size_t ways = 0;
  for (const RejectedDesign& rejected : choose(gpu, need).rejected)
    for (const Patch& patch : rejected.ways_out) {
      ++ways;
      const JsonNode node = patch.merge_patch();
      const JsonNode* other = node.find("gpu");
      EXPECT_FALSE(choose(other == nullptr ? gpu : other->text, patched(need, patch)).designs.empty()) << patch.text();
    }
  EXPECT_GE(ways, least);
}

// Counts that cannot be, and machines that are rented, are not all that stands in the way of a GPU without a system.
TEST(SelectionOfFacts, AGpuWithoutASystemIsNamedBesideImpossibleCounts) {
  ArchitectureNeed shrinking = need_of(96);
  shrinking.growth_gpu_count = 64;
  const ArchitectureChoice choice = choose("h20-96gb", shrinking);
  ASSERT_EQ(choice.rejected.size(), 2u);
  EXPECT_EQ(choice.rejected[0].code, "growth-below-now");
  EXPECT_EQ(choice.rejected[1].code, "no-system");
  every_way_leads_out("h20-96gb", shrinking, 1);
  EXPECT_EQ(choose("h20-96gb", need_of(64, Ownership::cloud)).rejected.back().code, "no-system");
  every_way_leads_out("h20-96gb", need_of(64, Ownership::cloud), 1);
  every_way_leads_out("h20-96gb", need_of(64), 1);
  every_way_leads_out("h20-96gb", need_of(0), 1);
}

TEST(SelectionOfFacts, WaysOutOfRentedMachinesLead) {
  ArchitectureNeed need = need_of(64, Ownership::cloud);
  every_way_leads_out("h100-sxm5-80gb", need, 1);
  need.rack_power = kw(3);  // no system of this GPU stands there
  every_way_leads_out("h100-sxm5-80gb", need, 0);
  for (const RejectedDesign& rejected : choose("h100-sxm5-80gb", need).rejected)
    for (const Patch& patch : rejected.ways_out) EXPECT_NE(patch.text(), R"({"ownership":"any"})");
}

TEST(SelectionOfFacts, NumbersAndNamesReadWell) {
  const std::vector<Message> notes = choose("h100-sxm5-80gb", need_of(16384, Ownership::dgx)).designs.at(0).notes;
  EXPECT_TRUE(std::any_of(notes.begin(), notes.end(),
                          [](const Message& one) { return one.text().find("All 2,048 places") != std::string::npos; }));
  EXPECT_EQ(node_range_text(2049, std::nullopt), "2,049 nodes and more");
  EXPECT_EQ(with_article("HGX B300 OEM server"), "an HGX B300 OEM server");
  EXPECT_EQ(with_article("DGX H100"), "a DGX H100");
  EXPECT_EQ(counted(1, "GPU", "GPUs"), "1 GPU");
  EXPECT_EQ(grouped(10.2), "10.2");
  EXPECT_EQ(count_shortfalls(96, 1).at(0).message.text(), "The growth ends at 1 GPU, fewer than the present 96.");
  EXPECT_EQ(rule_text(choose("h100-sxm5-80gb", need_of(8)).designs.at(0), 5).find("1 node is a band of its own: "), 0u);
}

}  // namespace
}  // namespace podwright::selection_facts_test
