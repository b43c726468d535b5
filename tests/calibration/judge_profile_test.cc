#include "calibration/judge_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "base/words.h"
#include "calibration/machine_formulas.h"
#include "measure/measure_formulas.h"
#include "support/test_data.h"

namespace podwright::judge_profile_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

/// A time with an interval of +-0.5 %.
SampleSummary time_of(double seconds) {
  SampleSummary summary = summary_of(std::vector<double>{seconds});
  summary.lo95 = seconds * 0.995;
  summary.hi95 = seconds * 1.005;
  return summary;
}

HardwareProfile one_gpu(const std::string& key) {
  HardwareProfile profile;
  ProfileDevice device;
  device.id = "d0";
  device.kind = "gpu";
  device.key = key;
  device.key_match = KeyMatch::exact;
  device.name = "GPU";
  const auto gpu = find_gpu(catalog(), key);
  if (gpu && (*gpu)->pcie_generation) {
    device.pcie_generation = device.pcie_generation_max = (*gpu)->pcie_generation;
    device.pcie_width = device.pcie_width_max = 16;
  }
  profile.devices = {device};
  return profile;
}

ProbeResult product(const std::string& dtype, const LargeProduct& shape, double flops_per_s,
                    ProbeMode mode = ProbeMode::burst) {
  ProbeResult result;
  result.probe = "gemm." + dtype;
  result.dtype = dtype;
  result.devices = {"d0"};
  result.size.m = shape.m;
  result.size.n = shape.n;
  result.size.k = shape.k;
  result.mode = mode;
  result.counted.flops = raw(matrix_product_work(shape.m, shape.n, shape.k));
  result.counted.bytes = 2 * (shape.m * shape.k + shape.k * shape.n + shape.m * shape.n);
  result.time_s = time_of(result.counted.flops / flops_per_s);
  return result;
}

/// A probe that moves `bytes`, at this rate.
ProbeResult transfer(const std::string& probe, double bytes, double bytes_per_s) {
  ProbeResult result;
  result.probe = probe;
  result.devices = {"d0"};
  result.size.bytes = bytes;
  result.counted.bytes = bytes;
  result.time_s = time_of(bytes / bytes_per_s);
  return result;
}

ProbeResult weights(double bytes_per_s) {
  ProbeResult result = transfer("decode.weights", 1e9, bytes_per_s);
  result.dtype = "bf16";
  result.size.m = 1;
  result.counted.flops = 1e9;
  return result;
}

ProbeResult all_reduce(double bus_bytes_per_s) {
  constexpr double kBytes = 536870912;
  ProbeResult result = transfer("coll.allreduce", kBytes, bus_bytes_per_s / all_reduce_factor(8.0));
  result.size.ranks = 8;
  return result;
}

std::vector<ProbeResult> nine(const std::string& dtype, double flops_per_s, ProbeMode mode = ProbeMode::burst) {
  std::vector<ProbeResult> results;
  for (const LargeProduct& shape : kNineProducts) results.push_back(product(dtype, shape, flops_per_s, mode));
  return results;
}

std::string word(const ProfileVerdict& one) { return std::string(word_of(one.verdict.kind, kVerdictWords)); }

const ProfileVerdict* verdict_on(const ProfileJudgement& judgement, const std::string& probe) {
  for (const ProfileVerdict& one : judgement.verdicts)
    if (one.probe == probe) return &one;
  return nullptr;
}
std::string word_on(const ProfileJudgement& judgement, const std::string& probe) {
  const ProfileVerdict* one = verdict_on(judgement, probe);
  return one == nullptr ? "none" : word(*one);
}

// --- published rates

struct PublishedRow {
  std::string gpu, metric, dtype;
  double rate = 0;  ///< base units; seconds of launches
  std::string place;
};

std::string dtype_word(std::string dtype) {
  std::replace(dtype.begin(), dtype.end(), '_', '-');
  return dtype;
}

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

