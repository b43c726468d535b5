/// Files that people hand over, good and broken ones, as the kind `import` and the command of that name read them.
#include "measure/import_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/words.h"
#include "measure/engine_samples.h"
#include "measure/foreign_samples.h"
#include "measure/sample_profile.h"

namespace podwright::import_files_test {
namespace {

Result<ImportedFiles> imported(const std::vector<FileText>& files) {
  return import_files(embedded_catalog_facts(), files, "1.0.0");
}
Result<ImportedFiles> imported(const std::string& text) { return imported({{"file", text}}); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

struct Good {
  std::string text;
  FileFormat format;
};

std::vector<Good> good_files() {
  const std::string profile = profile_text(sample_profile());
  HardwareProfile named = sample_profile();
  named.host.name = "rack-7";
  HardwareProfile unfinished = sample_profile();
  unfinished.run.complete = false;
  const std::string two_gpus =
      with(kLog, "</gpu>",
           "</gpu>" + kLog.substr(kLog.find("<gpu id="), kLog.find("</gpu>") - kLog.find("<gpu id=")) + "</gpu>");
  return {
      {profile, FileFormat::profile},
      {profile_text(named), FileFormat::profile},
      {profile_text(unfinished), FileFormat::profile},
      {profile_text(sample_profile(), {.share = true}), FileFormat::profile},
      {kBandwidth, FileFormat::nvbandwidth},
      {"\n  " + kBandwidth + "\n", FileFormat::nvbandwidth},
      {replaced(kBandwidth, "\n", "\r\n"), FileFormat::nvbandwidth},
      {with(kBandwidth, "\"55.40\"", "55.4"), FileFormat::nvbandwidth},
      {with(kBandwidth, "\"CUDA Runtime Version\":12090,", ""), FileFormat::nvbandwidth},
      {kCollective, FileFormat::nccl_tests},
      {replaced(kCollective, "\n", "\r\n"), FileFormat::nccl_tests},
      {with(kCollective, "all_reduce_perf", "all_gather_perf"), FileFormat::nccl_tests},
      {replaced(kCollective, "float ", "half  "), FileFormat::nccl_tests},
      {with(kCollective, "     1048576", "example: NCCL INFO channel\n     1048576"), FileFormat::nccl_tests},
      {with(kCollective, "254.32  254.32      0", "254.32  254.32      3"), FileFormat::nccl_tests},
      {kLog, FileFormat::nvidia_smi},
      {two_gpus, FileFormat::nvidia_smi},
      {with(kLog, "600.00 W", "N/A"), FileFormat::nvidia_smi},
      {with(kLog, "<current_ecc>Enabled", "<current_ecc>N/A"), FileFormat::nvidia_smi},
      {kVllm, FileFormat::vllm_bench},
      {with(kVllm, "\"inf\"", "4.5"), FileFormat::vllm_bench},
      {with(kVllm, "\"max_concurrency\":16", "\"max_concurrency\":null"), FileFormat::vllm_bench},
      {with(kVllm, "\"backend\"", "\"itls\":[[0.01]],\"backend\""), FileFormat::vllm_bench},
      {kAiperf, FileFormat::aiperf},
      {with(kAiperf, "{\"request_count\"",
            "{\"input_sequence_length\":{\"unit\":\"tokens\",\"avg\":1024},\"request_count\""),
       FileFormat::aiperf},
      {kAiperfRecords, FileFormat::aiperf_records},
      {replaced(kAiperfRecords, "\n", "\r\n"), FileFormat::aiperf_records},
      {aiperf_record(0, 1500, 60, 10, 100), FileFormat::aiperf_records},
      {with(kAiperfRecords, R"("was_cancelled":false)", R"("turn_index":0)"), FileFormat::aiperf_records},
      {kVllmLog, FileFormat::engine_log},
      {replaced(kVllmLog, "\n", "\r\n"), FileFormat::engine_log},
      {kSglangLog, FileFormat::engine_log},
      {kVllmMetrics, FileFormat::engine_metrics},
      {replaced(kSglangMetrics, "\n", "\r\n"), FileFormat::engine_metrics},
  };
}

TEST(ImportFiles, TwentyGoodOnesAreRead) {
  const std::vector<Good> files = good_files();
  EXPECT_GE(files.size(), 20U);
  for (const Good& file : files) {
    SCOPED_TRACE(file.text.substr(0, 200));
    const auto read = imported(file.text);
    ASSERT_TRUE(read) << read.error().front().path << " " << read.error().front().message;
    ASSERT_EQ(read->files.size(), 1U);
    const ImportedFile& one = read->files.front();
    EXPECT_EQ(one.format, file.format);
    EXPECT_FALSE(one.fields.used.empty());
    const bool serving = is_of_load_generator(file.format);
    EXPECT_EQ(!one.serving.empty(), serving);
    EXPECT_EQ(read->engine.has_value(), is_of_engine(file.format));
    ASSERT_EQ(read->profile.has_value(), !serving && !is_of_engine(file.format));
    if (read->profile) {
      EXPECT_EQ(read->profile->digest.size(), 64U);
    }
  }
}

struct Broken {
  std::string text;
  std::string path;   ///< behind "/0/text"
  std::string looks;  ///< words of the message: what it looks like
  std::string cause;  ///< words of the message or the hint
};

std::vector<Broken> broken_files() {
  const std::string whole = profile_text(sample_profile());
  return {
      {"", "", "an empty file", "Known are"},
      {" \n", "", "an empty file", "Known are"},
      {"gpu,rate\nd0,5\n", "", "a comma-separated table", "nvidia-smi -q -x"},
      {"\x89PNG\r\n\x1a\n\x01", "", "a binary file", "Known are"},
      {"PK\x03\x04", "", "a zip archive", "Known are"},
      {"<!DOCTYPE html><html></html>", "", "a web page", "Known are"},
      {"============ Serving Benchmark Result ============\n", "", "--save-result writes the file", "Known are"},
      {"+---+\n| NVIDIA-SMI 580.65 |\n", "", "-q -x writes the file", "Known are"},
      {"{\"metrics\":{}}\n{\"metrics\":{}}\n", "", "records of another program", "AIPerf"},
      {R"({"num_hidden_layers":32})", "", "config.json", "Known are"},
      {R"({"schema":"podwright-calibration/1","devices":[]})", "", "a calibration", "Known are"},
      {R"({"kind":"plan","workloads":[]})", "", "a request of this program", "Known are"},
      {R"({"DCGM Diagnostic":{"test_categories":[]}})", "", "dcgmi diag", "no result"},
      {"{}", "", "JSON of another program", "Known are"},
      {"{\"a\":", "", "cut off or damaged", "Known are"},
      {whole.substr(0, whole.size() / 2), "", "podwright probe", "JSON"},
      {with(whole, "\"seed\":7", "\"seed\":8"), "/integrity/digest", "podwright probe", "digest"},
      {changed_profile(R"({"run":{"mode":"slow"}})"), "/run/mode", "podwright probe", "slow"},
      {changed_profile(R"({"devices":{}})"), "/devices", "podwright probe", "list"},
      {R"({"nvbandwidth":{}})", "/nvbandwidth/testcases", "nvbandwidth --json", "missing"},
      {with(kBandwidth, "55.32", "fast"), "/nvbandwidth/testcases/0/bandwidth_matrix/0/1", "nvbandwidth", "GB/s"},
      {kBandwidth.substr(0, kBandwidth.size() - 5), "", "nvbandwidth", "JSON"},
      {with(kCollective, "15.64", "-1.0"), ":6", "nccl-tests", "positive"},
      {with(kCollective, "all_reduce_perf", "x"), "/collective", "nccl-tests", "collective"},
      {kLog.substr(0, kLog.size() - 10), "/nvidia_smi_log", "nvidia-smi -q -x", "not closed"},
      {with(kLog, "143771 MiB", "N/A"), "/nvidia_smi_log/gpu/0/fb_memory_usage/total", "nvidia-smi", "memory"},
      {with(kVllm, R"("mean_ttft_ms":80.0)", R"("mean_ttft_ms":"80")"), "/mean_ttft_ms", "vllm bench serve", "number"},
      {with(kVllm, R"("duration":20.0)", R"("duration":0)"), "/duration", "vllm bench serve", "0"},
      {with(kAiperf, R"("unit":"ms")", R"("unit":"s")"), "/time_to_first_token/unit", "AIPerf", "ms"},
      {kAiperfRecords + R"({"metadata":{"request_start)", ":7", "single requests", "JSON"},
      {kAiperfRecords + "{}", ":7/metadata", "single requests", "times"},
      {replaced(kAiperfRecords, "\"request_end_ns\"", "\"ended\""), ":2/metadata/request_end_ns",
       "profile_export.jsonl", "missing"},
      {replaced(kAiperfRecords, R"("unit":"ms")", R"("unit":"s")"), ":2/metrics/time_to_first_token/unit", "AIPerf",
       "ms"},
      {replaced(kAiperfRecords, R"("value":60)", R"("value":"60)"), ":2", "AIPerf", "JSON"},
      {replaced(kAiperfRecords, "time_to_first_token", "request_latency"), "", "AIPerf", "--streaming"},
      {replaced(kAiperfRecords, "\"profiling\"", "\"warmup\""), "", "AIPerf", "answered request"},
      {"INFO 11-20 10:00:00 [api_server.py:1839] vLLM API server version 0.11.1\n", "", "serving engine's start",
       "from the start of the engine"},
      {with(kVllmLog, "max_seq_len=8192", "max_seq_len=4096"), ":5", "serving engine's start", "one start"},
      {with(kVllmMetrics, "} 71.0", "} many"), ":3", "metrics of a serving engine", "/metrics"},
  };
}

TEST(ImportFiles, TwentyBrokenOnesTellPathLooksAndCause) {
  const std::vector<Broken> files = broken_files();
  EXPECT_GE(files.size(), 20U);
  for (const Broken& file : files) {
    SCOPED_TRACE(file.text.substr(0, 200));
    const auto read = imported(file.text);
    ASSERT_FALSE(read);
    const Error& first = read.error().front();
    EXPECT_EQ(first.path, "/0/text" + file.path);
    EXPECT_NE(first.message.find(file.looks), std::string::npos) << first.message;
    EXPECT_NE((first.message + first.hint).find(file.cause), std::string::npos) << first.message << first.hint;
  }
}

TEST(ImportFiles, OneThatCannotBeReadKeepsNoOtherFromBeingRead) {
  const auto read = imported({{"links.json", kBandwidth}, {"log.xml", kLog.substr(0, 200)}, {"notes.txt", "hello"}});
  ASSERT_TRUE(read);
  ASSERT_EQ(read->files.size(), 1U);
  EXPECT_EQ(read->files.front().name, "links.json");
  EXPECT_EQ(read->profile->profile.links.size(), 4U);
  ASSERT_EQ(read->refused.size(), 2U);
  EXPECT_EQ(read->refused[0].name, "log.xml");
  EXPECT_EQ(read->refused[0].errors.front().path, "/1/text/nvidia_smi_log");
  EXPECT_TRUE(read->refused[0].could_be.empty());  // its marks say what it is
  EXPECT_EQ(read->refused[1].errors.front().path, "/2/text");
  EXPECT_EQ(read->refused[1].errors.front().message, "\"notes.txt\" looks like plain text.");
  EXPECT_EQ(read->refused[1].could_be.size(), kReadAsWords.size());
}

TEST(ImportFiles, WhereNoneCanBeReadTheErrorsNameEach) {
  const auto read = imported({{"log.xml", kLog.substr(0, 200)}, {"notes.txt", "hello"}});
  ASSERT_FALSE(read);
  ASSERT_EQ(read.error().size(), 2U);
  EXPECT_EQ(read.error()[0].path, "/0/text/nvidia_smi_log");
  EXPECT_EQ(read.error()[1].path, "/1/text");
  EXPECT_EQ(imported(std::vector<FileText>{}).error().front().code, "missing");
}

TEST(ImportFiles, APersonSaysWhatATableIs) {
  const std::string table = with(kCollective, "# Collective test starting: all_reduce_perf\n", "");
  const auto silent = imported({{"log", kLog}, {"ar590.txt", table}});
  ASSERT_TRUE(silent);
  ASSERT_EQ(silent->refused.size(), 1U);
  const std::vector<std::string> collectives = {"all_reduce", "all_gather", "reduce_scatter",
                                                "alltoall",   "sendrecv",   "broadcast"};
  EXPECT_EQ(silent->refused.front().could_be, collectives);
  const auto said = imported({{"log", kLog}, {"ar590.txt", table, "all_reduce"}});
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->refused.empty());
  EXPECT_EQ(said->profile->profile.results.front().probe, "coll.allreduce");
  for (const char* name : {"all_reduce.txt", "AllReduce-8.log", "run/all-reduce.txt"})
    EXPECT_TRUE(imported({{name, table}})) << name;
  // A word that is not true is an error of its reader, and the choice stays open.
  const auto wrong = imported({{"log", kLog}, {"notes.txt", "hello", "nvbandwidth"}});
  ASSERT_TRUE(wrong);
  EXPECT_NE(wrong->refused.front().errors.front().message.find("nvbandwidth"), std::string::npos);
  EXPECT_EQ(wrong->refused.front().could_be.size(), kReadAsWords.size());
}

TEST(ImportFiles, APersonSaysWhichGpuADeviceIs) {
  const std::vector<FileText> files = {{"log", kLog}};
  const std::vector<ChosenGpu> all = {{"", "h100-pcie-80gb"}};
  const auto read = import_files(embedded_catalog_facts(), files, "1.0.0", all);
  ASSERT_TRUE(read);
  const auto kept = read_profile(profile_text(read->profile->profile));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->profile.devices.front().key, "h100-pcie-80gb");
  EXPECT_EQ(kept->profile.devices.front().key_match, KeyMatch::chosen);
  const std::vector<ChosenGpu> none = {{"d7", "h100-pcie-80gb"}, {"d0", "h1000"}};
  const auto refused = import_files(embedded_catalog_facts(), files, "1.0.0", none);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error()[0].path, "/gpus/0/device");
  EXPECT_EQ(refused.error()[1].path, "/gpus/1/gpu");
  // Of a profile too; its digest is then another one.
  const std::string text = profile_text(sample_profile());
  const std::vector<FileText> profiles = {{"profile.json", text}};
  const auto changed = import_files(embedded_catalog_facts(), profiles, "1.0.0", all);
  ASSERT_TRUE(changed);
  EXPECT_NE(changed->profile->digest, read_profile(text)->digest);
}

TEST(ImportFiles, OfOneMachineAreOneProfile) {
  const auto read = imported({{"log", kLog}, {"links", kBandwidth}, {"ring", kCollective}, {"bench", kVllm}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->profile->profile.devices.size(), 2U);
  EXPECT_EQ(read->profile->profile.devices.front().key, "h200-sxm5-141gb");
  EXPECT_EQ(read->profile->profile.links.size(), 4U);
  EXPECT_EQ(read->files[3].serving.front().output_tokens_per_s, 1280);
}

TEST(ImportFiles, VersionsThatDisagreeAreSaid) {
  const auto read = imported({{"a", R"({"nvbandwidth":{"Driver Version":"575.57","testcases":[
      {"name":"host_to_device_memcpy_ce","status":"Passed","bandwidth_matrix":[["55.3"]]}]}})"},
                              {"b", R"({"DCGM Diagnostic":{"test_categories":[{"category":"Hardware","tests":[
      {"name":"memory","results":[{"gpu_id":"0","status":"Pass"}]}]}]},"metadata":{"Driver Version Detected":"570.1"}})"}});
  ASSERT_TRUE(read);
  const std::vector<std::string>& limits = read->profile->profile.limits;
  EXPECT_TRUE(std::any_of(limits.begin(), limits.end(), [](const std::string& limit) {
    return limit.find("two versions of the driver: 575.57 and 570.1") != std::string::npos;
  }));
}

