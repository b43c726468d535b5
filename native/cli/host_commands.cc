#include "cli/host_commands.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <optional>

#include "api/answer.h"
#include "api/host_calibration_text.h"
#include "base/json_read.h"
#include "base/number_text.h"
#include "calibration/host_calibration.h"
#include "calibration/reference_profile.h"
#include "cli/answer_lines.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/profile_commands.h"
#include "cli/text_table.h"
#include "measure/profile_merge.h"

namespace podwright::cli {
namespace {

std::optional<JsonNode> read_document(const std::string& file) {
  const auto text = read_text(file);
  if (!text) return std::nullopt;
  auto node = parse_json(*text);
  if (node) return std::move(*node);
  std::cerr << "podwright: " << file << ":\n";
  print_errors(node.error());
  return std::nullopt;
}

/// Profiles of one machine or of the nodes of a fleet as one.
std::optional<ReadProfile> read_profiles(const std::vector<std::string>& files) {
  std::vector<ReadProfile> read;
  for (const std::string& file : files) {
    const auto text = read_text(file);
    if (!text) return std::nullopt;
    auto profile = read_profile(*text);
    if (!profile) {
      std::cerr << "podwright: " << file << " is not a usable profile:\n";
      print_errors(profile.error());
      return std::nullopt;
    }
    read.push_back(std::move(*profile));
  }
  if (read.size() == 1) return std::move(read.front());
  auto merged = merged_profiles(read);
  auto whole = merged ? read_profile(profile_text(*merged)) : failure(merged.error());
  if (whole) return std::move(*whole);
  print_errors(whole.error());
  return std::nullopt;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) std::cerr << "podwright: cannot write " << path << ".\n";
  return static_cast<bool>(file);
}

std::string member_text(const JsonNode& node, std::string_view key) {
  const JsonNode* found = node.find(key);
  return found == nullptr ? "" : found->is_number() ? human_number(found->number, 4) : found->text;
}

bool is_of_devices(const JsonNode& assumption) { return member_text(assumption, "what") == "devices"; }

std::string assumption_rows(const JsonNode& plan) {
  std::string text;
  std::vector<std::vector<std::string>> rows{{"assumption", "device", "plan", "host", "unit", "kept"}};
  for (const JsonNode& one : plan.find("assumptions")->items) {
    if (is_of_devices(one)) {
      text += "The plan is made for " + member_text(one, "gpu") + ". " + member_text(one, "sentence") + "\n";
      continue;
    }
    rows.push_back({member_text(one, "what"), member_text(one, "gpu"), member_text(one, "assumed"),
                    one.find("measured") == nullptr ? "-" : member_text(one, "measured"), member_text(one, "unit"),
                    member_text(one, "state") == "met"       ? "yes"
                    : member_text(one, "state") == "not_met" ? "NO"
                                                             : "not known"});
  }
  if (rows.size() > 1) text += "What the plan assumes of this machine\n" + text_table(rows);
  return text.empty() ? "" : text + "\n";
}

/// What each missed assumption makes of the plan by itself.
std::string impact_lines(const JsonNode& plan) {
  std::string text;
  for (const JsonNode& one : plan.find("assumptions")->items)
    if (const JsonNode* costs = one.find("costs"))
      text += wrapped(member_text(one, "what") + ": " + costs->text, kTextWidth, 0) + "\n";
  return text.empty() ? "" : "What each missed assumption costs\n" + text + "\n";
}

/// Why it is not known whether the machine keeps some of them, each reason once.
std::string unknown_lines(const JsonNode& plan) {
  std::string text;
  std::vector<std::string> told;
  for (const JsonNode& one : plan.find("assumptions")->items) {
    const std::string why = member_text(one, "sentence");
    if (member_text(one, "state") != "unknown" || std::find(told.begin(), told.end(), why) != told.end()) continue;
    text += wrapped("Not known: " + why, kTextWidth, 0) + "\n";
    told.push_back(why);
  }
  return text.empty() ? "" : text + "\n";
}

/// Money as the plan shows it.
std::string with_interval(const std::string& figure, const JsonNode* value) {
  if (value == nullptr) return "-";
  const auto text = [&](std::string_view key) {
    return figure.find("usd") == std::string::npos ? member_text(*value, key) : shown(figure, value->find(key));
  };
  return text("value") + (value->find("low") == nullptr ? "" : " (" + text("low") + " to " + text("high") + ")");
}

std::string figure_rows(const JsonNode& plan) {
  std::vector<std::vector<std::string>> rows{{"figure", "workload", "as planned", "with this machine's rates"}};
  for (const JsonNode& one : plan.find("figures")->items) {
    const std::string figure = member_text(one, "figure");
    rows.push_back({figure, member_text(one, "workload"), with_interval(figure, one.find("before")),
                    with_interval(figure, one.find("after"))});
  }
  return "The plan again, with 90 % intervals\n" + text_table(rows);
}

/// Verdicts that are not in order.
std::string verdict_text(const JsonNode& answer) {
  std::string text;
  for (const JsonNode& one : answer.find("verdicts")->items) {
    const std::string word = member_text(one, "verdict");
    if (word != "ok" && word != "unjudged" && word != "uncertain")
      text += word + std::string(11 - std::min<std::size_t>(10, word.size()), ' ') +
              wrapped(member_text(one, "device") + ": " + member_text(one, "sentence"), kTextWidth, 11) + "\n";
  }
  return text.empty() ? "" : "\nVerdicts on the machine\n" + text;
}

std::string verify_text(const JsonNode& answer) {
  const JsonNode& plan = *answer.find("plan");
  std::string text = assumption_rows(plan) + unknown_lines(plan) + impact_lines(plan) + figure_rows(plan);
  const std::string before_gpu = member_text(plan, "gpu_before");
  const std::string after_gpu = member_text(plan, "gpu_after");
  if (!after_gpu.empty())
    text += "\nFigures of " +
            (before_gpu.empty() || before_gpu == after_gpu
                 ? after_gpu
                 : before_gpu + " as planned and of " + after_gpu + " with this machine's rates") +
            ".\n";
  text += verdict_text(answer);
  const JsonNode* before = plan.find("feasible_before");
  if (before == nullptr) text += "\nThe catalog does not know this GPU: only its own profile makes the plan.\n";
  if (!plan.find("feasible_after")->boolean) text += "\nWith this machine's rates the plan is infeasible.\n";
  if (!answer.find("complete")->boolean) text += "\nThe profile is unfinished.\n";
  return text;
}

}  // namespace

