#include "probes/nccl_group.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "probes/backends.h"

namespace podwright::probes {
namespace {

constexpr const char* kAddress = "NCCL_COMM_ID";
constexpr const char* kInit = "ncclCommInitRankConfig";
constexpr const char* kTimeout = "nccl:timeout";
// What a trial says when the others are not there yet, or have just given a trial up.
constexpr std::array<std::string_view, 3> kAbsence{kTimeout, "nccl:2", "nccl:6"};
constexpr double kBetweenTrials = 0.5;
constexpr double kGoodBye = 10;  // seconds
// What a rank may say of itself, and all together: bytes. A profile without results has some thousand.
constexpr std::uint64_t kMostText = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostTexts = std::uint64_t{1} << 27;
constexpr double kMostNumber = 1e15;

void set_nccl_fault(PwFault& fault, int code, const char* call, Nccl::Comm comm) {
  const Nccl& nccl = Nccl::instance();
  std::string detail = std::string(call) + ": " + nccl.error_string(code);
  if (nccl.last_error != nullptr) detail += std::string(", ") + nccl.last_error(comm);
  set_fault(fault, "nccl:" + std::to_string(code), detail);
}

bool refuse(PwFault& fault, const char* reason, const std::string& detail) {
  set_fault(fault, reason, detail);
  return false;
}

}  // namespace

void make_readable(StepReport& report) {
  report.fault.reason[sizeof report.fault.reason - 1] = '\0';
  report.fault.detail[sizeof report.fault.detail - 1] = '\0';
  for (double& number : report.numbers) number = number >= 0 ? std::min(number, kMostNumber) : 0;
  if (report.code >= PW_OK && report.code <= PW_RENEW) return;
  report.code = PW_RENEW;
  set_fault(report.fault, "rank_lost", "it says what cannot be read");
}

std::string NcclGroup::make_id(PwFault& fault) {
  unsetenv(kAddress);
  Nccl::UniqueId id{};
  const int code = Nccl::instance().get_unique_id(&id);
  if (code == Nccl::kSuccess) return {id.bytes, sizeof id.bytes};
  set_nccl_fault(fault, code, "ncclGetUniqueId", nullptr);
  return "";
}

bool NcclGroup::init(const Nccl::UniqueId& id, int rank, int ranks, const Deadline& deadline, PwFault& fault) {
  rank_ = rank;
  ranks_ = ranks;
  Nccl::Config config;
  const int code = Nccl::instance().init_rank(&comm_, ranks, id, rank, &config);
  unsetenv(kAddress);
  return ended(code, comm_, kInit, deadline, fault);
}

bool NcclGroup::meet(const std::string& address, int rank, int ranks, double seconds, PwFault& fault) {
  const Deadline deadline(seconds);
  PwFault refusal{};
  while (true) {
    fault = {};
    // While the variable is set, an id is the address alone, and rank 0 listens there as it joins.
    setenv(kAddress, address.c_str(), 1);
    Nccl::UniqueId id{};
    if (const int code = Nccl::instance().get_unique_id(&id); code != Nccl::kSuccess)
      set_nccl_fault(fault, code, "ncclGetUniqueId", nullptr);
    else if (init(id, rank, ranks, deadline, fault))
      return true;
    abort();
    if (std::find(kAbsence.begin(), kAbsence.end(), fault.reason) == kAbsence.end()) refusal = fault;
    if (deadline.left() < kBetweenTrials) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(kBetweenTrials));
  }
  if (*refusal.reason != '\0') fault = refusal;
  if (std::strcmp(fault.reason, kTimeout) != 0) return false;
  return refuse(fault, "rank_lost",
                "not all " + std::to_string(ranks) + " ranks came within " +
                    std::to_string(static_cast<int>(seconds + 0.5)) + " s");
}

bool NcclGroup::join(const GroupSeat& seat, PwFault& fault) {
  seat_ = seat;
  Nccl::UniqueId id{};
  std::copy_n(seat.id.begin(), std::min(seat.id.size(), sizeof id.bytes), id.bytes);
  if (!init(id, seat.rank, static_cast<int>(seat.names.size()), Deadline(seat.patience_s), fault)) return false;
  for (const std::vector<int>& team : seat.teams) {
    const Deadline deadline(seat.patience_s);
    const bool mine = std::find(team.begin(), team.end(), rank_) != team.end();
    Nccl::Comm made = nullptr;
    Nccl::Config config;
    const int code = Nccl::instance().split(comm_, mine ? 0 : Nccl::kNoColor, rank_, &made, &config);
    if (!ended(code, comm_, "ncclCommSplit", deadline, fault)) return false;
    if (!mine) continue;
    teams_[team] = made;
    if (!ended(Nccl::kSuccess, made, "ncclCommSplit", deadline, fault)) return false;
  }
  return true;
}

