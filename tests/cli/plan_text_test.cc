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

std::string text_of(const JsonNode& request, const JsonNode& answer) {
  Page page;
  plan_text(page, request, answer);
  return page.take();
}

std::string text_of(const std::string& request) {
  const auto answer = parse_json(answer_request(embedded_catalog_facts(), request).text);
  EXPECT_TRUE(answer);
  return answer ? text_of(*parse_json(request), *answer) : "";
}

TEST(PlanText, HasABlockForEveryWayOfPaying) {
  const std::string text = text_of(kChat);
  for (const char* title : {"\nOwning all of it\n", "\nRenting on demand\n", "\nBreak-even of owning\n",
                            "\nHow certain\n", "\nBuying as demand grows\n", "\nCarbon of owning\n",
                            "\nFailures of owned machines\n", "\nIn none of these sums\n"})
    EXPECT_NE(text.find(title), std::string::npos) << title << text;
  EXPECT_EQ(text.find("\n\n\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("usd per"), std::string::npos) << text;
}

TEST(PlanText, ADayHasALineForEachHour) {
  std::string request = kChat;
  request.replace(request.find(R"("mean_requests_per_s":150)"), 25,
                  R"("traffic":{"hours":[1,1,1,1,1,1,1,1,4,4,4,4,4,4,4,4,4,4,1,1,1,1,1,1]})");
  const std::string text = text_of(request);
  const std::size_t hours = text.find("hour of the day");
  ASSERT_NE(hours, std::string::npos) << text;
  EXPECT_NE(text.find("  23  ", hours), std::string::npos) << text;
  EXPECT_EQ(text_of(kChat).find("hour of the day"), std::string::npos);
}

TEST(PlanText, CountsKeepTheirDigits) {
  JsonNode answer = *parse_json(
      R"({"plans":[{"rank":1,"summary":"","gpu":"h100","gpu_count":16400,"architecture":{"nodes":2050}}]})");
  const std::string text = text_of(JsonNode{}, answer);
  EXPECT_NE(text.find("16,400 x h100"), std::string::npos) << text;
  EXPECT_NE(text.find("2,050"), std::string::npos) << text;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++count;
  return count;
}

// The nearest comes first, each with its own reason, and ways out are printed.
TEST(PlanText, WhyNothingFitsNamesTheGpusNearestFirst) {
  const std::string text = text_of(
      R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":10,
          "input_tokens":2000,"output_tokens":500,"ttft_s_p95_max":2,"tpot_s_p95_max":0.06}],"constraints":{"gpus":
          ["b200-sxm","b300-sxm","l40s"],"ownership":"cloud","sovereignty":"in-country"},
          "economics":{"region":"SAU"}})");
  EXPECT_EQ(text.rfind("No plan fits.", 0), 0u) << text;
  const std::size_t near = text.find("  - L40S: ");
  const std::size_t far = text.find("  - B200 SXM (HGX/DGX): No option remains.");
  ASSERT_NE(near, std::string::npos) << text;
  ASSERT_NE(far, std::string::npos) << text;
  EXPECT_LT(near, far);
  EXPECT_EQ(count_of(text, "No option remains."), 2u) << text;
  EXPECT_EQ(text.find("\nRejected\n"), std::string::npos) << text;
  EXPECT_NE(text.find("      way out: /workloads/0/"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"name\""), std::string::npos) << text;
}

TEST(PlanText, AReasonThatDiffersByTheGpuAloneStandsOnce) {
  const std::string text = text_of(*parse_json(R"({"workloads":[]})"), *parse_json(R"({"plans":[],"rejected":[
      {"gpu_name":"A","message":"No offer of A."},{"gpu_name":"B","message":"B is too small."},
      {"gpu_name":"C","message":"No offer of C."}]})"));
  EXPECT_NE(text.find("  - A, C: No offer of the GPU.\n  - B: B is too small.\n"), std::string::npos) << text;
}

TEST(PlanText, AWayOutIsWhatItChanges) {
  const JsonNode request = *parse_json(R"({"workloads":[{"name":"a","x":1},{"name":"b","x":1}],"y":{"z":[1,2]}})");
  const JsonNode answer = *parse_json(
      R"({"plans":[],"rejected":[{"message":"M","ways_out":[
          {"workloads":[{"name":"a","x":1},{"name":"b","x":2,"v":"w"}]},{"y":{"z":[1]}}]}]})");
  const std::string text = text_of(request, answer);
  EXPECT_NE(text.find("way out: /workloads/1/x: 2 instead of 1; /workloads/1/v: \"w\"\n"), std::string::npos) << text;
  EXPECT_NE(text.find("way out: /y/z: [1] instead of [1,2]\n"), std::string::npos) << text;
}

TEST(PlanText, SaysEachThingOnceAndNoShareOfDrawsAsZero) {
  const std::string text = text_of(std::string(podwright_test_data("examples/plan_pretraining_70b.json")));
  EXPECT_EQ(text.find("in 0 %"), std::string::npos) << text;
  EXPECT_NE(text.find("Owning all is cheaper than renting all in none of the 20,000 draws."), std::string::npos)
      << text;
  EXPECT_NE(text.find("  provider "), std::string::npos) << text;
  EXPECT_EQ(text.find("  provider                                        nebius"), std::string::npos) << text;
  EXPECT_NE(text.find("ranked by"), std::string::npos) << text;
  const std::string seldom = text_of(std::string(podwright_test_data("tests/cli/plans/tight_latency.json")));
  EXPECT_EQ(count_of(seldom, "renting-always-cheaper"), 0u) << seldom;
  EXPECT_EQ(count_of(seldom, "Renting is cheaper at every utilisation"), 1u) << seldom;
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
