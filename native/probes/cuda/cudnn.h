#pragma once
/// NVIDIA's library of fused kernels, opened by name with declarations of this project: a build needs no header of it.
/// https://docs.nvidia.com/deeplearning/cudnn/backend/latest/api/cudnn-graph-library.html
#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>

#include "probes/cuda/checked.h"
#include "probes/cuda/kernels.h"
#include "probes/vendor_library.h"

namespace podwright::probes::cuda {

/// The functions that are used. Codes, kinds, names and types are enumerations of the library, passed as int.
struct Cudnn : VendorLibrary {
  static constexpr int kSuccess = 0;

  static const Cudnn& instance();
  std::size_t version = 0;  ///< 91900 of 9.19.0

  std::size_t (*get_version)() = needed("cudnnGetVersion");
  int (*create)(void**) = needed("cudnnCreate");
  int (*set_stream)(void*, cudaStream_t) = needed("cudnnSetStream");
  int (*create_descriptor)(int, void**) = needed("cudnnBackendCreateDescriptor");
  int (*destroy_descriptor)(void*) = needed("cudnnBackendDestroyDescriptor");
  int (*set_attribute)(void*, int, int, std::int64_t, const void*) = needed("cudnnBackendSetAttribute");
  int (*get_attribute)(const void*, int, int, std::int64_t, std::int64_t*, void*) = needed("cudnnBackendGetAttribute");
  int (*finalize)(void*) = needed("cudnnBackendFinalize");
  int (*execute)(void*, void*, void*) = needed("cudnnBackendExecute");

 private:
  Cudnn();
};

/// A descriptor of the library; what fails first stays in the status that several share.
class CudnnDescriptor {
 public:
  CudnnDescriptor(int kind, int& status);
  ~CudnnDescriptor();
  CudnnDescriptor(const CudnnDescriptor&) = delete;
  CudnnDescriptor& operator=(const CudnnDescriptor&) = delete;

  void set(int name, int type, std::int64_t count, const void* values);
  void set(int name, const CudnnDescriptor& other);
  void finish();
  void* get() const { return descriptor_; }

 private:
  int& status_;
  void* descriptor_ = nullptr;
};

/// Attention of every head over all tokens as one operation of cuDNN, in bf16: over rows that stand together, or over
/// pages.
class FusedAttention {
 public:
  struct Sizes {
    long long batch = 1, heads = 0, groups = 0, queries = 1, context = 0;
    long long page = 0;   ///< tokens of a page; 0: keys and values of a sequence stand together
    long long pages = 0;  ///< of all sequences and copies
  };

  /// Describes the operation, which needs no device: a code of the library.
  int describe(const Sizes& sizes);
  /// Takes the first engine that the library proposes and that runs.
  bool plan(const Sizes& sizes, cudaStream_t stream, Checked& checked);
  bool run(const DecodeAttention& x, cudaStream_t stream, Checked& checked);

 private:
  CudnnDescriptor& tensor(std::int64_t id, int type, const std::int64_t (&sizes)[4], const std::int64_t (&steps)[4],
                          bool by_value = false);
  CudnnDescriptor& add(int kind) { return parts_.emplace_back(kind, status_); }
  bool failed(const char* what, Checked& checked) const;

  Sizes sizes_;
  int status_ = Cudnn::kSuccess;
  float scale_ = 0;
  std::deque<CudnnDescriptor> parts_;  ///< descriptors do not move
  CudnnDescriptor* operation_ = nullptr;
  CudnnDescriptor* plan_ = nullptr;
  Memory workspace_, lengths_;
};

}  // namespace podwright::probes::cuda
