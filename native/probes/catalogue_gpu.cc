/// Probes of a GPU. Sizes of the calibration grid: docs/operator.md.
#include <algorithm>
#include <cmath>
#include <utility>

#include "measure/sample_summary.h"
#include "measure/verdict.h"
#include "probes/catalogue.h"
#include "probes/expert_rows.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

struct Weight {
  double n, k;
};

/// Bytes of one value of A or B, of one value of C, and the least and the last compute capability.
struct Format {
  const char* dtype;
  double bytes_each;
  double result_bytes;
  int capability;
  int last_capability = 1000;

  bool on(int device) const { return device <= 0 || (device >= capability && device <= last_capability); }
};
// Block-scaled formats also read one scale for 32 (MXFP8, 1 byte) or 16 (NVFP4, 1 byte) values. FP8 with scales of 128
// values (4 bytes) and of 128 x 128 weights: cuBLASLt multiplies it on 9.0 alone.
constexpr Format kFormats[] = {
    {"fp32", 4, 4, 0},
    {"tf32", 4, 4, 80},
    {"fp16", 2, 2, 70},
    {"bf16", 2, 2, 80},
    {"int8", 1, 4, 75},
    {"fp8", 1, 2, 89},
    {"fp8-block", 1, 2, 90, 90},
    {"mxfp8", 1 + 1.0 / 32, 2, 100},
    {"nvfp4", 0.5 + 1.0 / 16, 2, 100},
};

constexpr Weight kLargeWeight = {8192, 8192};

constexpr double kSmallMessage = 512 * kKiB;  // below it start-up times bind a collective

/// A layer of a dense model: hidden size, feed-forward size, heads of queries and of keys and values, head dimension.
struct Layer {
  double hidden, feed_forward, heads, groups, dimension;
  double weights() const { return hidden * ((heads + 2 * groups) * dimension + heads * dimension + 3 * feed_forward); }
};
// Shapes of 8 and 70 billion parameters with grouped attention.
constexpr Layer kLayers[] = {{4096, 14336, 32, 8, 128}, {8192, 28672, 64, 8, 128}};

/// A layer with experts: their number, hidden size, their feed-forward size, and how many of them one token goes to.
struct ExpertLayer {
  double experts, hidden, feed_forward, chosen;
};
// The catalog's mixtral-8x7b-v0.1, deepseek-v2-lite and deepseek-v3: experts, hidden_size, moe_ffn_hidden_size and
// experts_per_token, with the sources of these rows.
constexpr ExpertLayer kExpertLayers[] = {{8, 4096, 14336, 2}, {64, 2048, 1408, 6}, {256, 7168, 2048, 8}};

class Builder {
 public:
  Builder(const Machine& machine, RunMode mode) : machine_(machine), mode_(mode) {}

  std::vector<ProbeCase> take() {
    if (!quick()) rest();
    latencies();
    links();
    memory();
    products();
    decoding();
    if (!quick()) {
      collectives();
      attention();
      row_operations();
      experts();
      whole_layers();
      sustained();
      full_load();
    }
    return std::move(cases_);
  }

 private:
  bool quick() const { return mode_ == RunMode::quick; }
  bool on_cuda() const { return machine_.backend == "cuda"; }
  /// Is the compute capability known to be lower?
  bool below(int capability) const { return machine_.capability > 0 && machine_.capability < capability; }
  /// Do so many bytes fit into this share of the memory, as far as that is known?
  bool fits(double bytes, double share) const {
    return machine_.memory_bytes <= 0 || bytes <= share * machine_.memory_bytes;
  }

  ProbeCase& add(const std::string& probe, Heat heat, const char* dtype = "", const char* variant = "") {
    ProbeCase& one = cases_.emplace_back();
    one.probe = probe;
    one.dtype = dtype;
    one.variant = variant;
    one.heat = heat;
    one.back_to_back = machine_.backend == "fake";
    if (on_cuda()) one.prepare_s = 0.25;
    one.warm_up_s = quick() ? 0.1 : 0.5;
    one.budget_s = quick() ? 0.6 : 1.5;
    if (heat == Heat::latency) one.target = kLatencyTarget;
    return one;
  }

