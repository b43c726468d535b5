#include "export/markdown.h"

#include <vector>

#include "base/characters.h"
#include "base/stable_sort.h"
#include "base/words.h"
#include "calibration/device_verdict.h"

namespace podwright {
namespace {

/// Signs that neither begin nor end anything where they stand in a text.
bool is_harmless(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ' ||
         c == ',' || c == '.' || c == '-' || c == '%' || c == '/' || c == ';';
}

std::string code(std::string_view name) { return "<code>" + markdown_escaped(name) + "</code>"; }

void add_row(std::string& text, const std::vector<std::string>& cells) {
  text += "|";
  for (const std::string& cell : cells) text += " " + cell + " |";
  text += "\n";
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& one : sentences) text += (text.empty() ? "" : "<br>") + markdown_escaped(one);
  return text;
}

void add_notes(std::string& text, const std::vector<std::string>& notes) {
  if (notes.empty()) return;
  text += "\n";
  for (const std::string& note : notes) text += "- " + markdown_escaped(note) + "\n";
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
  std::string escaped;
  const std::string line = line_of(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    // A name that begins like an address, and a line that begins like a list, would become one.
    const bool in_address = c == '.' && i >= 3 && (line[i - 1] | 0x20) == 'w' && (line[i - 2] | 0x20) == 'w';
    const bool at_begin = i == 0 && c == '-';
    const bool in_sentence = c == ':' && i + 1 < line.size() && line[i + 1] == ' ';
    if (in_sentence || (is_harmless(c) && !in_address && !at_begin))
      escaped += c;
    else
      escaped += "&#" + std::to_string(static_cast<int>(c)) + ";";
  }
  return escaped;
}

std::string markdown_text(const FleetJudgement& fleet) {
  std::string text = "### Nodes\n\n" + markdown_escaped(fleet.summary()) + "\n";
  std::vector<const JudgedNode*> nodes;
  for (const JudgedNode& node : fleet.nodes) nodes.push_back(&node);
  sort_stably(nodes, [](const JudgedNode* a, const JudgedNode* b) { return a->state > b->state; });
  if (!nodes.empty()) {
    text += "\n";
    add_row(text, {"node", "state", "why", "next"});
    add_row(text, {"---", "---", "---", "---"});
  }
  for (const JudgedNode* node : nodes) {
    std::vector<std::string> steps;
    for (const DeviceVerdict& one : node->judgement.devices)
      if (!one.steps.empty()) steps.push_back(step_text(one.steps.front()));
    add_row(text, {code(node->name), std::string(word_of(node->state, kNodeStateWords)), joined(findings_of(*node)),
                   joined(steps)});
  }
  if (!fleet.mixed.empty()) {
    text += "\n### Versions that differ\n\n";
    add_row(text, {"of", "version", "nodes"});
    add_row(text, {"---", "---", "---"});
  }
  for (const MixedVersion& mixed : fleet.mixed) {
    for (const MixedVersion::Use& use : mixed.uses) {
      std::string names;
      for (const std::string& name : use.nodes) names += (names.empty() ? "" : " ") + code(name);
      add_row(text, {markdown_escaped(mixed.of), use.version.empty() ? "unknown" : code(use.version), names});
    }
  }
  add_notes(text, fleet.notes);
  return text;
}

std::string markdown_text(const JudgedNode& node) {
  std::string text = "### " + code(node.name) + "\n\n";
  text += markdown_escaped(node.judgement.summary.text()) + "\n\n";
  add_row(text, {"device", "state", "what", "next"});
  add_row(text, {"---", "---", "---", "---"});
  for (const DeviceVerdict& one : node.judgement.devices) {
    std::vector<std::string> steps;
    for (const DeviceStep& step : one.steps) steps.push_back(step_text(step));
    add_row(text, {code(one.device), std::string(word_of(one.state, kDeviceStateWords)),
                   markdown_escaped(one.says.text()), joined(steps)});
  }
  std::string wrong;
  for (const ProfileVerdict& one : node.judgement.verdicts) {
    if (one.verdict.kind == VerdictKind::ok || one.verdict.kind == VerdictKind::unjudged) continue;
    add_row(wrong, {code(one.device), code(one.probe), std::string(word_of(one.verdict.kind, kVerdictWords)),
                    markdown_escaped(one.verdict.sentence)});
  }
  if (!wrong.empty()) {
    text += "\n";
    add_row(text, {"device", "probe", "verdict", "what"});
    add_row(text, {"---", "---", "---", "---"});
    text += wrong;
  }
  std::vector<std::string> notes;
  if (node.read && !node.read->profile.run.complete)
    notes.push_back("The run was ended early: what the profile contains is complete, the rest is missing.");
  add_notes(text, notes);
  return text;
}

}  // namespace podwright
