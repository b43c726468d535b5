#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "api/calibrate.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
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
         " measured rows tell what is fitted and can be expressed. Errors:\n" + text_table(rows);
}

}  // namespace

void show_progress(const std::string& left_out) {
  if (isatty(STDERR_FILENO) == 1)
    std::cerr << "\r\033[Kfitting " << (left_out.empty() ? "on all rows" : "without " + left_out) << std::flush;
}

void end_progress() {
  if (isatty(STDERR_FILENO) == 1) std::cerr << "\r\033[K" << std::flush;
}

int calibrate_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& folder) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) {
    std::cerr << "podwright: -o " << folder << " is no folder.\n";
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

}  // namespace podwright::cli
