#include "api/memory_proof.h"

#include <gtest/gtest.h>

#include "base/number_text.h"

namespace podwright::memory_proof_test {
namespace {

const std::string kRequest =
    R"({"kind":"training","model":"llama-3.1-70b","gpu":"h100-sxm5-80gb","sequence_length":8192,"micro_batch_size":1,)"
    R"("global_batch_size":128,"framework":"megatron-core","parallelism":{"tensor":8,"pipeline":4,"data":4},)"
    R"("gpu_count":128})";
const std::string kSizes = " --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --seq-length 8192";

std::string command(const std::string& sizes) {
  return "+ env WORLD_SIZE=128 RANK=0 python3 pretrain_gpt.py" + sizes + "\n";
}
std::string memory(double rank, double gibibytes, double reserved) {
  return "[Rank " + shortest_number(rank) +
         "] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: " + shortest_number(gibibytes * 1024) +
         " | reserved: 1.00 | max reserved: " + shortest_number(reserved * 1024) + "\n";
}

Result<MemoryProof> proof_of(const std::string& request, const std::string& text) {
  const auto document = parse_json(request);
  const auto log = import_megatron_log(text);
  EXPECT_TRUE(document && log) << request << text;
  return memory_proof(embedded_catalog_facts(), *document, *log);
}
MemoryProof proof(const std::string& text) {
  const auto made = proof_of(kRequest, text);
  EXPECT_TRUE(made) << (made ? "" : made.error().front().message);
  return made ? *made : MemoryProof{};
}
Error error(const std::string& request, const std::string& text) {
  const auto made = proof_of(request, text);
  EXPECT_FALSE(made);
  return made ? Error{} : made.error().front();
}

/// In GiB, of the fullest rank.
double expected() { return proof(command(kSizes) + memory(0, 1, 1)).estimated_allocated.value / gib(1); }

TEST(MemoryProofs, HoldWhereThePeakIsInTheIntervalAndFits) {
  const double peak = expected();
  const MemoryProof held = proof(command(kSizes) + memory(0, peak, peak + 1));
  EXPECT_EQ(held.state, ProofState::within);
  EXPECT_TRUE(held.fits());
  EXPECT_TRUE(held.holds());
  EXPECT_TRUE(held.notes.empty());
  EXPECT_EQ(held.rank, 0);
  EXPECT_EQ(held.stage, 0);
  EXPECT_LT(*held.estimated_allocated.low, held.estimated_allocated.value);
  EXPECT_GT(*held.estimated_allocated.high, held.estimated_allocated.value);
  EXPECT_DOUBLE_EQ(*held.allocated / gib(1), peak);
  EXPECT_GT(*held.in_use / gib(1), peak + 1) << "with the context of the process";
  const MemoryProof full = proof(command(kSizes) + memory(0, peak, 79.1));
  EXPECT_EQ(full.state, ProofState::within);
  EXPECT_FALSE(full.fits()) << "the context is too much";
  EXPECT_FALSE(full.holds());
}

TEST(MemoryProofs, SayOnWhichSideThePeakIs) {
  const double peak = expected();
  EXPECT_EQ(proof(command(kSizes) + memory(0, 2 * peak, 2 * peak)).state, ProofState::above);
  EXPECT_EQ(proof(command(kSizes) + memory(0, 0.4 * peak, peak)).state, ProofState::below);
}

TEST(MemoryProofs, TheFullestRankOfSeveralCounts) {
  const double peak = expected();
  const MemoryProof held =
      proof(command(kSizes) + memory(96, peak * 1.01, peak + 1) + memory(0, peak, peak) + memory(32, 1, 1));
  EXPECT_EQ(held.rank, 96);
  EXPECT_EQ(held.stage, 3);
  EXPECT_DOUBLE_EQ(*held.allocated / gib(1), peak * 1.01);
}

TEST(MemoryProofs, MemoryThatRunsOutDoesNotHold) {
  const MemoryProof full = proof(command(kSizes) + "torch.OutOfMemoryError: CUDA out of memory.\n");
  EXPECT_EQ(full.state, ProofState::out_of_memory);
  EXPECT_FALSE(full.holds());
  EXPECT_FALSE(full.allocated);
  EXPECT_NE(memory_proof_json(full).find(R"("state":"out-of-memory","holds":false,"fits":false)"), std::string::npos);
}

TEST(MemoryProofs, ALogWithoutItsCommandIsNoted) {
  EXPECT_EQ(proof(memory(0, 1, 1)).notes.size(), 1u);
  EXPECT_TRUE(proof(command(kSizes) + memory(0, 1, 1)).notes.empty());
}

TEST(MemoryProofs, OtherLayoutsAreRefused) {
  const std::string peak = memory(0, 50, 51);
  for (const char* sizes :
       {" --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4", " --tensor-model-parallel-size 8",
        " --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --context-parallel-size 2",
        " --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --seq-length 4096",
        " --tensor-model-parallel-size 8 --pipeline-model-parallel-size 4 --num-layers 32"})
    EXPECT_EQ(error(kRequest, command(sizes) + peak).code, "conflict") << sizes;
  EXPECT_EQ(error(kRequest, "+ env WORLD_SIZE=64 RANK=0 python3 pretrain_gpt.py" + kSizes + "\n" + peak).code,
            "conflict");
}

TEST(MemoryProofs, ALogNeedsARankOfTheFullestStage) {
  const Error other = error(kRequest, command(kSizes) + memory(96, 50, 51));
  EXPECT_EQ(other.code, "missing");
  EXPECT_NE(other.hint.find("RANK=0"), std::string::npos);
  EXPECT_EQ(error(kRequest, command(kSizes) + memory(0, 50, 51) + memory(128, 1, 1)).code, "missing");
}

TEST(MemoryProofs, RequestsMustBeOfALayoutOfMegatron) {
  const std::string log = command(kSizes) + memory(0, 50, 51);
  EXPECT_EQ(error(R"({"kind":"serving"})", log).path, "/kind");
  EXPECT_EQ(error(R"({"kind":"search","type":"serving"})", log).path, "/kind");
  EXPECT_EQ(error("{}", log).path, "/kind");
  std::string other = kRequest;
  other.replace(other.find("megatron-core"), 13, "torchtitan");
  EXPECT_EQ(error(other, log).path, "/framework");
  EXPECT_EQ(error(R"({"kind":"training","model":"no-such-model"})", log).path, "/model");
}

}  // namespace
}  // namespace podwright::memory_proof_test
