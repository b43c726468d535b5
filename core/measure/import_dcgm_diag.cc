/// dcgmi diag -j of DCGM 2 to 4: https://github.com/NVIDIA/DCGM, dcgmi/Diag.cpp and nvvs/include/NvvsJsonStrings.h of
/// v2.4.7, v3.3.9 and v4.6.0. The keys moved between them; what a test says of a GPU becomes a check of it.
#include <algorithm>
#include <map>

#include "base/json_read.h"
#include "base/lower_case.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "measure/foreign_parts.h"
#include "measure/health_rules.h"
#include "measure/identifiers.h"
#include "measure/import_foreign.h"

namespace podwright {
namespace {

constexpr ForeignProgram kDcgmDiag{"dcgmi diag -j"};
constexpr std::size_t kMostText = 240;

/// Of dcgm_errors.h, dcgmErrorSeverity_enum.
constexpr std::array<std::string_view, 7> kSeverities = {"",       "monitor",       "isolate", "",
                                                         "triage", "configuration", "reset"};

struct DiagStatus {
  std::string_view word;
  HealthState state;
};
/// DCGM 4 adds "Warn" to tests as a whole, "Not Run" is of tests that it leaves out elsewhere.
constexpr DiagStatus kStatuses[] = {{"pass", HealthState::ok},         {"fail", HealthState::failed},
                                    {"warn", HealthState::warning},    {"skip", HealthState::unknown},
                                    {"not run", HealthState::unknown}, {"warning", HealthState::warning}};

/// The graver of two: what was not tested says less than what passed or failed.
int gravity_of(HealthState state) {
  switch (state) {
    case HealthState::failed:
      return 3;
    case HealthState::warning:
      return 2;
    case HealthState::ok:
      return 1;
    default:
      return 0;
  }
}

const JsonNode* diagnostic_in(const JsonNode& document) {
  for (const std::string_view key : {"DCGM Diagnostic", "DCGM GPU Diagnostic"})
    if (const JsonNode* found = document.find(key)) return found;
  return nullptr;
}

/// In one line, without what may name the machine, and not too long.
std::string plain_text(std::string_view text) {
  std::string line;
  for (const char c : without_identifiers(trimmed(text))) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return beginning_of(line, kMostText);
}

class DcgmReader {
 public:
  Result<HardwareProfile> read(const JsonNode& document) {
    profile_ = imported_profile("dcgmi-diag");
    if (const JsonNode* runs = document.find("iterations"); runs != nullptr && runs->is_list()) {
      for (std::size_t i = 0; i < runs->items.size(); ++i) read_run(runs->items[i], "/iterations/" + std::to_string(i));
      if (runs->items.empty()) error("missing", "/iterations", "The diagnostic was not run once.");
    } else {
      read_run(document, "");
    }
    if (errors_.empty() && profile_.health_checks.empty())
      error("missing", "", "The diagnostic gives no result of a test.");
    if (!errors_.empty()) return failure(std::move(errors_));
    sort_stably(profile_.devices, [](const ProfileDevice& a, const ProfileDevice& b) {
      return a.id.size() != b.id.size() ? a.id.size() < b.id.size() : a.id < b.id;
    });
    return std::move(profile_);
  }

 private:
  void error(std::string code, std::string path, std::string message) {
    errors_.push_back(kDcgmDiag.error(std::move(code), std::move(path), std::move(message)));
  }

