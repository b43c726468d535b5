/// Failures, checkpoints and the storage that takes them.
#include <cmath>

#include "architecture/storage_plan.h"
#include "base/arithmetic.h"
#include "cost/fleet_cost.h"
#include "reliability/checkpoint.h"
#include "reliability/failures.h"
#include "reliability/fleet.h"
#include "reliability/goodput.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr std::string_view kFailingRunModels[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen2.5-14b", "qwen2.5-32b",
                                                  "yi-34b",       "llama-2-70b",   "llama-2-13b", "falcon-40b"};
constexpr DisplayUnit kMinutes{"_min", "min", 60.0};

/// The calendar of some training on so many GPUs, each of which fails once in so many hours. Which training it is does
/// not change how often it fails, nor what checkpoints and restarts cost; `fill` says those.
template <class Fill>
void open_calendar(Draft& d, double gpus, double hours_of_one, const Fill& fill) {
  const Model& model = **find_model(d.catalog(), "llama-3.1-8b");
  open_sharded_training(d, model, "h100-sxm5-80gb", gpus, 1, [&](JsonWriter& r) {
    r.number("tokens", 1e12);
    r.number("gpu_hours_per_failure", hours_of_one);
    fill(r);
  });
}

/// A job of which the question tells only how often it fails as a whole.
constexpr double kAnyJobGpus = 64;

/// What the storage of some cluster must take; `fill` writes the question's numbers.
template <class Fill>
void open_storage(Draft& d, double gpus, const Fill& fill) {
  open_any_design(d, gpus, [&](JsonWriter& r) {
    r.begin_object("storage");
    fill(r);
    r.end_object();
  });
}

void mtbf_of_job(Draft& d) {
  const double hours_of_one = d.whole(20, 120, 5) * 1e3;
  const double gpus = d.pick({64, 128, 256, 512, 1024, 2048, 4096});
  d.prompt({count_text(hours_of_one), count_text(gpus)});
  const auto time = named("between_failures", mean_time_between_failures(d.given("hours_of_one", hours(hours_of_one)),
                                                                         d.given("gpus", gpus)));
  d.ask(unit::kHours, time, 0.01);
  open_calendar(d, gpus, hours_of_one, [](JsonWriter&) {});
}

void failures_in_run(Draft& d) {
  const double hours_of_one = d.whole(20, 120, 5) * 1e3;
  const double gpus = d.pick({256, 512, 1024, 2048, 4096, 8192});
  const double run = d.whole(10, 90, 5);
  d.prompt({count_text(hours_of_one), count_text(run), count_text(gpus)});
  const auto between = named(
      "between_failures", mean_time_between_failures(d.given("gpu_hours", hours(hours_of_one)), d.given("gpus", gpus)));
  const auto count = named("failures", expected_failures(d.given("run", days(run)), between));
  if (count.value < 2) return d.discard();
  d.ask(unit::kNone, count);
  open_calendar(d, gpus, hours_of_one, [](JsonWriter&) {});
  d.wrong("wrong-time-unit", count.value / 24);
  d.wrong("wrong-time-unit", count.value * 24);
  d.wrong("mtbf-of-one", count.value / 8, "This counts servers of eight; the figure is per GPU.");
  d.wrong("mtbf-of-one", count.value * 8, "This counts each GPU as eight.");
  d.wrong("mtbf-of-one", count.value / 2, "This counts half of the run.");
}

