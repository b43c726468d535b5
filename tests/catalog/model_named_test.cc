#include "catalog/model_named.h"

#include <gtest/gtest.h>

namespace podwright::model_named_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

std::string id_of(std::string_view name) {
  const auto found = find_named_model(catalog(), name);
  return found ? (*found)->id : found.error().front().hint;
}

TEST(ModelNamed, ByItsPublishedName) {
  for (const auto& [name, id] : {std::pair{"meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                                 {"meta-llama/Meta-Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                                 {"meta-llama/Llama-2-70b-chat-hf", "llama-2-70b"},
                                 {"meta-llama/Llama-3.3-70B-Instruct", "llama-3.3-70b-instruct"},
                                 {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
                                 {"google/gemma-3-27b-it", "gemma-3-27b"},
                                 {"Qwen/Qwen3-235B-A22B-Instruct-2507", "qwen3-235b-a22b"},
                                 {"qwen3-32b", "qwen3-32b"},
                                 {"openai/gpt-oss-120b", "gpt-oss-120b"}})
    EXPECT_EQ(id_of(name), id) << name;
}

// Other weights of the same shape: planning them in the usual precision would be another question.
TEST(ModelNamed, WithItsPrecisionIsRefusedWithTheIdFirst) {
  for (const char* name : {"RedHatAI/Llama-3.1-70B-Instruct-FP8-dynamic", "somebody/Llama-3.1-70B-AWQ"}) {
    EXPECT_FALSE(find_named_model(catalog(), name));
    EXPECT_EQ(
        id_of(name),
        "Its shape is that of \"llama-3.1-70b\": write this id, and the precision of the weights in a field of its "
        "own.");
  }
}

TEST(ModelNamed, UnknownOnesAreRefused) {
  for (const char* name : {"", "/", "nobody/nothing-8b", "meta-llama/", "-instruct", "Instruct", "meta-llama-"})
    EXPECT_FALSE(find_named_model(catalog(), name)) << name;
}

TEST(ModelNamed, OnlyByNameIsSaid) {
  EXPECT_TRUE(is_published_name(catalog(), "meta-llama/Llama-3.1-70B-Instruct"));
  EXPECT_FALSE(is_published_name(catalog(), "llama-3.1-70b"));
  EXPECT_FALSE(is_published_name(catalog(), "Llama-3.1-70B"));
}

TEST(GpuNamed, OfSeveralListsThem) {
  const auto found = find_gpu(catalog(), "h100");
  ASSERT_FALSE(found);
  const std::string& hint = found.error().front().hint;
  EXPECT_EQ(hint.find("It may mean \"h100-"), 0u) << hint;
  for (const char* id : {"\"h100-sxm5-80gb\"", "\"h100-pcie-80gb\"", "\"h100-nvl-94gb\""})
    EXPECT_NE(hint.find(id), std::string::npos) << hint;
  EXPECT_EQ(find_gpu(catalog(), "b201").error().front().hint.find("Did you mean"), 0u);
}

}  // namespace
}  // namespace podwright::model_named_test
