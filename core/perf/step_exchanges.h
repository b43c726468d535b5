#pragma once
/// What GPUs exchange in a step: collectives of the layers and sends between pipeline stages.
/// docs/method/serving_time.md#exchanges.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "memory/serving_run.h"
#include "model/layers.h"
#include "perf/ceilings.h"
#include "perf/serving_software.h"
#include "perf/step_arithmetic.h"
#include "perf/step_costs.h"
#include "perf/step_rates.h"

namespace podwright {

inline constexpr const char* kExchangesPage = "docs/method/serving_time.md#exchanges";

/// Every two of `gpus` have a link of their own kind, NVLink as a rule.
inline bool directly_linked(const Gpu& gpu, double gpus) {
  return gpu.link_bandwidth_one_way && gpus <= gpu.link_domain_gpus.value_or(0);
}

/// What the fit says about exchanges on one GPU.
template <class Tracer>
struct LinkFactors {
  using Known = typename Tracer::template Known<double>;
  Known link_rate{};
  Known card_rate{};
  Known network{};
  Known per_exchange{};        ///< on the bandwidth
  Known per_group_exchange{};  ///< on the bandwidth
  Known link_start{};
  Known card_start{};
  Known group_start{};
  typename Tracer::template Known<Seconds> stage_start{};
};

/// A rate is divided by what a time is multiplied with.
template <class Tracer>
LinkFactors<Tracer> link_factors(Tracer& trace, const ServingEfficiency& efficiency, const Gpu& gpu,
                                 const TimeFactors<Tracer>& factors) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  const bool new_cards = gpu.pcie_generation.value_or(4) >= 5;
  const auto exchange = factors.starts;
  const auto start = [&](std::string_view id, C which) {
    return named(id, factor_product(exchange, constants(which)));
  };
  LinkFactors<Tracer> links;
  links.link_rate = constants(C::link_rate);
  links.card_rate = constants(new_cards ? C::link_rate_pcie_5 : C::link_rate_pcie);
  links.network = trace.constant("whole_network_rate", 1.0, "the network's measured rate");
  links.per_exchange = named("perf.exchange_rate_factor", rate_factor(factors.engine));
  links.per_group_exchange = named(
      "perf.group_exchange_rate_factor",
      rate_factor(named("perf.group_exchange_factor", factor_product(factors.engine, constants(C::group_exchange)))));
  links.link_start = start("perf.link_start_factor", C::all_reduce_start);
  links.card_start = start("perf.card_start_factor", C::all_reduce_start_pcie);
  links.group_start = start("perf.group_start_factor", C::group_exchange_start);
  links.stage_start = named("perf.stage_start", constants.seconds(C::stage_start_s) * exchange);
  return links;
}

/// A bandwidth with a factor of the fit, on cards within what their PCIe lanes carry.
template <class Tracer>
Known<Tracer, BytesPerSecond> exchange_rate(Tracer& trace, const Gpu& gpu, const Known<Tracer, BytesPerSecond>& link,
                                            double span, bool inside, const Known<Tracer, double>& factor) {
  const auto reached = named("perf.exchange_bandwidth", link * factor);
  if (!inside || directly_linked(gpu, span) || !gpu.pcie_generation) return reached;
  return named("perf.exchange_within_link",
               min(reached, named("perf.pcie_bandwidth",
                                  pcie_bandwidth(trace.fact(gpu, "pcie_generation", *gpu.pcie_generation)))));
}

/// Bandwidth of exchanges within one node, or over the network between nodes, before the fit's factors on exchanges.
template <class Tracer>
std::optional<Known<Tracer, BytesPerSecond>> exchange_bandwidth(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                                double ranks, double span, bool inside,
                                                                const LinkFactors<Tracer>& factors,
                                                                std::vector<std::string>& assumptions) {
  std::optional<Known<Tracer, BytesPerSecond>> bandwidth;
  if (inside) {
    bandwidth = node_ceiling(trace, catalog, gpu, "all-reduce-bus-bandwidth", ranks, assumptions);
  } else if (const System* system = system_with_network(catalog, gpu)) {
    bandwidth = network_ceiling(trace, catalog, *system);
  }
  if (!bandwidth) return std::nullopt;
  const auto& rate = !inside ? factors.network : directly_linked(gpu, span) ? factors.link_rate : factors.card_rate;
  return named("perf.link_bandwidth", *bandwidth * rate);
}