const Catalog* load_calibrated(const Catalog& catalog, const std::string& file) {
  const auto document = read_document(file);
  if (!document) return nullptr;
  static std::optional<Catalog> calibrated;
  auto made = calibrated_catalog(catalog, *document, "");
  if (!made) {
    std::cerr << "podwright: " << file << " is not a usable calibration:\n";
    print_errors(made.error());
    return nullptr;
  }
  calibrated = std::move(*made);
  return &*calibrated;
}

int write_calibration_command(const Catalog& catalog, const std::vector<std::string>& profiles,
                              const std::string& output) {
  const auto read = read_profiles(profiles);
  if (!read) return kWrongInput;
  warn_of(catalog, read->profile, profiles.front());
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, *read);
  std::size_t rates = 0;
  std::size_t taken = 0;
  std::size_t kinds = 0;
  for (const HostCalibration& host : hosts) {
    rates += host.rates.size();
    taken += static_cast<std::size_t>(std::count_if(host.rates.begin(), host.rates.end(),
                                                    [](const HostRate& rate) { return rate.use != RateUse::none; }));
    kinds += host.rates.empty() ? 0 : 1;
    for (const std::string& note : host.notes) std::cout << "note       " << wrapped(note, kTextWidth, 11) << '\n';
  }
  if (rates == 0) {
    std::cerr << "podwright: the profile holds no rate that a plan could take.\n";
    return kInfeasible;
  }
  JsonWriter out;
  out.begin_object();
  write_calibration(out, hosts);
  out.end_object();
  if (!write_file(output, out.take() + "\n")) return kEnvironment;
  std::cout << "wrote " << output << ": " << rates << " rates of " << kinds
            << (kinds == 1 ? " kind of device" : " kinds of devices") << ", of which plans take " << taken
            << ", for --calibration\n";
  for (const HostCalibration& host : hosts)
    if (!host.device_json.empty()) std::cout << "requests name this machine \"" << host.gpu_id << "\"\n";
  return kAnswer;
}

int write_reference_command(const Catalog& catalog, const std::vector<std::string>& profiles,
                            const std::string& output) {
  if (profiles.size() != 1 || output.empty()) {
    std::cerr << "podwright: calibrate --reference needs one profile, and -o with a file.\n";
    return kWrongInput;
  }
  const auto read = read_profiles(profiles);
  if (!read) return kWrongInput;
  const auto table = with_reference(catalog, *read);
  if (!table) {
    std::cerr << "podwright: " << profiles.front() << " cannot be a reference:\n";
    print_errors(table.error());
    return kWrongInput;
  }
  if (!write_file(output, reference_table(*table))) return kEnvironment;
  const std::string source = profile_source(read->digest);
  const std::string day = read->profile.run.started.substr(0, 10);
  const auto rows =
      std::count_if(table->begin(), table->end(), [&](const ReferenceRate& row) { return row.source == source; });
  JsonWriter out;
  out.begin_object();
  out.text("id", source);
  out.text("title", "Hardware profile sha256:" + read->digest + ", reference of " + table->back().gpu_id);
  out.text("date", day);
  out.text("retrieved", day);
  out.text("kind", "measured");
  out.text("confidence", "primary");
  out.end_object();
  std::cout << "wrote " << output << ": " << rows << " rows of " << table->back().gpu_id << ". sources.json needs\n"
            << out.take() << '\n';
  return kAnswer;
}

int verify_plan_command(const Catalog& catalog, const std::string& plan, const std::string& profile, bool json) {
  const auto request = read_document(plan);
  const auto machine = read_profiles({profile});
  if (!request || !machine) return kWrongInput;
  const Answer answer =
      answer_request(catalog, R"({"kind":"verify","profile":)" + profile_text(machine->profile) + R"(,"plan":)" +
                                  json_text(merged(*parse_json(R"({"kind":"plan"})"), *request)) + "}");
  if (answer.outcome == Outcome::wrong_input) {
    if (json)
      std::cout << answer.text << '\n';
    else
      print_error_answer(answer.text);
    return exit_code_of(answer.outcome);
  }
  const JsonNode parsed = *parse_json(answer.text);
  std::cout << (json ? answer.text + "\n" : verify_text(parsed));
  return std::max(exit_code_of(answer.outcome), code_of(judge_profile(catalog, machine->profile), machine->profile));
}

int verify_json_command(const Catalog& catalog, const std::string& profile) {
  const auto machine = read_profiles({profile});
  if (!machine) return kWrongInput;
  const Answer answer =
      answer_request(catalog, R"({"kind":"verify","profile":)" + profile_text(machine->profile) + "}");
  std::cout << answer.text << '\n';
  if (answer.outcome == Outcome::wrong_input) return kWrongInput;
  return code_of(judge_profile(catalog, machine->profile), machine->profile);
}

}  // namespace podwright::cli
