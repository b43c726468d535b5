#include "cli/print_fleet.h"

#include <algorithm>
#include <vector>

#include "base/characters.h"
#include "base/nearest.h"
#include "base/words.h"
#include "cli/text_table.h"

namespace podwright::cli {
namespace {

constexpr std::size_t kIndent = 12;

constexpr std::size_t kMostNames = 16;

/// All names where they are few; the other forms have the rest.
std::string names_line(const std::vector<std::string>& names) {
  std::vector<std::string> lines;
  for (const std::string& name : names) lines.push_back(line_of(name));
  return first_of(lines, kMostNames);
}

/// Nodes with nothing to tell in one line, each of the others in its own.
std::string state_lines(const FleetJudgement& fleet, NodeState state) {
  std::string text;
  std::vector<std::string> silent;
  for (const JudgedNode& node : fleet.nodes) {
    if (node.state != state) continue;
    const std::vector<std::string> findings = findings_of(node);
    if (findings.empty()) silent.push_back(node.name);
    for (std::size_t i = 0; i < findings.size(); ++i)
      text += labelled(i == 0 ? word_of(state, kNodeStateWords) : "",
                       line_of((i == 0 ? node.name + ": " : "") + findings[i]), kIndent);
  }
  if (!silent.empty()) text += labelled(word_of(state, kNodeStateWords), names_line(silent), kIndent);
  return text;
}

std::string mixed_line(const MixedVersion& mixed) {
  std::string text = "different " + mixed.of + ":";
  for (std::size_t i = 0; i < mixed.uses.size(); ++i) {
    const MixedVersion::Use& use = mixed.uses[i];
    text += std::string(i == 0 ? " " : "; ") + (use.version.empty() ? "unknown" : line_of(use.version)) + " on ";
    // What most have needs no list.
    text += i == 0 && use.nodes.size() > 3 ? std::to_string(use.nodes.size()) + " nodes" : names_line(use.nodes);
  }
  return labelled("versions", text + ".", kIndent);
}

}  // namespace

std::string fleet_text(const FleetJudgement& fleet) {
  std::string text = labelled("", fleet.summary(), 0);
  for (std::size_t i = kNodeStateWords.size(); i-- > 0;) text += state_lines(fleet, static_cast<NodeState>(i));
  if (fleet.missing_unnamed > 0)
    text += labelled(word_of(NodeState::missing, kNodeStateWords),
                     std::to_string(fleet.missing_unnamed) + " of the expected nodes; --expect with names says which.",
                     kIndent);
  for (const MixedVersion& mixed : fleet.mixed) text += mixed_line(mixed);
  for (const std::string& note : fleet.notes) text += labelled("note", line_of(note), kIndent);
  return text;
}

}  // namespace podwright::cli
