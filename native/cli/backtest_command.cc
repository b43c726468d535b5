#include <algorithm>
#include <iostream>
#include <vector>

#include "api/answer.h"
#include "api/backtest.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "cli/answer_format.h"
#include "cli/answer_lines.h"
#include "cli/command.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kSkippedShown = 12;
constexpr std::size_t kNamedRows = 6;
constexpr std::size_t kFiguresShown = 24;

struct BacktestOptions {
  std::vector<std::string> tables;
  std::string by;                        ///< keys of the groups, with commas
  std::string leave_out;                 ///< keys whose groups the constants are fitted without; empty: the catalog's
  std::vector<std::string> fitted_with;  ///< tables that are fitted and not predicted
  bool configurations = false;           ///< also each serving row as it was read
  bool mine = false;                     ///< how far off for these runs, and what to set
  FormatOption format = {};
};

std::string request_json(const std::vector<MeasuredFile>& files, const BacktestOptions& options) {
  JsonWriter out;
  out.begin_object();
  out.text("kind", "backtest");
  out.begin_list("files");
  for (const MeasuredFile& file : files) {
    out.begin_object();
    out.text("name", file.name);
    out.text("csv", file.csv);
    out.end_object();
  }
  out.end_list();
  if (!options.by.empty()) {
    out.begin_list("by");
    for (const std::string& key : CLI::detail::split(options.by, ','))
      if (!key.empty()) out.text(key);
    out.end_list();
  }
  if (options.configurations) out.boolean("configurations", true);
  if (options.mine) out.boolean("mine", true);
  out.end_object();
  return out.take();
}

std::string percent_of_group(const JsonNode& group, std::string_view key) {
  const JsonNode* value = group.find(key);
  return value == nullptr || !value->is_number() ? "-" : fixed_number(100 * value->number, 1);
}

std::string keys_of(const JsonNode& group) { return joined(group.find("by")->keys); }

/// Groups of the same keys are one table.
void groups_text(Page& out, const JsonNode& groups) {
  for (std::size_t begin = 0; begin < groups.items.size();) {
    const std::string keys = keys_of(groups.items[begin]);
    std::vector<std::string> head{"metric", "rows", "median %", "mean %", "bias %", "90th %", "in 90 % interval"};
    const auto& names = groups.items[begin].find("by")->keys;
    head.insert(head.begin(), names.begin(), names.end());
    std::vector<std::vector<std::string>> rows{head};
    std::size_t end = begin;
    for (; end < groups.items.size() && keys_of(groups.items[end]) == keys; ++end) {
      const JsonNode& group = groups.items[end];
      std::vector<std::string> row;
      for (const JsonNode& value : group.find("by")->items) row.push_back(value.text.empty() ? "-" : value.text);
      row.push_back(group.find("metric")->text);
      row.push_back(shortest_number(group.find("rows")->number));
      for (const char* key : {"median_ape", "mean_ape", "bias", "p90_ape", "coverage_90"})
        row.push_back(percent_of_group(group, key));
      rows.push_back(std::move(row));
    }
    out.title(keys.empty() ? std::string("All rows") : "By " + keys);
    out.table(rows);
    begin = end;
  }
}

void unknown_columns_text(Page& out, const JsonNode& answer) {
  if (const JsonNode* unknown = answer.find("unknown_columns"))
    for (const JsonNode& one : unknown->items) {
      const JsonNode* near = one.find("nearest_column");
      out.line(one.find("file")->text + ": the column \"" + one.find("column")->text + "\" is not known and not read" +
               (near == nullptr ? "" : "; did you mean \"" + near->text + "\"?"));
    }
}

/// Each measured figure with its prediction, of the first runs.
void figures_text(Page& out, const JsonNode& answer) {
  const std::vector<JsonNode>& cells = items_of(answer, "rows");
  if (cells.empty()) return;
  std::vector<std::vector<std::string>> rows{{"run", "figure", "measured", "predicted", "90 % interval", "inside"}};
  for (std::size_t i = 0; i < std::min(kFiguresShown, cells.size()); ++i) {
    const auto number = [&](std::string_view key) { return cells[i].find(key)->number; };
    const bool interval = cells[i].find("predicted_low")->is_number() && cells[i].find("predicted_high")->is_number();
    const bool inside =
        interval && number("measured") >= number("predicted_low") && number("measured") <= number("predicted_high");
    rows.push_back(
        {cells[i].find("id")->text, cells[i].find("metric")->text, human_number(number("measured"), 4),
         human_number(number("predicted"), 4),
         interval ? human_number(number("predicted_low"), 4) + " to " + human_number(number("predicted_high"), 4) : "-",
         !interval ? "-"
         : inside  ? "yes"
                   : "no"});
  }
  out.gap();
  out.table(rows);
  if (cells.size() > kFiguresShown)
    out.line("and " + std::to_string(cells.size() - kFiguresShown) + " more figures (--json lists all)");
  double counted = 0;
  for (const JsonNode& own : items_of(answer, "mine")) counted += own.find("cells")->number;
  if (counted > 0 && counted < static_cast<double>(cells.size()))
    out.paragraph(shortest_number(counted) + " of these " + std::to_string(cells.size()) +
                  " figures count below: throughput in several units is one figure.");
}

