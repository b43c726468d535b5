#include "probes/fake/model.h"

#include <algorithm>

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

/// What two works at once take.
double together(double a, double b, double hidden) { return a + b - hidden * std::min(a, b); }

class RoundFigures : public Model {
 public:
  ModelFacts facts() const override {
    return {.name = "Scripted device",
            .compute_capability = "0.0",
            .capability = 0,
            .memory_bytes = 16.0 * (1ULL << 30U),
            .l2_bytes = 32.0 * (1U << 20U),
            .bytes_per_s = kPeakBytes,
            .sm_count = 0,
            .sm_clock_hz = 1.5e9,
            .power_w = 300,
            .pcie_generation = 0,
            .nvlinks = 0};
  }

  double seconds(const PwCase& one, double hidden) const override {
    const std::string probe = one.probe;
    if (probe == "idle") return kRest;
    const double message = static_cast<double>(std::max<std::int64_t>(0, one.bytes));
    const double bytes =
        one.m > 0 ? product_bytes(static_cast<double>(one.m), static_cast<double>(one.n), static_cast<double>(one.k))
                  : arrays_of(probe) * message;
    const double seconds = kStart + std::max(flops_of(one) / kPeakFlops, bytes / kPeakBytes) / kEfficiency;
    return probe == "overlap" ? together(seconds, kStart + message / kPeakBytes / kEfficiency, hidden) : seconds;
  }

 private:
  static constexpr double kPeakFlops = 1e14;
  static constexpr double kPeakBytes = 1e12;
  static constexpr double kStart = 4e-6;
  static constexpr double kEfficiency = 0.8;
};

/// Efficiencies in the middle of what the norms of catalog/probe_norms.csv call healthy, and their sources report.
class H100 : public Model {
 public:
  ModelFacts facts() const override {
    return {.name = "NVIDIA H100 80GB HBM3",
            .compute_capability = "9.0",
            .capability = 9.0,
            .memory_bytes = 79.19 * (1ULL << 30U),
            .l2_bytes = 50.0 * (1U << 20U),
            .bytes_per_s = kBytes,
            .sm_count = 132,
            .sm_clock_hz = 1.98e9,
            .power_w = 700,
            .pcie_generation = 5,
            .nvlinks = 18};
  }

  double seconds(const PwCase& one, double hidden) const override {
    const std::string probe = one.probe;
    const double bytes = arrays_of(probe) * static_cast<double>(std::max<std::int64_t>(0, one.bytes));
    if (probe == "idle") return kRest;
    if (begins(probe, "launch.")) return probe == "launch.stream" ? 2.2e-6 : 1.2e-6;
    if (begins(probe, "lat.") || probe == "host.sync" || probe == "pcie.lat") return 6e-7;
    if (begins(probe, "pcie.")) return 8e-6 + bytes / 55e9;
    if (begins(probe, "p2p.")) return 5e-6 + bytes / 390e9;
    if (begins(probe, "coll.")) return 18e-6 + 1.75 * bytes / 460e9;
    if (begins(probe, "l2.") || (begins(probe, "hbm.") && bytes < 0.8 * facts().l2_bytes)) return 2e-6 + bytes / 5.5e12;
    if (begins(probe, "decode.weights")) return 2e-6 + bytes / (0.88 * kBytes);
    if (begins(probe, "gemm.")) return product(one);
    if (begins(probe, "overlap"))
      return together(one.m > 0 ? product(one) : 0, one.bytes > 0 ? 18e-6 + 1.75 * bytes / 460e9 : 0, hidden);
    if (begins(probe, "decode.attn") || probe == "prefill.attn") return attention(one);
    const double memory = std::max(bytes, one.m > 0 ? operands(one) : 0.0) / (0.91 * kBytes);
    return 3e-6 + std::max(memory, one.m > 0 ? flops_of(one) / (0.7 * peak(one.dtype)) : 0.0);
  }

 private:
  static constexpr double kBytes = 3.352e12;

  static double peak(const std::string& dtype) {
    if (dtype == "fp8" || dtype == "int8") return 1978.9e12;
    if (dtype == "tf32") return 494.7e12;
    return dtype == "fp32" ? 66.9e12 : 989.4e12;
  }
  static double operands(const PwCase& one) {
    return product_bytes(static_cast<double>(one.m), static_cast<double>(one.n), static_cast<double>(one.k));
  }
  /// Over the cache of each sequence, or over half of all pairs of one prompt's tokens.
  static double attention(const PwCase& one) {
    const auto context = static_cast<double>(one.context);
    const auto batch = static_cast<double>(one.batch);
    const double width = static_cast<double>(one.m * one.k);
    if (one.batch == 0) return 6e-6 + 2 * context * context * width / (0.5 * peak(one.dtype));
    const double bytes_each = peak(one.dtype) > 1e15 ? 1 : 2;
    return 4e-6 + batch * context * 2 * bytes_each * static_cast<double>(one.n * one.k) / (0.8 * kBytes);
  }
  static double product(const PwCase& one) {
    const bool narrow = peak(one.dtype) > 1e15;
    return 3e-6 + std::max(flops_of(one) / ((narrow ? 0.68 : 0.8) * peak(one.dtype)),
                           (narrow ? 0.5 : 1.0) * operands(one) / (0.88 * kBytes));
  }
};

}  // namespace

const Model& model_named(const std::string& name) {
  static const H100 h100;
  static const RoundFigures round;
  return name == "h100" ? static_cast<const Model&>(h100) : round;
}

}  // namespace podwright::probes::fake
