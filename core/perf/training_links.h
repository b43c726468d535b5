#pragma once
/// Exchanges of a parallel group during training: inside a link domain first, then between nodes with what is left for
/// each rank. docs/method/training_time.md#exchanges.
#include "base/arithmetic.h"
#include "perf/collectives.h"
#include "perf/serving_performance.h"
#include "perf/training_arithmetic.h"
#include "perf/training_rates.h"
#include "perf/training_software.h"

namespace podwright {

/// Ranks of a group and the links between them.
template <class Tracer>
struct GroupLinks {
  Known<Tracer, double> ranks{};
  Known<Tracer, double> ranks_per_node{};
  Known<Tracer, double> nodes{};
  Known<Tracer, BytesPerSecond> inside{};
  Known<Tracer, Seconds> inside_start{};
  Known<Tracer, BytesPerSecond> across{};
  Known<Tracer, Seconds> across_start{};
};

template <class Tracer>
class TrainingLinks {
 public:
  template <class T>
  using Known = podwright::Known<Tracer, T>;
  using Link = typename TrainingRates<Tracer>::Link;

  /// `in_network`: switches between nodes add up what ranks reduce.
  TrainingLinks(Tracer& trace, TrainingRates<Tracer>& rates, const TrainingConstants<Tracer>& constants,
                bool in_network, Tuning tuning)
      : trace_(trace),
        in_network_(in_network),
        rates_(rates),
        link_rate_(constants(Efficiency::link_rate)),
        all_to_all_rate_(constants(Efficiency::all_to_all_rate)),
        link_start_(constants(Efficiency::link_start)),
        network_rate_(tuned_rate(constants, Efficiency::network_rate, tuning)),
        expert_network_rate_(tuned_rate(constants, Efficiency::expert_network_rate, tuning)),
        network_start_(tuning == Tuning::as_installed ? named("perf.network_start_as_installed",
                                                              constants.seconds(Efficiency::network_start_s) *
                                                                  constants(Efficiency::network_start_as_installed))
                                                      : constants.seconds(Efficiency::network_start_s)) {}

  /// `ranks` that stand `stride` GPUs apart. False, and missing_ranks() tells it, where a link is not known.
  bool group(const Known<double>& ranks, double stride, Link operation, GroupLinks<Tracer>& links) {
    const double count = value_of(ranks);
    const double per_node = ranks_inside(count, rates_.node() / stride);
    links.ranks = ranks;
    links.ranks_per_node = trace_.method("perf.ranks_per_node", per_node, kLinkPage);
    links.nodes = named("perf.nodes_of_group", ranks / links.ranks_per_node);
    if (per_node > 1) {
      const auto& inside = rates_.link(operation, per_node);
      const auto& start = rates_.start(per_node);
      if (!inside || !start) return missing(per_node);
      links.inside = named("perf.link_beside_computation",
                           *inside * (operation == Link::all_to_all ? all_to_all_rate_ : link_rate_));
      links.inside_start = named("perf.start_beside_computation", *start * link_start_);
    }
    if (per_node < count) {
      const auto& network = rates_.network();
      if (!network) return missing(0);
      links.across = named("perf.network_beside_computation",
                           *network * (operation == Link::all_to_all ? expert_network_rate_ : network_rate_));
      links.across_start = network_start_;
    }
    return true;
  }
  /// Which link is missing after group() said false; 0 ranks: the network.
  double missing_ranks() const { return missing_ranks_; }

  Known<Seconds> gather(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    return hierarchical(links, payload, Collective::all_gather);
  }
  Known<Seconds> all_reduce(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    return hierarchical(links, payload, Collective::all_reduce);
  }
  Known<Seconds> send(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    if (value_of(links.nodes) > 1)
      return named("perf.send_across", point_to_point_time(payload, links.across, links.across_start));
    return named("perf.send_inside", point_to_point_time(payload, links.inside, links.inside_start));
  }
  /// Bytes that pass over one link of the group.
  Known<Seconds> transfer(const GroupLinks<Tracer>& links, const Known<Bytes>& payload) {
    return named("perf.exchange_transfer",
                 transfer_time(payload, value_of(links.nodes) > 1 ? links.across : links.inside));
  }

 private:
  static Known<double> tuned_rate(const TrainingConstants<Tracer>& constants, Efficiency rate, Tuning tuning) {
    return named("perf.network_share", constants(rate) * constants.of_tuning(tuning, Efficiency::network_typical,
                                                                             Efficiency::network_as_installed));
  }
  bool missing(double ranks) {
    missing_ranks_ = ranks;
    return false;
  }

  enum class Collective { all_gather, all_reduce };

  static Known<Seconds> time_of(Collective collective, const Known<double>& ranks, const Known<Bytes>& payload,
                                const Known<BytesPerSecond>& bandwidth, const Known<Seconds>& start) {
    return collective == Collective::all_reduce ? all_reduce_time(ranks, payload, bandwidth, start)
                                                : all_gather_time(ranks, payload, bandwidth, start);
  }
  Known<Seconds> inside(const GroupLinks<Tracer>& links, const Known<Bytes>& payload, Collective collective) {
    return named("perf.collective_inside",
                 time_of(collective, links.ranks_per_node, payload, links.inside, links.inside_start));
  }

  Known<Seconds> hierarchical(const GroupLinks<Tracer>& links, const Known<Bytes>& payload, Collective collective) {
    const bool shared_node = value_of(links.ranks_per_node) > 1;
    const bool across = value_of(links.nodes) > 1;
    if (!across) return inside(links, payload, collective);
    const auto left =
        shared_node ? named("perf.payload_across_nodes", payload_across_nodes(payload, links.ranks_per_node)) : payload;
    const bool reduces = in_network_ && collective == Collective::all_reduce;
    const auto outer = reduces ? named("perf.reduce_in_network",
                                       in_network_reduce_time(links.nodes, left, links.across, links.across_start))
                               : named("perf.collective_across",
                                       time_of(collective, links.nodes, left, links.across, links.across_start));
    if (!shared_node) return outer;
    return sum_of(trace_, "perf.collective_time", inside(links, payload, collective), outer);
  }

  Tracer& trace_;
  bool in_network_;
  TrainingRates<Tracer>& rates_;
  Known<double> link_rate_;
  Known<double> all_to_all_rate_;
  Known<double> link_start_;
  Known<double> network_rate_;
  Known<double> expert_network_rate_;
  Known<Seconds> network_start_;
  double missing_ranks_ = 0;
};

}  // namespace podwright
