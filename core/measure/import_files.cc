#include "measure/import_files.h"

#include <algorithm>
#include <cstdlib>

#include "measure/device_key.h"
#include "measure/foreign_parts.h"
#include "measure/profile_merge.h"

namespace podwright {
namespace {

constexpr std::string_view kExpected =
    "Expected: a profile of podwright probe, nvbandwidth --json, the table of an nccl-tests program, nvidia-smi -q -x, "
    "vllm bench serve --save-result, or AIPerf's profile_export_aiperf.json.";

std::string text_path(std::size_t place) { return "/" + std::to_string(place) + "/text"; }

/// JSON that nothing marks as a profile is told as what it is.
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

/// Nothing that may name the machine or its owner. A profile that holds no such thing stays as it is, with its digest.
HardwareProfile unnamed(HardwareProfile profile) {
  const bool hashed = std::any_of(profile.devices.begin(), profile.devices.end(),
                                  [](const ProfileDevice& device) { return !device.identity_hash.empty(); });
  if (profile.host.name.empty() && !hashed && identifiers_in(profile_text(profile)).empty()) return profile;
  profile.host.name.clear();
  profile.run.arguments.clear();
  profile.environment.variables.clear();
  for (ProfileDevice& device : profile.devices) device.identity_hash.clear();
  return profile;
}

Result<ReadProfile> read_again(const HardwareProfile& profile) { return read_profile(profile_text(profile)); }

std::string last_step(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

/// A profile tells its host's name by the place where it stands.
void count_host(const HardwareProfile& profile, std::vector<IdentifierCount>& identifiers) {
  if (!profile.host.name.empty()) identifiers.insert(identifiers.begin(), {IdentifierKind::host_name, 1});
}

/// Machine files of an import, with their places among all files.
struct Machines {
  std::vector<ReadProfile> profiles;
  std::vector<HardwareProfile> foreign;
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
  if (*format == FileFormat::vllm_bench || *format == FileFormat::aiperf) {
    auto measured = read_serving_file(file.text);
    if (!measured) return placed(measured.error(), place, *format);
    // A model may be named by its folder on the machine.
    if (measured->model.rfind('/', 0) == 0) measured->model = last_step(measured->model);
    one.serving = std::move(*measured);
  } else {
    auto read = read_machine_file(file.text);
    if (!read) return placed(read.error(), place, *format);
    count_host(read->profile, one.identifiers);
    if (*format == FileFormat::profile) {
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

Result<HardwareProfile> joined(const Catalog& catalog, const Machines& machines, const std::string& version) {
  if (!machines.foreign.empty() && !machines.profiles.empty())
    return failure({"conflict", text_path(machines.profile_places.front()),
                    "This is a whole profile, and another file is what an import makes a profile of.",
                    "Import profiles by themselves, and files of other programs by themselves."});
  if (machines.foreign.empty()) {
    if (machines.profiles.size() == 1) return unnamed(machines.profiles.front().profile);
    auto merged = merged_profiles(machines.profiles);
    if (!merged) return failure(replaced(merged.error(), machines.profile_places));
    return unnamed(std::move(*merged));
  }
  auto made = joined_imports(machines.foreign);
  if (!made) return failure(replaced(made.error(), machines.foreign_places));
  made->tool.version = version;
  match_devices(catalog, *made);
  return made;
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
  if (machines.profiles.empty() && machines.foreign.empty()) return imported;
  auto profile = joined(catalog, machines, version);
  if (!profile) return failure(profile.error());
  auto read = read_again(*profile);
  if (!read) return failure(read.error());
  imported.profile = std::move(*read);
  return imported;
}

}  // namespace podwright
