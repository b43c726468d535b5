/// Files of other programs as they are in the world: data/imports.csv says of each what it shows and after which source
/// it was written, with figures and names of our own. And broken ones, made of them: what is wrong, and where.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "base/random.h"
#include "base/words.h"
#include "measure/health.h"
#include "measure/import_files.h"
#include "measure/import_rows.h"
#include "measure/profile_file.h"
#include "support/test_data.h"

namespace podwright::imports_test {
namespace {

/// Numbers from 0 to 1 in their order.
class Random {
 public:
  explicit Random(std::uint64_t seed) : stream_(seed, 0) {}
  double uniform() { return stream_.uniform(counter_++); }

 private:
  random::Stream stream_;
  std::uint64_t counter_ = 0;
};

std::string text_of_file(const std::string& name) {
  return std::string(podwright_test_data("tests/measure/data/imports/" + name));
}

Result<ImportedFiles> imported(const std::string& name, const std::string& text) {
  const std::vector<FileText> files = {{name, text}};
  return import_files(embedded_catalog_facts(), files, "1.0.0");
}

/// "devices=8;results=2": what a file gives, by name.
std::vector<std::pair<std::string, std::string>> expectations(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::string one = text.substr(at, end - at);
    const std::size_t sign = one.find('=');
    pairs.emplace_back(one.substr(0, sign), one.substr(sign + 1));
    at = end + 1;
  }
  return pairs;
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}
std::string number(const std::optional<double>& value) { return value ? number(*value) : "absent"; }

/// What was read, under the names of the expectations.
class Seen {
 public:
  explicit Seen(const ImportedFiles& files) : file_(files.files.front()) {
    if (files.profile) profile_ = &files.profile->profile;
    if (files.engine) engine_ = &*files.engine;
  }

  std::string of(const std::string& name, const std::string& expected) const {
    if (name == "format") return std::string(word_of(file_.format, kFileFormatWords));
    if (profile_ != nullptr) return of_profile(name, expected);
    if (engine_ != nullptr) return of_engine(name);
    if (file_.training) return of_training(name, expected);
    return of_run(name);
  }

 private:
  std::string state_count(HealthState state) const {
    return number(static_cast<double>(std::count_if(profile_->health_checks.begin(), profile_->health_checks.end(),
                                                    [&](const HealthCheck& check) { return check.state == state; })));
  }

  /// The text where one of the list holds it, so that it is as expected.
  template <class List, class Text>
  static std::string holding(const List& list, const std::string& part, Text text) {
    for (const auto& one : list)
      if (text(one).find(part) != std::string::npos) return part;
    return "nothing";
  }

  std::string of_profile(const std::string& name, const std::string& expected) const {
    const HardwareProfile& p = *profile_;
    const auto result = [&]() -> const ProbeResult& { return p.results.front(); };
    if (name == "devices") return number(static_cast<double>(p.devices.size()));
    if (name == "links") return number(static_cast<double>(p.links.size()));
    if (name == "results") return number(static_cast<double>(p.results.size()));
    if (name == "checks") return number(static_cast<double>(p.health_checks.size()));
    if (name == "usable")
      return number(static_cast<double>(
          std::count_if(p.results.begin(), p.results.end(), [](const ProbeResult& one) { return one.usable(); })));
    if (name == "probe") return result().probe;
    if (name == "ranks") return number(result().size.ranks);
    if (name == "nodes") return number(result().size.nodes);
    if (name == "dtype") return result().dtype;
    if (name == "samples") return number(result().time_s->n);
    if (name == "time0")
      return std::fabs(result().time_s->median / std::strtod(expected.c_str(), nullptr) - 1) < 1e-6
                 ? expected
                 : number(result().time_s->median);
    if (name == "name") return p.devices.front().name;
    if (name == "device") return holding(p.devices, expected, [](const auto& one) { return one.id; });
    if (name == "driver") return p.environment.driver;
    if (name == "nccl") return p.environment.nccl;
    if (name == "has") return holding(p.results, expected, [](const auto& one) { return one.probe; });
    if (name == "says" || name == "says2") return holding(p.limits, expected, [](const auto& one) { return one; });
    if (name == "seen") return holding(p.health_checks, expected, [](const auto& one) { return one.seen; });
    if (name == "state0") return std::string(word_of(p.health_checks.front().state, kHealthStateWords));
    if (name == "failed") return state_count(HealthState::failed);
    if (name == "warned") return state_count(HealthState::warning);
    if (name == "unknown") return state_count(HealthState::unknown);
    if (name == "host")
      return number(static_cast<double>(std::count_if(p.health_checks.begin(), p.health_checks.end(),
                                                      [](const HealthCheck& one) { return one.device == "host"; })));
    if (name == "exit") return number(exit_code());
    return "no such name";
  }

