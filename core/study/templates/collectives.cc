/// Collectives and the links that carry them.
#include "perf/collectives.h"
#include "architecture/switch_counts.h"
#include "base/arithmetic.h"
#include "base/stable_sort.h"
#include "perf/roofline.h"
#include "perf/step_arithmetic.h"
#include "perf/training_arithmetic.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr std::string_view kLinkedGpus[] = {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm",
                                            "v100-sxm2-32gb"};
constexpr DisplayUnit kMilliseconds{"_ms", "ms", 1e-3};

Traced<BytesPerSecond> link_of(Draft& d, const Gpu& gpu) {
  return d.fact(gpu, "link.gb_per_s_one_way", gpu.link_bandwidth_one_way);
}

void all_reduce_volume(Draft& d) {
  const double ranks = d.pick({4, 8, 16, 32});
  const double parameters = d.pick({1, 3, 7, 8, 13, 34, 70}) * 1e9;
  d.prompt({large_number(parameters), counted(ranks, "GPU")});
  const auto payload = named("gradients", payload_of(d.given("values", parameters), d.given("bytes_per_value", 2.0)));
  const auto sent = named("sent", all_reduce_traffic(d.given("ranks", ranks), payload));
  d.ask(unit::kGb, sent);
  d.wrong("rank-factor-forgotten", payload.value * 2.0);
  d.wrong("one-pass", all_gather_traffic(ranks, payload.value));
  d.wrong("sends-to-all", payload.value * (ranks - 1));
  d.wrong("other-width", sent.value * 2.0);
  d.wrong("bits-for-bytes", sent.value * 8.0);
  d.wrong("off-by-one", payload.value * (2.0 * (ranks - 1) / ranks * (ranks - 1) / ranks),
          "This takes the factor (N-1)/N twice.");
}

void all_reduce_time_of_step(Draft& d) {
  const Gpu& gpu = d.gpu(kLinkedGpus);
  const double ranks = d.pick({2, 4, 8});
  const double gigabytes = d.pick({0.5, 1, 2, 4, 8, 16});
  const auto one_way = link_of(d, gpu);
  d.prompt({counted(ranks, "GPU"), gpu.name, count_text(gigabytes), gpu.link_name,
            in_unit_text(2 * raw(one_way.value) / 1e9, "GB/s")});
  const auto time = named("time", all_reduce_time(d.given("ranks", ranks), d.given("payload", gb(gigabytes)), one_way,
                                                  d.given("start_up", seconds(0))));
  d.ask(kMilliseconds, time);
  open_gpu(d, gpu);
  d.wrong("both-ways-for-one-way", time.value / 2.0);
  d.wrong("rank-factor-forgotten", 2.0 * gb(gigabytes) / one_way.value);
  d.wrong("one-pass", gb(gigabytes) / one_way.value);
  d.wrong("sends-to-all", ranks * 2.0 * gb(gigabytes) / one_way.value);
  d.wrong("bits-for-bytes", time.value * 8.0);
  d.wrong("bytes-for-bits", time.value / 8.0);
}

void all_gather_time_of_shards(Draft& d) {
  const double ranks = d.pick({4, 8, 16});
  const double gbit = d.pick({100, 200, 400, 800});
  const double gigabytes = d.pick({2, 4, 8, 16, 32});
  d.prompt({counted(ranks, "GPU"), count_text(ranks), count_text(gigabytes), count_text(gbit)});
  const auto rate = named("link", bytes_of_line_rate(d.given("bits_per_second", gbit * 1e9)));
  const auto time = named("time", all_gather_time(d.given("ranks", ranks), d.given("payload", gb(gigabytes)), rate,
                                                  d.given("start_up", seconds(0))));
  d.ask(kMilliseconds, time, 0.02);
}

void nvlink_duplex(Draft& d) {
  const Gpu& gpu = d.gpu(kLinkedGpus);
  const double gigabytes = d.whole(2, 60);
  const auto both = named("both_ways", both_directions(link_of(d, gpu)));
  d.prompt({in_unit_text(raw(both.value) / 1e9, "GB/s"), gpu.link_name, with_article(gpu.name), count_text(gigabytes)});
  const auto one_way = named("one_way", one_direction(both));
  const auto time =
      named("time", point_to_point_time(d.given("data", gb(gigabytes)), one_way, d.given("start_up", seconds(0))));
  d.ask(kMilliseconds, time);
  open_gpu(d, gpu);
  d.wrong("both-ways-for-one-way", time.value / 2.0);
  d.wrong("bits-for-bytes", time.value * 8.0);
  d.wrong("bytes-for-bits", time.value / 8.0);
  d.wrong("one-way-for-both-ways", time.value * 2.0, "This halves twice; the sum of both directions is halved once.");
  d.wrong("per-link", time.value * 6.0, "This takes one link alone for the sum of a GPU's links.");
}

void gbit_gbyte(Draft& d) {
  const double gbit = d.pick({25, 100, 200, 400, 800});
  const double gigabytes = d.whole(10, 400, 10);
  d.prompt({count_text(gbit), count_text(gigabytes)});
  const auto rate = named("bytes_per_second", bytes_of_line_rate(d.given("bits_per_second", gbit * 1e9)));
  const auto time = named("time", transfer_time(d.given("file", gb(gigabytes)), rate));
  d.ask(unit::kSeconds, time);
  d.wrong("bytes-for-bits", time.value / 8.0);
  d.wrong("bits-for-bytes", time.value * 8.0);
  d.wrong("gib-for-gb", time.value * 1.073741824);
  d.wrong("both-ways-for-one-way", time.value / 2.0);
  d.wrong("one-way-for-both-ways", time.value * 2.0, "This halves the line rate; it holds for each direction.");
}

