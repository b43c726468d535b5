#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "base/csv_read.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "cli/command.h"
#include "cost/quote.h"

namespace podwright::cli {
namespace {

constexpr const char* kExample = "podwright quote import examples/quotes.csv examples/chat_70b.json | podwright plan -";

constexpr std::string_view kColumns[] = {
    "type", "name",     "provider", "gpu",         "system",           "price",          "country", "usd_per_currency",
    "term", "min_gpus", "as_of",    "valid_until", "gpus_per_machine", "cluster_network"};

/// Rows that are no quote of machines, and the field of `economics` that they become.
struct FactorRow {
  std::string_view type;
  std::string_view field;
  bool money;
};
constexpr FactorRow kFactorRows[] = {{"network", "network_usd_per_gpu", true},
                                     {"installation", "installation_fraction", false},
                                     {"support", "support_fraction_per_year", false}};

/// One table of quotes on its way into a request.
class QuoteTable {
 public:
  QuoteTable(const CsvTable& table, std::string file) : table_(table), file_(std::move(file)) {}

  /// The quotes as objects, and what goes into `economics`.
  void read() {
    for (const std::string& column : table_.columns)
      if (std::find(std::begin(kColumns), std::end(kColumns), column) == std::end(kColumns))
        problem(1, "No quote has a column \"" + column + "\".", "Columns: " + columns() + ".");
    for (const CsvTable::Row& row : table_.rows) read_row(row);
  }

  const Errors& errors() const { return errors_; }
  std::string quotes() const { return quotes_; }
  std::string economics() const { return economics_; }

 private:
  static std::string columns() {
    std::string all;
    for (const std::string_view column : kColumns) all += (all.empty() ? "" : ", ") + std::string(column);
    return all;
  }

  void problem(int line, std::string message, std::string hint) {
    errors_.push_back({"not-a-quote", file_ + ":" + std::to_string(line), std::move(message), std::move(hint)});
  }

  /// Without the last digits that a conversion leaves.
  static double rounded(double usd) { return std::round(usd * 1e9) / 1e9; }
  static std::string number_of(double usd) { return shortest_number(rounded(usd)); }

  /// 0 after a problem.
  double number(const CsvTable::Row& row, std::string_view column) {
    const std::string& cell = table_.cell(row, column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    if (cell.empty() || *end != 0 || !std::isfinite(value)) {
      problem(row.line, "The " + std::string(column) + " \"" + cell + "\" is no number.", "Write 2.49 for example.");
      return 0;
    }
    return value;
  }

  void read_row(const CsvTable::Row& row) {
    const std::string& type = table_.cell(row, "type");
    const double rate = table_.cell(row, "usd_per_currency").empty() ? 1 : number(row, "usd_per_currency");
    const double price = number(row, "price");
    for (const FactorRow& factor : kFactorRows)
      if (factor.type == type) {
        const std::string key = "\"" + std::string(factor.field) + "\"";
        if (economics_.find(key) != std::string::npos)
          return problem(row.line, "A second row of type " + type + ".", "A request has one price of it.");
        if (!table_.cell(row, "valid_until").empty())
          return problem(row.line, "A row of type " + type + " has no valid_until.",
                         "It becomes a field of economics, which holds until it is changed: leave it empty.");
        economics_ += (economics_.empty() ? "" : ",") + key + ":" + number_of(factor.money ? price * rate : price);
        return;
      }
    if (type != kQuoteTypeWords[0] && type != kQuoteTypeWords[1])
      return problem(row.line, "\"" + type + "\" is no type of a quote.",
                     "rent, server, network, installation or support.");
    JsonWriter out;
    out.begin_object();
    out.text("type", type);
    for (const char* key : {"name", "provider", "gpu", "system", "country", "term", "as_of", "valid_until"})
      if (const std::string& cell = table_.cell(row, key); !cell.empty()) out.text(key, cell);
    for (const char* key : {"gpus_per_machine", "min_gpus"})
      if (!table_.cell(row, key).empty()) out.number(key, number(row, key));
    if (const std::string& cell = table_.cell(row, "cluster_network"); !cell.empty())
      out.boolean("cluster_network", cell == "yes" || cell == "true");
    out.number(type == kQuoteTypeWords[0] ? "usd_per_gpu_hour" : "usd_per_system", rounded(price * rate));
    out.end_object();
    quotes_ += (quotes_.empty() ? "" : ",") + out.take();
  }

  const CsvTable& table_;
  std::string file_;
  Errors errors_;
  std::string quotes_;
  std::string economics_;
};

/// The file as `parse` takes its text; absent after a message.
template <class Parse>
auto read_as(const std::string& file, const Parse& parse) {
  const auto text = read_text(file);
  auto parsed = text ? std::optional(parse(*text)) : std::nullopt;
  if (parsed && !*parsed) {
    print_errors(parsed->error(), file);
    parsed.reset();
  }
  return parsed;
}

/// Writes the request, or an empty one, with the quotes of the table behind its own.
int import_quotes(const std::string& file, const std::string& request_file) {
  const auto table = read_as(file, [](const std::string& text) { return parse_csv(text); });
  if (!table) return kWrongInput;
  QuoteTable quotes(**table, file);
  quotes.read();
  JsonNode request;
  request.type = JsonType::object;
  if (!request_file.empty()) {
    const auto parsed = read_as(request_file, [](const std::string& text) { return parse_json(text); });
    if (!parsed) return kWrongInput;
    request = **parsed;
    const JsonNode* kind = request.find("kind");
    if (kind != nullptr && kind->text != "plan") {
      std::cerr << "podwright: " << request_file << " is a request of kind " << kind->text << "; plans take quotes.\n";
      return kWrongInput;
    }
  }
  if (!quotes.errors().empty()) {
    print_errors(quotes.errors());
    return kWrongInput;
  }
  std::string all = quotes.quotes();
  if (const JsonNode* own = request.find("quotes"))
    for (auto quote = own->items.rbegin(); quote != own->items.rend(); ++quote)
      all = json_text(*quote) + (all.empty() ? "" : ",") + all;
  std::string patch = "{\"quotes\":[" + all + "]";
  if (!quotes.economics().empty()) patch += ",\"economics\":{" + quotes.economics() + "}";
  std::cout << json_text(merged(request, *parse_json(patch + "}"))) << '\n';
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
  quote->footer(std::string("Example:\n  ") + kExample);
  const auto options = std::make_shared<Options>();
  Command command(line, *quote, "import", "A table of quotes as the `quotes` of a plan request", kExample);
  command->add_option("FILE", options->file, "Table of quotes, docs/method/prices.md#quotes")
      ->type_name("CSV")
      ->required();
  command->add_option("REQUEST", options->request, "Plan request that they are added to");
  command.run([options](const Catalog&) { return import_quotes(options->file, options->request); });
}

}  // namespace podwright::cli
