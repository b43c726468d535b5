#include <filesystem>
#include <fstream>
#include <iostream>

#include "api/backtest.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/fit_progress.h"
#include "cli/host_commands.h"
#include "cli/profile_commands.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

/// Written beside its place and moved there, so that nobody reads half a file.
bool write_whole(const fs::path& path, const std::string& text) {
  const fs::path part = path.string() + ".part";
  std::ofstream file(part, std::ios::binary);
  file << text;
  file.close();
  std::error_code failed;
  if (file) fs::rename(part, path, failed);
  if (!file || failed) {
    std::cerr << "podwright: cannot write " << path.string() << ".\n";
    return false;
  }
  return true;
}

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
  const auto calibration = calibrate_on_tables(catalog, *tables, show_progress);
  end_progress();
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
      if (!write_whole(path, table.text)) return kEnvironment;
      std::cout << "wrote " << path.string() << '\n';
    }
  }
  return outcome;
}

struct CalibrateOptions {
  std::vector<std::string> profiles;
  std::vector<std::string> tables;
  std::string output;
  bool reference = false;
};

int calibrate(const Catalog& catalog, const CalibrateOptions& options) {
  if (options.reference) return write_reference_command(catalog, options.profiles, options.output);
  if (!options.profiles.empty() && !options.output.empty())
    return write_calibration_command(catalog, options.profiles, options.output);
  if (!options.profiles.empty()) return calibrate_profile_command(catalog, options.profiles);
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
      "Exit codes: 0 done, also where it warns of the machine; 1 a device gave no fit, no rate was found, or a fit on\n"
      "measured runs was refused; 2 wrong usage or input; 3 the output cannot be written.\n"
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
  command.run([options](const Catalog& catalog) { return calibrate(catalog, *options); });
}

}  // namespace podwright::cli