TEST(ImportFiles, OfOneEngineAreOneAccount) {
  const auto read = imported({{"bench", kVllm}, {"log", kVllmLog}, {"metrics", kVllmMetrics}});
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->profile);
  EXPECT_EQ(read->engine->kv_cache_tokens, 748080);
  EXPECT_EQ(read->engine->running_sequences, 71);
  const auto other = imported({{"bench", kVllm}, {"log", kVllmLog}, {"other", kSglangLog}});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->refused.front().errors.front().path, "/2/text");
  EXPECT_EQ(other->files.size(), 2U);
}

TEST(ImportFiles, WhatDoesNotBelongTogetherIsRefusedAtItsPlace) {
  const auto refused = [](const std::vector<FileText>& files) {
    const auto read = imported(files);
    EXPECT_TRUE(read);
    return read && read->refused.size() == 1 ? read->refused.front().errors.front() : Error{};
  };
  const std::string other = with(kLog, "NVIDIA H200", "NVIDIA L4");
  EXPECT_EQ(refused({{"bench", kVllm}, {"a", kLog}, {"b", other}}).path, "/2/text");
  const std::string profile = profile_text(sample_profile());
  EXPECT_EQ(refused({{"a", kLog}, {"b", profile}}).path, "/1/text");
  EXPECT_EQ(refused({{"a", profile}, {"b", profile}}).code, "conflict");
}

