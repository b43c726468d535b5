#include "probes/cuda/nccl.h"

#include <dlfcn.h>

#include <type_traits>

#include "probes/cuda/vendor_library.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kOldest = 21800;  // 2.18: the first whose communicators can be aborted while others go on

Nccl open_library() {
  Nccl one;
  void* const library = open_vendor_library({"libnccl.so.2", "libnccl.so"});
  if (library == nullptr) return one;
  one.missing.clear();
  const auto get = [&](auto& function, const char* name, bool needed = true) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (needed && function == nullptr && one.missing.empty()) one.missing = std::string("libnccl has no ") + name;
  };
  get(one.get_version, "ncclGetVersion");
  get(one.error_string, "ncclGetErrorString");
  get(one.last_error, "ncclGetLastError", false);
  get(one.init_all, "ncclCommInitAll");
  get(one.get_unique_id, "ncclGetUniqueId");
  get(one.init_rank, "ncclCommInitRank");
  get(one.destroy, "ncclCommDestroy");
  get(one.abort, "ncclCommAbort");
  get(one.async_error, "ncclCommGetAsyncError");
  get(one.group_start, "ncclGroupStart");
  get(one.group_end, "ncclGroupEnd");
  get(one.all_reduce, "ncclAllReduce");
  get(one.all_gather, "ncclAllGather");
  get(one.reduce_scatter, "ncclReduceScatter");
  get(one.all_to_all, "ncclAlltoAll", false);
  get(one.broadcast, "ncclBroadcast");
  get(one.send, "ncclSend");
  get(one.receive, "ncclRecv");
  get(one.register_buffer, "ncclCommRegister", false);
  get(one.deregister_buffer, "ncclCommDeregister", false);
  get(one.allocate, "ncclMemAlloc", false);
  get(one.free, "ncclMemFree", false);
  if (one.there() && one.get_version(&one.version) != Nccl::kSuccess) one.missing = "libnccl tells no version";
  if (one.there() && one.version < kOldest)
    one.missing = "libnccl " + one.version_text() + " is older than 2.18, which these probes need";
  return one;
}

}  // namespace

std::string Nccl::version_text() const {
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

const Nccl& Nccl::instance() {
  static const Nccl found = open_library();
  return found;
}

}  // namespace podwright::probes::cuda