/// The results that a published row stands for; none for those of a kind that no probe measures.
std::vector<ProbeResult> results_of(const PublishedRow& row) {
  const std::string dtype = dtype_word(row.dtype);
  const ProbeMode mode = begins(row.metric, "gemm_sustained") ? ProbeMode::sustained : ProbeMode::burst;
  if (row.metric.find("nine_shape") != std::string::npos) return nine(dtype, row.rate, mode);
  if (begins(row.metric, "gemm_burst") || begins(row.metric, "gemm_sustained") || row.metric == "gemm_mamf")
    return {product(dtype, {8192, 8192, 8192}, row.rate, mode)};
  constexpr double kBytes = 4294967296.0;
  if (row.metric == "hbm_triad") return {transfer("hbm.triad", kBytes, row.rate)};
  if (row.metric == "hbm_copy" || row.metric == "hbm_scale" || row.metric == "threshold_memory_bandwidth")
    return {transfer("hbm.copy", kBytes, row.rate)};
  if (begins(row.metric, "gemv_decode_bw") && dtype == "bf16") return {weights(row.rate)};
  if (row.metric == "pcie_h2d_ce") return {transfer("pcie.h2d", kBytes, row.rate)};
  if (row.metric == "pcie_d2h_ce") return {transfer("pcie.d2h", kBytes, row.rate)};
  if (row.metric == "p2p_write_ce_uni") return {transfer("p2p.matrix", kBytes, row.rate)};
  if (row.metric == "nccl_all_reduce_busbw" && row.place == "8 GPU 1 node 512MiB") return {all_reduce(row.rate)};
  if (row.metric == "launch_graph_node") {
    ProbeResult result = transfer("launch.graph", 0, 1);
    result.time_s = time_of(row.rate);
    return {result};
  }
  return {};
}

std::vector<PublishedRow> published_rows() {
  const auto table = parse_csv(podwright_test_data("tests/calibration/data/probes.csv"));
  EXPECT_TRUE(table);
  const std::map<std::string, double> units = {{"TFLOP/s", 1e12}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"us", 1e-6}};
  std::vector<PublishedRow> rows;
  for (const CsvTable::Row& row : table->rows) {
    PublishedRow one{table->cell(row, "gpu_id"), table->cell(row, "metric"), table->cell(row, "precision"), 0,
                     table->cell(row, "size")};
    const auto unit = units.find(table->cell(row, "unit"));
    if (unit != units.end()) one.rate = unit->second * std::stod(table->cell(row, "measured"));
    rows.push_back(one);
  }
  return rows;
}

TEST(PublishedNorms, NoPublishedGoodRateIsBadAndNoHealthFloorIsOk) {
  std::map<std::string, int> words;
  for (const PublishedRow& row : published_rows()) {
    HardwareProfile profile = one_gpu(row.gpu == "gh200" ? "gh200-96gb" : row.gpu);
    profile.results = results_of(row);
    const ProfileJudgement judgement = judge_profile(catalog(), profile);
    for (const ProfileVerdict& one : judgement.verdicts) {
      ++words[word(one)];
      const bool health_floor = row.metric == "threshold_memory_bandwidth";
      if (health_floor)
        EXPECT_NE(word(one), "ok") << row.gpu;
      else
        EXPECT_NE(word(one), "bad") << row.gpu << ' ' << row.metric << ' ' << row.dtype << ' ' << row.place << ": "
                                    << one.verdict.sentence;
    }
  }
  // Hundreds of rows have a norm: the test does not hold for want of verdicts.
  EXPECT_GE(words["ok"], 200);
  EXPECT_EQ(words["bad"], 6);  // the six health floors
  EXPECT_LE(words["low"], 10);
}

// --- verdicts of a profile

TEST(JudgeProfile, JudgesProductsByTheirSet) {
  HardwareProfile profile = one_gpu("h200-sxm5-141gb");
  profile.results = nine("bf16", 770e12);
  profile.results[1] = product("bf16", kNineProducts[1], 507e12);  // one shape that a library has slow
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(word_on(judgement, "gemm.bf16"), "ok");
  EXPECT_EQ(judgement.exit, ProbeExit::ok);
  EXPECT_TRUE(std::any_of(judgement.notes.begin(), judgement.notes.end(), [](const std::string& note) {
    return note ==
           "gemm.bf16 8192 x 8192 x 8192 burst on d0: 507 TFLOP/s, below the published 603 TFLOP/s to 861 TFLOP/s. "
           "One shape says more about the library than about the device.";
  })) << judgement.notes.front();

  profile.results = nine("bf16", 600e12);
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "gemm.bf16"), "bad");
  EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::low);
  profile.results.resize(2);
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "gemm.bf16"), "uncertain");
}

