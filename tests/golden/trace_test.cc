#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/host_calibration.h"
#include "calibration/reference_profile.h"
#include "golden/golden.h"
#include "support/equation.h"

namespace podwright::trace_test {
namespace {

/// Numbers that no node explains: echoes of the request and of the chosen layout, positions, columns, and patches of
/// the request that a reason or a suggestion offers.
constexpr std::string_view kUnexplained[] = {"/gpu_count",
                                             "/plans/*/rank",
                                             "/plans/*/estimates/*/day/hours_of_day/*/hour",
                                             "/plans/*/architecture/rules_fired/**",
                                             "/assumptions/**",
                                             "/pareto/**",
                                             "/reasons/*/ways_out/**",
                                             "/faster/changes/*/set/**",
                                             "/rejected/*/ways_out/**",
                                             "/designs/*/rules_fired/**",
                                             "/designs/*/elevations/**"};

std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    steps.emplace_back(pointer.substr(begin, end - begin));
    begin = end + 1;
  }
  return steps;
}

/// `*` stands for one step, `**` at the end for all that follow.
bool matches(std::string_view pointer, std::string_view pattern) {
  const auto have = steps_of(pointer);
  const auto want = steps_of(pattern);
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] == "**") return have.size() > i;
    if (i >= have.size() || (want[i] != "*" && want[i] != have[i])) return false;
  }
  return have.size() == want.size();
}

bool is_unexplained(std::string_view pointer) {
  // A sentence repeats numbers, rounded for reading.
  if (pointer.find("/values/") != std::string_view::npos) return true;
  for (const std::string_view pattern : kUnexplained)
    if (matches(pointer, pattern)) return true;
  return false;
}

template <class Visit>
void walk_numbers(const JsonNode& node, const std::string& pointer, const Visit& visit) {
  if (node.is_number()) visit(pointer, node.number);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    walk_numbers(node.items[i], pointer + (node.is_object() ? pointer_step(node.keys[i]) : "/" + std::to_string(i)),
                 visit);
}

std::string text_of(const JsonNode& node, std::string_view key) {
  const JsonNode* value = node.find(key);
  return value == nullptr ? "" : value->text;
}

using Nodes = std::map<std::string, const JsonNode*>;

void check_equation(const JsonNode& node, const Nodes& nodes) {
  const std::string equation = text_of(node, "equation");
  const JsonNode* inputs = node.find("inputs");
  if (equation.empty()) {
    EXPECT_EQ(inputs, nullptr) << "inputs without an equation";
    return;
  }
  ASSERT_NE(inputs, nullptr);
  const JsonNode* names = node.find("names");
  std::map<std::string, double> values;
  double sum = 0;
  for (std::size_t i = 0; i < inputs->items.size(); ++i) {
    const auto input = nodes.find(inputs->items[i].text);
    ASSERT_NE(input, nodes.end()) << "no node " << inputs->items[i].text;
    const double value = input->second->find("value")->number;
    values[names->items[i].text] = value;
    sum += value;
  }
  const double said = node.find("value")->number;
  if (equation == "sum(parts)") {
    EXPECT_NEAR(said, sum, 1e-12 * std::fabs(sum));
    return;
  }
  const EquationValue again = evaluate(equation, values);
  EXPECT_EQ(again.error, "") << equation;
  if (!again.on_an_edge) {
    EXPECT_NEAR(said, again.value, 1e-12 * again.scale) << equation;
  }
}

/// Facts of the catalog name sources that it knows; every other leaf says where it comes from.
void check_source(const JsonNode& node, const std::set<std::string>& sources) {
  const std::string source = text_of(node, "source");
  EXPECT_FALSE(source.empty());
  const bool fact = text_of(node, "id").find(":catalog/") != std::string::npos && node.find("equation") == nullptr;
  if (!fact || source == "not stated by the item") return;
  for (std::size_t begin = 0; begin <= source.size();) {
    const std::size_t end = std::min(source.find("; ", begin), source.size());
    EXPECT_TRUE(sources.count(source.substr(begin, end - begin)) > 0) << source;
    begin = end + 2;
  }
}

class Explained : public testing::TestWithParam<std::string> {};

TEST_P(Explained, EveryNumberLeadsToItsEquationInputsAndSource) {
  const JsonNode answer = golden::parsed(golden::answer_to(golden::explained(golden::request(GetParam()))).text);
  if (answer.find("errors") != nullptr) return;
  const JsonNode* trace = answer.find("trace");
  ASSERT_NE(trace, nullptr);
  std::set<std::string> sources;
  for (const auto& source : embedded_catalog_facts().sources) sources.insert(source.id);
  if (const JsonNode* calibrations = answer.find("calibrations"))
    for (const JsonNode& one : calibrations->items) sources.insert(profile_source(one.find("profile_digest")->text));
  Nodes nodes;
  std::map<std::string, const JsonNode*> shown;
  for (const JsonNode& node : trace->items) {
    EXPECT_TRUE(nodes.emplace(text_of(node, "id"), &node).second) << "two nodes of one name";
    const JsonNode* at = node.find("at");
    if (at == nullptr) continue;
    for (const JsonNode& pointer : at->items)
      EXPECT_TRUE(shown.emplace(pointer.text, &node).second) << pointer.text << " twice";
  }
  for (const JsonNode& node : trace->items) {
    SCOPED_TRACE(text_of(node, "id"));
    check_equation(node, nodes);
    check_source(node, sources);
  }
  std::size_t explained = 0;
  for (std::size_t i = 0; i < answer.items.size(); ++i) {
    if (answer.keys[i] == "trace") continue;
    walk_numbers(answer.items[i], pointer_step(answer.keys[i]), [&](const std::string& pointer, double number) {
      const auto node = shown.find(pointer);
      if (node == shown.end()) {
        EXPECT_TRUE(is_unexplained(pointer)) << pointer << " has no node";
        return;
      }
      EXPECT_EQ(node->second->find("value")->number, number) << pointer;
      explained += 1;
    });
  }
  EXPECT_EQ(explained, shown.size()) << "a node points to a number that the answer does not have";
}

TEST_P(Explained, ExplainingChangesNoNumber) {
  const JsonNode request = golden::request(GetParam());
  const Answer with = golden::answer_to(golden::explained(request));
  const Answer without = golden::answer_to(golden::explained(request, false));
  EXPECT_EQ(json_text(merged(golden::parsed(with.text), golden::parsed(R"({"trace":null})"))),
            json_text(golden::parsed(without.text)));
  EXPECT_EQ(with.outcome, without.outcome);
  EXPECT_EQ(without.text.find("\"trace\""), std::string::npos);
}

std::vector<std::string> with_numbers(const std::vector<std::string>& all) {
  std::vector<std::string> paths;
  for (const std::string& path : all)
    if (golden::has_numbers(golden::request(path)) && golden::name_of(path).rfind("error_", 0) != 0)
      paths.push_back(path);
  return paths;
}

INSTANTIATE_TEST_SUITE_P(Requests, Explained, testing::ValuesIn(with_numbers(golden::request_paths())),
                         golden::test_name);
INSTANTIATE_TEST_SUITE_P(Examples, Explained, testing::ValuesIn(with_numbers(golden::example_paths())),
                         golden::test_name);

}  // namespace
}  // namespace podwright::trace_test
