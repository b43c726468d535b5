/// nccl-tests -J: https://github.com/NVIDIA/nccl-tests, src/util.cu, versions 1 to 3 of the file.
/// Its list of devices has an entry for each process, which may drive several GPUs.
#include <algorithm>

#include "base/object_reader.h"
#include "measure/foreign_parts.h"
#include "measure/import_foreign.h"
#include "measure/nccl_rows.h"

namespace podwright {
namespace {

constexpr ForeignProgram kNcclJson{"an nccl-tests program with -J"};
constexpr double kNcclMicrosecond = 1e-6;

/// The two halves of a row.
constexpr std::string_view kOutOfPlace = "out_of_place", kInPlace = "in_place";

std::string nccl_text(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  return node != nullptr && node->is_text() ? std::string(trimmed(node->text)) : "";
}

/// Absent halves are null in the file.
const JsonNode* half_of(const JsonNode& row, std::string_view key) {
  const JsonNode* half = row.find(key);
  return half != nullptr && half->is_object() ? half : nullptr;
}

class NcclJsonReader {
 public:
  explicit NcclJsonReader(const JsonNode& document) : document_(document) {}

  Result<HardwareProfile> read(std::string_view file_name) {
    ObjectReader reader(document_, "", errors_);
    read_devices(reader);
    if (!reader.has("results")) reader.missing("results", "the measured rows");
    const JsonNode* rows = reader.list("results");
    for (std::size_t i = 0; rows != nullptr && i < rows->items.size(); ++i)
      read_row(rows->items[i], "/results/" + std::to_string(i));
    if (errors_.empty() && rows_.empty())
      errors_.add_at_end(document_, kNcclJson.error("missing", "/results",
                                                    host_times_ > 0 ? "All times are those of the processor (-C)."
                                                                    : "There is no row of measured times."));
    if (!errors_.empty()) return failure(errors_.take());
    const std::string collective = collective_of(file_name);
    if (collective.empty())
      return failure({"missing", "/collective", "The file does not say which collective was measured.",
                      "Its first argument is the program; or name the file after it: all_reduce.json."});
    auto profile = nccl_profile(collective, ranks_, rows_, "/config/devices");
    if (profile) add_facts(*profile);
    return profile;
  }

 private:
  void read_devices(ObjectReader& reader) {
    if (!reader.has("config")) reader.missing("config", "the devices that took part");
    const JsonNode* config = reader.object("config");
    if (config == nullptr) return;
    ObjectReader settings(*config, "/config", errors_);
    const double threads = settings.number("nthreads", {1, 1024}).value_or(1);
    const double gpus = settings.number("ngpus", {1, 1024}).value_or(1);
    if (!settings.has("devices")) settings.missing("devices", "the devices that took part");
    const JsonNode* devices = settings.list("devices");
    for (std::size_t i = 0; devices != nullptr && i < devices->items.size(); ++i) {
      const JsonNode& device = devices->items[i];
      ObjectReader one(device, "/config/devices/" + std::to_string(i), errors_);
      NcclRank rank;
      rank.rank = static_cast<int>(one.number("rank", {0, 1e6}).value_or(0));
      rank.group = static_cast<int>(one.number("group", {-1, 1e6}).value_or(0));
      rank.host = nccl_text(device, "hostname");
      rank.name = beginning_of(nccl_text(device, "device_info"), 80);
      rank.processes = static_cast<int>(threads * gpus);
      ranks_.push_back(std::move(rank));
    }
  }

  void read_row(const JsonNode& node, const std::string& path) {
    ObjectReader row(node, path, errors_);
    if (!row.has("size")) row.missing("size", "the bytes of the message");
    const auto bytes = row.number("size", kNcclBytes);
    const JsonNode* apart = half_of(node, kOutOfPlace);
    const JsonNode* in_place = half_of(node, kInPlace);
    const JsonNode* half = apart != nullptr ? apart : in_place;
    if (half == nullptr) {
      row.missing(kOutOfPlace, "the time of the row");
      return;
    }
    const std::string_view name = apart != nullptr ? kOutOfPlace : kInPlace;
    ObjectReader times(*half, path + "/" + std::string(name), errors_);
    if (times.has("cpu_time")) {
      ++host_times_;
      return;
    }
    if (!times.has("time")) times.missing("time", "microseconds");
    const bool empty = bytes && *bytes == 0;  // nothing was sent
    const auto time = times.number("time", empty ? Range{0, kNcclMicroseconds.max} : kNcclMicroseconds);
    if (!bytes || !time || empty) return;
    NcclRow made;
    made.bytes = *bytes;
    made.dtype = nccl_dtype(nccl_text(node, "type"));
    if (apart == nullptr) made.variant = "in place";
    made.times_s = samples_of(node, path, name);
    if (made.times_s.empty()) made.times_s = {*time * kNcclMicrosecond};
    for (const JsonNode* one : {apart, in_place}) {
      const JsonNode* wrong = one == nullptr ? nullptr : one->find("nwrong");
      if (wrong != nullptr && wrong->is_number()) made.wrong = made.wrong.value_or(0) + std::max(0.0, wrong->number);
    }
    rows_.push_back(std::move(made));
  }

