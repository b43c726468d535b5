#include "api/mig_request.h"

#include <algorithm>
#include <set>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/describe_head.h"
#include "api/describe_weights.h"
#include "base/nearest.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr std::string_view kOneEach = "not requested";
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

/// A number that is the result of a method, where an explanation is asked for.
template <class Table, class Tracer, class T>
void describe_result(Table& v, Tracer& tracer, const AnswerField& field, const T& value, std::string_view page) {
  v.number(field, [&] {
    const auto named_result = [&](const auto& known) {
      return tracer.method("mig." + std::string(field.key), known, page);
    };
    if constexpr (Presence<T>::kOptional)
      return value ? std::optional(named_result(*value)) : std::nullopt;
    else
      return named_result(value);
  });
}

template <class Table, class Tracer>
void describe_fit(Table& v, Tracer& tracer, const Gpu& gpu, const MigFit& fit) {
  static const MigProfile kNoProfile;
  const MigProfile& profile = fit.profile == nullptr ? kNoProfile : *fit.profile;
  const auto share = [&](double value) { return v.real() ? rounded_for_display(value) : 0.0; };
  v.text({"profile"}, profile.name);
  v.flag({"holds"}, fit.holds);
  v.text({"why_not"}, unless_empty(fit.why_not));
  describe_result(v, tracer, {"compute_share", "Share of the multiprocessors"}, share(mig_compute_share(gpu, profile)),
                  kSlices);
  describe_result(v, tracer, {"bandwidth_share"}, share(mig_memory_share(profile)), kSlices);
  describe_result(v, tracer, {"memory_gib", unit::kGib}, fit.total, kSlices);
  describe_result(v, tracer, {"capacity_gib", unit::kGib}, fit.capacity, kSlices);
  describe_result(v, tracer, {"ttft_s", "Time to first token", unit::kSeconds}, fit.ttft, kSlices);
  describe_result(v, tracer, {"tpot_s", "Time per output token", unit::kSeconds}, fit.tpot, kSlices);
  describe_result(v, tracer, {"output_tokens_per_s", unit::kPerSecond}, fit.output_tokens_per_s, kSlices);
}

/// The slices of one GPU.
template <class Table, class Tracer>
void describe_slices(Table& v, Tracer& tracer, const MigRequest& request, const std::vector<MigInstance>& instances) {
  double memory = 0;
  double compute = 0;
  std::string profiles;
  for (const MigInstance& instance : instances) {
    memory += instance.profile->memory_slices;
    compute += instance.profile->compute_slices;
    profiles += (profiles.empty() ? "" : ",") + instance.profile->name;
  }
  static const MigProfile kNoProfile;
  const MigProfile& first = instances.empty() ? kNoProfile : *instances.front().profile;
  v.list({"instances"}, instances, [&](const MigInstance& instance) {
    v.text({"profile"}, [&] { return instance.profile->name; });
    describe_result(v, tracer, {"start", "First slice"}, static_cast<double>(instance.start), kPacking);
    v.text({"workload"}, [&] { return request.workloads[instance.workload].name; });
  });
  describe_result(v, tracer, {"free_memory_slices"}, first.gpu_memory_slices - memory, kPacking);
  describe_result(v, tracer, {"free_compute_slices"}, first.gpu_compute_slices - compute, kPacking);
  v.text({"create", "Command"}, "nvidia-smi mig -cgi " + profiles + " -C");
}

/// Why copies found no place.
std::string left_over_reason(const std::vector<MigFit>& fits, const MigRequest& request) {
  const bool any = std::any_of(fits.begin(), fits.end(), [](const MigFit& fit) { return fit.holds; });
  if (any)
    return "The " + human_number(request.gpu_count.value_or(0), 6) +
           " GPUs that \"gpu_count\" allows have no more room.";
  return "No slice holds it. The largest, " + fits.back().profile->name + ": " + fits.back().why_not;
}

/// What became of a workload of the request: how it runs on each slice, and how many copies found no place.
struct PlacedCopies {
  const MigWorkload* workload = nullptr;
  const std::vector<MigFit>* fits = nullptr;
  double left_over = 0;
};

std::vector<std::string> assumed_of_slices(const std::vector<PlacedCopies>& placed) {
  std::vector<std::string> texts{
      "A slice computes by its share of the multiprocessors and reads by its share of the memory slices; slices of one "
      "GPU share its power, its clocks and its PCIe link, whose competition is not modelled.",
      "Times of slices are estimates without published measurements: compare slices with them, promise nothing."};
  const auto has_no_listing = [](const MigFit& fit) { return !fit.profile->memory; };
  if (!placed.empty() && std::any_of(placed.front().fits->begin(), placed.front().fits->end(), has_no_listing))
    texts.push_back(
        "Where no listing of the driver is known, a slice has its share of the GPU's memory; listings are "
        "a few per cent lower.");
  std::set<std::string> assumed;
  for (const PlacedCopies& one : placed)
    for (const MigFit& fit : *one.fits) assumed.insert(fit.assumptions.begin(), fit.assumptions.end());
  texts.insert(texts.end(), assumed.begin(), assumed.end());
  return texts;
}

