/// Files that people hand to the program: damaged profiles, files of other programs, and the codes that it ends with.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json_read.h"
#include "calibration/synthetic_h100.h"
#include "measure/engine_samples.h"
#include "measure/foreign_samples.h"
#include "measure/sample_profile.h"
#include "native/runs.h"

namespace podwright::probes::profile_files_test {
namespace {

struct Ended {
  int code = -1;
  std::string out, err;
};

std::string kept(const std::string& name, const std::string& text) {
  const std::string path = scratch(name);
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

Ended run_program(const std::vector<std::string>& arguments) {
  const std::string log = scratch("log");
  Program program(arguments, {}, log);
  Ended ended;
  ended.code = program.wait();
  ended.out = file_text(log);
  ended.err = file_text(log + ".err");
  return ended;
}

struct Damaged {
  std::string text;
  const char* path;   ///< that the message names
  const char* cause;  ///< word of the message
};

std::vector<Damaged> damaged_files() {
  const std::string whole = profile_text(sample_profile());
  const auto changed = [](const char* patch) { return changed_profile(patch); };
  return {
      // Profiles.
      {"", "", "empty"},
      {"\n\n", "", "empty"},
      {"{}", "/schema", "missing"},
      {"{\"schema\":", "", "JSON"},
      {whole.substr(0, whole.size() / 2), "", "JSON"},
      {whole.substr(1), "", "No known program"},
      {with(whole, "\"seed\":7", "\"seed\":8"), "/integrity/digest", "digest"},
      {with(whole, "NVIDIA H200", "NVIDIA H100"), "/integrity/digest", "digest"},
      {with(whole, "NVIDIA H200", "NVIDIA\\u0020H200"), "", "canonical"},
      {changed(R"({"schema":null})"), "/schema", "missing"},
      {changed(R"({"schema":"podwright-profile/2.0"})"), "/schema", "not a schema that can be read"},
      {changed(R"({"run":{"mode":"slow"}})"), "/run/mode", "slow"},
      {changed(R"({"run":{"exit_code":9}})"), "/run/exit_code", "9"},
      {changed(R"({"run":{"complete":null}})"), "/run/complete", "missing"},
      {changed(R"({"run":[]})"), "/run", "object"},
      {changed(R"({"tool":{"nmae":"x"}})"), "/tool/nmae", "nmae"},
      {changed(R"({"host":{"cores":"many"}})"), "/host/cores", "number"},
      {changed(R"({"devices":{}})"), "/devices", "list"},
      {changed(R"({"devices":[{"id":"d0"}]})"), "/devices/0/kind", "missing"},
      {changed(R"({"devices":[{"id":"d1","kind":"gpu"}]})"), "/results/0/devices/0", "d0"},
      {changed(R"({"devices":[{"id":"d0","kind":"gpu","pcie_width":0}]})"), "/devices/0/pcie_width", "0"},
      {changed(R"({"limits":[1]})"), "/limits/0", ""},
      {changed(R"({"weather":"rain"})"), "/weather", "weather"},
      // Files of other programs.
      {R"({"nvbandwidth":{}})", "/nvbandwidth/testcases", "missing"},
      {R"({"nvbandwidth":{"testcases":[]}})", "/nvbandwidth/testcases", "No test"},
      {with(kBandwidth, "55.32", "fast"), "/nvbandwidth/testcases/0/bandwidth_matrix/0/1", "GB/s"},
      {kBandwidth.substr(0, kBandwidth.size() - 5), "", "JSON"},
      {with(kCollective, "15.64", "-1.0"), ":6", "positive"},
      {with(kCollective, "all_reduce_perf", "x"), "/collective", "collective"},
      {kCollective.substr(0, 100), "", ""},
      {kLog.substr(0, kLog.size() - 10), "/nvidia_smi_log", "not closed"},
      {with(kLog, "</gpu>", ""), "/nvidia_smi_log/gpu/0", "not closed"},
      {with(kLog, "143771 MiB", "N/A"), "/nvidia_smi_log/gpu/0/fb_memory_usage/total", "memory"},
      {with(kVllm, R"("mean_ttft_ms":80.0)", R"("mean_ttft_ms":"80")"), "/mean_ttft_ms", ""},
      {with(kVllm, R"("duration":20.0)", R"("duration":0)"), "/duration", "0"},
      {with(kAiperf, R"("unit":"ms")", R"("unit":"s")"), "/time_to_first_token/unit", "ms"},
      {"gpu,rate\nd0,5\n", "", "No known program"},
      {"\x89PNG\r\n\x1a\n", "", "No known program"},
  };
}

TEST(ProfileFiles, DamagedOnesTellPathAndCause) {
  const std::vector<Damaged> files = damaged_files();
  EXPECT_GE(files.size(), 30U);
  for (const Damaged& file : files) {
    const Ended ended = run_program({"verify", kept("damaged", file.text)});
    EXPECT_EQ(ended.code, 2) << file.text.substr(0, 80) << '\n' << ended.out << ended.err;
    EXPECT_NE(ended.err.find(file.path), std::string::npos) << file.path << '\n' << ended.err;
    EXPECT_NE(ended.err.find(file.cause), std::string::npos) << file.cause << '\n' << ended.err;
  }
  const Ended absent = run_program({"verify", scratch("no such file")});
  EXPECT_EQ(absent.code, 2);
  EXPECT_NE(absent.err.find("no such file"), std::string::npos) << absent.err;
}

TEST(ProfileFiles, AFlippedByteIsNoticed) {
  const std::string whole = profile_text(sample_profile());
  for (std::size_t i = 0; i < whole.size(); i += 83) {
    std::string flipped = whole;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_EQ(run_program({"verify", kept("flipped", flipped)}).code, 2) << "byte " << i;
  }
}

TEST(ProfileFiles, VerdictsDecideTheCode) {
  HardwareProfile profile = sample_profile();
  // The sample's wrong product of fp8 is a fault.
  Ended ended = run_program({"verify", kept("profile", profile_text(profile))});
  EXPECT_EQ(ended.code, 4) << ended.err;
  EXPECT_NE(ended.out.find("whole, as its own digest says: "), std::string::npos);
  EXPECT_NE(ended.out.find("failed     gemm.fp8 gave a wrong output"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("ok         gemm.bf16 sustained (8192 x 8192 x 8192) 688 TFLOP/s"), std::string::npos)
      << ended.out;

  profile.results.resize(2);
  EXPECT_EQ(run_program({"verify", kept("profile", profile_text(profile))}).code, 0);
  profile.devices.front().memory_allocatable_gib = 100;
  ended = run_program({"verify", kept("profile", profile_text(profile))});
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.out.find("bad        mem.capacity 100 GiB"), std::string::npos) << ended.out;

  // A device that the catalog lacks is no error.
  profile.devices.front().key.clear();
  ended = run_program({"verify", kept("profile", profile_text(profile))});
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.out.find("unjudged   NVIDIA H200 has no entry in the catalog"), std::string::npos) << ended.out;
}

TEST(ProfileFiles, AVerifiedProfileBecomesTheReference) {
  const std::string folder = scratch("reference");
  std::filesystem::create_directories(folder);
  const std::string table = folder + "/reference_rates.csv";
  const std::string good = kept("good.json", profile_text(synthetic_h100_host({.gpus = 1})));
  Ended ended = run_program({"calibrate", good, "--reference", "-o", table});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("rows of h100-sxm5-80gb. sources.json needs"), std::string::npos) << ended.out;
  const std::string calibration = scratch("calibration.json");
  ended = run_program({"calibrate", good, "--catalog", folder, "-o", calibration});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(file_text(calibration).find("\"against\""), std::string::npos);
  EXPECT_EQ(ended.out.find("verdicts only"), std::string::npos) << ended.out;
  ended = run_program({"calibrate", good, "-o", calibration});
  EXPECT_NE(ended.out.find("No reference profile of this GPU yet: verdicts only."), std::string::npos) << ended.out;