  /// As `verify` ends: 4 where a check failed or an output was wrong.
  double exit_code() const {
    ProbeExit worst = ProbeExit::ok;
    for (const HealthFinding& finding : health_findings(*profile_)) worst = std::max(worst, exit_of(finding.gravity));
    for (const ProbeResult& one : profile_->results)
      if (one.check.status == CheckStatus::fail) worst = std::max(worst, ProbeExit::fault);
    return static_cast<double>(worst);
  }

  std::string of_engine(const std::string& name) const {
    if (name == "engine") return engine_->engine;
    if (name == "version") return engine_->version;
    if (name == "kv_precision") return engine_->kv_precision;
    for (const EngineFact& fact : kEngineFacts)
      if (fact.key == name) return number((*engine_).*fact.value);
    return "no such name";
  }

  std::string of_training(const std::string& name, const std::string& expected) const {
    const TrainingMeasurement& m = *file_.training;
    if (name == "step")
      return std::fabs(m.step_time_s - std::strtod(expected.c_str(), nullptr)) < 1e-6 ? expected
                                                                                      : number(m.step_time_s);
    if (name == "model") return m.model;
    if (name == "adapter") return m.adapter;
    if (name == "samples") return number(m.samples);
    if (name == "note") return m.note.find(expected) != std::string::npos ? expected : m.note;
    return "no such name";
  }

  std::string of_run(const std::string& name) const {
    const ServingMeasurement& m = file_.serving.front();
    const std::map<std::string, std::optional<double>> figures = {
        {"runs", static_cast<double>(file_.serving.size())},
        {"concurrency", m.concurrency},
        {"rate", m.request_rate_per_s},
        {"requests", m.requests},
        {"duration_s", m.duration_s},
        {"requests_per_s", m.requests_per_s},
        {"output_tokens_per_s", m.output_tokens_per_s},
        {"total_tokens_per_s", m.total_tokens_per_s},
        {"input_tokens", m.input_tokens},
        {"output_tokens",
         m.output_tokens ? std::optional<double>(std::round(*m.output_tokens * 100) / 100) : m.output_tokens},
        {"ttft_s", m.ttft_s},
        {"tpot_s", m.tpot_s},
        {"gpus", m.gpus},
        {"tensor", m.tensor},
        {"fast", m.as_fast_as_it_can ? 1 : 0},
        {"disaggregated", m.disaggregated ? 1 : 0},
        {"no_ttft", m.ttft_s ? 0 : 1},
    };
    if (const auto found = figures.find(name); found != figures.end()) return number(found->second);
    const std::map<std::string, std::string> words = {
        {"tool", m.tool}, {"model", m.model}, {"gpu", m.gpu}, {"engine", m.engine}, {"note", m.note}};
    const auto found = words.find(name);
    return found == words.end() ? "no such name" : found->second;
  }