void checkpoint_interval(Draft& d) {
  const double pause = d.whole(20, 240, 10);
  const double between = d.whole(3, 48);
  d.prompt({count_text(between), count_text(pause)});
  const auto time =
      named("interval", young_interval(d.given("pause", seconds(pause)), d.given("between_failures", hours(between))));
  d.ask(kMinutes, time);
  // Where pauses are long the planner takes Daly's interval.
  if (pause <= kShortPause * 3600 * between)
    open_calendar(d, kAnyJobGpus, kAnyJobGpus * between, [&](JsonWriter& r) {
      r.begin_object("checkpoint");
      r.number("write_s", pause);
      r.end_object();
    });
  d.wrong("factor-two-under-root", time.value / std::sqrt(2.0));
  d.wrong("square-root-forgotten", time.value * std::sqrt(2.0), "This takes the factor 4 under the root; it is 2.");
  d.wrong("square-root-forgotten", hours(between / 2),
          "This is half the time between failures; the pause must count too.");
  d.wrong("wrong-time-unit", time.value / std::sqrt(60.0));
  d.wrong("square-root-forgotten", time.value * std::sqrt(8.0), "This takes the factor 16 under the root; it is 2.");
  d.wrong("square-root-forgotten", seconds(pause * 10),
          "This is ten pauses; the time between failures must count too.");
}

void checkpoint_size(Draft& d) {
  const Model& model = d.model(kFailingRunModels);
  d.prompt({with_parameters(model)});
  const auto each = named("bytes_per_parameter",
                          checkpoint_bytes_per_parameter(d.given("weight", bytes(2)), d.given("master", bytes(4)),
                                                         d.given("moments", bytes(8))));
  const auto size = named("checkpoint", d.fact(model, "total_parameters", model.total_parameters) * each);
  d.ask(unit::kGb, size);
  open_storage(d, kAnyDesignGpus, [&](JsonWriter& r) { r.number("model_parameters", *model.total_parameters); });
  d.wrong("weights-in-checkpoint", size.value / 7.0);
  d.wrong("master-weights-forgotten", size.value * (10.0 / 14.0));
  d.wrong("optimizer-forgotten", size.value * (6.0 / 14.0), "This leaves out the two moments, 8 bytes per parameter.");
  d.wrong("gradients-in-checkpoint", size.value * (16.0 / 14.0));
  d.wrong("bits-for-bytes", size.value * 8.0);
}

void checkpoint_write(Draft& d) {
  const Model& model = d.model(kFailingRunModels);
  const double nodes = d.pick({4, 8, 16, 32, 64});
  const double per_node = d.pick({1, 2, 4, 5, 10});
  const double storage = d.pick({20, 40, 60, 80, 120});
  d.prompt({count_text(nodes), with_parameters(model), count_text(per_node), count_text(storage)});
  const auto size = named("checkpoint", d.fact(model, "total_parameters", model.total_parameters) *
                                            d.given("bytes_per_parameter", bytes(14)));
  const auto rate = named("rate", storage_write_rate(d.given("nodes", nodes), d.given("per_node", gb_per_s(per_node)),
                                                     d.given("units", 1.0), d.given("storage", gb_per_s(storage))));
  const auto time = named("time", size / rate);
  d.ask(unit::kSeconds, time);
  open_sharded_training(d, model, "h100-sxm5-80gb", 8 * nodes, 3, [&](JsonWriter& r) {
    r.number("tokens", 1e12);
    r.begin_object("checkpoint");
    r.number("storage_write_gb_per_s", std::min(nodes * per_node, storage));
    r.end_object();
  });
  d.wrong("serial-for-parallel", size.value / gb_per_s(per_node));
  d.wrong("serial-for-parallel",
          nodes * per_node > storage ? size.value / gb_per_s(nodes * per_node) : size.value / gb_per_s(storage));
  d.wrong("weights-in-checkpoint", time.value / 7.0);
  d.wrong("bytes-for-bits", time.value / 8.0);
  d.wrong("bits-for-bytes", time.value * 8.0);
}

