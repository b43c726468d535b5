#include "probes/fake/model.h"

#include <algorithm>
#include <string>

namespace podwright::probes::fake {
namespace {

constexpr double kRest = 0.1;  // of one operation that does nothing

/// A product reads and writes each of its values once, two bytes each.
double product_bytes(double m, double n, double k) { return 2 * (m * k + k * n + m * n); }

double flops_of(const PwCase& one) {
  return 2 * static_cast<double>(one.m) * static_cast<double>(one.n) * static_cast<double>(one.k);
}

double arrays_of(const std::string& probe) {
  if (probe == "hbm.triad") return 3;
  return probe == "hbm.copy" || probe == "hbm.d2d_ce" || probe == "pcie.bidir" ? 2 : 1;
}

bool begins(const std::string& text, const char* part) { return text.rfind(part, 0) == 0; }

double peak(const std::string& dtype) {
  if (dtype == "fp8" || dtype == "int8") return 1978.9e12;
  if (dtype == "tf32") return 494.7e12;
  return dtype == "fp32" ? 66.9e12 : 989.4e12;
}

double operands(const PwCase& one) {
  return product_bytes(static_cast<double>(one.m), static_cast<double>(one.n), static_cast<double>(one.k));
}

double product(const PwCase& one) {
  const bool narrow = peak(one.dtype) > 1e15;
  return 3e-6 + std::max(flops_of(one) / ((narrow ? 0.68 : 0.8) * peak(one.dtype)),
                         (narrow ? 0.5 : 1.0) * operands(one) / (0.88 * kBytesPerSecond));
}

double collective(double bytes) { return 18e-6 + 1.75 * bytes / 460e9; }

/// Over the cache of each sequence, or over half of all pairs of one prompt's tokens.
double attention(const PwCase& one) {
  const auto context = static_cast<double>(one.context);
  const double width = static_cast<double>(one.m * one.k);
  if (one.batch == 0) return 6e-6 + 2 * context * context * width / (0.5 * peak(one.dtype));
  const double bytes_each = peak(one.dtype) > 1e15 ? 1 : 2;
  return 4e-6 + static_cast<double>(one.batch) * context * 2 * bytes_each * static_cast<double>(one.n * one.k) /
                    (0.8 * kBytesPerSecond);
}

}  // namespace

double seconds_of(const PwCase& one, double hidden) {
  const std::string probe = one.probe;
  const double bytes = arrays_of(probe) * static_cast<double>(std::max<std::int64_t>(0, one.bytes));
  if (probe == "idle") return kRest;
  if (begins(probe, "launch.")) return probe == "launch.stream" ? 2.2e-6 : 1.2e-6;
  if (begins(probe, "lat.") || probe == "host.sync" || probe == "pcie.lat") return 6e-7;
  if (begins(probe, "pcie.")) return 8e-6 + bytes / 55e9;
  if (begins(probe, "p2p.")) return 5e-6 + bytes / 390e9;
  if (begins(probe, "coll.")) return collective(bytes);
  if (begins(probe, "l2.") || (begins(probe, "hbm.") && bytes < 0.8 * kCacheBytes)) return 2e-6 + bytes / 5.5e12;
  if (begins(probe, "decode.weights")) return 2e-6 + bytes / (0.88 * kBytesPerSecond);
  if (begins(probe, "gemm.")) return product(one);
  if (begins(probe, "overlap")) {
    const double a = one.m > 0 ? product(one) : 0;
    const double b = one.bytes > 0 ? collective(bytes) : 0;
    return a + b - hidden * std::min(a, b);
  }
  if (begins(probe, "decode.attn") || probe == "prefill.attn") return attention(one);
  const double memory = std::max(bytes, one.m > 0 ? operands(one) : 0.0) / (0.91 * kBytesPerSecond);
  return 3e-6 + std::max(memory, one.m > 0 ? flops_of(one) / (0.7 * peak(one.dtype)) : 0.0);
}

}  // namespace podwright::probes::fake