  /// The same with operands of a given number of bytes, of which an operation counts `times` as much.
  ProbeCase& add_bytes(const std::string& probe, Heat heat, double bytes, double times, const char* dtype = "",
                       const char* variant = "") {
    ProbeCase& one = add(probe, heat, dtype, variant);
    one.size.bytes = bytes;
    one.counted.bytes = times * bytes;
    one.work_bytes_per_byte = times;
    return one;
  }

  /// Makes it a product.
  void multiply(ProbeCase& one, double m, Weight weight, double bytes_each = 2, double result_bytes = 2) const {
    one.size.m = m;
    one.size.n = weight.n;
    one.size.k = weight.k;
    one.counted = product_work(m, weight.n, weight.k, bytes_each, result_bytes);
    searches(one, 1);
  }

  /// Its products are planned, each with a search of 0.3 s among the proposals of the library.
  void searches(ProbeCase& one, std::size_t products) const {
    if (on_cuda()) one.prepare_s += 0.35 * static_cast<double>(products);
  }

  void latencies() {
    for (const char* probe : {"launch.stream", "launch.graph"})
      add(probe, Heat::latency).size.batch = 1000;  // in a row; the time is that of one
    if (quick()) return;
    add("host.sync", Heat::latency);
    const double cache = machine_.cache_bytes > 0 ? machine_.cache_bytes : 50 * kMiB;
    for (const auto& [probe, bytes] : {std::pair{"lat.l2", cache / 2}, {"lat.dram", 4 * cache}})
      add(probe, Heat::latency).size.bytes = 128 * std::floor(bytes / 128);
  }

  void links() {
    std::vector<double> sizes = {1 * kMiB, 256 * kMiB};
    if (!quick()) sizes = {4 * kKiB, 64 * kKiB, 1 * kMiB, 16 * kMiB, 256 * kMiB, 1 * kGiB};
    for (const double bytes : sizes)
      for (const auto& [probe, ways] : {std::pair{"pcie.h2d", 1.0}, {"pcie.d2h", 1.0}, {"pcie.bidir", 2.0}})
        if (!quick() || ways == 1) add_bytes(probe, Heat::link, bytes, ways).smallest_bytes = 4 * kKiB;
    if (quick()) return;
    add("pcie.lat", Heat::latency);
    for (const char* probe : {"pcie.h2d", "pcie.d2h"}) add_bytes(probe, Heat::link, 64 * kMiB, 1, "", "pageable");
    // All pairs of few devices, else the next one in a ring.
    constexpr int kMostOfAllPairs = 8;
    for (int peer = 0; peer < machine_.devices; ++peer) {
      const bool next = peer == (machine_.device + 1) % machine_.devices;
      if (peer == machine_.device || (machine_.devices > kMostOfAllPairs && !next)) continue;
      add_bytes("p2p.matrix", Heat::link, 256 * kMiB, 1).peer = peer;
      add_bytes("p2p.bidir", Heat::link, 256 * kMiB, 2).peer = peer;
      add_bytes("p2p.read", Heat::link, 256 * kMiB, 1).peer = peer;
      add_bytes("p2p.lat", Heat::latency, 4 * kKiB, 1).peer = peer;
    }
  }

  /// A memory probe whose operands hold `bytes` each; what it counts is `arrays` times that.
  ProbeCase& stream(const char* probe, double bytes, double arrays) {
    ProbeCase& one = add_bytes(probe, Heat::memory, bytes, arrays, "fp32");
    one.smallest_bytes = 64 * kMiB;
    one.beyond_cache = arrays * bytes > 4 * machine_.cache_bytes;
    return one;
  }

