#pragma once
/// Blocked matrix product, compiled once for each vector width. Nothing of the standard library stands here: an inline
/// function compiled for a newer processor could otherwise be the one that the linker keeps for all.
#include <cstddef>
#include <cstdint>

namespace podwright::probes {

/// C = A·B with rows one after the other; `packed` has room for gemm_packed_size() values.
template <class T>
struct GemmArguments {
  const T* a = nullptr;
  const T* b = nullptr;
  T* c = nullptr;
  std::int64_t a_stride = 0, b_stride = 0, c_stride = 0;
  std::int64_t m = 0, n = 0, k = 0;
  T* packed = nullptr;
};

inline constexpr std::int64_t kGemmRows = 96;      ///< of A that stay in the second cache
inline constexpr std::int64_t kGemmDepth = 256;    ///< of both panels
inline constexpr std::int64_t kGemmColumns = 512;  ///< of B that stay in the second cache
inline constexpr std::int64_t kGemmEdge = 64;      ///< widest panel that is filled up with zeros
constexpr std::int64_t gemm_packed_size() { return (kGemmRows + kGemmEdge + kGemmColumns + kGemmEdge) * kGemmDepth; }

/// Row counts below this walk along B without packing: B is read once, as in decoding.
inline constexpr std::int64_t kGemmFewRows = 5;

namespace {  // one copy for each file, on purpose: see above

template <class T, int kBytes, int kTileRows>
struct BlockedGemm {
  typedef T Vector __attribute__((vector_size(kBytes)));
  static constexpr std::int64_t kLanes = kBytes / static_cast<int>(sizeof(T));
  static constexpr std::int64_t kTileColumns = 2 * kLanes;

  static Vector load(const T* from) {
    Vector vector;
    __builtin_memcpy(&vector, from, sizeof vector);
    return vector;
  }
  static void store(T* to, const Vector& vector) { __builtin_memcpy(to, &vector, sizeof vector); }

  /// tile += A panel · B panel, for one tile of C.
  static void tile(std::int64_t depth, const T* a, const T* b, T* c, std::int64_t stride, std::int64_t rows,
                   std::int64_t columns, bool first) {
    Vector sums[kTileRows][2] = {};
    for (std::int64_t p = 0; p < depth; ++p) {
      const Vector left = load(b + p * kTileColumns);
      const Vector right = load(b + p * kTileColumns + kLanes);
      for (int row = 0; row < kTileRows; ++row) {
        const T value = a[p * kTileRows + row];
        sums[row][0] += value * left;
        sums[row][1] += value * right;
      }
    }
    for (std::int64_t row = 0; row < rows && row < kTileRows; ++row) {
      T line[kTileColumns];
      store(line, sums[row][0]);
      store(line + kLanes, sums[row][1]);
      for (std::int64_t column = 0; column < columns; ++column)
        c[row * stride + column] = line[column] + (first ? T(0) : c[row * stride + column]);
    }
  }

  static void pack_a(const GemmArguments<T>& x, std::int64_t row, std::int64_t rows, std::int64_t from,
                     std::int64_t depth, T* to) {
    for (std::int64_t r = 0; r < rows; r += kTileRows)
      for (std::int64_t p = 0; p < depth; ++p)
        for (std::int64_t i = 0; i < kTileRows; ++i)
          *to++ = r + i < rows ? x.a[(row + r + i) * x.a_stride + from + p] : T(0);
  }

  static void pack_b(const GemmArguments<T>& x, std::int64_t column, std::int64_t columns, std::int64_t from,
                     std::int64_t depth, T* to) {
    for (std::int64_t c = 0; c < columns; c += kTileColumns)
      for (std::int64_t p = 0; p < depth; ++p)
        for (std::int64_t i = 0; i < kTileColumns; ++i)
          *to++ = c + i < columns ? x.b[(from + p) * x.b_stride + column + c + i] : T(0);
  }

  static void blocked(const GemmArguments<T>& x) {
    T* const packed_b = x.packed;
    T* const packed_a = x.packed + (kGemmColumns + kGemmEdge) * kGemmDepth;
    const auto least = [](std::int64_t a, std::int64_t b) { return a < b ? a : b; };
    for (std::int64_t column = 0; column < x.n; column += kGemmColumns) {
      const std::int64_t columns = least(kGemmColumns, x.n - column);
      for (std::int64_t from = 0; from < x.k; from += kGemmDepth) {
        const std::int64_t depth = least(kGemmDepth, x.k - from);
        pack_b(x, column, columns, from, depth, packed_b);
        for (std::int64_t row = 0; row < x.m; row += kGemmRows) {
          const std::int64_t rows = least(kGemmRows, x.m - row);
          pack_a(x, row, rows, from, depth, packed_a);
          for (std::int64_t c = 0; c < columns; c += kTileColumns)
            for (std::int64_t r = 0; r < rows; r += kTileRows)
              tile(depth, packed_a + r * depth, packed_b + c * depth, x.c + (row + r) * x.c_stride + column + c,
                   x.c_stride, least(kTileRows, rows - r), least(kTileColumns, columns - c), from == 0);
        }
      }
    }
  }

  /// One to four rows of C: each row of B passes once.
  static void few_rows(const GemmArguments<T>& x) {
    for (std::int64_t column = 0; column < x.n; column += kGemmColumns) {
      const std::int64_t columns = kGemmColumns < x.n - column ? kGemmColumns : x.n - column;
      for (std::int64_t row = 0; row < x.m; ++row)
        for (std::int64_t c = 0; c < columns; ++c) x.c[row * x.c_stride + column + c] = T(0);
      std::int64_t p = 0;
      for (; p + 4 <= x.k; p += 4)
        for (std::int64_t row = 0; row < x.m; ++row) {
          const T* const b = x.b + p * x.b_stride + column;
          const T* const a = x.a + row * x.a_stride + p;
          T* const c = x.c + row * x.c_stride + column;
          std::int64_t i = 0;
          for (; i + kLanes <= columns; i += kLanes)
            store(c + i, load(c + i) + a[0] * load(b + i) + a[1] * load(b + x.b_stride + i) +
                             a[2] * load(b + 2 * x.b_stride + i) + a[3] * load(b + 3 * x.b_stride + i));
          for (; i < columns; ++i)
            c[i] +=
                a[0] * b[i] + a[1] * b[x.b_stride + i] + a[2] * b[2 * x.b_stride + i] + a[3] * b[3 * x.b_stride + i];
        }
      for (; p < x.k; ++p)
        for (std::int64_t row = 0; row < x.m; ++row)
          for (std::int64_t i = 0; i < columns; ++i)
            x.c[row * x.c_stride + column + i] += x.a[row * x.a_stride + p] * x.b[p * x.b_stride + column + i];
    }
  }

  static void run(const GemmArguments<T>& x) { x.m < kGemmFewRows ? few_rows(x) : blocked(x); }
};

}  // namespace

template <class T>
using GemmFunction = void (*)(const GemmArguments<T>&);

/// The three widths, of 4-byte and 8-byte numbers; null where the compiler's target has none.
struct GemmWidth {
  const char* name;
  GemmFunction<float> of_floats;
  GemmFunction<double> of_doubles;
};
GemmWidth gemm_plain();
GemmWidth gemm_avx2();
GemmWidth gemm_avx512();

}  // namespace podwright::probes