inline Infeasible no_link(const Gpu& gpu, double span, bool inside, std::string_view way_out) {
  return {.code = inside ? "link-unknown" : "network-unknown",
          .message = inside ? say("no-link/inside", "gpus"_v = span, "gpu"_v = gpu.name)
                            : say("no-link/nodes", "gpus"_v = span, "gpu"_v = gpu.name),
          .ways_out = {{way_out, 1}}};
}

/// Fills in bandwidth and start-up time of a collective; false where the links are not known.
template <class Tracer>
bool add_collective(Tracer& trace, const Catalog& catalog, const Gpu& gpu, StepCollective<Tracer> collective,
                    const LinkFactors<Tracer>& factors, EngineCosts<Tracer>& costs,
                    std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const double ranks = value_of(collective.ranks);
  const double span = value_of(collective.span);
  if (value_of(collective.count) <= 0 || ranks <= 1) return true;
  const bool inside = span <= node_gpus(catalog, gpu);
  const auto bandwidth = exchange_bandwidth(trace, catalog, gpu, ranks, span, inside, factors, assumptions);
  const auto start_up = start_up_time(trace, catalog, gpu, "all-reduce-latency", ranks, assumptions);
  if (!bandwidth || !start_up) {
    reasons.push_back(no_link(
        gpu, span, inside, collective.kind == Kind::point_to_point ? "/parallelism/pipeline" : "/parallelism/tensor"));
    return false;
  }
  const bool group = collective.kind == Kind::group;
  collective.bandwidth =
      exchange_rate(trace, gpu, *bandwidth, span, inside, group ? factors.per_group_exchange : factors.per_exchange);
  collective.start_up =
      collective.kind == Kind::point_to_point
          ? factors.stage_start
          : named("perf.exchange_start", *start_up * (group                        ? factors.group_start
                                                      : directly_linked(gpu, span) ? factors.link_start
                                                                                   : factors.card_start));
  costs.collectives.push_back(collective);
  return true;
}

/// Whole experts on more GPUs than a node of eight has: engines send tokens to their experts instead of gathering all
/// of them everywhere.
inline bool wide_group(const ServingParallelism& parallelism) {
  const double gpus = parallelism.tensor * parallelism.attention_data;
  return gpus > 8 && parallelism.expert == gpus;
}

/// Tokens to their experts and back over a wide group: links within a node and the network between nodes work at the
/// same time, and the slower of them counts.
template <class Tracer>
bool add_dispatch(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const Model& model,
                  StepCollective<Tracer> collective, const LinkFactors<Tracer>& factors, EngineCosts<Tracer>& costs,
                  std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const double gpus = value_of(collective.ranks);
  const double node = node_gpus(catalog, gpu);
  const bool inside = gpus <= node;
  const auto links =
      exchange_bandwidth(trace, catalog, gpu, std::min(gpus, node), std::min(gpus, node), true, factors, assumptions);
  const auto start_up = start_up_time(trace, catalog, gpu, "all-reduce-latency", gpus, assumptions);
  if (!links || !start_up) {
    reasons.push_back(no_link(gpu, gpus, true, "/parallelism/attention_data"));
    return false;
  }
  const auto chosen = trace.fact(model, "experts_per_token", model.experts_per_token);
  auto copies = named("perf.copies_to_gpus", copies_sent(collective.ranks, chosen));
  auto bandwidth = exchange_rate(trace, gpu, *links, std::min(gpus, node), true, factors.per_group_exchange);
  if (!inside) {
    const auto network = exchange_bandwidth(trace, catalog, gpu, gpus, gpus, false, factors, assumptions);
    if (!network) {
      reasons.push_back(no_link(gpu, gpus, false, "/parallelism/attention_data"));
      return false;
    }
    const auto nodes = trace.method("perf.nodes_of_group", std::ceil(gpus / node), kExchangesPage);
    const auto to_nodes = named("perf.copies_to_nodes", copies_sent(nodes, chosen));
    if (value_of(to_nodes) / value_of(*network) > value_of(copies) / value_of(bandwidth)) {
      copies = to_nodes;
      bandwidth = *network;
    }
  }
  const bool narrow = arithmetic_bits(costs.gemm_precision) < 16;
  collective.kind = Kind::dispatch;
  collective.token_share =
      named("perf.dispatched_share",
            dispatched_share(copies,
                             trace.constant("dispatched_bytes_per_value", narrow ? 1.0 : 2.0,
                                            "tokens go out in 8 bit to narrower products"),
                             trace.constant("combined_bytes_per_value", 2.0, "results come back in 16 bit"),
                             collective.ranks));
  collective.bandwidth = bandwidth;
  collective.start_up = named("perf.exchange_start", *start_up * factors.group_start);
  costs.collectives.push_back(collective);
  return true;
}