  void memory() {
    constexpr std::pair<const char*, double> kLoops[] = {
        {"hbm.read", 1}, {"hbm.write", 1}, {"hbm.copy", 2}, {"hbm.triad", 3}};
    std::vector<double> sizes = {16 * kMiB, 256 * kMiB, 1 * kGiB};
    if (!quick()) sizes = {1 * kMiB, 4 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB, 1 * kGiB, 4 * kGiB};
    for (const auto& [probe, arrays] : kLoops)
      for (const double bytes : sizes) {
        if (quick() && arrays != 2 && bytes != 1 * kGiB) continue;
        if (fits(3 * bytes, 0.9)) stream(probe, bytes, arrays);
      }
    if (quick()) return;
    for (const double bytes : {256 * kMiB, 2 * kGiB}) stream("hbm.d2d_ce", bytes, 2);
    for (double row = 256; row <= 16 * kKiB; row *= 4) stream("hbm.gather", 256 * kMiB, 1).size.row_bytes = row;
    for (double bytes = 64 * kKiB; bytes <= 4 * std::max(machine_.cache_bytes, 4 * kMiB); bytes *= 2)
      stream("l2.read", bytes, 1).beyond_cache = false;
    ProbeCase& capacity = add("mem.capacity", Heat::memory);
    capacity.budget_s = capacity.warm_up_s = 0.01;
    // A pattern and its complement over nearly all memory, each written once and read twice. How much that is in the
    // end, the device tells.
    ProbeCase& integrity = add_bytes("mem.integrity", Heat::memory, 0.9 * machine_.memory_bytes, 6);
    integrity.back_to_back = true;
    integrity.warm_up_s = 0.01;
    integrity.budget_s = mode_ == RunMode::soak ? 20 : 2;
  }

  /// Between 2, 4, 8 and all devices of the run. One device alone is told that it has no partner.
  void collectives() {
    if (machine_.members.empty()) return;
    const std::size_t all = machine_.members.size();
    for (const std::size_t ranks : {2, 4, 8})
      if (ranks < all) collectives_of(ranks);
    collectives_of(all);
    overlaps(all);
    if (all < 2) return;
    all_reduce_variants(all);
    ProbeCase& memory = add("mem.nccl", Heat::collective);
    set_members(memory, all);
    memory.budget_s = memory.warm_up_s = 0.01;
  }

  void set_members(ProbeCase& one, std::size_t ranks) const {
    one.members.assign(machine_.members.begin(), machine_.members.begin() + static_cast<std::ptrdiff_t>(ranks));
    one.size.ranks = static_cast<double>(ranks);
  }

  void collectives_of(std::size_t ranks) {
    std::vector<double> sizes = {1 * kKiB, 8 * kKiB,  32 * kKiB,  128 * kKiB, 512 * kKiB, 2 * kMiB,
                                 8 * kMiB, 32 * kMiB, 128 * kMiB, 512 * kMiB, 2 * kGiB,   8 * kGiB};
    if (ranks < 2) sizes.resize(1);
    for (const char* probe :
         {"coll.allreduce", "coll.allgather", "coll.reducescatter", "coll.alltoall", "coll.sendrecv", "coll.broadcast"})
      for (const double bytes : sizes)
        if (buffers_fit(bytes)) collective(probe, ranks, bytes);
  }

  /// What is sent and what comes.
  bool buffers_fit(double bytes) const { return fits(2 * bytes, 0.8); }

  /// Every rank has an equal part, in whole values of two bytes.
  static double in_equal_parts(double bytes, std::size_t ranks) {
    const double part = 2 * static_cast<double>(ranks);
    return part * std::floor(bytes / part);
  }

  ProbeCase& collective(const char* probe, std::size_t ranks, double bytes, const char* variant = "") {
    ProbeCase& one = add_bytes(probe, Heat::collective, in_equal_parts(bytes, ranks), 1, "bf16", variant);
    set_members(one, ranks);
    one.beyond_cache = false;
    one.warm_up_s = 0.05;
    one.budget_s = 0.3;
    if (bytes <= kSmallMessage) one.target = kLatencyTarget;
    return one;
  }

