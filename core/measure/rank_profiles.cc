#include "measure/rank_profiles.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "base/append.h"
#include "measure/sample_summary.h"
#include "measure/slow_nodes.h"

namespace podwright {
namespace {

constexpr int kFaultCode = 4;
constexpr std::size_t kFewRanks = 1000;
constexpr std::size_t kMostRanksOfAFile = 100;

/// Two devices of two nodes that send to each other.
bool is_pair(const ProbeResult& result) {
  return result.probe == "coll.sendrecv" && result.devices.size() == 2 && result.size.nodes && result.size.bytes &&
         result.usable();
}

/// When the first of those that waited in vain gave up, seconds since 1970; absent where none did.
std::optional<double> given_up(std::span<const ReadProfile> by_rank) {
  std::optional<double> first;
  for (const ReadProfile& one : by_rank)
    if (const auto& rank = one.profile.run.rank; rank && rank->came_s && rank->waited_s) {
      const double until = *rank->came_s + *rank->waited_s;
      first = std::min(first.value_or(until), until);
    }
  return first;
}

/// What kept a rank from the end; empty where nothing did that it is to be named for.
std::string how_lost(const ReadProfile& one, std::optional<double> others_gave_up) {
  if (one.digest.empty()) return "left no profile";
  const ProfileRank& rank = *one.profile.run.rank;
  switch (rank.part) {
    case RankPart::started:
      return "did not come to the end of measuring by itself";
    case RankPart::alone:
      return "measured by itself, and did not come to meet the others";
    case RankPart::together:
      return "met the others, and did not come to the end of measuring with them";
    case RankPart::waited:
      if (others_gave_up && rank.came_s.value_or(0) > *others_gave_up)
        return "was ready " + std::to_string(static_cast<long>(*rank.came_s - *others_gave_up + 0.5)) +
               " s after the first of the others had given up waiting";
      break;
    case RankPart::ended:
      break;
  }
  return "";
}

/// What pairs tell of each device: the median over its pairs, so that a slow one of four nodes is not all of them.
void add_pairs_of_devices(const std::vector<ProbeResult>& exchanges, std::vector<HardwareProfile>& by_rank) {
  std::map<std::pair<std::string, double>, std::vector<double>> times;
  for (const ProbeResult& one : exchanges)
    if (is_pair(one))
      for (const std::string& device : one.devices) times[{device, *one.size.bytes}].push_back(one.time_s->median);
  for (const auto& [where, of_device] : times) {
    ProbeResult typical;
    typical.probe = "coll.sendrecv";
    typical.devices = {where.first.substr(where.first.find('.') + 1)};
    typical.size.bytes = where.second;
    typical.size.ranks = typical.size.nodes = 2;
    typical.time_s = summary_of(std::vector<double>{median_of(of_device)});
    by_rank[static_cast<std::size_t>(std::atoi(where.first.c_str() + 1))].results.push_back(std::move(typical));
  }
}

void name_slow_nodes(std::span<const ReadProfile> by_rank, HardwareProfile& merged) {
  std::vector<HardwareProfile> profiles;
  for (const ReadProfile& one : by_rank) profiles.push_back(one.profile);
  add_pairs_of_devices(merged.exchanges, profiles);
  for (const SlowNode& slow : slow_nodes(profiles)) {
    const std::string takes = slowness_text(slow);
    if (!slow.limit.empty()) {
      merged.limits.push_back("Node " + std::to_string(slow.rank) + ": " + takes + ", which its limited " + slow.limit +
                              " accounts for; it is not called slow.");
      continue;
    }
    merged.health_events.push_back({"n" + std::to_string(slow.rank) + "." + slow.device, "slow_node", takes});
    merged.run.exit_code = std::max(merged.run.exit_code, 1);
  }
  if (by_rank.size() < kLeastNodes)
    merged.limits.emplace_back(
        "With fewer than four nodes no node can be singled out as slow; that rule was not applied.");
}

/// Those between ranks whose profiles are here become results, and the best rate of each pair a link.
void take_exchanges(HardwareProfile& merged) {
  std::map<std::pair<std::string, std::string>, double> best;
  const std::size_t all = merged.exchanges.size();
  std::erase_if(merged.exchanges, [&](const ProbeResult& one) {
    return std::any_of(one.devices.begin(), one.devices.end(),
                       [&](const std::string& device) { return find_device(merged, device) == nullptr; });
  });
  if (merged.exchanges.size() < all)
    merged.limits.push_back(std::to_string(all - merged.exchanges.size()) +
                            " results between ranks were left out, since one of their ranks left no profile.");
  for (const ProbeResult& one : merged.exchanges)
    if (const auto rate = one.bytes_per_s(); is_pair(one) && rate) {
      double& most = best[{one.devices[0], one.devices[1]}];
      most = std::max(most, *rate);
    }
  for (const auto& [pair, rate] : best)
    merged.links.push_back({pair.first, pair.second, "network", std::nullopt, rate});
}

/// merged_profiles() tells those of software.
std::vector<std::string> program_differences(const HardwareProfile& a, const HardwareProfile& b) {
  std::vector<std::string> differences;
  for (const auto& [what, one, other] :
       {std::tuple("program", a.tool.version, b.tool.version), std::tuple("backend", a.run.backend, b.run.backend)})
    if (one != other)
      differences.push_back("Different " + std::string(what) + ": \"" + one + "\" and \"" + other + "\".");
  return differences;
}

}  // namespace

std::vector<std::string> rank_differences(const HardwareProfile& a, const HardwareProfile& b) {
  std::vector<std::string> differences = program_differences(a, b);
  append(differences, version_differences(a.environment, b.environment));
  return differences;
}

Result<HardwareProfile> merged_ranks(std::span<const ReadProfile> profiles) {
  if (profiles.empty() || std::none_of(profiles.begin(), profiles.end(),
                                       [](const ReadProfile& one) { return one.profile.run.rank.has_value(); }))
    return merged_profiles(profiles);
  std::vector<ReadProfile> by_rank;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const auto& rank = profiles[i].profile.run.rank;
    const auto wrong = [&](const std::string& message) {
      return failure({"conflict", "/" + std::to_string(i), message, "Give the profiles of the ranks of one run."});
    };
    if (!rank) return wrong("This profile tells no rank, and another one does.");
    const auto ranks = static_cast<std::size_t>(rank->ranks);
    if (ranks > kFewRanks && ranks > kMostRanksOfAFile * profiles.size())
      return wrong("It is of a run of " + std::to_string(ranks) +
                   " ranks, of which fewer than one in a hundred left a profile.");
    if (by_rank.empty()) by_rank.resize(ranks);
    if (by_rank.size() != ranks || rank->rank >= rank->ranks)
      return wrong("It is of a run of another number of ranks.");
    ReadProfile& place = by_rank[static_cast<std::size_t>(rank->rank)];
    if (!place.digest.empty()) return wrong("Rank " + std::to_string(rank->rank) + " is given twice.");
    place = profiles[i];
  }
  auto merged = merged_profiles(by_rank);
  if (!merged) return merged;
  merged->run.mode = RunMode::cluster;
  const auto here = [](const ReadProfile& one) { return !one.digest.empty(); };
  const auto first = std::find_if(by_rank.begin(), by_rank.end(), here);
  for (std::size_t i = 0; i < by_rank.size(); ++i) {
    if (!here(by_rank[i])) continue;
    append(merged->exchanges, by_rank[i].profile.exchanges);
    for (const std::string& difference : program_differences(first->profile, by_rank[i].profile))
      merged->limits.push_back("Node " + std::to_string(i) + ": " + difference);
  }
  take_exchanges(*merged);
  if (by_rank.size() > 1) name_slow_nodes(by_rank, *merged);
  append(merged->results, std::exchange(merged->exchanges, {}));
  const auto others_gave_up = given_up(by_rank);
  for (std::size_t i = 0; i < by_rank.size(); ++i) {
    const std::string how = how_lost(by_rank[i], others_gave_up);
    if (how.empty()) continue;
    const std::string number = std::to_string(i);
    merged->health_events.push_back({"n" + number, "rank_lost", "Rank " + number + " " + how});
    merged->limits.push_back("Node " + number + " is missing: it " + how + ".");
    merged->run.complete = false;
  }
  if (!merged->run.complete) merged->run.exit_code = std::max(merged->run.exit_code, kFaultCode);
  return merged;
}

}  // namespace podwright
