/// The processors of this machine behind the table of a backend.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include "probes/backends.h"
#include "probes/cpu/operation.h"
#include "probes/elapsed.h"
#include "probes/host.h"

namespace podwright::probes {
namespace {

using cpu::Operation;

struct Session {
  std::unique_ptr<ThreadPool> pool = std::make_unique<ThreadPool>(usable_processors());
  std::unique_ptr<Operation> operation;
};

Session& session_of(void* session) { return *static_cast<Session*>(session); }

/// The clock that is not slewed, as the second opinion.
double raw_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double of_sysconf(int name) {
  const long value = sysconf(name);
  return value > 0 ? static_cast<double>(value) : 0;
}

double memory_bytes() { return of_sysconf(_SC_PHYS_PAGES) * of_sysconf(_SC_PAGESIZE); }

/// Memory that this process may fill: the machine's, or the limit of its control group.
double memory_limit() {
  double limit = memory_bytes();
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    if (double bytes = 0; file >> bytes && bytes > 0) limit = std::min(limit, bytes);
  }
  return limit;
}

cpu::Reach reach() {
  cpu::Reach reach;
  reach.last_cache_bytes = static_cast<std::uint64_t>(
      std::max({of_sysconf(_SC_LEVEL2_CACHE_SIZE), of_sysconf(_SC_LEVEL3_CACHE_SIZE), 8.0 * 1024 * 1024}));
  // A machine part often reports the whole package's cache; beyond a quarter of a gibibyte copies cost more time to
  // fill than they make the result better.
  reach.most_bytes = static_cast<std::uint64_t>(std::min(256.0 * 1024 * 1024, memory_bytes() / 16));
  // Streams share one arena, which is filled once.
  reach.arena_bytes =
      static_cast<std::uint64_t>(std::min(4.0 * static_cast<double>(reach.last_cache_bytes), memory_limit() / 4));
  return reach;
}

bool begins(const std::string& text, const char* with) { return text.rfind(with, 0) == 0; }

std::unique_ptr<Operation> make(const PwCase& one, ThreadPool& pool) {
  const std::string probe = one.probe;
  for (const char* streams : {"cpu.stream.", "cpu.threads."})
    if (begins(probe, streams)) return cpu::make_stream(one, one.probe + std::strlen(streams), pool, reach());
  cpu::drop_stream_arena();
  if (begins(probe, "cpu.gemm.")) return cpu::make_product(one, pool, reach());
  if (probe == "cpu.lat") return cpu::make_chase(one, pool);
  if (probe == "cpu.launch") return cpu::make_fork_join(one, pool);
  if (probe == "cpu.copy") return cpu::make_copy(one, pool);
  return nullptr;
}

int count(int* devices, PwFault*) {
  *devices = 1;
  return PW_OK;
}

int open(int device, void** session, PwFault* fault) {
  if (device != 0) {
    set_fault(*fault, "no_device", "the processors of a machine are one device, number 0");
    return PW_FAULT;
  }
  *session = new Session;
  return PW_OK;
}

std::string cpu_model() {
  const std::string model = host_facts().cpu_model;
  return model.empty() ? environment_facts().cpu_architecture : model;
}

void inventory(void*, PwFact take, void* sink) {
  take(sink, "name", cpu_model().c_str(), 0);
  take(sink, "logical_cores", nullptr, usable_processors());
  take(sink, "memory_bytes", nullptr, memory_bytes());
  take(sink, "l2_bytes", nullptr, static_cast<double>(reach().last_cache_bytes));
}

int supported(void*, const PwCase* one, PwFault* fault) {
  return begins(one->probe, "cpu.gemm.") ? cpu::product_supported(one->dtype, *fault) : PW_OK;
}

int prepare(void* session, const PwCase* one, PwPrepared* prepared, PwFault* fault) {
  Session& self = session_of(session);
  self.operation.reset();
  *prepared = {};
  const int threads = one->threads > 0 ? one->threads : usable_processors();
  if (self.pool->threads() != threads) self.pool = std::make_unique<ThreadPool>(threads);
  try {
    self.operation = make(*one, *self.pool);
  } catch (const std::bad_alloc&) {
    set_fault(*fault, "oom", "memory for the operands was refused");
    return PW_SKIP;
  }
  if (!self.operation) {
    set_fault(*fault, "not_supported", std::string("the CPU backend has no ") + one->probe);
    return PW_SKIP;
  }
  std::strncpy(prepared->algorithm, self.operation->algorithm.c_str(), sizeof prepared->algorithm - 1);
  return PW_OK;
}

int batch(void* session, std::int64_t count, PwBatch* batch, PwFault*) {
  Session& self = session_of(session);
  *batch = {};
  const double raw = raw_seconds();
  const auto start = std::chrono::steady_clock::now();
  self.operation->run(count);
  batch->seconds = seconds_since(start);
  batch->wall_seconds = std::max(batch->seconds, raw_seconds() - raw);
  return PW_OK;
}

int verify(void* session, PwCheck* check, PwFault*) {
  *check = session_of(session).operation->verify();
  return PW_OK;
}

/// Temperature and clock are the system's business and often hidden from a virtual machine: taken where they are given.
void telemetry(void*, PwTelemetry* telemetry) {
  *telemetry = {};
  double value = 0;
  if (std::ifstream clock("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq"); clock >> value)
    telemetry->clock_hz = 1000 * value;
  if (std::ifstream heat("/sys/class/thermal/thermal_zone0/temp"); heat >> value)
    telemetry->temperature_c = value / 1000;
}

int release(void* session, PwFault*) {
  session_of(session).operation.reset();
  return PW_OK;
}

void close(void* session) { delete static_cast<Session*>(session); }

}  // namespace

const PwBackend* cpu_backend() {
  static const PwBackend table = {
      .name = "cpu",
      .count = count,
      .open = open,
      .inventory = inventory,
      .supported = supported,
      .prepare = prepare,
      .batch = batch,
      .verify = verify,
      .telemetry = telemetry,
      .release = release,
      .close = close,
  };
  return &table;
}

}  // namespace podwright::probes
