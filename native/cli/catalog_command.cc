#include <ctime>
#include <iostream>

#include "api/answer.h"
#include "api/kinds.h"
#include "api/schema.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "catalog/check.h"
#include "cli/answer_format.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/request_path.h"

namespace podwright::cli {
namespace {

constexpr double kMostStaleDays = 36525;  // a century

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// The table of a word for one of its items: "gpus" for "gpu". Other words are left as they were typed.
std::string table_named(const std::string& word) {
  for (const char* item :
       {"gpu", "model", "system", "architecture", "engine", "weight-format", "traffic-preset", "region", "source"})
    if (word == item) return word + "s";
  return word == "switch" ? "switches" : word;
}

Answer ask(const Catalog& catalog, std::string_view verb, const std::string& table, const std::string& id) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "catalog");
  request.text(verb, table);
  if (!id.empty()) request.text("id", id);
  request.end_object();
  return answer_request(catalog, request.take());
}

/// Items under the keys of the catalog, not the labels of answers.
std::vector<RowColumn> table_columns(const JsonNode& answer) {
  std::vector<Column> columns = columns_of(items_of(answer, "items"));
  for (Column& column : columns) column.head = column.key;
  return row_columns(columns, 6);
}

int check(const Catalog& catalog, double stale_days) {
  const std::string day = today();
  const CatalogCheck check = check_catalog(catalog, day, stale_days);
  for (const std::string& problem : check.problems) std::cout << "problem: " << problem << '\n';
  for (const std::string& stale : check.stale) std::cout << "stale: " << stale << '\n';
  std::cout << check.facts << " facts checked, " << check.problems.size() << " problems, " << check.stale.size()
            << " stale (older than " << human_number(stale_days) << " days on " << day << ").\n";
  return check.problems.empty() ? kAnswer : kInfeasible;
}

int print_schema(const Catalog& catalog, const std::string& kind, bool of_answer, bool labels) {
  if (kind.empty() || labels) {
    std::cout << (labels ? answer_labels_json() : kinds_json()) << '\n';
    return kAnswer;
  }
  const std::string schema = of_answer ? answer_schema(kind) : request_schema(catalog, kind);
  if (schema.empty()) {
    std::cerr << "podwright: no schema for \"" << kind << "\". Kinds: " << joined(kind_words(request_kinds())) << ".\n";
    return kWrongInput;
  }
  std::cout << schema << '\n';
  return kAnswer;
}

struct Options {
  std::string table;
  std::string id;
  FormatOption format;
};

void add_list_command(CommandLine& line, CLI::App& facts) {
  const auto options = std::make_shared<Options>();
  Command list(line, facts, "list",
               "Items of a table: gpus, models, systems, switches, architectures, engines, weight-formats, "
               "traffic-presets, prices, regions, currencies, sources",
               "podwright catalog list gpus");
  list->add_option("TABLE", options->table)->required();
  add_format(*list.operator->(), options->format);
  list.run([options](const Catalog& catalog) {
    const auto page = [](Page& out, const JsonNode& answer) {
      out.table(text_rows(table_columns(answer), items_of(answer, "items")));
    };
    const auto csv = [](const JsonNode& answer) { return csv_rows(table_columns(answer), items_of(answer, "items")); };
    return show_answer(ask(catalog, "list", table_named(options->table), ""), options->format, {page, csv});
  });
}

void add_show_command(CommandLine& line, CLI::App& facts) {
  const auto options = std::make_shared<Options>();
  Command show(line, facts, "show", "One item whole, with the source of every number",
               "podwright catalog show gpu h100-sxm5-80gb");
  show->add_option("TABLE", options->table,
                   "gpu, model, system, switch, architecture, engine, weight-format, traffic-preset")
      ->required();
  show->add_option("ID", options->id)->required();
  show->add_flag("--json", options->format.json, "In one line, for programs");
  show.run([options](const Catalog& catalog) {
    const Answer answer = ask(catalog, "show", table_named(options->table), options->id);
    return show_answer(answer, options->format.json, pretty_json);
  });
}

}  // namespace

void add_catalog_command(CommandLine& line) {
  CLI::App* facts = line.app.add_subcommand("catalog", "The facts: list, show, check");
  facts->footer("Example:\n  podwright catalog show gpu h100-sxm5-80gb");
  facts->require_subcommand(1);
  add_list_command(line, *facts);
  add_show_command(line, *facts);
  const auto stale_days = std::make_shared<double>(365);
  Command command(line, *facts, "check", "Is every fact sound, sourced and fresh?",
                  "podwright catalog check --stale-days 180");
  command->add_option("--stale-days", *stale_days, "Age after which a fact that ages is stale")
      ->check(number_within(0, kMostStaleDays))
      ->capture_default_str();
  command.run([stale_days](const Catalog& catalog) { return check(catalog, *stale_days); });
}

void add_schema_command(CommandLine& line) {
  struct Options {
    std::string kind;
    bool of_answer = false;
    bool labels = false;
    bool openapi = false;
  };
  const auto options = std::make_shared<Options>();
  Command schema(line, line.app, "schema", "JSON Schema of a kind of request or of its answer",
                 "podwright schema plan");
  schema->add_option("KIND", options->kind, "Kind of request; without it the list of kinds");
  schema->add_flag("--answer", options->of_answer, "Of the answer");
  schema->add_flag("--labels", options->labels,
                   "Label and unit of every field of the answers of all kinds with a table");
  schema->add_flag("--openapi", options->openapi, "All kinds and their answers as OpenAPI 3.1, as serve --api answers");
  schema.run([options](const Catalog& catalog) -> int {
    if (options->openapi) {
      std::cout << openapi_json(catalog) << '\n';
      return kAnswer;
    }
    return print_schema(catalog, options->kind, options->of_answer, options->labels);
  });
}

}  // namespace podwright::cli