  const std::string slow = kept("slow.json", profile_text(synthetic_h100_host({.gpus = 1, .speed = 0.6})));
  ended = run_program({"calibrate", slow, "--reference", "-o", table});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("verdict"), std::string::npos) << ended.err;
  EXPECT_EQ(run_program({"calibrate", good, "--reference"}).code, 2);
}

TEST(ProfileFiles, CalibrationSaysWhatPlansTakeAndWarns) {
  const std::string good = kept("good.json", profile_text(synthetic_h100_host({.gpus = 1})));
  Ended ended = run_program({"calibrate", good});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out.find("its rate"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("not taken   gemm.bf16"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("No reference profile of this GPU yet"), std::string::npos) << ended.out;

  HardwareProfile slow = synthetic_h100_host({.gpus = 1, .speed = 0.6});
  slow.run.backend = "fake";
  slow.run.complete = false;
  const std::string bad = kept("bad.json", profile_text(slow));
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"calibrate", bad}, {"calibrate", bad, "-o", scratch("calibration.json")}}) {
    ended = run_program(command);
    EXPECT_EQ(ended.code, 1) << ended.err;  // fits are shown, plans take none
    for (const char* word : {"scripted devices", "ended early", "bad: gemm.bf16 of d0"})
      EXPECT_NE(ended.err.find(word), std::string::npos) << word << ended.err;
  }

  HardwareProfile nothing = synthetic_h100_host({.gpus = 1});
  nothing.results.clear();
  const std::string empty = kept("empty.json", profile_text(nothing));
  // Its memory is known.
  EXPECT_EQ(run_program({"calibrate", empty}).code, 0);
  EXPECT_EQ(run_program({"calibrate", empty, "-o", scratch("calibration.json")}).code, 0);
  EXPECT_EQ(run_program({"calibrate", scratch("no such file")}).code, 2);
  EXPECT_EQ(run_program({"calibrate", good, "-o", "/nowhere/calibration.json"}).code, 3);
  EXPECT_NE(run_program({"calibrate", "--help"}).out.find("a fit that is refused or finds"), std::string::npos);
}

