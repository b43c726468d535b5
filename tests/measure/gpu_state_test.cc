/// What a log of nvidia-smi says of a GPU's state, and what the rules make of it.
#include "measure/gpu_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "measure/foreign_samples.h"
#include "measure/health.h"
#include "measure/health_rules.h"
#include "measure/import_files.h"
#include "measure/import_foreign.h"
#include "support/test_data.h"

namespace podwright::gpu_state_test {
namespace {

std::string hot_log() { return std::string(podwright_test_data("tests/measure/data/hot_h100.xml")); }

/// The profile of one log, as `import` makes it.
HardwareProfile profile_of(const std::string& log) {
  const std::vector<FileText> files = {{"smi.xml", log}};
  auto read = import_files(embedded_catalog_facts(), files, "1.0.0");
  EXPECT_TRUE(read) << read.error().front().message;
  return read ? read->profile->profile : HardwareProfile{};
}

const HealthCheck* find_check(const HardwareProfile& profile, const std::string& rule, const std::string& device) {
  for (const HealthCheck& check : profile.health_checks)
    if (check.name == rule && check.device == device) return &check;
  return nullptr;
}

/// "failed: 2 uncorrectable ECC errors"
std::string told(const HardwareProfile& profile, const std::string& rule, const std::string& device = "d3") {
  const HealthCheck* check = find_check(profile, rule, device);
  if (check == nullptr) return "nothing";
  return std::string(kHealthStateWords.at(static_cast<std::size_t>(check->state))) + ": " + check->seen;
}

TEST(GpuState, TheHotGpuFailsAndItsNeighboursAreFine) {
  const HardwareProfile profile = profile_of(hot_log());
  ASSERT_EQ(profile.devices.size(), 8U);
  EXPECT_EQ(told(profile, "ecc_errors"), "failed: 2 uncorrectable ECC errors");
  EXPECT_EQ(told(profile, "remap_pending"), "warning: a row remap waits for a reset");
  EXPECT_EQ(told(profile, "row_remap_reserve"), "ok: 2 rows remapped");
  EXPECT_EQ(told(profile, "temperature"), "failed: 88 °C (1 °C beyond the limit)");
  EXPECT_EQ(told(profile, "clock_reasons"), "failed: heat makes the hardware slow the clocks");
  EXPECT_EQ(told(profile, "clocks"), "warning: a clock of 1,095 of 1,980 MHz");
  EXPECT_EQ(told(profile, "power_limit"), "warning: a power limit of 500 W (700 W by default)");
  EXPECT_EQ(told(profile, "pcie_link"), "warning: a PCIe link of 8 lanes (16 are possible)");
  EXPECT_EQ(told(profile, "ecc_mode"), "ok: on");
  EXPECT_EQ(told(profile, "persistence_mode"), "unknown: the log does not say");
  for (const HealthCheck& check : profile.health_checks)
    if (check.device != "d3") {
      EXPECT_TRUE(check.state == HealthState::ok || check.state == HealthState::unknown) << check.name << check.seen;
    }
}

TEST(GpuState, EveryFindingHasASentenceAnAdviceAndACommand) {
  const HardwareProfile profile = profile_of(hot_log());
  int found = 0;
  for (const HealthFinding& finding : health_findings(profile)) {
    ASSERT_NE(finding.check, nullptr);
    EXPECT_EQ(finding.says.text(), finding.check->seen);
    EXPECT_NE(finding.says.code, "as-written") << finding.check->seen;
    EXPECT_TRUE(advice_message(finding.check->name)) << finding.check->name;
    EXPECT_FALSE(next_command(*finding.check, "3").empty()) << finding.check->name;
    ++found;
  }
  EXPECT_EQ(found, 7);
  EXPECT_EQ(next_command(*find_check(profile, "remap_pending", "d3"), "3"), "nvidia-smi --gpu-reset -i 3");
  EXPECT_EQ(next_command(*find_check(profile, "power_limit", "d3"), "3"), "nvidia-smi -i 3 -pl 700");
}

TEST(GpuState, ASentenceOutlivesItsProfileAsAFile) {
  const HardwareProfile profile = profile_of(hot_log());
  const HealthCheck* check = find_check(profile, "power_limit", "d3");
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(seen_message(*check), say("health/power-limit-low", "limit_w"_v = 500.0, "default_w"_v = 700.0));
  // Its number stands twice in the sentence and once among its values.
  const HealthCheck* errors = find_check(profile, "ecc_errors", "d3");
  ASSERT_NE(errors, nullptr);
  EXPECT_EQ(seen_message(*errors), say("health/ecc-uncorrectable", "count"_v = 2.0));
  HealthCheck foreign = *check;
  foreign.values.clear();
  EXPECT_EQ(seen_message(foreign), as_written(check->seen));
  foreign.code = "no-such-sentence";
  EXPECT_EQ(seen_message(foreign), as_written(check->seen));
}

struct Case {
  const char* from;
  const char* to;
  const char* rule;
  const char* told;
};

TEST(GpuState, OneLineOfTheLogChangesOneVerdict) {
  const Case cases[] = {
      {"<gpu_temp_tlimit>46 C</gpu_temp_tlimit>", "<gpu_temp_tlimit>0 C</gpu_temp_tlimit>", "temperature",
       "warning: 41 °C (at the limit)"},
      {"<gpu_temp_tlimit>46 C</gpu_temp_tlimit><gpu_temp_max_threshold>87 C</gpu_temp_max_threshold>",
       "<gpu_temp_slow_threshold>40 C</gpu_temp_slow_threshold>", "temperature",
       "failed: 41 °C (the clocks slow down at 40 °C)"},
      {"<gpu_temp_tlimit>46 C</gpu_temp_tlimit>",
       "<gpu_temp_tlimit>-1 C</gpu_temp_tlimit><gpu_temp_slow_tlimit_threshold>-2 C</gpu_temp_slow_tlimit_threshold>",
       "temperature", "warning: 41 °C (1 °C beyond the limit)"},
      {"<gpu_temp_tlimit>46 C</gpu_temp_tlimit>",
       "<gpu_temp_tlimit>46 C</gpu_temp_tlimit><memory_temp>96 C</memory_temp>"
       "<gpu_temp_max_mem_threshold>95 C</gpu_temp_max_mem_threshold>",
       "temperature", "failed: memory at 96 °C (at most 95 °C)"},
      {"<temperature>", "<heat>", "temperature", "unknown: the log does not say"},
      {"<sram_uncorrectable_parity>0</sram_uncorrectable_parity>",
       "<sram_uncorrectable_parity>1</sram_uncorrectable_parity>", "ecc_errors", "failed: 1 uncorrectable ECC error"},
      {"<sram_correctable>0</sram_correctable>", "<sram_correctable>12</sram_correctable>", "ecc_errors",
       "ok: 12 corrected ECC errors (none uncorrectable)"},
      {"<aggregate><dram_uncorrectable>0</dram_uncorrectable>", "<aggregate><dram_uncorrectable>3</dram_uncorrectable>",
       "ecc_errors", "warning: 3 uncorrectable ECC errors in the GPU's life (none since the driver was loaded)"},
      {"<aggregate>", "<aggregate><sram_threshold_exceeded>Yes</sram_threshold_exceeded>", "ecc_errors",
       "failed: more uncorrectable SRAM errors than the threshold for a replacement"},
      {"<remapped_row_failure>No", "<remapped_row_failure>Yes", "row_remap_reserve",
       "failed: a memory row could not be remapped"},
      {"<clocks_event_reason_hw_slowdown>Not Active", "<clocks_event_reason_hw_slowdown>Active", "clock_reasons",
       "failed: the hardware slows the clocks by half or more"},
      {"<clocks_event_reasons>",
       "<clocks_event_reasons><clocks_event_reason_sw_thermal_slowdown>Active</"
       "clocks_event_reason_sw_thermal_slowdown>",
       "clock_reasons", "warning: heat makes the driver slow the clocks"},
      {"<clocks_event_reason_sw_power_cap>Not Active", "<clocks_event_reason_sw_power_cap>Active", "clock_reasons",
       "ok: the power limit holds the clocks down"},
      {"<performance_state>",
       "<retired_pages><double_bit_retirement><retired_count>64</retired_count></double_bit_retirement>"
       "<pending_retirement>No</pending_retirement></retired_pages><performance_state>",
       "retired_pages", "failed: 64 retired memory pages (the limit is 64)"},
      {"<performance_state>", "<gpu_recovery_action>Reset</gpu_recovery_action><performance_state>", "recovery_action",
       "failed: the driver asks for a reset of the GPU"},
      {"<performance_state>",
       "<gpu_reset_status><reset_required>Yes</reset_required></gpu_reset_status><performance_state>",
       "recovery_action", "failed: the driver asks for a reset of the GPU"},
      {"<performance_state>", "<gpu_recovery_action>Node Reboot</gpu_recovery_action><performance_state>",
       "recovery_action", "failed: the driver asks for a reboot of the machine"},
      {"<performance_state>", "<persistence_mode>Disabled</persistence_mode><performance_state>", "persistence_mode",
       "warning: persistence mode is off"},
      {"<performance_state>",
       "<mig_mode><current_mig>Enabled</current_mig><pending_mig>Enabled</pending_mig></mig_mode><performance_state>",
       "mig_mode", "ok: MIG is on: programs get slices of the GPU"},
      {"<performance_state>",
       "<mig_mode><current_mig>Disabled</current_mig><pending_mig>Enabled</pending_mig></mig_mode><performance_state>",
       "mig_mode", "warning: a change waits for a reset"},
      {"<pending_ecc>Enabled", "<pending_ecc>Disabled", "ecc_mode", "warning: a change waits for a reset"},
      {"<current_ecc>Enabled</current_ecc><pending_ecc>Enabled",
       "<current_ecc>Disabled</current_ecc><pending_ecc>Disabled", "ecc_mode", "failed: ECC is off"},
      {"<current_link_gen>5", "<current_link_gen>1", "pcie_link",
       "ok: 16 lanes; at PCIe 1 of 5 while at rest, when the link slows down"},
      {"<sm_clock>1980 MHz", "<sm_clock>345 MHz", "clocks", "ok: a clock of 345 of 1,980 MHz (not slowed)"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(told(profile_of(with(hot_log(), one.from, one.to)), one.rule, "d0"), one.told) << one.to;
}

TEST(GpuState, ALinkThatWorksBelowItsGenerationIsToldOnlyOfAGpuAtWork) {
  std::string log = with(hot_log(), "<current_link_gen>5", "<current_link_gen>4");
  log = with(log, "<clocks_event_reasons>",
             "<clocks_event_reasons><clocks_event_reason_gpu_idle>Not Active</clocks_event_reason_gpu_idle>");
  EXPECT_EQ(told(profile_of(log), "pcie_link", "d0"), "warning: PCIe generation 4 at work (5 is possible)");
}

TEST(GpuState, LogsOfOlderDriversSayTheSame) {
  std::string log = hot_log();
  for (const auto& [from, to] :
       {std::pair{"clocks_event_reason", "clocks_throttle_reason"}, std::pair{"gpu_power_readings", "power_readings"},
        std::pair{"current_power_limit", "enforced_power_limit"}}) {
    const std::string word = from;
    for (std::size_t at = log.find(word); at != std::string::npos; at = log.find(word, at + 1))
      log.replace(at, word.size(), to);
  }
  const HardwareProfile profile = profile_of(log);
  EXPECT_EQ(told(profile, "clock_reasons"), "failed: heat makes the hardware slow the clocks");
  EXPECT_EQ(told(profile, "power_limit"), "warning: a power limit of 500 W (700 W by default)");
}

TEST(GpuState, WhatWasReadIsListedAsUsed) {
  const FileFields fields = nvidia_smi_fields(hot_log());
  const auto holds = [](const std::vector<std::string>& list, const char* word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  for (const char* path :
       {"ecc_errors/volatile/dram_uncorrectable", "remapped_rows/remapped_row_pending", "temperature/gpu_temp_tlimit",
        "clocks_event_reasons/hw_thermal_slowdown", "clocks/sm_clock"})
    EXPECT_TRUE(holds(fields.used, path)) << path;
  for (const char* group : {"ecc_errors", "remapped_rows", "temperature", "clocks_event_reasons", "clocks"})
    EXPECT_FALSE(holds(fields.ignored, group)) << group;
}

}  // namespace
}  // namespace podwright::gpu_state_test
