#include <gtest/gtest.h>

#include <sstream>

#include "api/answer.h"
#include "cli/print_answer.h"
#include "support/test_data.h"

namespace podwright::cli::plan_text_test {
namespace {

const std::string kChat =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-8b","peak_requests_per_s":400,
        "mean_requests_per_s":150,"input_tokens":1500,"output_tokens":400}],
        "constraints":{"gpus":["h100-sxm5-80gb"]},"economics":{"demand_growth_per_year":0.5},
        "options":{"draws":1000,"top":1}})";

std::string text_of(const std::string& request) {
  const auto answer = parse_json(answer_request(embedded_catalog_facts(), request).text);
  EXPECT_TRUE(answer);
  return answer ? plan_text(*answer) : "";
}

TEST(PlanText, HasABlockForEveryWayOfPaying) {
  const std::string text = text_of(kChat);
  for (const char* title : {"\nOwning\n", "\nRenting on demand\n", "\nBreak-even of owning\n", "\nHow certain\n",
                            "\nBuying as demand grows\n", "\nCarbon of owning\n", "\nFailures of owned machines\n",
                            "\nIn none of these sums\n"})
    EXPECT_NE(text.find(title), std::string::npos) << title << text;
  EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("usd per"), std::string::npos) << text;
}

TEST(PlanText, CountsKeepTheirDigits) {
  JsonNode answer = *parse_json(
      R"({"plans":[{"rank":1,"summary":"","gpu":"h100","gpu_count":16400,"architecture":{"nodes":2050}}]})");
  const std::string text = plan_text(answer);
  EXPECT_NE(text.find("16,400 x h100"), std::string::npos) << text;
  EXPECT_NE(text.find("2,050"), std::string::npos) << text;
}

/// Requests whose answers are kept as texts.
std::vector<TestFile> kept_requests() {
  std::vector<TestFile> kept;
  for (const TestFile& file : podwright_test_files())
    if (file.path.ends_with(".json") && file.text.find("\"kind\": \"plan\"") != std::string_view::npos)
      kept.push_back(file);
  return kept;
}

/// "one_l4"
std::string name_of(std::string_view path) {
  const std::size_t begin = path.rfind('/') + 1;
  return std::string(path.substr(begin, path.rfind('.') - begin));
}

class KeptPlan : public testing::TestWithParam<TestFile> {};

// Each was read as somebody reads it who has to sign it; `./dev golden` writes them anew.
TEST_P(KeptPlan, ReadsAsItDid) {
  EXPECT_EQ(text_of(std::string(GetParam().text)),
            podwright_test_data("tests/cli/plans/" + name_of(GetParam().path) + ".txt"));
}

INSTANTIATE_TEST_SUITE_P(Requests, KeptPlan, testing::ValuesIn(kept_requests()),
                         [](const auto& test) { return name_of(test.param.path); });

TEST(PlanText, LinesEndAtTheColumnOfAllTexts) {
  std::istringstream lines(text_of(kChat));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 132u) << line;
}

}  // namespace
}  // namespace podwright::cli::plan_text_test
