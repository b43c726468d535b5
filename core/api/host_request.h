#pragma once
/// The kinds about a machine that was measured: `calibrate` makes of its profile what plans take from it, `verify` says
/// whether it is sound and keeps what a plan assumes. docs/method/probes.md.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/kind.h"

namespace podwright {

class AnswerShape;

struct CalibrateRequest {
  std::optional<std::string> profile;  ///< JSON
};
void describe(FieldVisitor& visitor, const Catalog& catalog, CalibrateRequest& request);
/// `calibration` as requests carry it, the fits of each device with their errors on results that they did not see, and
/// what could not be fitted. Infeasible where a profile gives no rate and no fit.
Answer answer_calibrate(const Catalog& catalog, const CalibrateRequest& request,
                        const std::vector<Assumption>& assumptions);

struct VerifyRequest {
  std::optional<std::string> profile;  ///< JSON
  std::optional<std::string> plan;     ///< JSON of a request: plan, serving, training or search
};
void describe(FieldVisitor& visitor, const Catalog& catalog, VerifyRequest& request);
/// Verdicts on the machine, and with a plan what it assumes and what it becomes. Infeasible where the profile is
/// unfinished, a verdict is low or a probe failed, or the machine does not keep what the plan assumes.
Answer answer_verify(const Asked& asked, const VerifyRequest& request);

/// Their fields.
void describe_calibrate_answer(AnswerShape& v);
void describe_verify_answer(AnswerShape& v);

}  // namespace podwright
