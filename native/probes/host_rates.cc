#include "probes/host_rates.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "measure/median_interval.h"
#include "measure/sample_summary.h"
#include "probes/catalogue.h"
#include "probes/cpu/thread_pool.h"
#include "probes/elapsed.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

constexpr std::size_t kReadBlock = std::size_t{16} << 20;
constexpr double kReadSample = 64.0 * 1024 * 1024;
constexpr double kMostRead = 4.0 * 1024 * 1024 * 1024;
constexpr double kMostReadSeconds = 20;

/// A file that is closed again.
struct OpenFile {
  int descriptor = -1;
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
};

bool open_for_rate(const std::string& path, OpenFile& file, FileReading& reading) {
  file.descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  if (file.descriptor < 0 && errno == EINVAL) {
    reading.direct = false;
    file.descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  struct stat about {};
  if (file.descriptor < 0 || fstat(file.descriptor, &about) != 0)
    reading.unreadable = std::strerror(errno);
  else if (!S_ISREG(about.st_mode) && !S_ISBLK(about.st_mode))
    reading.unreadable = "it is neither a file nor a block device";
  return reading.unreadable.empty();
}

/// Some file systems open a file past their cache and then refuse to read it so.
bool read_through_cache(const OpenFile& file, FileReading& reading) {
  if (!reading.direct) return false;
  reading.direct = false;
  return fcntl(file.descriptor, F_SETFL, O_RDONLY) == 0;
}

}  // namespace

std::optional<double> host_memory_rate(const std::string& program, double seed) {
  Machine machine;
  machine.backend = "cpu";
  machine.threads = usable_processors();
  WorkerJob job;
  job.backend = "cpu";
  job.seed = seed;
  for (const ProbeCase& one : cpu_cases(machine, RunMode::quick))
    if (one.probe == "cpu.stream.triad") job.cases = {one};  // the last is the largest
  if (job.cases.empty()) return std::nullopt;
  WorkerProcess worker(program, job);
  WorkerMessage message;
  std::optional<double> rate;
  while (worker.next(kStartPatience, message) == WorkerProcess::Wait::message) {
    if (message.kind == WorkerMessage::Kind::done || message.kind == WorkerMessage::Kind::failed) break;
    if (message.kind != WorkerMessage::Kind::finished || message.measured.end != CaseEnd::measured) continue;
    const ProbeResult& result = message.measured.result;
    if (result.samples_s.empty() || !result.size.bytes || result.check.status == CheckStatus::fail) continue;
    rate = job.cases.front().work_bytes_per_byte * *result.size.bytes / median_of(result.samples_s);
  }
  return rate;
}

FileReading read_file_rate(const std::string& path) {
  FileReading reading;
  OpenFile file;
  if (!open_for_rate(path, file, reading)) return reading;
  const std::unique_ptr<void, decltype(&std::free)> block(std::aligned_alloc(4096, kReadBlock), std::free);
  if (block == nullptr) {
    reading.unreadable = "no memory for its blocks";
    return reading;
  }
  std::vector<double> seconds_per_byte;
  double sample = 0;
  const Clock::time_point start = Clock::now();
  Clock::time_point sample_start = start;
  const auto end_sample = [&] {
    seconds_per_byte.push_back(seconds_since(sample_start) / sample);
    sample = 0;
    sample_start = Clock::now();
  };
  // What an earlier reader left in the cache would be measured instead of the drive.
  posix_fadvise(file.descriptor, 0, 0, POSIX_FADV_DONTNEED);
  while (reading.bytes < kMostRead && seconds_since(start) < kMostReadSeconds) {
    const ssize_t got = read(file.descriptor, block.get(), kReadBlock);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EINVAL && reading.bytes == 0 && read_through_cache(file, reading)) continue;
    if (got < 0) reading.broken = std::strerror(errno);
    if (got <= 0) break;
    reading.bytes += static_cast<double>(got);
    sample += static_cast<double>(got);
    if (sample >= kReadSample) end_sample();
  }
  if (seconds_per_byte.empty() && sample > 0) end_sample();
  if (seconds_per_byte.empty()) return reading;
  const SampleSummary summary = summary_of(seconds_per_byte);
  reading.bytes_per_s = 1 / summary.median;
  reading.relative_spread = summary.relative_half_width();
  return reading;
}

}  // namespace podwright::probes
