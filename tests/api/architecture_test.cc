#include <gtest/gtest.h>

#include <set>

#include "support/ask.h"

namespace podwright::architecture_test {
namespace {

Reply design_of(const std::string& members) { return ask("{\"kind\":\"architecture\"," + members + "}"); }

/// Pointers that the trace explains.
std::set<std::string> explained(const JsonNode& answer) {
  std::set<std::string> pointers;
  for (const JsonNode& node : answer.find("trace")->items)
    if (const JsonNode* at = node.find("at"))
      for (const JsonNode& pointer : at->items) pointers.insert(pointer.text);
  return pointers;
}

TEST(ArchitectureAnswer, ShortfallsAreExplained) {
  const Reply asked = design_of(R"("gpu":"b200-sxm","gpu_count":64,"rack_power_kw":12,"explain":true)");
  ASSERT_EQ(asked.outcome, Outcome::infeasible);
  const std::set<std::string> pointers = explained(asked.answer);
  for (const std::string list : {"reasons", "rejected"}) {
    const std::vector<JsonNode>& items = asked.answer.find(list)->items;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (items[i].find("shortfall") != nullptr) {
        EXPECT_EQ(pointers.count("/" + list + "/" + std::to_string(i) + "/shortfall"), 1u) << list << " " << i;
      }
  }
  EXPECT_GE(pointers.size(), 2u);
}

// Also those of the list of rejected designs, where no design is left.
TEST(ArchitectureAnswer, WaysOutOfWhatCannotBeLead) {
  for (const std::string& members :
       {std::string(R"("gpu":"h20-96gb","gpu_count":96,"growth_gpu_count":64)"),
        std::string(R"("gpu":"h20-96gb","gpu_count":64,"ownership":"cloud")"),
        std::string(R"("gpu":"h100-sxm5-80gb","gpu_count":64,"ownership":"cloud")"),
        std::string(R"("gpu":"b200-sxm","gpu_count":64,"rack_power_kw":12)"),
        std::string(R"("gpu":"h100-sxm5-80gb","gpu_count":64,"ownership":"cloud","rack_power_kw":3)")}) {
    const std::string request = "{\"kind\":\"architecture\"," + members + "}";
    const Reply asked = ask(request);
    ASSERT_EQ(asked.outcome, Outcome::infeasible) << members;
    std::size_t ways = 0;
    for (const char* list : {"reasons", "rejected"})
      for (const JsonNode& entry : asked.answer.find(list)->items)
        for (const JsonNode& patch : entry.find("ways_out")->items) {
          ++ways;
          EXPECT_EQ(ask(json_text(merged(*parse_json(request), patch))).outcome, Outcome::answer)
              << members << " " << json_text(patch);
        }
    EXPECT_GE(ways, 2u) << members;
  }
}

TEST(ArchitectureAnswer, APairOfABasePodHasNoScalableUnits) {
  const Reply pair = design_of(R"("gpu":"h100-sxm5-80gb","gpu_count":64,"ownership":"dgx")");
  const JsonNode& design = pair.answer.find("designs")->items.front();
  ASSERT_EQ(design.find("architecture")->text, "dgx-basepod-ndr400");
  EXPECT_EQ(design.find("scalable_units"), nullptr);
  EXPECT_EQ(design.find("compute_fabric")->find("scalable_units"), nullptr);
  const Reply pod = design_of(R"("gpu":"h100-sxm5-80gb","gpu_count":1016,"ownership":"dgx")");
  EXPECT_EQ(number_at(pod.answer, "/designs/0/compute_fabric/scalable_units"), 4);
}

TEST(ArchitectureAnswer, AllNetworksOfTheLargestSuperPodAreCounted) {
  const Reply asked = design_of(R"("gpu":"h100-sxm5-80gb","gpu_count":16384,"ownership":"dgx","cable_schedule":true)");
  EXPECT_EQ(number_at(asked.answer, "/designs/0/storage_fabric/cores"), 60);
  EXPECT_EQ(number_at(asked.answer, "/designs/0/storage_fabric/spine_core_links"), 3840);
  const JsonNode& schedule = *asked.answer.find("designs")->items.front().find("cable_schedule");
  EXPECT_EQ(schedule.find("networks")->items.size(), 4u);
  EXPECT_EQ(schedule.find("not_wired"), nullptr);
}

// A replica of 16 GPUs is larger than a server of 8: the plan's design says so, and which racks would hold it.
TEST(PlanAnswer, TellsTheAdviceOnItsDesign) {
  const Reply asked =
      ask(R"({"kind":"plan","workloads":[{"type":"serving","model":"llama-3.1-405b","weight_precisions":["bf16"],
      "peak_requests_per_s":1,"input_tokens":1024,"output_tokens":256}],"constraints":{"gpus":["h100-sxm5-80gb"]}})");
  ASSERT_EQ(asked.outcome, Outcome::answer);
  for (const JsonNode& plan : asked.answer.find("plans")->items) {
    const JsonNode& design = *plan.find("architecture");
    bool replica = false;
    for (const JsonNode& rule : design.find("rules_fired")->items)
      replica |= rule.find("rule")->number == 2 && rule.find("text")->text.find("A replica of") == 0;
    EXPECT_TRUE(replica);
    ASSERT_NE(design.find("advice"), nullptr);
    EXPECT_EQ(design.find("advice")->items.front().text.find("A replica of 16 GPUs is larger than a DGX H100 of 8."),
              0u)
        << design.find("advice")->items.front().text;
  }
}

}  // namespace
}  // namespace podwright::architecture_test