  const ImportedFile& file_;
  const HardwareProfile* profile_ = nullptr;
  const EngineFacts* engine_ = nullptr;
};

CsvTable table() {
  auto read = parse_csv(podwright_test_data("tests/measure/data/imports.csv"));
  EXPECT_TRUE(read);
  return std::move(*read);
}

TEST(Imports, OfRealShapesGiveWhatTheyHold) {
  const CsvTable files = table();
  EXPECT_GE(files.rows.size(), 60U);
  for (const CsvTable::Row& row : files.rows) {
    SCOPED_TRACE(row.cells[0] + ": " + row.cells[1]);
    EXPECT_FALSE(row.cells[2].empty());
    const std::string text = text_of_file(row.cells[0]);
    ASSERT_FALSE(text.empty());
    const auto read = imported(row.cells[0], text);
    EXPECT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
    if (!read) continue;
    const Seen seen(*read);
    for (const auto& [name, expected] : expectations(row.cells[3]))
      EXPECT_EQ(seen.of(name, expected), expected) << name;
    // What is taken and what is not is named, and nothing of the names that the files hold is kept.
    EXPECT_FALSE(read->files.front().fields.used.empty());
    if (!read->profile) continue;
    const std::string kept = profile_text(read->profile->profile);
    EXPECT_TRUE(read_profile(kept));
    for (const char* secret : {"node-1", "operator", "16500000", "13200000", "3f1d2c4b"})
      EXPECT_EQ(kept.find(secret), std::string::npos) << secret;
  }
}

TEST(Imports, DoNotDependOnTheEndsOfLines) {
  for (const CsvTable::Row& row : table().rows) {
    SCOPED_TRACE(row.cells[0]);
    std::string text = text_of_file(row.cells[0]);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 2))
      text.replace(at, 1, "\r\n");
    const auto read = imported(row.cells[0], text);
    EXPECT_TRUE(read) << read.error().front().message;
    if (!read) continue;
    const Seen seen(*read);
    for (const auto& [name, expected] : expectations(row.cells[3]))
      EXPECT_EQ(seen.of(name, expected), expected) << name;
  }
}

struct Broken {
  std::string file;
  std::string from;  ///< what is replaced; empty: the file is `to` itself
  std::string to;
  std::string path;   ///< behind "/0/text"
  std::string cause;  ///< in message or hint
};

