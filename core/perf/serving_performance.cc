#include "perf/serving_performance.h"

#include "base/number_text.h"

namespace podwright {

namespace {

/// What is read, without what takes less than a two-hundredth of `total`.
std::string memory_reads(const TimeShares& shares, double total) {
  const auto percent = [&](double part) { return human_number(100 * part / total, 2) + " %"; };
  const std::string whole = percent(shares.weights + shares.kv) + " of the time";
  const double little = total / 200;
  if (shares.kv < little) return "Reading weights takes " + whole;
  if (shares.weights < little) return "Reading KV takes " + whole;
  return "Reading weights (" + percent(shares.weights) + ") and KV (" + percent(shares.kv) + ") takes " + whole;
}

}  // namespace

Binding binding_of(const TimeShares& shares, bool starved, const std::string& gpu_name) {
  const double memory = shares.weights + shares.kv;
  const double total = shares.compute + memory + shares.communication + shares.overhead;
  if (!(total > 0)) return {};
  const auto percent = [&](double part) { return human_number(100 * part / total, 2) + " %"; };
  if (starved && shares.weights >= shares.compute && shares.weights >= shares.kv &&
      shares.weights >= shares.communication)
    return {"kv-capacity", shares.weights / total,
            "The KV cache is full while " + percent(shares.weights) +
                " of the time goes into reading weights that more sequences would share: "
                "more memory per sequence (a narrower KV or weight format, more or larger GPUs) would remove it."};
  if (shares.compute >= memory && shares.compute >= shares.communication && shares.compute >= shares.overhead)
    return {"compute", shares.compute / total,
            "Matrix products and prompt attention take " + percent(shares.compute) + " of the time on " + gpu_name +
                ": more GPUs, faster ones or a narrower compute format would remove it."};
  if (memory >= shares.communication && memory >= shares.overhead)
    return {"memory-bandwidth", memory / total,
            memory_reads(shares, total) + " on " + gpu_name +
                ": more memory bandwidth (more tensor parallelism, faster GPUs) or narrower formats would remove it."};
  if (shares.communication >= shares.overhead)
    return {"communication", shares.communication / total,
            "Exchanges between GPUs take " + percent(shares.communication) +
                " of the time: less tensor parallelism or faster links would remove it."};
  return {"host-overhead", shares.overhead / total,
          "Launch and host work per layer takes " + percent(shares.overhead) +
              " of the time: more sequences per step would hide it, a faster GPU would not."};
}

std::vector<std::string> serving_not_modelled() {
  return {"Bursts beyond a Poisson stream of requests, and clients that give up or try again.",
          "Experts that are replicated or placed by their load, and overlap of communication with computation."};
}

}  // namespace podwright
