#include "api/quotes_request.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "base/csv_read.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/told_number.h"
#include "cost/quote.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, 16> kColumns{"type",
                                                    "name",
                                                    "provider",
                                                    "gpu",
                                                    "system",
                                                    "price",
                                                    "country",
                                                    "usd_per_currency",
                                                    "term",
                                                    "contract_days_least",
                                                    "contract_days_most",
                                                    "min_gpus",
                                                    "as_of",
                                                    "valid_until",
                                                    "gpus_per_machine",
                                                    "cluster_network"};

/// Rows that are not about machines, and the field of `economics` that they become.
struct FactorRow {
  std::string_view type;
  std::string_view field;
  bool money;
};
constexpr FactorRow kFactorRows[] = {{"network", "network_usd_per_gpu", true},
                                     {"installation", "installation_fraction", false},
                                     {"support", "support_fraction_per_year", false}};

class QuoteReader {
 public:
  explicit QuoteReader(const CsvTable& table) : table_(table) {}

  Result<QuoteTable> read() {
    const std::string columns = joined({kColumns.begin(), kColumns.end()});
    for (const std::string& column : table_.columns)
      if (std::find(kColumns.begin(), kColumns.end(), column) == kColumns.end())
        problem(1, "\"" + column + "\" is not a column of a table of quotes.", "Columns: " + columns + ".");
    for (const CsvTable::Row& row : table_.rows) read_row(row);
    if (!errors_.empty()) return failure(std::move(errors_));
    return QuoteTable{"[" + quotes_ + "]", economics_.empty() ? "" : "{" + economics_ + "}"};
  }

 private:
  void problem(int line, std::string message, std::string hint) {
    errors_.push_back({"not-a-quote", ":" + std::to_string(line), std::move(message), std::move(hint)});
  }

  /// Without the last digits that a conversion leaves.
  static double rounded(double usd) { return std::floor(usd * 1e9 + 0.5) / 1e9; }

  /// 0 after a problem.
  double number(const CsvTable::Row& row, std::string_view column) {
    const std::string& cell = table_.cell(row, column);
    char* end = nullptr;
    const double value = std::strtod(cell.c_str(), &end);
    const bool is_number = !cell.empty() && *end == 0 && is_tellable(value);
    if (!is_number || value < 0) {
      problem(row.line,
              "The " + std::string(column) + " \"" + cell + (is_number ? "\" is below 0." : "\" is not a number."),
              "Write 2.49 for example.");
      return 0;
    }
    return value;
  }

  void read_row(const CsvTable::Row& row) {
    const std::string& type = table_.cell(row, "type");
    const double rate = table_.cell(row, "usd_per_currency").empty() ? 1 : number(row, "usd_per_currency");
    const double price = number(row, "price");
    for (const FactorRow& factor : kFactorRows)
      if (factor.type == type) return read_factor(row, factor, factor.money ? price * rate : price);
    if (std::find(kQuoteTypeWords.begin(), kQuoteTypeWords.end(), type) == kQuoteTypeWords.end())
      return problem(row.line, "The type \"" + type + "\" is not known.",
                     "One of: rent, server, network, installation, support.");
    JsonWriter out;
    out.begin_object();
    out.text("type", type);
    for (const char* key : {"name", "provider", "gpu", "system", "country", "term", "as_of", "valid_until"})
      if (const std::string& cell = table_.cell(row, key); !cell.empty()) out.text(key, cell);
    for (const char* key : {"gpus_per_machine", "min_gpus", "contract_days_least", "contract_days_most"})
      if (!table_.cell(row, key).empty()) out.number(key, number(row, key));
    const std::string& network = table_.cell(row, "cluster_network");
    if (network == "yes" || network == "true" || network == "no" || network == "false")
      out.boolean("cluster_network", network == "yes" || network == "true");
    else if (!network.empty())
      out.text("cluster_network", network);
    out.number(type == kQuoteTypeWords[0] ? "usd_per_gpu_hour" : "usd_per_system", rounded(price * rate));
    out.end_object();
    quotes_ += (quotes_.empty() ? "" : ",") + out.take();
  }

  void read_factor(const CsvTable::Row& row, const FactorRow& factor, double value) {
    const std::string key = "\"" + std::string(factor.field) + "\"";
    const std::string type(factor.type);
    if (economics_.find(key) != std::string::npos)
      return problem(row.line, "A second row of type " + type + ".", "A request has one price of it.");
    if (!table_.cell(row, "valid_until").empty())
      return problem(row.line, "A row of type " + type + " cannot have a valid_until.",
                     "It becomes a field of economics, which holds until it is changed: leave it empty.");
    economics_ += (economics_.empty() ? "" : ",") + key + ":" + shortest_number(rounded(value));
  }

  const CsvTable& table_;
  Errors errors_;
  std::string quotes_;
  std::string economics_;
};

}  // namespace

Result<QuoteTable> read_quote_table(std::string_view csv) {
  const Result<CsvTable> table = parse_csv(csv);
  if (!table) return failure(table.error());
  if (table->columns.empty())
    return failure({"not-a-quote", ":1", "The table is empty.", "It begins with its columns."});
  return QuoteReader(*table).read();
}

void describe(FieldVisitor& v, const Catalog&, QuotesRequest& r) {
  describe_head(v, "quotes");
  v.text({"csv", "The table of quotes, comma-separated with a header line", kRequired}, r.csv);
}

Answer answer_quotes(const Asked& asked, const QuotesRequest& request) {
  Result<QuoteTable> read = read_quote_table(request.csv);
  if (!read) {
    for (Error& error : read.error()) {
      error.message = "Line " + error.path.substr(1) + ": " + error.message;
      error.path = "/csv";
    }
    return wrong_input(read.error());
  }
  return written_answer(nullptr, true, [&](AnswerWriter& v) {
    v.text({"kind"}, "quotes");
    v.any({"quotes"}, [&](JsonWriter& out) { out.verbatim(read->quotes); });
    if (!read->economics.empty()) v.any({"economics"}, [&](JsonWriter& out) { out.verbatim(read->economics); });
    describe_foot(v, asked);
  });
}

}  // namespace podwright