std::vector<Broken> broken_files() {
  return {
      // nccl-tests
      {"nccl_json_8_gpus.json", "\"time\": 64.9", "\"time\": -64.9", "/results/0/out_of_place/time", "-64.9"},
      {"nccl_json_8_gpus.json", "\"time\": 64.9", "\"time\": \"nan\"", "/results/0/out_of_place/time", "number"},
      {"nccl_json_8_gpus.json", "\"time\": 64.9", "\"time\": 1e400", "", "JSON"},
      {"nccl_json_8_gpus.json", "\"size\": 8388608", "\"size\": \"8M\"", "/results/0/size", "number"},
      {"nccl_json_8_gpus.json", "\"size\": 8388608,", "", "/results/0/size", "missing"},
      {"nccl_json_8_gpus.json", "\"devices\"", "\"device\"", "/config/devices", "missing"},
      {"nccl_json_8_gpus.json", "./build/all_reduce_perf", "./build/x", "/collective", "collective"},
      {"nccl_json_8_gpus.json", "\"ngpus\": 8", "\"ngpus\": 0", "/config/ngpus", "1"},
      {"nccl_json_mpi_16.json", "\"nthreads\": 1", "\"nthreads\": 1000", "/config/devices", "10,000"},
      {"nccl_json_8_gpus.json", "\"time\": 64.9", "\"cpu_time\": 64.9", "", ""},
      {"nccl_json_8_gpus.json", "\"size\": 8388608", "\"size\": 8388608, \"size\": 1", "", "twice"},
      {"nccl_2_nodes_mpi.txt", "181.2", "-181.2", ":", "positive"},
      {"reduce_scatter_h200.txt", " 341.0 ", " fast ", ":", "positive"},
      {"all_reduce_wrong.txt", "#  Rank", "#  Rang", ":", "Rank"},
      // nvbandwidth
      {"nvb_copy_engines.json", "\"396.12\"", "\"NaN\"", "/nvbandwidth/testcases/2/bandwidth_matrix/0/1", "GB/s"},
      {"nvb_copy_engines.json", "\"396.12\"", "\"-396.12\"", "/nvbandwidth/testcases/2/bandwidth_matrix/0/1", "GB/s"},
      {"nvb_latency.json", "\"640.1\"", "\"640 us\"", "/nvbandwidth/testcases/1/bandwidth_matrix/0/1", "ns"},
      {"nvb_multinode.json", "\"bandwidth_matrix\": [", "\"bandwidth_matrix\": [[\"1\"],",
       "/nvbandwidth/testcases/0/bandwidth_matrix/1", "cells"},
      {"nvb_waived.json", "Passed", "Running", "/nvbandwidth/testcases", "No test passed"},
      // dcgmi diag
      {"dcgm4_pass.json", "\"Pass\"", "\"Maybe\"", "/DCGM Diagnostic/test_categories/0/tests/0/results/0/status",
       "Maybe"},
      {"dcgm4_pass.json", "\"entity_id\": 0,\n", "\"entity_id\": -3,\n", "", ""},
      {"dcgm4_pass.json", "\"tests\"", "\"test\"", "/DCGM Diagnostic/test_categories/0/tests", "missing"},
      {"dcgm3_pass.json", "\"gpu_id\": \"0\"", "\"gpu_id\": \"zero\"",
       "/DCGM Diagnostic/test_categories/1/tests/0/results/0/gpu_id", "number"},
      {"", "", R"({"DCGM Diagnostic":{"runtime_error":"The hostengine is not running","version":"4.2.3"}})",
       "/DCGM Diagnostic/runtime_error", "hostengine"},
      {"", "", R"({"DCGM Diagnostic":"DCGM Multi-Node Diagnostic","hosts":[]})", "/DCGM Diagnostic", "several hosts"},
      // load generators
      {"sglang_three_runs.jsonl", "\"mean_tpot_ms\": 10.0", "\"mean_tpot_ms\": null", ":2/mean_tpot_ms", "number"},
      {"sglang_three_runs.jsonl", "\"p99_ttft_ms\": 206.0", "\"p99_ttft_ms\": -206.0", ":2/p99_ttft_ms", "-206"},
      {"sglang_three_runs.jsonl", "\"concurrency\": 63.6", "\"concurrency\": 63.6}}", ":3", "JSON"},
      {"vllm_bench_2025.json", "\"total_input_tokens\": 327680", "\"total_input_tokens\": [1024]",
       "/total_input_tokens", "list"},
      {"vllm_bench_2025.json", "\"completed\": 320", "\"completed\": 0", "/completed", "0"},
      {"aiperf_chat.json", "\"unit\": \"ms\",\n  \"avg\": 120.0", "\"unit\": \"s\",\n  \"avg\": 120.0",
       "/time_to_first_token/unit", "expected ms"},
      {"aiperf_chat.json", "\"unit\": \"tokens/sec\",\n  \"avg\": 960.0", "\"unit\": \"tokens/min\",\n  \"avg\": 960.0",
       "/output_token_throughput/unit", "tokens/sec"},
      {"genai_perf.json", "\"inter_token_latency\": {", "\"inter_token\": {", "/inter_token_latency", "missing"},
      {"guidellm_0_3_sweep.json", "\"requests_per_second\": {", "\"requests\": {",
       "/benchmarks/0/metrics/requests_per_second/successful", "missing"},
      {"guidellm_0_3_sweep.json", "\"duration\": 30.0", "\"duration\": -30.0", "/benchmarks/0/duration", "-30"},
      {"", "", R"({"benchmarks":[],"metadata":{"guidellm_version":"0.7.3"}})", "/benchmarks", "No benchmark"},
      {"inferencex_list.json", "\"conc\": 8", "\"conc\": \"eight\"", "/1/conc", "number"},
      {"inferencex_record.json", "\"isl\": 1024,", "", "/isl", "missing"},
      {"llm_d_0_2.json", "\"units\": \"s\",", "\"units\": \"h\",",
       "/results/request_performance/aggregate/latency/time_to_first_token/units", "\"h\""},
      {"llm_d_0_2.json", "\"mean\": 0.41", "\"mean\": true",
       "/results/request_performance/aggregate/latency/time_to_first_token/mean", "number"},
      // MLPerf
      {"mlperf_offline.txt", "82.7416", "many", ":7", "many"},
      {"mlperf_offline.txt", "PerformanceOnly", "AccuracyOnly", "", "AccuracyOnly"},
      {"mlperf_detail.txt", "\"value\": 39.2,", "\"value\": 39.2,,", ":6", "damaged"},
      {"mlperf_lora.txt", "\"key\": \"run_stop\"", "\"key\": \"run_stopped\"", "", "did not reach its end"},
      {"mlperf_lora.txt", "\"key\": \"global_batch_size\", \"value\": 8",
       "\"key\": \"global_batch_size\", \"value\": \"8\"", ":6", "number"},
      {"mlperf_lora.txt", "llama2_70b_lora", "resnet", ":3", "resnet"},
      // logs
      {"vllm_v0_blocks.log", "# GPU blocks: 715", "# GPU blocks: none", "", "how many tokens"},
      {"vllm_v1_graph_pool.log", "GPU KV cache size: 447,408",
       "GPU KV cache size: 1,000 tokens\nGPU KV cache size: 447,408", ":5", "1,000"},
      // of no program
      {"", "", std::string("\xFF\xFE{\0\"\0", 6), "", "UTF-16"},
      {"", "", "[[1, 2], [3]]", "", "JSON list"},
      {"", "", "version: '0.2'\nresults:\n  request_performance:\n    aggregate:\n", "", "YAML"},
      {"", "", "+---------------------------+\n| Diagnostic                | Result |\n", "", "-j writes the file"},
  };
}