void goodput_of_job(Draft& d) {
  const double pause = d.whole(20, 240, 20);
  const double interval = d.whole(20, 120, 10);
  const double between = d.whole(6, 72, 2);
  const double restart = d.whole(5, 30, 5);
  d.prompt({count_text(interval), count_text(pause), count_text(between), count_text(restart)});
  const auto lost = named(
      "lost_share", lost_share(d.given("pause", seconds(pause)), d.given("interval", seconds(60 * interval)),
                               d.given("between_failures", hours(between)), d.given("restart", seconds(60 * restart))));
  if (lost.value > 0.4) return d.discard();
  d.ask(kPercent, lost);
  open_calendar(d, kAnyJobGpus, kAnyJobGpus * between, [&](JsonWriter& r) {
    r.begin_object("checkpoint");
    r.number("write_s", pause);
    r.number("interval_s", 60 * interval);
    r.end_object();
    r.number("restart_s", 60 * restart);
  });
  const double writing = pause / (60 * interval);
  const double redone = interval / (120 * between);
  const double restarting = restart / (60 * between);
  d.wrong("residual-forgotten", writing + redone, "This leaves the restarts out.");
  d.wrong("residual-forgotten", redone + restarting, "This leaves out the pauses for checkpoints.");
  d.wrong("residual-forgotten", writing + restarting, "This leaves out the work that is done again.");
  d.wrong("residual-forgotten", writing + 2 * redone + restarting,
          "This loses a whole interval each time; on average it is half of one.");
  d.wrong("residual-forgotten", writing, "This counts the pauses for checkpoints alone.");
}

void availability_of_server(Draft& d) {
  const double between = d.whole(500, 6000, 100);
  const double repair = d.whole(4, 96, 4);
  d.prompt({count_text(between), count_text(repair)});
  const auto share = named("availability",
                           availability(d.given("between_failures", hours(between)), d.given("repair", hours(repair))));
  d.ask(unit::kNone, named("working", d.given("servers", 1000.0) * share), 0.002);
}

void spares(Draft& d) {
  const double machines = d.whole(50, 1000, 10);
  const double per_year = d.whole(5, 40) / 10;
  const double repair_days = d.whole(2, 14);
  d.prompt({count_text(machines), count_text(per_year), counted(repair_days, "day")});
  const auto away =
      named("in_repair", machines_in_repair(d.given("servers", machines), d.given("failures_per_year", per_year),
                                            d.given("repair", days(repair_days))));
  if (away.value < 0.5) return d.discard();
  d.ask(unit::kNone, away);
  d.wrong("wrong-time-unit", away.value * 365 / 52, "This divides by the weeks of a year; the repair is in days.");
  d.wrong("wrong-time-unit", away.value / 24);
  d.wrong("samples-forgotten", machines * repair_days / 365, "This counts one failure a year for each server.");
  d.wrong("samples-forgotten", machines * per_year / 365, "This counts one day for each repair.");
  d.wrong("samples-forgotten", away.value * 2, "This counts every repair twice.");
}

void storage_bandwidth(Draft& d) {
  const double gpus = d.pick({8, 16, 32, 64, 128, 256});
  const double samples = d.pick({50, 100, 200, 400, 800});
  const double kilobytes = d.pick({100, 150, 200, 300, 500, 1000});
  d.prompt({count_text(gpus), count_text(kilobytes), count_text(samples)});
  const auto rate =
      named("read_rate", steady_read_rate(d.given("gpus", gpus), d.given("images_per_gpu", per_second(samples)),
                                          d.given("image", bytes(1e3 * kilobytes))));
  if (rate.value < gb_per_s(0.2)) return d.discard();
  d.ask(unit::kGbPerSecond, rate);
  open_storage(d, gpus, [&](JsonWriter& r) {
    r.number("samples_per_s_per_gpu", samples);
    r.number("sample_kb", kilobytes);
  });
  d.wrong("bits-for-bytes", rate.value * 8.0);
  d.wrong("bytes-for-bits", rate.value / 8.0);
  d.wrong("one-gpu-only", rate.value / gpus);
  d.wrong("samples-forgotten", rate.value * 2.0, "This counts every image twice, read and written.");
  d.wrong("gib-for-gb", rate.value * 1.073741824);
  d.wrong("samples-forgotten", rate.value / 4.0, "This counts a quarter of the GPUs.");
}

