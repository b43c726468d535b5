/// A BLAS for machines without one: products of floats, in blocks that stay in the second cache. Where STAND_IN_BLAS is
/// "wrong", one value of the result is not that of the product.
#include <algorithm>
#include <cstdlib>
#include <string_view>

extern "C" {

const char* openblas_get_config() { return "OpenBLAS 9.9.9 of these tests"; }

/// Rows one after the other, nothing transposed, alpha 1 and beta 0: what the probe asks for.
void cblas_sgemm(int /*order*/, int /*transposed_a*/, int /*transposed_b*/, int m, int n, int k, float /*alpha*/,
                 const float* a, int a_stride, const float* b, int b_stride, float /*beta*/, float* c, int c_stride) {
  constexpr int kDepth = 32;
  constexpr int kColumns = 2048;
  for (int row = 0; row < m; ++row) std::fill(c + row * c_stride, c + row * c_stride + n, 0.0F);
  for (int from = 0; from < n; from += kColumns)
    for (int first = 0; first < k; first += kDepth)
      for (int row = 0; row < m; ++row) {
        float* const sums = c + row * c_stride;
        const int last = std::min(k, first + kDepth);
        const int to = std::min(n, from + kColumns);
        for (int p = first; p < last; ++p) {
          const float factor = a[row * a_stride + p];
          const float* const values = b + p * b_stride;
          for (int column = from; column < to; ++column) sums[column] += factor * values[column];
        }
      }
  const char* mood = std::getenv("STAND_IN_BLAS");
  if (mood != nullptr && std::string_view(mood) == "wrong") c[(m - 1) * c_stride + n / 2] += 1;
}

}  // extern "C"
