/// The answers, computed a second time by other means.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "sizing/mig_packing.h"
#include "study/draft.h"
#include "study/independent.h"
#include "study/make_question.h"
#include "study/template.h"

namespace podwright::answers_test {
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
    "t.which-gpu-fits",     "t.precision-match",   "t.roofline-side",         "t.bandwidth-order",  "t.claim-possible",
    "t.link-order",         "t.fat-tree-switches", "t.fat-tree-cables",       "t.management-ports", "t.cooling-choice",
    "t.parallelism-choice", "t.tco-order",         "t.which-network-missing", "t.gang-schedule",    "t.telemetry-fault",
    "t.mig-packing",        "t.mig-legal"};

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
    const double need = g("weights.total_parameters") * g("weights.bits_per_weight") / 8 +
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
    const double expected = Given(question)("weights_FP32.total_parameters") * bits / 8 / 1e9;
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
    const bool memory = intensity < g("ridge_point.peak_dense_") / g("ridge_point.memory_bandwidth");
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
    const double bound = g("step_time.gpus") * g("step_time.memory_bandwidth") / (2 * g("weights.total_parameters"));
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
    const double all = g("rack_power.systems") * g("rack_power.power_max");
    const double air = g("systems_per_rack.air_limit");
    const std::string expected = all <= air                         ? "air as it is, in one rack"
                                 : g("rack_power.power_max") <= air ? "air as it is, spread over more racks"
                                                                    : "a liquid loop";
    EXPECT_EQ(right_of(question).text.substr(0, expected.size()), expected) << question.id;
  }
}

TEST(Answers, OfLayoutsFitStayInAServerAndUseAllGpus) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.parallelism-choice", seed);
    const Given g(question);
    const double gpus = 8 * std::stod(question.prompt);
    const double memory =
        std::stod(question.prompt.substr(question.prompt.rfind('(', question.prompt.find(" GB)")) + 1)) * 1e9;
    for (const QuestionOption& option : question.options) {
      const double tensor = std::stod(option.text.substr(7));
      const double pipeline = std::stod(option.text.substr(option.text.find("pipeline ") + 9));
      const double data = std::stod(option.text.substr(option.text.find("data ") + 5));
      const bool fits = 16 * g("states_that_fit.total_parameters") / (tensor * pipeline) <= memory;
      EXPECT_EQ(option.right, fits && tensor <= 8 && tensor * pipeline * data == gpus) << question.id << option.text;
    }
  }
}

TEST(Answers, OfOffersRiseInTheirPrice) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.tco-order", seed);
    const Given g(question);
    const std::map<std::string, double> prices{{"owned", g("owned.owned") / g("owned.busy")},
                                               {"demand", g("on_demand.listed")},
                                               {"spot", g("spot.spot") / (1 - g("spot.lost_share"))},
                                               {"reserved", g("reserved.reserved") / g("reserved.busy")}};
    double before = 0;
    for (const std::size_t index : question.answer)
      for (const auto& [word, price] : prices) {
        if (question.options[index].text.find(word) == std::string::npos) continue;
        EXPECT_GT(price, before) << question.id;
        before = price;
      }
  }
}

TEST(Answers, OfTheMissingNetworkIsNotInTheDesign) {
  const std::map<std::string, std::string> traces{{"the compute network", "InfiniBand"},
                                                  {"the storage network", "file system"},
                                                  {"the in-band management network", "logins"},
                                                  {"the out-of-band management network", "BMC"}};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Question question = question_of("t.which-network-missing", seed);
    for (const QuestionOption& option : question.options)
      EXPECT_EQ(question.drawing.find(traces.find(option.text)->second) == std::string::npos, option.right);
  }
}

TEST(Answers, OfGangsStartWholeOrWait) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Question question = question_of("t.gang-schedule", seed);
    double pods = 0;
    for (const SolutionStep& step : question.solution)
      if (step.name.rfind("pods_on_", 0) == 0) pods += step.value;
    const double workers = std::stod(question.prompt.substr(question.prompt.find(" of ") + 4));
    EXPECT_EQ(right_of(question).text.rfind("all", 0) == 0, pods >= workers) << question.id;
  }
}

