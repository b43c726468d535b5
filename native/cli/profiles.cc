#include "cli/profiles.h"

#include "calibration/device_verdict.h"
#include "cli/common.h"
#include "measure/rank_profiles.h"

namespace podwright::cli {

std::vector<ChosenGpu> chosen_gpus(const std::vector<std::string>& options) {
  std::vector<ChosenGpu> chosen;
  for (const std::string& option : options) {
    const std::size_t sign = option.find('=');
    if (sign == std::string::npos)
      chosen.push_back({"", option});
    else
      chosen.push_back({option.substr(0, sign), option.substr(sign + 1)});
  }
  return chosen;
}

std::optional<MachineFile> read_machine(const Catalog& catalog, const std::string& file, const std::string& text,
                                        const std::vector<std::string>& gpus) {
  auto read = read_machine_file(text, file);
  if (!read) {
    print_errors(read.error(), file + " is not a usable profile");
    return std::nullopt;
  }
  if (Errors errors = choose_gpus(catalog, chosen_gpus(gpus), read->profile); !errors.empty()) {
    for (Error& error : errors) error.path = "--gpu";
    print_errors(errors);
    return std::nullopt;
  }
  if (read->format != FileFormat::profile) judge_imported(catalog, read->readings, read->profile);
  return std::move(*read);
}

std::optional<ReadProfile> read_profiles(const std::vector<std::string>& files, const TrustedKeys& trusted) {
  std::vector<ReadProfile> read;
  for (const std::string& file : files) {
    const auto text = read_trusted(file, trusted);
    if (!text) return std::nullopt;
    auto profile = read_profile(*text);
    if (!profile) {
      print_errors(profile.error(), file + " is not a usable profile");
      return std::nullopt;
    }
    read.push_back(std::move(*profile));
  }
  // One rank of several is not the whole run.
  if (read.size() == 1 && !read.front().profile.run.rank) return std::move(read.front());
  auto merged = merged_ranks(read);
  auto whole = merged ? read_profile(profile_text(*merged)) : failure(merged.error());
  if (whole) return std::move(*whole);
  print_errors(whole.error());
  return std::nullopt;
}

void print_limits(const HardwareProfile& profile) {
  for (const std::string& limit : profile.limits) std::cerr << "podwright: " << limit << '\n';
}

int code_of(const ProfileJudgement& judgement, const HardwareProfile& profile) {
  if (judgement.exit > ProbeExit::low) return static_cast<int>(judgement.exit);
  const bool low = judgement.exit == ProbeExit::low || !any_judged(judgement.devices);
  return low || !profile.run.complete ? kInfeasible : kAnswer;
}

}  // namespace podwright::cli
