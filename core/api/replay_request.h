#pragma once
/// The `replay` request: a deployment, and the requests that it gets one by one.
#include <string>

#include "api/fields.h"
#include "api/outcome.h"
#include "api/requests.h"
#include "replay/serve.h"

namespace podwright {

struct ReplayRequest {
  ServingRequest serving;
  replay::ReplayRun replay;
  bool explain = false;
};

void describe(FieldVisitor& visitor, const Catalog& catalog, ReplayRequest& request);

Answer answer_replay(const Asked& asked, const ReplayRequest& request);

/// Its fields.
void describe_replay_answer(AnswerShape& v);

}  // namespace podwright