TEST(Answers, OfMigPackingsAreThoseOfThePacker) {
  const Catalog& catalog = embedded_catalog_facts();
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Question question = question_of("t.mig-packing", seed);
    const double copies = std::stod(question.prompt);
    const double need = std::stod(question.prompt.substr(question.prompt.find("model of ") + 9));
    for (const Gpu& gpu : catalog.gpus) {
      if (question.prompt.find("slices of " + gpu.name + ",") == std::string::npos) continue;
      const MigProfile* holds = nullptr;
      for (const MigProfile* profile : mig_profiles_of(catalog.mig_profiles, gpu.id))
        if (holds == nullptr && gib(need) <= *profile->memory) holds = profile;
      ASSERT_NE(holds, nullptr);
      EXPECT_EQ(question.number->value, static_cast<double>(pack_mig({{{holds}, copies}}, 1000).gpus.size()))
          << question.id;
    }
  }
}

TEST(Answers, OfMigSetsHaveAPlaceForEveryInstance) {
  const Catalog& catalog = embedded_catalog_facts();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Question question = question_of("t.mig-legal", seed);
    for (const Gpu& gpu : catalog.gpus) {
      if (question.prompt.find("A " + gpu.name + " has") == std::string::npos) continue;
      for (const QuestionOption& option : question.options) {
        std::vector<const MigProfile*> asked;
        for (std::size_t at = 0; at < option.text.size();) {
          const std::size_t end = std::min(option.text.find(" + ", at), option.text.size());
          for (const MigProfile* profile : mig_profiles_of(catalog.mig_profiles, gpu.id))
            if (profile->name == option.text.substr(at, end - at)) asked.push_back(profile);
          at = end + 3;
        }
        // Every choice of starts is tried.
        std::vector<MigInstance> placed;
        const std::function<bool(std::size_t)> place = [&](std::size_t i) {
          if (i == asked.size()) return mig_legal(placed);
          for (const int start : asked[i]->starts) {
            placed.push_back({i, asked[i], start});
            const bool found = place(i + 1);
            placed.pop_back();
            if (found) return true;
          }
          return false;
        };
        EXPECT_EQ(place(0), option.right) << question.id << " " << option.text;
      }
    }
  }
}

/// The table of a node: column -> readings of GPU 0 to 7.
std::map<std::string, std::vector<double>> telemetry(const std::string& table) {
  std::map<std::string, std::vector<double>> columns;
  const char* const names[] = {"gpu", "utilisation", "sm_active", "temperature", "power", "clock", "lanes", "ecc"};
  for (std::size_t at = table.find('\n'); at != std::string::npos; at = table.find('\n', at + 1)) {
    std::size_t column = 0;
    for (std::size_t i = at + 1; i < table.size() && table[i] != '\n';) {
      if (table[i] < '0' || table[i] > '9') {
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end < table.size() && ((table[end] >= '0' && table[end] <= '9') || table[end] == ',')) ++end;
      std::string digits = table.substr(i, end - i);
      digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
      columns[names[column++ % 8]].push_back(std::stod(digits));
      i = end;
    }
  }
  return columns;
}

TEST(Answers, OfTelemetryNameWhatStandsOut) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Question question = question_of("t.telemetry-fault", seed);
    const std::string right = right_of(question).text;
    auto columns = telemetry(question.drawing);
    ASSERT_EQ(columns["ecc"].size(), 8U) << question.drawing;
    for (std::size_t i = 0; i < 8; ++i) {
      const bool named = right.rfind("GPU " + std::to_string(i), 0) == 0;
      EXPECT_EQ(columns["temperature"][i] > 80, named && right.find("heat") != std::string::npos) << question.id;
      EXPECT_EQ(columns["lanes"][i] < 16, named && right.find("lanes") != std::string::npos) << question.id;
      EXPECT_EQ(columns["ecc"][i] > 0, named && right.find("memory errors") != std::string::npos) << question.id;
      EXPECT_EQ(columns["sm_active"][i] < 50, right.find("small kernels") != std::string::npos) << question.id;
    }
  }
}

TEST(Answers, OfManagementPortsCountEveryDevice) {
  const Question question = question_of("t.management-ports", 9);
  double ports = 0;
  for (const SolutionInput& input : question.solution.front().inputs) ports += input.value;
  EXPECT_EQ(question.number->value, ports);
}

}  // namespace
}  // namespace podwright::answers_test
