/// Questions in the planner: the engine takes their requests, and shows the question's answer or what leads to it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "study/independent.h"
#include "study/make_question.h"
#include "study/template.h"
#include "support/ask.h"

namespace podwright::planner_test {
namespace {

using study_tests::Given;

constexpr std::uint64_t kSeeds = 40;
constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

Question question_of(const Template& of, std::uint64_t seed) {
  return make_question(embedded_catalog_facts(), of, seed);
}

/// A question with what the engine says of its case.
struct Shown {
  const Question& question;
  const JsonNode& request;
  const JsonNode& answer;

  double at(std::string_view pointer) const { return number_at(answer, pointer); }
  double asked(std::string_view pointer) const { return number_at(request, pointer); }
  double right() const { return question.number->value; }
  double given(const std::string& name) const { return Given(question)(name); }
  double step(std::string_view name) const {
    for (const SolutionStep& one : question.solution)
      if (one.name == name) return one.value;
    ADD_FAILURE() << name;
    return 0;
  }
};

/// Two numbers that must be the same: of the question, and of the engine's answer.
struct Same {
  double question = 0;
  double engine = 0;
};

using Compare = std::function<Same(const Shown&)>;

Same rule(const Shown& s) { return {s.right(), s.at("/rules/0/memory_gb")}; }
Same clock(const Shown& s) { return {s.given("peak.sm_count"), s.at("/item/sm_count")}; }
Same one_way(const Shown& s, const std::string& name) {
  return {s.given(name), s.at("/item/link/gb_per_s_one_way") * 1e9};
}
Same switches(const Shown& s) { return {s.right(), s.at("/fabric/leaf/total") + s.at("/fabric/spine/total")}; }
Same claim_bound(const Shown& s) { return {1 / s.step("step_time"), s.at("/bound/output_tokens_per_s")}; }
Same states(const Shown& s) {
  const std::string memory = "/memory_per_gpu/";
  const double gib = s.at(memory + "weights_gib") + s.at(memory + "gradients_gib") + s.at(memory + "optimizer_gib");
  return {s.right(), gib * kGiB / 1e9};
}
Same failures(const Shown& s) {
  return {s.step("between_failures") / 3600, s.at("/calendar/mean_time_between_failures_h")};
}

/// The right answer, brought to the unit of the place.
Compare right_at(const char* place, double unit = 1) {
  return [place, unit](const Shown& s) { return Same{s.right() * unit, s.at(place)}; };
}

/// The JSON place of each template's answer, or of the number that its question goes on from.
const std::map<std::string, Compare> kPlaces{
    // Memory.
    {"t.weights-memory", rule},
    {"t.weights-gib", right_at("/rules/0/memory_gb", kGiB / 1e9)},
    {"t.moe-memory", rule},
    {"t.training-states", right_at("/rules/1/memory_gb")},
    {"t.min-gpus",
     [](const Shown& s) {
       return Same{s.step("states") / 1e9, s.at("/rules/1/memory_gb")};
     }},
    {"t.zero-stage", states},
    {"t.kv-cache",
     [](const Shown& s) {
       return Same{s.right() * 1e9 / kGiB, s.at("/memory_per_gpu/kv_cache_gib") * s.asked("/gpu_count")};
     }},
    {"t.kv-of-tokens",
     [](const Shown& s) {
       return Same{s.right() * 1e3, s.at("/kv_cache/bytes_per_token") * s.given("kv_per_sequence.tokens")};
     }},
    {"t.kv-sequences",
     [](const Shown& s) {
       return Same{s.step("kv_per_sequence"), s.at("/kv_cache/bytes_per_token") * s.given("kv_per_sequence.tokens")};
     }},
    {"t.which-gpu-fits",
     [](const Shown& s) {
       return Same{s.step("kv_cache") / kGiB, s.at("/memory_per_gpu/kv_cache_gib")};
     }},
    // Rates.
    {"t.dense-or-sparse",
     [](const Shown& s) {
       const JsonNode& peaks = *s.answer.find("item")->find("peak_dense_tflops");
       double found = 0;
       for (const JsonNode& peak : peaks.items)
         if (peak.number * 1e12 == s.step("dense_peak")) found = peak.number * 1e12;
       return Same{s.step("dense_peak"), found};
     }},
    {"t.peak-from-sm", clock},
    {"t.ridge-point",
     [](const Shown& s) {
       return Same{s.given("ridge_point.memory_bandwidth"), s.at("/item/memory_bandwidth_gb_per_s") * 1e9};
     }},
    {"t.roofline-side",
     [](const Shown& s) {
       return Same{s.given("ridge_point.memory_bandwidth"), s.at("/item/memory_bandwidth_gb_per_s") * 1e9};
     }},
    {"t.batch-at-ridge",
     [](const Shown& s) {
       return Same{s.given("batch.peak_dense_bf16"), s.at("/item/peak_dense_tflops/bf16") * 1e12};
     }},
    {"t.memory-read-time",
     [](const Shown& s) {
       return Same{s.given("time.memory_bandwidth"), s.at("/item/memory_bandwidth_gb_per_s") * 1e9};
     }},
    {"t.token-bound", claim_bound},
    {"t.claim-possible", claim_bound},
    // Links.
    {"t.allreduce-time", [](const Shown& s) { return one_way(s, "time.one_way"); }},
    {"t.nvlink-duplex", [](const Shown& s) { return one_way(s, "both_ways.one_way"); }},
    {"t.nvlink-against-network", [](const Shown& s) { return one_way(s, "times.one_way"); }},
    {"t.node-injection",
     [](const Shown& s) {
       return Same{s.given("links.compute_nic_count"), s.at("/item/compute_nic_count")};
     }},
    // Fabrics.
    {"t.fat-tree-switches", switches},
    {"t.fat-tree-cables",
     [](const Shown& s) {
       return Same{s.right(), s.at("/fabric/node_leaf_links") + s.at("/fabric/leaf_spine_links")};
     }},
    {"t.fat-tree-limit", right_at("/fabric/max_nodes_two_tiers")},
    {"t.oversubscription", right_at("/fabric/oversubscription")},
    {"t.topology-bisection",
     [](const Shown& s) {
       return Same{s.right() / 1000, s.at("/fabric/bisection_tb_per_s")};
     }},
    {"t.topology-cables", right_at("/fabric/leaf_spine_links")},
    // Power, racks and heat.
    {"t.facility-power", right_at("/on_premises/facility_power_mean_kw")},
    {"t.energy-bill", right_at("/on_premises/energy_usd_per_year")},
    {"t.rack-nodes",
     [](const Shown& s) {
       return Same{s.step("by_power"), s.at("/designs/0/racks/nodes_per_rack/by_power")};
     }},
    {"t.rack-count",
     [](const Shown& s) {
       return Same{s.step("nodes_per_rack"), s.at("/designs/0/racks/nodes_per_rack/by_power")};
     }},
    {"t.heat-btu",
     [](const Shown& s) {
       return Same{s.right() * 1e3, s.at("/designs/0/power/cooling_of_systems/heat_btu_per_h")};
     }},
    {"t.feed-power", right_at("/designs/0/racks/feeds/feed_power_kw")},
    {"t.floor-load",
     [](const Shown& s) {
       return Same{s.given("devices_weight.weight_kg"), s.at("/item/weight_kg")};
     }},
    // Training.
    {"t.time-to-train", right_at("/realistic/days")},
    {"t.gpus-for-deadline", right_at("/realistic/gpu_count_for_claimed_days")},
    {"t.mfu-of-run", right_at("/mfu", 0.01)},
    // Cost.
    {"t.cloud-bill", right_at("/cloud/compute_usd_per_year")},
    {"t.break-even", right_at("/break_even/utilization", 0.01)},
    {"t.break-even-months", right_at("/break_even/months")},
    {"t.token-price", right_at("/cloud/usd_per_million_output_tokens")},
    {"t.electricity-share", right_at("/electricity_over_hardware", 0.01)},
    // Failures and storage.
    {"t.mtbf-of-job", failures},
    {"t.failures-in-run", failures},
    {"t.checkpoint-interval", right_at("/calendar/checkpoint_interval_s", 60)},
    {"t.lost-share",
     [](const Shown& s) {
       return Same{1 - s.right() / 100, s.at("/calendar/goodput")};
     }},
    {"t.checkpoint-size", right_at("/designs/0/storage/checkpoint/size_gb")},
    {"t.checkpoint-write", right_at("/calendar/checkpoint_write_s")},
    {"t.storage-bandwidth", right_at("/designs/0/storage/needed_read_gb_per_s")},
    {"t.storage-capacity", right_at("/designs/0/storage/capacity/total_tb")},
    // Slices and monitoring.
    {"t.mig-packing", right_at("/gpus_needed")},
    {"t.mig-bandwidth",
     [](const Shown& s) {
       for (const JsonNode& profile : s.answer.find("slices")->items.front().find("profiles")->items)
         if (s.question.prompt.find("profile " + profile.find("profile")->text + ",") != std::string::npos)
           return Same{s.step("share"), profile.find("bandwidth_share")->number};
       return Same{1, 0};
     }},
    {"t.smi-memory",
     [](const Shown& s) {
       const double mib = std::floor(s.at("/item/memory_driver_gib") * 1024);
       return Same{s.given("free.total") / 1048576, mib};
     }},
};

/// Empty where the engine answers the question's case with the number that the question has.
std::string problem_of(const Question& question) {
  const auto place = kPlaces.find(question.template_id);
  if (place == kPlaces.end()) return "no place is told";
  const Reply asked = ask(question.planner->request);
  // What is claimed to be impossible is found to be so.
  const bool possible = question.template_id != "t.claim-possible";
  if (asked.outcome != (possible ? Outcome::answer : Outcome::infeasible)) return json_text(asked.answer);
  const JsonNode request = *parse_json(question.planner->request);
  const Same same = place->second({question, request, asked.answer});
  if (std::fabs(same.question - same.engine) <= 1e-9 * std::fabs(same.question)) return "";
  return std::to_string(same.question) + " against " + std::to_string(same.engine) + ": " + question.prompt;
}

TEST(Planner, ShowsWhatTheQuestionIsAbout) {
  std::map<std::string, int> shown;
  for (const Template& one : question_templates())
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      const Question question = question_of(one, seed);
      if (!question.planner) continue;
      ++shown[question.template_id];
      const std::string problem = problem_of(question);
      EXPECT_EQ(problem, "") << question.id << question.planner->request;
      if (!problem.empty()) break;
    }
  for (const auto& [id, compare] : kPlaces) EXPECT_GT(shown[id], 0) << id;
}

TEST(Planner, TakesTheRequestFromTheQuestion) {
  const Reply asked = ask(R"({"kind":"question","template":"t.fat-tree-switches","seed":3})");
  const JsonNode& planner = *asked.answer.find("question")->find("planner");
  EXPECT_EQ(planner.find("screen")->text, "fabric");
  EXPECT_EQ(planner.find("request")->find("kind")->text, "fabric");
  EXPECT_GT(number_at(*planner.find("request"), "/switch_ports"), 0);
  const Reply without = ask(R"({"kind":"question","template":"t.fair-share","seed":3})");
  EXPECT_EQ(without.answer.find("question")->find("planner"), nullptr);
}

}  // namespace
}  // namespace podwright::planner_test
