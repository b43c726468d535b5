#include "measure/file_fields.h"

#include "base/number_text.h"
#include "measure/profile_file.h"

namespace podwright {

FileFields profile_fields(const HardwareProfile& profile) {
  FileFields fields;
  const auto section = [&](std::string_view name, bool there) {
    (there ? fields.used : fields.missing).emplace_back(name);
  };
  section("devices", !profile.devices.empty());
  section("links", !profile.links.empty());
  std::size_t flagged = 0;
  for (const ProbeResult& result : profile.results) flagged += result.usable() ? 0 : 1;
  const std::size_t usable = profile.results.size() - flagged;
  section(usable == 0 ? "results" : std::to_string(usable) + " results", usable > 0);
  if (flagged > 0) fields.ignored.push_back(std::to_string(flagged) + " results with flags");
  section("environment.driver", !profile.environment.driver.empty());
  section("environment.cuda_runtime", !profile.environment.cuda_runtime.empty());
  section("run.started", !profile.run.started.empty());
  return fields;
}

FileFields fields_of(FileFormat format, std::string_view text) {
  switch (format) {
    case FileFormat::nvbandwidth:
      return nvbandwidth_fields(text);
    case FileFormat::nccl_tests:
      return nccl_tests_fields();
    case FileFormat::nvidia_smi:
      return nvidia_smi_fields(text);
    case FileFormat::vllm_bench:
      return vllm_bench_fields(text);
    case FileFormat::aiperf:
      return aiperf_fields(text);
    case FileFormat::aiperf_records:
      return aiperf_records_fields(text);
    case FileFormat::profile:
      break;
  }
  const auto read = read_profile(text);
  return read ? profile_fields(read->profile) : FileFields{};
}

}  // namespace podwright
