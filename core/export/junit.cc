#include "export/junit.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/device_verdict.h"
#include "export/svg.h"

namespace podwright {
namespace {

enum class Outcome { passed, failure, error, skipped };

struct Case {
  std::string name;
  Outcome outcome = Outcome::passed;
  std::string type;     ///< of a failure or an error: low, missing ...
  std::string message;  ///< a sentence
};

Outcome outcome_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::invalid:
    case VerdictKind::failed:
    case VerdictKind::bad:
    case VerdictKind::low:
    case VerdictKind::impossible:
      return Outcome::failure;
    case VerdictKind::skipped:
    case VerdictKind::unjudged:
    case VerdictKind::uncertain:
      return Outcome::skipped;
    default:
      return Outcome::passed;
  }
}

void add_words(std::string& text, std::string_view words) {
  if (!words.empty()) text += (text.empty() ? "" : " ") + std::string(words);
}

Case case_of(const ProfileVerdict& one) {
  Case made;
  add_words(made.name, one.device);
  add_words(made.name, one.probe.empty() ? "device" : one.probe);
  add_words(made.name, one.dtype);
  if (one.mode == ProbeMode::sustained) add_words(made.name, word_of(one.mode, kProbeModeWords));
  if (!one.judged.empty()) made.name += " (" + one.judged + ")";
  made.outcome = outcome_of(one.verdict.kind);
  made.type = word_of(one.verdict.kind, kVerdictWords);
  made.message = one.verdict.sentence;
  return made;
}

/// What to do next with the device of a case, sentences; empty where nothing is.
std::string next_text(const ProfileJudgement& judgement, const ProfileVerdict& one) {
  if (!one.explanation.next_command.empty()) return " Next: " + one.explanation.next_command;
  if (one.probe != "health") return "";
  for (const DeviceVerdict& device : judgement.devices)
    if (device.device == one.device && !device.steps.empty()) return " " + step_text(device.steps.front());
  return "";
}

/// A node without a profile is one case, an error.
std::vector<Case> cases_of(const JudgedNode& node) {
  if (!node.read) return {{"profile", Outcome::error, std::string(word_of(node.state, kNodeStateWords)), node.problem}};
  const bool finished = node.read->profile.run.complete;
  std::vector<Case> cases{{"profile", finished ? Outcome::passed : Outcome::failure, "unfinished",
                           "The run was ended early: what the profile contains is complete, the rest is missing."}};
  for (const SlowNode& slow : node.slow)
    cases.push_back({slow.device + " " + slow.probe + " compared with the other nodes",
                     slow.limit.empty() ? Outcome::failure : Outcome::passed, "slow", slowness_text(slow) + "."});
  for (const ProfileVerdict& one : node.judgement.verdicts) {
    cases.push_back(case_of(one));
    if (cases.back().outcome == Outcome::failure) cases.back().message += next_text(node.judgement, one);
  }
  for (const DeviceVerdict& one : node.judgement.devices) {
    const auto of_it = [&](const ProfileVerdict& verdict) { return verdict.device == one.device; };
    if (one.state == DeviceState::unjudged &&
        std::none_of(node.judgement.verdicts.begin(), node.judgement.verdicts.end(), of_it))
      cases.push_back({one.device + " device", Outcome::skipped, "unjudged", one.says.text()});
  }
  // A history of results tells cases apart by their names.
  std::set<std::string> names;
  for (Case& one : cases) {
    const std::string name = one.name;
    for (int copy = 2; !names.insert(one.name).second; ++copy) one.name = name + " #" + std::to_string(copy);
  }
  return cases;
}

std::size_t count_of(const std::vector<Case>& cases, Outcome outcome) {
  std::size_t count = 0;
  for (const Case& one : cases) count += one.outcome == outcome ? 1 : 0;
  return count;
}

/// A name that a token of the schema accepts: not empty.
std::string token(std::string_view name) {
  const std::string line = line_of(name);
  return line.find_first_not_of(' ') == std::string::npos ? "unnamed" : line;
}

