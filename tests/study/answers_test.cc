/// The answers, computed a second time by other means.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <set>
#include <string>

#include "study/draft.h"
#include "study/independent.h"
#include "study/make_question.h"

namespace podwright {
namespace {

using study_tests::Given;
using study_tests::independent_answers;

Question question_of(std::string_view id, std::uint64_t seed) {
  return make_question(embedded_catalog_facts(), *find_template(id), seed);
}

const QuestionOption& right_of(const Question& question) { return question.options[question.answer.front()]; }

TEST(Answers, OfNumbersAreThoseOfOtherArithmetic) {
  for (const auto& [id, independent] : independent_answers()) {
    ASSERT_NE(find_template(id), nullptr) << id;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      const Question question = question_of(id, seed);
      ASSERT_TRUE(question.number.has_value()) << question.id;
      const double expected = independent(Given(question));
      ASSERT_NEAR(question.number->value, expected, 1e-9 * std::fabs(expected)) << question.id << question.prompt;
    }
  }
}

/// Checked below or in tests/api/question_test.cc instead.
const std::set<std::string_view> kOtherwise{
    "t.which-gpu-fits", "t.precision-match",   "t.roofline-side",   "t.bandwidth-order",  "t.claim-possible",
    "t.link-order",     "t.fat-tree-switches", "t.fat-tree-cables", "t.management-ports", "t.cooling-choice"};

TEST(Answers, OfAllTemplatesAreChecked) {
  for (const Template& of : question_templates()) {
    const bool here = independent_answers().count(std::string(of.id)) == 1;
    EXPECT_NE(here, kOtherwise.count(of.id) == 1) << of.id;
  }
}

TEST(Answers, OfWhichGpuFitsIsTheSmallestThatHoldsWeightsAndCache) {
  const auto memory = [](const QuestionOption& option) {
    return std::stod(option.text.substr(option.text.find(", ") + 2)) * 1e9;
  };
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Question question = question_of("t.which-gpu-fits", seed);
    const Given g(question);
    const double need = g("weights.parameters") * g("weights.bits_per_weight") / 8 +
                        g("kv_cache.sequences") * g("kv_per_sequence.layers") * g("kv_per_sequence.tokens") * 4 *
                            g("kv_bytes_per_layer.kv_heads") * g("kv_bytes_per_layer.head_dim");
    const double right = memory(right_of(question));
    EXPECT_GE(right, need) << question.id;
    for (const QuestionOption& option : question.options) {
      if (memory(option) < right) {
        EXPECT_LT(memory(option), need) << question.id;
      }
    }
  }
}

TEST(Answers, OfPrecisionsDoubleWithTheirBytes) {
  const Question question = question_of("t.precision-match", 5);
  for (std::size_t i = 0; i < question.lefts.size(); ++i) {
    const std::string& left = question.lefts[i];
    const double bits = left == "FP32" ? 32 : left == "BF16" ? 16 : left == "FP8" ? 8 : 4;
    const double expected = Given(question)("weights_FP32.parameters") * bits / 8 / 1e9;
    EXPECT_NEAR(std::stod(question.options[question.answer[i]].text), expected, 0.005 * expected) << left;
  }
}

TEST(Answers, OfTheRooflineNameTheSideOfTheRidge) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.roofline-side", seed);
    const Given g(question);
    const double m = g("work.m");
    const double n = g("work.n");
    const double intensity = 2 * m * n * n / (2 * (m * n + n * n + m * n));
    const bool memory = intensity < g("ridge_point.peak") / g("ridge_point.bandwidth");
    EXPECT_EQ(right_of(question).text, memory ? "left of the ridge: memory bandwidth limits it"
                                              : "right of the ridge: the tensor cores limit it");
  }
}

TEST(Answers, OfOrdersRise) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.bandwidth-order", seed);
    double before = 0;
    for (const std::size_t index : question.answer) {
      for (const Gpu& gpu : embedded_catalog_facts().gpus) {
        if (gpu.name != question.options[index].text) continue;
        EXPECT_GT(raw(*gpu.memory_bandwidth), before) << question.id;
        before = raw(*gpu.memory_bandwidth);
      }
    }
  }
  const Question links = question_of("t.link-order", 3);
  EXPECT_EQ(links.options.size(), 4U);
}

TEST(Answers, OfClaimsNameTheOneAboveTheBound) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.claim-possible", seed);
    const Given g(question);
    const double bound = g("step_time.gpus") * g("step_time.bandwidth") / (2 * g("weights.parameters"));
    for (const QuestionOption& option : question.options) {
      std::string digits = option.text;
      digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
      EXPECT_EQ(std::stod(digits) > bound, option.right) << question.id << option.text;
    }
  }
}

TEST(Answers, OfCoolingTakeTheLeastThatSuffices) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.cooling-choice", seed);
    const Given g(question);
    const double all = g("rack_power.nodes") * g("rack_power.node_power");
    const double air = g("systems_per_rack.rack_power");
    const std::string expected = all <= air                          ? "air as it is, in one rack"
                                 : g("rack_power.node_power") <= air ? "air as it is, spread over more racks"
                                                                     : "a liquid loop";
    EXPECT_EQ(right_of(question).text.substr(0, expected.size()), expected) << question.id;
  }
}

TEST(Answers, OfManagementPortsCountEveryDevice) {
  const Question question = question_of("t.management-ports", 9);
  double ports = 0;
  for (const SolutionInput& input : question.solution.front().inputs) ports += input.value;
  EXPECT_EQ(question.number->value, ports);
}

}  // namespace
}  // namespace podwright
