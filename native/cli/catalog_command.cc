#include <algorithm>
#include <iostream>

#include "api/answer.h"
#include "api/requests.h"
#include "api/schema.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "catalog/check.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

Answer ask(const Catalog& catalog, std::string_view verb, const std::string& table, const std::string& id) {
  JsonWriter request;
  request.begin_object();
  request.text("kind", "catalog");
  request.text(verb, table);
  if (!id.empty()) request.text("id", id);
  request.end_object();
  return answer_request(catalog, request.take());
}

std::string cell_text(const JsonNode* node) {
  if (node == nullptr) return "";
  if (node->is_text()) return node->text;
  if (node->is_number()) return human_number(node->number, 6);
  return json_text(*node);
}

}  // namespace

int catalog_list_command(const Catalog& catalog, const std::string& table, bool json) {
  const Answer answer = ask(catalog, "list", table, "");
  if (json) {
    std::cout << answer.text << '\n';
    return exit_code_of(answer.outcome);
  }
  const auto parsed = parse_json(answer.text);
  const JsonNode* items = parsed ? parsed->find("items") : nullptr;
  if (items == nullptr) {
    print_error_answer(answer.text);
    return exit_code_of(answer.outcome);
  }
  std::vector<std::string> columns;
  for (const JsonNode& item : items->items)
    for (const std::string& key : item.keys)
      if (std::find(columns.begin(), columns.end(), key) == columns.end()) columns.push_back(key);
  std::vector<std::vector<std::string>> rows{columns};
  for (const JsonNode& item : items->items) {
    rows.emplace_back();
    for (const std::string& key : columns) rows.back().push_back(cell_text(item.find(key)));
  }
  std::cout << text_table(rows);
  return exit_code_of(answer.outcome);
}

int catalog_show_command(const Catalog& catalog, const std::string& table, const std::string& id) {
  const Answer answer = ask(catalog, "show", table, id);
  if (answer.outcome != Outcome::answer) {
    print_error_answer(answer.text);
  } else {
    std::cout << answer.text << '\n';
  }
  return exit_code_of(answer.outcome);
}

int catalog_check_command(const Catalog& catalog, const std::string& today, double stale_days) {
  const CatalogCheck check = check_catalog(catalog, today, stale_days);
  for (const std::string& problem : check.problems) std::cout << "problem: " << problem << '\n';
  for (const std::string& stale : check.stale) std::cout << "stale: " << stale << '\n';
  std::cout << check.facts << " facts checked, " << check.problems.size() << " problems, " << check.stale.size()
            << " stale (older than " << human_number(stale_days) << " days on " << today << ").\n";
  return check.problems.empty() ? kAnswer : kInfeasible;
}

int schema_command(const Catalog& catalog, const std::string& kind) {
  const std::string schema = request_schema(catalog, kind);
  if (schema.empty()) {
    std::cerr << "podwright: no schema for \"" << kind << "\". Kinds: " << joined(request_kinds()) << ".\n";
    return kWrongInput;
  }
  std::cout << schema << '\n';
  return kAnswer;
}

}  // namespace podwright::cli
