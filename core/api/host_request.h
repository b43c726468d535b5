#pragma once
/// The kinds about a machine that was measured: `import` makes a profile of files that a person hands over, `calibrate`
/// makes of a profile what plans take from it, `verify` says whether the machine is sound and keeps what a plan
/// assumes. docs/method/probes.md.
#include <optional>
#include <string>
#include <vector>

#include "api/fields.h"
#include "api/outcome.h"
#include "measure/import_files.h"

namespace podwright {

struct CalibrateRequest {
  std::optional<std::string> profile;  ///< JSON
};
void describe(FieldVisitor& visitor, const Catalog& catalog, CalibrateRequest& request);
/// `calibration` as requests carry it, the fits of each device with their errors on results that they did not see, and
/// what could not be fitted. Infeasible where a profile gives no rate and no fit.
Answer answer_calibrate(const Asked& asked, const CalibrateRequest& request);

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

struct ImportRequest {
  std::vector<FileText> files;
  std::vector<ChosenGpu> gpus;         ///< a person's word on what the devices are
  std::optional<std::string> before;   ///< JSON of an earlier profile of the same machine
  std::optional<std::string> request;  ///< JSON of the deployment that the engine of the files serves
};
void describe(FieldVisitor& visitor, const Catalog& catalog, ImportRequest& request);
/// What each file is, what is taken of it and what in it names somebody; files that were refused; the joined profile
/// with its rates beside the data sheet; serving measurements; what an engine said of itself, and `request` with it;
/// with `before` what changed. Errors stand at "/files/<place>/text" and in "/request".
Answer answer_import(const Asked& asked, const ImportRequest& request);

}  // namespace podwright
