/// Scheduling, monitoring, slices of GPUs, and the exam itself.
#include <algorithm>
#include <array>
#include <cmath>

#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/number_text.h"
#include "base/stable_sort.h"
#include "measure/measure_formulas.h"
#include "memory/serving_budget.h"
#include "sizing/mig_packing.h"
#include "study/draft.h"
#include "study/formulas.h"
#include "study/quantity_text.h"
#include "study/templates/names.h"
#include "study/templates/planner_requests.h"
#include "study/templates/topics.h"

namespace podwright {
namespace {

constexpr DisplayUnit kGpus{"", "GPUs", 1.0};

std::string padded(std::string text, std::size_t width) {
  while (text.size() < width) text.insert(text.begin(), ' ');
  return text;
}

std::vector<double> free_gpus(Draft& d, std::size_t nodes) {
  std::vector<double> free;
  for (std::size_t i = 0; i < nodes; ++i) free.push_back(d.whole(0, 8));
  return free;
}

std::string node_table(const std::vector<double>& free) {
  std::string text = "node      GPUs  used  free";
  for (std::size_t i = 0; i < free.size(); ++i)
    text += "\ngpu-" + std::string(i < 9 ? "0" : "") + std::to_string(i + 1) + "       8" +
            padded(count_text(8 - free[i]), 6) + padded(count_text(free[i]), 6);
  return text;
}

/// Pods that the free GPUs take, as the solution's last number.
Traced<double> pods_that_fit(Draft& d, const std::vector<double>& free, double each) {
  std::vector<Traced<double>> pods;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const std::string name = "node_" + std::to_string(i + 1);
    pods.push_back(
        named("pods_on_" + name, pods_on_node(d.given("free_on_" + name, free[i]), d.given("gpus_per_pod", each))));
  }
  return d.trace().sum("pods", pods);
}

double sum_of_free(const std::vector<double>& free) {
  double sum = 0;
  for (const double one : free) sum += one;
  return sum;
}

void free_slots(Draft& d) {
  const std::vector<double> free = free_gpus(d, 4 + d.index(3));
  const double each = d.pick({2, 3, 4, 5});
  const auto pods = pods_that_fit(d, free, each);
  const double total = sum_of_free(free);
  if (pods.value < 2 || pods.value == std::floor(total / each)) return d.discard();
  d.drawing(node_table(free));
  d.prompt({count_text(each)});
  d.ask(unit::kNone, pods);
  d.wrong("pools-nodes", std::floor(total / each));
  d.wrong("pools-nodes", std::ceil(total / each) + 1, "This pools the free GPUs of all nodes and rounds up.");
  d.wrong("per-link",
          static_cast<double>(std::count_if(free.begin(), free.end(), [&](double one) { return one >= each; })),
          "This counts the nodes with enough free GPUs; some of them take more than one pod.");
  d.wrong("off-by-one", pods.value - 1, "One more pod still finds its GPUs on a node.");
  d.wrong("off-by-one", pods.value + 1, "For the last of them no single node has enough GPUs left.");
  d.wrong("pools-nodes", total, "This counts the free GPUs, not the pods.");
}

/// All or nothing.
void gang_schedule(Draft& d) {
  const std::vector<double> free = free_gpus(d, 4 + d.index(3));
  const double each = d.pick({1, 2, 4, 8});
  const double workers = d.whole(2, 12);
  const auto pods = pods_that_fit(d, free, each);
  d.show(unit::kNone, pods);
  if (pods.value < 1 || std::fabs(pods.value - workers) > 3) return d.discard();
  d.drawing(node_table(free));
  d.prompt({count_text(workers), counted(each, "GPU")});
  const std::string all = "all " + count_text(workers) + " workers start at once";
  const std::string wait = "no worker starts; the job waits and holds no GPU";
  const double started = std::min(pods.value, workers) - (pods.value >= workers ? 1 : 0);
  const std::string some =
      counted(started, "worker") + (started == 1 ? " starts and waits" : " start and wait") + " for the rest";
  const std::string split = "workers are split over nodes until every free GPU is used";
  const std::string there = "The nodes take " + counted(pods.value, "worker") + " of the " + count_text(workers) + ".";
  const bool fits = pods.value >= workers;
  d.right(fits ? all : wait, there + " A gang starts whole or not at all.");
  if (fits)
    d.wrong(wait, "There is room: " + there);
  else
    d.mistaken("pools-nodes", all);
  d.mistaken("partial-gang", some);
  d.wrong(split, "A pod runs on one node; its GPUs cannot come from several.");
  d.conclude(there);
}

void fair_share(Draft& d) {
  const double gpus = d.whole(32, 512, 8);
  const double a = d.whole(1, 6);
  const double b = d.whole(1, 6);
  const double c = d.whole(1, 6);
  d.prompt({count_text(gpus), count_text(a), count_text(b), count_text(c)});
  const auto weights = d.trace().sum(
      "weights", std::vector<Traced<double>>{d.given("first", a), d.given("second", b), d.given("third", c)});
  const auto share = named("share", weighted_share(d.given("gpus", gpus), d.given("weight", a), weights));
  if (share.value != std::floor(share.value)) return d.discard();
  d.ask(kGpus, share);
  d.wrong("even-share", gpus / 3, "This gives every team the same share and leaves the weights out.");
  d.wrong("residual-forgotten", gpus * a / (a + b), "This leaves the third team out.");
  d.wrong("ridge-inverted", gpus / a, "This divides by the team's weight instead of multiplying by its share.");
  d.wrong("residual-forgotten", gpus * a / (b + c),
          "This divides by the other teams' weights; the team's own belongs to the sum.");
  d.wrong("other-domain", gpus * b / weights.value, "This is the second team's share.");
  d.wrong("other-domain", gpus * c / weights.value, "This is the third team's share.");
}

/// One row of the table of a node's GPUs.
struct Reading {
  double utilisation, sm_active, temperature, power, clock, link_width, ecc;
};

std::string telemetry_table(const std::vector<Reading>& gpus) {
  std::string text = "GPU  GPU-Util  SM active  Temp  Power   SM clock  PCIe  ECC uncorrected";
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const Reading& g = gpus[i];
    text += "\n  " + std::to_string(i) + padded(count_text(g.utilisation) + " %", 10) +
            padded(count_text(g.sm_active) + " %", 11) + padded(count_text(g.temperature) + " C", 6) +
            padded(count_text(g.power) + " W", 7) + padded(count_text(g.clock) + " MHz", 11) +
            padded("x" + count_text(g.link_width), 6) + padded(count_text(g.ecc), 17);
  }
  return text;
}

