/// Files of models and tables of a catalog that are broken, or made to break a reader. Each case is named after what
/// was found: numbers that no model has, sizes that a file only claims, tensors that share bytes, and changed bytes at
/// random. A reader gives values in their ranges, or an error with a path and a hint.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/number_text.h"
#include "base/told_number.h"
#include "base/whole.h"
#include "catalog/catalog.h"
#include "catalog/catalog_table.h"
#include "catalog/files.h"
#include "catalog/gguf_model.h"
#include "catalog/inline_item.h"
#include "catalog/model_ranges.h"
#include "catalog/model_writer.h"
#include "catalog/safetensors_file.h"
#include "support/gguf_text.h"
#include "support/mutation.h"

namespace podwright::hostile_catalog_test {
namespace {

using test::text_of;

Result<GgufFile> read(std::string_view text, double file_bytes = 0) {
  return read_gguf(text, file_bytes, embedded_catalog_facts().ggml_types);
}

/// Every problem says where, what, and what to do.
void expect_told(const Errors& errors) {
  ASSERT_FALSE(errors.empty());
  for (const Error& error : errors) {
    EXPECT_FALSE(error.path.empty()) << text_of(errors);
    EXPECT_FALSE(error.message.empty()) << text_of(errors);
    EXPECT_FALSE(error.hint.empty()) << text_of(errors);
  }
}

std::string safetensors(const std::string& header) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xff);
  return out + header;
}

/// A llama with one of its numbers replaced.
Result<Model> llama_with(std::string_view key, std::uint32_t value) {
  GgufText text;
  text.text("general.architecture", "llama");
  const std::pair<std::string_view, std::uint32_t> numbers[] = {{"llama.block_count", 2},
                                                                {"llama.embedding_length", 256},
                                                                {"llama.attention.head_count", 4},
                                                                {"llama.feed_forward_length", 512},
                                                                {"llama.vocab_size", 64}};
  bool replaced = false;
  for (const auto& [name, usual] : numbers) {
    text.number(name, name == key ? value : usual);
    replaced = replaced || name == key;
  }
  if (!replaced) text.number(key, value);
  const auto file = read(text.header());
  EXPECT_TRUE(file);
  return gguf_model(*file);
}

TEST(Hostile, M1GgufBlockCount) {
  const auto model = llama_with("llama.block_count", 0xffffffff);
  ASSERT_FALSE(model);
  expect_told(model.error());
  EXPECT_EQ(model.error().front().code, "out-of-range");
  EXPECT_EQ(model.error().front().path, "llama.block_count");
  EXPECT_NE(model.error().front().hint.find("1 to 10000"), std::string::npos);
  EXPECT_TRUE(llama_with("llama.block_count", 10000));
}

TEST(Hostile, M1GgufNumbersHaveTheRangesOfAConfig) {
  for (const char* key : {"llama.embedding_length", "llama.attention.head_count", "llama.attention.head_count_kv",
                          "llama.attention.key_length", "llama.attention.value_length", "llama.feed_forward_length",
                          "llama.vocab_size", "llama.expert_count", "llama.attention.kv_lora_rank", "split.count"}) {
    const auto model = llama_with(key, 0xffffffff);
    ASSERT_FALSE(model) << key;
    expect_told(model.error());
    EXPECT_EQ(model.error().front().path, key);
  }
  EXPECT_FALSE(llama_with("llama.attention.head_count", 3)) << "256 is no multiple of it, and no width is given";
}

TEST(Hostile, M1GgufFloatsThatAreNoNumber) {
  for (const std::uint64_t bits : {0x7ff8000000000000u, 0x7ff0000000000000u, 0xfff0000000000000u}) {
    std::string header = GgufText().text("general.architecture", "llama").header();
    header[16] = 2;  // one more value
    const auto add = [&](std::uint64_t value, int width) {
      for (int i = 0; i < width; ++i) header += static_cast<char>(value >> (8 * i) & 0xff);
    };
    const std::string key = "llama.block_count";
    add(key.size(), 8);
    header += key;
    add(12, 4);  // a float of 64 bits
    add(bits, 8);
    const auto file = read(header);
    ASSERT_TRUE(file) << text_of(file.error());
    const auto model = gguf_model(*file);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().front().code, "out-of-range");
    EXPECT_NE(model.error().front().message.find("no finite number"), std::string::npos);
  }
}

/// 32 of 900 of such headers ended the program.
TEST(Hostile, M1MutatedGgufHeaders) {
  const std::string whole = small_llama().header();
  Mutation mutation(30);
  int models = 0;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto file = read(mutation.of(whole), 1e12);
    if (!file) {
      expect_told(file.error());
      continue;
    }
    const auto model = gguf_model(*file);
    if (!model) {
      expect_told(model.error());
      ++refused;
      continue;
    }
    ++models;
    for (const double size : {model->layers, model->hidden_size, model->attention_heads, model->kv_heads})
      ASSERT_TRUE(size >= 1 && size <= kModelWidth.max) << size;
    ASSERT_LE(model->layers, kModelLayers.max);
    ASSERT_LE(model->vocab_size, kModelRows.max);
    ASSERT_TRUE(parse_json(model_json(*model)));
  }
  EXPECT_GT(models, 100);
  EXPECT_GT(refused, 100);
}

