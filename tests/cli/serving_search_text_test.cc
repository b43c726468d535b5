/// The answer of a serving search as people read it.
#include "cli/print_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json_read.h"
#include "support/ask.h"

namespace podwright::cli::serving_search_text_test {
namespace {

const std::string kSearch =
    R"({"kind":"search","type":"serving","model":"llama-3.1-8b","gpus":["h100-sxm5-80gb","l40s"],"peak_requests_per_s":60,
        "input_tokens":1024,"output_tokens":256,"ttft_s_p99_max":1.5,"tpot_s_max":0.03,"top":2})";

std::string text_of(std::string_view patch) {
  Page page;
  search_text(page, ask(kSearch, std::string(patch)).answer);
  return page.take();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Words of a line of the table.
std::string line_that_begins(const std::string& text, std::string_view begin) {
  const std::size_t start = text.find(begin);
  return start == std::string::npos ? "" : text.substr(start, text.find('\n', start) - start);
}

TEST(ServingSearchText, HasAColumnForEachLimitAtItsPercentile) {
  const std::string text = text_of("{}");
  const std::string head = text.substr(0, text.find('\n'));
  for (const char* column : {"#", "GPUs", "engine", "ttft p99 s", "tpot mean ms", "P(limit) %", "tokens/s/GPU",
                             "most req/s", "USD/h", "USD/M out", "layout"})
    EXPECT_TRUE(has(head, column)) << column;
  EXPECT_FALSE(has(head, "p95"));
  EXPECT_FALSE(line_that_begins(text, "  1   ").empty());
  EXPECT_FALSE(line_that_begins(text, "  2   ").empty());
  for (const char* part : {"\nWhy the first\n", "\nWhat the others lack\n  - #2: ", "\nStart: ", " layouts evaluated, ",
                           "left early, because even full they cost more"})
    EXPECT_TRUE(has(text, part)) << part;
}

TEST(ServingSearchText, TellsThePoolsAndTheirRouterApart) {
  const std::string text = text_of(R"({"arrangements":["disaggregated"],"engines":["vllm"]})");
  for (const char* part : {"\nStart: vllm serve, the prefill pool\n", "\nStart: vllm serve, the decode pool\n",
                           "\nStart: vllm-router, the router in front of the pools\n", "--port 8100", "--port 8200"})
    EXPECT_TRUE(has(text, part)) << part;
}

TEST(ServingSearchText, ListsSlicesBelowTheGpus) {
  const std::string text = text_of(R"({"peak_requests_per_s":0.5,"ttft_s_p99_max":6,"tpot_s_max":0.1})");
  const std::size_t slices = text.find("\nSlices of a GPU (MIG)");
  ASSERT_NE(slices, std::string::npos);
  EXPECT_TRUE(has(text.substr(slices), "tokens/s/slice"));
  EXPECT_TRUE(has(text.substr(slices), " of h100-sxm5-80gb"));
}

TEST(ServingSearchText, SaysWhyNothingIsPossible) {
  const std::string text = text_of(R"({"ttft_s_p99_max":0.001})");
  EXPECT_EQ(text.rfind("No deployment is possible.\n\nWhy\n  - For a single request on ", 0), 0u)
      << text.substr(0, 200);
  EXPECT_TRUE(has(text, "      way out: {\"ttft_s_p99_max\":"));
  EXPECT_TRUE(has(text, "Left out:\n"));
}

}  // namespace
}  // namespace podwright::cli::serving_search_text_test
