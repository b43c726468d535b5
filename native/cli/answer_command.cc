#include <iostream>

#include "base/json_read.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_answer.h"
#include "cli/print_architecture.h"
#include "cli/print_cost.h"
#include "cli/print_search.h"
#include "cli/print_serving_search.h"
#include "cli/print_topic.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string listed(const JsonNode& texts) {
  std::string list;
  for (const JsonNode& text : texts.items) list += (list.empty() ? "" : ", ") + text.text;
  return list;
}

/// Which rates of an answer follow a machine that was measured, and why others do not.
std::string measured_rates_text(const JsonNode& answer) {
  const JsonNode* calibrations = answer.find("calibrations");
  std::string text;
  for (const JsonNode& one : calibrations == nullptr ? std::vector<JsonNode>{} : calibrations->items) {
    text += "\n" + one.find("gpu")->text +
            " was measured, profile sha256:" + one.find("profile_digest")->text.substr(0, 16) + ".\n";
    for (const auto& [key, words] : {std::pair{"relative", "follow its ratio to the reference machine: "},
                                     {"absolute", "are its own: "},
                                     {"unchanged", "stay the catalog's: "}})
      if (const JsonNode* rates = one.find(key); rates != nullptr && !rates->items.empty())
        text += "  " + wrapped(words + listed(*rates), kTextWidth, 4) + "\n";
    for (const JsonNode& note : one.find("notes") == nullptr ? std::vector<JsonNode>{} : one.find("notes")->items)
      text += "  " + wrapped(note.text, kTextWidth, 4) + "\n";
  }
  return text;
}

}  // namespace

int answer_command(const Catalog& catalog, const std::string& file, const std::string& kind, bool json) {
  const auto request = read_text(file);
  if (!request) return kWrongInput;
  const Answer answer = answer_request(catalog, *request, kind);
  if (json) {
    std::cout << answer.text << '\n';
  } else if (answer.outcome == Outcome::wrong_input || answer.outcome == Outcome::not_built) {
    print_error_answer(answer.text);
  } else if (const auto parsed = parse_json(answer.text)) {
    std::cout << (parsed->find("plans") != nullptr         ? plan_text(*parsed)
                  : parsed->find("designs") != nullptr     ? architecture_text(*parsed)
                  : parsed->find("layouts") != nullptr     ? search_text(*parsed)
                  : parsed->find("deployments") != nullptr ? serving_search_text(*parsed)
                  : parsed->find("topic") != nullptr       ? topic_text(*parsed)
                  : kind == "cost"                         ? cost_text(*parsed)
                                                           : answer_text(*parsed));
    if (parsed->find("plans") != nullptr || parsed->find("layouts") != nullptr ||
        parsed->find("deployments") != nullptr)
      std::cout << measured_rates_text(*parsed);
  }
  return exit_code_of(answer.outcome);
}

}  // namespace podwright::cli