/// "uuid 2, serial_number 1"
std::string found(std::string_view text) {
  std::string words;
  for (const IdentifierCount& one : identifiers_in(text))
    words += (words.empty() ? "" : ", ") + std::string(word_of(one.kind, kIdentifierWords)) + " " +
             std::to_string(one.count);
  return words;
}

TEST(Identifiers, AreFoundByNameAndShape) {
  EXPECT_EQ(found(kLog), "serial_number 1, uuid 1");
  EXPECT_EQ(found(kCollective), "host_name 1");
  EXPECT_EQ(found(R"({"hostname": "rack-7", "x": {"host_name":"rack-8"}})"), "host_name 2");
  EXPECT_EQ(found(R"({"serial_num": "1650000000001"})"), "serial_number 1");
  EXPECT_EQ(
      found("0: NVIDIA H100 80GB HBM3 (00000000:18:00): (node-1)\n1: NVIDIA H100 80GB HBM3 (00000000:28:00): (node-1)"),
      "host_name 1");
  EXPECT_EQ(found("f(x): (y), sizes (3): (4"), "");
  EXPECT_EQ(found("GPU-12345678-90ab-cdef-1234-567890abcdef and again 12345678-90ab-cdef-1234-567890abcdef"), "uuid 1");
  EXPECT_EQ(found("<uuid>GPU-12345678-90ab-cdef-1234-567890abcdef</uuid>"), "uuid 1");
  EXPECT_EQ(found("http://10.1.2.3:8000 at 0c:42:a1:00:11:22 of /home/operator/run"),
            "ip_address 1, mac_address 1, user_name 1");
}

