#include <gtest/gtest.h>

#include "catalog/check.h"
#include "catalog/files.h"

namespace podwright::read_catalog_test {
namespace {

using test::kGpu;
using test::kSources;
using test::read;
using test::text_of;

/// The only error of a catalog of these files.
Error error_of(const std::vector<EmbeddedText>& files) {
  const Result<Catalog> catalog = read(files);
  if (catalog) return {};
  EXPECT_EQ(catalog.error().size(), 1u) << text_of(catalog.error());
  return catalog.error().front();
}

/// The example GPU with one piece of its text replaced.
std::string gpu_with(std::string_view old_piece, std::string_view new_piece) {
  std::string text(kGpu);
  const std::size_t at = text.find(old_piece);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, old_piece.size(), new_piece);
}

TEST(ReadCatalog, ReadsAGoodFile) {
  const Result<Catalog> catalog = read({{"gpus/example-gpu.json", kGpu}, {"sources.json", kSources}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  EXPECT_EQ(catalog->gpus[0].link_bandwidth_one_way, gb_per_s(450));
  EXPECT_TRUE(check_catalog(*catalog, "2026-01-01", 1e9).problems.empty());
}

TEST(ReadCatalog, RefusesAnUnknownKeyWithTheNearestOne) {
  const std::string text = gpu_with("\"memory_gb\": 80", "\"memory_gb\": 80, \"memory_typ\": \"HBM\"");
  const Error error = error_of({{"gpus/example-gpu.json", text}});
  EXPECT_EQ(error.code, "unknown-key");
  EXPECT_EQ(error.path, "gpus/example-gpu.json#/memory_typ");
  EXPECT_NE(error.hint.find("memory_type"), std::string::npos);
}

TEST(ReadCatalog, RefusesAWrongType) {
  const Error error = error_of({{"gpus/example-gpu.json", gpu_with("\"memory_gb\": 80", "\"memory_gb\": \"80\"")}});
  EXPECT_EQ(error.code, "wrong-type");
  EXPECT_EQ(error.path, "gpus/example-gpu.json#/memory_gb");
}

TEST(ReadCatalog, RefusesANumberWithoutSource) {
  const Error error = error_of({{"gpus/example-gpu.json", gpu_with("\"memory_gb\": \"sheet\", ", "")}});
  EXPECT_EQ(error.code, "missing");
  EXPECT_EQ(error.path, "gpus/example-gpu.json#/sources");
  EXPECT_NE(error.message.find("memory_gb"), std::string::npos);
}

TEST(ReadCatalog, RefusesASourceOfAFieldThatIsNotThere) {
  const Error error = error_of(
      {{"gpus/example-gpu.json", gpu_with("\"link\": \"sheet\"", "\"link\": \"sheet\", \"year\": \"sheet\"")}});
  EXPECT_EQ(error.code, "unknown-key");
  EXPECT_EQ(error.path, "gpus/example-gpu.json#/sources/year");
}

TEST(ReadCatalog, RefusesAFileNamedAfterAnotherItem) {
  EXPECT_EQ(error_of({{"gpus/other.json", kGpu}}).path, "gpus/other.json#/id");
}

TEST(ReadCatalog, RefusesAnUnknownFile) {
  EXPECT_EQ(error_of({{"prices.csv", "a,b\n"}}).path, "prices.csv");
  EXPECT_TRUE(read({{"README.md", "text"}}));
}

TEST(ReadCatalog, NamesFileLineAndColumnOfBrokenJson) {
  const Error error = error_of({{"gpus/example-gpu.json", "{\n  \"id\" 3}"}});
  EXPECT_EQ(error.code, "not-json");
  EXPECT_EQ(error.path, "gpus/example-gpu.json#");
  EXPECT_NE(error.message.find("line 2"), std::string::npos);
}

TEST(ReadCatalog, ListsEveryProblem) {
  const std::string text = gpu_with("\"memory_gb\": 80", "\"memory_gb\": -1, \"colour\": \"red\"");
  const Result<Catalog> catalog =
      read({{"gpus/example-gpu.json", text}, {"gpus/broken.json", "{"}, {"sources.json", "{}"}});
  ASSERT_FALSE(catalog);
  EXPECT_EQ(catalog.error().size(), 4u) << text_of(catalog.error());
}

TEST(ReadCatalog, RefusesContradictionsOfAModel) {
  const std::string text =
      R"({"id": "m", "name": "M", "layers": 4, "hidden_size": 64, "attention_heads": 4, "kv_heads": 8, "head_dim": 16,
    "ffn_hidden_size": 256, "vocab_size": 1000, "layer_groups": [{"count": 3, "attention": "full"}], "sources": {"*": "sheet"}})";
  const Result<Catalog> catalog = read({{"models/m.json", text}});
  ASSERT_FALSE(catalog);
  ASSERT_EQ(catalog.error().size(), 2u) << text_of(catalog.error());
  EXPECT_EQ(catalog.error()[0].path, "models/m.json#/kv_heads");
  EXPECT_EQ(catalog.error()[1].path, "models/m.json#/layer_groups");
}

TEST(ReadCatalog, AMissingSizeOfAModelIsNamed) {
  const std::string text =
      R"({"id": "m", "name": "M", "layers": 4, "hidden_size": 64, "attention_heads": 4, "kv_heads": 4, "head_dim": 16,
    "vocab_size": 1000, "sources": {"*": "sheet"}})";
  EXPECT_EQ(error_of({{"models/m.json", text}}).path, "models/m.json#/ffn_hidden_size");
}

