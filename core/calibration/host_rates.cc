#include "calibration/host_rates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/judged_rate.h"
#include "calibration/machine_formulas.h"
#include "calibration/reference_profile.h"
#include "calibration/usable_points.h"
#include "measure/sample_summary.h"
#include "measure/verdict.h"

namespace podwright {
namespace {

// The catalog's tables take memory beyond any cache, weights of few rows, and messages of 512 MiB.
constexpr double kLargeBytes = 256e6;
constexpr double kFewRows = 16;
constexpr double kTableMessage = 536870912;
/// Where nothing is that large, results of at least this share of the largest one's work stand in.
constexpr double kNearlyLargest = 0.25;

using Results = std::vector<const ProbeResult*>;

bool is_large_memory(const ProbeResult& result) { return result.counted.bytes >= kLargeBytes; }

double flops_of(const ProbeResult& result) { return result.counted.flops; }
double bytes_of(const ProbeResult& result) { return result.counted.bytes; }

/// Those that are large, or where none is those near the largest.
Results large_ones(const Results& results, bool is_large(const ProbeResult&), double work(const ProbeResult&)) {
  Results large;
  double most = 0;
  for (const ProbeResult* result : results) {
    if (is_large(*result)) large.push_back(result);
    most = std::max(most, work(*result));
  }
  if (!large.empty()) return large;
  for (const ProbeResult* result : results)
    if (work(*result) >= kNearlyLargest * most) large.push_back(result);
  return large;
}

/// The median over sizes with its interval from order statistics; of too few, all of them bound it.
void set_median(HostRate& rate, const std::vector<MeasuredRate>& of_sizes) {
  std::vector<double> rates;
  for (const MeasuredRate& one : of_sizes) rates.push_back(one.rate);
  std::sort(rates.begin(), rates.end());
  rate.typical = median_of(rates);
  if (const auto ranks = median_ranks(static_cast<int>(rates.size()))) {
    rate.low = rates[static_cast<std::size_t>(ranks->low - 1)];
    rate.high = rates[static_cast<std::size_t>(ranks->high - 1)];
    return;
  }
  rate.low = of_sizes.front().low;
  rate.high = of_sizes.front().high;
  for (const MeasuredRate& one : of_sizes) {
    rate.low = std::min(rate.low, one.low);
    rate.high = std::max(rate.high, one.high);
  }
}

/// Those of one way: of a library where there is one, else of a kernel of this project; ways do not mix.
Results of_one_way(const Results& results) {
  const ProbeResult* first = nullptr;
  for (const ProbeResult* result : results)
    if (first == nullptr || (is_own_kernel(way_of(*first)) && !is_own_kernel(way_of(*result)))) first = result;
  Results alike;
  for (const ProbeResult* result : results)
    if (way_of(*result) == way_of(*first)) alike.push_back(result);
  return alike;
}

double half_width_of(const MeasuredRate& rate) { return rate.low > 0 ? math::log(rate.high / rate.low) / 2 : 0; }

/// A size that this machine and the reference measured: both in FLOP/s, B/s or s.
struct SharedSize {
  MeasuredRate host;
  MeasuredRate reference;
};

/// Geometric means, whose quotient is the mean ratio of the sizes; errors of one run's sizes go together.
AgainstReference compared_with(const std::vector<SharedSize>& sizes, const std::string& source) {
  constexpr double kNormal95 = 1.96;
  const auto count = static_cast<double>(sizes.size());
  double host = 0, reference = 0, host_width = 0, reference_width = 0, squares = 0;
  for (const SharedSize& size : sizes) {
    host += math::log(size.host.rate) / count;
    reference += math::log(size.reference.rate) / count;
    host_width += half_width_of(size.host) / count;
    reference_width += half_width_of(size.reference) / count;
  }
  for (const SharedSize& size : sizes) {
    const double off = math::log(size.host.rate / size.reference.rate) - (host - reference);
    squares += off * off;
  }
  const double scatter = count > 1 ? kNormal95 * std::sqrt(squares / (count - 1) / count) : 0;
  AgainstReference against;
  against.host = count > 1 ? math::exp(host) : sizes.front().host.rate;
  against.reference = count > 1 ? math::exp(reference) : sizes.front().reference.rate;
  against.half_width = ratio_half_width(host_width, reference_width, scatter);
  against.sizes = count;
  against.source = source;
  return against;
}

class DeviceRates {
 public:
  DeviceRates(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device)
      : catalog_(catalog), device_(device) {
    for (const ProbeResult& result : profile.results)
      if (result.usable() && is_on(result, device))
        (result.mode == ProbeMode::burst ? usable_ : sustained_).push_back(&result);
  }

  std::vector<HostRate> take() {
    products();
    weights();
    key_value_caches();
    prompt_attention();
    collectives();
    host_link();
    return std::move(found_);
  }

