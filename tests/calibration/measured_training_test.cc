#include "calibration/measured_training.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perf/layout_rules.h"

namespace podwright::measured_training_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

/// A table of one row: columns and cells as "key=value" with semicolons.
MeasuredTraining read(const std::string& cells) {
  std::string head;
  std::string line;
  for (std::size_t begin = 0; begin < cells.size();) {
    const std::size_t end = std::min(cells.find(';', begin), cells.size());
    const std::string cell = cells.substr(begin, end - begin);
    const std::size_t equals = cell.find('=');
    head += (head.empty() ? "" : ",") + cell.substr(0, equals);
    line += (line.empty() ? "\"" : ",\"") + cell.substr(equals + 1) + "\"";
    begin = end + 1;
  }
  const auto table = read_measured_training(catalog(), head + "\n" + line + "\n", "runs.csv");
  EXPECT_TRUE(table) << (table ? "" : table.error().front().message);
  return table ? *table : MeasuredTraining{};
}

MeasuredTrainingRow row_of(const std::string& cells) {
  const MeasuredTraining table = read(cells);
  for (const SkippedRow& skipped : table.skipped) ADD_FAILURE() << skipped.reason;
  if (table.rows.empty()) return {};
  EXPECT_TRUE(legal_layout(table.rows.front().model, table.rows.front().run));
  return table.rows.front();
}

std::string skip_reason(const std::string& cells) {
  const MeasuredTraining table = read(cells);
  EXPECT_TRUE(table.rows.empty());
  return table.skipped.empty() ? "" : table.skipped.front().reason;
}

bool assumes(const MeasuredTrainingRow& row, std::string_view part) {
  return std::any_of(row.assumptions.begin(), row.assumptions.end(),
                     [&](const std::string& a) { return a.find(part) != std::string::npos; });
}

const std::string kPlain =
    "id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-8b;seq_len=8192;num_gpus=16;global_batch=64;step_time_s=4";

TEST(MeasuredRow, BlankCellsMeanTheFrameworksHabits) {
  const MeasuredTrainingRow row = row_of(kPlain + ";framework=torchtitan;tp=2");
  EXPECT_EQ(row.run.framework, "torchtitan");
  EXPECT_EQ(row.run.precision, Precision::bf16);
  EXPECT_EQ(row.run.micro_batch_size, 1);
  EXPECT_EQ(row.run.parallelism.data, 8);
  EXPECT_EQ(row.run.parallelism.zero_stage, 3);
  EXPECT_TRUE(row.run.parallelism.sequence_parallel);
  EXPECT_EQ(row.run.activation_recompute, Recompute::selective);
  EXPECT_EQ(row.memory_figure, MemoryFigure::reserved);
  EXPECT_TRUE(assumes(row, "recompute selective"));
  EXPECT_TRUE(assumes(row, "ZeRO stage 3"));
}

TEST(MeasuredRow, GpusHaveManySpellings) {
  const auto gpu = [](const std::string& text) {
    return row_of("id=a;gpu=" + text + ";model_id=llama-3-8b;seq_len=8;num_gpus=8;global_batch=8;step_time_s=1").gpu_id;
  };
  EXPECT_EQ(gpu("H100-80GB-PCIe"), "h100-pcie-80gb");
  EXPECT_EQ(gpu("NVIDIA H100 80GB HBM3"), "h100-sxm5-80gb");
  EXPECT_EQ(gpu("A100-SXM-40GB"), "a100-sxm4-40gb");
  EXPECT_EQ(gpu("DGX-GB300"), "gb300");
  EXPECT_EQ(gpu("B200-192GB"), "b200-sxm");
  EXPECT_EQ(gpu("NVIDIA L40S 48GB"), "l40s");
}

