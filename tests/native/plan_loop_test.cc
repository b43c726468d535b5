/// The whole loop by the program as a stranger would use it, from the profile of a machine on: verdicts, calibration, a
/// plan that changes with it, and what the machine keeps of the plan.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

#include "base/json_read.h"
#include "base/json_write.h"
#include "native/runs.h"

namespace podwright::probes::plan_loop_test {
namespace {

/// A request for the processors of `calibration`, by their id or as the object of their peaks alone.
std::string request_for(const JsonNode& calibration, bool by_id) {
  const JsonNode& gpu = *calibration.find("devices")->items.front().find("gpu");
  JsonWriter out;
  out.begin_object();
  out.text("kind", "serving");
  out.text("model", "llama-3.2-1b");
  out.key("gpu");
  out.verbatim(by_id ? json_text(*gpu.find("id")) : json_text(gpu));
  out.number("gpu_count", 1);
  out.text("weight_precision", "bf16");
  out.text("engine", "vllm");
  out.number("input_tokens", 128);
  out.number("output_tokens", 64);
  out.begin_object("load");
  out.number("concurrency", 1);
  out.end_object();
  out.end_object();
  return out.take();
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = scratch(name);
  std::ofstream(path) << text;
  return path;
}

JsonNode node_of(const std::string& text) {
  auto node = parse_json(text);
  EXPECT_TRUE(node) << text.substr(0, 500);
  return node ? std::move(*node) : JsonNode{};
}

double latency(const JsonNode& answer, const char* key) {
  const JsonNode* latency = answer.find("latency");
  return latency == nullptr || latency->find(key) == nullptr ? NAN : latency->find(key)->number;
}

TEST(PlanLoop, ProcessorsThatWereMeasuredArePlannedOn) {
  const std::string profile = written("loop_profile.json", profile_text(scripted_processors()));
  const std::string log = scratch("loop.log");
  ASSERT_EQ(Program({"verify", profile}, {}, log).wait(), 1) << "processors have no norms";
  EXPECT_NE(file_text(log).find("unjudged"), std::string::npos) << file_text(log);

  const std::string file = scratch("loop_calibration.json");
  ASSERT_EQ(Program({"calibrate", profile, "-o", file}, {}, log).wait(), 0) << file_text(log + ".err");
  EXPECT_NE(file_text(log).find("requests name this machine"), std::string::npos) << file_text(log);
  const JsonNode calibration = node_of(file_text(file));
  ASSERT_NE(calibration.find("devices"), nullptr);

  const std::string known = written("loop_known.json", request_for(calibration, true));
  const std::string sheet = written("loop_sheet.json", request_for(calibration, false));
  EXPECT_EQ(Program({"estimate", known}, {}, log).wait(), 2) << "without its calibration nobody knows this machine";
  ASSERT_EQ(Program({"estimate", sheet, "--json"}, {}, log).wait(), 0) << file_text(log);
  const JsonNode before = node_of(file_text(log));
  ASSERT_EQ(Program({"estimate", known, "--calibration", file, "--json"}, {}, log).wait(), 0) << file_text(log);
  const JsonNode after = node_of(file_text(log));
  EXPECT_NE(latency(before, "tpot_s"), latency(after, "tpot_s"));
  const auto width = [](const JsonNode& answer) {
    return std::log(latency(answer, "tpot_s_high") / latency(answer, "tpot_s_low"));
  };
  EXPECT_LE(width(after), width(before));
  ASSERT_NE(after.find("calibrations"), nullptr);

  const int kept = Program({"verify", sheet, profile, "--json"}, {}, log).wait();
  const JsonNode verified = node_of(file_text(log));
  EXPECT_TRUE(kept == 0 || kept == 1);
  ASSERT_NE(verified.find("plan"), nullptr);
  EXPECT_FALSE(verified.find("plan")->find("figures")->items.empty());
  EXPECT_FALSE(verified.find("verdicts")->items.empty());
}

TEST(PlanLoop, ACalibrationThatIsNoneIsRefused) {
  const std::string log = scratch("refused.log");
  const std::string request = written("refused_request.json", R"({"kind":"serving"})");
  const std::string none = written("none.json", R"({"schema":"podwright-profile/1.0"})");
  EXPECT_EQ(Program({"estimate", request, "--calibration", none}, {}, log).wait(), 2);
  EXPECT_NE(file_text(log + ".err").find("/schema"), std::string::npos) << file_text(log + ".err");
  EXPECT_EQ(Program({"calibrate", none, "-o", scratch("never.json")}, {}, log).wait(), 2);
  EXPECT_EQ(Program({"verify", request, none}, {}, log).wait(), 2);
}

}  // namespace
}  // namespace podwright::probes::plan_loop_test
