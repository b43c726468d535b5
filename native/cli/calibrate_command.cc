#include <algorithm>
#include <filesystem>
#include <iostream>

#include "api/backtest.h"
#include "api/host_calibration_text.h"
#include "base/number_text.h"
#include "calibration/held_back.h"
#include "calibration/host_calibration.h"
#include "calibration/reference_profile.h"
#include "cli/command.h"
#include "cli/print_fits.h"
#include "cli/profiles.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

std::string in_percent(double share) { return fixed_number(100 * share, 1); }

std::string report(const Calibration& calibration) {
  std::vector<std::vector<std::string>> rows{{"rows", "count", "median %", "mean %", "90th %"}};
  for (const FitErrors& fit : calibration.errors)
    rows.push_back({fit.rows_of, std::to_string(fit.errors.rows), in_percent(fit.errors.median_ape),
                    in_percent(fit.errors.mean_ape), in_percent(fit.errors.p90_ape)});
  return std::to_string(calibration.fitted_rows) + " of " + std::to_string(calibration.table_rows) +
         " measured rows give what is fitted and can be expressed. Errors:\n" + text_table(rows);
}

int fit_on_tables(const Catalog& catalog, const std::vector<std::string>& files, const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    std::cerr << "podwright: -o " << folder << " is not a folder.\n";
    return kWrongInput;
  }
  const auto tables = read_tables(files);
  if (!tables) return kWrongInput;
  const auto calibration = calibrate_on_tables(catalog, *tables, show_fit);
  show_progress("");
  if (!calibration) {
    print_errors(calibration.error());
    return kWrongInput;
  }
  int outcome = kAnswer;
  for (const Calibration& fitted : *calibration) {
    std::cout << report(fitted);
    if (!fitted.refused.empty()) {
      std::cerr << "podwright: the fit is refused, its tables are not written. " << fitted.refused << '\n';
      outcome = kInfeasible;
      continue;
    }
    for (const Calibration::Table& table : fitted.tables) {
      const fs::path path = fs::path(folder) / table.file;
      const auto replaced = fs::exists(path, failed) ? read_text(path.string()) : std::nullopt;
      if (!write_file(path.string(), with_notes(table.text, replaced.value_or("")))) return kEnvironment;
      std::cout << "wrote " << path.string() << '\n';
    }
  }
  return outcome;
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

/// Says on the error stream what whoever calibrates with this profile must know.
void warn_of(const Catalog& catalog, const HardwareProfile& profile, const std::string& file) {
  for (const std::string& caution : calibration_cautions(catalog, profile))
    std::cerr << "podwright: " << file << ": " << caution << '\n';
}

/// The fits on each profile, and how well held-back results are predicted. 1 when plans take nothing of a
/// profile, as with -o; warnings change no code.
int show_fits(const Catalog& catalog, const std::vector<std::string>& files, const TrustedKeys& trusted) {
  int code = kAnswer;
  for (const std::string& file : files) {
    const auto text = read_trusted(file, trusted);
    const auto read = text ? read_machine(catalog, file, *text) : std::nullopt;
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
        std::cout << labelled("not fitted", gap.parameter + ": " + gap.reason, 12);
    }
    if (std::none_of(hosts.begin(), hosts.end(), plans_take_from)) code = kInfeasible;
    for (const HostCalibration& host : hosts)
      for (const std::string& note : host.notes) std::cout << labelled("note", note, 12);
  }
  return code;
}

/// Writes what plans take from the profiles.
int write_calibration_file(const Catalog& catalog, const std::vector<std::string>& profiles, const std::string& output,
                           const TrustedKeys& trusted) {
  const auto read = read_profiles(profiles, trusted);
  if (!read) return kWrongInput;
  warn_of(catalog, read->profile, profiles.front());
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, *read);
  std::size_t rates = 0;
  std::size_t taken = 0;
  std::size_t kinds = 0;
  for (const HostCalibration& host : hosts) {
    rates += host.rates.size();
    taken += static_cast<std::size_t>(std::count_if(host.rates.begin(), host.rates.end(),
                                                    [](const HostRate& rate) { return rate.use != RateUse::none; }));
    kinds += host.rates.empty() ? 0 : 1;
    for (const std::string& note : host.notes) std::cout << labelled("note", note, 11);
  }
  if (std::none_of(hosts.begin(), hosts.end(), plans_take_from)) {
    std::cerr << "podwright: plans take nothing of the profile; " << output << " was not written.\n";
    return kInfeasible;
  }
  JsonWriter out;
  out.begin_object();
  write_calibration(out, hosts);
  out.end_object();
  if (!write_file(output, out.take() + "\n")) return kEnvironment;
  std::cout << "wrote " << output << ": " << rates << " rates of " << kinds
            << (kinds == 1 ? " kind of device" : " kinds of devices") << ", of which plans take " << taken
            << ", for --calibration\n";
  for (const HostCalibration& host : hosts)
    if (!host.device_json.empty()) std::cout << "requests name this machine \"" << host.gpu_id << "\"\n";
  return kAnswer;
}

