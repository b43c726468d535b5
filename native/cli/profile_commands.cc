#include "cli/profile_commands.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>

#include "base/number_text.h"
#include "base/words.h"
#include "calibration/held_back.h"
#include "calibration/host_calibration.h"
#include "calibration/judge_profile.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_fits.h"
#include "cli/print_profile.h"
#include "cli/text_table.h"
#include "measure/foreign_file.h"
#include "measure/profile_file.h"
#include "probes/runner.h"

namespace podwright::cli {
namespace {

/// Imported devices are matched with the catalog by name and memory, as measured ones are.
void find_keys(const Catalog& catalog, HardwareProfile& profile) {
  for (ProfileDevice& device : profile.devices) {
    if (device.kind != "gpu" || !device.key.empty() || device.name.empty()) continue;
    const probes::DeviceKey key =
        probes::device_key(catalog, device.name, raw(gib(device.memory_total_gib.value_or(0))));
    device.key = key.key;
    device.key_match = key.match;
  }
}

std::optional<MachineFile> read_machine(const Catalog& catalog, const std::string& file, const std::string& text) {
  auto read = read_machine_file(text);
  if (!read) {
    std::cerr << "podwright: " << file << " is no profile that can be used:\n";
    print_errors(read.error());
    return std::nullopt;
  }
  if (read->format != FileFormat::profile) find_keys(catalog, read->profile);
  return std::move(*read);
}

std::optional<MachineFile> load_machine(const Catalog& catalog, const std::string& file) {
  const auto text = read_text(file);
  return text ? read_machine(catalog, file, *text) : std::nullopt;
}

int verify_serving(const std::string& file, const std::string& text) {
  const auto measured = read_serving_file(text);
  if (!measured) {
    std::cerr << "podwright: " << file << " is no measurement that can be used:\n";
    print_errors(measured.error());
    return kWrongInput;
  }
  std::cout << file << ": measured by " << serving_summary(*measured)
            << "A rate of an engine has no norm by itself: a plan for the same workload is what to compare it with.\n";
  return kAnswer;
}

std::string usable_results(const HardwareProfile& profile) {
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  return std::to_string(usable) + " of " + std::to_string(profile.results.size()) + " results may calibrate a plan.\n";
}

std::string percent(double share) { return fixed_number(100 * share, 1) + " %"; }

std::string held_back_rows(const std::vector<HeldBack>& predictions) {
  std::vector<std::vector<std::string>> rows{{"held back", "measured", "predicted", "off by", "inside 90 %"}};
  for (const HeldBack& one : predictions)
    rows.push_back({one.probe, human_number(raw(one.measured) * 1e6) + " us",
                    human_number(raw(one.predicted) * 1e6) + " us", percent(one.relative_error()),
                    one.inside() ? "yes" : "no"});
  return rows.size() > 1 ? "\nA result of each kind was held back from the fit and predicted:\n" + text_table(rows)
                         : "";
}

}  // namespace

int calibrate_profile_command(const Catalog& catalog, const std::vector<std::string>& files) {
  int code = kAnswer;
  for (const std::string& file : files) {
    const auto read = load_machine(catalog, file);
    if (!read) return kWrongInput;
    for (const ProfileDevice& device : read->profile.devices) {
      const DevicePeaks peaks = device_peaks(catalog, read->profile, device);
      const MachineCalibration calibration = calibrate_machine(read->profile, device, peaks);
      std::cout << file << ", " << device.id << " " << device.name << '\n'
                << fit_text(fit_rows(calibration)) << held_back_rows(predict_held_back(read->profile, device, peaks));
      for (const CalibrationGap& gap : calibration.gaps)
        std::cout << "not fitted  " << wrapped(gap.parameter + ": " + gap.reason, kTextWidth, 12) << '\n';
      if (calibration.products.empty() && calibration.memory.empty()) code = kInfeasible;
    }
  }
  return code;
}

int verify_profile_command(const Catalog& catalog, const std::string& file) {
  const auto text = read_text(file);
  if (!text) return kWrongInput;
  const auto format = format_of(*text);
  if (format == FileFormat::vllm_bench || format == FileFormat::aiperf) return verify_serving(file, *text);
  const auto read = read_machine(catalog, file, *text);
  if (!read) return kWrongInput;
  const HardwareProfile& profile = read->profile;
  std::cout << file << ": "
            << (read->format == FileFormat::profile
                    ? "whole and unchanged, digest " + read->digest
                    : "output of " + std::string(word_of(read->format, kFileFormatWords)) + ", which carries no digest")
            << "\n"
            << profile_summary(profile) << usable_results(profile) << "\n";
  const ProfileJudgement judgement = judge_profile(catalog, profile);
  std::cout << verdict_lines(judgement);
  if (judgement.exit == ProbeExit::fault) return kFault;
  return judgement.exit == ProbeExit::low || !profile.run.complete ? kInfeasible : kAnswer;
}

int import_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& output) {
  std::vector<HardwareProfile> imported;
  for (const std::string& file : files) {
    auto read = load_machine(catalog, file);
    if (!read) return kWrongInput;
    if (read->format == FileFormat::profile) {
      std::cerr << "podwright: " << file << " is a profile already; import takes files of other programs.\n";
      return kWrongInput;
    }
    imported.push_back(std::move(read->profile));
  }
  auto joined = joined_imports(imported);
  if (!joined) {
    for (Error error : joined.error()) {
      const std::size_t place = error.path.empty() ? 0 : static_cast<std::size_t>(std::atoi(error.path.c_str() + 1));
      error.path = files[std::min(place, files.size() - 1)];
      print_errors({error});
    }
    return kWrongInput;
  }
  joined->tool.version = std::string(version());
  find_keys(catalog, *joined);
  std::ofstream stream(output, std::ios::binary);
  stream << profile_text(*joined);
  stream.close();
  if (!stream) {
    std::cerr << "podwright: cannot write " << output << ".\n";
    return kEnvironment;
  }
  std::cout << profile_summary(*joined) << "wrote " << output << "\n";
  return kAnswer;
}

}  // namespace podwright::cli