  void read_run(const JsonNode& run, const std::string& path) {
    const JsonNode* diagnostic = diagnostic_in(run);
    if (diagnostic == nullptr) {
      error("missing", path + "/DCGM Diagnostic",
            "Neither \"DCGM Diagnostic\" (DCGM 4) nor \"DCGM GPU Diagnostic\" "
            "(DCGM 3) is there.");
      return;
    }
    if (diagnostic->is_text()) {
      error("wrong-type", path + "/DCGM Diagnostic",
            "This is the result of several hosts (dcgmi mndiag), which is not that of one machine.");
      return;
    }
    const std::string at = path + "/DCGM Diagnostic";
    if (const JsonNode* problem = diagnostic->find("runtime_error"); problem != nullptr && problem->is_text()) {
      error("missing", at + "/runtime_error", "The diagnostic did not run: " + plain_text(problem->text));
      return;
    }
    for (const JsonNode* of : {run.find("metadata"), &run, diagnostic}) {
      const JsonNode* driver = of == nullptr ? nullptr : of->find("Driver Version Detected");
      if (driver != nullptr && driver->is_text()) profile_.environment.driver = beginning_of(driver->text, 40);
      const JsonNode* version = of == nullptr ? nullptr : of->find("version");
      if (version != nullptr && version->is_text() && profile_.environment.other_software.empty())
        profile_.environment.other_software.push_back({"dcgm", beginning_of(version->text, 40)});
    }
    const JsonNode* categories = list_in(*diagnostic, "test_categories", at);
    for (std::size_t i = 0; categories != nullptr && i < categories->items.size(); ++i) {
      const std::string of_category = at + "/test_categories/" + std::to_string(i);
      const JsonNode* tests = list_in(categories->items[i], "tests", of_category);
      for (std::size_t k = 0; tests != nullptr && k < tests->items.size(); ++k)
        read_test(tests->items[k], of_category + "/tests/" + std::to_string(k));
    }
  }

  /// Null after an error.
  const JsonNode* list_in(const JsonNode& object, std::string_view key, const std::string& path) {
    const JsonNode* list = object.is_object() ? object.find(key) : nullptr;
    if (list != nullptr && list->is_list()) return list;
    error(list == nullptr ? "missing" : "wrong-type", path + "/" + std::string(key),
          "\"" + std::string(key) + "\" is " + (list == nullptr ? "missing." : "not a list."));
    return nullptr;
  }

  void read_test(const JsonNode& test, const std::string& path) {
    const JsonNode* name = test.is_object() ? test.find("name") : nullptr;
    if (name == nullptr || !name->is_text() || trimmed(name->text).empty()) {
      error("missing", path + "/name", "\"name\" is missing: which test it is.");
      return;
    }
    const std::string called = plain_text(name->text);
    const JsonNode* results = test.find("results");
    const JsonNode* summary = test.find("test_summary");
    if (results != nullptr && !results->is_list()) {
      error("wrong-type", path + "/results", "\"results\" is not a list.");
      return;
    }
    for (std::size_t i = 0; results != nullptr && i < results->items.size(); ++i)
      read_result(results->items[i], called, path + "/results/" + std::to_string(i));
    // Of DCGM 4: the test as a whole, which repeats what its results say where it has any.
    if (summary != nullptr && (results == nullptr || results->items.empty()))
      read_result(*summary, called, path + "/test_summary");
    if (summary == nullptr && (results == nullptr || results->items.empty()))
      profile_.limits.push_back("The test " + called + " gives no result.");
  }

  void read_result(const JsonNode& result, const std::string& test, const std::string& path) {
    const JsonNode* status = result.is_object() ? result.find("status") : nullptr;
    if (status == nullptr || !status->is_text()) {
      error("missing", path + "/status", "\"status\" is missing: whether the test passed.");
      return;
    }
    const std::string word = lower_case(std::string(trimmed(status->text)));
    const auto* known = std::find_if(std::begin(kStatuses), std::end(kStatuses),
                                     [&](const DiagStatus& one) { return one.word == word; });
    if (known == std::end(kStatuses)) {
      error("out-of-range", path + "/status",
            "Pass, Fail, Warn or Skip is expected, found \"" + beginning_of(plain_text(status->text), 40) + "\".");
      return;
    }
    const std::string warnings = warnings_of(result);
    // A test may pass with a warning: https://github.com/NVIDIA/DCGM/issues/284.
    const HealthState state =
        known->state == HealthState::ok && !warnings.empty() ? HealthState::warning : known->state;
    std::string seen = test + ": " + word;
    for (const std::string& part : {warnings, info_of(result)})
      if (!part.empty()) seen += "; " + part;
    for (const std::string& device : devices_of(result, path)) add_check(device, test, state, seen);
  }