  /// Other ways to the same sums: as graphs, where the host's part counts; without the switch and with registered
  /// buffers, where the links count.
  void all_reduce_variants(std::size_t ranks) {
    for (const double bytes : {1 * kKiB, 8 * kKiB, 32 * kKiB, 128 * kKiB, 512 * kKiB})
      collective("coll.allreduce", ranks, bytes, "graph");
    for (const double bytes : {32 * kMiB, 128 * kMiB, 512 * kMiB}) {
      if (!buffers_fit(bytes)) continue;
      collective("coll.allreduce", ranks, bytes, "registered");
      collective("coll.allreduce", ranks, bytes, "no_nvls").heat = Heat::collective_without_switch;
    }
  }

  /// A product during an all-reduce of all devices, and each alone. One device is told that it has no partner.
  void overlaps(std::size_t ranks) {
    const auto common = [&](const char* probe, double bytes, bool with_product) {
      ProbeCase& one = add(probe, Heat::collective, half_width());
      set_members(one, ranks);
      if (bytes > 0) one.size.bytes = in_equal_parts(bytes, ranks);
      if (with_product) {
        multiply(one, 4096, kLargeWeight);
        searches(one, ranks - 1);  // one device after the other
      } else {
        one.counted.bytes = *one.size.bytes;
      }
      one.warm_up_s = 0.1;
      one.budget_s = 0.5;
    };
    if (ranks < 2) return common("overlap", 64 * kMiB, true);
    common("overlap.product", 0, true);
    for (const double bytes : {8 * kMiB, 64 * kMiB, 256 * kMiB}) {
      common("overlap", bytes, true);
      common("overlap.collective", bytes, false);
    }
  }

  /// The 16-bit format that tensor cores of this device have.
  const char* half_width() const { return below(80) ? "fp16" : "bf16"; }

  /// Null where the device has no such format.
  ProbeCase* product(const Format& format, double m, Weight weight, const char* variant = "") {
    if (!format.on(machine_.capability)) return nullptr;
    ProbeCase& one = add(std::string("gemm.") + format.dtype, Heat::compute, format.dtype, variant);
    multiply(one, m, weight, format.bytes_each, format.result_bytes);
    return &one;
  }

  /// Does this run measure the format? Quick runs take the one that plans use most; int8 serves devices without FP8.
  bool takes(const Format& format) const {
    const std::string dtype = format.dtype;
    if (quick()) return dtype == half_width();
    return dtype != "int8" || below(89);
  }

  void products() {
    const std::vector<double> rows =
        quick() ? std::vector<double>{1, 64, 1024, 4096} : std::vector<double>{1, 8, 64, 256, 1024, 4096};
    std::vector<Weight> weights = {{1024, 1024}, {4096, 4096}, {8192, 8192}, {2048, 8192}, {8192, 2048}, {4096, 16384}};
    if (!quick()) weights.insert(weights.end(), {{5120, 5120}, {16384, 4096}});
    for (const Format& format : kFormats) {
      if (!takes(format)) continue;
      const std::string dtype = format.dtype;
      const bool blocks = dtype == "fp8-block";  // judged alone: no fit of plans takes it
      for (const double m : rows)
        for (const Weight& weight : weights)
          if (!blocks) product(format, m, weight);
      if (!quick() && (blocks || dtype == half_width() || dtype == "fp8" || dtype == "nvfp4")) verdict_set(format);
      if (quick()) continue;
      if (dtype == "fp8") product(format, 4096, kLargeWeight, "full_sums");
      if (dtype == half_width() && mode_ == RunMode::standard) best_products(format);
    }
  }

  /// The nine large shapes on which compute is judged.
  void verdict_set(const Format& format) {
    for (const LargeProduct& shape : kNineProducts) {
      const bool there = std::any_of(cases_.begin(), cases_.end(), [&](const ProbeCase& one) {
        return one.probe == std::string("gemm.") + format.dtype && one.size.m == shape.m && one.size.n == shape.n &&
               one.size.k == shape.k;
      });
      if (!there) product(format, shape.m, {shape.n, shape.k});
    }
  }

  /// The nine shapes with twice as many proposals of the library and 1.5 s for them, to show what the usual
  /// choice leaves.
  void best_products(const Format& format) {
    for (const LargeProduct& shape : kNineProducts)
      if (ProbeCase* one = product(format, shape.m, {shape.n, shape.k}, "best"); one != nullptr && on_cuda())
        one->prepare_s += 1.5;
  }