TEST(Imports, BrokenOnesSayWhereAndWhy) {
  const std::vector<Broken> files = broken_files();
  EXPECT_GE(files.size(), 40U);
  std::size_t refused = 0;
  for (const Broken& one : files) {
    SCOPED_TRACE(one.file + " with " + one.to);
    std::string text = one.to;
    if (!one.file.empty()) {
      text = text_of_file(one.file);
      const std::size_t at = text.find(one.from);
      ASSERT_NE(at, std::string::npos) << one.from;
      // A mark that every line or test has is replaced everywhere.
      const bool everywhere = one.from == "#  Rank" || one.from == "Passed";
      text.replace(at, one.from.size(), one.to);
      for (std::size_t next = text.find(one.from, at + one.to.size()); everywhere && next != std::string::npos;
           next = text.find(one.from, next + one.to.size()))
        text.replace(next, one.from.size(), one.to);
    }
    const auto read = imported("file", text);
    if (one.cause.empty() && one.path.empty()) continue;  // is told below
    EXPECT_FALSE(read);
    if (read) continue;
    ++refused;
    const Error& first = read.error().front();
    EXPECT_EQ(first.path.rfind("/0/text" + one.path, 0), 0U) << first.path << " " << first.message;
    EXPECT_NE((first.message + " " + first.hint).find(one.cause), std::string::npos) << first.message;
    EXPECT_FALSE(first.hint.empty());
  }
  EXPECT_GE(refused, 40U);
}

TEST(Imports, PartsThatAreLeftOutAreNamed) {
  // A row with the time of the processor alone does not keep the others from being read.
  std::string text = text_of_file("nccl_json_8_gpus.json");
  text.replace(text.find("\"time\": 64.9"), 6, "\"cpu_time\"");
  const auto read = imported("file", text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->profile->profile.results.size(), 1U);
  EXPECT_NE(read->profile->profile.limits.back().find("1 rows have only the time of the processor"), std::string::npos);
}

/// Files cut at any place, and with bytes changed, are read whole or refused with a message; none is a crash.
TEST(Imports, CutAndChangedFilesAreReadOrRefused) {
  const CsvTable files = table();
  Random random(20261130);
  int refused = 0, tried = 0;
  for (int round = 0; round < 6; ++round)
    for (const CsvTable::Row& row : files.rows) {
      std::string text = text_of_file(row.cells[0]);
      if (round % 2 == 0) {
        text.resize(static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size())));
      } else {
        for (int change = 0; change < 5; ++change)
          text[static_cast<std::size_t>(random.uniform() * static_cast<double>(text.size()))] =
              static_cast<char>(static_cast<unsigned char>(random.uniform() * 256));
      }
      ++tried;
      const auto read = imported(row.cells[0], text);
      if (read) continue;
      ++refused;
      EXPECT_FALSE(read.error().front().message.empty());
      EXPECT_EQ(read.error().front().path.rfind("/0/text", 0), 0U) << row.cells[0] << read.error().front().path;
    }
  EXPECT_GE(tried, 200);
  EXPECT_GE(refused, 100);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

