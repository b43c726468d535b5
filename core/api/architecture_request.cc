#include "api/architecture_request.h"

#include <algorithm>

#include "api/describe_head.h"
#include "api/ways_out.h"
#include "api/write_common.h"
#include "api/write_design.h"
#include "architecture/design.h"
#include "architecture/design_summary.h"
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
  v.word({.key = "ownership", .help = "Who builds and owns the machines", .default_source = kPlainCase}, need.ownership,
         {"any", "dgx", "oem", "pcie", "cloud"});
  v.word({.key = "fabric", .help = "Network between the nodes", .default_source = kPlainCase}, need.fabric,
         {"any", "infiniband", "spectrum-x", "roce"});
  v.word({.key = "workload",
          .help = "What the GPUs do; inference-one-node: every replica fits one node",
          .default_source = kPlainCase},
         need.workload, {"training", "finetuning", "inference", "inference-one-node", "hpc", "mixed"});
  v.word({.key = "sovereignty", .help = "Where data may be", .default_source = kPlainCase}, need.sovereignty,
         {"none", "in-country", "on-premises", "air-gapped"});
  v.word({.key = "tenancy", .help = "Who shares the machines", .default_source = kPlainCase}, need.tenancy,
         {"one-team", "several-teams", "several-tenants"});
  v.count({.key = "replica_gpus",
           .help = "GPUs that one replica of the model is spread over; absent: not looked at",
           .range = {1, 1e6}},
          need.replica_gpus);
  v.word({.key = "services", .help = "Who runs it", .default_source = kPlainCase}, need.services,
         {"self", "partner", "nvidia"});
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
      {.key = "rack_load_kg", .help = "Weight that a rack carries, kg; absent: not looked at", .range = {1, 10000}},
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
           .help = "Of them on the fast tier, for a restart",
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
  v.number({.key = "samples_per_s_per_gpu", .help = "Samples that a GPU works through each second", .range = kPositive},
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
            .help = "GPU-hours for each failure; absent: of the fleet in the catalog that stands closest",
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
  v.flag({.key = "elevations", .help = "Adds what stands where in every rack of the first design"}, r.elevations);
  describe_explain(v, r.explain);
}

namespace {

/// A number above `power` with at most one decimal.
double kilowatts_above(Watts power) { return std::ceil(power / kw(1) * 10) / 10; }

/// Ways out that really lead to a design; one that then needs more power of the site names that too.
std::vector<std::string> leading_ways_out(const Catalog& catalog, const JsonNode& document,
                                          const std::vector<std::string>& patches) {
  std::vector<std::string> leading;
  for (const std::string& patch : patches) {
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
    const auto both = parse_json(patch);
    const auto power = parse_json(merge_patch("site_power_kw", kilowatts_above(more.built.front().power->facility)));
    if (both && power) leading.push_back(json_text(merged(*both, *power)));
  }
  return leading;
}

Infeasible reason_of(const Catalog& catalog, const JsonNode& document, const RejectedDesign& rejected) {
  const bool named = rejected.title.empty() || rejected.message.find(rejected.title) != std::string::npos;
  const std::string message = named ? rejected.message : rejected.title + ": " + rejected.message;
  return {rejected.code, message, rejected.shortfall.value_or(0), rejected.unit,
          leading_ways_out(catalog, document, rejected.ways_out)};
}

/// `reasons`: those of the same entries where nothing is left, whose ways out are tried; else empty.
void write_rejected(JsonWriter& out, Trace& trace, const std::vector<RejectedDesign>& rejected,
                    const std::vector<Infeasible>& reasons) {
  out.begin_list("rejected");
  for (std::size_t i = 0; i < rejected.size(); ++i) {
    const RejectedDesign& design = rejected[i];
    out.begin_object();
    if (!design.architecture_id.empty()) out.text("architecture", design.architecture_id);
    if (!design.title.empty()) out.text("title", design.title);
    if (!design.system_id.empty()) out.text("system", design.system_id);
    write_reason_members(out,
                         {design.code, design.message, design.shortfall.value_or(0), design.unit,
                          reasons.empty() ? design.ways_out : reasons[i].ways_out},
                         trace, kRejectionsPage);
    out.end_object();
  }
  out.end_list();
}

/// What the document is, and how far this size stands in it.
void write_document(JsonWriter& out, const ArchitectureDesign& choice) {
  out.text("architecture", choice.architecture_id);
  out.text("title", choice.title);
  const ReferenceArchitecture* document = choice.parts.architecture;
  if (document != nullptr) {
    out.text("document", document->document);
    out.text("confidence", document->confidence);
    if (!document->unsure_fields.empty()) write_texts(out, "unsure", document->unsure_fields);
  }
  if (choice.parts.band != nullptr) out.text("size_in_document", word_of(choice.parts.band->fit, kBandFitWords));
  if (choice.parts.system != nullptr) out.text("system", choice.parts.system->id);
}

void write_wires(JsonWriter& out, Trace& trace, const ArchitectureRequest& request, const WiredDesign& wired) {
  out.key("cables");
  write_cable_lines(out, trace, wired);
  if (request.cable_schedule) {
    out.key("cable_schedule");
    write_wiring(out, wired);
  }
  if (request.elevations && wired.elevations) {
    out.key("elevations");
    write_elevations(out, *wired.elevations);
  }
}

void write_exports(JsonWriter& out, const DesignFiles& files) {
  out.begin_list("exports");
  for (const ExportFile& file : files.files) {
    out.begin_object();
    out.text("name", file.name);
    out.text("media_type", file.media_type);
    out.text("text", file.text);
    out.end_object();
  }
  out.end_list();
  write_texts(out, "not_exported", files.not_written);
}

void write_advice(JsonWriter& out, std::string_view name, const std::vector<DesignAdvice>& list) {
  if (list.empty()) return;
  out.begin_list(name);
  for (const DesignAdvice& advice : list) {
    out.begin_object();
    out.text("text", advice.text);
    out.text("source", advice.source);
    out.begin_list("ways_out");
    for (const std::string& patch : advice.ways_out) out.verbatim(patch);
    out.end_list();
    out.end_object();
  }
  out.end_list();
}

std::string joined_texts(const std::vector<std::string>& texts, std::string_view between) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(between)) + text;
  return all;
}

