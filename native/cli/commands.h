#pragma once
/// The commands. Each returns the program's exit code.
#include <string>
#include <vector>

#include "catalog/catalog.h"

namespace podwright::cli {

/// Answers one request document; `json` prints the answer as it is, else a text for people.
int answer_command(const Catalog& catalog, const std::string& file, const std::string& kind, bool json);
/// Requests of kind architecture or fabric. `exports` (or "all") take the place of those that the request asks for;
/// they are written to `folder`, or stand in the JSON.
int architecture_command(const Catalog& catalog, const std::string& file, bool json,
                         const std::vector<std::string>& exports, const std::string& folder);
/// Requests of kind cost; `exports` as above.
int cost_command(const Catalog& catalog, const std::string& file, bool json, const std::vector<std::string>& exports,
                 const std::string& folder);
/// Training and serving requests; with `lines` one a line, one answer a line, in order.
int estimate_command(const Catalog& catalog, const std::string& file, bool lines, bool json);
/// Shape and weights that files of a model tell in their headers: GGUF, safetensors, an index or a config.json.
int model_command(const Catalog& catalog, const std::vector<std::string>& files, bool json);
int catalog_list_command(const Catalog& catalog, const std::string& table, bool json);
int catalog_show_command(const Catalog& catalog, const std::string& table, const std::string& id);
int catalog_check_command(const Catalog& catalog, const std::string& today, double stale_days);
struct BacktestOptions {
  std::vector<std::string> tables;
  std::string by;                        ///< keys of the groups, with commas
  std::string leave_out;                 ///< keys whose groups the constants are fitted without; empty: the catalog's
  std::vector<std::string> fitted_with;  ///< tables that are fitted and not predicted
  bool configurations = false;           ///< also each serving row as it was read
  bool json = false;
};
int backtest_command(const Catalog& catalog, const BacktestOptions& options);
/// Fits constants on the tables of measured runs and writes the catalog's tables into `folder`.
int calibrate_command(const Catalog& catalog, const std::vector<std::string>& files, const std::string& folder);
/// Long work on a terminal; silent in a pipe.
void show_progress(const std::string& left_out);
void end_progress();
int schema_command(const Catalog& catalog, const std::string& kind);
/// Serves the static site in `folder` on the loopback interface until it is stopped.
int serve_command(const std::string& folder, int port);

}  // namespace podwright::cli