TEST(MeasuredRow, SixteenBitOfAnOldGpuIsFp16) {
  const MeasuredTrainingRow row =
      row_of("id=a;gpu=V100-32GB;layers=24;hidden=2048;heads=16;seq_len=2048;num_gpus=4;global_batch=64;step_time_s=4");
  EXPECT_EQ(row.gpu_id, "v100-sxm2-32gb");
  EXPECT_EQ(row.run.precision, Precision::fp16);
}

TEST(MeasuredRow, ColumnsOverrideTheNamedModel) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=b200-sxm;base_model_id=llama-3-70b;layers=12;vocab=32000;seq_len=4096;num_gpus=8;global_batch=16;"
      "tp=8;memory_gib_per_gpu=28.29");
  EXPECT_EQ(row.model.origin.rfind("catalog/", 0), 0u) << row.model.origin;
  EXPECT_EQ(row.model.layers, 12);
  EXPECT_EQ(row.model.vocab_size, 32000);
  EXPECT_EQ(row.model.hidden_size, 8192);
  EXPECT_EQ(row.model.kv_heads, 8);
}

TEST(MeasuredRow, FewerLayersKeepTheShareOfDenseLayersInFront) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=b200-sxm;base_model_id=deepseek-v3;layers=4;seq_len=4096;num_gpus=8;ep=8;global_batch=16;"
      "memory_gib_per_gpu=104.3");
  EXPECT_EQ(row.model.layers, 4);
  EXPECT_EQ(row.model.first_dense_layers, 1);
  EXPECT_EQ(row.run.parallelism.expert, 8);
  EXPECT_TRUE(assumes(row, "dense layers in front"));
}

TEST(MeasuredRow, LayerPatternsKeepTheirShares) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=b200-sxm;model_id=gpt-oss-120b;layers=9;seq_len=4096;num_gpus=8;global_batch=16;step_time_s=1");
  double layers = 0;
  for (const LayerGroup& group : row.model.layer_groups) layers += group.count;
  EXPECT_EQ(layers, 9);
  EXPECT_EQ(row.model.layer_groups.size(), 2u);
}

TEST(MeasuredRow, WidthOfDenseLayersUnderTheHeadingOfTheExpertsIsNotBelieved) {
  const std::string cells =
      "id=a;gpu_id=gb200;model_id=deepseek-v3;seq_len=4096;num_gpus=256;pp=4;vp=4;ep=64;global_batch=4096;"
      "ffn_is_per_expert=true;step_time_s=13;ffn=";
  const MeasuredTrainingRow dense = row_of(cells + "18432");
  EXPECT_EQ(dense.model.moe_ffn_hidden_size, 2048);
  EXPECT_EQ(dense.model.ffn_hidden_size, 18432);
  EXPECT_TRUE(assumes(dense, "ffn 18432"));
  const MeasuredTrainingRow expert = row_of(cells + "1024");
  EXPECT_EQ(expert.model.moe_ffn_hidden_size, 1024);
}

TEST(MeasuredRow, UnknownModelIsBuiltFromItsColumns) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=h100-sxm5-80gb;model=Nobody 7B;model_id=nobody-7b;layers=32;hidden=4096;heads=32;kv_heads=8;"
      "ffn=14336;vocab=128256;seq_len=4096;num_gpus=8;global_batch=64;step_time_s=4");
  EXPECT_NE(row.model.origin.rfind("catalog/", 0), 0u) << row.model.origin;
  EXPECT_EQ(row.model.id, "nobody-7b");
  EXPECT_EQ(row.model.head_dim, 128);
  EXPECT_EQ(row.model.mlp_matrices, 3);
  EXPECT_FALSE(row.model.tied_embeddings);
  EXPECT_TRUE(assumes(row, "not in the catalog"));
}

TEST(MeasuredRow, TwoMatrixModelFollowsGpt2) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=a100-sxm4-80gb;layers=80;hidden=13824;ffn=55296;mlp_matrices=2;seq_len=2048;num_gpus=320;tp=8;pp=10;"
      "global_batch=2048;step_time_s=160");
  EXPECT_TRUE(row.model.tied_embeddings);
  EXPECT_EQ(row.model.attention_heads, 96);  // of the divisors of 13824 that 8 divides, the nearest to 128 a head
  EXPECT_EQ(row.model.vocab_size, 51200);
  EXPECT_TRUE(assumes(row, "attention heads 96"));
}

