/// GPUs behind the table of a backend. It answers also where there is no driver.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>

#include "probes/cuda/checked.h"
#include "probes/cuda/cudnn.h"
#include "probes/cuda/nccl.h"
#include "probes/cuda/nvml.h"
#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"
#include "probes/cuda/team.h"

namespace podwright::probes::cuda {
namespace {

// A queue holds about a thousand launches; more would block behind the closed gate.
constexpr std::int64_t kGatedLaunches = 256;
constexpr std::int64_t kGraphLaunches = 64;
constexpr std::int64_t kMostGraphLaunches = 4096;

struct Session {
  DeviceFacts device;
  Nvml::Device nvml = nullptr;
  std::string pci_bus_id;
  double context_bytes = 0;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  int* gate_open = nullptr;  ///< host memory that the device sees
  int* timed_out = nullptr;
  double* clock_hz = nullptr;
  std::unique_ptr<Operation> operation;
  cudaGraphExec_t graph = nullptr;
  std::int64_t next = 0;
  std::size_t free_before = 0;
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

DeviceFacts facts_of(int device, const cudaDeviceProp& properties) {
  DeviceFacts facts;
  facts.number = device;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.capability = 10 * properties.major + properties.minor;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts.workspace_bytes = (facts.capability >= 90 ? 32U : 4U) << 20U;
  return facts;
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
  self.device = facts_of(device, properties);
  checked(cudaStreamCreateWithFlags(&self.device.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  checked(cudaEventCreate(&self.start), "cudaEventCreate");
  checked(cudaEventCreate(&self.stop), "cudaEventCreate");
  checked(cudaHostAlloc(reinterpret_cast<void**>(&self.gate_open), 4096, cudaHostAllocMapped), "cudaHostAlloc");
  if (!checked.good()) return false;
  self.timed_out = self.gate_open + 64;
  self.clock_hz = reinterpret_cast<double*>(self.gate_open + 128);
  // Fails at once with 209 where no code was built for this capability. Kernels are loaded when they first run, and
  // loading one behind a closed gate would wait for the gate: all of them run once before.
  nothing(self.device.stream);
  *self.gate_open = 1;
  gate(self.gate_open, self.timed_out, 0, self.device.stream);
  clock_rate(self.clock_hz, self.device.stream);
  return checked(cudaGetLastError(), "first kernel") &&
         checked(cudaStreamSynchronize(self.device.stream), "first kernel");
}

/// Of a slice the driver tells the processes of the whole device, so nothing is told.
void neighbours(int device, PwFact take, void* sink) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return;
  Nvml& nvml = Nvml::instance();
  const Nvml::Device here = nvml.find(bus_id(properties));
  if (nvml.mig_on(here).value_or(0) > 0) return;
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
  if (cudaGetDeviceProperties(&properties, self.device.number) != cudaSuccess) return;
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
  const auto maybe = [&](const char* key, const std::optional<double>& value) {
    if (value) number(key, *value);
  };
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
  number("ecc", properties.ECCEnabled);
  text("cuda_driver", version_text(driver));
  text("cuda_runtime", version_text(runtime));
  if (CublasLt::instance().there()) text("cublaslt", std::to_string(CublasLt::instance().version));
  if (Cudnn::instance().there()) text("cudnn", std::to_string(Cudnn::instance().version));
  if (Nccl::instance().there()) text("nccl", Nccl::instance().version_text());
  text("driver", nvml.driver_version());
  text("vbios", nvml.vbios(self.nvml));
  text("virtualization", nvml.virtualization(self.nvml));
  if (nvml.mig_on(self.nvml).value_or(0) > 0) text("mig_slice", properties.name);
  maybe("power_limit_w", nvml.power_limit_w(self.nvml));
  maybe("power_limit_default_w", nvml.power_limit_default_w(self.nvml));
  maybe("sm_clock_max_hz", nvml.max_sm_clock_hz(self.nvml));
  if (const auto clock = nvml.max_memory_clock_hz(self.nvml)) {
    number("memory_clock_hz", *clock);
    // Two transfers in a cycle.
    number("driver_bytes_per_s", 2 * *clock * properties.memoryBusWidth / 8);
  }
  maybe("pcie_generation_max", nvml.pcie(self.nvml, "nvmlDeviceGetMaxPcieLinkGeneration"));
  maybe("pcie_width_max", nvml.pcie(self.nvml, "nvmlDeviceGetMaxPcieLinkWidth"));
  maybe("nvlinks", nvml.nvlinks(self.nvml));
  nvml.states(self.nvml, take, sink);
  const PwTelemetry now = nvml.telemetry(self.nvml);
  if ((now.have & PW_HAVE_TEMPERATURE) != 0) number("temperature_c", now.temperature_c);
  if ((now.have & PW_HAVE_POWER) != 0) number("idle_power_w", now.power_w);
  if ((now.have & PW_HAVE_REASONS) != 0) number("clocks_locked", (now.reasons & 2U) != 0 ? 1 : 0);
}

int supported(void* session, const PwCase* one, PwFault* fault) {
  return possible(*one, session_of(session).device.capability, *fault) ? PW_OK : PW_SKIP;
}

void drop_operation(Session& self) {
  if (self.graph != nullptr) cudaGraphExecDestroy(self.graph);
  self.graph = nullptr;
  self.operation.reset();
  self.next = 0;
}

int prepare(void* session, const PwCase* one, PwPrepared* prepared, PwFault* fault) {
  Session& self = session_of(session);
  drop_operation(self);
  Checked checked(*fault);
  std::size_t total = 0;
  checked(cudaMemGetInfo(&self.free_before, &total), "cudaMemGetInfo");
  self.operation = make_operation(one->probe);
  if (!self.operation->prepare(*one, self.device, checked)) {
    drop_operation(self);
    return checked.good() ? PW_FAULT : checked.code();
  }
  // Loads the kernels, see open_device().
  if (!self.operation->times_itself()) {
    self.operation->enqueue(0, self.device.stream, checked);
    if (!checked(cudaStreamSynchronize(self.device.stream), "first operation")) {
      drop_operation(self);
      return checked.code();
    }
  }
  *prepared = {};
  prepared->footprint_bytes = self.operation->footprint_bytes;
  prepared->rotated_bytes = self.operation->rotated_bytes;
  prepared->operand_bytes = self.operation->operand_bytes;
  std::strncpy(prepared->algorithm, self.operation->algorithm.c_str(), sizeof prepared->algorithm - 1);
  prepared->heuristic_first_s = self.operation->first_proposal_s();
  return PW_OK;
}

/// Operations of one graph, captured once: all copies of the operands, since the next graph begins with the first.
std::int64_t operations_of_graph(const Session& self) {
  const Operation& operation = *self.operation;
  return std::max<std::int64_t>(1, std::min(std::max(kGraphLaunches / operation.launches(), operation.copies),
                                            kMostGraphLaunches / operation.launches()));
}

bool capture(Session& self, Checked& checked) {
  cudaGraph_t graph = nullptr;
  checked(cudaStreamBeginCapture(self.device.stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (std::int64_t i = 0; i < operations_of_graph(self) && checked.good(); ++i)
    self.operation->enqueue(i, self.device.stream, checked);
  // Ends the capture also after a failure inside it.
  const cudaError_t ended = cudaStreamEndCapture(self.device.stream, &graph);
  // Uploaded here: the first launch would do it behind the closed gate, in the time that is measured.
  if (checked(ended, "cudaStreamEndCapture") &&
      checked(cudaGraphInstantiate(&self.graph, graph, 0), "cudaGraphInstantiate") &&
      checked(cudaGraphUpload(self.graph, self.device.stream), "cudaGraphUpload"))
    checked(cudaStreamSynchronize(self.device.stream), "cudaGraphUpload");
  if (graph != nullptr) cudaGraphDestroy(graph);
  return checked.good();
}

/// Everything is in the queue before the gate opens, so that only the device's time is between the events.
void run_gated(Session& self, std::int64_t operations, std::int64_t& done, PwBatch& batch, Checked& checked) {
  const cudaStream_t stream = self.device.stream;
  volatile int* open = self.gate_open;
  *open = 0;
  *self.timed_out = 0;
  gate(open, self.timed_out, kGatePatience, stream);
  checked(cudaEventRecord(self.start, stream), "cudaEventRecord");
  const bool graphs = self.operation->launches() > 1 || operations > kGatedLaunches;
  done = operations;
  if (graphs && self.graph == nullptr) {
    *open = 1;  // nothing may wait while a graph is built
    checked(cudaStreamSynchronize(stream), "gate");
    if (!capture(self, checked)) return;
    return run_gated(self, operations, done, batch, checked);
  }
  if (graphs) {
    const std::int64_t each = operations_of_graph(self);
    const std::int64_t launches = (operations + each - 1) / each;
    done = launches * each;
    for (std::int64_t i = 0; i < launches && checked.good(); ++i)
      checked(cudaGraphLaunch(self.graph, stream), "cudaGraphLaunch");
  } else {
    for (std::int64_t i = 0; i < operations && checked.good(); ++i)
      self.operation->enqueue(self.next++, stream, checked);
  }
  checked(cudaEventRecord(self.stop, stream), "cudaEventRecord");
  const auto opened = std::chrono::steady_clock::now();
  *open = 1;
  checked(cudaEventSynchronize(self.stop), "batch");
  batch.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - opened).count();
  float milliseconds = 0;
  if (checked(cudaEventElapsedTime(&milliseconds, self.start, self.stop), "cudaEventElapsedTime"))
    batch.seconds = 1e-3 * static_cast<double>(milliseconds);
}

int batch(void* session, std::int64_t count, PwBatch* batch, PwFault* fault) {
  Session& self = session_of(session);
  Checked checked(*fault);
  *batch = {};
  if (self.operation->times_itself()) {
    const auto start = std::chrono::steady_clock::now();
    self.operation->time(count, *batch, checked);
    const double around = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // Operations that keep the host's time of starting things apart tell the rest themselves.
    if (batch->wall_seconds <= 0) batch->wall_seconds = std::max(batch->seconds, around);
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
  *check = {};
  check->status = PW_CHECK_NONE;
  session_of(session).operation->verify(*check, checked);
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
  Session& self = session_of(session);
  drop_operation(self);
  Checked checked(*fault);
  std::size_t now = 0;
  std::size_t total = 0;
  if (!checked(cudaMemGetInfo(&now, &total), "cudaMemGetInfo")) return checked.code();
  // Libraries keep some tens of MiB for themselves.
  if (now + (512U << 20U) < self.free_before)
    checked.fail(PW_FAULT, "oom", std::to_string((self.free_before - now) >> 20U) + " MiB did not come back");
  return checked.code();
}

int group_id(char id[128], PwFault* fault) {
  Checked checked(*fault);
  const Nccl& nccl = Nccl::instance();
  Nccl::UniqueId made{};
  if (!nccl.there()) {
    set_fault(*fault, "library_missing", nccl.missing);
    return PW_FAULT;
  }
  const int code = nccl.get_unique_id(&made);
  if (code != Nccl::kSuccess)
    checked.fail(PW_FAULT, ("nccl:" + std::to_string(code)).c_str(),
                 std::string("ncclGetUniqueId: ") + nccl.error_string(code));
  std::memcpy(id, made.bytes, sizeof made.bytes);
  return checked.code();
}

int group_join(void* session, const char id[128], int rank, int ranks, PwFault* fault) {
  Checked checked(*fault);
  if (!Nccl::instance().there()) {
    set_fault(*fault, "library_missing", Nccl::instance().missing);
    return PW_FAULT;
  }
  Nccl::UniqueId joined{};
  std::memcpy(joined.bytes, id, sizeof joined.bytes);
  Team::join(joined, rank, ranks, session_of(session).device.number, checked);
  return checked.code();
}

void group_leave(void* session) {
  drop_operation(session_of(session));
  Team::leave();
}

void close(void* session) {
  Session* self = static_cast<Session*>(session);
  drop_operation(*self);
  delete self;
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
    .group_id = group_id,
    .group_join = group_join,
    .group_leave = group_leave,
};

}  // namespace

bool describe_device(int device, DeviceFacts& facts, Checked& checked) {
  cudaDeviceProp properties{};
  if (!checked(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties")) return false;
  facts = facts_of(device, properties);
  return true;
}

const PwBackend* backend() { return &kTable; }

}  // namespace podwright::probes::cuda
