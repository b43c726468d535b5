#include "measure/import_files.h"

#include <algorithm>
#include <cstdlib>

#include "base/append.h"
#include "base/characters.h"
#include "base/json_read.h"
#include "base/stable_sort.h"
#include "measure/foreign_parts.h"
#include "measure/rank_profiles.h"

namespace podwright {
namespace {

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
    {"| Diagnostic ", "the printed table of dcgmi diag; -j writes the file"},
    {"request_performance:", "llm-d's benchmark report as YAML; JSON of it is read"},
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
  if (body.substr(0, 2) == "\xFF\xFE" || body.substr(0, 2) == "\xFE\xFF") return "a text in UTF-16; save it as UTF-8";
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

/// What a person's word means for the readers.
struct ReadAs {
  std::optional<FileFormat> format;
  std::string name;  ///< of the file, for what its text leaves out
};

/// nccl-tests has a word for each collective, every other program one.
ReadAs meant_by(const FileText& file) {
  if (file.read_as.empty()) return {format_of(file.text), file.name};
  const auto* word = std::find(kFileFormatWords.begin(), kFileFormatWords.end(), file.read_as);
  if (word == kFileFormatWords.end()) return {FileFormat::nccl_tests, file.read_as};
  return {static_cast<FileFormat>(word - kFileFormatWords.begin()), file.name};
}

/// The words with which a file may be tried again: of a table without its collective those of collectives, of a text
/// that nothing marks all.
std::vector<std::string> could_be(const FileText& file, const std::optional<FileFormat>& format, const Errors& errors) {
  const bool lacks_collective =
      format == FileFormat::nccl_tests && !errors.empty() && errors.front().path.ends_with("/collective");
  if (!lacks_collective && !is_unknown(format, file.text) && file.read_as.empty()) return {};
  std::vector<std::string> words;
  for (const std::string_view word : kReadAsWords) {
    const bool collective = std::find(kFileFormatWords.begin(), kFileFormatWords.end(), word) == kFileFormatWords.end();
    if (!lacks_collective || collective) words.emplace_back(word);
  }
  return words;
}

struct MachinePart {
  std::size_t place = 0;
  MachineFile file;
};

/// An import while it is read.
struct Import {
  const Catalog& catalog;
  std::span<const FileText> files;
  ImportedFiles read;
  std::vector<MachinePart> profiles;
  std::vector<MachinePart> foreign;
  std::vector<std::size_t> places;  ///< of `read.files`
  bool named = false;               ///< a profile holds what may name its machine

