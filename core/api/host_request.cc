#include "api/host_request.h"

#include <algorithm>

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/host_calibration_text.h"
#include "api/host_table.h"
#include "base/append.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "calibration/device_verdict.h"
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

/// A device of the profile and what its results were fitted to.
struct FittedDevice {
  std::string id;
  std::string name;
  std::vector<FitRow> fits;
  std::vector<HeldBack> held_back;
  std::vector<CalibrationGap> gaps;
};

void describe_calibrated(auto& v, const Asked& asked, const ReadProfile& read,
                         const std::vector<HostCalibration>& hosts, const std::vector<FittedDevice>& devices) {
  std::vector<std::string> notes = calibration_cautions(asked.catalog, read.profile);
  for (const HostCalibration& host : hosts) append(notes, host.notes);
  v.text({"kind"}, "calibrate");
  v.text({"profile_digest"}, read.digest);
  v.any({"calibration", unit::kNone, "What requests take as calibration"}, [&](JsonWriter& out) {
    out.begin_object();
    write_calibration(out, hosts);
    out.end_object();
  });
  v.texts({"notes"}, notes);
  v.list({"devices"}, devices, [&](const FittedDevice& device) {
    v.text({"device"}, device.id);
    v.text({"name"}, device.name);
    v.list({"fits"}, device.fits);
    v.list({"held_back", "Predicted without having seen them"}, device.held_back);
    v.list({"gaps", "Not fitted"}, device.gaps);
  });
  describe_foot(v, asked);
}

void describe_verified(auto& v, const Asked& asked, const ReadProfile& read, const ProfileJudgement& judgement,
                       const std::optional<PlanOnHost>& plan) {
  const HardwareProfile& profile = read.profile;
  const auto usable = std::count_if(profile.results.begin(), profile.results.end(),
                                    [](const ProbeResult& result) { return result.usable(); });
  v.text({"kind"}, "verify");
  v.text({"profile_digest"}, read.digest);
  v.flag({"complete"}, profile.run.complete);
  v.number({"results"}, static_cast<double>(profile.results.size()));
  v.number({"usable_results"}, static_cast<double>(usable));
  v.texts({"limits"}, profile.limits);
  v.group({"verdict_of_all"}, [&] { describe_message(v, judgement.summary); });
  v.list({"devices"}, judgement.devices);
  v.list({"verdicts"}, judgement.verdicts);
  v.texts({"notes"}, judgement.notes);
  v.object({"plan", "The plan on this machine"}, plan);
  describe_foot(v, asked);
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, CalibrateRequest& r) {
  describe_head(v, "calibrate");
  v.object({"profile", kProfileHelp, kRequired}, r.profile);
}

Answer answer_calibrate(const Asked& asked, const CalibrateRequest& request) {
  const Catalog& catalog = asked.catalog;
  const auto read = profile_of(*request.profile);
  if (!read) return wrong_input(read.error());
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, *read);
  bool any = std::any_of(hosts.begin(), hosts.end(), [](const HostCalibration& host) { return !host.rates.empty(); });
  std::vector<FittedDevice> devices;
  for (const ProfileDevice& device : read->profile.devices) {
    const DevicePeaks peaks = device_peaks(catalog, read->profile, device);
    const MachineCalibration calibration = calibrate_machine(read->profile, device, peaks);
    any = any || !calibration.products.empty() || !calibration.memory.empty();
    devices.push_back({.id = device.id,
                       .name = device.name,
                       .fits = fit_rows(calibration, host_of(catalog, hosts, device)),
                       .held_back = predict_held_back(read->profile, device, peaks),
                       .gaps = calibration.gaps});
  }
  return written_answer(nullptr, any, [&](AnswerWriter& v) { describe_calibrated(v, asked, *read, hosts, devices); });
}

void describe(FieldVisitor& v, const Catalog&, VerifyRequest& r) {
  describe_head(v, "verify");
  v.object({"profile", kProfileHelp, kRequired}, r.profile);
  v.object(
      {"plan", "Request of kind plan, serving, training or search: does this machine keep what its answer assumes?"},
      r.plan);
}

Answer answer_verify(const Asked& asked, const VerifyRequest& request) {
  const Catalog& catalog = asked.catalog;
  const auto read = profile_of(*request.profile);
  if (!read) return wrong_input(read.error());
  std::optional<PlanOnHost> plan;
  if (request.plan) {
    plan = plan_on_host(*asked.kinds, catalog, *parse_json(*request.plan), *read);
    if (!plan->errors.empty()) return wrong_input(plan->errors);
  }
  const ProfileJudgement judgement = judge_profile(catalog, read->profile);
  const bool kept =
      read->profile.run.complete && judgement.exit == ProbeExit::ok && (plan || any_judged(judgement.devices)) &&
      (!plan || (plan->feasible_after && plan->checked() &&
                 std::none_of(plan->assumptions.begin(), plan->assumptions.end(),
                              [](const HostAssumption& a) { return a.state == AssumptionState::not_met; })));
  return written_answer(nullptr, kept, [&](AnswerWriter& v) { describe_verified(v, asked, *read, judgement, plan); });
}

void describe_calibrate_answer(AnswerShape& v) { describe_calibrated(v, nothing_asked(), ReadProfile{}, {}, {}); }

void describe_verify_answer(AnswerShape& v) { describe_verified(v, nothing_asked(), ReadProfile{}, {}, {}); }

}  // namespace podwright
