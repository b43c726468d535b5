#include "api/host_request.h"

#include <algorithm>
#include <utility>

#include "api/describe_head.h"
#include "api/host_calibration_text.h"
#include "api/plan_on_host.h"
#include "api/write_common.h"
#include "api/write_fits.h"
#include "api/write_verdicts.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "calibration/held_back.h"
#include "calibration/host_calibration.h"

namespace podwright {
namespace {

constexpr std::string_view kProfileHelp = "Hardware profile, as `podwright probe -o FILE` writes it";

Result<ReadProfile> profile_of(const std::string& text) {
  const auto document = parse_json(text);
  PODWRIGHT_ASSERT(document.has_value());
  return read_profile(*document, "/profile");
}

void write_size(JsonWriter& out, const ProbeSize& size) {
  out.begin_object("size");
  const auto member = [&](std::string_view key, const std::optional<double>& value) {
    if (value) out.number(key, *value);
  };
  member("m", size.m);
  member("n", size.n);
  member("k", size.k);
  member("bytes", size.bytes);
  out.end_object();
}

void write_held_back(JsonWriter& out, const std::vector<HeldBack>& predictions) {
  out.begin_list("held_back");
  for (const HeldBack& one : predictions) {
    out.begin_object();
    out.text("probe", one.probe);
    write_size(out, one.size);
    out.number("measured_us", raw(one.measured) * 1e6);
    out.number("predicted_us", raw(one.predicted) * 1e6);
    out.number("predicted_us_low", raw(one.predicted_low) * 1e6);
    out.number("predicted_us_high", raw(one.predicted_high) * 1e6);
    out.number("error", one.relative_error());
    out.boolean("inside", one.inside());
    out.end_object();
  }
  out.end_list();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, CalibrateRequest& r) {
  describe_head(v, "calibrate");
  v.object({.key = "profile", .help = kProfileHelp, .required = true}, r.profile);
}

Answer answer_calibrate(const Catalog& catalog, const CalibrateRequest& request,
                        const std::vector<Assumption>& assumptions) {
  const auto read = profile_of(*request.profile);
  if (!read) return wrong_input(read.error());
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, *read);
  bool any = std::any_of(hosts.begin(), hosts.end(), [](const HostCalibration& host) { return !host.rates.empty(); });
  JsonWriter out;
  out.begin_object();
  out.text("kind", "calibrate");
  out.text("profile_digest", read->digest);
  out.begin_object("calibration");
  write_calibration(out, hosts);
  out.end_object();
  std::vector<std::string> notes = calibration_cautions(catalog, read->profile);
  for (const HostCalibration& host : hosts) notes.insert(notes.end(), host.notes.begin(), host.notes.end());
  write_texts(out, "notes", notes);
  out.begin_list("devices");
  for (const ProfileDevice& device : read->profile.devices) {
    const DevicePeaks peaks = device_peaks(catalog, read->profile, device);
    const MachineCalibration calibration = calibrate_machine(read->profile, device, peaks);
    any = any || !calibration.products.empty() || !calibration.memory.empty();
    out.begin_object();
    out.text("device", device.id);
    out.text("name", device.name);
    write_fits(out, fit_rows(calibration, host_of(catalog, hosts, device)));
    write_held_back(out, predict_held_back(read->profile, device, peaks));
    out.begin_list("gaps");
    for (const CalibrationGap& gap : calibration.gaps) {
      out.begin_object();
      out.text("parameter", gap.parameter);
      out.text("reason", gap.reason);
      out.end_object();
    }
    out.end_list();
    out.end_object();
  }
  out.end_list();
  write_foot(out, catalog, assumptions, {});
  out.end_object();
  return {out.take(), any ? Outcome::answer : Outcome::infeasible};
}

void describe(FieldVisitor& v, const Catalog&, VerifyRequest& r) {
  describe_head(v, "verify");
  v.object({.key = "profile", .help = kProfileHelp, .required = true}, r.profile);
  v.object(
      {.key = "plan",
       .help = "Request of kind plan, serving, training or search: does this machine keep what its answer assumes?"},
      r.plan);
}

Answer answer_verify(const Asked& asked, const VerifyRequest& request) {
  const Catalog& catalog = asked.catalog;
  const auto read = profile_of(*request.profile);
  if (!read) return wrong_input(read.error());
  std::optional<PlanOnHost> plan;
  if (request.plan) {
    plan = plan_on_host(asked.kinds, catalog, *parse_json(*request.plan), *read);
    if (!plan->errors.empty()) return wrong_input(plan->errors);
  }
  const HardwareProfile& profile = read->profile;
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  const ProfileJudgement judgement = judge_profile(catalog, profile);
  bool kept = profile.run.complete && judgement.exit == ProbeExit::ok;
  JsonWriter out;
  out.begin_object();
  out.text("kind", "verify");
  out.text("profile_digest", read->digest);
  out.boolean("complete", profile.run.complete);
  out.number("results", static_cast<double>(profile.results.size()));
  out.number("usable_results", static_cast<double>(usable));
  write_texts(out, "limits", profile.limits);
  write_verdicts(out, judgement);
  if (plan) {
    out.begin_object("plan");
    write_plan_on_host(out, *plan);
    out.end_object();
    kept = kept && plan->feasible_after &&
           std::none_of(plan->assumptions.begin(), plan->assumptions.end(),
                        [](const HostAssumption& a) { return a.state == AssumptionState::not_met; });
  }
  write_foot(out, catalog, asked.assumptions, {});
  out.end_object();
  return {out.take(), kept ? Outcome::answer : Outcome::infeasible};
}

}  // namespace podwright
