#include "cli/print_search.h"

#include <vector>

#include "base/number_text.h"
#include "cli/json_at.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

std::string number(const JsonNode* node, double times = 1) {
  return node == nullptr || !node->is_number() ? "-" : human_number(node->number * times);
}

/// A count with all its digits.
std::string whole(const JsonNode* node) { return node == nullptr ? "-" : fixed_number(node->number, 0); }

std::string word(const JsonNode* node) { return node == nullptr ? "" : node->text; }

std::string bullet(const std::string& text) { return "  - " + wrapped(text, kTextWidth, 4) + "\n"; }

std::string table_of(const JsonNode& layouts) {
  std::vector<std::vector<std::string>> rows{{"#", "GPUs", "t", "p", "v", "c", "e", "d", "b", "ZeRO", "recompute",
                                              "step s", "MFU %", "GiB", "days", "cost", "MWh"}};
  for (std::size_t i = 0; i < layouts.items.size(); ++i) {
    const JsonNode& layout = layouts.items[i];
    const auto size = [&](std::string_view key) { return whole(at(layout, {"parallelism", key})); };
    const JsonNode* cost = at(layout, {"run", "cost_usd"});
    rows.push_back(
        {shortest_number(static_cast<double>(i + 1)),
         whole(layout.find("gpu_count")) + " x " + word(layout.find("gpu")) + " " + word(layout.find("precision")),
         size("tensor"), size("pipeline"), size("virtual_pipeline"), size("context"), size("expert"), size("data"),
         number(layout.find("micro_batch_size")), size("zero_stage"), word(layout.find("activation_recompute")),
         number(at(layout, {"step", "time_s"})), number(at(layout, {"throughput", "mfu"}), 100),
         number(at(layout, {"memory_per_gpu", "total_gib"})), number(at(layout, {"run", "time_days"})),
         cost == nullptr ? "-" : dollars_text(cost->number), number(at(layout, {"run", "energy_kwh"}), 1e-3)});
  }
  return text_table(rows);
}

std::string launch_text(const JsonNode& launch) {
  std::string out;
  for (const JsonNode& program : launch.items) {
    out += "\n" + word(program.find("program")) + "\n";
    if (const JsonNode* cannot = program.find("cannot"))
      for (const JsonNode& sentence : cannot->items) out += bullet("cannot start it: " + sentence.text);
    std::string line;
    for (const std::string_view list : {"environment", "arguments"}) {
      const JsonNode* items = program.find(list);
      if (items == nullptr) continue;
      const bool toml = word(program.find("form")) == "toml";
      for (const JsonNode& item : items->items) {
        if (toml) {
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

std::string search_text(const JsonNode& answer) {
  std::string out;
  const JsonNode& layouts = *answer.find("layouts");
  if (layouts.items.empty()) {
    out += "No layout is possible.\n\nWhy\n";
    for (const JsonNode& reason : answer.find("reasons")->items) {
      out += bullet(word(reason.find("message")));
      for (const JsonNode& patch : reason.find("ways_out")->items) out += "      way out: " + json_text(patch) + "\n";
    }
  } else {
    out += table_of(layouts) + "\nWhy the first\n";
    for (const JsonNode& sentence : layouts.items[0].find("why")->items) out += bullet(sentence.text);
    if (layouts.items.size() > 1) out += "\nWhat the others lack\n";
    for (std::size_t i = 1; i < layouts.items.size(); ++i)
      for (const JsonNode& sentence : layouts.items[i].find("why")->items)
        out += bullet("#" + shortest_number(static_cast<double>(i + 1)) + ": " + sentence.text);
    if (const JsonNode* launch = answer.find("launch")) out += launch_text(*launch);
  }
  out += "\n" + whole(answer.find("legal_layouts")) + " legal layouts, " + whole(answer.find("evaluated")) +
         " evaluated. Left out:\n";
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
