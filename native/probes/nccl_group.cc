#include "probes/nccl_group.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "probes/backends.h"

namespace podwright::probes {
namespace {

constexpr const char* kAddress = "NCCL_COMM_ID";
constexpr const char* kTimeout = "nccl:timeout";
constexpr double kBetweenTrials = 0.5;
constexpr double kGoodBye = 10;  // seconds

void set_nccl_fault(PwFault& fault, int code, const char* call, Nccl::Comm comm) {
  const Nccl& nccl = Nccl::instance();
  std::string detail = std::string(call) + ": " + nccl.error_string(code);
  if (nccl.last_error != nullptr) detail += std::string(", ") + nccl.last_error(comm);
  set_fault(fault, "nccl:" + std::to_string(code), detail);
}

std::string whole_seconds(double seconds) { return std::to_string(static_cast<int>(seconds + 0.5)) + " s"; }

std::string digits_of(const Nccl::UniqueId& id) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : id.bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4U];
    text += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return text;
}

bool id_of(const std::string& digits, Nccl::UniqueId& id) {
  if (digits.size() != 2 * sizeof id.bytes) return false;
  for (std::size_t i = 0; i < sizeof id.bytes; ++i)
    id.bytes[i] = static_cast<char>(std::strtol(digits.substr(2 * i, 2).c_str(), nullptr, 16));
  return true;
}

}  // namespace

bool NcclGroup::library_here(PwFault& fault) const {
  const Nccl& nccl = Nccl::instance();
  if (!nccl.there()) set_fault(fault, "library_missing", nccl.missing);
  return nccl.there();
}

std::string NcclGroup::make_id(PwFault& fault) {
  if (!library_here(fault)) return "";
  unsetenv(kAddress);
  Nccl::UniqueId id{};
  const int code = Nccl::instance().get_unique_id(&id);
  if (code == Nccl::kSuccess) return digits_of(id);
  set_nccl_fault(fault, code, "ncclGetUniqueId", nullptr);
  return "";
}

int NcclGroup::begin(const Nccl::UniqueId& id, int rank, int ranks) {
  rank_ = rank;
  ranks_ = ranks;
  Nccl::Config config;
  const int code = Nccl::instance().init_rank(&comm_, ranks, id, rank, &config);
  return code == Nccl::kInProgress ? static_cast<int>(Nccl::kSuccess) : code;
}

bool NcclGroup::meet(const std::string& address, int rank, int ranks, double seconds, PwFault& fault) {
  if (!library_here(fault)) return false;
  const Deadline deadline(seconds);
  while (true) {
    setenv(kAddress, address.c_str(), 1);
    Nccl::UniqueId id{};
    int code = Nccl::instance().get_unique_id(&id);
    // Where the variable is set, rank 0 listens at it as it begins; the others have the address in the id.
    if (rank != 0) unsetenv(kAddress);
    if (code == Nccl::kSuccess) code = begin(id, rank, ranks);
    unsetenv(kAddress);
    fault = {};
    if (code != Nccl::kSuccess)
      set_nccl_fault(fault, code, "ncclCommInitRankConfig", comm_);
    else if (settle(comm_, deadline, "ncclCommInitRankConfig", fault))
      return true;
    abort();
    if (deadline.left() < kBetweenTrials) break;
    std::this_thread::sleep_for(std::chrono::duration<double>(kBetweenTrials));
  }
  if (std::strcmp(fault.reason, kTimeout) == 0)
    set_fault(fault, "rank_lost",
              "not all " + std::to_string(ranks) + " ranks came to " + address + " within " + whole_seconds(seconds));
  return false;
}

bool NcclGroup::join(const std::string& id, int rank, int ranks, double seconds, PwFault& fault) {
  if (!library_here(fault)) return false;
  Nccl::UniqueId read{};
  if (!id_of(id, read)) {
    set_fault(fault, "not_supported", "the id of the group cannot be read");
    return false;
  }
  unsetenv(kAddress);
  const int code = begin(read, rank, ranks);
  if (code == Nccl::kSuccess && settle(comm_, Deadline(seconds), "ncclCommInitRankConfig", fault)) return true;
  if (code != Nccl::kSuccess) set_nccl_fault(fault, code, "ncclCommInitRankConfig", comm_);
  return false;
}

