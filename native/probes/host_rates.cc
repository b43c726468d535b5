#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "measure/sample_summary.h"
#include "probes/catalogue.h"
#include "probes/cpu/thread_pool.h"
#include "probes/elapsed.h"
#include "probes/host.h"
#include "probes/worker_process.h"

namespace podwright::probes {
namespace {

constexpr std::size_t kReadBlock = std::size_t{16} << 20;
constexpr double kReadSample = 64.0 * 1024 * 1024;
constexpr double kMostRead = 4.0 * 1024 * 1024 * 1024;
constexpr double kMostReadSeconds = 20;

/// A descriptor, -1 where the file cannot be read for its rate.
int open_for_rate(const std::string& path, FileReading& reading) {
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECT);
  if (file < 0 && errno == EINVAL) {
    reading.direct = false;
    file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) {
    reading.unreadable = std::strerror(errno);
  } else if (!S_ISREG(about.st_mode) && !S_ISBLK(about.st_mode)) {
    reading.unreadable = "it is neither a file nor a block device";
    close(file);
    file = -1;
  }
  return file;
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
  const int file = open_for_rate(path, reading);
  if (file < 0) return reading;
  // Blocks so large that the system splits them into many requests, which a drive works on at once.
  const std::unique_ptr<void, decltype(&std::free)> block(std::aligned_alloc(4096, kReadBlock), std::free);
  // What an earlier reader left in the cache would be measured instead of the drive.
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  std::vector<double> seconds_per_byte;
  double sample = 0;
  const Clock::time_point start = Clock::now();
  Clock::time_point sample_start = start;
  bool more = true;
  while (more) {
    const ssize_t got = read(file, block.get(), kReadBlock);
    if (got < 0 && errno == EINTR) continue;
    // Some file systems open a file past their cache and then refuse to read it so.
    if (got < 0 && errno == EINVAL && std::exchange(reading.direct, false) && fcntl(file, F_SETFL, 0) == 0) continue;
    if (got < 0) reading.broken = std::strerror(errno);
    if (got > 0) reading.bytes += static_cast<double>(got), sample += static_cast<double>(got);
    more = got > 0 && reading.bytes < kMostRead && seconds_since(start) < kMostReadSeconds;
    if (sample < kReadSample && (more || sample <= 0 || !seconds_per_byte.empty())) continue;
    seconds_per_byte.push_back(seconds_since(sample_start) / sample);
    sample = 0;
    sample_start = Clock::now();
  }
  close(file);
  if (seconds_per_byte.empty()) return reading;
  const SampleSummary summary = summary_of(seconds_per_byte);
  reading.bytes_per_s = 1 / summary.median;
  reading.relative_spread = summary.relative_half_width();
  return reading;
}

}  // namespace podwright::probes