  /// Weights of eight distinct layers, read one after the other in a graph.
  void decoding() {
    std::vector<double> rows = quick() ? std::vector<double>{1, 16} : std::vector<double>{1, 2, 4, 8, 16, 32, 64};
    for (const Layer& layer : kLayers) {
      if (quick() && &layer != kLayers) break;
      for (const double m : rows) {
        constexpr double kChain = 8;
        ProbeCase& one = add("decode.weights", Heat::compute, "bf16");
        const double weights = kChain * layer.weights();
        one.size = {.m = m, .n = layer.hidden, .k = layer.feed_forward, .bytes = 2 * weights, .batch = kChain};
        one.groups = layer.groups;
        one.counted = {2 * weights, 2 * m * weights};
        searches(one, 4);
      }
    }
  }

  /// Between the products of a layer: few rows as in decoding, and many as in prompts and training.
  void row_operations() {
    if (below(80)) return;
    const Layer& layer = kLayers[1];
    for (const double rows : {16, 1024, 8192}) {
      const auto common = [&](const char* probe, double columns, double arrays) {
        ProbeCase& one = add(probe, Heat::memory, "bf16");
        one.size = {.m = rows, .n = columns};
        one.counted.bytes = 2 * arrays * rows * columns;
      };
      common("layer.norm_act", layer.hidden, 2);
      common("layer.norm_act.silu", layer.feed_forward, 3);
    }
  }

  /// Gate and up of all experts, for few and for many tokens, spread evenly and unevenly.
  void experts() {
    if (below(80)) return;
    for (const ExpertLayer& layer : kExpertLayers) {
      const double n = 2 * layer.feed_forward;
      const double k = layer.hidden;
      if (!fits(2 * layer.experts * n * k, 0.25)) continue;
      for (const double tokens : {64, 4096})
        for (const char* spread : {"uniform", "zipf"}) {
          const double m = tokens * layer.chosen;
          ProbeCase& one = add("moe.grouped", Heat::compute, "bf16", spread);
          one.size = {.m = m, .n = n, .k = k, .experts = layer.experts};
          const auto rows = expert_rows(static_cast<std::int64_t>(layer.experts), static_cast<std::int64_t>(m),
                                        one.variant == "zipf");
          const auto touched = static_cast<double>(experts_touched(rows));
          one.counted = {2 * (m * k + touched * n * k + m * n), 2 * m * n * k};
        }
    }
  }

  void attention() {
    const Layer& layer = kLayers[0];
    const auto common = [&](const std::string& probe, const char* dtype, const ProbeSize& size) -> ProbeCase& {
      const bool cudnn = probe.ends_with(".cudnn");
      ProbeCase& one = add(probe, cudnn ? Heat::cudnn : Heat::compute, dtype);
      one.size = size;
      one.size.m = layer.heads;
      one.size.k = layer.dimension;
      one.groups = layer.groups;
      // cuDNN makes its engines when they are planned; the first time it opens its parts as well.
      if (cudnn && on_cuda()) one.prepare_s += std::exchange(engines_made_, true) ? 0.5 : 2;
      return one;
    };
    // Keys and values of one token, of two bytes or one each.
    const auto decode = [&](const char* probe, const char* dtype, double bytes_of_value, double batch, double context,
                            double page) {
      const double bytes = batch * context * 2 * bytes_of_value * layer.groups * layer.dimension;
      if (!fits(bytes, 0.25)) return;
      common(probe, dtype, {.batch = batch, .context_tokens = context, .page_tokens = page}).counted = {
          bytes, 4 * batch * context * layer.heads * layer.dimension};
    };
    for (const double batch : {1, 16, 64, 256})
      for (const double context : {1024, 8192, 131072}) {
        for (const double page : {16, 64}) {
          decode("decode.attn", "bf16", 2, batch, context, page);
          if (!below(89)) decode("decode.attn", "fp8", 1, batch, context, page);
        }
        decode("decode.attn.cudnn", "bf16", 2, batch, context, 64);
      }
    // The reference counts the pairs that a prompt needs; the library's kernel works on all.
    for (const auto& [probe, flops_of_value] : {std::pair{"prefill.attn", 2.0}, {"prefill.attn.cudnn", 4.0}})
      for (const double context : {1024, 2048, 4096, 8192}) {
        ProbeCase& one = common(probe, "bf16", {.context_tokens = context});
        one.counted.flops = flops_of_value * context * context * layer.heads * layer.dimension;
        if (one.probe == "prefill.attn") searches(one, 2);
      }
  }

