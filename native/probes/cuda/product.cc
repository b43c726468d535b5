#include "probes/cuda/product.h"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace podwright::probes::cuda {
namespace {

constexpr int kProposals = 8;
constexpr int kRunsOfProposal = 3;

struct Types {
  cudaDataType_t in, out, scale;
  cublasComputeType_t compute;
};

Types types_of(const std::string& dtype) {
  if (dtype == "fp32") return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  if (dtype == "tf32") return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
  if (dtype == "fp16") return {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  if (dtype == "int8") return {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I};
  if (dtype == "fp8" || dtype == "mxfp8") return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  if (dtype == "nvfp4") return {CUDA_R_4F_E2M1, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
}

}  // namespace

const CublasLt& CublasLt::instance() {
  static const CublasLt found = [] {
    CublasLt one;
    void* library = nullptr;
    for (const char* name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
      if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return one;
    bool whole = true;
    const auto get = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      whole = whole && function != nullptr;
    };
    get(one.create, "cublasLtCreate");
    get(one.get_version, "cublasLtGetVersion");
    get(one.matmul, "cublasLtMatmul");
    get(one.heuristic, "cublasLtMatmulAlgoGetHeuristic");
    get(one.desc_create, "cublasLtMatmulDescCreate");
    get(one.desc_destroy, "cublasLtMatmulDescDestroy");
    get(one.desc_set, "cublasLtMatmulDescSetAttribute");
    get(one.layout_create, "cublasLtMatrixLayoutCreate");
    get(one.layout_destroy, "cublasLtMatrixLayoutDestroy");
    get(one.layout_set, "cublasLtMatrixLayoutSetAttribute");
    get(one.preference_create, "cublasLtMatmulPreferenceCreate");
    get(one.preference_destroy, "cublasLtMatmulPreferenceDestroy");
    get(one.preference_set, "cublasLtMatmulPreferenceSetAttribute");
    get(one.algorithm_get, "cublasLtMatmulAlgoConfigGetAttribute");
    if (whole && one.create(&one.handle) != CUBLAS_STATUS_SUCCESS) one.handle = nullptr;
    if (one.handle != nullptr) one.version = one.get_version();
    return one;
  }();
  return found;
}

cublasLtHandle_t CublasLt::of_device() const {
  // The first one belongs to the device of the session, which is current when it is asked for.
  static std::map<int, cublasLtHandle_t> handles;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return nullptr;
  if (handles.empty()) handles[device] = handle;
  cublasLtHandle_t& of_this = handles[device];
  if (of_this == nullptr && create(&of_this) != CUBLAS_STATUS_SUCCESS) of_this = nullptr;
  return of_this;
}

double output_unit(const std::string& dtype) {
  if (dtype == "fp32" || dtype == "tf32") return 0x1p-24;
  if (dtype == "int8") return 0;
  return dtype == "fp16" ? 0x1p-11 : 0x1p-8;
}

double product_tolerance(const std::string& dtype, long long k) {
  const double unit = dtype == "fp32"                      ? 0x1p-24
                      : dtype == "tf32"                    ? 0x1p-11  // inputs are cut to 10 bits after the point
                      : dtype == "int8"                    ? 0
                      : dtype == "fp16" || dtype == "bf16" ? 0x1p-20
                                                           : 0x1p-13;
  return 8 * std::sqrt(static_cast<double>(k)) * unit;
}

Format Product::input(const std::string& dtype) {
  if (dtype == "fp32" || dtype == "tf32") return Format::fp32;
  if (dtype == "fp16") return Format::fp16;
  if (dtype == "int8") return Format::int8;
  if (dtype == "fp8" || dtype == "mxfp8") return Format::fp8;
  return dtype == "nvfp4" ? Format::fp4 : Format::bf16;
}

Format Product::output(const std::string& dtype) {
  if (dtype == "fp32" || dtype == "tf32") return Format::fp32;
  if (dtype == "fp16") return Format::fp16;
  return dtype == "int8" ? Format::int32 : Format::bf16;
}

long long Product::padded(const std::string& dtype, long long m) {
  const Format format = input(dtype);
  if (dtype == "mxfp8" || dtype == "nvfp4") return (m + 127) / 128 * 128;  // whole tiles of scales
  return bits_of(format) < 16 ? (m + 15) / 16 * 16 : m;
}

Product::~Product() {
  const CublasLt& lt = CublasLt::instance();
  if (desc_ != nullptr) lt.desc_destroy(desc_);
  for (cublasLtMatrixLayout_t layout : {w_layout_, x_layout_, y_layout_})
    if (layout != nullptr) lt.layout_destroy(layout);
}

bool Product::ask(cublasStatus_t status, const char* call, Checked& checked) {
  if (!checked.good()) return false;
  if (status == CUBLAS_STATUS_SUCCESS) return true;
  const bool unsupported = status == CUBLAS_STATUS_NOT_SUPPORTED || status == CUBLAS_STATUS_ARCH_MISMATCH ||
                           status == CUBLAS_STATUS_INVALID_VALUE;
  // An error of a kernel shows in the runtime, with its own gravity.
  if (!unsupported && !checked(cudaGetLastError(), call)) return false;
  checked.fail(PW_SKIP, "not_supported",
               std::string(call) + " in " + shape_.dtype + ": cuBLASLt status " + std::to_string(status));
  return false;
}

/// cuBLASLt thinks column by column: it computes Y^T = W^T-ish · X^T, with W as its A and X as its B.
bool Product::describe(const ProductShape& shape, Checked& checked) {
  shape_ = shape;
  const CublasLt& lt = CublasLt::instance();
  const Types types = types_of(shape.dtype);
  if (!ask(lt.desc_create(&desc_, types.compute, types.scale), "cublasLtMatmulDescCreate", checked)) return false;
  const cublasOperation_t turn_w = shape.plain_w ? CUBLAS_OP_N : CUBLAS_OP_T;
  const cublasOperation_t turn_x = shape.turned_x ? CUBLAS_OP_T : CUBLAS_OP_N;
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSA, &turn_w, sizeof turn_w);
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSB, &turn_x, sizeof turn_x);
  const auto make = [&](cublasLtMatrixLayout_t& layout, cudaDataType_t type, long long rows, long long columns,
                        long long stride) {
    if (!ask(lt.layout_create(&layout, type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                              rows),
             "cublasLtMatrixLayoutCreate", checked))
      return false;
    if (shape.batch <= 1) return true;
    const auto batch = static_cast<std::int32_t>(shape.batch);
    const auto distance = static_cast<std::int64_t>(stride);
    lt.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
    lt.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &distance, sizeof distance);
    return true;
  };
  return make(w_layout_, types.in, shape.plain_w ? shape.n : shape.k, shape.plain_w ? shape.k : shape.n,
              shape.w_stride) &&
         make(x_layout_, types.in, shape.turned_x ? shape.m : shape.k, shape.turned_x ? shape.k : shape.m,
              shape.x_stride) &&
         make(y_layout_, types.out, shape.n, shape.m, shape.y_stride);
}