TEST(MeasuredRow, MixtureBuiltFromColumnsTakesTheWidthAsTheExperts) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=h100-sxm5-80gb;layers=24;hidden=2048;heads=16;kv_heads=4;ffn=1408;experts=64;topk=6;ep=8;seq_len="
      "4096;"
      "num_gpus=8;global_batch=64;step_time_s=4");
  EXPECT_EQ(row.model.experts, 64);
  EXPECT_EQ(row.model.experts_per_token, 6);
  EXPECT_EQ(row.model.moe_ffn_hidden_size, 1408);
}

TEST(MeasuredRow, NumberOfGpusOutweighsTheReplicas) {
  const MeasuredTrainingRow row = row_of(kPlain + ";tp=2;dp=16");
  EXPECT_EQ(row.run.parallelism.data, 8);
  EXPECT_TRUE(assumes(row, "the row says 16"));
}

TEST(MeasuredRow, ChunksWithoutAScheduleAreInterleaved) {
  const MeasuredTrainingRow row = row_of(kPlain + ";pp=4;vp=4;dp=4");
  EXPECT_EQ(row.run.schedule, Schedule::interleaved);
  EXPECT_EQ(row.run.parallelism.virtual_pipeline, 4);
}

TEST(MeasuredRow, EmbeddingAndLossTakeThePlaceOfLayersWhereOnlyThatMakesEqualStages) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3.1-405b;seq_len=8192;num_gpus=1024;tp=8;pp=16;vp=8;cp=2;"
      "global_batch=512;step_time_s=13");
  EXPECT_TRUE(row.run.embedding_and_loss_as_layers);
  EXPECT_EQ(row.run.parallelism.virtual_pipeline, 8);
}

TEST(MeasuredRow, BatchThatReplicasDoNotDivideIsRounded) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=a100-sxm4-40gb;model_id=gpt-neox-20b;seq_len=2048;num_gpus=96;tp=2;pp=4;dp=12;"
      "global_batch=1538;framework=GPT-NeoX;tflops_per_gpu=117");
  EXPECT_EQ(row.run.global_batch_size, 1536);
  EXPECT_TRUE(assumes(row, "global batch 1536 instead of 1538"));
}

TEST(MeasuredRow, ExpertGroupIsCutToWhatTheRanksAllow) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=gb200;model_id=deepseek-v3;seq_len=4096;num_gpus=256;pp=8;ep=64;global_batch=4096;step_time_s=13");
  EXPECT_EQ(row.run.parallelism.expert, 32);
}

TEST(MeasuredRow, SettingsAreColumnsAndNotesChangeNothing) {
  const std::string run =
      "id=a;gpu_id=v100-sxm2-32gb;layers=24;hidden=2048;heads=16;seq_len=2048;num_gpus=8;global_batch=64;step_time_s=4;"
      "framework=PyTorch FSDP;";
  const MeasuredTrainingRow told =
      row_of(run + "shard=hybrid;gpus_per_node=4;memory_figure=device;flops_counted=hardware");
  EXPECT_EQ(told.run.parallelism.shard, Shard::hybrid);
  EXPECT_EQ(told.memory_figure, MemoryFigure::device);
  EXPECT_TRUE(told.counts_recompute);
  ASSERT_TRUE(told.system);
  EXPECT_EQ(told.system->gpu_count, 4);
  const MeasuredTrainingRow noted =
      row_of(run + "notes=HSDP on 4 GPUs per node, Mem as nvidia-smi, reserved, counts recompute");
  EXPECT_EQ(noted.run.parallelism.shard, Shard::full);
  EXPECT_EQ(noted.memory_figure, MemoryFigure::allocated);
  EXPECT_FALSE(noted.counts_recompute);
  EXPECT_FALSE(noted.system);
}

