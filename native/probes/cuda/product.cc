#include "probes/cuda/product.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>

#include "probes/elapsed.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kSamples = 256;                 // of a result, that are computed again
constexpr double kTrial = 1e-3;               // seconds that one trial of a proposal should take
constexpr int kMostRuns = 256;                // of one trial
constexpr long long kStartPatience = 300000;  // nanoseconds, more than the host takes to start those
constexpr std::size_t kFinalists = 4;
constexpr int kFinalRounds = 2;
constexpr std::size_t kFewest = 8;  // proposals that are tried, however long they take

/// How the library finds the scales of W (its A) and of X (its B): one for all values, or one for each block along k.
struct ScaleForm {
  std::int32_t w_mode, x_mode;
  long long block;
  long long bytes;  ///< of one scale
  int one;          ///< the byte that means 1 where scales have one
};
constexpr ScaleForm kNoScales{0, 0, 0, 0, 0};
constexpr ScaleForm kOneScale{0, 0, 0, 4, 0};
// Of a toolkit that does not know them: a form without bytes.
#if CUBLAS_VERSION >= 120900
constexpr ScaleForm kFloatBlocks{CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F, CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
                                 128, 4, 0};
#else
constexpr ScaleForm kFloatBlocks{0, 0, 128, 0, 0};
#endif
#if CUBLAS_VERSION >= 120800
constexpr ScaleForm kMxBlocks{CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0, 32, 1,
                              127};
constexpr ScaleForm kNvBlocks{CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3, 16, 1,
                              0x38};
#else
constexpr ScaleForm kMxBlocks{0, 0, 32, 0, 0};
constexpr ScaleForm kNvBlocks{0, 0, 16, 0, 0};
#endif

constexpr long long rounded_up(long long value, long long step) { return (value + step - 1) / step * step; }

/// What library and checks know of a format.
struct ProductFormat {
  const char* dtype;
  Format in, out;
  cublasComputeType_t compute;
  double sum_unit;         ///< roundoff of one addition, 0 where sums are exact
  long long row_multiple;  ///< of the rows of X
  ScaleForm scales;
};
constexpr ProductFormat kFormats[] = {
    {"bf16", Format::bf16, Format::bf16, CUBLAS_COMPUTE_32F, 0x1p-20, 1, kNoScales},
    {"fp16", Format::fp16, Format::fp16, CUBLAS_COMPUTE_32F, 0x1p-20, 1, kNoScales},
    {"fp32", Format::fp32, Format::fp32, CUBLAS_COMPUTE_32F, 0x1p-24, 1, kNoScales},
    {"tf32", Format::fp32, Format::fp32, CUBLAS_COMPUTE_32F_FAST_TF32, 0x1p-20, 1, kNoScales},
    {"int8", Format::int8, Format::int32, CUBLAS_COMPUTE_32I, 0, 16, kNoScales},
    {"fp8", Format::fp8, Format::bf16, CUBLAS_COMPUTE_32F, 0x1p-13, 16, kOneScale},
    {"fp8-block", Format::fp8, Format::bf16, CUBLAS_COMPUTE_32F, 0x1p-13, 16, kFloatBlocks},
    // Whole tiles of scales.
    {"mxfp8", Format::fp8, Format::bf16, CUBLAS_COMPUTE_32F, 0x1p-13, 128, kMxBlocks},
    {"nvfp4", Format::fp4, Format::bf16, CUBLAS_COMPUTE_32F, 0x1p-13, 128, kNvBlocks},
};

const ProductFormat& format_of(const std::string& dtype) {
  const auto* found = std::find_if(std::begin(kFormats), std::end(kFormats),
                                   [&](const ProductFormat& format) { return dtype == format.dtype; });
  return found == std::end(kFormats) ? kFormats[0] : *found;
}

/// Of each Format.
constexpr cudaDataType_t kTypes[] = {CUDA_R_32F,     CUDA_R_16F, CUDA_R_16BF, CUDA_R_8F_E4M3,
                                     CUDA_R_4F_E2M1, CUDA_R_8I,  CUDA_R_32I};

/// Unit roundoff of one output.
double output_unit(Format out) {
  if (out == Format::int32) return 0;
  return out == Format::fp32 ? 0x1p-24 : out == Format::fp16 ? 0x1p-11 : 0x1p-8;
}

}  // namespace