template <class Table, class Tracer>
void describe_answer(Table& v, Tracer& tracer, const Catalog& catalog, const MigRequest& request,
                     const std::vector<PlacedCopies>& placed, const MigPacking& packing,
                     const std::vector<Assumption>& assumptions) {
  const Gpu& gpu = or_empty(request.gpu);
  std::vector<PlacedCopies> left_over;
  for (const PlacedCopies& one : placed)
    if (one.left_over != 0) left_over.push_back(one);
  v.text({"kind"}, "mig");
  v.text({"gpu"}, gpu.id);
  v.flag({"feasible"}, left_over.empty());
  describe_result(v, tracer, {"gpus_needed"}, static_cast<double>(packing.gpus.size()), kPacking);
  v.flag({"fewest", "Fewest possible"}, packing.fewest && left_over.empty());
  v.list({"gpus"}, packing.gpus, [&](const auto& instances) { describe_slices(v, tracer, request, instances); });
  v.list({"left_over"}, left_over, [&](const PlacedCopies& one) {
    v.text({"workload"}, [&] { return one.workload->name; });
    describe_result(v, tracer, {"copies"}, one.left_over, kPacking);
    v.text({"reason"}, [&] { return left_over_reason(*one.fits, request); });
  });
  static const std::vector<MigFit> kNoFits;
  v.list({"slices"}, placed, [&](const PlacedCopies& one) {
    v.text({"workload"}, [&] { return one.workload->name; });
    v.text({"model"}, [&] { return one.workload->model->id; });
    v.list({"profiles"}, one.fits == nullptr ? kNoFits : *one.fits,
           [&](const MigFit& fit) { describe_fit(v, tracer, gpu, fit); });
  });
  describe_foot(v, catalog, assumptions, assumed_of_slices(placed));
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, MigRequest& r) {
  describe_head(v, "mig");
  v.gpu({.key = "gpu", .help = "GPU with MIG: an id of the catalog", .required = true}, r.gpu);
  v.count({.key = "gpu_count", .help = "Maximum number of GPUs; absent: as many as needed", .range = {1, kMostCopies}},
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
  v.rule(cut, "gpu", "The catalog has no MIG profiles of this GPU.",
         "Legal: " + joined(gpus_with_slices(catalog)) + ".");
  v.rule(copies <= kMostCopies, "workloads", "More than 1,000 copies in all.", "Ask for fewer, in several requests.");
}

Answer answer_mig(const Catalog& catalog, const MigRequest& request, const std::vector<Assumption>& assumptions) {
  std::vector<std::vector<MigFit>> fits;
  std::vector<MigWish> wishes;
  for (const MigWorkload& workload : request.workloads) {
    fits.push_back(mig_fits(catalog, *request.gpu, workload));
    MigWish wish{.profiles = {}, .copies = workload.copies};
    for (const MigFit& fit : fits.back())
      if (fit.holds) wish.profiles.push_back(fit.profile);
    wishes.push_back(std::move(wish));
  }
  const MigPacking packing = pack_mig(wishes, request.gpu_count.value_or(kMostCopies));
  bool all_placed = true;
  std::vector<PlacedCopies> placed;
  for (std::size_t i = 0; i < fits.size(); ++i) {
    placed.push_back({&request.workloads[i], &fits[i], packing.left_over[i]});
    all_placed = all_placed && packing.left_over[i] == 0;
  }
  Trace trace(sources_of(assumptions));
  NoTrace none;
  JsonWriter out(&trace);
  AnswerWriter v(out);
  out.begin_object();
  if (request.explain)
    describe_answer(v, trace, catalog, request, placed, packing, assumptions);
  else
    describe_answer(v, none, catalog, request, placed, packing, assumptions);
  describe_trace(v, request.explain ? &trace : nullptr);
  out.end_object();
  return {out.take(), all_placed ? Outcome::answer : Outcome::infeasible};
}

void describe_mig_answer(AnswerShape& v) {
  NoTrace none;
  describe_answer(v, none, Catalog{}, MigRequest{}, {}, MigPacking{}, {});
  describe_trace(v, nullptr);
}

}  // namespace podwright