TEST(ProfileFiles, EveryWayToVerifyEndsWithTheSameCode) {
  const std::string request = kept("request.json", R"({"kind":"serving","model":"llama-3.1-8b","gpu":"h100-sxm5-80gb",
    "gpu_count":1,"weight_precision":"bf16","engine":"vllm","input_tokens":512,"output_tokens":128,
    "load":{"concurrency":8}})");
  for (const auto& [xid, code] : {std::pair("", 0), {"xid:31", 5}, {"xid:79", 4}}) {
    HardwareProfile profile = synthetic_h100_host({.gpus = 1});
    if (*xid != '\0') profile.health_events = {{"d0", xid, "told by the driver"}};
    const std::string file = kept("xid.json", profile_text(profile));
    EXPECT_EQ(run_program({"verify", file}).code, code) << xid;
    EXPECT_EQ(run_program({"verify", file, "--json"}).code, code) << xid;
    const Ended ended = run_program({"verify", request, file});
    EXPECT_EQ(ended.code, code) << xid << ended.out << ended.err;
    EXPECT_EQ(ended.out.rfind("The plan is made for h100-sxm5-80gb. The profile holds 1 of them.\n", 0), 0U)
        << ended.out;
    EXPECT_EQ(ended.out.find("  devices "), std::string::npos) << ended.out;
  }
}

TEST(ProfileFiles, RowsTellTheTypeOfDataAndStandInOrder) {
  HardwareProfile profile = sample_profile();
  profile.results.resize(1);
  for (const auto& [dtype, context, batch] :
       {std::tuple("fp8", 4096, 1), {"bf16", 32768, 1}, {"bf16", 4096, 64}, {"bf16", 4096, 1}}) {
    ProbeResult one = profile.results.front();
    one.probe = "decode.attn";
    one.dtype = dtype;
    one.mode = ProbeMode::burst;
    one.size = {};
    one.size.batch = batch;
    one.size.context_tokens = context;
    profile.results.push_back(one);
  }
  const std::string out = run_program({"verify", kept("attention.json", profile_text(profile))}).out;
  std::size_t last = 0;
  for (const char* row : {"bf16 batch 1 context 4096", "bf16 batch 64 context 4096", "bf16 batch 1 context 32768",
                          "fp8 batch 1 context 4096"}) {
    const std::size_t at = out.find(row);
    ASSERT_NE(at, std::string::npos) << row << "\n" << out;
    EXPECT_GT(at, last) << row;
    last = at;
  }
}

TEST(ProfileFiles, OlderOnesWithProbesThatAreGoneAreStillRead) {
  HardwareProfile profile = sample_profile();
  profile.results.resize(1);
  const char* gone[] = {"layer.train",        "launch.graph.wide", "launch.graph_update",
                        "cpu.coll.allreduce", "pcie.h2d.all",      "pcie.d2h.all"};
  for (const char* probe : gone) {
    profile.results.push_back(profile.results.front());
    profile.results.back().probe = probe;
    profile.results.back().mode = ProbeMode::burst;
  }
  const std::string older = kept("older.json", profile_text(profile));
  const Ended ended = run_program({"verify", older});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  for (const char* probe : gone)
    EXPECT_NE(ended.out.find(std::string("\n  ") + probe + " "), std::string::npos) << probe << ended.out;
  EXPECT_EQ(run_program({"calibrate", older}).code,
            run_program({"calibrate", kept("sample.json", profile_text(sample_profile()))}).code);
}