void telemetry_fault(Draft& d) {
  std::vector<Reading> gpus;
  for (int i = 0; i < 8; ++i)
    gpus.push_back(
        {d.whole(96, 100), d.whole(78, 90), d.whole(58, 68), d.whole(610, 680), d.whole(1755, 1830, 15), 16, 0});
  const std::size_t sick = d.index(8);
  const std::size_t fault = d.index(4);
  const std::string one = "GPU " + std::to_string(sick);
  const std::array<std::string, 4> diagnoses{one + " is slowed down by heat", one + " has lost lanes of its PCIe link",
                                             one + " has memory errors that were not corrected",
                                             "the GPUs run small kernels that leave most SMs idle"};
  const std::array<std::string, 4> signs{
      "It is far hotter than the others, and its clock and power have dropped.",
      "Its link runs with fewer lanes than the others'.",
      "Its counter of uncorrected ECC errors is not zero; the node should be drained and the GPU reset or replaced.",
      "Kernels run all the time, so GPU-Util is high, but few SMs are active and the power is low. Waiting for data "
      "would lower GPU-Util as well."};
  Reading& g = gpus[sick];
  if (fault == 0) g = {g.utilisation, g.sm_active, d.whole(88, 94), d.whole(380, 450), d.whole(900, 1200, 15), 16, 0};
  if (fault == 1) g.link_width = d.pick({1, 4, 8});
  if (fault == 2) g.ecc = d.whole(1, 9);
  if (fault == 3)
    for (Reading& all : gpus) {
      all.sm_active = d.whole(9, 22);
      all.power = d.whole(190, 260);
      all.temperature = d.whole(40, 48);
    }
  d.drawing(telemetry_table(gpus));
  d.prompt({});
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == fault)
      d.right(diagnoses[i], signs[i]);
    else
      d.wrong(diagnoses[i], "The table would look different. " + signs[i]);
  }
  d.conclude(signs[fault]);
}