// The wording is looked at here, so that nobody changes it in passing.
TEST(JudgeProfile, SaysWhatItFound) {
  HardwareProfile profile = one_gpu("h200-sxm5-141gb");
  ProfileDevice& device = profile.devices.front();
  device.memory_total_gib = 140.4;
  device.memory_allocatable_gib = 139.2;
  device.driver_bytes_per_s = 4.9e12;
  profile.results = {transfer("hbm.copy", 4294967296.0, 4.3e12), weights(3.2e12), all_reduce(371e9),
                     transfer("pcie.h2d", 268435456, 55.4e9)};
  ProbeResult sustained = product("bf16", kNineProducts[1], 688e12, ProbeMode::sustained);
  sustained.context.sm_clock_hz = 1.62e9;
  sustained.context.reasons = {{"sw_power_cap", 0.97}};
  profile.results.push_back(sustained);
  ProbeResult launch = transfer("launch.graph", 0, 1);
  launch.time_s = time_of(1.3e-6);
  profile.results.push_back(launch);

  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  const auto said = [&](const std::string& probe) {
    const ProfileVerdict* one = verdict_on(judgement, probe);
    return one == nullptr ? "nothing on " + probe
                          : word(*one) + ": " + one->verdict.sentence + " | " + explanation_text(one->explanation);
  };
  EXPECT_EQ(said("hbm.copy"),
            "ok: hbm.copy (4 GiB) 4,300 GB/s, 87.8 % of the bandwidth of bus and clock, of which 85 % is expected "
            "(podwright-probe-floors and 1 more). As expected. | Bound by memory. 87.8 % of the bandwidth of bus and "
            "clock, 89.6 % of the datasheet.");
  EXPECT_EQ(said("decode.weights"),
            "bad: decode.weights (953.7 MiB) 3,200 GB/s, 65.3 % of the bandwidth of bus and clock, of which 78 % is "
            "expected (podwright-probe-floors). Far below the norm: look for a fault before planning with it. | Bound "
            "by memory. 65.3 % of the bandwidth of bus and clock, 66.7 % of the datasheet. Next: nvidia-smi -q -d "
            "ECC,ROW_REMAPPER,TEMPERATURE");
  EXPECT_EQ(said("coll.allreduce"),
            "bad: coll.allreduce (512 MiB on 8 devices, bus bandwidth) 371 GB/s, at least 420 GB/s is expected "
            "(podwright-probe-floors and 1 more). Far below the norm: look for a fault before planning with it. | "
            "Bound by link. Seen: nvls, reduction in the switch (NVLS) looks inactive: about this bus bandwidth is "
            "what a ring reaches. Next: nvidia-smi nvlink --status");
  EXPECT_EQ(said("pcie.h2d"),
            "ok: pcie.h2d (256 MiB) 55.4 GB/s, 87.9 % of the negotiated link (PCIe 5 x16), of which 80 % is expected "
            "(podwright-probe-floors and 2 more). As expected. | Bound by host link. 87.9 % of the negotiated link, "
            "87.9 % of the datasheet.");
  EXPECT_EQ(
      said("gemm.bf16"),
      "ok: gemm.bf16 sustained (8192 x 8192 x 8192) 688 TFLOP/s, 69.5 % of the datasheet, of which 66 % is "
      "expected (podwright-probe-floors and 1 more). As expected. | Bound by power (2,730 FLOP per byte, compute "
      "binds above 202). 69.5 % of the datasheet. The clock was 88.5 % of the data sheet's; 78.6 % of what it "
      "allows was reached. 69.5 % is power 88.5 % (1.62 of 1.83 GHz, power cap in 97 % of the samples) x tiles 98.9 "
      "% (half-empty tiles and waves over 132 multiprocessors) x rest 79.5 % (kernels, memory and everything "
      "that is not separated). Seen: power, sw_power_cap in 97 % of the samples.");
  EXPECT_EQ(said("launch.graph"),
            "ok: launch.graph 1.3 us, at most 2 us is expected (podwright-probe-floors and 1 more). As expected. | "
            "Bound by launch.");
  EXPECT_EQ(said("mem.capacity"),
            "ok: mem.capacity 139 GiB, 99.1 % of the memory that the driver reports, of which 97 % is expected "
            "(podwright-probe-floors). As expected. | Bound by capacity. 99.1 % of the memory that the driver reports, "
            "106 % of the datasheet.");
}

