/// GPUs behind the table of a backend. It answers also where there is no driver.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "probes/cuda/cudnn.h"
#include "probes/cuda/nvml.h"
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"
#include "probes/cuda/team.h"
#include "probes/elapsed.h"
#include "probes/nccl.h"

namespace podwright::probes::cuda {
namespace {

// A queue holds about a thousand launches; more would block behind the closed gate.
constexpr std::int64_t kGatedLaunches = 256;
constexpr std::int64_t kGraphLaunches = 64;
constexpr std::int64_t kMostGraphLaunches = 4096;

struct Session {
  OpenDevice device;
  Nvml::Device nvml = nullptr;
  std::string pci_bus_id;
  double context_bytes = 0;
  Event start, stop;
  HostMemory shared;  ///< that the device sees, for these three
  int* gate_open = nullptr;
  int* timed_out = nullptr;
  double* clock_hz = nullptr;
  std::unique_ptr<Operation> operation;
  Graph graph;
  std::int64_t next = 0;
  Stream group_stream;
  Memory group_memory;
  std::unique_ptr<NcclGroup> group;
};

Session& session_of(void* session) { return *static_cast<Session*>(session); }

int count(int* devices, PwFault* fault) {
  *devices = 0;  // the runtime leaves it as it was when there is no driver
  Checked checked(*fault);
  checked(cudaGetDeviceCount(devices), "cudaGetDeviceCount");
  return checked.good() ? PW_OK : PW_FAULT;
}

std::string bus_id(const cudaDeviceProp& properties) {
  char text[32];
  std::snprintf(text, sizeof text, "%08x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID),
                static_cast<unsigned>(properties.pciBusID), static_cast<unsigned>(properties.pciDeviceID));
  return text;
}

bool open_device(int device, Session& self, Checked& checked) {
  cudaDeviceProp properties{};
  if (!checked(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties")) return false;
  self.pci_bus_id = bus_id(properties);
  self.nvml = Nvml::instance().find(self.pci_bus_id);
  Nvml::instance().watch(self.nvml);
  const auto used_before = Nvml::instance().memory_used_bytes(self.nvml);
  if (!checked(cudaSetDevice(device), "cudaSetDevice") || !checked(cudaFree(nullptr), "first context")) return false;
  const auto used_after = Nvml::instance().memory_used_bytes(self.nvml);
  if (used_before && used_after && *used_after > *used_before) self.context_bytes = *used_after - *used_before;
  if (!self.device.open(device, checked) || !self.start.create(true, checked) || !self.stop.create(true, checked) ||
      !self.shared.allocate(4096, true, checked))
    return false;
  self.gate_open = self.shared.as<int>();
  self.timed_out = self.gate_open + 64;
  self.clock_hz = reinterpret_cast<double*>(self.gate_open + 128);
  // Fails at once with 209 where no code was built for this capability. Kernels are loaded when they first run, and
  // loading one behind a closed gate would wait for the gate: all of them run once before.
  const cudaStream_t stream = self.device.stream;
  nothing(stream);
  *self.gate_open = 1;
  gate(self.gate_open, self.timed_out, 0, stream);
  clock_rate(self.clock_hz, stream);
  return checked(cudaGetLastError(), "first kernel") && checked(cudaStreamSynchronize(stream), "first kernel");
}

/// Of a slice the driver gives the processes of the whole device, so nothing is given.
void neighbours(int device, PwFact take, void* sink) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return;
  Nvml& nvml = Nvml::instance();
  const Nvml::Device here = nvml.find(bus_id(properties));
  if (nvml.in_slices(here)) return;
  if (const auto processes = nvml.processes(here)) take(sink, "other_processes", nullptr, *processes);
  if (const auto busy = nvml.utilization(here)) take(sink, "idle_utilization", nullptr, *busy);
}

int open(int device, void** session, PwFault* fault) {
  auto made = std::make_unique<Session>();
  Checked checked(*fault);
  if (!open_device(device, *made, checked)) return PW_FAULT;
  *session = made.release();
  return PW_OK;
}

std::string version_text(int version) {
  return version <= 0 ? "" : std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void inventory(void* session, PwFact take, void* sink) {
  Session& self = session_of(session);
  Nvml& nvml = Nvml::instance();
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, self.device.facts.number) != cudaSuccess) return;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  cudaMemGetInfo(&free_bytes, &total_bytes);
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  const auto text = [&](const char* key, const std::string& value) {
    if (!value.empty()) take(sink, key, value.c_str(), 0);
  };
  const auto number = [&](const char* key, double value) { take(sink, key, nullptr, value); };
  text("name", properties.name);
  text("pci_bus_id", self.pci_bus_id);
  text("compute_capability", std::to_string(properties.major) + "." + std::to_string(properties.minor));
  number("compute_capability_number", properties.major + 0.1 * properties.minor);
  number("sm_count", properties.multiProcessorCount);
  number("l2_bytes", properties.l2CacheSize);
  number("memory_bus_bits", properties.memoryBusWidth);
  number("memory_total_bytes", static_cast<double>(total_bytes));
  number("memory_free_bytes", static_cast<double>(free_bytes));
  if (self.context_bytes > 0) number("context_bytes", self.context_bytes);
  // Boards without ECC tell the same 0 as those where it is off; NVML tells them apart.
  if (properties.ECCEnabled != 0) number("ecc", 1);
  text("cuda_driver", version_text(driver));
  text("cuda_runtime", version_text(runtime));
  if (const CublasLt& lt = CublasLt::instance(); lt.there()) text("cublaslt", std::to_string(lt.get_version()));
  if (Cudnn::instance().there()) text("cudnn", std::to_string(Cudnn::instance().version));
  if (Nccl::instance().there()) text("nccl", Nccl::instance().version_text());
  if (nvml.in_slices(self.nvml)) text("mig_slice", properties.name);
  // Two transfers in a cycle.
  if (const auto hertz = nvml.memory_clock_hz(self.nvml))
    number("driver_bytes_per_s", 2 * *hertz * properties.memoryBusWidth / 8);
  nvml.facts(self.nvml, take, sink);
  const PwTelemetry now = nvml.telemetry(self.nvml);
  if (now.temperature_c) number("temperature_c", *now.temperature_c);
  if (now.power_w) number("idle_power_w", *now.power_w);
  if (now.reasons) number("clocks_locked", (*now.reasons & 2U) != 0 ? 1 : 0);
}

int supported(void* session, const PwCase* one, PwFault* fault) {
  return possible(*one, session_of(session).device.facts.capability, *fault) ? PW_OK : PW_SKIP;
}

void drop_operation(Session& self) {
  self.graph.reset();
  self.operation.reset();
  self.next = 0;
}

int prepare(void* session, const PwCase* one, PwPrepared* prepared, PwFault* fault) {
  Session& self = session_of(session);
  drop_operation(self);
  Checked checked(*fault);
  self.operation = make_operation(one->probe);
  Operation& operation = *self.operation;
  // The first of them loads the kernels, see open_device().
  bool ready = operation.prepare(*one, self.device.facts, checked);
  if (ready && !operation.times_itself)
    ready = operation.enqueue(0, self.device.stream, checked) &&
            checked(cudaStreamSynchronize(self.device.stream), "first operation");
  if (!ready) {
    drop_operation(self);
    return checked.good() ? PW_FAULT : checked.code();
  }
  *prepared = {};
  prepared->operand_bytes = operation.operand_bytes;
  prepared->heuristic_first_s = operation.first_proposal_s;
  std::strncpy(prepared->algorithm, operation.algorithm.c_str(), sizeof prepared->algorithm - 1);
  return PW_OK;
}

/// Operations of one graph, captured once: all copies of the operands, since the next graph begins with the first.
std::int64_t operations_of_graph(const Session& self) {
  const Operation& operation = *self.operation;
  return std::max<std::int64_t>(1, std::min(std::max(kGraphLaunches / operation.launches(), operation.copies),
                                            kMostGraphLaunches / operation.launches()));
}

bool capture(Session& self, Checked& checked) {
  const cudaStream_t stream = self.device.stream;
  return self.graph.capture(stream, checked, [&] {
    for (std::int64_t i = 0; i < operations_of_graph(self) && checked.good(); ++i)
      self.operation->enqueue(i, stream, checked);
  }) && checked(cudaStreamSynchronize(stream), "cudaGraphUpload");
}

/// Everything is in the queue before the gate opens, so that only the device's time is between the events.
void run_gated(Session& self, std::int64_t operations, std::int64_t& done, PwBatch& batch, Checked& checked) {
  const cudaStream_t stream = self.device.stream;
  volatile int* open = self.gate_open;
  *open = 0;
  *self.timed_out = 0;
  gate(open, self.timed_out, kGatePatience, stream);
  self.start.record(stream, checked);
  const bool graphs = self.operation->launches() > 1 || operations > kGatedLaunches;
  done = operations;
  if (graphs && !self.graph.there()) {
    *open = 1;  // nothing may wait while a graph is built
    checked(cudaStreamSynchronize(stream), "gate");
    if (!capture(self, checked)) return;
    return run_gated(self, operations, done, batch, checked);
  }
  if (graphs) {
    const std::int64_t each = operations_of_graph(self);
    const std::int64_t launches = (operations + each - 1) / each;
    done = launches * each;
    for (std::int64_t i = 0; i < launches && checked.good(); ++i) self.graph.launch(stream, checked);
  } else {
    for (std::int64_t i = 0; i < operations && checked.good(); ++i)
      self.operation->enqueue(self.next++, stream, checked);
  }
  self.stop.record(stream, checked);
  const auto opened = Clock::now();
  *open = 1;
  checked(cudaEventSynchronize(self.stop), "batch");
  batch.wall_seconds = seconds_since(opened);
  batch.seconds = self.stop.seconds_since(self.start, checked);
}

int batch(void* session, std::int64_t count, PwBatch* batch, PwFault* fault) {
  Session& self = session_of(session);
  Checked checked(*fault);
  *batch = {};
  if (self.operation->times_itself) {
    const auto start = Clock::now();
    self.operation->time(count, *batch, checked);
    // Operations that keep the host's time of starting things apart tell the rest themselves.
    if (batch->wall_seconds <= 0) batch->wall_seconds = std::max(batch->seconds, seconds_since(start));
    return checked.code();
  }
  std::int64_t done = count;
  run_gated(self, count, done, *batch, checked);
  // A kernel that was loaded behind the gate waited for it; the second time it is there.
  if (checked.good() && *self.timed_out != 0) run_gated(self, count, done, *batch, checked);
  if (*self.timed_out != 0) checked.fail(PW_FAULT, "hang", "the gate did not open within 2 s, twice");
  if (!checked.good()) return checked.code();
  // Whole graphs may be more than was asked for.
  const double share = static_cast<double>(count) / static_cast<double>(done);
  batch->seconds *= share;
  batch->wall_seconds = std::max(batch->wall_seconds * share, batch->seconds);
  clock_rate(self.clock_hz, self.device.stream);
  if (checked(cudaStreamSynchronize(self.device.stream), "clock")) batch->clock_hz = *self.clock_hz;
  return checked.code();
}

int verify(void* session, PwCheck* check, PwFault* fault) {
  Checked checked(*fault);
  *check = session_of(session).operation->verify(checked);
  return checked.code();
}

void telemetry(void* session, PwTelemetry* telemetry) {
  *telemetry = Nvml::instance().telemetry(session_of(session).nvml);
}

void health(void* session, PwFact take, void* sink) {
  Nvml::instance().counters(session_of(session).nvml, take, sink);
  Nvml::instance().events(take, sink);
}

int release(void* session, PwFault* fault) {
  drop_operation(session_of(session));
  Checked checked(*fault);
  checked(cudaDeviceSynchronize(), "release");
  return checked.code();
}

/// With memory and a stream of its own, beside those of the probes.
NcclGroup* group(void* session, PwFault* fault) {
  Session& self = session_of(session);
  if (self.group != nullptr) return self.group.get();
  Checked checked(*fault);
  if (!self.group_stream.create(checked)) return nullptr;
  GroupDevice device;
  device.stream = self.group_stream;
  device.allocate = [&self](std::size_t bytes) -> void* {
    PwFault refused{};
    Checked trial(refused);
    return self.group_memory.allocate(bytes, trial) ? self.group_memory.as<void>() : nullptr;
  };
  device.copy = [&self](void* to, const void* from, std::size_t bytes) {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, self.group_stream) == cudaSuccess;
  };
  device.state = [&self] {
    const cudaError_t state = cudaStreamQuery(self.group_stream);
    return state == cudaSuccess         ? GroupDevice::State::idle
           : state == cudaErrorNotReady ? GroupDevice::State::busy
                                        : GroupDevice::State::failed;
  };
  self.group = std::make_unique<NcclGroup>(std::move(device));
  Team::work_in(self.group.get(), self.device.facts.number);
  return self.group.get();
}

void close(void* session) {
  Team::work_in(nullptr, 0);
  delete &session_of(session);
}

const PwBackend kTable = {
    .name = "cuda",
    .count = count,
    .neighbours = neighbours,
    .open = open,
    .inventory = inventory,
    .supported = supported,
    .prepare = prepare,
    .batch = batch,
    .verify = verify,
    .telemetry = telemetry,
    .health = health,
    .release = release,
    .close = close,
    .group = group,
};

}  // namespace

const PwBackend* backend() { return &kTable; }

}  // namespace podwright::probes::cuda