TEST(Identifiers, VersionsTimesAndAddressesOfCardsAreNone) {
  EXPECT_EQ(found("580.65.06 96.00.74.00.01 1.2.3.4.5 12:30:00 00000000:1B:00.0 127.0.0.1 0.0.0.0 999.1.1.1"), "");
  EXPECT_EQ(found(R"({"serial":"N/A","version":"1.0.0"})"), "");
}

TEST(ImportFiles, NamesDoNotEnterTheProfile) {
  HardwareProfile named = sample_profile();
  named.host.name = "rack-7";
  named.run.arguments = {"probe", "-o", "/home/operator/profile.json"};
  named.devices.front().identity_hash = "abc";
  const auto read = imported(profile_text(named));
  ASSERT_TRUE(read);
  const std::string kept = profile_text(read->profile->profile);
  for (const char* name : {"rack-7", "operator", "abc\""}) EXPECT_EQ(kept.find(name), std::string::npos) << name;
  EXPECT_EQ(read->files.front().identifiers.front().kind, IdentifierKind::host_name);
  for (const std::string& text : {kLog, kCollective}) {
    const std::string profile = profile_text(imported(text)->profile->profile);
    for (const char* name : {"secret", "165000", "example"}) EXPECT_EQ(profile.find(name), std::string::npos) << name;
  }
}