TEST(Hostile, M2SparseGgufIsRefusedByTheSizesThatItStates) {
  std::string header = GgufText().header();
  header[16] = 1;
  const auto add = [&](std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) header += static_cast<char>(value >> (8 * i) & 0xff);
  };
  add(1, 8);
  header += 'k';
  add(8, 4);            // a text
  add(900'000'000, 8);  // of 900 MB
  const auto file = read(header, 5e9);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().front().code, "not-gguf") << "no more of the file is asked for";
  EXPECT_NE(file.error().front().message.find("100 MB"), std::string::npos);
  for (const std::size_t count : {8u, 16u}) {  // tensors, values
    std::string many = GgufText().header();
    many[count + 5] = 1;  // 2^40
    const auto claimed = read(many, 5e12);
    ASSERT_FALSE(claimed);
    EXPECT_EQ(claimed.error().front().code, "not-gguf");
  }
}

TEST(Hostile, M2SafetensorsHeaderAndIndexAreLinear) {
  std::string header = "{";
  std::string index = R"({"metadata":{"total_size":1},"weight_map":{)";
  constexpr int kTensors = 100000;
  for (int i = 0; i < kTensors; ++i) {
    const std::string name = "\"model.layers." + std::to_string(i) + ".mlp.up_proj.weight\":";
    header += (i == 0 ? "" : ",") + name + R"({"dtype":"U8","shape":[1],"data_offsets":[)" + std::to_string(i) + "," +
              std::to_string(i + 1) + "]}";
    index += (i == 0 ? "" : ",") + name + "\"" + std::to_string(i) + ".safetensors\"";
  }
  const auto file = read_safetensors(safetensors(header + "}"), 0);
  ASSERT_TRUE(file) << text_of(file.error());
  EXPECT_EQ(file->tensors.size(), static_cast<std::size_t>(kTensors));
  EXPECT_EQ(file->data_bytes, kTensors);
  const auto read = read_safetensors_index(index + "}}");
  ASSERT_TRUE(read) << text_of(read.error());
  EXPECT_EQ(read->files.size(), static_cast<std::size_t>(kTensors));
}

TEST(Hostile, M11TensorsThatShareBytesOrStandTwice) {
  GgufText twice;
  twice.tensor("a", {32}, 0, 128).tensor("a", {32}, 0, 128);
  const auto repeated = read(twice.header());
  ASSERT_FALSE(repeated);
  EXPECT_NE(repeated.error().front().message.find("\"a\" stands twice"), std::string::npos);
  expect_told(repeated.error());

  GgufText overlap;
  overlap.tensor("a", {32}, 0, 32).tensor("b", {32}, 0, 128);  // the second begins inside the first
  const auto shared = read(overlap.header());
  ASSERT_FALSE(shared);
  EXPECT_NE(shared.error().front().message.find("share bytes"), std::string::npos);
  expect_told(shared.error());

  const auto of = [](const std::string& tensors) { return read_safetensors(safetensors("{" + tensors + "}"), 0); };
  const std::string one = R"("a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]})";
  EXPECT_TRUE(of(one + R"(,"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]})"));
  EXPECT_TRUE(of(one + R"(,"b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]})")) << "it has no bytes";
  const auto inside = of(one + R"(,"b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]})");
  ASSERT_FALSE(inside);
  EXPECT_NE(inside.error().front().message.find("share bytes"), std::string::npos);
  expect_told(inside.error());
  EXPECT_FALSE(of(one + "," + one));
}

TEST(Hostile, M11EmptySafetensorsHeader) {
  for (const char* header : {"{}", R"({"__metadata__":{"format":"pt"}})"}) {
    const auto file = read_safetensors(safetensors(header), 0);
    ASSERT_FALSE(file);
    expect_told(file.error());
    EXPECT_EQ(file.error().front().message, "The header names no tensor.");
  }
}

TEST(Hostile, M1MutatedSafetensorsHeaders) {
  // Half of it is a text of which any letter may change, so that some changed files are still whole.
  const std::string whole = safetensors(R"({"__metadata__":{"format":"pt","written by":")" + std::string(300, 'n') +
                                        R"("},)"
                                        R"("a.q_proj.weight":{"dtype":"BF16","shape":[10,4],"data_offsets":[0,80]},)"
                                        R"("b":{"dtype":"F32","shape":[],"data_offsets":[80,84]}})");
  Mutation mutation(31);
  int files = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto file = read_safetensors(mutation.of(whole), 0);
    if (!file) {
      ASSERT_FALSE(file.error().empty());
      continue;
    }
    ++files;
    ASSERT_TRUE(file->data_bytes >= 0 && file->data_bytes <= kExactWhole);
    ASSERT_FALSE(tensors_that_overlap(file->tensors));
  }
  EXPECT_GT(files, 30);
}

