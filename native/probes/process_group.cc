#include "probes/process_group.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "probes/backends.h"
#include "probes/result_of_case.h"

namespace podwright::probes {
namespace {

/// A report as it travels: of one length, since the library gathers as many bytes of each.
struct Packed {
  std::int32_t code;
  std::int32_t count;
  double numbers[kMostNumbers];
  PwFault fault;
};

}  // namespace

bool ProcessGroup::join(PwFault& fault) {
  const int ranks = static_cast<int>(seat_.names.size());
  if (!library_.join(seat_.id, seat_.rank, ranks, seat_.patience_s, fault)) return false;
  for (const std::vector<int>& team : seat_.teams)
    if (!library_.split(team, seat_.patience_s, fault)) return false;
  return true;
}

std::optional<std::vector<StepReport>> ProcessGroup::tell(const StepReport& own) {
  Packed packed{.code = own.code, .count = static_cast<std::int32_t>(own.numbers.size()), .numbers = {}, .fault = {}};
  std::copy_n(own.numbers.begin(), std::min(own.numbers.size(), kMostNumbers), packed.numbers);
  set_fault(packed.fault, own.reason, own.detail);
  std::vector<Packed> all(seat_.names.size());
  PwFault fault{};
  if (!library_.gather(&packed, all.data(), sizeof packed, seat_.patience_s, fault)) {
    why_ = message_of(fault.reason, fault.detail);
    library_.abort();
    return std::nullopt;
  }
  std::vector<StepReport> reports;
  for (const Packed& one : all)
    reports.push_back({one.code, one.fault.reason, one.fault.detail, {one.numbers, one.numbers + one.count}});
  return reports;
}

std::optional<std::size_t> gravest(const std::vector<StepReport>& reports) {
  std::optional<std::size_t> worst;
  for (std::size_t rank = 0; rank < reports.size(); ++rank)
    if (reports[rank].code != PW_OK && (!worst || reports[rank].code > reports[*worst].code)) worst = rank;
  return worst;
}

}  // namespace podwright::probes
