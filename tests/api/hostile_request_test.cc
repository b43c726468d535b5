/// Requests that ended the program, or made it write hundreds of megabytes: each is answered, or refused by one error.
#include <gtest/gtest.h>

#include <string>

#include "api/answer_model_file.h"
#include "support/ask.h"
#include "support/gguf_text.h"
#include "support/mutation.h"

namespace podwright::hostile_request_test {
namespace {

TEST(Hostile, M1OwningThatCostsNothing) {
  const std::string request =
      R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"cloud":{"price_change_per_year":-0.1},"on_premises":{}})";
  for (const char* change : {"-0.1", "0.1", "-0.9"}) {
    const Reply reply = ask(request, R"({"cloud":{"price_change_per_year":)" + std::string(change) + "}}");
    EXPECT_NE(reply.outcome, Outcome::wrong_input) << first_error(reply.answer, "message");
    EXPECT_NE(reply.answer.find("kind"), nullptr);
  }
}

/// A plan of thousands of workloads takes a time that a search of each needs.
TEST(Hostile, M2WorkloadsAreLimited) {
  const auto of = [](int count, const std::string& workload) {
    std::string list;
    for (int i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + workload;
    return R"({"kind":"plan","workloads":[)" + list + "]}";
  };
  for (const int count : {101, 3000, 100000}) {
    const Reply reply = ask(of(count, R"({"wrong":1,"also":"wrong"})"));
    EXPECT_EQ(reply.outcome, Outcome::wrong_input);
    ASSERT_EQ(reply.answer.find("errors")->items.size(), 1U) << count;
    EXPECT_EQ(first_error(reply.answer, "path"), "/workloads");
    EXPECT_EQ(first_error(reply.answer, "code"), "out-of-range");
    EXPECT_NE(first_error(reply.answer, "hint").find("at most 100"), std::string::npos);
  }
  EXPECT_GT(ask(of(100, R"({"wrong":1})")).answer.find("errors")->items.size(), 100U) << "they are read";
}

TEST(Hostile, LowDrawsAreLimited) {
  for (const char* request :
       {R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"cloud":{},"uncertainty":{"draws":1000001}})",
        R"({"kind":"plan","workloads":[{}],"options":{"draws":1000001}})"}) {
    const Reply reply = ask(request);
    ASSERT_EQ(reply.outcome, Outcome::wrong_input);
    bool told = false;
    for (const JsonNode& error : reply.answer.find("errors")->items)
      told = told || (error.find("path")->text.ends_with("/draws") &&
                      error.find("hint")->text.find("1000000") != std::string::npos);
    EXPECT_TRUE(told) << json_text(reply.answer);
  }
}

/// One manifest says how many replicas there are.
TEST(Hostile, M3ManyReplicasAreOneManifest) {
  const std::string request =
      R"({"kind":"search","type":"serving","model":"deepseek-v3","gpu":"h200-sxm5-141gb","gpu_count":8,"input_tokens":4096,"output_tokens":1024})";
  for (const char* count : {"1000000", "1000000000"}) {
    const Answer answer = answer_request(
        embedded_catalog_facts(),
        json_text(merged(*parse_json(request), *parse_json(R"({"gpu_count":)" + std::string(count) + "}"))));
    EXPECT_EQ(answer.outcome, Outcome::answer);
    EXPECT_LT(answer.text.size(), 3000000U) << count;
  }
}

TEST(Hostile, M11TheSameFileTwice) {
  const GgufText text = small_llama();
  const std::string header = text.header();
  const FilePart part{.name = "a.gguf", .text = header, .file_bytes = text.file_bytes()};
  EXPECT_EQ(answer_model_files(embedded_catalog_facts(), {part}).outcome, Outcome::answer);
  const Answer twice = answer_model_files(embedded_catalog_facts(), {part, part});
  EXPECT_EQ(twice.outcome, Outcome::wrong_input);
  EXPECT_NE(twice.text.find("stands in two of the files"), std::string::npos);
}

TEST(Hostile, M1MutatedModelFiles) {
  const GgufText text = small_llama();
  const std::string whole = text.header();
  Mutation mutation(36);
  int answered = 0;
  for (int i = 0; i < 600; ++i) {
    const std::string header = mutation.of(whole);
    const FilePart part{.name = "a.gguf", .text = header, .file_bytes = text.file_bytes()};
    const Answer answer = answer_model_files(embedded_catalog_facts(), {part});
    ASSERT_TRUE(parse_json(answer.text)) << answer.text;
    answered += answer.outcome == Outcome::answer ? 1 : 0;
  }
  EXPECT_GT(answered, 30);
}

TEST(Hostile, M1ModelsThatCannotBeAreRefused) {
  GgufText text;
  text.text("general.architecture", "llama").number("llama.block_count", 0xffffffff);
  text.number("llama.embedding_length", 256).number("llama.attention.head_count", 4).number("llama.vocab_size", 64);
  const std::string header = text.header();
  const Answer answer = answer_model_files(embedded_catalog_facts(),
                                           {{.name = "layers.gguf", .text = header, .file_bytes = text.file_bytes()}});
  EXPECT_EQ(answer.outcome, Outcome::wrong_input);
  EXPECT_NE(answer.text.find("layers.gguf#llama.block_count"), std::string::npos) << answer.text;
}

}  // namespace
}  // namespace podwright::hostile_request_test