const CublasLt& CublasLt::instance() {
  static const CublasLt found;
  return found;
}

cublasLtHandle_t CublasLt::of_device() const {
  static std::map<int, cublasLtHandle_t> handles;
  int device = 0;
  if (!there() || cudaGetDevice(&device) != cudaSuccess) return nullptr;
  cublasLtHandle_t& of_this = handles[device];
  if (of_this == nullptr && create(&of_this) != CUBLAS_STATUS_SUCCESS) of_this = nullptr;
  return of_this;
}

/// In units of the sum's own standard deviation, sqrt(k) for operands of variance 1.
///
/// Sums of k terms: tensor cores add with about 20 bits (16-bit inputs) or 13 (8-bit inputs, as FP8's fast sums keep
/// them); errors of k additions grow like a random walk, of which eight deviations pass.
///
/// TF32 also cuts both inputs to 10 bits after the point. Cut towards zero, each loses 0.72 * 2^-11 of itself on
/// average, which shrinks a sum of five deviations by 7.2 * 2^-11; the rest is random with 0.8 * 2^-11 a deviation, of
/// which five are 4 * 2^-11. 16 * 2^-11 holds both.
double product_tolerance(const std::string& dtype, long long k) {
  const double inputs = dtype == "tf32" ? 16 * 0x1p-11 : 0;
  return inputs + 8 * std::sqrt(static_cast<double>(k)) * format_of(dtype).sum_unit;
}

Format Product::input(const std::string& dtype) { return format_of(dtype).in; }
Format Product::output(const std::string& dtype) { return format_of(dtype).out; }

long long Product::padded(const std::string& dtype, long long m) {
  return rounded_up(m, format_of(dtype).row_multiple);
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
bool Product::describe(Checked& checked) {
  const ProductShape& shape = shape_;
  const CublasLt& lt = CublasLt::instance();
  const ProductFormat& format = format_of(shape.dtype);
  const cudaDataType_t scale = format.out == Format::int32 ? CUDA_R_32I : CUDA_R_32F;
  if (!ask(lt.desc_create(&desc_, format.compute, scale), "cublasLtMatmulDescCreate", checked)) return false;
  const cublasOperation_t turn_w = shape.plain_w ? CUBLAS_OP_N : CUBLAS_OP_T;
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_TRANSA, &turn_w, sizeof turn_w);
  const std::int8_t fast_sums = shape.dtype == "fp8" && !shape.full_sums ? 1 : 0;
  lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast_sums, sizeof fast_sums);
  const auto make = [&](cublasLtMatrixLayout_t& layout, Format of, long long rows, long long columns,
                        long long stride) {
    if (!ask(lt.layout_create(&layout, kTypes[static_cast<int>(of)], static_cast<std::uint64_t>(rows),
                              static_cast<std::uint64_t>(columns), rows),
             "cublasLtMatrixLayoutCreate", checked))
      return false;
    if (shape.batch <= 1) return true;
    const auto batch = static_cast<std::int32_t>(shape.batch);
    const auto distance = static_cast<std::int64_t>(stride);
    lt.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch);
    lt.layout_set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &distance, sizeof distance);
    return true;
  };
  return make(w_layout_, format.in, shape.plain_w ? shape.n : shape.k, shape.plain_w ? shape.k : shape.n,
              shape.w_stride) &&
         make(x_layout_, format.in, shape.k, shape.m, shape.x_stride) &&
         make(y_layout_, format.out, shape.n, shape.m, shape.y_stride);
}

