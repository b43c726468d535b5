#include "perf/serving_performance.h"

namespace podwright {
namespace {

/// What is read, without what takes less than a two-hundredth of `total`.
Message memory_reads(const TimeShares& shares, double total, const std::string& gpu_name) {
  const auto memory = "memory"_v = (shares.weights + shares.kv) / total;
  const auto gpu = "gpu"_v = gpu_name;
  const double little = total / 200;
  if (shares.kv < little) return say("memory-bandwidth/weights", memory, gpu);
  if (shares.weights < little) return say("memory-bandwidth/kv", memory, gpu);
  return say("memory-bandwidth/weights-and-kv", "weights"_v = shares.weights / total, "kv"_v = shares.kv / total,
             memory, gpu);
}

}  // namespace

Binding binding_of(const TimeShares& shares, bool starved, const std::string& gpu_name) {
  const double memory = shares.weights + shares.kv;
  const double total = shares.compute + memory + shares.communication + shares.overhead;
  if (!(total > 0)) return {};
  if (starved && shares.weights >= shares.compute && shares.weights >= shares.kv &&
      shares.weights >= shares.communication)
    return {"kv-capacity", shares.weights / total, say("kv-capacity", "weights"_v = shares.weights / total)};
  if (shares.compute >= memory && shares.compute >= shares.communication && shares.compute >= shares.overhead)
    return {"compute", shares.compute / total,
            say("compute/serving", "compute"_v = shares.compute / total, "gpu"_v = gpu_name)};
  if (memory >= shares.communication && memory >= shares.overhead)
    return {"memory-bandwidth", memory / total, memory_reads(shares, total, gpu_name)};
  if (shares.communication >= shares.overhead)
    return {"communication", shares.communication / total,
            say("communication/serving", "communication"_v = shares.communication / total)};
  return {"host-overhead", shares.overhead / total, say("host-overhead", "overhead"_v = shares.overhead / total)};
}

std::vector<std::string> serving_not_modelled() {
  return {"Bursts beyond a Poisson stream of requests, and clients that give up or try again.",
          "Experts that are replicated or placed by their load, and overlap of communication with computation."};
}

}  // namespace podwright