TEST(Hostile, M1MutatedConfigs) {
  const std::string whole =
      R"({"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,)"
      R"("head_dim":128,"intermediate_size":6144,"moe_intermediate_size":768,"num_experts":128,"num_experts_per_tok":8,)"
      R"("vocab_size":151936,"tie_word_embeddings":false})";
  Mutation mutation(32);
  int models = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto node = parse_json(mutation.of_numbers(whole));
    if (!node) continue;
    ErrorList errors;
    const auto model = read_inline_model(embedded_catalog_facts(), *node, "/model", errors);
    if (!model) {
      expect_told(errors.take());
      continue;
    }
    ++models;
    ASSERT_TRUE(model->layers >= 1 && model->layers <= kModelLayers.max);
    ASSERT_TRUE(parse_json(model_json(*model)));
  }
  EXPECT_GT(models, 20);
}

/// Tables of an override, each number of a row replaced by what no fact is.
TEST(Hostile, M1OverlayTables) {
  const Catalog& catalog = embedded_catalog_facts();
  int refused = 0;
  for (const char* path : {"failure_rates.csv", "architecture_bands.csv", "prices_cloud.csv", "energy_regions.csv",
                           "kernel_rates.csv", "traffic_presets.csv", "mig_profiles.csv", "operating_figures.csv"}) {
    std::string text;
    for (const EmbeddedText& file : embedded_catalog())
      if (file.path == path) text = std::string(file.text.substr(0, file.text.find('\n', file.text.find('\n') + 1)));
    ASSERT_FALSE(text.empty()) << path;
    for (const char* hostile : {"1e308", "1e-308", "1e999", "-1e308", "nan", "inf", "-1"})
      for (const std::string& changed : each_number_replaced(text, text.find('\n'), hostile)) {
        Catalog read;
        read.gpus = catalog.gpus;
        Errors errors;
        ASSERT_TRUE(read_table(path, changed, read, errors));
        if (errors.empty()) continue;  // a word, a date or a version
        ++refused;
        expect_told(errors);
      }
  }
  EXPECT_GT(refused, 200);
}

TEST(Hostile, M1FailureRatesOfZero) {
  for (const char* hours : {"0", "1e-308", "-1", "1e308"}) {
    Catalog catalog;
    Errors errors;
    read_table("failure_rates.csv",
               "fleet,gpu,gpu_id,gpus,window_days,component,category,count,share,mtbf_hours,gpu_hours_per_failure,"
               "source,note\nA fleet,H100,h100-sxm5-80gb,16384,54,all,total,419,1.0,3," +
                   std::string(hours) + ",sheet,\n",
               catalog, errors);
    ASSERT_EQ(errors.size(), 1u) << hours;
    EXPECT_EQ(errors.front().code, "out-of-range");
    EXPECT_EQ(errors.front().path, "failure_rates.csv:2");
    EXPECT_NE(errors.front().hint, "");
  }
}

TEST(Hostile, M1OverlayNumbersOfItems) {
  const auto with = [](std::string_view old_piece, std::string_view piece) {
    std::string text(test::kGpu);
    text.replace(text.find(old_piece), old_piece.size(), piece);
    const std::string kept = text;
    return test::read({{"gpus/example-gpu.json", kept}, {"sources.json", test::kSources}});
  };
  for (const char* number : {"1e308", "1e-308", "-80"}) {
    const auto catalog = with("\"memory_gb\": 80", "\"memory_gb\": " + std::string(number));
    ASSERT_FALSE(catalog) << number;
    EXPECT_EQ(catalog.error().front().path, "gpus/example-gpu.json#/memory_gb");
  }
  EXPECT_FALSE(with("\"sources\"", "\"price_usd\": {\"typical\": 1e30}, \"sources\""));
}

TEST(Hostile, LowAliasThatRedirectsAnId) {
  const auto with = [](std::string_view aliases) {
    return test::read({{"gpus/example-gpu.json", test::kGpu},
                       {"sources.json", test::kSources},
                       {"aliases.json", R"({"gpus": {"example": "example-gpu"}})"},
                       {"aliases.json", aliases}});
  };
  EXPECT_TRUE(with(R"({"gpus": {"my gpu": "example-gpu", "example-gpu": "example-gpu"}})"));
  const auto redirected = with(R"({"gpus": {"Example-GPU": "l40s"}})");
  ASSERT_FALSE(redirected);
  EXPECT_EQ(redirected.error().front().code, "conflict");
  EXPECT_EQ(redirected.error().front().path, "aliases.json#/gpus/Example-GPU");
  expect_told(redirected.error());
}

TEST(Hostile, LowSourcesOfNothing) {
  const auto catalog = test::read({{"sources.json", "[]"}});
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().front().path, "sources.json#");
  expect_told(catalog.error());
}

TEST(Hostile, NumbersThatNothingMeasures) {
  for (const char* text : {R"({"a":[{"b":1e308}]})", R"({"a":[{"b":-1e-308}]})"}) {
    const auto document = parse_told(text);
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().front().path, "/a/0/b");
    expect_told(document.error());
  }
  EXPECT_TRUE(parse_told(R"([0, -0.0, 1e-40, -1e40, 18446744073709551615])"));
}

}  // namespace
}  // namespace podwright::hostile_catalog_test
