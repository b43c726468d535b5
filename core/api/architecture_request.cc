#include "api/architecture_request.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/describe_head.h"
#include "api/design_table.h"
#include "api/ways_out.h"
#include "architecture/design.h"
#include "architecture/design_words.h"
#include "architecture/study_naming.h"
#include "export/design_files.h"

namespace podwright {
namespace {

constexpr std::string_view kRejectionsPage = "docs/method/architecture_bands.md#rejected-designs";

void describe_need(FieldVisitor& v, ArchitectureNeed& need) {
  v.count({.key = "gpu_count", .help = "GPUs to be bought now", .required = true, .range = {0, 1e6}}, need.gpu_count);
  v.count({.key = "growth_gpu_count",
           .help = "GPUs to be reached later: the design is chosen and its shell built for them",
           .range = {0, 1e6}},
          need.growth_gpu_count);
  word(v, {.key = "ownership", .help = "Who builds and owns the machines", .default_source = kPlainCase},
       need.ownership, kOwnershipWords);
  word(v, {.key = "fabric", .help = "Network between the nodes", .default_source = kPlainCase}, need.fabric,
       kFabricFamilyWords);
  v.word({.key = "workload",
          .help = "What the GPUs do; inference-one-node: every replica fits one node",
          .default_source = kPlainCase},
         need.workload, {"training", "finetuning", "inference", "inference-one-node", "hpc", "mixed"});
  word(v, {.key = "sovereignty", .help = "Where data may be", .default_source = kPlainCase}, need.sovereignty,
       kSovereigntyWords);
  word(v, {.key = "tenancy", .help = "Who shares the machines", .default_source = kPlainCase}, need.tenancy,
       kTenancyWords);
  v.count({.key = "replica_gpus",
           .help = "GPUs that one replica of the model is spread over; absent: not considered",
           .range = {1, 1e6}},
          need.replica_gpus);
  word(v, {.key = "services", .help = "Who runs it", .default_source = kPlainCase}, need.services, kServicesWords);
}

void describe_circuit(FieldVisitor& v, CircuitRequest& circuit) {
  v.enter({.key = "circuit", .help = "Three-phase circuit of a rack feed; absent: 415 V, 60 A of the design guide"});
  v.number({.key = "line_voltage_v", .help = "Between two phases, V", .range = {100, 1000}}, circuit.line_voltage_v);
  v.number({.key = "current_a", .help = "Rating of the breaker, A", .range = {10, 1000}}, circuit.current_a);
  v.number({.key = "derating", .help = "Continuous load over the rating of the breaker", .range = {0.5, 1}},
           circuit.derating);
  v.number({.key = "power_factor", .help = "Real over apparent power", .range = {0.5, 1}}, circuit.power_factor);
  v.leave();
}

void describe_site(FieldVisitor& v, DesignRequest& r) {
  std::optional<double> rack_kw;
  std::optional<double> site_kw;
  v.number({.key = "rack_power_kw",
            .help = "Power of one rack, kW; absent: as many systems in a rack as the documents draw",
            .range = {0.1, 10000}},
           rack_kw);
  if (rack_kw) r.need.rack_power = kw(*rack_kw);
  v.count({.key = "rack_units", .help = "Usable rack units of a rack; absent: 48", .range = {1, 100}},
          r.need.rack_units);
  v.number(
      {.key = "rack_load_kg", .help = "Weight that a rack carries, kg; absent: not considered", .range = {1, 10000}},
      r.need.rack_load_kg);
  v.flag({.key = "liquid_cooling", .help = "The site has a liquid loop", .default_source = kPlainCase},
         r.need.liquid_cooling);
  v.number({.key = "site_power_kw", .help = "Power of the site at the meter, kW", .range = {0.1, 1e7}}, site_kw);
  if (site_kw) r.need.site_power = kw(*site_kw);
  v.number({.key = "pue",
            .help = "Power of the facility over power of the machines",
            .range = {1, 5},
            .default_source = "convention of Podwright, between 1.09 (large cloud sites) and 1.56 (mean of the Uptime "
                              "Institute's surveys)"},
           r.pue);
  v.number({.key = "air_temperature_rise_k", .help = "From the cold to the hot aisle, K; absent: 16", .range = {1, 60}},
           r.air_temperature_rise_k);
  v.number({.key = "liquid_temperature_rise_k",
            .help = "From the supply to the return of the loop, K; absent: 9.6",
            .range = {1, 60}},
           r.liquid_temperature_rise_k);
  describe_circuit(v, r.circuit);
  v.enter({.key = "ups", .help = "Uninterruptible supply; absent: none is counted"});
  v.number(
      {.key = "module_kw", .help = "Power of one module, kW; one more than needed is counted", .range = {1, 10000}},
      r.ups.module_kw);
  v.number({.key = "ride_through_s", .help = "Time that the battery carries the load, s", .range = {1, 86400}},
           r.ups.ride_through_s);
  v.leave();
}

void describe_storage(FieldVisitor& v, StorageRequest& s) {
  v.enter({.key = "storage", .help = "What the storage must hold and how fast"});
  v.number({.key = "dataset_tb", .help = "Size of the data set, TB", .range = {1e-3, 1e7}}, s.dataset_tb);
  v.number({.key = "dataset_copies", .help = "Working copies of it; absent: 4", .range = {2, 100}}, s.dataset_copies);
  v.number({.key = "model_parameters",
            .help = "Parameters of the model that is trained: 14 bytes of each are saved",
            .range = {1, 1e15}},
           s.model_parameters);
  v.number(
      {.key = "checkpoint_gb", .help = "Size of a checkpoint, GB, instead of model_parameters", .range = {1e-3, 1e9}},
      s.checkpoint_gb);
  v.count(
      {.key = "checkpoints_kept", .help = "Checkpoints that are kept", .range = {0, 1e5}, .default_source = kPlainCase},
      s.checkpoints_kept);
  v.count({.key = "recent_checkpoints",
           .help = "How many of them stay on the fast tier, for a restart",
           .range = {0, 1e5},
           .default_source = kPlainCase},
          s.recent_checkpoints);
  v.number({.key = "logs_tb", .help = "Logs and results, TB", .range = kNotNegative, .default_source = kPlainCase},
           s.logs_tb);
  word(v,
       {.key = "data",
        .help = "What the work does with its data; decides the least storage level",
        .default_source = kPlainCase},
       s.data, kDataPatternWords);
  v.number({.key = "samples_per_s_per_gpu", .help = "Samples that a GPU processes per second", .range = kPositive},
           s.samples_per_s_per_gpu);
  v.number({.key = "sample_kb", .help = "Size of a sample, kB", .range = kPositive}, s.sample_kb);
  v.count({.key = "restart_readers",
           .help = "Replicas that each read the whole checkpoint at a restart",
           .range = {1, 1e6},
           .default_source = kPlainCase},
          s.restart_readers);
  v.number({.key = "most_lost_share",
            .help = "Share of time that may go to checkpoints, repeated work and restarts",
            .range = {0.001, 1},
            .default_source = kPlainCase},
           s.most_lost_share);
  v.number({.key = "gpu_hours_per_failure",
            .help = "GPU-hours per failure; absent: those of the closest fleet in the catalog",
            .range = kPositive},
           s.gpu_hours_per_failure);
  v.number({.key = "restart_s",
            .help = "From a failure to the first new step without reading, s; absent: 300",
            .range = {0, 1e6}},
           s.restart_s);
  v.word({.key = "level", .help = "Level of the storage guide; absent: chosen"}, s.level,
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
  v.gpu({.key = "gpu", .help = "GPU", .required = true, .aliases = "gpus"}, r.gpu);
  describe_need(v, r.design.need);
  describe_site(v, r.design);
  describe_storage(v, r.design.storage);
  v.word({.key = "naming", .help = "study: also what study material would call this size, with the correction"},
         r.naming, {"nvidia", "study"});
  v.flag({.key = "cable_schedule", .help = "Adds every link of the first design, port to port"}, r.cable_schedule);
  const std::vector<std::string> exports(kDesignExportWords.begin(), kDesignExportWords.end());
  v.words({.key = "exports", .help = "Drawings and files of the first design"}, r.exports, exports);
  v.counts({.key = "open_units",
            .help = "Scalable units that the topology drawing shows leaf by leaf; absent: chosen by the size",
            .range = {1, 100000}},
           r.open_units);
  v.flag({.key = "elevations", .help = "Adds the position of every device in the racks of the first design"},
         r.elevations);
  describe_explain(v, r.explain);
}

namespace {

/// A number above `power` with at most one decimal.
double kilowatts_above(Watts power) { return std::ceil(power / kw(1) * 10) / 10; }

/// Ways out that really lead to a design; one that then needs more power of the site names that too.
std::vector<Patch> leading_ways_out(const Catalog& catalog, const JsonNode& document,
                                    const std::vector<Patch>& patches) {
  std::vector<Patch> leading;
  for (const Patch& patch : patches) {
    auto changed = read_patched<ArchitectureRequest>(catalog, document, patch);
    if (!changed) continue;
    if (!choose_designs(catalog, *changed->gpu, changed->design).designs.empty()) {
      leading.push_back(patch);
      continue;
    }
    if (!changed->design.need.site_power) continue;
    changed->design.need.site_power.reset();
    const DesignChoice more = choose_designs(catalog, *changed->gpu, changed->design);
    if (more.designs.empty() || !more.built.front().power) continue;
    leading.push_back(Patch(patch).set("/site_power_kw", kilowatts_above(more.built.front().power->facility)));
  }
  return leading;
}

Infeasible reason_of(const Catalog& catalog, const JsonNode& document, const RejectedDesign& rejected) {
  Infeasible reason = rejected;
  if (!rejected.title.empty() && rejected.message.text().find(rejected.title) == std::string::npos)
    reason.message = say("of-design", "design"_v = rejected.title, "reason"_v = rejected.message);
  reason.ways_out = leading_ways_out(catalog, document, rejected.ways_out);
  return reason;
}

/// `reasons`: those of the same entries where nothing is left, whose ways out are tried; else empty.
template <class Table>
void describe_rejected(Table& v, Trace& trace, const std::vector<RejectedDesign>& rejected,
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
template <class Table>
void describe_document(Table& v, const ArchitectureDesign& choice) {
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

template <class Table>
void describe_advice(Table& v, const AnswerField& field, const std::vector<DesignAdvice>& list) {
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
template <class Table>
void describe_study_name(Table& v, const StudyName& study) {
  v.group({"study_naming", "Name in study material"}, [&] {
    v.text({"name"}, study.gap ? "no band of the material" : joined_texts(study.names, " or "));
    v.flag({"gap", "No band has this size"}, study.gap);
    v.text({"correction"}, joined_texts(study.corrections, " "));
    v.column({"claims", "Statements"}, study.claims, [](const ArchitectureClaim* claim) { return claim->id; });
    v.column({"sources"}, study.sources, [](const std::string& source) { return source; });
  });
}

/// A design of the choice; the first is told with its cables and files.
template <class Table>
void describe_one_design(Table& v, Trace& trace, const Catalog& catalog, const ArchitectureRequest& request,
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
        describe_exports(v, v.real() ? design_files(catalog, built, wired, {wanted, "podwright", request.open_units})
                                     : ExportFiles{});
    }
  }
  describe_choice(v, chosen, of_system ? &built : nullptr);
}

template <class Table>
void describe_answer(Table& v, Trace& trace, const Catalog& catalog, const ArchitectureRequest& request,
                     const DesignChoice& choice, const std::vector<Infeasible>& reasons,
                     const std::vector<Assumption>& assumptions) {
  const bool feasible = !choice.designs.empty();
  v.text({"kind"}, "architecture");
  v.flag({"feasible"}, feasible);
  if (const auto part = v.when(!feasible))
    describe_reasons(v, reasons, trace, kRejectionsPage, "architecture.shortfall");
  static const Design<NoTrace> kNone;
  std::size_t next = 0;
  v.list({"designs"}, choice.designs, [&](const ArchitectureDesign& chosen) {
    const std::size_t i = next++;
    describe_one_design(v, trace, catalog, request, chosen, v.real() ? choice.built[i] : kNone, i == 0);
  });
  describe_rejected(v, trace, choice.rejected, reasons);
  describe_advice(v, {"advice"}, choice.advice);
  describe_advice(v, {"fallbacks"}, choice.fallbacks);
  if (const auto part = v.when(request.naming == "study")) {
    const ArchitectureNeed& need = request.design.need;
    describe_study_name(
        v, v.real() ? study_name(catalog, std::max(need.gpu_count, need.growth_gpu_count.value_or(0))) : StudyName{});
  }
  describe_foot(v, catalog, assumptions, {});
  describe_trace(v, request.explain ? &trace : nullptr);
}

}  // namespace

Answer answer_architecture(const Catalog& catalog, const JsonNode& document, const ArchitectureRequest& request,
                           const std::vector<Assumption>& assumptions) {
  const DesignChoice choice = choose_designs(catalog, *request.gpu, request.design);
  const bool feasible = !choice.designs.empty();
  std::vector<Infeasible> reasons;
  if (!feasible)
    for (const RejectedDesign& rejected : choice.rejected) reasons.push_back(reason_of(catalog, document, rejected));
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  AnswerWriter v(out);
  out.begin_object();
  describe_answer(v, trace, catalog, request, choice, reasons, assumptions);
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

void describe_architecture_answer(AnswerShape& v) {
  Trace trace;
  describe_answer(v, trace, Catalog{}, ArchitectureRequest{}, DesignChoice{}, {}, {});
}

}  // namespace podwright