 private:
  Results of_probe(std::string_view probe) const {
    Results kept;
    for (const ProbeResult* result : usable_)
      if (result->probe == probe) kept.push_back(result);
    return kept;
  }

  HostRate row(std::string_view operation, std::string_view precision, const ProbeResult& like,
               double ranks = 1) const {
    HostRate rate;
    rate.gpu_id = device_.key;
    rate.operation = operation;
    rate.precision = precision;
    rate.ranks = ranks;
    rate.probe = like.probe;
    rate.way = way_of(like);
    rate.probe_version = like.version;
    return rate;
  }

  /// The sizes that the reference has too; absent where it has none. `scale` turns the reference's figure of a result
  /// into the rate's own.
  template <class Scale>
  std::optional<AgainstReference> against(const Results& results, const Scale& scale) const {
    std::vector<SharedSize> shared;
    std::string source;
    for (const ProbeResult* result : results) {
      const ReferenceRate* row = reference_of(catalog_, device_.key, *result);
      const auto figure = reference_figure(*result);
      if (row == nullptr || !figure) continue;
      shared.push_back({scale(*result, *figure), scale(*result, {row->low, row->rate, row->high})});
      source = row->source;
    }
    if (shared.empty()) return std::nullopt;
    return compared_with(shared, source);
  }
  static MeasuredRate as_it_is(const ProbeResult&, const MeasuredRate& figure) { return figure; }

  void add(HostRate rate, const Results& from, double work(const ProbeResult&), const std::string& what) {
    std::vector<MeasuredRate> of_sizes;
    for (const ProbeResult* result : from)
      if (work(*result) > 0) of_sizes.push_back(rate_of(work(*result), *result->time_s));
    if (of_sizes.empty()) return;
    set_median(rate, of_sizes);
    if (!rate.against) rate.against = against(from, as_it_is);
    rate.note = what + " of " + device_.id + ", " + std::to_string(of_sizes.size()) +
                (of_sizes.size() == 1 ? " size" : " sizes");
    found_.push_back(std::move(rate));
  }

  /// The large sizes of one way.
  void add_large(std::string_view operation, std::string_view precision, const Results& results,
                 bool is_large(const ProbeResult&), double work(const ProbeResult&), const std::string& what) {
    if (results.empty()) return;
    const Results alike = of_one_way(results);
    add(row(operation, precision, *alike.front()), large_ones(alike, is_large, work), work, what);
  }

  /// Products that fill a format's units as the catalog means it; not those told as another variant of it.
  std::map<std::string, Results> products_by_precision(const Results& results) const {
    std::map<std::string, Results> by_precision;
    for (const ProbeResult* result : results) {
      const bool plain = result->probe == "gemm." + result->dtype || result->probe.starts_with("cpu.gemm.");
      const std::string precision = product_precision(result->dtype);
      if (plain && product_point(*result) && !precision.empty()) by_precision[precision].push_back(result);
    }
    return by_precision;
  }

  void products() {
    const std::map<std::string, Results> sustained = products_by_precision(sustained_);
    for (const auto& [precision, of_precision] : products_by_precision(usable_)) {
      const Results bursts = of_one_way(of_precision);
      HostRate rate = row("gemm", precision, *bursts.front());
      // What plans load lasts, and machines differ more at their power limit than in bursts.
      if (const auto lasting = sustained.find(precision); lasting != sustained.end())
        rate.against = against(lasting->second, as_it_is);
      add(std::move(rate),
          large_ones(
              bursts, [](const ProbeResult& r) { return is_large_product(r.size); }, flops_of),
          flops_of, "large " + precision + " matrix products");
    }
  }

  /// Weights of whole layers read in a row; without them the stream that a quick run and a processor measure.
  void weights() {
    Results layers;
    for (const ProbeResult* result : of_probe("decode.weights"))
      if (result->dtype == "bf16" && result->size.m.value_or(1) <= kFewRows) layers.push_back(result);
    if (!layers.empty())
      return add_large("weight-streaming", "bf16", layers, is_large_memory, bytes_of,
                       "weights of layers with at most 16 rows");
    const Results stream = of_probe(device_.kind == "cpu" ? "cpu.stream.triad" : "hbm.read");
    if (stream.empty()) return;
    const ProbeResult* largest =
        *std::max_element(stream.begin(), stream.end(),
                          [](const ProbeResult* a, const ProbeResult* b) { return bytes_of(*a) < bytes_of(*b); });
    add(row("weight-streaming", "bf16", *largest), {largest}, bytes_of, largest->probe + " at its largest size");
  }

  void key_value_caches() {
    std::map<std::string, Results> by_dtype;
    for (const ProbeResult* result : of_probe("decode.attn"))
      if (result->dtype == "bf16" || result->dtype == "fp8") by_dtype[result->dtype].push_back(result);
    for (const auto& [dtype, of_dtype] : by_dtype)
      add_large("kv-reading", dtype, of_dtype, is_large_memory, bytes_of, "decode attention over " + dtype + " caches");
  }