Result<ImportedRows> rows_of(const std::string& file, const std::vector<RowCell>& cells) {
  const auto read = imported("run/" + file, text_of_file(file));
  EXPECT_TRUE(read);
  return imported_rows(*read, cells);
}

TEST(ImportRows, AreATableOfRuns) {
  const auto rows = rows_of("sglang_three_runs.jsonl", {{"model", "qwen3-32b"}, {"gpu", "H100 SXM"}, {"tp", "2"}});
  ASSERT_TRUE(rows) << rows.error().front().message;
  const auto read = parse_csv(rows->csv);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->rows.size(), 3U);
  const auto cell = [&](std::size_t row, const std::string& column) {
    const int at = read->column(column);
    return at < 0 ? std::string("no column") : read->rows[row].cells[static_cast<std::size_t>(at)];
  };
  EXPECT_EQ(cell(0, "id"), "sglang_three_runs.jsonl 1");
  EXPECT_EQ(cell(1, "concurrency"), "16");
  EXPECT_EQ(cell(1, "ttft_ms"), "106");
  EXPECT_EQ(cell(2, "tpot_ms"), "13");
  EXPECT_EQ(cell(2, "input_len"), "1024");
  EXPECT_EQ(cell(0, "tp"), "2");
  EXPECT_EQ(cell(0, "set_aside"), "no column");
}

TEST(ImportRows, SayWhatTheyLack) {
  const auto lacking = rows_of("sglang_three_runs.jsonl", {{"model", "qwen3-32b"}});
  ASSERT_FALSE(lacking);
  EXPECT_EQ(lacking.error().front().path, "/gpu");
  EXPECT_NE(lacking.error().front().hint.find("--gpu"), std::string::npos);
  const auto bare = rows_of("mlperf_offline.txt", {});
  ASSERT_FALSE(bare);
  EXPECT_EQ(bare.error().size(), 3U);  // model, GPU and prompt; the answer's length follows from the rates
  const auto contradicted = rows_of("inferencex_record.json", {{"tp", "8"}});
  ASSERT_FALSE(contradicted);
  EXPECT_EQ(contradicted.error().front().code, "conflict");
  // Which GPU it is a person knows better; what a request says stays behind the file.
  const auto corrected = rows_of("inferencex_record.json", {{"gpu", "h200-sxm5-141gb"}, {"tp", "8", true}});
  ASSERT_TRUE(corrected);
  EXPECT_NE(corrected->csv.find("h200-sxm5-141gb,4,4,"), std::string::npos) << corrected->csv;
  const auto machine = rows_of("nvb_sm.json", {});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().front().code, "missing");
}

TEST(ImportRows, TakeWhatTheLogOfTheEngineSaysBeforeARequest) {
  const std::vector<FileText> files = {{"bench.json", text_of_file("vllm_bench_2025.json")},
                                       {"vllm.log", text_of_file("vllm_v1_two_workers.log")}};
  const auto read = import_files(embedded_catalog_facts(), files, "1.0.0");
  ASSERT_TRUE(read);
  const std::vector<RowCell> cells = {
      {"gpu", "h100-sxm5-80gb"}, {"tp", "4", true}, {"precision", "fp8", true}, {"model", "other", true}};
  const auto rows = imported_rows(*read, cells);
  ASSERT_TRUE(rows);
  EXPECT_NE(rows->csv.find("meta-llama/Llama-3.1-8B-Instruct,h100-sxm5-80gb,2,1,vllm,0.10.2,fp8,fp8,32,320,1024,128,"),
            std::string::npos)
      << rows->csv;
}

TEST(ImportRows, OfSpeculationAreSetAside) {
  const auto rows = rows_of("inferencex_mtp.json", {});
  ASSERT_TRUE(rows);
  EXPECT_NE(rows->csv.find("set_aside"), std::string::npos);
  EXPECT_NE(rows->csv.find("Speculative decoding: mtp."), std::string::npos);
}