  /// An end-to-end check: one step of decoding.
  void whole_layers() {
    const Layer& layer = kLayers[0];
    ProbeCase& step = add("decode.step", Heat::layer, "bf16");
    step.size = {
        .m = 16, .n = layer.hidden, .k = layer.feed_forward, .batch = 16, .context_tokens = 1024, .page_tokens = 16};
    step.groups = layer.groups;
    searches(step, 4);
    step.counted.bytes = 8 * (2 * layer.weights() + 16 * 1024.0 * 4 * layer.groups * layer.dimension);
    step.counted.flops = 8 * (2 * 16 * layer.weights() + 4 * 16 * 1024.0 * layer.heads * layer.dimension);
  }

  void sustained() {
    for (const Format& format : kFormats) {
      const std::string dtype = format.dtype;
      if (dtype != "bf16" && dtype != "fp8") continue;
      lasting_product(format, "", mode_ == RunMode::soak ? 60 : 20);
      // All zeros toggle no bits: on a device at its power limit they run faster, which shows the limit.
      if (dtype == "bf16") lasting_product(format, "zeros", 6);
    }
  }

  void lasting_product(const Format& format, const char* variant, double seconds) {
    if (ProbeCase* one = product(format, 8192, kLargeWeight, variant); one != nullptr) {
      last(*one, Heat::sustained, seconds);
      one->sample_s = 0.02;
    }
  }

  /// Goes on without rest; the second half counts.
  static void last(ProbeCase& one, Heat heat, double seconds) {
    one.heat = heat;
    one.mode = ProbeMode::sustained;
    one.back_to_back = true;
    one.sample_s = 0.5;
    one.budget_s = seconds;
  }

  /// Power at rest, with a context open, as it is when a process waits for work.
  void rest() {
    ProbeCase& one = add("idle", Heat::idle);
    last(one, Heat::idle, mode_ == RunMode::soak ? 60 : 20);
    one.warm_up_s = 0.1;
  }

  /// The product that heats most, and next to it a stream through memory; where there are several devices, all of them
  /// at once with all-reduces between them. The longest one lasts a minute, or ten in a soak run.
  void full_load() {
    const double longest = mode_ == RunMode::soak ? 600 : 60;
    const bool several = machine_.members.size() > 1;
    soak("soak.stream", 10, false);
    soak("soak", machine_.devices > 1 ? std::min(longest, 60.0) : longest, true);
    if (several) {
      soak("soak.all", longest, true);
      set_members(cases_.back(), machine_.members.size());
      searches(cases_.back(), machine_.members.size() - 1);
    }
  }

  void soak(const char* probe, double seconds, bool with_product) {
    constexpr double kArray = 512 * kMiB;  // of the stream, and of the message
    constexpr double kArrays = 3;
    ProbeCase& one = add(probe, Heat::load, with_product ? half_width() : "fp32");
    last(one, Heat::load, seconds);
    one.warm_up_s = 0.1;
    one.size.bytes = kArray;
    if (with_product) multiply(one, 8192, kLargeWeight);
    one.counted.bytes += kArrays * kArray;
  }

  const Machine& machine_;
  RunMode mode_;
  bool engines_made_ = false;
  std::vector<ProbeCase> cases_;
};

}  // namespace

std::vector<ProbeCase> gpu_cases(const Machine& machine, RunMode mode) { return Builder(machine, mode).take(); }

}  // namespace podwright::probes