  void prompt_attention() {
    Results kernels;
    for (const ProbeResult* result : of_probe("prefill.attn"))
      if (result->dtype.empty() || result->dtype == "bf16") kernels.push_back(result);
    add_large(
        "context-attention", "bf16", kernels, [](const ProbeResult&) { return false; }, flops_of,
        "causal attention of prompts");
  }

  /// Bus bandwidth of the table's message, and the time of the smallest all-reduce.
  void collectives() {
    struct Collective {
      const char* probe;
      const char* operation;
      double once;  ///< share of a message that passes each link: this times (n - 1) / n
    };
    for (const Collective& one : {Collective{"coll.allreduce", "all-reduce-bus-bandwidth", 2},
                                  {"coll.allgather", "all-gather-bus-bandwidth", 1},
                                  {"coll.alltoall", "all-to-all-bus-bandwidth", 1}}) {
      std::map<double, Results> by_ranks;
      for (const ProbeResult* result : of_probe(one.probe))
        if (result->size.ranks.value_or(0) > 1 && result->size.bytes.value_or(0) > 0 &&
            result->size.nodes.value_or(1) == 1)
          by_ranks[*result->size.ranks].push_back(result);
      for (auto& [ranks, of_ranks] : by_ranks) {
        of_ranks = of_one_way(of_ranks);
        std::sort(of_ranks.begin(), of_ranks.end(),
                  [](const ProbeResult* a, const ProbeResult* b) { return *a->size.bytes < *b->size.bytes; });
        add_bus(row(one.operation, "any", *of_ranks.front(), ranks), one.once * (ranks - 1) / ranks, of_ranks);
        if (one.once == 2) add_start(row("all-reduce-latency", "any", *of_ranks.front(), ranks), *of_ranks.front());
      }
    }
  }
  void add_bus(HostRate bus, double passes, const Results& ascending) {
    const ProbeResult* largest = ascending.front();
    for (const ProbeResult* result : ascending)
      if (*result->size.bytes <= kTableMessage) largest = result;
    set_median(bus, {rate_of(passes * *largest->size.bytes, *largest->time_s)});
    bus.against = against({largest}, [passes](const ProbeResult& result, const MeasuredRate& time) {
      const double bytes = passes * *result.size.bytes;
      return MeasuredRate{bytes / time.high, bytes / time.rate, bytes / time.low};
    });
    bus.note = bus.probe + " at " + shortest_number(*largest->size.bytes / raw(mib(1))) + " MiB";
    found_.push_back(std::move(bus));
  }
  void add_start(HostRate start, const ProbeResult& smallest) {
    const MeasuredRate time = *reference_figure(smallest);
    start.low = time.low;
    start.typical = time.rate;
    start.high = time.high;
    start.against = against({&smallest}, as_it_is);
    start.note = start.probe + " at its smallest message";
    found_.push_back(std::move(start));
  }

  /// The slower direction of the largest copy.
  void host_link() {
    Results directions;
    for (const char* probe : {"pcie.h2d", "pcie.d2h"}) {
      const Results copies = of_probe(probe);
      const auto largest =
          std::max_element(copies.begin(), copies.end(),
                           [](const ProbeResult* a, const ProbeResult* b) { return bytes_of(*a) < bytes_of(*b); });
      if (largest != copies.end() && bytes_of(**largest) > 0) directions.push_back(*largest);
    }
    if (directions.empty()) return;
    const auto rate = [](const ProbeResult* result) { return bytes_of(*result) / result->time_s->median; };
    const ProbeResult* slower =
        *std::min_element(directions.begin(), directions.end(),
                          [&](const ProbeResult* a, const ProbeResult* b) { return rate(a) < rate(b); });
    HostRate link = row("host-link", "any", *slower);
    set_median(link, {rate_of(bytes_of(*slower), *slower->time_s)});
    link.against = against({slower}, as_it_is);
    link.note = "the slower direction of the largest copy between host and " + device_.id;
    found_.push_back(std::move(link));
  }

  const Catalog& catalog_;
  const ProfileDevice& device_;
  Results usable_;
  Results sustained_;
  std::vector<HostRate> found_;
};

}  // namespace

std::string product_precision(std::string_view dtype) {
  if (dtype == "nvfp4") return "fp4";
  for (const std::string_view word : {"bf16", "fp16", "tf32", "fp32", "fp8", "int8"})
    if (dtype == word) return std::string(word);
  return "";
}

std::vector<HostRate> host_rates(const Catalog& catalog, const HardwareProfile& profile, const ProfileDevice& device) {
  return DeviceRates(catalog, profile, device).take();
}

}  // namespace podwright
