#pragma once
/// The boundary between the runner and what it measures with: one table of functions for each backend.
///
/// A backend knows how to run one operation of a probe and to check its result; sizes, FLOPs, bytes, statistics and
/// verdicts belong to the runner and to core/measure, which are the same for all backends. No exception and no memory
/// ownership crosses: texts live in the structures, what a backend allocates it frees.
#include <cstdint>
#include <optional>

namespace podwright::probes {
class NcclGroup;
}

/* One operation at one size. A field that the operation has no use for is 0 or "". */
struct PwCase {
  const char* probe;      /* id without the prefix of the backend: "stream.triad", "gemm", "decode.attn" */
  const char* dtype;      /* fp32, tf32, fp16, bf16, fp8, mxfp8, nvfp4, fp64 */
  const char* variant;    /* "zeros", "graph", "stream", "write" ...: another way to do the same */
  std::int64_t bytes;     /* of one operand, message or working set */
  std::int64_t m, n, k;   /* matrix sizes; attention: m heads, n heads of keys and values, k head dimension */
  std::int64_t hidden;    /* size of a layer; k is then its feed-forward size and n its heads of keys and values */
  std::int64_t batch;     /* sequences, or kernels of a launch probe */
  std::int64_t context;   /* tokens of one sequence */
  std::int64_t page;      /* tokens of one page of keys and values */
  std::int64_t row_bytes; /* of one row that is gathered */
  std::int64_t experts;   /* of a layer with experts; batch is then their number in one token */
  std::int32_t peer;      /* the other device, -1 none */
  std::int32_t ranks;     /* devices of a collective, 0 none */
  const std::int32_t*
      members;          /* numbers of the devices, in a group of processes its ranks; in the order of the ranks */
  std::int32_t threads; /* of a CPU, 0 all */
  std::uint64_t seed;   /* of the data */
};

/* Why something cannot be: a reason code of docs/operator.md ("oom", "hang", "no_driver") and one sentence. */
struct PwFault {
  char reason[32];
  char detail[224];
};

/* Sticky: the device can measure no more. Renew: the device is well, and the next case needs a fresh process. */
enum { PW_OK = 0, PW_SKIP = 1, PW_FAULT = 2, PW_STICKY = 3, PW_RENEW = 4 };

struct PwPrepared {
  std::uint64_t operand_bytes; /* of one operand where the operation chose its size itself, else 0 */
  char algorithm[64];          /* library and choice, "own" for a kernel of this project */
  double heuristic_first_s;    /* time of the library's first choice, 0 when not asked */
};

struct PwBatch {
  double seconds;      /* of all operations by the device's clock */
  double wall_seconds; /* the same by the host's clock */
  double clock_hz;     /* of the device inside the batch, 0 unknown */
  double entry_wait_s; /* of this rank in the barrier before collectives between processes, by the device's clock */
};

enum { PW_CHECK_PASS = 0, PW_CHECK_FAIL = 1, PW_CHECK_NONE = 2 };

struct PwCheck {
  std::int32_t status;
  double worst;     /* largest error found, in the unit of the result */
  double tolerance; /* largest error that passes */
  std::uint64_t nan_count;
  std::uint64_t checked; /* values looked at */
  char note[96];
};

/* What the device says of itself, as far as it does. */
struct PwTelemetry {
  std::optional<double> clock_hz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::optional<std::uint64_t> reasons;       /* bits of NVML: 4 power cap, 8 slowdown, 32 and 64 thermal, 128 brake */
  std::optional<double> energy_j;             /* that the device took since some moment in the past */
  std::optional<double> memory_temperature_c; /* of the memory's hottest place */
  std::optional<double> pcie_generation;      /* as the link runs now: at rest it goes down to save power */
  std::optional<double> pcie_width;
};

/* Takes one fact of the inventory: a text, or a number when `text` is null. */
using PwFact = void (*)(void* sink, const char* key, const char* text, double number);

struct PwBackend {
  const char* name; /* cpu, cuda, fake */

  /* Number of devices; PW_FAULT with a reason when the backend cannot run here. */
  int (*count)(int* devices, PwFault* fault);
  /* Who else uses a device, asked before it is opened, because a session would count itself: other_processes and
   * idle_utilization, those that can be told. Null where the backend has none. */
  void (*neighbours)(int device, PwFact take, void* sink);
  int (*open)(int device, void** session, PwFault* fault);
  void (*inventory)(void* session, PwFact take, void* sink);
  /* PW_OK, or PW_SKIP with the reason. */
  int (*supported)(void* session, const PwCase* one, PwFault* fault);
  /* Allocates, fills and plans; one prepared case at a time. */
  int (*prepare)(void* session, const PwCase* one, PwPrepared* prepared, PwFault* fault);
  /* Runs `count` operations. */
  int (*batch)(void* session, std::int64_t count, PwBatch* batch, PwFault* fault);
  int (*verify)(void* session, PwCheck* check, PwFault* fault);
  /* May be called from another thread while a batch runs. */
  void (*telemetry)(void* session, PwTelemetry* telemetry);
  /* Counters of errors, each a number under its name (ecc_uncorrectable ...), and the events since the last call, each
   * a text under its name (xid:79). Null where the backend has none. */
  void (*health)(void* session, PwFact take, void* sink);
  /* PW_FAULT when memory does not come back. */
  int (*release)(void* session, PwFault* fault);
  void (*close)(void* session);

  /* By which this process and its open device take part in collectives of several processes; null with the fault where
   * that cannot be. A case then names ranks of the group that this has joined as its members; ranks that it does not
   * name are not asked. `batch` lets its members pass a barrier first, and tells how long this rank waited there. Null
   * where the backend has none. */
  podwright::probes::NcclGroup* (*group)(void* session, PwFault* fault);
};
