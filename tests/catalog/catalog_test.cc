#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include "base/digest.h"
#include "catalog/check.h"

namespace podwright::catalog_test {
namespace {

std::string text_of(const Errors& errors) {
  std::string text;
  for (const Error& error : errors)
    text += error.code + " " + error.path + ": " + error.message + " " + error.hint + "\n";
  return text;
}

TEST(EmbeddedCatalog, ReadsWithoutAnError) {
  const Result<Catalog> catalog = read_catalog(embedded_catalog());
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  EXPECT_EQ(catalog->gpus.size(), 76u);
  EXPECT_EQ(catalog->models.size(), 124u);
  EXPECT_EQ(catalog->cloud_prices.size(), 709u);
  EXPECT_EQ(catalog->cloud_data_prices.size(), 47u);
  EXPECT_EQ(catalog->architectures.size(), 18u);
}

TEST(EmbeddedCatalog, HasNoProblem) {
  const CatalogCheck check = check_catalog(embedded_catalog_facts(), "2026-11-20", 1e9);
  EXPECT_GT(check.facts, 2000);
  std::string problems;
  for (const std::string& problem : check.problems) problems += problem + "\n";
  EXPECT_EQ(problems, "");
}

TEST(EmbeddedCatalog, NumbersStandInBaseUnits) {
  const Result<const Gpu*> gpu = find_gpu(embedded_catalog_facts(), "h200-sxm5-141gb");
  ASSERT_TRUE(gpu);
  EXPECT_EQ((*gpu)->memory, gb(141));
  EXPECT_EQ((*gpu)->memory_driver, gib(139.81));
  EXPECT_EQ((*gpu)->memory_bandwidth, gb_per_s(4800));
  EXPECT_EQ((*gpu)->link_bandwidth_one_way, gb_per_s(450));
  EXPECT_EQ((*gpu)->link_domain_gpus, 8);
  EXPECT_EQ((*gpu)->peak_dense_flops.at("bf16"), tflops(989.4));
  EXPECT_EQ((*gpu)->board_power, watts(700));
  EXPECT_EQ((*gpu)->origin, "catalog/gpus/h200-sxm5-141gb");
}

TEST(EmbeddedCatalog, ASinglePriceStandsForItsRange) {
  const Gpu& gpu = **find_gpu(embedded_catalog_facts(), "rtx-4090");
  ASSERT_TRUE(gpu.price);
  EXPECT_EQ(gpu.price->low, usd(1599));
  EXPECT_EQ(gpu.price->high, usd(1599));
  const Gpu& range = **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb");
  EXPECT_EQ(range.price->low, usd(25000));
  EXPECT_EQ(range.price->typical, usd(32500));
  EXPECT_EQ(range.price->high, usd(40000));
}

TEST(EmbeddedCatalog, ABoardWithoutALinkIsItsOwnDomain) {
  const Gpu& gpu = **find_gpu(embedded_catalog_facts(), "l40s");
  EXPECT_EQ(gpu.link_name, "none");
  EXPECT_FALSE(gpu.link_bandwidth_one_way);
  EXPECT_EQ(gpu.link_domain_gpus, 1);
}

TEST(EmbeddedCatalog, ModelsKeepTheirStructure) {
  const Model& model = **find_model(embedded_catalog_facts(), "gemma-4-31b");
  ASSERT_EQ(model.layer_groups.size(), 2u);
  EXPECT_EQ(model.layer_groups[0].attention, AttentionKind::sliding);
  EXPECT_EQ(model.layer_groups[0].window_tokens, 1024);
  EXPECT_TRUE(model.layer_groups[1].shared_kv);
  EXPECT_EQ(model.layer_groups[1].head_dim, 512);
  const Model& hybrid = **find_model(embedded_catalog_facts(), "nemotron-h-56b");
  ASSERT_TRUE(hybrid.linear_attention);
  EXPECT_EQ(hybrid.linear_attention->kind, LinearAttention::Kind::mamba_2);
  EXPECT_EQ(hybrid.layer_groups[1].mlp, MlpKind::dense);
  const Model& sparse = **find_model(embedded_catalog_facts(), "deepseek-v3.2");
  ASSERT_TRUE(sparse.indexer);
  EXPECT_EQ(sparse.indexer->top_k, 2048);
  EXPECT_FALSE((*find_model(embedded_catalog_facts(), "deepseek-v4-pro"))->unread_fields.empty());
}

TEST(EmbeddedCatalog, EveryNumberOfAnItemNamesItsSource) {
  const Gpu& gpu = **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb");
  EXPECT_EQ(gpu.source_of("link.gb_per_s_one_way"), "derived-half-of-both-directions");
  EXPECT_EQ(gpu.source_of("measured_matmul_tflops.bf16"), "mamf-finder");  // the entry of the enclosing field
  EXPECT_NE(find_source(embedded_catalog_facts(), "mamf-finder"), nullptr);
}

TEST(FindItem, KnowsOtherSpellings) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_EQ((*find_gpu(catalog, "H100 SXM5 80GB"))->id, "h100-sxm5-80gb");
  EXPECT_EQ((*find_gpu(catalog, "H100-SXM5-80GB"))->id, "h100-sxm5-80gb");
  EXPECT_EQ((*find_model(catalog, "meta-llama/Llama-3.1-70B"))->id, "llama-3.1-70b");
  EXPECT_EQ((*find_system(catalog, "dgx_h100"))->id, "dgx-h100");
  EXPECT_EQ(canonical_id(catalog, "engines", "TensorRT-LLM"), "tensorrt-llm");
  EXPECT_EQ(canonical_id(catalog, "precisions", "Q4_K_M"), "q4-k-m");
  EXPECT_EQ(canonical_id(catalog, "engines", "no-such-engine"), "no-such-engine");
}

TEST(FindItem, AnUnknownIdNamesTheNearest) {
  const Result<const Gpu*> gpu = find_gpu(embedded_catalog_facts(), "h100-sxm-80gb");
  ASSERT_FALSE(gpu);
  EXPECT_EQ(gpu.error()[0].code, "unknown-id");
  EXPECT_NE(gpu.error()[0].hint.find("h100-sxm5-80gb"), std::string::npos) << gpu.error()[0].hint;
}

TEST(EmbeddedCatalog, PartsReadLaterAreThoseOfTheFiles) {
  const Catalog& later = embedded_catalog_facts();
  const Result<Catalog> whole = read_catalog(embedded_catalog());
  ASSERT_TRUE(whole);
  EXPECT_FALSE(later.models.is_read());
  EXPECT_TRUE(whole->models.is_read());
  const auto same = [](const auto& some, const auto& others) {
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].origin, others[i].origin);
  };
  same(later.models, whole->models);
  same(later.architecture_claims, whole->architecture_claims);
  same(later.study_bands, whole->study_bands);
  same(later.ggml_types, whole->ggml_types);
  same(later.mig_profiles, whole->mig_profiles);
  same(later.probe_norms, whole->probe_norms);
  same(later.training_rates, whole->training_rates);
  same(later.training_frameworks, whole->training_frameworks);
  same(later.gpu_hour_costs, whole->gpu_hour_costs);
  same(later.training_recipes.get().stacks, whole->training_recipes.get().stacks);
  EXPECT_EQ(catalog_digest(later), catalog_digest(*whole));
  EXPECT_EQ((*find_model(later, "llama-3.1-70b"))->json, (*find_model(*whole, "llama-3.1-70b"))->json);
}

TEST(CatalogDigest, CoversPathsAndTexts) {
  const EmbeddedText one[] = {{"aliases.json", "{}"}};
  const EmbeddedText other[] = {{"aliases.json", "{ }"}};
  EXPECT_EQ(catalog_digest(*read_catalog(one)), sha256_hex(std::string("aliases.json\0"
                                                                       "2\0"
                                                                       "{}",
                                                                       17)));
  EXPECT_NE(catalog_digest(*read_catalog(one)), catalog_digest(*read_catalog(other)));
}

}  // namespace
}  // namespace podwright::catalog_test