void storage_capacity_of_project(Draft& d) {
  const double dataset = d.whole(20, 400, 10);
  const double copies = d.whole(2, 4);
  const double checkpoints = d.whole(5, 40, 5);
  const double size = d.pick({0.1, 0.2, 0.5, 1, 2});
  const double logs = d.whole(1, 20);
  d.prompt({count_text(copies), count_text(dataset), count_text(checkpoints), count_text(size), count_text(logs)});
  const auto data = named("data", dataset_capacity(d.given("dataset", tb(dataset)), d.given("copies", copies)));
  const auto states =
      named("checkpoints", checkpoint_capacity(d.given("kept", checkpoints), d.given("checkpoint", tb(size))));
  const auto all = named("storage", storage_capacity(data, states, d.given("logs", tb(logs))));
  d.ask({"_tb", "TB", 1e12}, all);
  open_storage(d, kAnyDesignGpus, [&](JsonWriter& r) {
    r.number("dataset_tb", dataset);
    r.number("dataset_copies", copies);
    r.number("checkpoint_gb", 1000 * size);
    r.number("checkpoints_kept", checkpoints);
    r.number("logs_tb", logs);
  });
  d.wrong("residual-forgotten", tb(dataset) + states.value + tb(logs), "This counts the data set once.");
  d.wrong("residual-forgotten", data.value + tb(size) + tb(logs), "This counts a single checkpoint.");
  d.wrong("residual-forgotten", data.value + tb(logs), "This leaves the checkpoints out.");
  d.wrong("residual-forgotten", tb(dataset), "This is one copy of the data set alone.");
  d.wrong("gib-for-gb", all.value * 1.099511627776);
}

void first_epoch(Draft& d) {
  const double dataset = d.whole(5, 200, 5);
  const double rate = d.pick({4, 8, 10, 20, 40, 60, 100});
  d.prompt({count_text(dataset), count_text(rate)});
  d.ask(kMinutes, named("time", d.given("dataset", tb(dataset)) / d.given("rate", gb_per_s(rate))), 0.02);
}

/// Storage that the first networks do not reach.
void missing_network(Draft& d) {
  struct Network {
    std::string_view name, has, lost;
  };
  constexpr Network kNetworks[] = {
      {"the compute network", "rail-optimised InfiniBand between the GPUs of all nodes",
       "gradients have no path of their own between nodes"},
      {"the storage network", "links from every node to a parallel file system",
       "nodes have no path of their own to data and checkpoints"},
      {"the in-band management network", "Ethernet for logins, the job scheduler, images and the container registry",
       "nodes cannot be provisioned, and jobs are not handed out"},
      {"the out-of-band management network", "Ethernet to the management controllers (BMC), switches and PDUs",
       "a node whose operating system hangs cannot be reached or switched off"}};
  const std::size_t missing = d.index(4);
  const double nodes = d.whole(4, 128);
  std::string list;
  for (std::size_t i = 0; i < 4; ++i)
    if (i != missing) list += "  - " + std::string(kNetworks[i].has) + "\n";
  list.pop_back();
  d.drawing("design for " + count_text(nodes) + " nodes\n" + list);
  d.prompt({});
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == missing)
      d.right(std::string(kNetworks[i].name), "Without it " + std::string(kNetworks[i].lost) + ".");
    else
      d.wrong(std::string(kNetworks[i].name), "It is there: " + std::string(kNetworks[i].has) + ".");
  }
  d.conclude("The list has no " + std::string(kNetworks[missing].name.substr(4)) + ": " +
             std::string(kNetworks[missing].lost) + ".");
}

constexpr Template kReliabilityTemplates[] = {
    {"t.mtbf-of-job", mtbf_of_job},
    {"t.failures-in-run", failures_in_run},
    {"t.checkpoint-interval", checkpoint_interval},
    {"t.checkpoint-size", checkpoint_size},
    {"t.checkpoint-write", checkpoint_write},
    {"t.lost-share", goodput_of_job},
    {"t.availability", availability_of_server},
    {"t.servers-in-repair", spares},
    {"t.storage-bandwidth", storage_bandwidth},
    {"t.storage-capacity", storage_capacity_of_project},
    {"t.first-epoch", first_epoch},
    {"t.which-network-missing", missing_network},
};

}  // namespace

std::span<const Template> reliability_templates() { return kReliabilityTemplates; }

}  // namespace podwright