/// What study material would call this size, beside what the documents say.
void write_study_name(JsonWriter& out, const Catalog& catalog, double gpu_count) {
  const StudyName study = study_name(catalog, gpu_count);
  out.begin_object("study_naming");
  out.text("name", study.gap ? "no band of the material" : joined_texts(study.names, " or "));
  out.boolean("gap", study.gap);
  out.text("correction", joined_texts(study.corrections, " "));
  out.begin_list("claims");
  for (const ArchitectureClaim* claim : study.claims) out.text(claim->id);
  out.end_list();
  out.begin_list("sources");
  for (const std::string& source : study.sources) out.text(source);
  out.end_list();
  out.end_object();
}

void write_designs(JsonWriter& out, Trace& trace, const Catalog& catalog, const ArchitectureRequest& request,
                   const DesignChoice& choice) {
  out.begin_list("designs");
  for (std::size_t i = 0; i < choice.designs.size(); ++i) {
    const ArchitectureDesign& chosen = choice.designs[i];
    const DesignParts& parts = chosen.parts;
    const Design<NoTrace>& built = choice.built[i];
    out.begin_object();
    write_document(out, chosen);
    out.text("summary", design_summary(chosen, built));
    if (parts.system != nullptr) {
      const Design<Trace> design = make_design(trace, catalog, *request.gpu, parts, request.design);
      write_design_size(out, design.size);
      write_design(out, trace, design);
    }
    if (i == 0 && parts.system != nullptr) {
      const WiredDesign wired = wire_design(catalog, parts, request.design, built);
      write_wires(out, trace, request, wired);
      if (!request.exports.empty()) {
        std::vector<DesignExport> wanted;
        for (const std::string& word : request.exports)
          wanted.push_back(*of_word<DesignExport>(word, kDesignExportWords));
        write_exports(out, design_files(catalog, built, wired, {wanted, "podwright", request.open_units}));
      }
    }
    write_told(out, chosen, parts.system == nullptr ? nullptr : &built);
    out.end_object();
  }
  out.end_list();
}

}  // namespace

Answer answer_architecture(const Catalog& catalog, const JsonNode& document, const ArchitectureRequest& request,
                           const std::vector<Assumption>& assumptions) {
  const DesignChoice choice = choose_designs(catalog, *request.gpu, request.design);
  const bool feasible = !choice.designs.empty();
  Trace trace(sources_of(assumptions));
  JsonWriter out(&trace);
  out.begin_object();
  out.text("kind", "architecture");
  out.boolean("feasible", feasible);
  std::vector<Infeasible> reasons;
  if (!feasible) {
    for (const RejectedDesign& rejected : choice.rejected) reasons.push_back(reason_of(catalog, document, rejected));
    write_reasons(out, "reasons", reasons, trace, kRejectionsPage);
  }
  write_designs(out, trace, catalog, request, choice);
  write_rejected(out, trace, choice.rejected, reasons);
  write_advice(out, "advice", choice.advice);
  write_advice(out, "fallbacks", choice.fallbacks);
  if (request.naming == "study")
    write_study_name(out, catalog,
                     std::max(request.design.need.gpu_count, request.design.need.growth_gpu_count.value_or(0)));
  write_foot(out, catalog, assumptions, {});
  if (request.explain) {
    out.key("trace");
    write_trace(out, trace);
  }
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

}  // namespace podwright
