#include "measure/import_files.h"

#include <algorithm>
#include <cstdlib>

#include "base/json_read.h"
#include "measure/device_key.h"
#include "measure/foreign_parts.h"
#include "measure/profile_merge.h"

namespace podwright {
namespace {

constexpr std::string_view kExpected =
    "Expected: a profile of podwright probe, nvbandwidth --json, the table of an nccl-tests program, nvidia-smi -q -x, "
    "vllm bench serve --save-result, AIPerf's profile_export_aiperf.json or profile_export.jsonl, or the start-up log "
    "or "
    "the metrics of a serving engine.";

struct Mark {
  std::string_view mark;
  std::string_view what;
};

/// Marks of texts that programs print next to their files.
constexpr Mark kTextMarks[] = {
    {"Serving Benchmark Result", "the printed report of vllm bench serve; --save-result writes the file"},
    {"NVIDIA-SMI ", "the printed table of nvidia-smi; -q -x writes the file"},
    {"==============NVSMI LOG", "the text log of nvidia-smi -q; -q -x writes the file"},
    {"memcpy CE CPU(row) -> GPU(column)", "the printed tables of nvbandwidth; --json writes the file"},
    {"nvbandwidth Version", "the printed tables of nvbandwidth; --json writes the file"},
    {"Traceback (most recent call last)", "an error message of Python"},
    {"<html", "a web page"},
    {"<!DOCTYPE html", "a web page"},
};

/// Marks of other JSON files.
constexpr Mark kJsonMarks[] = {
    {"\"podwright-calibration/", "a calibration, which plans take as it is"},
    {"\"catalog_digest\"", "an answer of this program"},
    {"\"workloads\"", "a request of this program"},
    {"\"num_hidden_layers\"", "the config.json of a model"},
    {"\"cells\"", "a notebook"},
    {"\"traceEvents\"", "a trace of a profiler"},
    {"\"benchmarks\"", "a result of Google Benchmark"},
};

std::string marked(std::string_view text, std::span<const Mark> marks) {
  for (const Mark& one : marks)
    if (text.find(one.mark) != std::string_view::npos) return std::string(one.what);
  return "";
}

bool is_binary(std::string_view text) {
  return std::any_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(text.size(), 512)),
                     [](char c) { return c >= 0 && c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
}

/// Lines that are an object each.
bool is_json_lines(std::string_view body) {
  const std::size_t end = body.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view next = trimmed(body.substr(end));
  return !next.empty() && next.front() == '{' && parse_json(body.substr(0, end)).has_value();
}

/// What a text is, in a few words: "a comma-separated table". For messages about files that no one can read.
std::string looks_like(std::string_view text) {
  const std::string_view body = trimmed(text);
  if (body.empty()) return "an empty file";
  if (body.substr(0, 2) == "PK") return "a zip archive";
  if (body.substr(0, 4) == "GGUF") return "a GGUF weight file";
  if (is_binary(body)) return "a binary file";
  if (std::string known = marked(body, kTextMarks); !known.empty()) return known;
  if (body.front() == '{') {
    if (is_json_lines(body)) return "records of another program, one a line";
    if (std::string known = marked(body, kJsonMarks); !known.empty()) return known;
    return parse_json(body) ? "JSON of another program" : "JSON that is cut off or damaged";
  }
  if (body.front() == '[') return "a JSON list";
  if (body.front() == '<') return "XML of another program";
  const std::string_view line = body.substr(0, body.find('\n'));
  if (line.find(',') != std::string_view::npos) return "a comma-separated table";
  return "plain text";
}

std::string text_path(std::size_t place) { return "/" + std::to_string(place) + "/text"; }

/// JSON that nothing marks as a profile is reported as what it is.
bool is_unknown(const std::optional<FileFormat>& format, std::string_view text) {
  if (!format) return true;
  if (*format != FileFormat::profile) return false;
  return text.find("podwright-profile/") == std::string_view::npos &&
         text.find("\"integrity\"") == std::string_view::npos;
}

/// The readers' errors at the file's place, with what the file looks like.
Errors placed(Errors errors, std::size_t place, FileFormat format) {
  for (Error& error : errors) {
    error.path = text_path(place) + error.path;
    error.message = "This looks like " + std::string(called(format)) + ". " + error.message;
  }
  return errors;
}

/// Nothing that may name the machine or its owner.
HardwareProfile unnamed(HardwareProfile profile) {
  profile.host.name.clear();
  profile.run.arguments.clear();
  profile.environment.variables.clear();
  for (ProfileDevice& device : profile.devices) device.identity_hash.clear();
  return profile;
}

bool holds_names(const HardwareProfile& profile, const std::vector<IdentifierCount>& identifiers) {
  return !identifiers.empty() || std::any_of(profile.devices.begin(), profile.devices.end(),
                                             [](const ProfileDevice& device) { return !device.identity_hash.empty(); });
}

std::string last_step(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// A profile gives its host's name by the place where it stands.
void count_host(const HardwareProfile& profile, std::vector<IdentifierCount>& identifiers) {
  if (!profile.host.name.empty()) identifiers.insert(identifiers.begin(), {IdentifierKind::host_name, 1});
}

/// Machine files of an import, with their places among all files.
struct Machines {
  std::vector<ReadProfile> profiles;
  std::vector<HardwareProfile> foreign;
  bool named = false;  ///< a profile holds what may name its machine
  std::vector<std::size_t> profile_places, foreign_places;
};

Errors read_one(const FileText& file, std::size_t place, ImportedFiles& imported, Machines& machines) {
  const auto format = format_of(file.text);
  if (is_unknown(format, file.text))
    return {{"wrong-type", text_path(place), "\"" + file.name + "\" looks like " + looks_like(file.text) + ".",
             std::string(kExpected)}};
  ImportedFile one;
  one.name = file.name;
  one.format = *format;
  one.identifiers = identifiers_in(file.text);
  if (is_of_load_generator(*format)) {
    auto measured = read_serving_file(file.text);
    if (!measured) return placed(measured.error(), place, *format);
    // A model may be named by its folder on the machine.
    if (measured->model.rfind('/', 0) == 0) measured->model = last_step(measured->model);
    one.serving = std::move(*measured);
  } else if (is_of_engine(*format)) {
    auto facts = read_engine_file(file.text);
    if (!facts) return placed(facts.error(), place, *format);
    one.engine = std::move(*facts);
  } else {
    auto read = read_machine_file(file.text, file.name);
    if (!read) return placed(read.error(), place, *format);
    if (*format == FileFormat::profile) {
      count_host(read->profile, one.identifiers);
      machines.named = machines.named || holds_names(read->profile, one.identifiers);
      machines.profiles.push_back({std::move(read->profile), std::move(read->digest)});
      machines.profile_places.push_back(place);
    } else {
      machines.foreign.push_back(std::move(read->profile));
      machines.foreign_places.push_back(place);
    }
  }
  one.fields = fields_of(*format, file.text);
  imported.files.push_back(std::move(one));
  return {};
}

/// Errors of joining tell the place within one sort of files; `places` are those among all files.
Errors replaced(Errors errors, const std::vector<std::size_t>& places) {
  for (Error& error : errors) {
    const std::size_t at = error.path.empty() ? 0 : static_cast<std::size_t>(std::atoi(error.path.c_str() + 1));
    error.path = text_path(places[std::min(at, places.size() - 1)]);
  }
  return errors;
}

/// As a file of its own, with its digest.
Result<ReadProfile> as_file(const HardwareProfile& profile, bool named) {
  return read_profile(profile_text(named ? unnamed(profile) : profile));
}

Result<ReadProfile> joined(const Catalog& catalog, Machines& machines, const std::string& version) {
  if (!machines.foreign.empty() && !machines.profiles.empty())
    return failure({"conflict", text_path(machines.profile_places.front()),
                    "This is a whole profile, and another file is what an import makes a profile of.",
                    "Import profiles by themselves, and files of other programs by themselves."});
  if (machines.profiles.size() == 1) {
    ReadProfile& only = machines.profiles.front();
    if (!machines.named) return std::move(only);
    return as_file(only.profile, true);
  }
  if (machines.foreign.empty()) {
    auto merged = merged_profiles(machines.profiles);
    if (!merged) return failure(replaced(merged.error(), machines.profile_places));
    return as_file(*merged, machines.named);
  }
  auto made = joined_imports(machines.foreign);
  if (!made) return failure(replaced(made.error(), machines.foreign_places));
  made->tool.version = version;
  name_devices(catalog, *made);
  return as_file(*made, false);
}

/// Errors of joining tell the place among the engine's files.
Result<EngineFacts> joined_engine(const ImportedFiles& imported) {
  std::vector<EngineFacts> engines;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < imported.files.size(); ++i) {
    if (!imported.files[i].engine) continue;
    engines.push_back(*imported.files[i].engine);
    places.push_back(i);
  }
  auto facts = joined_engine_facts(engines);
  if (!facts) return failure(replaced(facts.error(), places));
  return facts;
}

}  // namespace

Result<ImportedFiles> import_files(const Catalog& catalog, std::span<const FileText> files,
                                   const std::string& version) {
  if (files.empty()) return failure({"missing", "", "There is no file to import.", std::string(kExpected)});
  ImportedFiles imported;
  Machines machines;
  Errors errors;
  for (std::size_t i = 0; i < files.size(); ++i)
    for (Error& error : read_one(files[i], i, imported, machines)) errors.push_back(std::move(error));
  if (!errors.empty()) return failure(std::move(errors));
  if (std::any_of(imported.files.begin(), imported.files.end(), [](const auto& file) { return file.engine; })) {
    auto facts = joined_engine(imported);
    if (!facts) return failure(facts.error());
    imported.engine = std::move(*facts);
  }
  if (machines.profiles.empty() && machines.foreign.empty()) return imported;
  auto profile = joined(catalog, machines, version);
  if (!profile) return failure(profile.error());
  imported.profile = std::move(*profile);
  return imported;
}

}  // namespace podwright
