#include "api/host_request.h"

#include <gtest/gtest.h>

#include <string>

#include "api/answer.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "calibration/synthetic_h100.h"
#include "measure/foreign_samples.h"
#include "measure/sample_profile.h"

namespace podwright::import_request_test {
namespace {

std::string quoted(const std::string& text) {
  JsonWriter out;
  out.text(text);
  return out.take();
}

std::string import_of(const std::vector<std::string>& texts, const std::string& more = "") {
  std::string files;
  for (const std::string& text : texts)
    files += (files.empty() ? "" : ",") + (R"({"name":"a file","text":)" + quoted(text)) + "}";
  return R"({"kind":"import","files":[)" + files + "]" + more + "}";
}

JsonNode answered(const std::string& request) {
  const Answer answer = answer_request(embedded_catalog_facts(), request);
  EXPECT_EQ(answer.outcome, Outcome::answer) << answer.text.substr(0, 400);
  EXPECT_EQ(answer.text.find('\n'), std::string::npos) << "of a line of --jsonl the answer is one line";
  const auto node = parse_json(answer.text);
  EXPECT_TRUE(node) << answer.text.substr(0, 400);
  return node ? *node : JsonNode{};
}

/// First error: code and path.
std::string first_error(const std::string& request) {
  const auto answer = parse_json(answer_request(embedded_catalog_facts(), request).text);
  const JsonNode* error = answer->find("error");
  return error == nullptr ? "none" : error->find("code")->text + " " + error->find("path")->text;
}

TEST(Import, TellsOfEachFileAndJoinsThem) {
  const JsonNode answer = answered(import_of({kLog, kBandwidth}));
  ASSERT_EQ(answer.find("files")->items.size(), 2U);
  const JsonNode& log = answer.find("files")->items.front();
  EXPECT_EQ(log.find("format")->text, "nvidia-smi");
  EXPECT_EQ(log.find("identifiers")->items.size(), 2U);
  EXPECT_EQ(answer.find("profile")->find("devices")->items.size(), 2U);
  EXPECT_EQ(answer.find("profile_digest")->text, answer.find("profile")->find("integrity")->find("digest")->text);
  EXPECT_TRUE(answer.find("serving")->items.empty());
  EXPECT_EQ(json_text(answer).find("secret"), std::string::npos);
}

TEST(Import, AServingMeasurementHasFiguresAndNoProfile) {
  for (const std::string& text : {kVllm, kAiperf}) {
    const JsonNode answer = answered(import_of({text}));
    EXPECT_EQ(answer.find("profile"), nullptr);
    const JsonNode& serving = answer.find("serving")->items.front();
    EXPECT_EQ(serving.find("output_tokens_per_s")->number, 1280);
    EXPECT_EQ(serving.find("ttft_s")->number, 0.08);
    EXPECT_EQ(serving.find("tpot_s_p99")->number, 0.02);
    EXPECT_EQ(serving.find("output_tokens")->number, 128);
  }
}

TEST(Import, RunsOfOneFileAreListedEach) {
  std::string line = kVllm;
  for (char& c : line)
    if (c == '\n') c = ' ';
  const JsonNode answer = answered(import_of({line + "\n" + line + "\n", kAiperf}));
  ASSERT_EQ(answer.find("serving")->items.size(), 3U);
  EXPECT_EQ(answer.find("serving")->items[1].find("requests")->number, 200);
  EXPECT_EQ(answer.find("files")->items.size(), 2U);
}

TEST(Import, ATrainingRunHasItsStep) {
  const auto entry = [](const std::string& key, const std::string& value, const std::string& time,
                        const std::string& more = "") {
    return R"(:::MLLOG {"key":")" + key + R"(","value":)" + value + R"(,"time_ms":)" + time + R"(,"metadata":{)" +
           more + "}}\n";
  };
  const JsonNode answer = answered(import_of(
      {entry("submission_benchmark", "\"llama31_8b\"", "1") + entry("global_batch_size", "32", "1") +
       entry("max_sequence_length", "8192", "1") + entry("run_start", "null", "1000") +
       entry("block_stop", "null", "161000", R"("samples_count":640)") + entry("run_stop", "null", "161000")}));
  const JsonNode& training = answer.find("training")->items.front();
  EXPECT_EQ(training.find("step_time_s")->number, 8);
  EXPECT_EQ(training.find("model")->text, "llama-3.1-8b");
}

TEST(Import, AProfileStandsBesideItsDataSheet) {
  const JsonNode answer = answered(import_of({profile_text(synthetic_h100_host({.gpus = 2}))}));
  bool product = false, link = false;
  for (const JsonNode& rate : answer.find("rates")->items) {
    ASSERT_NE(rate.find("unit"), nullptr);
    EXPECT_LE(rate.find("measured_low")->number, rate.find("measured")->number);
    if (rate.find("operation")->text == "gemm" && rate.find("precision")->text == "bf16") {
      product = true;
      EXPECT_NEAR(rate.find("data_sheet")->number, 989.4, 1);
      EXPECT_NEAR(rate.find("share")->number, rate.find("measured")->number / rate.find("data_sheet")->number, 1e-12);
      EXPECT_NE(rate.find("planned_without"), nullptr);
    }
    if (rate.find("operation")->text == "host-link") {
      link = true;
      EXPECT_EQ(rate.find("data_sheet"), nullptr);  // a data sheet's generation is no rate of the slot
    }
  }
  EXPECT_TRUE(product && link);
  ASSERT_EQ(answer.find("rooflines")->items.size(), 2U);  // bf16 and fp8
  const JsonNode& sheet = *answer.find("rooflines")->items.front().find("data_sheet");
  EXPECT_NEAR(sheet.find("ridge_flop_per_byte")->number,
              sheet.find("tflops")->number * 1e3 / sheet.find("memory_gb_per_s")->number, 1e-9);
}

TEST(Import, WithAnEarlierProfileTellsWhatChanged) {
  const std::string before = profile_text(synthetic_h100_host({.gpus = 1}));
  const std::string after = profile_text(synthetic_h100_host({.gpus = 1, .speed = 0.8}));
  const JsonNode answer = answered(import_of({after}, R"(,"before":)" + before));
  const JsonNode& changes = *answer.find("changes");
  ASSERT_FALSE(changes.find("results")->items.empty());
  for (const JsonNode& one : changes.find("results")->items) {
    EXPECT_TRUE(one.find("beyond_noise")->boolean);
    if (one.find("probe")->text == "decode.weights") {
      EXPECT_NEAR(one.find("time_ratio")->number, 1.25, 0.01);
    }
  }
  const JsonNode same = answered(import_of({before}, R"(,"before":)" + before));
  for (const JsonNode& one : same.find("changes")->find("results")->items) {
    EXPECT_EQ(one.find("time_ratio")->number, 1);
    EXPECT_FALSE(one.find("beyond_noise")->boolean);
  }
}

TEST(Import, AFileThatCannotBeReadIsLeftOutAndNamed) {
  const JsonNode answer = answered(import_of({kLog, "this is no file of any program"}));
  EXPECT_EQ(answer.find("files")->items.size(), 1U);
  ASSERT_EQ(answer.find("refused")->items.size(), 1U);
  const JsonNode& refused = answer.find("refused")->items.front();
  EXPECT_EQ(refused.find("place")->number, 1);
  EXPECT_EQ(refused.find("errors")->items.front().find("path")->text, "/files/1/text");
  EXPECT_EQ(refused.find("could_be")->items.size(), kReadAsWords.size());
  EXPECT_EQ(answered(import_of({kLog})).find("refused"), nullptr);
}

TEST(Import, APersonsWordOnTheGpuGoesIntoTheVerdict) {
  const JsonNode answer = answered(import_of({kLog}, R"(,"gpus":[{"gpu":"h100-pcie-80gb"}])"));
  const std::string profile = json_text(*answer.find("profile"));
  const JsonNode judged =
      *parse_json(answer_request(embedded_catalog_facts(), R"({"kind":"verify","profile":)" + profile + "}").text);
  const JsonNode& device = judged.find("devices")->items.front();
  EXPECT_EQ(device.find("gpu")->text, "h100-pcie-80gb");
  EXPECT_EQ(device.find("key_match")->text, "chosen");
  // Half of the lanes and 600 of 700 W.
  EXPECT_EQ(device.find("state")->text, "look");
  EXPECT_EQ(device.find("says")->find("message")->text,
            "GPU 0 needs a look: a power limit of 600 W (700 W by default), a PCIe link of 8 lanes (16 are possible).");
  EXPECT_EQ(device.find("next_steps")->items.front().find("command")->text, "nvidia-smi -i 0 -pl 700");
  EXPECT_EQ(judged.find("verdict_of_all")->find("message")->text, "1 of 1 GPUs needs a look.");
}

TEST(Import, ErrorsStandAtTheirPlace) {
  EXPECT_EQ(first_error(import_of({"hello"})), "wrong-type /files/0/text");
  EXPECT_EQ(first_error(import_of({with(kBandwidth, "55.32", "fast")})),
            "wrong-type /files/0/text/nvbandwidth/testcases/0/bandwidth_matrix/0/1");
  EXPECT_EQ(first_error(import_of({kLog}, R"(,"gpus":[{"gpu":"h1000"}])")), "unknown-id /gpus/0/gpu");
  EXPECT_EQ(first_error(import_of({kLog}, R"(,"gpus":[{"device":"d9","gpu":"l4"}])")), "unknown-id /gpus/0/device");
  EXPECT_EQ(first_error(import_of({kLog}, R"(,"before":{})")), "missing /before/schema");
  EXPECT_EQ(first_error(import_of({kLog}, R"(,"before":7)")), "wrong-type /before");
}

}  // namespace
}  // namespace podwright::import_request_test
