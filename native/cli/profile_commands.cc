#include "cli/profile_commands.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>

#include "api/answer.h"
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
#include "measure/device_key.h"
#include "measure/foreign_file.h"
#include "measure/import_files.h"
#include "measure/profile_file.h"

namespace podwright::cli {
namespace {

std::optional<MachineFile> read_machine(const Catalog& catalog, const std::string& file, const std::string& text) {
  auto read = read_machine_file(text, file);
  if (!read) {
    std::cerr << "podwright: " << file << " is not a usable profile:\n";
    print_errors(read.error());
    return std::nullopt;
  }
  if (read->format != FileFormat::profile) name_devices(catalog, read->profile);
  return std::move(*read);
}

std::optional<MachineFile> load_machine(const Catalog& catalog, const std::string& file) {
  const auto text = read_text(file);
  return text ? read_machine(catalog, file, *text) : std::nullopt;
}

int verify_serving(const std::string& file, const std::string& text) {
  const auto measured = read_serving_file(text);
  if (!measured) {
    std::cerr << "podwright: " << file << " is not a usable measurement:\n";
    print_errors(measured.error());
    return kWrongInput;
  }
  std::cout << file << ": measured by " << serving_summary(*measured)
            << "A rate of an engine has no norm of its own: compare it with a plan for the same workload.\n";
  return kAnswer;
}

std::string usable_results(const HardwareProfile& profile) {
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  return std::to_string(usable) + " of " + std::to_string(profile.results.size()) + " results may calibrate a plan.\n";
}

std::string held_back_rows(const std::vector<HeldBack>& predictions) {
  std::vector<std::vector<std::string>> rows{{"held back", "measured", "predicted", "off by", "inside 90 %"}};
  for (const HeldBack& one : predictions)
    rows.push_back({one.probe, human_number(raw(one.measured) * 1e6) + " us",
                    human_number(raw(one.predicted) * 1e6) + " us", percent_cell(one.relative_error()),
                    one.inside() ? "yes" : "no"});
  return rows.size() > 1 ? "\nA result of each kind was held back from the fit and predicted:\n" + text_table(rows)
                         : "";
}

}  // namespace

int code_of(const ProfileJudgement& judgement, const HardwareProfile& profile) {
  if (judgement.exit > ProbeExit::low) return static_cast<int>(judgement.exit);
  return judgement.exit == ProbeExit::low || !profile.run.complete ? kInfeasible : kAnswer;
}

void warn_of(const Catalog& catalog, const HardwareProfile& profile, const std::string& file) {
  for (const std::string& caution : calibration_cautions(catalog, profile))
    std::cerr << "podwright: " << file << ": " << caution << '\n';
}

int calibrate_profile_command(const Catalog& catalog, const std::vector<std::string>& files) {
  int code = kAnswer;
  for (const std::string& file : files) {
    const auto read = load_machine(catalog, file);
    if (!read) return kWrongInput;
    const std::vector<HostCalibration> hosts = host_calibrations(catalog, {read->profile, read->digest});
    warn_of(catalog, read->profile, file);
    for (const ProfileDevice& device : read->profile.devices) {
      const DevicePeaks peaks = device_peaks(catalog, read->profile, device);
      const MachineCalibration calibration = calibrate_machine(read->profile, device, peaks);
      std::cout << file << ", " << device.id << " " << device.name << '\n'
                << fit_text(fit_rows(calibration, host_of(catalog, hosts, device)))
                << held_back_rows(predict_held_back(read->profile, device, peaks));
      for (const CalibrationGap& gap : calibration.gaps)
        std::cout << "not fitted  " << wrapped(gap.parameter + ": " + gap.reason, kTextWidth, 12) << '\n';
      if (calibration.products.empty() && calibration.memory.empty()) code = kInfeasible;
    }
    for (const HostCalibration& host : hosts)
      for (const std::string& note : host.notes) std::cout << "note        " << wrapped(note, kTextWidth, 12) << '\n';
  }
  return code;
}

int verify_profile_command(const Catalog& catalog, const std::string& file) {
  const auto text = read_text(file);
  if (!text) return kWrongInput;
  const auto format = format_of(*text);
  if (format && is_of_load_generator(*format)) return verify_serving(file, *text);
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
  return code_of(judgement, profile);
}

int import_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& output) {
  std::vector<FileText> texts;
  for (const std::string& file : files) {
    auto text = read_text(file);
    if (!text) return kWrongInput;
    texts.push_back({file, std::move(*text)});
  }
  const auto imported = import_files(catalog, texts, std::string(version()));
  if (!imported) {
    for (Error error : imported.error()) {
      // "/<place>/text<path in the file>"
      const std::size_t place = error.path.empty() ? 0 : static_cast<std::size_t>(std::atoi(error.path.c_str() + 1));
      const std::size_t inside = error.path.find("/text");
      error.path = files[std::min(place, files.size() - 1)] +
                   (inside == std::string::npos ? "" : error.path.substr(inside + std::string_view("/text").size()));
      print_errors({error});
    }
    return kWrongInput;
  }
  for (const ImportedFile& file : imported->files) {
    if (file.format != FileFormat::profile && !file.serving) continue;
    std::cerr << "podwright: " << file.name
              << (file.serving ? " is a measurement of a serving engine, which does not describe a machine.\n"
                               : " is a profile already; import takes files of other programs.\n");
    return kWrongInput;
  }
  std::ofstream stream(output, std::ios::binary);
  stream << profile_text(imported->profile->profile);
  stream.close();
  if (!stream) {
    std::cerr << "podwright: cannot write " << output << ".\n";
    return kEnvironment;
  }
  for (const ImportedFile& file : imported->files)
    for (const IdentifierCount& one : file.identifiers)
      std::cout << file.name << " holds " << one.count << " x " << word_of(one.kind, kIdentifierWords)
                << "; the profile does not.\n";
  std::cout << profile_summary(imported->profile->profile) << "wrote " << output << "\n";
  return kAnswer;
}

}  // namespace podwright::cli
