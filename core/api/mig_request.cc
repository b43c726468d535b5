#include "api/mig_request.h"

#include <algorithm>
#include <set>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/serving_fields.h"
#include "base/append.h"
#include "base/nearest.h"
#include "base/number_text.h"

namespace podwright {
namespace {

constexpr double kMostCopies = 1000;

std::vector<std::string> gpus_with_slices(const Catalog& catalog) {
  std::vector<std::string> gpus;
  for (const MigProfile& profile : catalog.mig_profiles)
    if (std::find(gpus.begin(), gpus.end(), profile.gpu_id) == gpus.end()) gpus.push_back(profile.gpu_id);
  return gpus;
}

void describe_workload(FieldVisitor& v, const Catalog& catalog, MigWorkload& w) {
  v.text({"name", "Name in the answer"}, w.name);
  v.count({"count", "Copies of the model", within(1, kMostCopies), kNotAsked}, w.copies);
  describe_model(v, w.model);
  describe_engine(v, catalog, w.model, w.run);
  describe_lengths(v, w.run.input_tokens, w.run.output_tokens);
  double concurrency = 1;
  v.count({"concurrency", "Requests in flight that each copy must hold", kAtLeastOne, kNotAsked}, concurrency);
  w.run.load = {LoadKind::concurrency, concurrency};
  std::optional<double> tpot;
  v.number({"tpot_s_max", "Longest mean time per output token, s", kPositive}, tpot);
  if (tpot) w.tpot_max = Seconds(*tpot);
  describe_memory_fraction(v, w.run.memory_fraction);
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

void describe_fit(auto& v, auto& tracer, const Gpu& gpu, const MigFit& fit) {
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
void describe_slices(auto& v, auto& tracer, const MigRequest& request, const std::vector<MigInstance>& instances) {
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
  append(texts, assumed);
  return texts;
}

void describe_answer(auto& v, auto& tracer, const Asked& asked, const MigRequest& request,
                     const std::vector<PlacedCopies>& placed, const MigPacking& packing) {
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
  describe_foot(v, asked, assumed_of_slices(placed));
}

}  // namespace

void describe(FieldVisitor& v, const Catalog& catalog, MigRequest& r) {
  describe_head(v, "mig");
  v.gpu({"gpu", "GPU with MIG: an id of the catalog", kRequired}, r.gpu);
  v.count({"gpu_count", "Maximum number of GPUs; absent: as many as needed", within(1, kMostCopies)}, r.gpu_count);
  list_of(v, {"workloads", "Models to place", kRequired, kWorkloads}, r.workloads,
          [&](MigWorkload& workload) { describe_workload(v, catalog, workload); });
  name_by_place(r.workloads, "workload");
  double copies = 0;
  for (const MigWorkload& workload : r.workloads) copies += workload.copies;
  describe_explain(v, r.explain);
  const bool cut = !r.gpu || !mig_profiles_of(catalog.mig_profiles, r.gpu->id).empty();
  v.rule(cut, "gpu", "The catalog has no MIG profiles of this GPU.",
         "Legal: " + joined(gpus_with_slices(catalog)) + ".");
  v.rule(copies <= kMostCopies, "workloads", "More than 1,000 copies in all.", "Ask for fewer, in several requests.");
}

Answer answer_mig(const Asked& asked, const MigRequest& request) {
  std::vector<std::vector<MigFit>> fits;
  std::vector<MigWish> wishes;
  for (const MigWorkload& workload : request.workloads) {
    fits.push_back(mig_fits(asked.catalog, *request.gpu, workload));
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
  Trace trace(sources_of(asked.assumptions));
  return written_answer(trace, request.explain, all_placed, [&](AnswerWriter& v, auto& tracer) {
    describe_answer(v, tracer, asked, request, placed, packing);
    describe_trace(v, request.explain ? &trace : nullptr);
  });
}

void describe_mig_answer(AnswerShape& v) {
  NoTrace none;
  describe_answer(v, none, nothing_asked(), MigRequest{}, {}, MigPacking{});
  describe_trace(v, nullptr);
}

}  // namespace podwright