/// Scales of the narrow formats, all 1: the data are normal already, and one value everywhere needs no order of tiles.
bool Product::scales(cudaStream_t stream, Checked& checked) {
  const ScaleForm& form = format_of(shape_.dtype).scales;
  if (form.bytes == 0 && form.block == 0) return true;
  if (form.bytes == 0) {
    checked.fail(PW_SKIP, "not_supported", "the toolkit of this build has no scales of " + shape_.dtype);
    return false;
  }
  // Those of blocks are kept in tiles of 128 rows by 4 blocks.
  const long long blocks = form.block == 0 ? 4 : rounded_up((shape_.k + form.block - 1) / form.block, 4);
  const long long rows = form.block == 0 ? 4 : rounded_up(std::max(shape_.m, shape_.n), 128);
  const auto bytes = static_cast<std::size_t>(rows * blocks * form.bytes);
  if (!scales_.allocate(bytes, checked)) return false;
  if (form.one == 0) {
    write_words(scales_.as<float4>(), bytes / sizeof(float4), 1.0F, 64, stream);
    checked(cudaGetLastError(), "scales");
  } else {
    checked(cudaMemsetAsync(scales_.as<void>(), form.one, bytes, stream), "cudaMemset");
  }
  const CublasLt& lt = CublasLt::instance();
#if CUBLAS_VERSION >= 120800
  // A library that knows no such scales would take the product for one without.
  if (form.block != 0 && (!ask(lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &form.w_mode, sizeof form.w_mode),
                               "scale mode", checked) ||
                          !ask(lt.desc_set(desc_, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &form.x_mode, sizeof form.x_mode),
                               "scale mode", checked)))
    return false;
#endif
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

bool Product::run(const ProductOperands& operands, std::int64_t index, cudaStream_t stream, Checked& checked) {
  const auto copy = static_cast<std::size_t>(index % operands.copies);
  return run(operands.x + copy * operands.x_step, operands.w + copy * operands.w_step,
             operands.y + copy * operands.y_step, stream, checked);
}

PwCheck Product::compare(const void* x, const void* w, void* y, long long rows, const Findings& found,
                         cudaStream_t stream, Checked& checked) {
  const ProductFormat& format = format_of(shape_.dtype);
  const long long n = shape_.n;
  const long long k = shape_.k;
  poison(y, bytes_of(format.out, static_cast<std::size_t>(shape_.m * n)), stream, checked);
  run(x, w, y, stream, checked);
  return found.judge(product_tolerance(shape_.dtype, k), kSamples + static_cast<std::uint64_t>(rows),
                     "sampled values and Freivalds' test", stream, checked, [&](double* out) {
                       check_product(x, w, y, format.in, format.out, rows, n, k, output_unit(format.out), kSamples, out,
                                     stream);
                     });
}

/// One proposal as a graph of runs, so that neither the host's starts nor what the cache still holds is in its times.
struct Product::Trial {
  cublasLtMatmulAlgo_t algorithm{};
  bool first = false;
  Graph graph;
  std::vector<double> times_s;  ///< of one run

  double median_s() const {
    std::vector<double> sorted = times_s;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  /// A gate that stays `closed` keeps the device busy until the host has started the graph.
  void measure(int runs, int* closed, cudaStream_t stream, Checked& checked) {
    gate(closed, closed + 1, kStartPatience, stream);
    times_s.push_back(seconds_of_stream(stream, "proposal", checked, [&] { graph.launch(stream, checked); }) / runs);
  }
};

bool Product::propose(std::vector<cublasLtMatmulHeuristicResult_t>& proposals, Checked& checked) {
  const CublasLt& lt = CublasLt::instance();
  cublasLtMatmulPreference_t preference = nullptr;
  if (!ask(lt.preference_create(&preference), "cublasLtMatmulPreferenceCreate", checked)) return false;
  lt.preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes_, sizeof workspace_bytes_);
  // Parts of a sum that are kept in the format of the output lose more than the check lets pass.
  const std::uint32_t schemes = CUBLASLT_REDUCTION_SCHEME_NONE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  lt.preference_set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &schemes, sizeof schemes);
  proposals.resize(static_cast<std::size_t>(shape_.proposals));
  int found = 0;
  const cublasStatus_t status = lt.heuristic(handle_, desc_, w_layout_, x_layout_, y_layout_, y_layout_, preference,
                                             shape_.proposals, proposals.data(), &found);
  lt.preference_destroy(preference);
  if (!ask(status, "cublasLtMatmulAlgoGetHeuristic", checked)) return false;
  proposals.resize(static_cast<std::size_t>(found));
  if (found == 0)
    checked.fail(PW_SKIP, "not_supported", "cuBLASLt proposes nothing for this product in " + shape_.dtype);
  return checked.good();
}