/// Of a large cluster, joined; this ends soon where the work grows with the devices alone.
TEST(JudgeProfile, EachOfThousandsOfDevicesGetsItsOwn) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  constexpr std::size_t kDevices = 5000;
  for (std::size_t i = 1; i < kDevices; ++i) {
    profile.devices.push_back(profile.devices.front());
    profile.devices.back().id = "d" + std::to_string(i);
  }
  for (const char* id : {"d7", "d4999"})
    profile.health_checks.push_back({.name = "ecc_mode",
                                     .device = id,
                                     .state = HealthState::failed,
                                     .seen = "off",
                                     .expected = "on",
                                     .advice = ""});
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  ASSERT_EQ(judgement.devices.size(), kDevices);
  EXPECT_EQ(judgement.devices[0].device, "d7");
  EXPECT_EQ(judgement.devices[1].device, "d4999");
  EXPECT_EQ(judgement.devices[2].state, DeviceState::unjudged);
}

TEST(JudgeProfile, ADeficitIsTheProductOfItsParts) {
  HardwareProfile profile = one_gpu("h200-sxm5-141gb");
  profile.devices.front().sm_count = 132;
  profile.results = nine("bf16", 600e12);
  for (ProbeResult& result : profile.results) result.context.sm_clock_hz = 1.7e9;
  const auto deficit = [&] { return verdict_on(judge_profile(catalog(), profile), "gemm.bf16")->explanation; };
  const auto term = [](const VerdictExplanation& of, const std::string& name) -> const DeficitTerm* {
    for (const DeficitTerm& one : of.deficit)
      if (one.of == name) return &one;
    return nullptr;
  };
  VerdictExplanation before = deficit();
  ASSERT_NE(term(before, "clock"), nullptr);
  EXPECT_EQ(term(before, "power"), nullptr) << "nothing capped it";
  ASSERT_NE(term(before, "tiles"), nullptr);
  EXPECT_LT(term(before, "tiles")->share, 1);
  EXPECT_EQ(term(before, "start"), nullptr) << "no short operation tells it";
  // A product of one row is all start-up; it is 2 % of the shortest judged product here.
  double shortest = 1;
  for (const ProbeResult& result : profile.results) shortest = std::min(shortest, result.time_s->median);
  ProbeResult small = product("bf16", {1, 1024, 1024}, 1e12);
  small.time_s = time_of(0.02 * shortest);
  profile.results.push_back(small);
  const VerdictExplanation after = deficit();
  ASSERT_NE(term(after, "start"), nullptr);
  EXPECT_GT(term(after, "start")->share, 0.97);
  EXPECT_LT(term(after, "start")->share, 1);
  for (const VerdictExplanation& one : {before, after}) {
    double product_of_terms = 1;
    for (const DeficitTerm& part : one.deficit) product_of_terms *= part.share;
    EXPECT_NEAR(product_of_terms, one.shares.front().share, 1e-12);
    EXPECT_EQ(one.deficit.back().of, "rest");
  }
  EXPECT_GT(term(after, "rest")->share, term(before, "rest")->share);
}

