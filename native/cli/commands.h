#pragma once
/// The commands. Each returns the program's exit code.
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::cli {

/// Answers one request document; `json` prints the answer as it is, else a text for people.
int answer_command(const Catalog& catalog, const std::string& file, const std::string& kind, bool json);
/// Training and serving requests; with `lines` one a line, one answer a line, in order.
int estimate_command(const Catalog& catalog, const std::string& file, bool lines, bool json);
int catalog_list_command(const Catalog& catalog, const std::string& table, bool json);
int catalog_show_command(const Catalog& catalog, const std::string& table, const std::string& id);
int catalog_check_command(const Catalog& catalog, const std::string& today, double stale_days);
/// Predictions beside the measured runs of the tables; `by` is a list of keys with commas, empty for the usual groups.
/// `leave_out` names a key whose groups the constants are fitted without, empty for those of the catalog; tables of
/// `fitted_with` are in these fits beside the others and are not predicted.
int backtest_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& by,
                     const std::string& leave_out, const std::vector<std::string>& fitted_with, bool json);
/// Fits constants on the tables of measured runs and writes the catalog's tables into `folder`.
int calibrate_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& folder);
/// Long work on a terminal; silent in a pipe.
void show_progress(const std::string& group);
void end_progress();
int schema_command(const Catalog& catalog, const std::string& kind);
/// Serves the static site in `folder` on the loopback interface until it is stopped.
int serve_command(const std::string& folder, int port);

}  // namespace podwright::cli