/// Scales of the narrow formats, all 1: the data are normal already, and one value everywhere needs no order of tiles.
bool Product::scales(const std::string& dtype, const ProductShape& shape, cudaStream_t stream, Checked& checked) {
  if (dtype != "fp8" && dtype != "mxfp8" && dtype != "nvfp4") return true;
  const CublasLt& lt = CublasLt::instance();
  const auto whole = [](long long value, long long step) { return (value + step - 1) / step * step; };
  // Block scales are kept in tiles of 128 rows by 4 blocks.
  const long long block = dtype == "nvfp4" ? 16 : 32;
  const long long widest = std::max(shape.m, shape.n);
  const std::size_t bytes =
      dtype == "fp8" ? 64 : static_cast<std::size_t>(whole(widest, 128) * whole((shape.k + block - 1) / block, 4));
  if (!scales_.allocate(bytes, checked)) return false;
  if (dtype == "fp8") {
    const float one = 1;
    if (!checked(cudaMemcpyAsync(scales_.as<float>(), &one, sizeof one, cudaMemcpyHostToDevice, stream), "cudaMemcpy"))
      return false;
    checked(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  } else {
    // 1 is 127 in UE8M0 and 0x38 in UE4M3.
    checked(cudaMemsetAsync(scales_.as<void>(), dtype == "nvfp4" ? 0x38 : 127, bytes, stream), "cudaMemset");
#if CUBLAS_VERSION >= 120800
    const auto mode = static_cast<std::int32_t>(dtype == "nvfp4" ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3
                                                                 : CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0);
    lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &mode, sizeof mode);
    lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &mode, sizeof mode);
#else
    checked.fail(PW_SKIP, "not_supported", "block scales need cuBLASLt 12.8");
#endif
  }
  const void* place = scales_.as<void>();
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &place, sizeof place);
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &place, sizeof place);
  return checked.good();
}

