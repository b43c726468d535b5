#include "calibration/rate_ceiling.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "measure/verdict.h"
#include "perf/ceilings.h"

namespace podwright {
namespace {

/// Boards run a little above the clocks of their data sheets, and files round.
constexpr double kAboveRoof = 1.02;
/// Where switches add up what passes them, a bus bandwidth says less of the links than of the formula that it comes
/// from: published runs of H100 reach 1.04 of the link. What nobody has reached by a tenth is not believed.
constexpr double kAboveSwitch = 1.10;

bool begins(std::string_view text, std::string_view part) { return text.substr(0, part.size()) == part; }

std::string bandwidth_text(double rate) { return rate_text(RateUnit::bytes_per_s, rate); }

std::optional<RateCeiling> of_host_link(const DeviceRoofs& roofs) {
  std::optional<HostLink> link = roofs.host_link;
  if (!link) link = roofs.host_link_sheet;
  if (!link) return std::nullopt;
  return RateCeiling{kAboveRoof * raw(link->bandwidth), say("ceiling/host-link", "link"_v = link->text(),
                                                            "most"_v = bandwidth_text(raw(link->bandwidth)))};
}

std::optional<RateCeiling> of_collective(const Catalog& catalog, const DeviceRoofs& roofs, std::string_view probe,
                                         const ProbeSize& size) {
  const double ranks = size.ranks.value_or(2);
  if (size.nodes.value_or(1) > 1) return std::nullopt;
  const bool in_domain = roofs.link && ranks <= roofs.gpu->link_domain_gpus.value_or(ranks);
  if (!in_domain) return of_host_link(roofs);
  const double link = raw(*roofs.link);
  const std::string most = bandwidth_text(link);
  if (!begins(probe, "coll.allreduce") || !switches_add(*roofs.gpu, ranks))
    return RateCeiling{kAboveRoof * link, say("ceiling/links", "most"_v = most)};
  const KernelRate* best = find_kernel_rate(catalog, roofs.gpu->id, "all-reduce-bus-bandwidth", "any", ranks);
  if (best == nullptr) return RateCeiling{kAboveSwitch * link, say("ceiling/links", "most"_v = most)};
  return RateCeiling{
      kAboveSwitch * std::max(link, best->high),
      say("ceiling/links-and-switch", "most"_v = most, "ranks"_v = best->ranks, "best"_v = bandwidth_text(best->high))};
}

std::vector<Message> doubts_about(std::string_view probe, const Gpu& gpu) {
  const Message match = say("doubt/match", "gpu"_v = gpu.name);
  if (begins(probe, "coll.")) return {say("doubt/unit"), say("doubt/bus"), say("doubt/collective"), match};
  if (begins(probe, "gemm.")) return {say("doubt/sparsity"), match};
  if (begins(probe, "pcie.") || begins(probe, "p2p.")) return {say("doubt/unit"), say("doubt/directions"), match};
  return {say("doubt/unit"), say("doubt/cache"), match};
}

}  // namespace

/// NVSwitch of the third generation and later, between more than two GPUs: NVIDIA's paper on Hopper.
bool switches_add(const Gpu& gpu, double ranks) {
  const bool switched = begins(gpu.link_name, "NVLink") && gpu.link_name.find("bridge") == std::string::npos;
  return switched && ranks > 2 && std::strtod(gpu.compute_capability.c_str(), nullptr) >= 9.0;
}

std::optional<RateCeiling> rate_ceiling(const Catalog& catalog, const DeviceRoofs& roofs, std::string_view probe,
                                        std::string_view dtype, const ProbeSize& size, double clock_ratio) {
  if (roofs.gpu == nullptr) return std::nullopt;
  if (begins(probe, "coll.")) return of_collective(catalog, roofs, probe, size);
  if (begins(probe, "pcie.")) return of_host_link(roofs);
  if (probe == "p2p.matrix") {
    if (!roofs.link) return of_host_link(roofs);
    return RateCeiling{kAboveRoof * raw(*roofs.link),
                       say("ceiling/links", "most"_v = bandwidth_text(raw(*roofs.link)))};
  }
  if (begins(probe, "gemm.")) {
    const auto peak = roofs.peak(dtype);
    if (!peak) return std::nullopt;
    return RateCeiling{kAboveRoof * std::max(1.0, clock_ratio) * raw(*peak),
                       say("ceiling/peak", "most"_v = rate_text(RateUnit::flops_per_s, raw(*peak)))};
  }
  if (!roofs.memory_bandwidth || !(begins(probe, "hbm.") || probe == "decode.weights")) return std::nullopt;
  const double most = raw(*roofs.memory_bandwidth);
  return RateCeiling{kAboveRoof * most, say("ceiling/memory", "most"_v = bandwidth_text(most))};
}

std::optional<Message> above_ceiling(const RateCeiling& ceiling, const ProfileVerdict& one, const Gpu& gpu) {
  if (!one.rate || one.rate->low <= ceiling.most) return std::nullopt;
  return say("rate-above", "probe"_v = probe_title(one.probe), "rate"_v = rate_text(one.unit, one.rate->rate),
             "ceiling"_v = ceiling.says, "doubts"_v = listed(doubts_about(one.probe, gpu)));
}

Message probe_title(std::string_view probe) {
  return template_of_word<"probe">(probe) == nullptr ? as_written(probe) : say_word<"probe">(probe);
}

Message listed(const std::vector<Message>& items) {
  if (items.empty()) return as_written("");
  Message all = items.back();
  for (std::size_t i = items.size() - 1; i-- > 0;) all = say("list/more", "first"_v = items[i], "rest"_v = all);
  return all;
}

}  // namespace podwright