/// Figures and sentences.
void mine_text(Page& out, const JsonNode& answer) {
  unknown_columns_text(out, answer);
  std::vector<std::pair<std::string, std::vector<std::string>>> left_out;  // reason, ids
  for (const JsonNode& row : items_of(answer, "skipped")) {
    const std::string& reason = row.find("reason")->text;
    auto same = std::find_if(left_out.begin(), left_out.end(), [&](const auto& one) { return one.first == reason; });
    if (same == left_out.end()) same = left_out.insert(left_out.end(), {reason, {}});
    same->second.push_back(row.find("id")->text);
  }
  for (const auto& [reason, ids] : left_out)
    out.paragraph("Not compared: " + first_of(ids, kNamedRows) + ": " + reason);
  for (const JsonNode& one : items_of(answer, "read_as")) {
    std::vector<std::string> ids, assumptions;
    for (const JsonNode& id : items_of(one, "ids")) ids.push_back(id.text);
    for (const JsonNode& said : items_of(one, "assumptions")) assumptions.push_back(said.text);
    if (assumptions.empty()) continue;
    out.paragraph("Assumed of " + first_of(ids, kNamedRows) + ": " + joined(assumptions, "; ") + ".");
  }
  if (items_of(answer, "mine").empty())
    out.line(answer.find("table_rows")->number > 0 ? "No run of the table could be compared."
                                                   : "The table has no runs.");
  figures_text(out, answer);
  for (const JsonNode& own : answer.find("mine")->items) {
    out.gap();
    out.paragraph(own.find("message")->text);
    out.paragraph(own.find("advice")->find("message")->text);
  }
}

void backtest_text(Page& out, const JsonNode& answer) {
  const JsonNode& skipped = *answer.find("skipped");
  const double rows = answer.find("table_rows")->number;
  const double share = rows > 0 ? 100 * static_cast<double>(skipped.items.size()) / rows : 0;
  const auto aside = std::count_if(skipped.items.begin(), skipped.items.end(),
                                   [](const JsonNode& row) { return row.find("code")->text == kSetAside; });
  out.line(shortest_number(rows) + (rows == 1 ? " measured row, " : " measured rows, ") +
           std::to_string(skipped.items.size()) + " skipped (" + fixed_number(share, 1) + " %" +
           (aside > 0 ? ", " + std::to_string(aside) + " set aside" : "") +
           "). Constants: " + answer.find("constants")->text + ".");
  unknown_columns_text(out, answer);
  groups_text(out, *answer.find("groups"));
  out.gap();
  out.paragraph(
      "Errors are those of predictions from the configuration alone, relative to the measurement. "
      "tflops_per_gpu and mfu: sources count FLOPs in different ways.");
  if (!skipped.items.empty()) out.title("Skipped");
  for (std::size_t i = 0; i < std::min(kSkippedShown, skipped.items.size()); ++i)
    out.line("  " + skipped.items[i].find("id")->text + ": " + skipped.items[i].find("reason")->text);
  if (skipped.items.size() > kSkippedShown)
    out.line("  and " + std::to_string(skipped.items.size() - kSkippedShown) + " more (--json lists all)");
}

/// A row for each comparison of a prediction with a measurement.
std::string backtest_csv(const JsonNode& answer) { return csv_of_list(answer, items_of(answer, "rows")); }

int compare(const Catalog& catalog, const BacktestOptions& options) {
  const auto tables = read_tables(options.tables);
  const auto others = read_tables(options.fitted_with);
  if (!tables || !others) return kWrongInput;
  const std::string request = request_json(*tables, options);
  const std::string& leave_out = options.leave_out;
  const Answer answer = leave_out.empty() ? answer_request(catalog, request)
                                          : answer_backtest_leaving_out(catalog, request, leave_out, *others, show_fit);
  if (!leave_out.empty()) show_progress("");
  return show_answer(answer, options.format, {options.mine ? mine_text : backtest_text, backtest_csv});
}

}  // namespace

void add_backtest_command(CommandLine& line) {
  const auto options = std::make_shared<BacktestOptions>();
  Command command(line, line.app, "backtest");
  command->add_option("MEASURED.csv", options->tables, "Tables of measured runs, - for standard input")->required();
  command->add_option("--by", options->by, "Groups agree in these, with commas: source,gpu_id,framework ...")
      ->type_name("KEYS");
  command
      ->add_option("--leave-out", options->leave_out,
                   "Fit the constants anew without each group of this key and predict that group: source, hidden, "
                   "gpu_id, framework; of serving runs any keys with commas: source,gpu_id,model_id")
      ->type_name("KEYS");
  command
      ->add_option("--with", options->fitted_with,
                   "With --leave-out: tables whose rows are in the fits and are not predicted")
      ->type_name("CSV");
  command
      ->add_flag("--mine", options->mine,
                 "How far off the program is for these runs, and what to set so that its predictions fit")
      ->excludes("--leave-out");
  add_format(*command.operator->(), options->format);
  command->add_flag("--configurations", options->configurations,
                    "Also each row of serving tables as it was read (with --json)");
  command.run([options](const Catalog& catalog) { return compare(catalog, *options); });
}

}  // namespace podwright::cli