TEST(ProfileFiles, OfOtherProgramsAreReadAndJoined) {
  const std::string log = kept("log.xml", kLog), links = kept("links.json", kBandwidth);
  Ended ended = run_program({"verify", links});
  EXPECT_EQ(ended.code, 1) << ended.err;  // nothing with a norm
  EXPECT_NE(ended.out.find("output of nvbandwidth"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("host   d1   55.3 GB/s"), std::string::npos) << ended.out;
  for (const std::string& text : {kVllm, kAiperf}) {
    ended = run_program({"verify", kept("serving.json", text)});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("1,280"), std::string::npos) << ended.out;
    EXPECT_EQ(run_program({"calibrate", kept("serving.json", text)}).code, 2);
  }

  // Older nccl-tests do not print which collective they ran: the file's name tells it.
  const std::string unnamed = with(kCollective, "all_reduce_perf", "x");
  for (const char* command : {"verify", "calibrate"}) {
    ended = run_program({command, kept("b200_reduce_scatter.txt", unnamed)});
    EXPECT_NE(ended.out.find("coll.reducescatter"), std::string::npos) << ended.out << ended.err;
    ended = run_program({command, kept("times.txt", unnamed)});
    EXPECT_EQ(ended.code, 2);
    EXPECT_NE(ended.err.find("all_reduce_perf.txt"), std::string::npos) << ended.err;
  }

  const std::string joined = scratch("joined.json");
  ended = run_program({"import", log, links, kept("all_reduce.txt", kCollective), "-o", joined});
  EXPECT_EQ(ended.code, 0) << ended.err;
  ended = run_program({"verify", joined});
  EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
  EXPECT_NE(ended.out.find("h200-sxm5-141gb of the catalog"), std::string::npos) << ended.out;
  EXPECT_EQ(run_program({"calibrate", joined}).code, 0);  // three sizes give no fit, but the memory is known
  EXPECT_EQ(run_program({"import", joined, "-o", scratch("again.json")}).code, 2);
  ended = run_program({"import", log, kept("other.xml", with(kLog, "NVIDIA H200", "NVIDIA L4")), "-o", joined});
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("other.xml is left out"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("NVIDIA L4"), std::string::npos) << ended.err;
}

std::string number_at(const std::string& text, const char* object, const char* key) {
  const auto document = parse_json(text);
  const JsonNode* inside = document ? document->find(object) : nullptr;
  const JsonNode* found = inside == nullptr ? nullptr : inside->find(key);
  return found == nullptr ? "none" : json_text(*found);
}

TEST(ProfileFiles, OfAnEngineBecomePartOfARequest) {
  const std::string log = kept("start.log", kVllmLog), metrics = kept("metrics.txt", kVllmMetrics);
  const std::string patch = scratch("patch.json");
  Ended ended = run_program({"import", log, metrics, "-o", patch});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("748,080"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("a merge patch"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("ip_address; the patch does not"), std::string::npos) << ended.out;
  const std::string written = file_text(patch);
  EXPECT_EQ(number_at(written, "measured", "kv_cache_tokens"), "748080");
  EXPECT_EQ(number_at(written, "measured", "running_sequences"), "71");
  EXPECT_EQ(number_at(written, "measured", "prefix_hit_ratio"), "0.31");
  EXPECT_EQ(number_at(written, "parallelism", "tensor"), "2");
  EXPECT_EQ(written.find("secret"), std::string::npos) << written;

  const std::string request = kept("serving.json", R"({"model":"llama-3.1-70b","gpu":"h200-sxm5-141gb","gpu_count":2,
    "weight_precision":"bf16","engine":"vllm","parallelism":{"tensor":2},"input_tokens":1024,"output_tokens":128,
    "load":{"concurrency":16}})");
  const std::string whole = scratch("measured.json");
  ended = run_program({"import", log, kept("bench.json", kVllm), "--request", request, "-o", whole});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("tpot_factor"), std::string::npos) << ended.out;
  ended = run_program({"estimate", whole});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(ended.out.find("748,080"), std::string::npos) << ended.out;

  ended = run_program({"import", log, "--request", kept("other.json", R"({"parallelism":{"tensor":4}})"), "-o", whole});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("The request says tensor 4, the engine says 2."), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("other.json/parallelism/tensor"), std::string::npos) << ended.err;
  EXPECT_EQ(run_program({"import", kept("serving_only.json", kVllm), "-o", whole}).code, 2);
  ended = run_program({"import", log, kept("links.json", kBandwidth), "-o", whole});
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.err.find("start.log is left out; the other files are read."), std::string::npos) << ended.err;
  ended = run_program({"import", kept("cut.log", kVllmLog.substr(0, 300)), "-o", whole});
  EXPECT_EQ(ended.code, 2);
  EXPECT_NE(ended.err.find("how many tokens the KV cache holds"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace podwright::probes::profile_files_test