TEST(ImportFiles, AProfileWithoutNamesKeepsItsDigest) {
  const std::string text = profile_text(sample_profile());
  EXPECT_EQ(imported(text)->profile->digest, read_profile(text)->digest);
}

TEST(ImportFiles, AModelNamedByItsFolderLosesTheFolder) {
  const auto read = imported(with(kVllm, "example-8b", "/home/operator/models/example-8b"));
  EXPECT_EQ(read->files.front().serving.front().model, "example-8b");
}

bool holds(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

TEST(FileFields, TellWhatIsUsedIgnoredAndMissing) {
  const FileFields links = fields_of(FileFormat::nvbandwidth, kBandwidth);
  EXPECT_TRUE(holds(links.used, "host_to_device_memcpy_ce"));
  EXPECT_TRUE(holds(links.ignored, "something_new"));
  EXPECT_TRUE(holds(links.missing, "device_to_host_memcpy_ce"));  // it did not pass

  const FileFields log = fields_of(FileFormat::nvidia_smi, kLog);
  EXPECT_TRUE(holds(log.used, "fb_memory_usage/total"));
  EXPECT_TRUE(holds(log.ignored, "serial"));
  EXPECT_TRUE(holds(log.missing, "vbios_version"));
  EXPECT_FALSE(holds(log.ignored, "pci"));

  const FileFields bench = fields_of(FileFormat::vllm_bench, kVllm);
  EXPECT_TRUE(holds(bench.used, "mean_tpot_ms"));
  EXPECT_TRUE(holds(bench.ignored, "num_prompts"));
  EXPECT_TRUE(holds(bench.missing, "request_rate"));  // "inf" is no rate

  const FileFields aiperf = fields_of(FileFormat::aiperf, kAiperf);
  EXPECT_TRUE(holds(aiperf.used, "time_to_first_token.p99"));
  EXPECT_TRUE(holds(aiperf.missing, "input_sequence_length.avg"));

  const FileFields records = fields_of(FileFormat::aiperf_records, kAiperfRecords);
  EXPECT_EQ(records.used.front(), "4 records");
  EXPECT_TRUE(holds(records.used, "metadata.request_end_ns"));
  EXPECT_TRUE(holds(records.used, "metrics.inter_token_latency"));
  EXPECT_TRUE(holds(records.ignored, "1 records of requests that failed"));
  EXPECT_TRUE(holds(records.ignored, "1 records outside the profiling phase"));
  EXPECT_TRUE(holds(records.ignored, "metrics.inter_chunk_latency"));
  EXPECT_TRUE(records.missing.empty());
  const FileFields silent =
      fields_of(FileFormat::aiperf_records, replaced(kAiperfRecords, "input_sequence_length", "input_tokens"));
  EXPECT_TRUE(holds(silent.missing, "metrics.input_sequence_length"));

  const FileFields profile = fields_of(FileFormat::profile, profile_text(sample_profile()));
  EXPECT_TRUE(holds(profile.used, "devices"));
  EXPECT_TRUE(holds(profile.missing, "environment.cuda_runtime"));
}

}  // namespace
}  // namespace podwright::import_files_test