void smi_memory(Draft& d) {
  const Gpu& gpu = d.gpu({"a100-sxm4-80gb", "h100-sxm5-80gb", "l40s", "l4"});
  if (!gpu.memory_driver) return d.discard();
  const double total = std::floor(raw(*gpu.memory_driver) / 1048576.0);
  const double used = d.whole(2000, std::floor(total * 0.9), 1);
  d.drawing("|   0  NVIDIA " + gpu.name + "\n|  Memory-Usage: " + std::to_string(static_cast<int>(used)) + "MiB / " +
            std::to_string(static_cast<int>(total)) + "MiB");
  d.prompt({});
  const auto free = named("free", d.given("total", mib(total)) - d.given("used", mib(used)));
  d.ask(unit::kGib, free);
  open_gpu(d, gpu);
  d.wrong("used-for-free", mib(used), "This is what is used; the line prints used and total.");
  d.wrong("used-for-free", mib(total), "This is the total; the used part is not free.");
  d.wrong("gb-for-gib", free.value * 1.073741824, "This is the figure in GB (10^9 bytes); in GiB it is smaller.");
  d.wrong("used-for-free", free.value / 2.0, "This halves what is free; one process has it all.");
  d.wrong("used-for-free", mib(total + used), "This adds what is used to the total; it is to be taken off.");
}

void energy_of_job(Draft& d) {
  const double gpus = d.pick({1, 2, 4, 8});
  const double power = d.whole(200, 680, 10);
  const double run = d.whole(2, 72);
  d.prompt({count_text(power), (gpus == 1 ? "" : "each of "), counted(gpus, "GPU"), count_text(run)});
  const auto all = named("power", d.given("gpus", gpus) * d.given("mean_power", watts(power)));
  const auto energy = named("energy", all * d.given("time", hours(run)));
  d.ask(unit::kKwh, energy, 0.01);
}

std::vector<const MigProfile*> profiles_of(Draft& d, const Gpu& gpu) {
  return mig_profiles_of(d.catalog().mig_profiles, gpu.id);
}

/// The part of "h100/1g.10gb" that people say.
std::string profile_name(const MigProfile& profile) { return profile.name; }

/// Copies of a model of so many GiB on slices of the GPU. The model is made up: each of its layers has 2^29
/// parameters, which are 1 GiB in 16 bits, and it keeps next to nothing beside them.
void open_slices(Draft& d, const Gpu& gpu, double copies, double gibibytes) {
  const std::string size = count_text(gibibytes) + " GiB";
  d.planner(planner::kMig, [&](JsonWriter& r) {
    r.text("gpu", gpu.id);
    r.begin_list("workloads");
    r.begin_object();
    r.text("name", size);
    r.number("count", copies);
    r.begin_object("model");
    r.text("id", "model-of-" + count_text(gibibytes) + "-gib");
    r.text("name", "Model of " + size);
    r.number("layers", gibibytes);
    r.number("hidden_size", 8192);
    r.number("attention_heads", 64);
    r.number("kv_heads", 8);
    r.number("head_dim", 128);
    r.number("ffn_hidden_size", 23552);
    r.number("mlp_matrices", 2);
    r.number("vocab_size", 1);
    r.number("context_tokens", 2);
    r.end_object();
    r.text("weight_precision", "bf16");
    r.text("engine", "transformers");
    r.number("input_tokens", 1);
    r.number("output_tokens", 1);
    r.end_object();
    r.end_list();
  });
}

void mig_packing(Draft& d) {
  const Gpu& gpu = d.gpu({"h100-sxm5-80gb", "a100-sxm4-80gb", "h100-pcie-80gb"});
  const double need = d.whole(6, 70);
  const double copies = d.whole(2, 30);
  const MigProfile* smallest = nullptr;
  for (const MigProfile* profile : profiles_of(d, gpu)) {
    if (!profile->memory) return d.discard();
    if (smallest == nullptr && gib(need) <= *profile->memory) smallest = profile;
  }
  if (smallest == nullptr || !apart(need, raw(*smallest->memory) / 1073741824.0)) return d.discard();
  std::string list;
  for (const MigProfile* profile : profiles_of(d, gpu))
    list += (list.empty() ? "" : ", ") + profile_name(*profile) + " (" + count_text(profile->instances) +
            " on a GPU, " + in_unit_text(raw(*profile->memory) / 1073741824.0, "GiB") + ")";
  d.prompt({count_text(copies), count_text(need), gpu.name, list});
  const auto gpus =
      named("gpus", gpus_for_slices(d.given("copies", copies), d.fact(*smallest, "instances", smallest->instances)));
  if (gpus.value < 2) return d.discard();
  d.ask(unit::kNone, gpus);
  open_slices(d, gpu, copies, need);
  d.wrong("memory-alone", std::ceil(copies * need * 1.073741824 / (raw(*gpu.memory) / 1e9)));
  d.wrong("ceiling-forgotten", gpus.value - 1, "These GPUs do not have enough slices for the last copies.");
  d.wrong("rounded-to-pairs", gpus.value + 1, "All copies fit on one GPU less.");
  d.wrong("compute-alone", std::ceil(copies / std::floor(7 / smallest->compute_slices)));
  d.wrong("compute-alone", std::ceil(copies / 7), "This puts seven copies on a GPU; slices of this size are fewer.");
  d.wrong("one-gpu-only", copies, "This gives every copy a GPU of its own.");
}