TEST(ImportRows, OfTrainingAndOfMemory) {
  const auto lora = rows_of("mlperf_lora.txt", {{"gpu", "h100-sxm5-80gb"}, {"num_gpus", "8"}});
  ASSERT_TRUE(lora) << lora.error().front().message;
  EXPECT_NE(lora->csv.find("llama-2-70b,h100-sxm5-80gb,8,8192,8,lora,lora,16,2.08333333"), std::string::npos)
      << lora->csv;
  const auto memory = rows_of("vllm_v1_graph_pool.log",
                              {{"gpu", "h100-sxm5-80gb"}, {"model", "llama-3.1-8b"}, {"mem_fraction", "0.9"}});
  ASSERT_TRUE(memory) << memory.error().front().message;
  EXPECT_NE(memory->csv.find("447408"), std::string::npos);
  EXPECT_NE(memory->csv.find("vllm 0.16.0"), std::string::npos);
}

const char* const kHostile[] = {"=cmd|' /C calc'!A0",
                                "+1+1",
                                "@SUM(A1)",
                                "-2+3",
                                "a,b",
                                "quote\"quote",
                                "line\nline",
                                "tab\there",
                                "${HOME}",
                                "{{ x }}",
                                "---",
                                "it's",
                                "\xE4\xBD\xA0\xE5\xA5\xBD",
                                "\r\n",
                                "a;b|c&d"};

/// A table has as many cells in each line as in its header, whatever the names are, and no cell that a spreadsheet
/// runs.
void expect_harmless(const std::string& csv, std::size_t rows) {
  const auto read = parse_csv(csv);
  ASSERT_TRUE(read) << csv;
  ASSERT_EQ(read->rows.size(), rows);
  for (const CsvTable::Row& row : read->rows) {
    ASSERT_EQ(row.cells.size(), read->columns.size());
    for (const std::string& cell : row.cells) {
      EXPECT_EQ(cell.find_first_of("\r\n\t"), std::string::npos) << cell;
      const bool formula = !cell.empty() && std::string("=+-@").find(cell.front()) != std::string::npos;
      EXPECT_TRUE(!formula || std::strtod(cell.c_str(), nullptr) != 0) << cell;
    }
  }
}

TEST(ImportRows, HostileNamesStayInTheirCells) {
  ImportedFiles files;
  ImportedFile file;
  ServingMeasurement run;
  run.concurrency = 4;
  run.input_tokens = 10;
  run.output_tokens = 20;
  run.tpot_s = 0.01;
  for (const char* name : kHostile) {
    file.name = std::string("run/") + name;
    run.model = std::string("m") + name;
    run.gpu = name;
    run.engine = std::string(4000, 'x') + name;
    file.serving = {run};
    files.files = {file};
    const std::vector<RowCell> cells = {{"gpu", "h100"}, {"notes", name}};
    const auto rows = imported_rows(files, cells);
    ASSERT_TRUE(rows) << name;
    expect_harmless(rows->csv, 1);
  }
}

TEST(ImportRows, RandomNamesStayInTheirCells) {
  Random random(29);
  const std::string letters = "ab\"',;=+-@\n\r\t{}$<>&|\\/ \x7F\xC3\xA9";
  for (int round = 0; round < 300; ++round) {
    const auto name = [&] {
      std::string text = "m";
      for (int i = 0; i < 12; ++i)
        text += letters[static_cast<std::size_t>(random.uniform() * static_cast<double>(letters.size()))];
      return text;
    };
    ImportedFiles files;
    for (int i = 0; i < 2; ++i) {
      ImportedFile file;
      ServingMeasurement run;
      run.model = name();
      run.gpu = name();
      run.input_tokens = run.output_tokens = run.tpot_s = 1 + random.uniform();
      file.name = name();
      file.serving = {run};
      files.files.push_back(file);
    }
    const auto rows = imported_rows(files, std::vector<RowCell>{{"notes", name()}});
    ASSERT_TRUE(rows);
    expect_harmless(rows->csv, 2);
  }
}

}  // namespace
}  // namespace podwright::imports_test