bool Product::capture(Trial& trial, const ProductOperands& operands, int& runs, cudaStream_t stream, Checked& checked) {
  algorithm_ = trial.algorithm;
  PwFault ignored{};
  Checked attempt(ignored);
  // The first run loads the kernel, which no capture can.
  const bool starts = run(operands, 0, stream, attempt);
  if (!checked(cudaStreamSynchronize(stream), "proposal") || !starts) return false;
  if (runs == 0) {
    const double once = seconds_of_stream(stream, "proposal", checked, [&] { run(operands, 1, stream, attempt); });
    const double usual = kTrial / std::max(once, 1e-6);
    // Once through all copies, as far as the time of four trials goes.
    const int most = std::clamp(static_cast<int>(4 * usual), 1, kMostRuns);
    runs = std::clamp(static_cast<int>(usual), std::min(operands.copies, most), most);
  }
  trial.graph.capture(stream, attempt, [&] {
    for (int i = 0; i < runs; ++i) run(operands, i, stream, attempt);
  });
  if (!attempt.good()) cudaGetLastError();
  return attempt.good();
}

/// All proposals in the order of the library's own estimate, as far as the time goes, then the best four twice more, in
/// turns: the best median wins.
bool Product::choose(const ProductOperands& operands, cudaStream_t stream, Checked& checked) {
  std::vector<cublasLtMatmulHeuristicResult_t> proposals;
  if (!propose(proposals, checked)) return false;
  if (shape_.proposals == 1) {
    algorithm_ = proposals.front().algo;
    return true;
  }
  Memory closed;
  if (!closed.allocate(2 * sizeof(int), checked) ||
      !checked(cudaMemsetAsync(closed.as<void>(), 0, closed.bytes(), stream), "cudaMemset"))
    return false;
  std::vector<std::unique_ptr<Trial>> trials;
  int runs = 0;
  const auto began = Clock::now();
  for (std::size_t i = 0; i < proposals.size() && checked.good(); ++i) {
    if (i >= kFewest && seconds_since(began) > shape_.search_s) break;
    auto trial = std::make_unique<Trial>();
    trial->algorithm = proposals[i].algo;
    trial->first = i == 0;
    if (!capture(*trial, operands, runs, stream, checked)) continue;
    trial->measure(runs, closed.as<int>(), stream, checked);
    trials.push_back(std::move(trial));
  }
  if (!checked.good()) return false;
  if (trials.empty()) {
    checked.fail(PW_SKIP, "not_supported", "no proposal of cuBLASLt runs in " + shape_.dtype);
    return false;
  }
  std::stable_sort(trials.begin(), trials.end(),
                   [](const auto& a, const auto& b) { return a->times_s.front() < b->times_s.front(); });
  const auto finalists = std::min(kFinalists, trials.size());
  for (int round = 0; round < kFinalRounds; ++round)
    for (std::size_t i = 0; i < finalists; ++i) trials[i]->measure(runs, closed.as<int>(), stream, checked);
  if (!checked.good()) return false;
  for (const auto& trial : trials)
    if (trial->first) first_proposal_s_ = trial->median_s();
  const auto best = std::min_element(trials.begin(), trials.begin() + static_cast<std::ptrdiff_t>(finalists),
                                     [](const auto& a, const auto& b) { return a->median_s() < b->median_s(); });
  algorithm_ = (*best)->algorithm;
  std::size_t written = 0;
  CublasLt::instance().algorithm_get(&algorithm_, CUBLASLT_ALGO_CONFIG_ID, &algorithm_id_, sizeof algorithm_id_,
                                     &written);
  return true;
}

bool Product::plan(const ProductShape& shape, const ProductOperands& operands, const Memory& workspace,
                   cudaStream_t stream, Checked& checked) {
  const CublasLt& lt = CublasLt::instance();
  handle_ = lt.of_device();
  if (handle_ == nullptr) {
    checked.fail(PW_SKIP, "library_missing", lt.there() ? "libcublasLt does not start" : lt.missing);
    return false;
  }
  shape_ = shape;
  workspace_ = workspace.as<void>();
  workspace_bytes_ = workspace.bytes();
  return describe(checked) && scales(stream, checked) && choose(operands, stream, checked);
}

}  // namespace podwright::probes::cuda
