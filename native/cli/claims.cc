#include "cli/claims.h"

#include <algorithm>
#include <set>

#include "base/json_write.h"
#include "base/lower_case.h"
#include "base/nearest.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// Texts that a search looks through.
bool has_words(const CsvTable& ledger, const CsvTable::Row& row, const std::string& words) {
  std::string all;
  for (const char* column : {"id", "topic", "statement", "notes_say", "answer", "explanation"})
    all += lower_case(ledger.cell(row, column)) + "\n";
  const std::string wanted = lower_case(words);
  for (std::size_t at = 0; at < wanted.size();) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (all.find(wanted.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

/// Adds an error where the column never has the value.
void check_known(const CsvTable& ledger, const char* column, const std::string& value, Errors& errors) {
  if (value.empty()) return;
  std::set<std::string> known;
  for (const CsvTable::Row& row : ledger.rows) known.insert(ledger.cell(row, column));
  if (known.count(value) == 1) return;
  const std::vector<std::string> words(known.begin(), known.end());
  errors.push_back({"unknown-id", "--" + std::string(column),
                    "No claim has the " + std::string(column) + " \"" + value + "\".",
                    "The ledger has: " + joined(words) + "."});
}

}  // namespace

Result<std::vector<const CsvTable::Row*>> choose_claims(const CsvTable& ledger, const ClaimFilter& filter) {
  Errors errors;
  check_known(ledger, "verdict", filter.verdict, errors);
  check_known(ledger, "objective", filter.objective, errors);
  if (!errors.empty()) return failure(std::move(errors));
  std::vector<const CsvTable::Row*> chosen;
  for (const CsvTable::Row& row : ledger.rows) {
    const bool is_asked = (filter.verdict.empty() || ledger.cell(row, "verdict") == filter.verdict) &&
                          (filter.objective.empty() || ledger.cell(row, "objective") == filter.objective);
    if (is_asked && has_words(ledger, row, filter.words)) chosen.push_back(&row);
  }
  return chosen;
}

std::string claims_text(const CsvTable& ledger, const std::vector<const CsvTable::Row*>& claims) {
  std::string out;
  for (const CsvTable::Row* row : claims) {
    const auto cell = [&](const char* column) { return ledger.cell(*row, column); };
    out += cell("id") + "  " + cell("verdict") + "  (objective " + cell("objective") + ", " + cell("topic") + ")\n";
    for (const auto& [label, column] : {std::pair{"  claim", "statement"},
                                        {"  notes say", "notes_say"},
                                        {"  holds", "answer"},
                                        {"  why", "explanation"},
                                        {"  source", "source"}})
      if (const std::string& text = cell(column); !text.empty()) out += labelled(label, text, 12);
    out += "\n";
  }
  return out + std::to_string(claims.size()) + " of " + std::to_string(ledger.rows.size()) + " claims\n";
}

std::string claims_json(const CsvTable& ledger, const std::vector<const CsvTable::Row*>& claims) {
  JsonWriter out;
  out.begin_object();
  out.begin_list("claims");
  for (const CsvTable::Row* row : claims) {
    out.begin_object();
    for (const std::string& column : ledger.columns) out.text(column, ledger.cell(*row, column));
    out.end_object();
  }
  out.end_list();
  out.number("count", static_cast<double>(claims.size()));
  out.number("of", static_cast<double>(ledger.rows.size()));
  out.end_object();
  return out.take();
}

}  // namespace podwright::cli