TEST(MeasuredRow, AdaptersHaveARankAndTargets) {
  const std::string lora = kPlain + ";framework=HF PEFT;method=lora";
  const MeasuredTrainingRow row =
      row_of(lora + ";adapter=LORA rslora;rank=8;target_modules=v_proj;padded_seq_len=10240");
  EXPECT_EQ(row.run.framework, "transformers");
  EXPECT_EQ(row.run.lora_rank, 8);
  EXPECT_EQ(row.run.lora_targets, std::vector{LoraTarget::v_proj});
  EXPECT_EQ(row.run.sequence_length, 10240);
  EXPECT_EQ(row.counted_tokens, 0.8);
  const auto two =
      read_measured_training(catalog(),
                             "id,gpu_id,model_id,seq_len,num_gpus,global_batch,step_time_s,method,target_modules\n"
                             "a,l40s,llama-3.2-3b,210,1,1,0.1,lora,q_proj;down_proj\n",
                             "");
  ASSERT_TRUE(two && two->rows.size() == 1);
  EXPECT_EQ(two->rows[0].run.lora_targets, (std::vector{LoraTarget::q_proj, LoraTarget::down_proj}));
  EXPECT_TRUE(assumes(row_of(lora), "adapters of rank 16: not given"));
  EXPECT_NE(skip_reason(lora + ";adapter=IA3").find("\"IA3\" are not modelled"), std::string::npos);
  EXPECT_NE(skip_reason(lora + ";target_modules=lm_head").find("\"lm_head\" are not modelled"), std::string::npos);
}

TEST(MeasuredRow, TheSourceSaysHowWellARunIsTuned) {
  const std::string run =
      "id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-8b;seq_len=8192;num_gpus=8;global_batch=64;step_time_s=4;source=";
  EXPECT_EQ(row_of(run + "MLPerf Training v5.1 result logs").run.tuning, Tuning::tuned);
  EXPECT_EQ(row_of(run + "HF Ultra-Scale Playbook (nanotron)").run.tuning, Tuning::as_installed);
  EXPECT_EQ(row_of(run + "somebody").run.tuning, Tuning::typical);
}

TEST(MeasuredRow, TimeOfLayersAloneHasNoOutputHead) {
  const MeasuredTrainingRow row = row_of(
      "id=a;gpu_id=a100-sxm4-80gb;layers=1;hidden=6144;heads=64;ffn=24576;vocab=51200;seq_len=2048;num_gpus=8;tp=8;"
      "micro_batch=4;global_batch=4;step_time_s=0.0196;timed=layers");
  EXPECT_EQ(row.scope, MeasuredScope::layers);
  EXPECT_EQ(row.model.vocab_size, 0);
}

TEST(MeasuredFramework, SpellingsMeanOneIdAndVersion) {
  const auto framework = [](const std::string& text, const std::string& more = "") {
    const MeasuredTrainingRow row = row_of(kPlain + ";framework=" + text + more);
    return row.run.framework + " " + row.run.framework_version;
  };
  EXPECT_EQ(framework("Megatron-Core r0.8.0"), "megatron-core 0.8");
  EXPECT_EQ(framework("megatron core"), "megatron-core ");
  EXPECT_EQ(framework("NeMo 24.07 / Megatron-Core"), "nemo 24.07");
  EXPECT_EQ(framework("NeMo 25.02 / Megatron-Core"), "nemo ");
  EXPECT_EQ(framework("Megatron-Bridge / Megatron-Core", ";source_detail=archive, 26.02.01 NeMo Container, table"),
            "megatron-bridge 26.02.01");
  EXPECT_EQ(framework("Megatron-Bridge", ";framework_version=25.11"), "megatron-bridge 25.11");
  EXPECT_EQ(framework("llm-foundry/Composer PyTorch FSDP"), "llm-foundry ");
  EXPECT_EQ(framework("Composer + PyTorch FSDP"), "pytorch-fsdp ");
  EXPECT_EQ(framework("torchtitan (main)"), "torchtitan ");
  EXPECT_EQ(framework("Megatron-LM", ";date=2022-05"), "megatron-lm ");
  EXPECT_EQ(framework("Megatron-LM", ";date=2025"), "megatron-core ");
}

