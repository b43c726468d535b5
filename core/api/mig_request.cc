#include "api/mig_request.h"

#include <algorithm>
#include <set>

#include "api/describe_head.h"
#include "api/describe_weights.h"
#include "api/write_common.h"
#include "base/nearest.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr std::string_view kOneEach = "not asked for";
constexpr double kMostCopies = 1000;

std::vector<std::string> gpus_with_slices(const Catalog& catalog) {
  std::vector<std::string> gpus;
  for (const MigProfile& profile : catalog.mig_profiles)
    if (std::find(gpus.begin(), gpus.end(), profile.gpu_id) == gpus.end()) gpus.push_back(profile.gpu_id);
  return gpus;
}

void describe_workload(FieldVisitor& v, const Catalog& catalog, MigWorkload& w) {
  v.text({.key = "name", .help = "Name in the answer"}, w.name);
  v.count({.key = "count", .help = "Copies of the model", .range = {1, kMostCopies}, .default_source = kOneEach},
          w.copies);
  v.model({.key = "model",
           .help = "Model: an id of the catalog, an object of the same shape, or a Hugging Face config.json",
           .required = true},
          w.model);
  w.run.weight_precision.clear();
  w.run.engine.clear();
  v.word({.key = "weight_precision", .help = "Format of the linear weights", .required = true, .aliases = "precisions"},
         w.run.weight_precision, ids(catalog.weight_formats));
  v.word(
      {.key = "kv_precision", .help = "Format of the KV cache; absent: the engine's default", .aliases = "precisions"},
      w.run.kv_precision, {"fp32", "bf16", "fp16", "fp8", "int8", "nvfp4"});
  v.word({.key = "engine", .help = "Serving engine", .required = true, .aliases = "engines"}, w.run.engine,
         ids(catalog.engines));
  v.text({.key = "engine_version", .help = "Version of the engine; absent: the newest that the catalog knows"},
         w.run.engine_version);
  describe_weights(v, catalog, w.model, w.run);
  v.count({.key = "input_tokens", .help = "Prompt tokens of a request", .required = true, .range = {1, 1e8}},
          w.run.input_tokens);
  v.count({.key = "output_tokens", .help = "Generated tokens of a request", .required = true, .range = {1, 1e8}},
          w.run.output_tokens);
  double concurrency = 1;
  v.count({.key = "concurrency",
           .help = "Requests in flight that each copy must hold",
           .range = kAtLeastOne,
           .default_source = kOneEach},
          concurrency);
  w.run.load = {LoadKind::concurrency, concurrency};
  std::optional<double> tpot;
  v.number({.key = "tpot_s_max", .help = "Longest mean time per output token, s", .range = kPositive}, tpot);
  if (tpot) w.tpot_max = Seconds(*tpot);
  v.number({.key = "memory_fraction",
            .help = "Share of memory in the engine's own convention; absent: the engine's default",
            .range = {0.01, 1}},
           w.run.memory_fraction);
}

constexpr std::string_view kSlices = "docs/method/mig.md#slices";
constexpr std::string_view kPacking = "docs/method/mig.md#packing";

/// Writes numbers that are told as the results of a method, where an explanation is asked for.
class ToldNumbers {
 public:
  ToldNumbers(JsonWriter& out, Trace* trace) : out_(out), trace_(trace) {}
  template <class T>
  void write(std::string_view key, const DisplayUnit& display, const T& value, std::string_view page) const {
    if (trace_ == nullptr)
      out_.quantity_as(key, display, value);
    else
      out_.quantity_as(key, display, trace_->method("mig." + std::string(key), value, page));
  }
  template <class T>
  void write(std::string_view key, const DisplayUnit& display, const std::optional<T>& value,
             std::string_view page) const {
    if (value) write(key, display, *value, page);
  }
  void count(std::string_view key, double value) const { write(key, unit::kNone, value, kPacking); }

 private:
  JsonWriter& out_;
  Trace* trace_;
};

void write_fit(JsonWriter& out, const ToldNumbers& told, const Gpu& gpu, const MigFit& fit) {
  out.begin_object();
  out.text("profile", fit.profile->name);
  out.boolean("holds", fit.holds);
  if (!fit.why_not.empty()) out.text("why_not", fit.why_not);
  told.write("compute_share", unit::kNone, rounded_for_display(mig_compute_share(gpu, *fit.profile)), kSlices);
  told.write("bandwidth_share", unit::kNone, rounded_for_display(mig_memory_share(*fit.profile)), kSlices);
  told.write("memory_gib", unit::kGib, fit.total, kSlices);
  told.write("capacity_gib", unit::kGib, fit.capacity, kSlices);
  told.write("ttft_s", unit::kSeconds, fit.ttft, kSlices);
  told.write("tpot_s", unit::kSeconds, fit.tpot, kSlices);
  told.write("output_tokens_per_s", unit::kPerSecond, fit.output_tokens_per_s, kSlices);
  out.end_object();
}

void write_gpu(JsonWriter& out, const ToldNumbers& told, const MigRequest& request,
               const std::vector<MigInstance>& instances) {
  out.begin_object();
  double memory = 0;
  double compute = 0;
  std::string profiles;
  out.begin_list("instances");
  for (const MigInstance& instance : instances) {
    out.begin_object();
    out.text("profile", instance.profile->name);
    told.count("start", instance.start);
    out.text("workload", request.workloads[instance.workload].name);
    out.end_object();
    memory += instance.profile->memory_slices;
    compute += instance.profile->compute_slices;
    profiles += (profiles.empty() ? "" : ",") + instance.profile->name;
  }
  out.end_list();
  told.count("free_memory_slices", instances.front().profile->gpu_memory_slices - memory);
  told.count("free_compute_slices", instances.front().profile->gpu_compute_slices - compute);
  out.text("create", "nvidia-smi mig -cgi " + profiles + " -C");
  out.end_object();
}

