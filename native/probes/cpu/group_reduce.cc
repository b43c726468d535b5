#include "probes/cpu/group_reduce.h"

#include <chrono>
#include <numeric>

#include "probes/backends.h"
#include "probes/cluster/exchange.h"
#include "probes/cpu/operation.h"
#include "probes/elapsed.h"

namespace podwright::probes::cpu {
namespace {

constexpr double kPatience = 20;  // seconds for one message of a neighbour

int lost(PwFault& fault, const std::string& why) {
  set_fault(fault, "rank_lost", why.empty() ? "a neighbour in the ring went away" : why);
  return PW_RENEW;
}

}  // namespace

int GroupReduce::batch(std::int64_t count, PwBatch& batch, PwFault& fault) {
  const auto start = std::chrono::steady_clock::now();
  if (!group_->exchange("", kPatience)) return lost(fault, group_->why());
  batch.entry_wait_s = seconds_since(start);
  const auto times = ring_all_reduce(group_->next(), group_->previous(), group_->rank(), group_->ranks(),
                                     static_cast<double>(bytes_), static_cast<int>(count), kPatience);
  if (!times) return lost(fault, "");
  batch.seconds = std::accumulate(times->calls_s.begin(), times->calls_s.end(), 0.0);
  batch.wall_seconds = batch.seconds;
  return PW_OK;
}

int GroupReduce::verify(PwCheck& check, PwFault& fault) {
  const auto times = ring_all_reduce(group_->next(), group_->previous(), group_->rank(), group_->ranks(),
                                     static_cast<double>(bytes_), 0, kPatience);
  if (!times) return lost(fault, "");
  const auto values = static_cast<std::uint64_t>(bytes_) / sizeof(float);
  check = check_of(times->right ? 0 : 1, 0, 0, values, "every value, exact");
  return PW_OK;
}

}  // namespace podwright::probes::cpu
