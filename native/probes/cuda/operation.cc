#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

/// Compute capabilities of a format.
struct Needed {
  const char* dtype;
  int least;
  int last = 1000;
};
constexpr Needed kNeeded[] = {{"tf32", 80},          {"bf16", 80},   {"fp8", 89},
                              {"fp8-block", 90, 90}, {"mxfp8", 100}, {"nvfp4", 100}};

std::string capability_text(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

bool format_possible(const std::string& dtype, int capability, PwFault& fault) {
  for (const Needed& needed : kNeeded) {
    if (dtype != needed.dtype || (capability >= needed.least && capability <= needed.last)) continue;
    set_fault(fault, "not_supported",
              dtype + " needs compute capability " + capability_text(needed.least) + ", this device has " +
                  capability_text(capability));
    return false;
  }
  return true;
}

}  // namespace

std::unique_ptr<Operation> make_operation(const std::string& probe) {
  for (auto* make : {&make_memory, &make_link, &make_product, &make_layer, &make_collective, &make_load})
    if (auto operation = make(probe)) return operation;
  return nullptr;
}

bool possible(const PwCase& one, int capability, PwFault& fault) {
  const std::string probe = one.probe;
  if (!make_operation(probe)) {
    set_fault(fault, "not_supported", "the CUDA backend has no " + probe);
    return false;
  }
  const bool copies = probe.rfind("pcie.", 0) == 0;
  if (copies && one.ranks == 1) {
    set_fault(fault, "one_device", "copies of all devices at once need a second one");
    return false;
  }
  const bool collective = !copies && (one.ranks > 0 || probe.rfind("coll.", 0) == 0);
  if (collective && !collective_possible(one, fault)) return false;
  return format_possible(one.dtype, capability, fault);
}

bool OpenDevice::open(int device, Checked& checked) {
  cudaDeviceProp properties{};
  if (!checked(cudaSetDevice(device), "cudaSetDevice") ||
      !checked(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties"))
    return false;
  facts.number = device;
  facts.multiprocessors = properties.multiProcessorCount;
  facts.capability = 10 * properties.major + properties.minor;
  facts.l2_bytes = static_cast<std::size_t>(properties.l2CacheSize);
  facts.workspace_bytes = (facts.capability >= 90 ? 32U : 4U) << 20U;
  if (!stream.create(checked)) return false;
  facts.stream = stream;
  return true;
}

bool allocate_normal(Memory& memory, Format format, std::size_t values, std::uint64_t seed, cudaStream_t stream,
                     Checked& checked) {
  if (!memory.allocate(bytes_of(format, values), checked)) return false;
  fill_normal(memory.as<void>(), format, values, seed, stream);
  return checked(cudaGetLastError(), "fill");
}

PwCheck check_of(bool right, std::uint64_t checked_values, const char* note) {
  PwCheck check{};
  check.status = right ? PW_CHECK_PASS : PW_CHECK_FAIL;
  check.checked = checked_values;
  std::strncpy(check.note, note, sizeof check.note - 1);
  return check;
}

PwCheck TimedOperation::verify(Checked&) {
  PwCheck check = check_of(true, 0, "nothing is computed");
  check.status = PW_CHECK_NONE;
  return check;
}

PwCheck Findings::read(double tolerance, std::uint64_t checked_values, const char* note, cudaStream_t stream,
                       Checked& checked) const {
  double found[2] = {};
  checked(cudaGetLastError(), "check");
  read_back(found, memory_.as<void>(), sizeof found, stream, checked);
  PwCheck check = check_of(found[0] <= tolerance && found[1] == 0, checked_values, note);
  check.worst = found[0];
  check.tolerance = tolerance;
  check.nan_count = static_cast<std::uint64_t>(found[1]);
  return check;
}

JoinedCheck::JoinedCheck(const char* note) : all_(check_of(true, 0, note)) { all_.tolerance = 1; }

void JoinedCheck::take(const PwCheck& one) {
  all_.worst = std::max(all_.worst, one.tolerance > 0 ? one.worst / one.tolerance : one.worst);
  all_.nan_count += one.nan_count;
  all_.checked += one.checked;
  if (one.status == PW_CHECK_PASS || all_.status == PW_CHECK_FAIL) return;
  all_.status = PW_CHECK_FAIL;
  std::memcpy(all_.note, one.note, sizeof all_.note);
}

}  // namespace podwright::probes::cuda