TEST(MeasuredFramework, UnknownOneTakesAGenericStack) {
  const MeasuredTrainingRow data = row_of(kPlain + ";framework=HomeGrown");
  EXPECT_EQ(data.run.framework, "pytorch-fsdp");
  EXPECT_FALSE(data.catalog_framework);
  EXPECT_TRUE(assumes(data, "HomeGrown"));
  EXPECT_EQ(row_of(kPlain + ";tp=8;framework=HomeGrown").run.framework, "megatron-core");
}

TEST(MeasuredFramework, StageStandsInTheName) {
  EXPECT_EQ(row_of(kPlain + ";framework=DeepSpeed ZeRO-2").run.parallelism.zero_stage, 2);
  EXPECT_EQ(row_of(kPlain + ";framework=PyTorch DDP").run.parallelism.zero_stage, 0);
  EXPECT_EQ(row_of(kPlain + ";framework=DeepSpeed ZeRO-2;zero_stage=1").run.parallelism.zero_stage, 1);
}

TEST(SkippedRows, SayWhatCannotBeExpressed) {
  EXPECT_NE(skip_reason("id=a;gpu_id=abacus;model_id=llama-3-8b;seq_len=1;num_gpus=1;global_batch=1;step_time_s=1")
                .find("GPU \"abacus\""),
            std::string::npos);
  EXPECT_NE(skip_reason(kPlain + ";tp=3").find("multiple of tensor"), std::string::npos);
  EXPECT_NE(skip_reason("id=a;gpu_id=h100-sxm5-80gb;model=Secret;seq_len=8;num_gpus=8;global_batch=8;step_time_s=1")
                .find("number of layers"),
            std::string::npos);
}

TEST(MeasuredRow, WithoutAMeasuredFigureIsReadAllTheSame) {
  EXPECT_TRUE(row_of("id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-8b;seq_len=8;num_gpus=8;global_batch=8;mfu=n/a")
                  .measured.empty());
}

TEST(MeasuredTable, WithoutItsColumnsIsAnErrorThatNamesThem) {
  const auto table = read_measured_training(catalog(), "id,gpu_id,seq_len,num_gpu,step_time_s\n", "runs.csv");
  ASSERT_FALSE(table);
  ASSERT_EQ(table.error().size(), 3u);
  EXPECT_EQ(table.error().front().path, "runs.csv:1");
  EXPECT_NE(table.error().front().message.find("num_gpus"), std::string::npos);
  EXPECT_NE(table.error().front().hint.find("num_gpu"), std::string::npos);
  EXPECT_NE(table.error().back().message.find("model_id"), std::string::npos);
}

TEST(MeasuredTable, CellThatIsNoNumberIsAnErrorWithItsLine) {
  const auto table = read_measured_training(catalog(),
                                            "id,gpu_id,model_id,seq_len,num_gpus,global_batch,step_time_s\n"
                                            "a,h100-sxm5-80gb,llama-3-8b,8192,8,64,1.5\n"
                                            "b,h100-sxm5-80gb,llama-3-8b,8192,8,64,fast\n",
                                            "runs.csv");
  ASSERT_FALSE(table);
  ASSERT_EQ(table.error().size(), 1u);
  EXPECT_EQ(table.error().front().path, "runs.csv:3");
  EXPECT_NE(table.error().front().message.find("step_time_s"), std::string::npos);
  EXPECT_FALSE(table.error().front().hint.empty());
}