/// "4g.40gb + 2g.20gb + 1g.10gb", largest first; one instance of each.
struct Combination {
  std::string text;
  double compute = 0;
  double memory = 0;
  bool legal = false;
};

Combination draw_combination(Draft& d, const std::vector<const MigProfile*>& profiles) {
  std::vector<const MigProfile*> chosen;
  Combination all;
  const std::size_t count = 2 + d.index(3);
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(profiles[d.index(profiles.size())]);
  sort_stably(chosen, [](const MigProfile* a, const MigProfile* b) {
    return a->memory_slices != b->memory_slices     ? a->memory_slices > b->memory_slices
           : a->compute_slices != b->compute_slices ? a->compute_slices > b->compute_slices
                                                    : a->name < b->name;
  });
  std::vector<MigWish> wishes;
  for (const MigProfile* profile : chosen) {
    all.text += (all.text.empty() ? "" : " + ") + profile_name(*profile);
    all.compute += profile->compute_slices;
    all.memory += profile->memory_slices;
    wishes.push_back({{profile}, 1});
  }
  const MigPacking packing = pack_mig(wishes, 1);
  all.legal = std::all_of(packing.left_over.begin(), packing.left_over.end(), [](double left) { return left == 0; });
  return all;
}

void mig_legal_combinations(Draft& d) {
  const Gpu& gpu = d.gpu({"h100-sxm5-80gb", "a100-sxm4-80gb", "h200-sxm5-141gb"});
  const std::vector<const MigProfile*> profiles = profiles_of(d, gpu);
  std::vector<Combination> legal, illegal;
  for (int i = 0; i < 60 && (legal.size() < 2 || illegal.size() < 3); ++i) {
    const Combination one = draw_combination(d, profiles);
    // Far too large ones teach nothing.
    if (one.compute > 9 || one.memory > 10 || one.memory < 4) continue;
    std::vector<Combination>& side = one.legal ? legal : illegal;
    const bool known =
        std::any_of(side.begin(), side.end(), [&](const Combination& other) { return other.text == one.text; });
    if (!known && side.size() < (one.legal ? 2U : 3U)) side.push_back(one);
  }
  if (legal.size() < 2 || illegal.size() < 3) return d.discard();
  d.prompt({upper_article(gpu.name)});
  const auto sums = [](const Combination& one) {
    return "It takes " + count_text(one.compute) + " compute and " + count_text(one.memory) + " memory slices";
  };
  for (const Combination& one : legal)
    d.right(one.text, sums(one) + ", and every instance finds a place where it may start.");
  for (const Combination& one : illegal)
    d.wrong(one.text,
            sums(one) + (one.compute > 7 || one.memory > 8 ? ", more than there are."
                                                           : ", but its instances may not start where room is left."));
  d.source(profiles.front()->source_of("instances"));
  d.conclude(
      "Both sums must fit, 7 compute and 8 memory slices, and each profile starts at certain memory slices only.");
}

