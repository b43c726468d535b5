#include "cli/profile_commands.h"

#include <algorithm>
#include <iostream>
#include <optional>

#include "base/number_text.h"
#include "calibration/held_back.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_profile.h"
#include "cli/text_table.h"
#include "measure/profile_file.h"

namespace podwright::cli {
namespace {

std::optional<ReadProfile> load_profile(const std::string& file) {
  const auto text = read_text(file);
  if (!text) return std::nullopt;
  auto read = read_profile(*text);
  if (read) return std::move(*read);
  std::cerr << "podwright: " << file << " is no profile that can be used:\n";
  print_errors(read.error());
  return std::nullopt;
}

/// The catalog's peaks of a device that it knows; else the best rates that the profile itself measured.
DevicePeaks peaks_of(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device) {
  if (!device.key.empty())
    if (const auto gpu = find_gpu(catalog, device.key); gpu) {
      DevicePeaks peaks;
      for (const auto& [dtype, flops] : (*gpu)->peak_dense_flops) peaks.flops[dtype] = flops;
      peaks.bandwidth = (*gpu)->memory_bandwidth;
      return peaks;
    }
  return measured_peaks(profile, device);
}

std::string percent(double share) { return fixed_number(100 * share, 1) + " %"; }

std::string fit_rows(const MachineCalibration& calibration) {
  std::vector<std::vector<std::string>> rows{{"fit", "start", "compute", "bandwidth", "left-out error", "90 %"}};
  for (const auto& [dtype, fit] : calibration.products)
    rows.push_back({"products in " + dtype, human_number(raw(fit.start) * 1e6) + " us", percent(fit.compute_efficiency),
                    percent(fit.bandwidth_efficiency), percent(fit.leave_one_out_median),
                    percent(fit.leave_one_out_90)});
  for (const auto& [probe, fit] : calibration.memory)
    rows.push_back({probe, human_number(raw(fit.start) * 1e6) + " us", "-", percent(fit.efficiency),
                    percent(fit.leave_one_out_median), percent(fit.leave_one_out_90)});
  return rows.size() > 1 ? text_table(rows) : "";
}

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
    const auto read = load_profile(file);
    if (!read) return kWrongInput;
    for (const ProfileDevice& device : read->profile.devices) {
      const DevicePeaks peaks = peaks_of(catalog, read->profile, device);
      const MachineCalibration calibration = calibrate_machine(read->profile, device, peaks);
      std::cout << file << ", " << device.id << " " << device.name << '\n'
                << fit_rows(calibration) << held_back_rows(predict_held_back(read->profile, device, peaks));
      for (const CalibrationGap& gap : calibration.gaps)
        std::cout << "not fitted  " << wrapped(gap.parameter + ": " + gap.reason, kTextWidth, 12) << '\n';
      if (calibration.products.empty() && calibration.memory.empty()) code = kInfeasible;
    }
  }
  return code;
}

int verify_profile_command(const std::string& file) {
  const auto read = load_profile(file);
  if (!read) return kWrongInput;
  const HardwareProfile& profile = read->profile;
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  std::cout << file << ": whole and unchanged, digest " << read->digest << "\n"
            << profile_summary(profile) << usable << " of " << profile.results.size()
            << " results may calibrate a plan.\n";
  if (profile.run.complete) return kAnswer;
  return kInfeasible;
}

}  // namespace podwright::cli