void node_injection(Draft& d) {
  const System& system = d.system({"dgx-a100", "dgx-h100", "dgx-h200", "dgx-b200", "dgx-b300"});
  const auto nic = d.fact(system, "compute_nic_gbit_per_s", system.compute_nic_bandwidth);
  const double nodes = d.whole(1, 40);
  d.prompt({upper_article(system.name), counted(*system.compute_nic_count, "compute NIC"),
            in_unit_text(raw(nic.value) * 8e-9, "Gb/s"), counted(nodes, "such system")});
  const auto links = named(
      "links", node_leaf_links(d.given("nodes", nodes), d.fact(system, "compute_nic_count", system.compute_nic_count),
                               d.given("planes", 1.0)));
  const auto rate = named("injection", injection(links, nic));
  d.ask(unit::kGbPerSecond, rate, 0.02);
  open_system(d, system);
}

void link_against_network(Draft& d) {
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"});
  const double gbit = d.pick({100, 200, 400, 800});
  const auto one_way = link_of(d, gpu);
  d.prompt(
      {upper_article(gpu.name), gpu.link_name, in_unit_text(2 * raw(one_way.value) / 1e9, "GB/s"), count_text(gbit)});
  const auto nic = named("nic", bytes_of_line_rate(d.given("bits_per_second", gbit * 1e9)));
  const auto times = named("times", one_way / nic);
  d.ask(unit::kNone, times);
  open_gpu(d, gpu);
  d.wrong("both-ways-for-one-way", times.value * 2);
  d.wrong("bits-for-bytes", times.value / 8);
  d.wrong("bytes-for-bits", times.value * 8);
  d.wrong("one-way-for-both-ways", times.value / 2, "This halves NVLink twice, or counts the NIC both ways.");
}

void pcie(Draft& d) {
  const double generation = d.whole(3, 5);
  const double gigabytes = d.whole(8, 160, 4);
  d.prompt({count_text(gigabytes), count_text(generation)});
  const auto rate = named("pcie", pcie_bandwidth(d.given("generation", generation)));
  const auto time = named("time", transfer_time(d.given("weights", gb(gigabytes)), rate));
  d.ask(unit::kSeconds, time);
  d.wrong("both-ways-for-one-way", time.value / 2.0);
  d.wrong("per-link", time.value * 16.0, "This is the time over one lane of the sixteen.");
  d.wrong("bits-for-bytes", time.value * 8.0);
  d.wrong("other-generation", time.value * 2.0, "This is the time over the generation before, at half the rate.");
}

void link_order(Draft& d) {
  struct Link {
    std::string name;
    Traced<BytesPerSecond> rate;
  };
  std::vector<Link> links;
  for (const double generation : {4.0, 5.0})
    links.push_back({"PCIe " + count_text(generation) + " x16",
                     named("pcie_" + count_text(generation),
                           pcie_bandwidth(d.given("generation_" + count_text(generation), generation)))});
  for (const double gbit : {100.0, 200.0, 400.0, 800.0})
    links.push_back(
        {"one network port of " + count_text(gbit) + " Gb/s",
         named("port_" + count_text(gbit), bytes_of_line_rate(d.given("bits_of_" + count_text(gbit), gbit * 1e9)))});
  for (const std::string_view id : {"a100-sxm4-80gb", "h100-sxm5-80gb", "b200-sxm"}) {
    const Gpu& gpu = **find_gpu(d.catalog(), id);
    const auto both = named("both_ways_of_" + gpu.id, both_directions(link_of(d, gpu)));
    links.push_back(
        {gpu.link_name + " of one " + gpu.architecture + " GPU", named("one_way_of_" + gpu.id, one_direction(both))});
  }
  d.shuffle(links);
  links.resize(4);
  sort_stably(links, [](const Link& a, const Link& b) { return a.rate.value < b.rate.value; });
  for (std::size_t i = 1; i < links.size(); ++i)
    if (!apart(raw(links[i - 1].rate.value), raw(links[i].rate.value))) return d.discard();
  d.prompt({});
  for (const Link& link : links) {
    d.show(unit::kGbPerSecond, link.rate);
    d.step(link.name, "It carries " + in_unit_text(raw(link.rate.value) / 1e9, "GB/s") + " one way.");
  }
}

constexpr Template kCollectiveTemplates[] = {
    {"t.allreduce-volume", all_reduce_volume},
    {"t.allreduce-time", all_reduce_time_of_step},
    {"t.allgather-time", all_gather_time_of_shards},
    {"t.nvlink-duplex", nvlink_duplex},
    {"t.gbit-gbyte", gbit_gbyte},
    {"t.node-injection", node_injection},
    {"t.nvlink-against-network", link_against_network},
    {"t.pcie-load", pcie},
    {"t.link-order", link_order},
};

}  // namespace

std::span<const Template> collective_templates() { return kCollectiveTemplates; }

}  // namespace podwright