TEST(JudgeProfile, ThinProductsLoseMoreInTiles) {
  EXPECT_DOUBLE_EQ(tile_fill(128.0, 128.0 * 132.0, 132.0), 1);
  EXPECT_DOUBLE_EQ(tile_fill(64.0, 128.0 * 132.0, 132.0), 0.5);
  EXPECT_DOUBLE_EQ(quantised_share(0.5, 0.0), 1);
  EXPECT_DOUBLE_EQ(quantised_share(0.5, 1.0), 0.5);
  EXPECT_DOUBLE_EQ(started_share(Seconds(4), Seconds(1)), 0.75);
}

// --- causes

TEST(JudgeProfile, LockedClocksAndLowerLimitsAccountForSlowProducts) {
  for (const bool locked : {true, false}) {
    HardwareProfile profile = one_gpu("h200-sxm5-141gb");
    ProfileDevice& device = profile.devices.front();
    device.sm_clock_max_hz = 1.98e9;
    device.clocks_locked = locked;
    if (!locked) device.power_limit_w = 400;
    device.power_limit_default_w = 700;
    profile.results = nine("bf16", 500e12);
    EXPECT_EQ(word_on(judge_profile(catalog(), profile), "gemm.bf16"), "bad");  // no clock was seen
    for (ProbeResult& result : profile.results) result.context.sm_clock_hz = 1.3e9;
    const ProfileJudgement judgement = judge_profile(catalog(), profile);
    const ProfileVerdict& one = *verdict_on(judgement, "gemm.bf16");
    EXPECT_EQ(word(one), "limited");
    EXPECT_EQ(one.verdict.cause, locked ? "clock" : "power");
    EXPECT_EQ(one.explanation.causes.front().cause, locked ? "clock" : "power");
    EXPECT_FALSE(one.explanation.next_command.empty());
    EXPECT_EQ(judgement.exit, ProbeExit::ok);
    for (ProbeResult& result : profile.results) result.context.sm_clock_hz = 1.9e9;  // too little to account for it
    EXPECT_EQ(word_on(judge_profile(catalog(), profile), "gemm.bf16"), "bad");
  }
}

TEST(JudgeProfile, ASliceHasItsShare) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  profile.devices.front().mig_slice = "MIG 3g.40gb";
  profile.results = nine("bf16", 760e12 * 3 / 7);
  profile.results.push_back(transfer("hbm.copy", 4294967296.0, 2.95e12 / 2));
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(verdict_on(judgement, "gemm.bf16")->verdict.cause, "slice");
  EXPECT_EQ(verdict_on(judgement, "hbm.copy")->verdict.cause, "slice");
  for (ProbeResult& result : profile.results) result.time_s = time_of(2 * result.time_s->median);
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "gemm.bf16"), "bad");
}

TEST(JudgeProfile, ASharedDeviceIsNotAccused) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  profile.results = {transfer("hbm.copy", 4294967296.0, 1e12)};
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "hbm.copy"), "bad");
  profile.results.front().flags.push_back({FlagKind::noisy_neighbour, ""});
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(verdict_on(judgement, "hbm.copy")->verdict.cause, "shared");
  EXPECT_EQ(verdict_on(judgement, "hbm.copy")->explanation.next_command, "nvidia-smi pmon -c 1");
}

TEST(JudgeProfile, ASlowSlotLimitsAndALinkThatTrainedDownIsAFault) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  ProfileDevice& device = profile.devices.front();
  device.pcie_generation = device.pcie_generation_max = 4;
  profile.results = {transfer("pcie.h2d", 268435456, 25.5e9)};
  const ProfileJudgement slot = judge_profile(catalog(), profile);
  EXPECT_EQ(verdict_on(slot, "pcie.h2d")->verdict.cause, "link") << verdict_on(slot, "pcie.h2d")->verdict.sentence;
  EXPECT_EQ(slot.exit, ProbeExit::ok);
  profile.results = {transfer("pcie.h2d", 268435456, 15e9)};
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "pcie.h2d"), "bad");

  device.pcie_generation = device.pcie_generation_max = 5;
  device.pcie_width = 8;
  profile.results = {transfer("pcie.h2d", 268435456, 27e9)};
  const ProfileJudgement trained_down = judge_profile(catalog(), profile);
  EXPECT_EQ(verdict_on(trained_down, "pcie.h2d")->verdict.sentence,
            "pcie.h2d (256 MiB) 27 GB/s: under load the link runs at PCIe 5 x8, device and slot allow PCIe 5 x16. Look "
            "for a fault in the slot, riser or cable.");
  EXPECT_EQ(trained_down.exit, ProbeExit::low);

  for (const double generation : {1, 3}) {  // for which there is no norm
    device.pcie_generation = generation;
    profile.results = {transfer("pcie.h2d", 268435456, 3e9)};
    EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::low) << generation;
  }

  device.pcie_generation = std::nullopt;  // not told: not judged
  EXPECT_EQ(word_on(judge_profile(catalog(), profile), "pcie.h2d"), "none");
}