/// Two exchanges a layer (after attention, after the MLP), and one send between pipeline stages.
template <class Tracer>
bool add_collectives(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const Model& model, const LayerStack& stack,
                     const ServingRun& run, const LinkFactors<Tracer>& factors, EngineCosts<Tracer>& costs,
                     std::vector<std::string>& assumptions, std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const ServingParallelism& parallelism = run.parallelism;
  double mixers = 0;
  double dense = 0;
  double moe = 0;
  for (const LayerKind& kind : stack.kinds) {
    if (kind.attention != AttentionKind::none) mixers += kind.count;
    if (kind.mlp == MlpKind::dense) dense += kind.count;
    if (kind.mlp == MlpKind::moe) moe += kind.count;
  }
  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto attention_data = trace.input("/parallelism/attention_data", parallelism.attention_data);
  const auto group = named("perf.gpus_of_group", tensor * attention_data);
  const auto width = trace.fact(model, "hidden_size", model.hidden_size);
  const auto attention_share = named("perf.token_share", 1.0 / attention_data);
  const auto gpu_share = named("perf.token_share", 1.0 / group);
  const bool replicas_of_attention = parallelism.attention_data > 1;
  const auto add = [&](Kind kind, double count, const auto& ranks, const auto& span, const auto& token_share,
                       const auto& message_width) {
    return add_collective(trace, catalog, gpu,
                          {.kind = kind,
                           .count = trace.method("perf.exchanges", count, kExchangesPage),
                           .ranks = ranks,
                           .span = span,
                           .token_share = token_share,
                           .width = message_width,
                           .bandwidth = {},
                           .start_up = {}},
                          factors, costs, assumptions, reasons);
  };
  if (!add(Kind::all_reduce, mixers + dense + (replicas_of_attention ? 0 : moe), tensor, tensor, attention_share,
           width))
    return false;
  if (replicas_of_attention && moe > 0 && !wide_group(parallelism) && !add(Kind::group, moe, group, group, 1.0, width))
    return false;
  if (replicas_of_attention && moe > 0 && wide_group(parallelism) &&
      !add_dispatch(trace, catalog, gpu, model,
                    {.kind = Kind::dispatch,
                     .count = trace.method("perf.exchanges", moe, kExchangesPage),
                     .ranks = group,
                     .span = group,
                     .token_share = {},
                     .width = width,
                     .bandwidth = {},
                     .start_up = {}},
                    factors, costs, assumptions, reasons))
    return false;
  if (parallelism.pipeline > 1) {
    const auto two = 2.0;
    const auto span = named("perf.gpus_of_replica", group * trace.input("/parallelism/pipeline", parallelism.pipeline));
    if (!add(Kind::point_to_point, parallelism.pipeline - 1, two, span, gpu_share, width)) return false;
  }
  return true;
}

}  // namespace podwright
