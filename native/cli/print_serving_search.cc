#include "cli/print_serving_search.h"

#include <vector>

#include "base/number_text.h"
#include "cli/json_at.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string number(const JsonNode* node, double times = 1) {
  return node == nullptr || !node->is_number() ? "-" : human_number(node->number * times);
}
std::string whole(const JsonNode* node) { return node == nullptr ? "-" : fixed_number(node->number, 0); }
std::string word(const JsonNode* node) { return node == nullptr ? "" : node->text; }
std::string dollars(const JsonNode* node) { return node == nullptr ? "-" : dollars_text(node->number); }
std::string bullet(const std::string& text) { return "  - " + wrapped(text, kTextWidth, 4) + "\n"; }

std::string table_of(const JsonNode& deployments) {
  std::vector<std::vector<std::string>> rows{{"#", "GPUs", "engine", "layout", "step", "ttft p95 s", "tpot p95 ms",
                                              "tokens/s/GPU", "most req/s", "USD/h", "USD/M out"}};
  for (std::size_t i = 0; i < deployments.items.size(); ++i) {
    const JsonNode& d = deployments.items[i];
    rows.push_back(
        {shortest_number(static_cast<double>(i + 1)), whole(d.find("gpu_count")) + " x " + word(d.find("gpu")),
         word(d.find("engine")), word(d.find("layout")), whole(d.find("max_batched_tokens")),
         number(at(d, {"latency", "ttft_s_p95"})), number(at(d, {"latency", "tpot_s_p95"}), 1e3),
         number(at(d, {"throughput", "output_tokens_per_s_per_gpu"})), number(d.find("max_requests_per_s")),
         dollars(at(d, {"cost", "usd_per_hour"})), dollars(at(d, {"cost", "usd_per_million_output_tokens"}))});
  }
  return text_table(rows);
}

std::string launch_text(const JsonNode& launch) {
  std::string out;
  for (const JsonNode& program : launch.items) {
    out += "\n" + word(program.find("program")) + "\n";
    if (const JsonNode* cannot = program.find("cannot"))
      for (const JsonNode& sentence : cannot->items) out += bullet("cannot start it: " + sentence.text);
    const bool file = word(program.find("form")) != "command-line";
    std::string line;
    for (const std::string_view list : {"environment", "arguments"}) {
      const JsonNode* items = program.find(list);
      if (items == nullptr) continue;
      for (const JsonNode& item : items->items) {
        if (file) {
          out += "  " + item.text + "\n";
        } else {
          line += (line.empty() ? "" : " ") + item.text;
        }
      }
    }
    if (!line.empty()) out += "  " + wrapped(line, kTextWidth, 4) + "\n";
  }
  return out;
}

}  // namespace

std::string serving_search_text(const JsonNode& answer) {
  std::string out;
  const JsonNode& deployments = *answer.find("deployments");
  if (deployments.items.empty()) {
    out += "No deployment is possible.\n\nWhy\n";
    for (const JsonNode& reason : answer.find("reasons")->items) {
      out += bullet(word(reason.find("message")));
      for (const JsonNode& patch : reason.find("ways_out")->items) out += "      way out: " + json_text(patch) + "\n";
    }
  } else {
    out += table_of(deployments) + "\nWhy the first\n";
    for (const JsonNode& sentence : deployments.items[0].find("why")->items) out += bullet(sentence.text);
    if (deployments.items.size() > 1) out += "\nWhat the others lack\n";
    for (std::size_t i = 1; i < deployments.items.size(); ++i)
      for (const JsonNode& sentence : deployments.items[i].find("why")->items)
        out += bullet("#" + shortest_number(static_cast<double>(i + 1)) + ": " + sentence.text);
    if (const JsonNode* launch = answer.find("launch")) out += launch_text(*launch);
    if (at(answer, {"kubernetes", "yaml"}) != nullptr) out += "\nA Kubernetes manifest is in the answer of --json.\n";
  }
  out += "\n" + whole(answer.find("evaluated")) + " layouts evaluated, " + whole(answer.find("outdone")) +
         " of them outdone by others even when full. Left out:\n";
  for (const JsonNode& rejected : answer.find("rejected")->items)
    out += bullet(whole(rejected.find("count")) + " " + word(rejected.find("code")) + ". " +
                  word(rejected.find("message")) + " Nearest: " + word(rejected.find("nearest")) + ".");
  if (const JsonNode* missing = answer.find("not_modelled")) {
    out += "\nNot modelled yet, and therefore absent\n";
    for (const JsonNode& sentence : missing->items) out += bullet(sentence.text);
  }
  return out;
}

}  // namespace podwright::cli
