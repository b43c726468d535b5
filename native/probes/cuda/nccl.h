#pragma once
/// NVIDIA's collective library, opened by name with declarations of this project: a build needs no header of it.
/// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/api.html
#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

namespace podwright::probes::cuda {

/// The functions that are used. Codes, types and operations are enumerations of the library, passed as int.
struct Nccl {
  using Comm = void*;
  /// What ranks of several processes join by.
  struct UniqueId {
    char bytes[128];
  };
  static constexpr int kSuccess = 0;
  static constexpr int kInProgress = 7;
  static constexpr int kBfloat16 = 9;
  static constexpr int kSum = 0;

  static const Nccl& instance();
  bool there() const { return missing.empty(); }

  std::string missing = "libnccl was not found";  ///< why it cannot be used; empty where it can
  int version = 0;                                ///< 22803 of 2.28.3
  std::string version_text() const;

  int (*get_version)(int*) = nullptr;
  const char* (*error_string)(int) = nullptr;
  const char* (*last_error)(Comm) = nullptr;  ///< may be absent
  int (*init_all)(Comm*, int, const int*) = nullptr;
  int (*get_unique_id)(UniqueId*) = nullptr;
  int (*init_rank)(Comm*, int, UniqueId, int) = nullptr;
  int (*destroy)(Comm) = nullptr;
  int (*abort)(Comm) = nullptr;
  int (*async_error)(Comm, int*) = nullptr;
  int (*group_start)() = nullptr;
  int (*group_end)() = nullptr;
  int (*all_reduce)(const void*, void*, std::size_t, int, int, Comm, cudaStream_t) = nullptr;
  int (*all_gather)(const void*, void*, std::size_t, int, Comm, cudaStream_t) = nullptr;
  int (*reduce_scatter)(const void*, void*, std::size_t, int, int, Comm, cudaStream_t) = nullptr;
  int (*all_to_all)(const void*, void*, std::size_t, int, Comm, cudaStream_t) = nullptr;  ///< absent before 2.28
  int (*broadcast)(const void*, void*, std::size_t, int, int, Comm, cudaStream_t) = nullptr;
  int (*send)(const void*, std::size_t, int, int, Comm, cudaStream_t) = nullptr;
  int (*receive)(void*, std::size_t, int, int, Comm, cudaStream_t) = nullptr;
  // Buffers that the library knows before; absent before 2.19.
  int (*register_buffer)(Comm, void*, std::size_t, void**) = nullptr;
  int (*deregister_buffer)(Comm, void*) = nullptr;
  int (*allocate)(void**, std::size_t) = nullptr;
  int (*free)(void*) = nullptr;
};

}  // namespace podwright::probes::cuda