TEST(ReadCatalog, ATableErrorNamesItsLine) {
  const std::string head =
      "gpu,gpu_id,age_months_from,age_months_to,fraction_low,fraction_high,price_usd_low,price_usd_high,as_of,source,"
      "note\n";
  EXPECT_EQ(
      error_of({{"resale_values.csv", head + "H100,,0,12,0.7,0.85,,,2025,list,\nH100,,0,12,much,0.85,,,2025,list,\n"}})
          .path,
      "resale_values.csv:3");
  EXPECT_EQ(error_of({{"resale_values.csv", head + "H100,,0,12\n"}}).path, "resale_values.csv:2");
  EXPECT_EQ(error_of({{"resale_values.csv", head + "H100,,0,12,inf,0.85,,,2025,list,\n"}}).code, "wrong-type");
}

TEST(ReadCatalog, ATableNeedsExactlyItsColumns) {
  const Error error = error_of({{"resale_values.csv",
                                 "gpu,gpu_id,age_months_from,age_months_to,fraction_low,fraction_high,price_usd_low,"
                                 "price_usd_high,as_off,as_of,source,note\n"}});
  EXPECT_EQ(error.code, "unknown-key");
  EXPECT_NE(error.hint.find("as_of"), std::string::npos);
}

// --- overrides

TEST(Override, ALaterFileReplacesAnEarlierOne) {
  const std::string other = gpu_with("\"memory_gb\": 80", "\"memory_gb\": 96");
  const Result<Catalog> catalog =
      read({{"gpus/example-gpu.json", kGpu}, {"gpus/example-gpu.json", other}, {"sources.json", kSources}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  ASSERT_EQ(catalog->gpus.size(), 1u);
  EXPECT_EQ(catalog->gpus[0].memory, gb(96));
}

TEST(Override, ABaseChangesOnlyTheFieldsItNames) {
  const Result<Catalog> catalog =
      read({{"gpus/example-gpu.json", kGpu},
            {"sources.json", kSources},
            {"gpus/example-gpu.json", R"({"base": "example-gpu", "memory_gb": 96, "link": {"domain_gpus": 4}})"}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  ASSERT_EQ(catalog->gpus.size(), 1u);
  const Gpu& gpu = catalog->gpus[0];
  EXPECT_EQ(gpu.name, "Example GPU");
  EXPECT_EQ(gpu.memory, gb(96));
  EXPECT_EQ(gpu.memory_bandwidth, gb_per_s(3000));
  EXPECT_EQ(gpu.link_domain_gpus, 4);
  EXPECT_EQ(gpu.link_bandwidth_one_way, gb_per_s(450));
  EXPECT_EQ(gpu.source_of("memory_gb"), "override");
  EXPECT_EQ(gpu.source_of("link.domain_gpus"), "override");
  EXPECT_EQ(gpu.source_of("link.gb_per_s_bidirectional"), "sheet");
  EXPECT_EQ(gpu.source_of("memory_bandwidth_gb_per_s"), "sheet");
  EXPECT_TRUE(check_catalog(*catalog, "2026-01-01", 1e9).problems.empty());
}

TEST(Override, ANewFileWithABaseIsANewItem) {
  const Result<Catalog> catalog = read({{"gpus/example-gpu.json", kGpu},
                                        {"sources.json", kSources},
                                        {"gpus/my-gpu.json", R"({"base": "example-gpu", "memory_gb": 96})"}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  ASSERT_EQ(catalog->gpus.size(), 2u);
  EXPECT_EQ(catalog->gpus[1].id, "my-gpu");
  EXPECT_EQ(catalog->gpus[1].name, "my-gpu");
  EXPECT_EQ(catalog->gpus[1].peak_dense_flops, catalog->gpus[0].peak_dense_flops);
}

TEST(Override, TheKeptTextIsTheMergedObject) {
  const Result<Catalog> catalog = read({{"gpus/example-gpu.json", kGpu},
                                        {"sources.json", kSources},
                                        {"gpus/my-gpu.json", R"({"base": "example-gpu", "memory_gb": 96})"}});
  ASSERT_TRUE(catalog);
  const std::string file = catalog->gpus[1].json;
  const Result<Catalog> again = read({{"gpus/my-gpu.json", file}, {"sources.json", kSources}});
  ASSERT_TRUE(again) << text_of(again.error()) << file;
  EXPECT_EQ(again->gpus[0].memory, gb(96));
  EXPECT_EQ(again->gpus[0].memory_bandwidth, gb_per_s(3000));
  EXPECT_EQ(again->gpus[0].sources, catalog->gpus[1].sources);
}

TEST(Override, AnUnknownBaseIsAnError) {
  EXPECT_EQ(error_of({{"gpus/my-gpu.json", R"({"base": "exampl-gpu"})"}}).path, "gpus/my-gpu.json#/base");
}

TEST(Override, SourcesAndAliasesAdd) {
  const Result<Catalog> catalog =
      read({{"sources.json", kSources},
            {"aliases.json", R"({"gpus": {"Example": "example-gpu"}})"},
            {"gpus/example-gpu.json", kGpu},
            {"sources.json", R"([{"id": "mine", "title": "My quote", "kind": "list-price"}])"},
            {"aliases.json", R"({"gpus": {"Mine": "example-gpu"}})"}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  EXPECT_NE(find_source(*catalog, "sheet"), nullptr);
  EXPECT_NE(find_source(*catalog, "mine"), nullptr);
  EXPECT_EQ((*find_gpu(*catalog, "EXAMPLE"))->id, "example-gpu");
  EXPECT_EQ((*find_gpu(*catalog, "mine"))->id, "example-gpu");
}

}  // namespace
}  // namespace podwright::read_catalog_test
