/// Logs of Megatron-LM as versions print them, and broken ones. Shapes: report_memory() and report_theoretical_memory()
/// of megatron/training (core_v0.14.0 utils.py, core_v0.19.0 utils/common_utils.py, theoretical_memory_usage.py),
/// _print_args() of arguments.py; figures are our own.
#include "measure/megatron_log.h"

#include <gtest/gtest.h>

#include "measure/foreign_file.h"

namespace podwright::megatron_log_test {
namespace {

/// Of core 0.14: all digits.
const std::string kOld =
    "[Rank 0] (after 2 iterations) memory (MB) | allocated: 22086.65771484375 | max allocated: 26187.8642578125 | "
    "reserved: 29132.0 | max reserved: 29132.0\n";
/// Of core 0.16 and later: two digits; a step earlier first, and what a run prints between.
const std::string kNew =
    "using world size: 16, data-parallel size: 2, tensor-model-parallel size: 4, pipeline-model-parallel size: 2\n"
    "[Rank 8] (after 1 iterations) memory (MB) | allocated: 9000.00 | max allocated: 99000.00 | reserved: 99500.00 | "
    "max reserved: 99500.00\n"
    " [2026-03-01 10:00:00.000000] iteration        1/       2 | consumed samples:           64 | elapsed time per "
    "iteration (ms): 5123.4 | learning rate: 1.0E-04 | global batch size:    64 | lm loss: 1.2E+01 |\n"
    "[Rank 8] (after 2 iterations) memory (MB) | allocated: 18012.50 | max allocated: 30720.00 | reserved: 31744.00 | "
    "max reserved: 32768.00 | total device memory used: 34000.00\n";
const std::string kCommand =
    "+ env WORLD_SIZE=1024 RANK=64 LOCAL_RANK=0 CUDA_DEVICE_MAX_CONNECTIONS=1 python3 /opt/megatron-lm/pretrain_gpt.py "
    "--tensor-model-parallel-size 8 --num-layers-per-virtual-pipeline-stage 1 --pipeline-model-parallel-size=16 "
    "--num-layers 126 --ffn-hidden-size 53248 --hidden-size 16384 --seq-length 8192 --fake-process-group\n";
const std::string kPrinted =
    "------------------------ arguments ------------------------\n"
    "  context_parallel_size ........................... 2\n"
    "  data_path ....................................... None\n"
    "0:   tensor_model_parallel_size ...................... 4\n"
    "  micro_batch_size ................................ 1\n"
    "  seq_length ...................................... 4096\n"
    "-------------------- end of arguments ---------------------\n";
const std::string kTheory =
    "Theoretical memory footprints: weight and optimizer=18143.11 MB, activation=9216.00 MB, total=27359.11 MB\n";

MegatronLog read(const std::string& text) {
  const auto log = import_megatron_log(text);
  EXPECT_TRUE(log) << text << (log ? "" : log.error().front().message);
  return log ? *log : MegatronLog{};
}

TEST(MegatronLogs, MegabytesArePowersOfTwo) {
  const MegatronLog log = read(kOld);
  ASSERT_EQ(log.ranks.size(), 1u);
  EXPECT_EQ(log.ranks[0].rank, 0);
  EXPECT_DOUBLE_EQ(log.ranks[0].max_allocated / gib(1), 26187.8642578125 / 1024);
  EXPECT_DOUBLE_EQ(*log.ranks[0].max_reserved / gib(1), 29132.0 / 1024);
  EXPECT_FALSE(log.out_of_memory);
  EXPECT_FALSE(log.theory);
  EXPECT_TRUE(log.arguments.empty());
}

TEST(MegatronLogs, TheFirstStepDoesNotCount) {
  const MegatronLog log = read(kNew);
  ASSERT_EQ(log.ranks.size(), 1u);
  EXPECT_EQ(log.ranks[0].rank, 8);
  EXPECT_DOUBLE_EQ(log.ranks[0].max_allocated / gib(1), 30);
  EXPECT_DOUBLE_EQ(*log.ranks[0].max_reserved / gib(1), 32);
}

TEST(MegatronLogs, EveryRankHasItsPeak) {
  const MegatronLog log = read(
      "node-1: [Rank 24] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: 2048.00 | reserved: 3.00 "
      "| "
      "max reserved: 4096.00[Rank 0] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: 1024.00 | "
      "reserved: 3.00 | max reserved: 4096.00\n"
      "[Rank 24] (before save_checkpoint for iteration 100) memory (MB) | allocated: 1.00 | max allocated: 3072.00 | "
      "reserved: 3.00 | max reserved: 4096.00\n"
      "[Rank 8] (after 100 iterations) memory (MB) | allocated: 5.00 | max allocated: 512.00\n");
  ASSERT_EQ(log.ranks.size(), 3u);
  EXPECT_EQ(log.ranks[0].rank, 0);
  EXPECT_EQ(log.ranks[1].rank, 8);
  EXPECT_FALSE(log.ranks[1].max_reserved);
  EXPECT_EQ(log.ranks[2].rank, 24);
  EXPECT_DOUBLE_EQ(log.ranks[2].max_allocated / gib(1), 3);
}

TEST(MegatronLogs, TheCommandSaysWhichLayoutItIs) {
  const MegatronLog log = read(kCommand + kOld);
  const std::map<std::string, double> expected{{"tensor-model-parallel-size", 8},
                                               {"pipeline-model-parallel-size", 16},
                                               {"num-layers", 126},
                                               {"hidden-size", 16384},
                                               {"seq-length", 8192},
                                               {"world-size", 1024},
                                               {"rank", 64}};
  EXPECT_EQ(log.arguments, expected);
}

TEST(MegatronLogs, SoDoThePrintedArguments) {
  const MegatronLog log = read(kPrinted + kTheory + kOld);
  const std::map<std::string, double> expected{
      {"context-parallel-size", 2}, {"tensor-model-parallel-size", 4}, {"micro-batch-size", 1}, {"seq-length", 4096}};
  EXPECT_EQ(log.arguments, expected);
  ASSERT_TRUE(log.theory);
  EXPECT_DOUBLE_EQ(log.theory->weights_and_optimizer / mib(1), 18143.11);
  EXPECT_DOUBLE_EQ(log.theory->activations / mib(1), 9216);
  EXPECT_DOUBLE_EQ(log.theory->total / mib(1), 27359.11);
}

TEST(MegatronLogs, MemoryThatRunsOutIsAnAnswer) {
  const MegatronLog log =
      read(kCommand +
           "[rank64]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 "
           "has a total capacity of 79.19 GiB of which 1.1 GiB is free.\n");
  EXPECT_TRUE(log.out_of_memory);
  EXPECT_TRUE(log.ranks.empty());
}

TEST(MegatronLogs, AreKnownByTheirMarks) {
  for (const std::string& text : {kOld, kNew, kTheory, kCommand}) {
    EXPECT_TRUE(is_megatron_log(text)) << text;
    EXPECT_FALSE(format_of(text)) << text;
  }
  for (const char* text : {"", "[Rank 0] hello", "# nThread 1 nGpus 8", "{\"kind\": \"training\"}"})
    EXPECT_FALSE(is_megatron_log(text)) << text;
}

TEST(MegatronLogs, BrokenOnesSayWhereAndWhy) {
  struct Broken {
    std::string text;
    std::string code;
    std::string path;
    std::string words;
  };
  const std::string start = "[Rank 0] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: ";
  const Broken cases[] = {
      {"", "missing", "", "says what a rank"},
      {"iteration 1/ 2\n", "missing", "", "says what a rank"},
      {"[Rank 0] (after 1 iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00 | reserved: 3.00 | max "
       "reserved: 3.00\n",
       "missing", "", "second step"},
      {"\n" + start, "wrong-type", ":2", "cut off"},
      {start + "n/a | reserved: 1 | max reserved: 2\n", "wrong-type", ":1", "cut off"},
      {start + "5.0.0 | reserved: 1.00 | max reserved: 9.00\n", "wrong-type", ":1", "cut off"},
      {start + "-5 | reserved: 1.00 | max reserved: 9.00\n", "wrong-type", ":1", "cut off"},
      {start + "5.00 | reserved: 1.00 | max reserved:\n", "wrong-type", ":1", "cut off"},
      {start + "5.00 | reserved: 1.00 | max reserved: 4.00\n", "wrong-type", ":1", "cut off"},
      {"[Rank x] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00\n", "wrong-type", ":1",
       "cut"},
      {"[Rank 1.5] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00\n", "wrong-type", ":1",
       "cut"},
      {"[Rank 99999999999999999999] (after 2 iterations) memory (MB) | allocated: 1.00 | max allocated: 2.00\n",
       "wrong-type", ":1", "cut"},
      {"[Rank 0] (after 2 iterations) memory (MB) | allo\n", "wrong-type", ":1", "cut off"},
      {kOld + "Theoretical memory footprints: weight and optimizer=18143.11 MB, activat\n", "wrong-type", ":2", "cut"},
      {kOld + "Theoretical memory footprints: weight and optimizer=", "wrong-type", ":2", "cut"}};
  for (const Broken& one : cases) {
    const auto log = import_megatron_log(one.text);
    ASSERT_FALSE(log) << one.text;
    EXPECT_EQ(log.error().front().code, one.code) << one.text;
    EXPECT_EQ(log.error().front().path, one.path) << one.text;
    EXPECT_NE(log.error().front().message.find(one.words), std::string::npos) << log.error().front().message;
  }
}

/// Every prefix and every changed byte of a log is read or refused.
TEST(MegatronLogs, DamageIsReadOrRefused) {
  const std::string whole = kCommand + kPrinted + kTheory + kNew + kOld;
  for (std::size_t length = 0; length <= whole.size(); ++length)
    if (const auto log = import_megatron_log(whole.substr(0, length)); log) {
      EXPECT_TRUE(!log->ranks.empty() || log->out_of_memory) << length;
    }
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char c : {'\0', '\n', '9', '[', '\xff'}) {
      std::string text = whole;
      text[at] = c;
      if (const auto log = import_megatron_log(text); !log) {
        EXPECT_FALSE(log.error().front().message.empty());
      }
    }
}

}  // namespace
}  // namespace podwright::megatron_log_test