// Sources, frameworks, precisions and words that no published table of ours has.
TEST(MeasuredTable, OfUnseenSpellingsIsReadWhole) {
  const char* csv =
      "\xef\xbb\xbfid,gpu_id,gpu,model_id,model,layers,hidden,heads,kv_heads,ffn,vocab,experts,topk,seq_len,num_gpus,"
      "tp,pp,vp,cp,ep,dp,zero_stage,micro_batch,global_batch,precision,recompute,sequence_parallel,schedule,framework,"
      "date,tokens_per_s_per_gpu,memory_gib_per_gpu,notes\n"
      "u1,,H200 SXM 141GB,,\"Llama 3, 70B\",80,8192,64,8,28672,128256,,,8192,\"1,024\",4,4,5,2,1,,,1,512,fp8-delayed,"
      "mlp,Yes,,NeMo 25.04 (Megatron-Core),2025-04,1500,,\n"
      "u2,gb300,,qwen3-235b-a22b,Qwen3,94,4096,64,4,1536,151936,128,8,4096,64,1,1,,1,64,64,,2,1024,nvfp4,,,,"
      "Megatron-Bridge 26.08,2026-08,9000,,\n"
      "u3,a100-sxm4-40gb,,,GPT-2 XL,48,1600,25,25,,50257,,,1024,16,1,1,1,1,1,16,n/a,4,64,amp_fp16,no,false,,"
      "HF Accelerate + DeepSpeed ZeRO-2,2023,5000,30,\n"
      "u4,h100-sxm5-80gb,,mixtral-8x7b-v0.1,Mixtral,32,4096,32,8,14336,32000,8,2,4096,64,4,1,1,1,8,16,,1,256,BF16-"
      "mixed,"
      "selective,,1F1B,ColossalAI,2024-09,2000,,dropless\n"
      "u5,h800-sxm5-80gb,,deepseek-v3,DeepSeek-V3,61,7168,128,128,2048,129280,256,8,4096,2048,1,16,2,1,64,128,1,1,"
      "15360,"
      "fp8 block,full,,DualPipe,HAI-LLM,2024-12,1543,,\n"
      "u6,rtx-4090,,,TinyLlama,22,2048,32,4,5632,32000,,,2048,16,,,,,,,,8,512,tf32,,,,Lit-GPT,2023-10,3000,,\n";
  const auto table = read_measured_training(catalog(), csv, "unseen.csv");
  ASSERT_TRUE(table) << table.error().front().message;
  for (const SkippedRow& skipped : table->skipped) ADD_FAILURE() << skipped.id << ": " << skipped.reason;
  ASSERT_EQ(table->rows.size(), 6u);
  for (const MeasuredTrainingRow& row : table->rows) EXPECT_TRUE(legal_layout(row.model, row.run)) << row.id;
  const auto run = [&](std::size_t i) -> const TrainingRun& { return table->rows[i].run; };
  EXPECT_EQ(run(0).framework, "nemo");
  EXPECT_EQ(run(0).fp8_recipe, Fp8Recipe::delayed);
  EXPECT_EQ(run(0).activation_recompute, Recompute::selective);
  EXPECT_EQ(run(0).schedule, Schedule::interleaved);
  EXPECT_EQ(run(0).parallelism.data, 32);
  EXPECT_EQ(run(1).precision, Precision::nvfp4);
  EXPECT_EQ(run(1).framework_version, "26.08");
  EXPECT_EQ(run(2).framework, "deepspeed");
  EXPECT_EQ(run(2).parallelism.zero_stage, 2);
  EXPECT_EQ(table->rows[2].model.ffn_hidden_size, 6400);
  EXPECT_EQ(run(3).framework, "megatron-core");
  EXPECT_FALSE(table->rows[3].catalog_framework);
  EXPECT_EQ(run(4).schedule, Schedule::zb_h1);
  EXPECT_EQ(run(4).fp8_recipe, Fp8Recipe::block);
  EXPECT_EQ(run(5).precision, Precision::tf32);
  EXPECT_TRUE(assumes(table->rows[5], "network of"));
}

}  // namespace
}  // namespace podwright::measured_training_test