/// Why copies found no place.
std::string left_over_reason(const std::vector<MigFit>& fits, const MigRequest& request) {
  const bool any = std::any_of(fits.begin(), fits.end(), [](const MigFit& fit) { return fit.holds; });
  if (any)
    return "The " + human_number(request.gpu_count.value_or(0), 6) +
           " GPUs that \"gpu_count\" allows have no more room.";
  return "No slice holds it. The largest, " + fits.back().profile->name + ": " + fits.back().why_not;
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, MigRequest& r) {
  describe_head(v, "mig");
  v.gpu({.key = "gpu", .help = "GPU with MIG: an id of the catalog", .required = true}, r.gpu);
  v.count({.key = "gpu_count", .help = "GPUs at most; absent: as many as needed", .range = {1, kMostCopies}},
          r.gpu_count);
  const std::size_t workloads = v.enter_list({.key = "workloads", .help = "Models to place", .required = true});
  double copies = 0;
  for (std::size_t i = 0; i < workloads; ++i) {
    if (r.workloads.size() <= i) r.workloads.push_back({});
    v.enter_item(i);
    describe_workload(v, catalog, r.workloads[i]);
    v.leave_item();
    if (r.workloads[i].name.empty()) r.workloads[i].name = "workload-" + std::to_string(i + 1);
    copies += r.workloads[i].copies;
  }
  v.leave_list();
  describe_explain(v, r.explain);
  const bool cut = !r.gpu || !mig_profiles_of(catalog.mig_profiles, r.gpu->id).empty();
  v.rule(cut, "gpu", "The catalog knows no MIG profiles of this GPU.",
         "Legal: " + joined(gpus_with_slices(catalog)) + ".");
  v.rule(copies <= kMostCopies, "workloads", "More than 1,000 copies in all.", "Ask for fewer, in several requests.");
}

Answer answer_mig(const Catalog& catalog, const MigRequest& request, const std::vector<Assumption>& assumptions) {
  const Gpu& gpu = *request.gpu;
  std::vector<std::vector<MigFit>> fits;
  std::vector<MigWish> wishes;
  std::set<std::string> assumed;
  for (const MigWorkload& workload : request.workloads) {
    fits.push_back(mig_fits(catalog, gpu, workload));
    MigWish wish{.profiles = {}, .copies = workload.copies};
    for (const MigFit& fit : fits.back()) {
      if (fit.holds) wish.profiles.push_back(fit.profile);
      assumed.insert(fit.assumptions.begin(), fit.assumptions.end());
    }
    wishes.push_back(std::move(wish));
  }
  const MigPacking packing = pack_mig(wishes, request.gpu_count.value_or(kMostCopies));
  const bool all_placed =
      std::all_of(packing.left_over.begin(), packing.left_over.end(), [](double copies) { return copies == 0; });

  std::optional<Trace> trace;
  if (request.explain) trace.emplace(sources_of(assumptions));
  JsonWriter out(trace ? &*trace : nullptr);
  const ToldNumbers told(out, trace ? &*trace : nullptr);
  out.begin_object();
  out.text("kind", "mig");
  out.text("gpu", gpu.id);
  out.boolean("feasible", all_placed);
  told.count("gpus_needed", static_cast<double>(packing.gpus.size()));
  out.boolean("fewest", packing.fewest && all_placed);
  out.begin_list("gpus");
  for (const std::vector<MigInstance>& instances : packing.gpus) write_gpu(out, told, request, instances);
  out.end_list();
  out.begin_list("left_over");
  for (std::size_t i = 0; i < request.workloads.size(); ++i) {
    if (packing.left_over[i] == 0) continue;
    out.begin_object();
    out.text("workload", request.workloads[i].name);
    told.count("copies", packing.left_over[i]);
    out.text("reason", left_over_reason(fits[i], request));
    out.end_object();
  }
  out.end_list();
  out.begin_list("slices");
  for (std::size_t i = 0; i < request.workloads.size(); ++i) {
    out.begin_object();
    out.text("workload", request.workloads[i].name);
    out.text("model", request.workloads[i].model->id);
    out.begin_list("profiles");
    for (const MigFit& fit : fits[i]) write_fit(out, told, gpu, fit);
    out.end_list();
    out.end_object();
  }
  out.end_list();
  std::vector<std::string> texts{
      "A slice computes by its share of the multiprocessors and reads by its share of the memory slices; slices of one "
      "GPU share its power, its clocks and its PCIe link, whose competition is not modelled.",
      "Times of slices are estimates without published measurements: compare slices with them, promise nothing."};
  for (const MigFit& fit : fits.front())
    if (!fit.profile->memory) {
      texts.push_back(
          "Where no listing of the driver is known, a slice has its share of the GPU's memory; listings are "
          "a few per cent lower.");
      break;
    }
  texts.insert(texts.end(), assumed.begin(), assumed.end());
  write_foot(out, catalog, assumptions, texts);
  if (trace) {
    out.key("trace");
    write_trace(out, *trace);
  }
  out.end_object();
  return {out.take(), all_placed ? Outcome::answer : Outcome::infeasible};
}

}  // namespace podwright