  /// The GPUs of a result, or the host: tests of level 1 and those of a processor are of the machine.
  std::vector<std::string> devices_of(const JsonNode& result, const std::string& path) {
    std::vector<std::string> devices;
    const auto add = [&](double number, const std::string& at) {
      if (number < 0 || number > 1023 || number != static_cast<int>(number))
        error("out-of-range", at, "A number of a GPU is expected.");
      else
        devices.push_back(imported_device(profile_, static_cast<int>(number)).id);
    };
    const JsonNode* group = result.find("entity_group");
    const JsonNode* entity = result.find("entity_id");
    if (entity != nullptr && entity->is_number() && (group == nullptr || group->text == "GPU")) {
      add(entity->number, path + "/entity_id");
      return devices;
    }
    for (const std::string_view key : {"gpu_id", "gpu_ids"}) {
      const JsonNode* ids = result.find(key);
      if (ids == nullptr) continue;
      const std::string at = path + "/" + std::string(key);
      if (ids->is_number()) {
        // DCGM 3 writes -1 where an error of level 1 is of no GPU.
        if (ids->number >= 0) add(ids->number, at);
        continue;
      }
      std::string_view rest = ids->text;
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const auto number = number_of_text(rest.substr(0, comma));
        add(number.value_or(-1), at);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    }
    if (devices.empty()) devices.emplace_back("host");
    return devices;
  }

  /// Texts with their codes: "... (error 30, isolate)". DCGM 2 has one text, DCGM 3 calls it "warnings" in level 1.
  static std::string warnings_of(const JsonNode& result) {
    const JsonNode* warnings = result.find("warnings");
    if (warnings == nullptr) return "";
    if (warnings->is_text()) return plain_text(warnings->text);
    std::string all;
    for (const JsonNode& one : warnings->items) {
      const JsonNode* text = one.is_text() ? &one : one.find("warning");
      if (text == nullptr) text = one.find("warnings");
      if (text == nullptr || !text->is_text() || trimmed(text->text).empty()) continue;
      all += (all.empty() ? "" : "; ") + plain_text(text->text);
      const JsonNode* code = one.find("error_id");
      if (code == nullptr || !code->is_number()) continue;
      all += " (error " + shortest_number(code->number);
      const JsonNode* severity = one.find("error_severity");
      if (severity != nullptr && severity->is_number() && severity->number >= 0 &&
          severity->number < static_cast<double>(kSeverities.size()))
        if (const std::string_view word = kSeverities.begin()[static_cast<std::size_t>(severity->number)];
            !word.empty())
          all += ", " + std::string(word);
      all += ")";
    }
    return all;
  }

  static std::string info_of(const JsonNode& result) {
    const JsonNode* info = result.find("info");
    if (info == nullptr) return "";
    if (info->is_text()) return plain_text(info->text);
    std::string all;
    for (const JsonNode& one : info->items)
      if (one.is_text() && !trimmed(one.text).empty()) all += (all.empty() ? "" : "; ") + plain_text(one.text);
    return all;
  }

  /// Of several runs of the diagnostic the gravest word on a test and a device counts.
  void add_check(const std::string& device, const std::string& test, HealthState state, const std::string& seen) {
    const auto [place, added] = place_of_check_.try_emplace({device, test}, profile_.health_checks.size());
    if (added) {
      profile_.health_checks.push_back(made_check("dcgm_diag", device, state, seen));
      return;
    }
    HealthCheck& check = profile_.health_checks[place->second];
    if (gravity_of(state) <= gravity_of(check.state)) return;
    check.state = state;
    check.seen = seen;
  }

  HardwareProfile profile_;
  std::map<std::pair<std::string, std::string>, std::size_t> place_of_check_;  ///< by device and test
  Errors errors_;
};

}  // namespace

Result<HardwareProfile> import_dcgm_diag(std::string_view text) {
  const auto document = parse_told(text);
  if (!document) return failure(document.error());
  return DcgmReader().read(*document);
}

FileFields dcgm_diag_fields(std::string_view text) {
  FileFields fields;
  const auto document = parse_told(text);
  if (!document) return fields;
  const auto take = [&](const JsonNode& run, const std::string& prefix) {
    for (const std::string& key : run.keys) {
      const bool used = key.rfind("DCGM", 0) == 0 || key == "Driver Version Detected" || key == "version" ||
                        key == "metadata" || key == "iterations";
      std::vector<std::string>& list = used ? fields.used : fields.ignored;
      if (std::find(list.begin(), list.end(), prefix + key) == list.end()) list.push_back(prefix + key);
    }
  };
  take(*document, "");
  const JsonNode* runs = document->find("iterations");
  for (std::size_t i = 0; runs != nullptr && i < runs->items.size(); ++i) take(runs->items[i], "iterations.");
  return fields;
}

}  // namespace podwright
