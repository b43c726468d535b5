#pragma once
/// NVIDIA's collective library, opened by name with declarations of this project: a build needs no header of it.
/// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html
#include <cstddef>
#include <string>

#include "probes/vendor_library.h"

namespace podwright::probes {

/// The functions that are used. Codes, types and operations are enumerations of the library, passed as int.
struct Nccl : VendorLibrary {
  using Comm = void*;
  using Stream = void*;  ///< cudaStream_t
  /// What ranks of several processes join by.
  struct UniqueId {
    char bytes[128];
  };
  /// ncclConfig_t as of 2.18, which every later version reads.
  struct Config {
    static constexpr int kUndefined = -2147483647 - 1;
    std::size_t size = sizeof(Config);
    unsigned magic = 0xcafebeef;
    unsigned version = 21800;
    int blocking = 0;  ///< calls return kInProgress, and async_error() tells how it goes on
    int cga_cluster_size = kUndefined;
    int least_blocks = kUndefined;
    int most_blocks = kUndefined;
    const char* net_name = nullptr;
    int split_share = kUndefined;
  };
  static constexpr int kNoColor = -1;
  static constexpr int kSuccess = 0;
  static constexpr int kInProgress = 7;
  static constexpr int kInt8 = 0;
  static constexpr int kBfloat16 = 9;
  static constexpr int kSum = 0;

  static const Nccl& instance() {
    static const Nccl found;
    return found;
  }
  std::string version_text() const {
    return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
           std::to_string(version % 100);
  }
  int version = 0;  ///< 22803 of 2.28.3

  int (*get_version)(int*) = needed("ncclGetVersion");
  const char* (*error_string)(int) = needed("ncclGetErrorString");
  const char* (*last_error)(Comm) = optional("ncclGetLastError");
  int (*init_all)(Comm*, int, const int*) = needed("ncclCommInitAll");
  int (*get_unique_id)(UniqueId*) = needed("ncclGetUniqueId");
  int (*init_rank)(Comm*, int, UniqueId, int, Config*) = needed("ncclCommInitRankConfig");
  int (*split)(Comm, int, int, Comm*, Config*) = needed("ncclCommSplit");
  int (*finalize)(Comm) = needed("ncclCommFinalize");
  int (*destroy)(Comm) = needed("ncclCommDestroy");
  int (*abort)(Comm) = needed("ncclCommAbort");
  int (*async_error)(Comm, int*) = needed("ncclCommGetAsyncError");
  int (*group_start)() = needed("ncclGroupStart");
  int (*group_end)() = needed("ncclGroupEnd");
  int (*all_reduce)(const void*, void*, std::size_t, int, int, Comm, Stream) = needed("ncclAllReduce");
  int (*all_gather)(const void*, void*, std::size_t, int, Comm, Stream) = needed("ncclAllGather");
  int (*reduce_scatter)(const void*, void*, std::size_t, int, int, Comm, Stream) = needed("ncclReduceScatter");
  int (*all_to_all)(const void*, void*, std::size_t, int, Comm, Stream) = optional("ncclAlltoAll");  ///< 2.28
  int (*broadcast)(const void*, void*, std::size_t, int, int, Comm, Stream) = needed("ncclBroadcast");
  int (*send)(const void*, std::size_t, int, int, Comm, Stream) = needed("ncclSend");
  int (*receive)(void*, std::size_t, int, int, Comm, Stream) = needed("ncclRecv");
  // Buffers that the library knows before; absent before 2.19.
  int (*register_buffer)(Comm, void*, std::size_t, void**) = optional("ncclCommRegister");
  int (*deregister_buffer)(Comm, void*) = optional("ncclCommDeregister");
  int (*allocate)(void**, std::size_t) = optional("ncclMemAlloc");
  int (*free)(void*) = optional("ncclMemFree");

 private:
  Nccl() : VendorLibrary("libnccl", {"libnccl.so.2", "libnccl.so"}) {
    constexpr int kOldest = 21800;  // 2.18: the first that splits communicators
    if (there() && get_version(&version) != kSuccess) missing = "libnccl gives no version";
    if (there() && version < kOldest)
      missing = "libnccl " + version_text() + " is older than 2.18, which these probes need";
  }
};

}  // namespace podwright::probes