bool Product::run(const void* x, const void* w, void* y, cudaStream_t stream, Checked& checked) {
  const float one = 1;
  const float zero = 0;
  const std::int32_t whole_one = 1;
  const std::int32_t whole_zero = 0;
  const bool whole = shape_.dtype == "int8";
  return ask(CublasLt::instance().matmul(handle_, desc_, whole ? static_cast<const void*>(&whole_one) : &one, w,
                                         w_layout_, x, x_layout_, whole ? static_cast<const void*>(&whole_zero) : &zero,
                                         y, y_layout_, y, y_layout_, &algorithm_, workspace_, workspace_bytes_, stream),
             "cublasLtMatmul", checked);
}

bool Product::choose(const void* x, const void* w, void* y, cudaStream_t stream, Checked& checked) {
  const CublasLt& lt = CublasLt::instance();
  cublasLtMatmulPreference_t preference = nullptr;
  if (!ask(lt.preference_create(&preference), "cublasLtMatmulPreferenceCreate", checked)) return false;
  lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes_, sizeof workspace_bytes_);
  cublasLtMatmulHeuristicResult_t proposals[kProposals] = {};
  int found = 0;
  const cublasStatus_t status = lt.heuristic(handle_, desc_, w_layout_, x_layout_, y_layout_, y_layout_, preference,
                                             kProposals, proposals, &found);
  lt.preference_destroy(preference);
  if (!ask(status, "cublasLtMatmulAlgoGetHeuristic", checked)) return false;
  if (found == 0) {
    checked.fail(PW_SKIP, "not_supported", "cuBLASLt proposes nothing for this product in " + shape_.dtype);
    return false;
  }
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  checked(cudaEventCreate(&start), "cudaEventCreate");
  checked(cudaEventCreate(&stop), "cudaEventCreate");
  float fastest = 0;
  int best = -1;
  for (int i = 0; i < found && checked.good(); ++i) {
    algorithm_ = proposals[i].algo;
    PwFault ignored{};
    Checked trial(ignored);
    if (!run(x, w, y, stream, trial)) continue;  // the first run also loads the kernel
    checked(cudaEventRecord(start, stream), "cudaEventRecord");
    for (int j = 0; j < kRunsOfProposal; ++j) run(x, w, y, stream, trial);
    checked(cudaEventRecord(stop, stream), "cudaEventRecord");
    checked(cudaEventSynchronize(stop), "cudaEventSynchronize");
    float milliseconds = 0;
    checked(cudaEventElapsedTime(&milliseconds, start, stop), "cudaEventElapsedTime");
    if (!trial.good()) continue;
    if (i == 0) first_proposal_s_ = 1e-3 * static_cast<double>(milliseconds) / kRunsOfProposal;
    if (best < 0 || milliseconds < fastest) {
      fastest = milliseconds;
      best = i;
    }
  }
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  if (!checked.good()) return false;
  if (best < 0) {
    checked.fail(PW_SKIP, "not_supported", "no proposal of cuBLASLt runs in " + shape_.dtype);
    return false;
  }
  algorithm_ = proposals[best].algo;
  std::size_t written = 0;
  lt.algorithm_get(&algorithm_, CUBLASLT_ALGO_CONFIG_ID, &algorithm_id_, sizeof algorithm_id_, &written);
  return true;
}

bool Product::plan(const ProductShape& shape, const void* x, const void* w, void* y, void* workspace,
                   std::size_t workspace_bytes, cudaStream_t stream, Checked& checked) {
  if (!CublasLt::instance().there()) {
    checked.fail(PW_SKIP, "library_missing", "libcublasLt was not found");
    return false;
  }
  handle_ = CublasLt::instance().of_device();
  workspace_ = workspace;
  workspace_bytes_ = workspace_bytes;
  return describe(shape, checked) && scales(shape.dtype, shape, stream, checked) && choose(x, w, y, stream, checked);
}

}  // namespace podwright::probes::cuda