bool NcclGroup::split(const std::vector<int>& members, double seconds, PwFault& fault) {
  const bool mine = std::find(members.begin(), members.end(), rank_) != members.end();
  const Deadline deadline(seconds);
  Nccl::Comm made = nullptr;
  Nccl::Config config;
  const int code = Nccl::instance().split(comm_, mine ? 0 : Nccl::kNoColor, rank_, &made, &config);
  if (code != Nccl::kSuccess && code != Nccl::kInProgress) {
    set_nccl_fault(fault, code, "ncclCommSplit", comm_);
    return false;
  }
  if (!settle(comm_, deadline, "ncclCommSplit", fault)) return false;
  if (!mine) return true;
  teams_[members] = made;
  return settle(made, deadline, "ncclCommSplit", fault);
}

bool NcclGroup::settle(Nccl::Comm comm, const Deadline& deadline, const char* call, PwFault& fault) {
  while (true) {
    int state = Nccl::kSuccess;
    const int code = Nccl::instance().async_error(comm, &state);
    const GroupDevice::State device = device_.state();
    if (code != Nccl::kSuccess || (state != Nccl::kSuccess && state != Nccl::kInProgress)) {
      set_nccl_fault(fault, code != Nccl::kSuccess ? code : state, call, comm);
      return false;
    }
    if (device == GroupDevice::State::failed) {
      set_fault(fault, "device_fault", std::string("the device failed in ") + call);
      return false;
    }
    if (state == Nccl::kSuccess && device == GroupDevice::State::idle) return true;
    if (deadline.left() <= 0) break;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  set_fault(fault, kTimeout, std::string(call) + " did not end in time");
  return false;
}

bool NcclGroup::gather(const void* own, void* all, std::size_t bytes, double seconds, PwFault& fault) {
  const Deadline deadline(seconds);
  const std::size_t whole = bytes * static_cast<std::size_t>(ranks_);
  if (comm_ == nullptr) {
    set_fault(fault, "rank_lost", "the communicator was ended before");
    return false;
  }
  if (buffer_bytes_ < bytes + whole) {
    buffer_bytes_ = 2 * (bytes + whole);
    buffer_ = static_cast<char*>(device_.allocate(buffer_bytes_));
  }
  if (buffer_ == nullptr) {
    set_fault(fault, "oom", "no memory for what the ranks tell each other");
    return false;
  }
  if (!device_.copy(buffer_, own, bytes)) {
    set_fault(fault, "device_fault", "a copy to the device failed");
    return false;
  }
  const int code = Nccl::instance().all_gather(buffer_, buffer_ + bytes, bytes, Nccl::kInt8, comm_, device_.stream);
  if (code != Nccl::kSuccess && code != Nccl::kInProgress) {
    set_nccl_fault(fault, code, "ncclAllGather", comm_);
    return false;
  }
  // Only then back: a copy to plain memory would wait for the stream without an end.
  if (!settle(comm_, deadline, "ncclAllGather", fault)) return false;
  return device_.copy(all, buffer_ + bytes, whole) && settle(comm_, deadline, "ncclAllGather", fault);
}

std::vector<std::string> NcclGroup::gather_text(const std::string& own, double seconds, PwFault& fault) {
  const auto count = static_cast<std::size_t>(ranks_);
  const std::uint64_t length = own.size();
  std::vector<std::uint64_t> lengths(count);
  if (!gather(&length, lengths.data(), sizeof length, seconds, fault)) return {};
  const std::size_t most = *std::max_element(lengths.begin(), lengths.end());
  std::string padded = own;
  padded.resize(most);
  std::string all(most * count, '\0');
  if (most > 0 && !gather(padded.data(), all.data(), most, seconds, fault)) return {};
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < count; ++rank) texts.push_back(all.substr(rank * most, lengths[rank]));
  return texts;
}

Nccl::Comm NcclGroup::comm_of(const std::vector<int>& members) const {
  const auto team = teams_.find(members);
  return team == teams_.end() ? comm_ : team->second;
}

void NcclGroup::leave() {
  const Nccl& nccl = Nccl::instance();
  std::vector<Nccl::Comm> all;
  for (const auto& [members, comm] : teams_) all.push_back(comm);
  if (comm_ != nullptr) all.push_back(comm_);
  for (const Nccl::Comm comm : all) {
    PwFault ignored{};
    const int code = nccl.finalize(comm);
    const bool fine = (code == Nccl::kSuccess || code == Nccl::kInProgress) &&
                      settle(comm, Deadline(kGoodBye), "ncclCommFinalize", ignored);
    if (fine)
      nccl.destroy(comm);
    else
      nccl.abort(comm);
  }
  teams_.clear();
  comm_ = nullptr;
}

void NcclGroup::abort() {
  for (const auto& [members, comm] : teams_) Nccl::instance().abort(comm);
  teams_.clear();
  if (comm_ != nullptr) Nccl::instance().abort(comm_);
  comm_ = nullptr;
}

}  // namespace podwright::probes