std::string element_of(const Case& one) {
  std::string_view tag = "skipped";
  if (one.outcome == Outcome::failure) tag = "failure";
  if (one.outcome == Outcome::error) tag = "error";
  std::string text = "      <";
  text += tag;
  text += svg_attribute("type", one.type) + svg_attribute("message", line_of(one.message)) + "/>\n";
  return text;
}

void add_case(std::string& text, const std::string& node, const Case& one) {
  text += "    <testcase" + svg_attribute("name", token(one.name)) + svg_attribute("classname", "podwright." + node) +
          svg_attribute("time", "0");
  if (one.outcome == Outcome::passed) {
    text += "/>\n";
    return;
  }
  text += ">\n" + element_of(one) + "    </testcase>\n";
}

/// Seconds with a point and without commas.
std::string seconds_text(double seconds) {
  std::string text;
  for (const char c : fixed_number(seconds, 3))
    if (c != ',') text += c;
  return text;
}

void add_property(std::string& text, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  text += "      <property" + svg_attribute("name", name) + svg_attribute("value", line_of(value)) + "/>\n";
}

void add_suite(std::string& text, const JudgedNode& node, std::size_t place) {
  const std::string name = token(node.name);
  const std::vector<Case> cases = cases_of(node);
  const auto number = [](std::size_t count) { return std::to_string(count); };
  text += "  <testsuite" + svg_attribute("name", name) + svg_attribute("package", "podwright") +
          svg_attribute("id", number(place)) + svg_attribute("tests", number(cases.size())) +
          svg_attribute("failures", number(count_of(cases, Outcome::failure))) +
          svg_attribute("errors", number(count_of(cases, Outcome::error))) +
          svg_attribute("skipped", number(count_of(cases, Outcome::skipped))) + svg_attribute("hostname", name);
  // Without its time zone, as Ant has it; UTC.
  if (node.read && node.read->profile.run.started.size() == 20)
    text += svg_attribute("timestamp", node.read->profile.run.started.substr(0, 19));
  const bool timed = node.read && node.read->profile.run.duration_s;
  text += svg_attribute("time", timed ? seconds_text(*node.read->profile.run.duration_s) : "0") + ">\n";
  text += "    <properties>\n";
  add_property(text, "state", word_of(node.state, kNodeStateWords));
  if (node.read) {
    const HardwareProfile& profile = node.read->profile;
    add_property(text, "digest", node.read->digest);
    add_property(text, "version", profile.tool.version);
    add_property(text, "backend", profile.run.backend);
    add_property(text, "mode", word_of(profile.run.mode, kRunModeWords));
    add_property(text, "driver", profile.environment.driver);
    add_property(text, "nccl", profile.environment.nccl);
  }
  text += "    </properties>\n";
  for (const Case& one : cases) add_case(text, name, one);
  text += "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
}

/// Nodes of which only the number is known.
JudgedNode absent_node(std::size_t number) {
  return {.name = "missing " + std::to_string(number),
          .state = NodeState::missing,
          .problem = "Fewer nodes gave a profile than were expected."};
}

std::string document(const std::vector<const JudgedNode*>& nodes) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < nodes.size(); ++i) add_suite(text, *nodes[i], i);
  return text + "</testsuites>\n";
}

}  // namespace

std::string junit_text(const FleetJudgement& fleet) {
  std::vector<JudgedNode> absent;
  for (std::size_t i = 0; i < fleet.missing_unnamed; ++i) absent.push_back(absent_node(i + 1));
  std::vector<const JudgedNode*> nodes;
  for (const JudgedNode& node : fleet.nodes) nodes.push_back(&node);
  for (const JudgedNode& node : absent) nodes.push_back(&node);
  return document(nodes);
}

std::string junit_text(const JudgedNode& node) { return document({&node}); }

}  // namespace podwright
