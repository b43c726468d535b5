#include "calibration/rate_use.h"

#include <algorithm>
#include <string_view>

#include "calibration/reference_profile.h"

namespace podwright {
namespace {

/// How a rate of the probes compares with the rows of kernel_rates.csv that bear its name.
struct RateMethod {
  std::string_view operation;  ///< of kernel_rates.csv
  std::string_view probe;      ///< its id, or the beginning of it up to a full stop
  bool shared;                 ///< library and method are the table's, so that absolute rates may be compared
  std::string_view reason;
};
constexpr RateMethod kMethods[] = {
    {"gemm", "gemm.", false, "the table has an engine's products; the probes choose algorithms and clocks otherwise"},
    {"gemm", "cpu.gemm.", false, "the catalog has no products of processors"},
    {"weight-streaming", "decode.weights", false, "the table has an engine's products of at most 16 rows"},
    {"weight-streaming", "hbm.read", false, "a kernel of this project reads no weights"},
    {"weight-streaming", "cpu.stream.triad", true, "STREAM is the method itself"},
    {"kv-reading", "decode.attn", false, "the table has an engine's attention"},
    {"context-attention", "prefill.attn", false, "the table has an engine's attention"},
    {"all-reduce-bus-bandwidth", "coll.allreduce", false, "part of the table is an engine's own"},
    {"all-reduce-latency", "coll.allreduce", false, "the table was started by the host, the probe from a queue"},
    {"all-gather-bus-bandwidth", "coll.allgather", true, "NCCL at 512 MiB in the convention of nccl-tests, both"},
    {"all-to-all-bus-bandwidth", "coll.alltoall", false, "nccl-tests groups sends, the probe may call ncclAlltoAll"},
    {"host-link", "pcie.", true, "pinned copies by the copy engine, as nvbandwidth does them"},
};

bool shares_method(const HostRate& rate) {
  return std::any_of(std::begin(kMethods), std::end(kMethods), [&](const RateMethod& method) {
    const bool prefix = method.probe.ends_with('.');
    return method.shared && method.operation == rate.operation &&
           (prefix ? std::string_view(rate.probe).starts_with(method.probe) : method.probe == rate.probe);
  });
}

constexpr std::string_view kNoReference = "No reference profile of this GPU yet: verdicts only.";

void decide(const Catalog& catalog, bool known, bool referenced, HostRate& rate) {
  rate.use = RateUse::none;
  rate.why.clear();
  const bool shared = shares_method(rate);
  if (!known) {
    if (shared || !is_own_kernel(rate.way))
      rate.use = RateUse::absolute;
    else
      rate.why = "A kernel of this project (" + rate.way + ") says nothing of a vendor's.";
    return;
  }
  const bool row = find_exact_rate(catalog, rate) != nullptr;
  if (rate.against && row)
    rate.use = RateUse::relative;
  else if (shared)
    rate.use = RateUse::absolute;
  else if (!referenced)
    rate.why = kNoReference;
  else if (!row)
    rate.why = "The catalog has no such rate of this GPU that could be scaled.";
  else
    rate.why = "The reference profile of this GPU holds no result of the same probe, way, size and version.";
}

}  // namespace

const KernelRate* find_exact_rate(const Catalog& catalog, const KernelRate& like) {
  for (const KernelRate& rate : catalog.kernel_rates)
    if (same_quantity(rate, like)) return &rate;
  return nullptr;
}

void decide_uses(const Catalog& catalog, HostCalibration& host) {
  const bool known = find_gpu(catalog, host.gpu_id).has_value();
  const bool referenced =
      has_reference(catalog, host.gpu_id) ||
      std::any_of(host.rates.begin(), host.rates.end(), [](const HostRate& rate) { return rate.against.has_value(); });
  for (HostRate& rate : host.rates) {
    rate.gpu_id = host.gpu_id;
    decide(catalog, known, referenced, rate);
  }
}

KernelRate scaled_row(const KernelRate& row, const HostCalibration& host, const HostRate& rate) {
  const AgainstReference& against = *rate.against;
  const double ratio = against.host / against.reference;
  auto relative = std::make_shared<RelativeRate>();
  relative->catalog = row;
  relative->host.called = "host";
  relative->host.origin = "calibration/" + rate.gpu_id + "/" + rate.operation + "/" + rate.precision;
  relative->host.source = profile_source(host.profile_digest);
  relative->reference.called = "reference";
  relative->reference.origin = "reference/" + rate.gpu_id + "/" + rate.operation + "/" + rate.precision;
  relative->reference.source = against.source;
  if (rate.ranks > 1)
    for (CatalogItem* item : {&relative->host, &relative->reference})
      item->origin += "/" + std::to_string(static_cast<int>(rate.ranks));
  relative->host_rate = against.host;
  relative->reference_rate = against.reference;
  relative->half_width = against.half_width;
  KernelRate scaled = row;
  scaled.low = row.low * ratio;
  scaled.typical = row.typical * ratio;
  scaled.high = row.high * ratio;
  scaled.source = row.source + "; " + relative->host.source + "; " + against.source;
  scaled.relative = std::move(relative);
  return scaled;
}

std::optional<KernelRate> plan_rate(const Catalog& catalog, const HostCalibration& host, const HostRate& rate) {
  if (rate.use == RateUse::none) return std::nullopt;
  if (rate.use == RateUse::relative) return scaled_row(*find_exact_rate(catalog, rate), host, rate);
  KernelRate own = rate;
  own.source = profile_source(host.profile_digest);
  return own;
}

}  // namespace podwright