bool NcclGroup::ended(int code, Nccl::Comm comm, const char* call, const Deadline& deadline, PwFault& fault) {
  const auto failed = [&] { return code != Nccl::kSuccess && code != Nccl::kInProgress; };
  auto device = GroupDevice::State::busy;
  while (!failed()) {
    int state = Nccl::kSuccess;
    code = Nccl::instance().async_error(comm, &state);
    if (code == Nccl::kSuccess) code = state;
    device = device_.state();
    if (code == Nccl::kSuccess && device == GroupDevice::State::idle) return true;
    if (device == GroupDevice::State::failed || deadline.left() <= 0) break;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (device == GroupDevice::State::failed)
    return refuse(fault, "device_fault", std::string("the device failed in ") + call);
  if (!failed()) return refuse(fault, kTimeout, std::string(call) + " did not end in time");
  set_nccl_fault(fault, code, call, comm);
  return false;
}

bool NcclGroup::gather(const void* own, void* all, std::size_t bytes, const Deadline& deadline, PwFault& fault) {
  constexpr const char* kCall = "ncclAllGather";
  if (comm_ == nullptr) return refuse(fault, "rank_lost", "the communicator was ended before");
  const std::size_t whole = bytes * static_cast<std::size_t>(ranks_);
  if (buffer_bytes_ < bytes + whole) {
    buffer_bytes_ = 2 * (bytes + whole);
    buffer_ = static_cast<char*>(device_.allocate(buffer_bytes_));
  }
  if (buffer_ == nullptr) return refuse(fault, "oom", "no memory for what the ranks tell each other");
  if (!device_.copy(buffer_, own, bytes)) return refuse(fault, "device_fault", "a copy to the device failed");
  const int code = Nccl::instance().all_gather(buffer_, buffer_ + bytes, bytes, Nccl::kInt8, comm_, device_.stream);
  // Only then back: a copy to plain memory would wait for the stream without an end.
  return ended(code, comm_, kCall, deadline, fault) &&
         (device_.copy(all, buffer_ + bytes, whole) ||
          refuse(fault, "device_fault", "a copy from the device failed")) &&
         ended(Nccl::kSuccess, comm_, kCall, deadline, fault);
}

std::vector<std::string> NcclGroup::gather_text(const std::string& own, double seconds, PwFault& fault) {
  const Deadline deadline(seconds);
  const std::uint64_t length = own.size();
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(ranks_));
  if (!gather(&length, lengths.data(), sizeof length, deadline, fault)) return {};
  const auto longest = std::max_element(lengths.begin(), lengths.end());
  const std::size_t most = *longest;
  if (most > kMostText || most > kMostTexts / lengths.size()) {
    refuse(fault, "nccl",
           "rank " + std::to_string(longest - lengths.begin()) + " says " + std::to_string(most) +
               " bytes of itself, which is too much");
    return {};
  }
  std::string padded = own;
  padded.resize(most);
  std::string all(most * lengths.size(), '\0');
  if (most > 0 && !gather(padded.data(), all.data(), most, deadline, fault)) return {};
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < lengths.size(); ++rank) texts.push_back(all.substr(rank * most, lengths[rank]));
  return texts;
}

std::vector<StepReport> NcclGroup::tell(const StepReport& own, PwFault& fault) {
  std::vector<StepReport> reports(static_cast<std::size_t>(ranks_));
  if (gather(&own, reports.data(), sizeof own, Deadline(seat_.patience_s), fault)) {
    std::for_each(reports.begin(), reports.end(), make_readable);
    return reports;
  }
  refuse(fault, "rank_lost", message_of(fault.reason, fault.detail));
  abort();
  return {};
}

Nccl::Comm NcclGroup::comm_of(const std::vector<int>& members) const {
  const auto team = teams_.find(members);
  return team == teams_.end() ? comm_ : team->second;
}

void NcclGroup::end(bool in_order) {
  const Nccl& nccl = Nccl::instance();
  std::vector<Nccl::Comm> all;
  for (const auto& [members, comm] : teams_) all.push_back(comm);
  all.push_back(comm_);
  teams_.clear();
  comm_ = nullptr;
  for (const Nccl::Comm comm : all) {
    if (comm == nullptr) continue;
    PwFault ignored{};
    if (in_order && ended(nccl.finalize(comm), comm, "ncclCommFinalize", Deadline(kGoodBye), ignored))
      nccl.destroy(comm);
    else
      nccl.abort(comm);
  }
}

}  // namespace podwright::probes
