#include "api/architecture_request.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/design_table.h"
#include "api/field_reader.h"
#include "architecture/design.h"
#include "architecture/design_words.h"
#include "architecture/study_naming.h"
#include "export/design_files.h"

namespace podwright {
namespace {

constexpr std::string_view kRejectionsPage = "docs/method/architecture_bands.md#rejected-designs";

void describe_need(FieldVisitor& v, ArchitectureNeed& need) {
  v.count({"gpu_count", "GPUs to be bought now", kRequired, within(0, 1e6)}, need.gpu_count);
  v.count({"growth_gpu_count", "GPUs to be reached later: the design is chosen and its shell built for them",
           within(0, 1e6)},
          need.growth_gpu_count);
  word(v, {"ownership", "Who builds and owns the machines", kPlainCase}, need.ownership, kOwnershipWords);
  word(v, {"fabric", "Network between the nodes", kPlainCase}, need.fabric, kFabricFamilyWords);
  v.word({"workload", "What the GPUs do; inference-one-node: every replica fits one node", kPlainCase}, need.workload,
         {"training", "finetuning", "inference", "inference-one-node", "hpc", "mixed"});
  word(v, {"sovereignty", "Where data may be", kPlainCase}, need.sovereignty, kSovereigntyWords);
  word(v, {"tenancy", "Who shares the machines", kPlainCase}, need.tenancy, kTenancyWords);
  v.count({"replica_gpus", "GPUs that one replica of the model is spread over; absent: not considered", within(1, 1e6)},
          need.replica_gpus);
  word(v, {"services", "Who runs it", kPlainCase}, need.services, kServicesWords);
}

void describe_taper(FieldVisitor& v, std::optional<double>& taper) {
  v.number({"core_oversubscription",
            "Links of a compute spine to leaves over those to cores, where there are cores; absent: 1, as in every "
            "published design",
            within(1, 64)},
           taper);
}

void describe_circuit(FieldVisitor& v, CircuitRequest& circuit) {
  v.enter({"circuit", "Three-phase circuit of a rack feed; absent: 415 V, 60 A of the design guide"});
  v.number({"line_voltage_v", "Between two phases, V", within(100, 1000)}, circuit.line_voltage_v);
  v.number({"current_a", "Rating of the breaker, A", within(10, 1000)}, circuit.current_a);
  v.number({"derating", "Continuous load over the rating of the breaker", within(0.5, 1)}, circuit.derating);
  v.number({"power_factor", "Real over apparent power", within(0.5, 1)}, circuit.power_factor);
  v.leave();
}

void describe_site(FieldVisitor& v, DesignRequest& r) {
  std::optional<double> rack_kw;
  std::optional<double> site_kw;
  v.number({"rack_power_kw", "Power of one rack, kW; absent: as many systems in a rack as the documents draw",
            within(0.1, 10000)},
           rack_kw);
  if (rack_kw) r.need.rack_power = kw(*rack_kw);
  v.count({"rack_units", "Usable rack units of a rack; absent: 48", within(1, 100)}, r.need.rack_units);
  v.number({"rack_load_kg", "Weight that a rack carries, kg; absent: not considered", within(1, 10000)},
           r.need.rack_load_kg);
  v.flag({"liquid_cooling", "The site has a liquid loop", kPlainCase}, r.need.liquid_cooling);
  v.number({"site_power_kw", "Power of the site at the meter, kW", within(0.1, 1e7)}, site_kw);
  if (site_kw) r.need.site_power = kw(*site_kw);
  v.number({"pue", "Power of the facility over power of the machines", within(1, 5),
            "convention of Podwright, between 1.09 (large cloud sites) and 1.56 (mean of the Uptime "
            "Institute's surveys)"},
           r.pue);
  v.number({"air_temperature_rise_k", "From the cold to the hot aisle, K; absent: 16", within(1, 60)},
           r.air_temperature_rise_k);
  v.number({"liquid_temperature_rise_k", "From the supply to the return of the loop, K; absent: 9.6", within(1, 60)},
           r.liquid_temperature_rise_k);
  describe_circuit(v, r.circuit);
  v.enter({"ups", "Uninterruptible supply; absent: none is counted"});
  v.number({"module_kw", "Power of one module, kW; one more than needed is counted", within(1, 10000)},
           r.ups.module_kw);
  v.number({"ride_through_s", "Time that the battery carries the load, s", within(1, 86400)}, r.ups.ride_through_s);
  v.leave();
}

void describe_storage(FieldVisitor& v, StorageRequest& s) {
  v.enter({"storage", "What the storage must hold and how fast"});
  v.number({"dataset_tb", "Size of the data set, TB", within(1e-3, 1e7)}, s.dataset_tb);
  v.number({"dataset_copies", "Working copies of it; absent: 4", within(2, 100)}, s.dataset_copies);
  v.number({"model_parameters", "Parameters of the model that is trained: 14 bytes of each are saved", within(1, 1e15)},
           s.model_parameters);
  v.number({"checkpoint_gb", "Size of a checkpoint, GB, instead of model_parameters", within(1e-3, 1e9)},
           s.checkpoint_gb);
  v.count({"checkpoints_kept", "Checkpoints that are kept", within(0, 1e5), kPlainCase}, s.checkpoints_kept);
  v.count({"recent_checkpoints", "How many of them stay on the fast tier, for a restart", within(0, 1e5), kPlainCase},
          s.recent_checkpoints);
  v.number({"logs_tb", "Logs and results, TB", kNotNegative, kPlainCase}, s.logs_tb);
  word(v, {"data", "What the work does with its data; decides the least storage level", kPlainCase}, s.data,
       kDataPatternWords);
  v.number({"samples_per_s_per_gpu", "Samples that a GPU processes per second", kPositive}, s.samples_per_s_per_gpu);
  v.number({"sample_kb", "Size of a sample, kB", kPositive}, s.sample_kb);
  v.count({"restart_readers", "Replicas that each read the whole checkpoint at a restart", within(1, 1e6), kPlainCase},
          s.restart_readers);
  v.number({"most_lost_share", "Share of time that may go to checkpoints, repeated work and restarts", within(0.001, 1),
            kPlainCase},
           s.most_lost_share);
  v.number(
      {"gpu_hours_per_failure", "GPU-hours per failure; absent: those of the closest fleet in the catalog", kPositive},
      s.gpu_hours_per_failure);
  v.number({"restart_s", "From a failure to the first new step without reading, s; absent: 300", within(0, 1e6)},
           s.restart_s);
  v.word({"level", "Level of the storage guide; absent: chosen"}, s.level,
         {"good", "better", "best", "standard", "enhanced"});
  v.rule(!(s.model_parameters && s.checkpoint_gb), "checkpoint_gb",
         "The size of a checkpoint is given and could be computed from model_parameters as well.",
         "Leave one of the two out.");
  v.rule(s.samples_per_s_per_gpu.has_value() == s.sample_kb.has_value(), "samples_per_s_per_gpu",
         "samples_per_s_per_gpu and sample_kb belong together.", "Give both or none.");
  v.leave();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, ArchitectureRequest& r) {
  describe_head(v, "architecture");
  v.gpu({"gpu", "GPU", kRequired, Aliases{"gpus"}}, r.gpu);
  describe_need(v, r.design.need);
  describe_taper(v, r.design.core_oversubscription);
  describe_site(v, r.design);
  describe_storage(v, r.design.storage);
  v.word({"naming", "study: also what study material would call this size, with the correction"}, r.naming,
         {"nvidia", "study"});
  v.flag({"cable_schedule", "Adds every link of the first design, port to port"}, r.cable_schedule);
  const std::vector<std::string> exports(kDesignExportWords.begin(), kDesignExportWords.end());
  v.words({"exports", "Drawings and files of the first design"}, r.exports, exports);
  v.counts({"open_units", "Scalable units that the topology drawing shows leaf by leaf; absent: chosen by the size",
            within(1, 100000)},
           r.open_units);
  v.flag({"elevations", "Adds the position of every device in the racks of the first design"}, r.elevations);
  describe_explain(v, r.explain);
}

namespace {

/// A number above `power` with at most one decimal.
double kilowatts_above(Watts power) { return std::ceil(power / kw(1) * 10) / 10; }

/// Ways out that really lead to a design; one that then needs more power of the site names that too.
std::vector<Patch> leading_ways_out(const Asked& asked, const std::vector<Patch>& patches) {
  std::vector<Patch> leading;
  for (const Patch& patch : patches) {
    auto changed = read_patched<ArchitectureRequest>(asked.catalog, asked.document, patch);
    if (!changed) continue;
    if (!choose_designs(asked.catalog, *changed->gpu, changed->design).designs.empty()) {
      leading.push_back(patch);
      continue;
    }
    if (!changed->design.need.site_power) continue;
    changed->design.need.site_power.reset();
    const DesignChoice more = choose_designs(asked.catalog, *changed->gpu, changed->design);
    if (more.designs.empty() || !more.built.front().power) continue;
    leading.push_back(Patch(patch).set("/site_power_kw", kilowatts_above(more.built.front().power->facility)));
  }
  return leading;
}

Infeasible reason_of(const Asked& asked, const RejectedDesign& rejected) {
  Infeasible reason = rejected;
  if (!rejected.title.empty() && rejected.message.text().find(rejected.title) == std::string::npos)
    reason.message = say("of-design", "design"_v = rejected.title, "reason"_v = rejected.message);
  reason.ways_out = leading_ways_out(asked, rejected.ways_out);
  return reason;
}

/// `reasons`: those of the same entries where nothing is left, whose ways out are tried; else empty.
void describe_rejected(auto& v, Trace& trace, const std::vector<RejectedDesign>& rejected,
                       const std::vector<Infeasible>& reasons) {
  std::size_t next = 0;
  v.list({"rejected"}, rejected, [&](const RejectedDesign& design) {
    v.text({"architecture"}, unless_empty(design.architecture_id));
    v.text({"title", "Design"}, unless_empty(design.title));
    v.text({"system", "Server"}, unless_empty(design.system_id));
    Infeasible reason = design;
    if (!reasons.empty()) reason.ways_out = reasons[next++].ways_out;
    describe_reason(v, reason, trace, kRejectionsPage, "architecture.shortfall");
  });
}

/// What the document is, and how far this size stands in it.
void describe_document(auto& v, const ArchitectureDesign& choice) {
  v.text({"architecture"}, choice.architecture_id);
  v.text({"title", "Design"}, choice.title);
  v.fields(choice.parts.architecture, [&](const ReferenceArchitecture& document) {
    v.text({"document"}, document.document);
    v.text({"confidence", "Confidence in the source"}, document.confidence);
    v.texts({"unsure"}, document.unsure_fields);
  });
  v.fields(choice.parts.band, [&](const auto& band) {
    v.word({"size_in_document", "This size in the document"}, band.fit, kBandFitWords);
  });
  v.fields(choice.parts.system, [&](const System& system) { v.text({"system", "Server"}, system.id); });
}

void describe_advice(auto& v, const AnswerField& field, const std::vector<DesignAdvice>& list) {
  if (const auto part = v.when(!list.empty()))
    v.list(field, list, [&](const DesignAdvice& advice) {
      v.text({"text"}, advice.text);
      v.text({"source"}, advice.source);
      describe_ways_out(v, advice.ways_out);
    });
}

std::string joined_texts(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(between)) + text;
  return all;
}

/// What study material would call this size, beside what the documents say.
void describe_study_name(auto& v, const StudyName& study) {
  v.group({"study_naming", "Name in study material"}, [&] {
    v.text({"name"}, study.gap ? "no band of the material" : joined_texts(study.names, " or "));
    v.flag({"gap", "No band has this size"}, study.gap);
    v.text({"correction"}, joined_texts(study.corrections, " "));
    v.column({"claims", "Statements"}, study.claims, [](const ArchitectureClaim* claim) { return claim->id; });
    v.column({"sources"}, study.sources, [](const std::string& source) { return source; });
  });
}

/// A design of the choice; the first is told with its cables and files.
void describe_one_design(auto& v, Trace& trace, const Catalog& catalog, const ArchitectureRequest& request,
                         const ArchitectureDesign& chosen, const Design<NoTrace>& built, bool first) {
  const DesignParts& parts = chosen.parts;
  const bool of_system = parts.system != nullptr;
  describe_document(v, chosen);
  v.text({"summary"}, [&] { return design_summary(chosen, built); });
  if (const auto part = v.when(of_system)) {
    const Design<Trace> design =
        v.real() ? make_design(trace, catalog, *request.gpu, parts, request.design) : Design<Trace>{};
    describe(v, design.size);
    describe_design(v, trace, design);
    if (const auto wires = v.when(first)) {
      const WiredDesign wired = v.real() ? wire_design(catalog, parts, request.design, built) : WiredDesign{};
      describe_wires(v, trace, wired, request.cable_schedule, request.elevations);
      std::vector<DesignExport> wanted;
      for (const std::string& word : request.exports)
        wanted.push_back(*of_word<DesignExport>(word, kDesignExportWords));
      if (const auto files = v.when(!wanted.empty()))
        describe_exports(v, v.real() ? design_files(catalog, parts, built, wired,
                                                    {wanted, "podwright", request.gpu->name, request.open_units})
                                     : ExportFiles{});
    }
  }
  describe_choice(v, chosen, of_system ? &built : nullptr);
}

void describe_answer(auto& v, Trace& trace, const Asked& asked, const ArchitectureRequest& request,
                     const DesignChoice& choice, const std::vector<Infeasible>& reasons) {
  const bool feasible = !choice.designs.empty();
  v.text({"kind"}, "architecture");
  v.flag({"feasible"}, feasible);
  if (const auto part = v.when(!feasible))
    describe_reasons(v, reasons, trace, kRejectionsPage, "architecture.shortfall");
  static const Design<NoTrace> kNone;
  std::size_t next = 0;
  v.list({"designs"}, choice.designs, [&](const ArchitectureDesign& chosen) {
    const std::size_t i = next++;
    describe_one_design(v, trace, asked.catalog, request, chosen, v.real() ? choice.built[i] : kNone, i == 0);
  });
  describe_rejected(v, trace, choice.rejected, reasons);
  describe_advice(v, {"advice"}, choice.advice);
  describe_advice(v, {"fallbacks"}, choice.fallbacks);
  if (const auto part = v.when(request.naming == "study")) {
    const ArchitectureNeed& need = request.design.need;
    describe_study_name(v, v.real()
                               ? study_name(asked.catalog, std::max(need.gpu_count, need.growth_gpu_count.value_or(0)))
                               : StudyName{});
  }
  describe_foot(v, asked);
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

Answer answer_architecture(const Asked& asked, const ArchitectureRequest& request) {
  const DesignChoice choice = choose_designs(asked.catalog, *request.gpu, request.design);
  const bool feasible = !choice.designs.empty();
  std::vector<Infeasible> reasons;
  if (!feasible)
    for (const RejectedDesign& rejected : choice.rejected) reasons.push_back(reason_of(asked, rejected));
  Trace trace(sources_of(asked.assumptions));
  return written_answer(&trace, feasible,
                        [&](AnswerWriter& v) { describe_answer(v, trace, asked, request, choice, reasons); });
}

void describe_architecture_answer(AnswerShape& v) {
  Trace trace;
  describe_answer(v, trace, nothing_asked(), ArchitectureRequest{}, DesignChoice{}, {});
}

}  // namespace podwright