void mig_share(Draft& d) {
  const Gpu& gpu = d.gpu({"h100-sxm5-80gb", "a100-sxm4-80gb", "h200-sxm5-141gb"});
  const std::vector<const MigProfile*> profiles = profiles_of(d, gpu);
  const MigProfile& profile = *profiles[d.index(profiles.size() - 1)];
  d.prompt({upper_article(gpu.name), in_unit_text(raw(*gpu.memory_bandwidth) / 1e9, "GB/s"), profile_name(profile),
            counted(profile.memory_slices, "memory slice"), counted(profile.compute_slices, "compute slice")});
  const auto plain = d.fact(gpu, "memory_bandwidth_gb_per_s", gpu.memory_bandwidth);
  const auto slices = named("share", d.fact(profile, "memory_slices", profile.memory_slices) /
                                         d.fact(profile, "gpu_memory_slices", profile.gpu_memory_slices));
  const auto share = named("bandwidth", plain * slices);
  d.ask({"_gb_per_s", "GB/s", 1e9}, share);
  open_slices(d, gpu, 1, 1);
  const double whole = raw(*gpu.memory_bandwidth);
  d.wrong("compute-alone", whole * profile.compute_slices / 7);
  d.wrong("no-sharding", whole, "This is the bandwidth of the whole GPU.");
  d.wrong("compute-alone", whole / 7, "This is one compute slice of seven; memory is cut into eight.");
  d.wrong("compute-alone", whole * profile.memory_slices / 7,
          "This divides by the 7 compute slices; memory has 8 slices.");
  d.wrong("bytes-for-bits", share.value / 8);
  d.wrong("per-link", share.value / 2, "This counts half of the profile's memory slices.");
  d.wrong("per-link", share.value * 2, "This counts twice the profile's memory slices.");
}

constexpr double kDomainWeights[] = {0.38, 0.40, 0.22};
constexpr std::string_view kDomainNames[] = {"Essential AI Knowledge", "AI Infrastructure", "AI Operations"};

void exam_arithmetic(Draft& d) {
  const double questions = d.whole(50, 500, 50);
  const std::size_t domain = d.index(3);
  d.prompt({count_text(questions), std::string(kDomainNames[domain])});
  if (questions * kDomainWeights[domain] != std::floor(questions * kDomainWeights[domain])) return d.discard();
  const auto count = named(
      "questions", questions_of_domain(d.given("questions", questions), d.given("weight", kDomainWeights[domain])));
  d.ask(unit::kNone, count);
  d.wrong("even-share", std::floor(questions / 3));
  d.wrong("other-domain", questions * kDomainWeights[(domain + 1) % 3]);
  d.wrong("other-domain", questions * kDomainWeights[(domain + 2) % 3]);
  d.wrong("even-share", questions / 2, "This gives the domain half of the questions; its weight is less.");
  d.wrong("residual-forgotten", questions * (1 - kDomainWeights[domain]),
          "These are the questions about the two other domains.");
}

void exam_score(Draft& d) {
  std::vector<Traced<double>> parts;
  double mean = 0;
  std::string list;
  double scores[3];
  for (std::size_t i = 0; i < 3; ++i) {
    scores[i] = d.whole(40, 98, 2) / 100;
    mean += scores[i] / 3;
    const std::string name = i == 0 ? "first" : i == 1 ? "second" : "third";
    parts.push_back(named("from_" + name, questions_of_domain(d.given(name + "_score", scores[i]),
                                                              d.given(name + "_weight", kDomainWeights[i]))));
    list += (i == 0   ? ""
             : i == 2 ? " and "
                      : ", ") +
            count_text(scores[i] * 100) + " % in " + std::string(kDomainNames[i]) + " (" +
            count_text(kDomainWeights[i] * 100) + " %)";
  }
  d.prompt({list});
  const auto all = d.trace().sum("score", parts);
  d.ask(kPercent, all);
  d.wrong("even-share", mean);
  d.wrong("other-domain", scores[0] * 0.22 + scores[1] * 0.38 + scores[2] * 0.40);
  d.wrong("other-domain", scores[0] * 0.40 + scores[1] * 0.22 + scores[2] * 0.38);
  d.wrong("residual-forgotten", scores[0] * 0.38 + scores[1] * 0.40, "This leaves the third domain out.");
  d.wrong("other-domain", std::max({scores[0], scores[1], scores[2]}), "This is the best domain alone.");
  d.wrong("other-domain", std::min({scores[0], scores[1], scores[2]}), "This is the weakest domain alone.");
}

constexpr Template kOperationTemplates[] = {
    {"t.free-slots", free_slots},   {"t.gang-schedule", gang_schedule},
    {"t.fair-share", fair_share},   {"t.telemetry-fault", telemetry_fault},
    {"t.smi-memory", smi_memory},   {"t.energy-of-job", energy_of_job},
    {"t.mig-packing", mig_packing}, {"t.mig-legal", mig_legal_combinations},
    {"t.mig-bandwidth", mig_share}, {"t.exam-arithmetic", exam_arithmetic},
    {"t.exam-score", exam_score},
};

}  // namespace

std::span<const Template> operation_templates() { return kOperationTemplates; }

}  // namespace podwright
