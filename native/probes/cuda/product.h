#pragma once
/// Dense products through cuBLASLt, opened at run time: what frameworks call.
#include <cublasLt.h>

#include <string>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/vendor_library.h"

namespace podwright::probes::cuda {

/// The functions of cuBLASLt that are used.
struct CublasLt : VendorLibrary {
  static const CublasLt& instance();

  /// That of the current device: the library ties each to one. Null where it does not start.
  cublasLtHandle_t of_device() const;

  decltype(&cublasLtCreate) create = needed("cublasLtCreate");
  decltype(&cublasLtGetVersion) get_version = needed("cublasLtGetVersion");
  decltype(&cublasLtMatmul) matmul = needed("cublasLtMatmul");
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = needed("cublasLtMatmulAlgoGetHeuristic");
  decltype(&cublasLtMatmulDescCreate) desc_create = needed("cublasLtMatmulDescCreate");
  decltype(&cublasLtMatmulDescDestroy) desc_destroy = needed("cublasLtMatmulDescDestroy");
  decltype(&cublasLtMatmulDescSetAttribute) desc_set = needed("cublasLtMatmulDescSetAttribute");
  decltype(&cublasLtMatrixLayoutCreate) layout_create = needed("cublasLtMatrixLayoutCreate");
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy = needed("cublasLtMatrixLayoutDestroy");
  decltype(&cublasLtMatrixLayoutSetAttribute) layout_set = needed("cublasLtMatrixLayoutSetAttribute");
  decltype(&cublasLtMatmulPreferenceCreate) preference_create = needed("cublasLtMatmulPreferenceCreate");
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy = needed("cublasLtMatmulPreferenceDestroy");
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set = needed("cublasLtMatmulPreferenceSetAttribute");
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) algorithm_get = needed("cublasLtMatmulAlgoConfigGetAttribute");

 private:
  CublasLt() : VendorLibrary("libcublasLt", {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}) {}
};

/// Y (m x n) = X (m x k) · W, where W is kept as n x k (a layer's weights) or, with `plain_w`, as k x n. All row by
/// row.
struct ProductShape {
  std::string dtype;  ///< fp32, tf32, fp16, bf16, int8, fp8, fp8-block, mxfp8, nvfp4
  long long m = 0, n = 0, k = 0;
  bool plain_w = false;
  long long batch = 1;  ///< products side by side, with these distances in values
  long long x_stride = 0, w_stride = 0, y_stride = 0;
  bool full_sums = false;  ///< FP8 sums go to fp32 again and again; engines keep what tensor cores hold
  int proposals = 32;      ///< of the library, that are tried; 1: the first one is taken untried
  double search_s = 0.3;   ///< of trials, after which no further proposal is tried
};

/// Operands of runs that follow each other: so many copies, each at a distance in bytes from the one before. What all
/// runs share has distance 0.
struct ProductOperands {
  const char* x = nullptr;
  const char* w = nullptr;
  char* y = nullptr;
  std::size_t x_step = 0, w_step = 0, y_step = 0;
  int copies = 1;
};

/// Largest error of a sum of `k` products that passes, in the unit of check_product().
double product_tolerance(const std::string& dtype, long long k);

class Product {
 public:
  ~Product();

  static Format input(const std::string& dtype);
  static Format output(const std::string& dtype);
  /// Rows that are computed for m true ones: formats below 16 bits want multiples of 16.
  static long long padded(const std::string& dtype, long long m);

  /// Describes the product and takes the fastest proposal of the library, timed on these operands where there are
  /// several.
  bool plan(const ProductShape& shape, const ProductOperands& operands, const Memory& workspace, cudaStream_t stream,
            Checked& checked);
  bool run(const void* x, const void* w, void* y, cudaStream_t stream, Checked& checked);
  bool run(const ProductOperands& operands, std::int64_t index, cudaStream_t stream, Checked& checked);
  /// Runs once into a poisoned Y and holds its first `rows` against sums in double. W is kept as n x k.
  /// `found` has room for check_scratch().
  PwCheck compare(const void* x, const void* w, void* y, long long rows, const Findings& found, cudaStream_t stream,
                  Checked& checked);

  int algorithm() const { return algorithm_id_; }
  /// Of one run; 0 where the first proposal was not tried or does not run.
  double first_proposal_s() const { return first_proposal_s_; }

 private:
  struct Trial;

  bool describe(Checked& checked);
  bool scales(cudaStream_t stream, Checked& checked);
  bool choose(const ProductOperands& operands, cudaStream_t stream, Checked& checked);
  bool propose(std::vector<cublasLtMatmulHeuristicResult_t>& proposals, Checked& checked);
  /// False where the proposal does not run.
  bool capture(Trial& trial, const ProductOperands& operands, int& runs, cudaStream_t stream, Checked& checked);
  bool ask(cublasStatus_t status, const char* call, Checked& checked);

  ProductShape shape_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t desc_ = nullptr;
  cublasLtMatrixLayout_t w_layout_ = nullptr, x_layout_ = nullptr, y_layout_ = nullptr;
  cublasLtMatmulAlgo_t algorithm_{};
  int algorithm_id_ = -1;
  double first_proposal_s_ = 0;
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
  Memory scales_;
};

}  // namespace podwright::probes::cuda
