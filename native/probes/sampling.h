#pragma once
/// Measures one case with a backend: warm-up, samples until the stop rule ends them, check of the output.
#include <string>

#include "measure/probe_result.h"
#include "probes/backend.h"
#include "probes/probe_case.h"

namespace podwright::probes {

enum class CaseEnd {
  measured,
  skipped,  ///< reason and detail say why; the next case may go well
  sticky,   ///< the device can measure no more
  renew,    ///< skipped, and the next case needs a fresh process
};
constexpr int values_of(CaseEnd) { return static_cast<int>(CaseEnd::renew) + 1; }

struct Measured {
  CaseEnd end = CaseEnd::measured;
  std::string reason;
  std::string detail;
  /// Samples, check, context, load, algorithm, and the operand's bytes in the end, where memory was refused for more.
  ProbeResult result;
  bool precise = false;
  double clock_resolution_s = 0;
  double checked = 0;  ///< values, or bytes, that were looked at
  std::string check_note;
  /// The host link at its best while the case ran.
  std::optional<double> pcie_generation;
  std::optional<double> pcie_width;

  static void fields(auto& one, const auto& visit) {
    visit("end", one.end, "reason", one.reason, "detail", one.detail, "result", one.result, "precise", one.precise,
          "clock_resolution_s", one.clock_resolution_s, "checked", one.checked, "check_note", one.check_note,
          "pcie_generation", one.pcie_generation, "pcie_width", one.pcie_width);
  }
};

/// With `others` the case is a collective of several processes: each runs the same case, times are those of the slowest
/// of its members, and what one of them cannot do none does. A rank that is no member keeps step and measures nothing.
Measured measure_case(const PwBackend& backend, void* session, const ProbeCase& one, double seed,
                      NcclGroup* others = nullptr);

/// Names of the reason bits of NVML, in the words of the profile; "bit_0x..." for those without a name.
std::vector<std::string> reason_words(std::uint64_t bits);

}  // namespace podwright::probes
