#pragma once
/// Fields that answers of many kinds share.
#include <string>
#include <string_view>
#include <vector>

#include "api/answer_field.h"
#include "api/host_calibration_text.h"
#include "api/outcome.h"
#include "base/infeasible.h"
#include "base/json_write.h"
#include "base/message.h"
#include "catalog/catalog.h"
#include "export/export_file.h"

namespace podwright {

void describe_ways_out(auto& v, const std::vector<Patch>& patches) {
  v.any({"ways_out", unit::kNone, "Merge patches of the request, each of which lifts this limit"},
        [&](JsonWriter& out) {
          out.begin_list();
          for (const Patch& patch : patches) out.verbatim(patch.text());
          out.end_list();
        });
}

/// The members of a sentence; `field` holds it in English. `code`: of what it is about, where that is not the
/// sentence's.
void describe_message(auto& v, const Message& message, std::string_view code = "",
                      const AnswerField& field = {"message", "Why"}) {
  v.text({"code", "Reason"}, code.empty() ? message.code : code);
  if (const auto part = v.when(!code.empty() && code != message.code)) v.text({"sentence"}, message.code);
  v.text(field, [&] { return message.text(); });
  if (const auto part = v.when(!message.values.empty()))
    v.any({"values"}, [&](JsonWriter& out) { out.message_values(message); });
}

/// A list of sentences, left out where there is none.
void describe_messages(auto& v, const AnswerField& field, const std::vector<Message>& messages) {
  if (const auto part = v.when(!messages.empty()))
    v.list(field, messages, [&](const Message& message) { describe_message(v, message); });
}

/// `shortfall` is a number of `tracer`, named `id` and explained on the page; one of 0 says nothing and is left out.
void describe_reason(auto& v, const Infeasible& reason, auto& tracer, std::string_view page, std::string_view id) {
  describe_message(v, reason.message, reason.code);
  if (const auto part = v.when(reason.shortfall != 0)) {
    v.number({"shortfall", "Short by"}, [&] { return tracer.method(id, reason.shortfall, page); });
    v.text({"unit"}, reason.unit);
  }
  describe_ways_out(v, reason.ways_out);
}

void describe_reasons(auto& v, const std::vector<Infeasible>& reasons, auto& tracer, std::string_view page,
                      std::string_view id) {
  v.list({"reasons"}, reasons, [&](const Infeasible& reason) { describe_reason(v, reason, tracer, page, id); });
}

/// A default of the request with its source, or what the estimates assumed.
struct ListedAssumption {
  const Assumption* of_request = nullptr;
  std::string_view message;
};
void describe(auto& v, const ListedAssumption& listed) {
  v.fields(listed.of_request, [&](const Assumption& assumption) {
    v.text({"path"}, assumption.path);
    v.any({"value"}, [&](JsonWriter& out) { out.verbatim(assumption.value); });
    v.text({"source"}, assumption.source);
  });
  v.text({"message", "Why"}, unless_empty(listed.message));
}

/// Rates of a host that answers stand on: which follow the machine's ratio to the reference, are its own, or stay the
/// catalog's, and why.
void describe(auto& v, const HostCalibration& host) {
  v.text({"gpu"}, host.gpu_id);
  v.text({"profile_digest"}, host.profile_digest);
  v.text({"measured"}, unless_empty(host.measured));
  v.text({"backend", "Measured with"}, unless_empty(host.backend));
  v.texts({"relative", "Follow the ratio to the reference"}, rates_of_use(host, RateUse::relative));
  v.texts({"absolute", "As measured"}, rates_of_use(host, RateUse::absolute));
  v.texts({"unchanged", "As in the catalog"}, rates_of_use(host, RateUse::none));
  v.texts({"notes"}, reasons_of_unchanged(host));
}

void describe_exports(auto& v, const ExportFiles& files) {
  v.list({"exports", "Files"}, files.files, [&](const ExportFile& file) {
    v.text({"name"}, file.name);
    v.text({"media_type"}, file.media_type);
    v.text({"text"}, file.text);
  });
  v.texts({"not_exported"}, files.not_written);
}

/// What every answer ends with.
void describe_foot(auto& v, const Asked& asked, const std::vector<std::string>& assumed = {}) {
  std::vector<ListedAssumption> listed;
  for (const Assumption& assumption : asked.assumptions) listed.push_back({&assumption, {}});
  for (const std::string& message : assumed) listed.push_back({nullptr, message});
  v.list({"assumptions", unit::kNone, "Values that the request does not set, and where each comes from"}, listed);
  v.text({"podwright_version"}, version());
  v.text({"catalog_digest"}, catalog_digest(asked.catalog));
  if (const auto part = v.when(!asked.catalog.hosts.empty())) v.list({"calibrations"}, asked.catalog.hosts);
}

/// What the shown numbers stand on; of an answer that was asked to explain itself.
void describe_trace(auto& v, const Trace* trace) {
  if (const auto part = v.when(trace != nullptr)) v.any({"trace"}, [&](JsonWriter& out) { write_trace(out, *trace); });
}

}  // namespace podwright