TEST(JudgeProfile, ImportedLinksAreJudgedAgainstTheMostThatTheSlotAllows) {
  HardwareProfile profile = one_gpu("h200-sxm5-141gb");
  profile.run.mode = RunMode::imported;
  profile.devices.front().pcie_generation = 1;  // idle
  ProfileLink link;
  link.from = "host";
  link.to = "d0";
  link.type = "host";
  link.bytes_per_s = 55.4e9;
  ProfileLink peer = link;
  peer.from = "d0";
  peer.to = "d1";
  peer.bytes_per_s = 396e9;
  profile.links = {link, peer};
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(word_on(judgement, "pcie.h2d"), "ok");
  EXPECT_EQ(word_on(judgement, "p2p.matrix"), "ok");
  EXPECT_EQ(word_on(judgement, "pcie.d2h"), "none");
}

// --- what has no norm, and what failed

TEST(JudgeProfile, ADeviceThatTheCatalogLacksIsUnjudged) {
  HardwareProfile profile = one_gpu("");
  profile.devices.front().kind = "cpu";
  profile.devices.front().name = "Example 8480";
  profile.results = {transfer("cpu.stream.triad", 4294967296.0, 1e10)};
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  ASSERT_EQ(judgement.verdicts.size(), 1U);
  EXPECT_EQ(word(judgement.verdicts.front()), "unjudged");
  EXPECT_EQ(judgement.verdicts.front().verdict.sentence,
            "Example 8480 has no entry in the catalog, so that nothing of it has a norm. Compare runs of one machine "
            "with each other.");
  EXPECT_EQ(judgement.exit, ProbeExit::ok);
}

TEST(JudgeProfile, WrongAndImplausibleResultsAndMemoryErrorsAreTold) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  ProbeResult wrong = product("bf16", kNineProducts[0], 700e12);
  wrong.check.status = CheckStatus::fail;
  ProbeResult odd = transfer("hbm.copy", 4294967296.0, 3e12);
  odd.flags.push_back({FlagKind::above_roof, ""});
  profile.results = {wrong, odd, odd};
  ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(word_on(judgement, "gemm.bf16"), "failed");
  EXPECT_EQ(word_on(judgement, "hbm.copy"), "invalid");
  EXPECT_EQ(verdict_on(judgement, "hbm.copy")->judged, "2 sizes");
  EXPECT_EQ(judgement.exit, ProbeExit::fault);

  profile.results.clear();
  profile.health_counters = {{"d0", "pcie_replay", 1, 4}, {"d0", "ecc_uncorrectable", 0, 0}};
  judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(judgement.exit, ProbeExit::ok);
  EXPECT_EQ(judgement.notes.front(), "d0: 3 repeated PCIe packets during the run.");
  profile.health_counters[1].after = 1;
  EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::fault);
  profile.health_counters = {{"d0", "remap_failed", 0, 1}};
  EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::fault);
  profile.health_counters.clear();
  profile.health_events = {{"d0", "xid:79", ""}};
  EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::fault);
}

