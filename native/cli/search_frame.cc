#include "cli/search_frame.h"

#include <algorithm>
#include <vector>

#include "base/number_text.h"
#include "cli/answer_lines.h"
#include "cli/json_at.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// A command over several lines, as a shell takes it.
std::string shell_lines(const std::string& command, const JsonNode& arguments) {
  std::string out = "  " + command;
  std::size_t column = display_width(out);
  for (const JsonNode& argument : arguments.items) {
    const std::size_t width = display_width(argument.text);
    if (column + 1 + width + 2 > kTextWidth) {
      out += " \\\n   ";
      column = 3;
    }
    out += " " + argument.text;
    column += 1 + width;
  }
  return out + "\n";
}

/// Arguments of Megatron-LM are those of its script.
std::string command_of(const std::string& program) { return program == "megatron-lm" ? "pretrain_gpt.py" : program; }

/// ", the prefill pool" or ", the router" of a program whose environment says what it is.
std::string pool_of(const JsonNode& program) {
  constexpr std::string_view kPool = "POOL=";
  const JsonNode* environment = program.find("environment");
  if (environment == nullptr || environment->items.empty()) return "";
  const std::string& first = environment->items.front().text;
  if (first.rfind(kPool, 0) != 0) return "";
  const std::string name = first.substr(kPool.size());
  return name == "router" ? ", the router in front of the pools" : ", the " + name + " pool";
}

std::string spaced(std::string code) {
  std::replace(code.begin(), code.end(), '-', ' ');
  return code;
}

std::string rejected_text(const JsonNode& rejected) {
  std::vector<const JsonNode*> reasons;
  for (const JsonNode& reason : rejected.items) reasons.push_back(&reason);
  std::stable_sort(reasons.begin(), reasons.end(), [](const JsonNode* a, const JsonNode* b) {
    return a->find("count")->number > b->find("count")->number;
  });
  std::string out;
  for (const JsonNode* reason : reasons)
    out += bullet(shown(reason->find("count")) + " " + spaced(word_text(reason->find("code"))) + "; nearest " +
                  word_text(reason->find("nearest")) + ": " + word_text(reason->find("message")));
  return out;
}

std::string whys_text(const JsonNode& found) {
  std::string out = "\nWhy the first\n";
  for (const JsonNode& sentence : found.items[0].find("why")->items) out += bullet(sentence.text);
  if (found.items.size() > 1) out += "\nWhat the others lack\n";
  for (std::size_t i = 1; i < found.items.size(); ++i)
    for (const JsonNode& sentence : found.items[i].find("why")->items)
      out += bullet("#" + shortest_number(static_cast<double>(i + 1)) + ": " + sentence.text);
  return out;
}

std::string reasons_text(const JsonNode& reasons) {
  std::string out = "\nWhy\n";
  for (const JsonNode& reason : reasons.items) {
    out += bullet(word_text(reason.find("message")));
    for (const JsonNode& patch : reason.find("ways_out")->items) out += "      way out: " + json_text(patch) + "\n";
  }
  return out;
}

}  // namespace

std::string launch_text(const JsonNode& launch) {
  std::string out;
  for (const JsonNode& program : launch.items) {
    const std::string name = word_text(program.find("program"));
    out += "\nStart: " + name + pool_of(program) + "\n";
    if (const JsonNode* cannot = program.find("cannot"))
      for (const JsonNode& sentence : cannot->items) out += bullet("cannot start it: " + sentence.text);
    if (const JsonNode* environment = program.find("environment"))
      for (const JsonNode& variable : environment->items) out += "  export " + variable.text + "\n";
    const JsonNode* arguments = program.find("arguments");
    if (arguments == nullptr || arguments->items.empty()) continue;
    if (word_text(program.find("form")) == "command-line") {
      out += shell_lines(command_of(name), *arguments);
    } else {
      for (const JsonNode& line : arguments->items) out += "  " + line.text + "\n";
    }
  }
  return out;
}

std::string search_frame_text(const JsonNode& answer, const SearchFrame& frame) {
  std::string out;
  const JsonNode& found = *answer.find(frame.list);
  if (found.items.empty()) {
    out += std::string(frame.nothing) + "\n" + reasons_text(*answer.find("reasons"));
  } else {
    out += frame.table(found) + whys_text(found) + frame.beside;
    if (const JsonNode* launch = answer.find("launch")) out += launch_text(*launch);
    if (at(answer, {"kubernetes", "yaml"}) != nullptr) out += "\nA Kubernetes manifest is in the answer of --json.\n";
    if (const JsonNode* cannot = at(answer, {"kubernetes", "cannot"}))
      for (const JsonNode& sentence : cannot->items)
        out += "\n" + paragraph("No Kubernetes manifest: " + sentence.text);
  }
  out += "\n" + wrapped(frame.counted, kTextWidth, 0);
  const JsonNode* rejected = answer.find("rejected");
  if (rejected != nullptr && !rejected->items.empty()) {
    out += " Left out:\n" + rejected_text(*rejected);
  } else {
    out += "\n";
  }
  sentences(out, "Not modelled yet, and therefore absent", answer.find("not_modelled"));
  return out;
}

}  // namespace podwright::cli