  /// Of -I 1: each operation by itself.
  std::vector<double> samples_of(const JsonNode& row, const std::string& path, std::string_view half) {
    const std::string key = std::string(half) + "_per_iter";
    const JsonNode* report = half_of(row, key);
    if (report == nullptr) return {};
    ObjectReader reader(*report, path + "/" + key, errors_);
    const double skipped = reader.number("skipped_iterations", {0, 1e9}).value_or(0);
    auto times = reader.numbers("times_us", kNcclMicroseconds).value_or(std::vector<double>{});
    if (static_cast<double>(times.size()) > skipped)
      times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(skipped));
    for (double& time : times) time *= kNcclMicrosecond;
    return times;
  }

  std::string collective_of(std::string_view file_name) const {
    const JsonNode* arguments = document_.find("args");
    if (arguments != nullptr && !arguments->items.empty() && arguments->items.front().is_text())
      if (std::string named = nccl_collective_in(arguments->items.front().text); !named.empty()) return named;
    return nccl_collective_in(file_name);
  }

  void add_facts(HardwareProfile& profile) const {
    const JsonNode* version = document_.find("nccl_version");
    if (version != nullptr && version->is_number() && version->number >= 2000) {
      // NCCL_VERSION_CODE: 22703 is 2.27.3, 2708 was 2.7.8.
      const auto code = static_cast<int>(std::min(version->number, 1e9));
      const int major = code >= 10000 ? code / 10000 : code / 1000;
      const int rest = code >= 10000 ? code % 10000 : code % 1000;
      profile.environment.nccl =
          std::to_string(major) + "." + std::to_string(rest / 100) + "." + std::to_string(rest % 100);
    }
    if (host_times_ > 0)
      profile.limits.push_back(std::to_string(host_times_) + " rows have only the time of the processor (-C).");
    if (document_.find("end_time") == nullptr)
      profile.limits.emplace_back("The program did not reach its end: rows may be missing.");
    const JsonNode* problems = document_.find("errors");
    for (std::size_t i = 0; problems != nullptr && i < problems->items.size(); ++i)
      if (const std::string& problem = problems->items[i].text; !trimmed(problem).empty())
        profile.limits.emplace_back("NCCL reported an error, which is not kept.");
  }

  const JsonNode& document_;
  ErrorList errors_;
  std::vector<NcclRank> ranks_;
  std::vector<NcclRow> rows_;
  int host_times_ = 0;
};

}  // namespace

Result<HardwareProfile> import_nccl_json(std::string_view text, std::string_view file_name) {
  const auto document = parse_told(text);
  if (!document) return failure(document.error());
  return NcclJsonReader(*document).read(file_name);
}

FileFields nccl_tests_fields(std::string_view text) {
  if (trimmed(text).empty() || trimmed(text).front() != '{')
    return {{"# Rank", "size", "type", "time", "#wrong"},
            {"count", "redop", "root", "algbw", "busbw", "time in place", "algbw in place", "busbw in place"},
            {}};
  const auto document = parse_told(text);
  if (!document) return {};
  FileFields fields{{"args[0]", "config.devices", "results.size", "results.type", "results.time", "results.nwrong"},
                    {"results.count", "results.redop", "results.root", "results.alg_bw", "results.bus_bw"},
                    {}};
  for (const std::string& key : document->keys) {
    if (key == "args" || key == "config" || key == "results") continue;
    (key == "nccl_version" || key == "errors" || key == "end_time" ? fields.used : fields.ignored).push_back(key);
  }
  if (document->find("nccl_version") == nullptr) fields.missing.emplace_back("nccl_version");
  return fields;
}

}  // namespace podwright