  void refuse(std::size_t place, Errors errors, std::vector<std::string> words = {}) {
    const auto at = std::find(places.begin(), places.end(), place);
    if (at != places.end()) {
      read.files.erase(read.files.begin() + (at - places.begin()));
      places.erase(at);
    }
    read.refused.push_back({place, files[place].name, std::move(errors), std::move(words)});
  }
};

Errors read_one(Import& import, std::size_t place, const ReadAs& as) {
  const FileText& file = import.files[place];
  if (is_unknown(as.format, file.text) && file.read_as.empty())
    return {{"wrong-type", text_path(place), "\"" + file.name + "\" looks like " + looks_like(file.text) + ".",
             std::string(kKnownFiles)}};
  const FileFormat format = *as.format;
  ImportedFile one;
  one.name = file.name;
  one.format = format;
  one.identifiers = identifiers_in(file.text);
  if (is_of_load_generator(format)) {
    auto measured = read_serving_file(file.text, format);
    if (!measured) return placed(measured.error(), place, format);
    // A model may be named by its folder on the machine.
    for (ServingMeasurement& run : *measured)
      if (run.model.rfind('/', 0) == 0) run.model = last_step(run.model);
    one.serving = std::move(*measured);
  } else if (is_of_training(format)) {
    auto measured = read_training_file(file.text, format);
    if (!measured) return placed(measured.error(), place, format);
    one.training = std::move(*measured);
  } else if (is_of_engine(format)) {
    auto facts = read_engine_file(file.text, format);
    if (!facts) return placed(facts.error(), place, format);
    one.engine = std::move(*facts);
  } else {
    auto machine = read_machine_file(file.text, as.name, format);
    if (!machine) return placed(machine.error(), place, format);
    if (format == FileFormat::profile) {
      count_host(machine->profile, one.identifiers);
      import.named = import.named || holds_names(machine->profile, one.identifiers);
    }
    (format == FileFormat::profile ? import.profiles : import.foreign).push_back({place, std::move(*machine)});
  }
  one.fields = fields_of(format, file.text);
  import.read.files.push_back(std::move(one));
  import.places.push_back(place);
  return {};
}

/// As a file of its own, with its digest.
Result<ReadProfile> as_file(const HardwareProfile& profile, bool named) {
  return read_profile(profile_text(named ? unnamed(profile) : profile));
}

/// The place among the joined files that an error of joining names.
std::size_t place_named(const Errors& errors, std::size_t count) {
  const std::string& path = errors.front().path;
  const std::size_t at = path.empty() ? 0 : static_cast<std::size_t>(std::atoi(path.c_str() + 1));
  return std::min(at, count - 1);
}

/// Refuses the part that `errors` name, at its place.
void refuse_part(Import& import, std::vector<MachinePart>& parts, Errors errors) {
  const std::size_t at = place_named(errors, parts.size());
  const std::size_t place = parts[at].place;
  for (Error& error : errors) error.path = text_path(place);
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
  import.refuse(place, std::move(errors));
}

/// Those of the devices, in their order, from the first file that tells of each.
std::vector<GpuReading> readings_of(const HardwareProfile& joined, const std::vector<MachinePart>& parts) {
  std::vector<GpuReading> readings(joined.devices.size());
  bool any = false;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    readings[i].was_read = false;
    for (const MachinePart& part : parts) {
      const auto& devices = part.file.profile.devices;
      for (std::size_t k = 0; k < part.file.readings.size() && !readings[i].was_read; ++k)
        if (devices[k].id == joined.devices[i].id) readings[i] = part.file.readings[k];
    }
    any = any || readings[i].was_read;
  }
  if (!any) readings.clear();
  return readings;
}

Errors choose(const Import& import, std::span<const ChosenGpu> gpus, HardwareProfile& profile) {
  Errors errors = choose_gpus(import.catalog, gpus, profile);
  for (Error& error : errors) error.path = "/gpus" + error.path;
  return errors;
}

/// What other programs measured, as one profile. Files of another machine are refused.
Result<ReadProfile> joined_foreign(Import& import, const std::string& version, std::span<const ChosenGpu> gpus) {
  for (;;) {
    std::vector<HardwareProfile> profiles;
    for (const MachinePart& part : import.foreign) profiles.push_back(part.file.profile);
    auto made = joined_imports(profiles);
    if (!made && import.foreign.size() > 1) {
      refuse_part(import, import.foreign, made.error());
      continue;
    }
    if (!made) return failure(made.error());
    made->tool.version = version;
    if (Errors errors = choose(import, gpus, *made); !errors.empty()) return failure(std::move(errors));
    judge_imported(import.catalog, readings_of(*made, import.foreign), *made);
    return as_file(*made, false);
  }
}

/// Profiles of one machine, or of the nodes of a fleet, as one.
Result<ReadProfile> joined_profiles(Import& import, std::span<const ChosenGpu> gpus) {
  for (;;) {
    std::vector<ReadProfile> profiles;
    for (const MachinePart& part : import.profiles) profiles.push_back({part.file.profile, part.file.digest});
    auto merged = profiles.size() == 1 ? Result<HardwareProfile>(profiles.front().profile) : merged_ranks(profiles);
    if (!merged && profiles.size() > 1) {
      refuse_part(import, import.profiles, merged.error());
      continue;
    }
    if (!merged) return failure(merged.error());
    if (Errors errors = choose(import, gpus, *merged); !errors.empty()) return failure(std::move(errors));
    if (profiles.size() == 1 && !import.named && gpus.empty()) return std::move(profiles.front());
    return as_file(*merged, import.named);
  }
}

Result<ReadProfile> joined(Import& import, const std::string& version, std::span<const ChosenGpu> gpus) {
  if (import.foreign.empty()) return joined_profiles(import, gpus);
  while (!import.profiles.empty())
    refuse_part(import, import.profiles,
                {{"conflict", "", "This is a whole profile, and another file is what an import makes a profile of.",
                  "Import profiles by themselves, and files of other programs by themselves."}});
  return joined_foreign(import, version, gpus);
}

/// What all logs and metrics say; absent where there are none. Files of another engine are refused.
std::optional<EngineFacts> joined_engine(Import& import) {
  for (;;) {
    std::vector<EngineFacts> engines;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < import.read.files.size(); ++i) {
      if (!import.read.files[i].engine) continue;
      engines.push_back(*import.read.files[i].engine);
      places.push_back(import.places[i]);
    }
    if (engines.empty()) return std::nullopt;
    auto facts = joined_engine_facts(engines);
    if (facts) return std::move(*facts);
    Errors errors = facts.error();
    const std::size_t place = places[place_named(errors, places.size())];
    for (Error& error : errors) error.path = text_path(place);
    import.refuse(place, std::move(errors));
  }
}

}  // namespace

Result<ImportedFiles> import_files(const Catalog& catalog, std::span<const FileText> files, const std::string& version,
                                   std::span<const ChosenGpu> gpus) {
  const auto marked_text = [&](const FileText& file) { return file.text.rfind(kByteOrderMark, 0) == 0; };
  if (std::any_of(files.begin(), files.end(), marked_text)) {
    std::vector<FileText> plain(files.begin(), files.end());
    for (FileText& file : plain)
      if (marked_text(file)) file.text.erase(0, kByteOrderMark.size());
    return import_files(catalog, plain, version, gpus);
  }
  if (files.empty()) return failure({"missing", "", "There is no file to import.", std::string(kKnownFiles)});
  Import import{catalog, files, {}, {}, {}, {}};
  for (std::size_t i = 0; i < files.size(); ++i) {
    const ReadAs as = meant_by(files[i]);
    if (Errors errors = read_one(import, i, as); !errors.empty()) {
      std::vector<std::string> words = could_be(files[i], as.format, errors);
      import.refuse(i, std::move(errors), std::move(words));
    }
  }
  import.read.engine = joined_engine(import);
  if (!import.profiles.empty() || !import.foreign.empty()) {
    auto profile = joined(import, version, gpus);
    if (!profile) return failure(profile.error());
    import.read.profile = std::move(*profile);
  }
  sort_stably(import.read.refused, [](const RefusedFile& a, const RefusedFile& b) { return a.place < b.place; });
  if (!import.read.files.empty()) return std::move(import.read);
  Errors errors;
  for (RefusedFile& file : import.read.refused) append(errors, std::move(file.errors));
  return failure(std::move(errors));
}

}  // namespace podwright
