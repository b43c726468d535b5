#include <iostream>

#include "api/quotes_request.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "cli/command.h"

namespace podwright::cli {
namespace {

constexpr std::string_view kVerb = "quote import";

/// Writes the request, or an empty one, with the quotes of the table behind its own.
int import_quotes(const std::string& file, const std::string& request_file) {
  const auto text = read_text(file);
  if (!text) return kWrongInput;
  auto table = read_quote_table(*text);
  if (!table) {
    for (Error& error : table.error()) error.path = file + error.path;
    print_errors(table.error());
    return kWrongInput;
  }
  JsonNode request;
  request.type = JsonType::object;
  if (!request_file.empty()) {
    auto read = read_document(request_file);
    if (!read) return kWrongInput;
    request = std::move(*read);
    const JsonNode* kind = request.find("kind");
    if (kind != nullptr && kind->text != "plan") {
      std::cerr << "podwright: " << request_file << " is a request of kind " << kind->text << "; plans take quotes.\n";
      return kWrongInput;
    }
  }
  JsonNode patch = *parse_json("{\"quotes\":" + table->quotes +
                               (table->economics.empty() ? "" : ",\"economics\":" + table->economics) + "}");
  std::vector<JsonNode>& quotes = patch.items.front().items;
  if (const JsonNode* own = request.find("quotes")) quotes.insert(quotes.begin(), own->items.begin(), own->items.end());
  std::cout << json_text(merged(request, patch)) << '\n';
  return kAnswer;
}

}  // namespace

void add_quote_command(CommandLine& line) {
  struct Options {
    std::string file;
    std::string request;
  };
  CLI::App* quote =
      line.app.add_subcommand("quote", "Offers of vendors and clouds that a plan takes before list prices");
  quote->require_subcommand(1);
  quote->footer("Example:\n  " + std::string(kind_of_command(kVerb).example));
  const auto options = std::make_shared<Options>();
  Command command(line, *quote, kVerb);
  command->add_option("FILE", options->file, "Table of quotes, docs/method/prices.md#quotes")
      ->type_name("CSV")
      ->required();
  command->add_option("REQUEST", options->request, "Plan request that they are added to");
  command.run([options](const Catalog&) { return import_quotes(options->file, options->request); });
}

}  // namespace podwright::cli