/// Writes the catalog's reference_rates.csv with the rows of one verified profile, and says which source they need.
int write_reference(const Catalog& catalog, const std::vector<std::string>& profiles, const std::string& output,
                    const TrustedKeys& trusted) {
  if (profiles.size() != 1 || output.empty()) {
    std::cerr << "podwright: calibrate --reference needs one profile, and -o with a file.\n";
    return kWrongInput;
  }
  const auto read = read_profiles(profiles, trusted);
  if (!read) return kWrongInput;
  const auto table = with_reference(catalog, *read);
  if (!table) {
    print_errors(table.error(), profiles.front() + " cannot be a reference");
    return kWrongInput;
  }
  if (!write_file(output, reference_table(*table))) return kEnvironment;
  const std::string source = profile_source(read->digest);
  const std::string day = read->profile.run.started.substr(0, 10);
  const auto rows =
      std::count_if(table->begin(), table->end(), [&](const ReferenceRate& row) { return row.source == source; });
  JsonWriter out;
  out.begin_object();
  out.text("id", source);
  out.text("title", "Hardware profile sha256:" + read->digest + ", reference of " + table->back().gpu_id);
  out.text("date", day);
  out.text("retrieved", day);
  out.text("kind", "measured");
  out.text("confidence", "primary");
  out.end_object();
  std::cout << "wrote " << output << ": " << rows << " rows of " << table->back().gpu_id << ". sources.json needs\n"
            << out.take() << '\n';
  return kAnswer;
}

struct CalibrateOptions {
  std::vector<std::string> profiles;
  std::vector<std::string> tables;
  std::string output;
  TrustedKeys trusted;
  bool reference = false;
};

int calibrate(const Catalog& catalog, const CalibrateOptions& options) {
  if (const int code = without_signatures(options.trusted); code != kAnswer) return code;
  if (options.reference) return write_reference(catalog, options.profiles, options.output, options.trusted);
  if (!options.profiles.empty() && !options.output.empty())
    return write_calibration_file(catalog, options.profiles, options.output, options.trusted);
  if (!options.profiles.empty()) return show_fits(catalog, options.profiles, options.trusted);
  if (!options.tables.empty() && !options.output.empty()) return fit_on_tables(catalog, options.tables, options.output);
  std::cerr << "podwright: calibrate needs a profile, or --from-measured with tables of measured runs and -o with a "
               "folder.\n";
  return kWrongInput;
}

}  // namespace

void add_calibrate_command(CommandLine& line) {
  const auto options = std::make_shared<CalibrateOptions>();
  Command command(line, line.app, "calibrate",
                  "What plans take from profiles of hosts; or fits the time models on measured runs", "");
  command->footer(
      "Examples:\n  podwright calibrate profile.json\n  podwright calibrate profile.json -o calibration.json\n"
      "  podwright calibrate profile.json --reference -o core/catalog/data/reference_rates.csv\n"
      "  podwright calibrate --from-measured tests/measured/data/training*.csv tests/measured/data/serving.csv -o "
      "core/catalog/data");
  command->add_option("PROFILE", options->profiles, "Profiles of hosts, for their fits and how well these predict");
  command->add_option("--from-measured", options->tables, "Tables of measured training and serving runs")
      ->type_name("CSV");
  command
      ->add_option("-o,--output", options->output,
                   "Of profiles: file for --calibration; of measured runs: folder that gets the catalog's tables")
      ->type_name("FILE|FOLDER");
  command->add_flag("--reference", options->reference,
                    "Of one verified profile: FILE becomes the catalog's reference_rates.csv with its GPU's rows");
  add_trusted_option(*command.operator->(), options->trusted);
  command.run([options](const Catalog& catalog) { return calibrate(catalog, *options); });
}

}  // namespace podwright::cli