TEST(JudgeProfile, PeersAreComparedWhereThereAreAny) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  const auto notes_with = [](const ProfileJudgement& judgement, const std::string& part) {
    return std::count_if(judgement.notes.begin(), judgement.notes.end(),
                         [&](const std::string& note) { return note.find(part) != std::string::npos; });
  };
  profile.results = {transfer("hbm.copy", 4294967296.0, 3.1e12)};
  EXPECT_EQ(notes_with(judge_profile(catalog(), profile), "does not apply"), 1);
  for (const char* id : {"d1", "d2", "d3"}) {
    profile.devices.push_back(profile.devices.front());
    profile.devices.back().id = id;
    profile.results.push_back(transfer("hbm.copy", 4294967296.0, id[1] == '2' ? 2.87e12 : 3.1e12));
    profile.results.back().devices = {id};
  }
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(notes_with(judgement, "d2 is a straggler"), 1);
  EXPECT_EQ(notes_with(judgement, "straggler"), 1);
  EXPECT_EQ(judgement.exit, ProbeExit::low);  // each by itself is ok
  for (const ProfileVerdict& one : judgement.verdicts) EXPECT_EQ(word(one), "ok");
}

TEST(JudgeProfile, NodesThatARunFoundSlowAreRows) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  profile.devices.front().id = "n2.d0";
  profile.health_events = {{"n2.d0", "slow_node", "hbm.triad takes 50 % longer than on the other nodes"},
                           {"n3.d0", "slow_set", "An all-reduce with node 3 takes 1.5 times as long."}};
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  ASSERT_EQ(judgement.verdicts.size(), 1U);
  EXPECT_EQ(judgement.exit, ProbeExit::low);
  const ProfileVerdict& one = judgement.verdicts.front();
  EXPECT_EQ(one.probe, "hbm.triad");
  EXPECT_EQ(word(one), "low");
  EXPECT_EQ(one.device, "n2.d0");
  EXPECT_FALSE(one.rate);
  EXPECT_EQ(one.verdict.sentence.rfind("hbm.triad takes 50 %", 0), 0U);
  // What versions before measured over TCP accuses nobody, and is not passed over in silence.
  EXPECT_EQ(std::count_if(judgement.notes.begin(), judgement.notes.end(),
                          [](const std::string& note) { return note.rfind("n3.d0: an older version found", 0) == 0; }),
            1);
}

TEST(JudgeProfile, RatesBeyondTheRoofAreNotBelieved) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  profile.results = {transfer("decode.weights", 1e9, 30e12)};
  profile.results.front().size.m = 1;
  profile.results.front().dtype = "bf16";
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  ASSERT_EQ(judgement.verdicts.size(), 1U);
  EXPECT_EQ(word(judgement.verdicts.front()), "impossible");
  EXPECT_EQ(judgement.exit, ProbeExit::low);
}

TEST(JudgeProfile, FaultsThatEndedProbesStayFaults) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  profile.results = {transfer("hbm.copy", 4e9, 3e12)};
  EXPECT_EQ(judge_profile(catalog(), profile).exit, ProbeExit::ok);
  HardwareProfile hung = profile;
  hung.results.push_back(transfer("hbm.read", 4e9, 3e12));
  hung.results.back().time_s.reset();
  hung.results.back().skip = Skip{SkipReason::hang, "nothing came", ""};
  EXPECT_EQ(judge_profile(catalog(), hung).exit, ProbeExit::fault);
  profile.health_events = {{"d0", "device_fault", "an illegal address"}};
  const ProfileJudgement judgement = judge_profile(catalog(), profile);
  EXPECT_EQ(judgement.exit, ProbeExit::fault);
  EXPECT_EQ(word(judgement.verdicts.front()), "failed");
}

TEST(JudgeProfile, ProfilesWithRingsOverTcpAreStillRead) {
  HardwareProfile profile = one_gpu("h100-sxm5-80gb");
  for (const char* probe : {"cpu.coll.sendrecv", "cpu.coll.pingpong", "cpu.isolate.allreduce"}) {
    profile.results.push_back(transfer("hbm.copy", 4194304.0, 1e9));
    profile.results.back().probe = probe;
    profile.results.back().size.ranks = profile.results.back().size.nodes = 2;
  }
  for (const ProfileVerdict& one : judge_profile(catalog(), profile).verdicts) EXPECT_FALSE(one.rate) << one.probe;
}

}  // namespace
}  // namespace podwright::judge_profile_test
