#include "api/import_request.h"

#include <utility>

#include "api/answer_writer.h"
#include "api/common_table.h"
#include "api/describe_head.h"
#include "api/import_rates.h"
#include "api/version.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "base/words.h"
#include "measure/profile_merge.h"

namespace podwright {
namespace {

void write_identifiers(JsonWriter& out, const std::vector<IdentifierCount>& identifiers) {
  out.begin_list("identifiers");
  for (const IdentifierCount& one : identifiers) {
    out.begin_object();
    out.text("kind", word_of(one.kind, kIdentifierWords));
    out.number("count", one.count);
    out.end_object();
  }
  out.end_list();
}

void write_files(JsonWriter& out, const std::vector<ImportedFile>& files) {
  out.begin_list("files");
  for (const ImportedFile& file : files) {
    out.begin_object();
    out.text("name", file.name);
    out.text("format", word_of(file.format, kFileFormatWords));
    out.text("written_by", called(file.format));
    write_texts(out, "used", file.fields.used);
    write_texts(out, "ignored", file.fields.ignored);
    write_texts(out, "missing", file.fields.missing);
    write_identifiers(out, file.identifiers);
    out.end_object();
  }
  out.end_list();
}

void write_serving(JsonWriter& out, const ImportedFile& file) {
  const ServingMeasurement& measured = *file.serving;
  const auto member = [&](std::string_view key, const std::optional<double>& value) {
    if (value) out.number(key, *value);
  };
  out.begin_object();
  out.text("file", file.name);
  out.text("tool", measured.tool);
  if (!measured.model.empty()) out.text("model", measured.model);
  out.number("requests", measured.requests);
  member("duration_s", measured.duration_s);
  member("concurrency", measured.concurrency);
  member("request_rate_per_s", measured.request_rate_per_s);
  member("input_tokens", measured.input_tokens);
  member("output_tokens", measured.output_tokens);
  out.number("requests_per_s", measured.requests_per_s);
  out.number("output_tokens_per_s", measured.output_tokens_per_s);
  member("total_tokens_per_s", measured.total_tokens_per_s);
  out.number("ttft_s", measured.ttft_s);
  member("ttft_s_p50", measured.ttft_s_p50);
  member("ttft_s_p99", measured.ttft_s_p99);
  out.number("tpot_s", measured.tpot_s);
  member("tpot_s_p50", measured.tpot_s_p50);
  member("tpot_s_p99", measured.tpot_s_p99);
  out.end_object();
}

/// "m 8192, n 8192, k 8192"
std::string size_text(const ProbeSize& size) {
  std::string text;
  for (const ProbeSizeField& field : kProbeSizeFields)
    if (const auto& told = size.*field.value; told)
      text += (text.empty() ? "" : ", ") + std::string(field.word) + " " + shortest_number(*told);
  return text;
}

void write_changes(JsonWriter& out, const HardwareProfile& before, const HardwareProfile& after) {
  const ProfileComparison compared = compared_profiles(before, after);
  out.begin_object("changes");
  write_texts(out, "differences", compared.differences);
  out.number("only_before", compared.only_before);
  out.number("only_after", compared.only_after);
  out.begin_list("results");
  for (const ComparedResult& one : compared.results) {
    out.begin_object();
    out.text("probe", one.after->probe);
    if (!one.after->dtype.empty()) out.text("dtype", one.after->dtype);
    write_texts(out, "devices", one.after->devices);
    out.text("mode", word_of(one.after->mode, kProbeModeWords));
    out.text("size", size_text(one.after->size));
    out.number("time_ratio", one.time_ratio);
    out.boolean("beyond_noise", one.beyond_noise);
    out.end_object();
  }
  out.end_list();
  out.end_object();
}

}  // namespace

void describe(FieldVisitor& v, const Catalog&, ImportRequest& r) {
  describe_head(v, "import");
  const std::size_t count = v.enter_list({.key = "files", .help = "Files of one machine, as text", .required = true});
  r.files.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    v.enter_item(i);
    v.text({.key = "name", .help = "Name of the file, for messages", .required = true}, r.files[i].name);
    v.text({.key = "text", .help = "The whole file, unchanged", .required = true}, r.files[i].text);
    v.leave_item();
  }
  v.leave_list();
  v.object({.key = "before", .help = "An earlier profile of the same machine: what changed since"}, r.before);
}

Answer answer_import(const Catalog& catalog, const ImportRequest& request, const std::vector<Assumption>& assumptions) {
  auto imported = import_files(catalog, request.files, std::string(version()));
  if (!imported) {
    for (Error& error : imported.error()) error.path = "/files" + error.path;
    return wrong_input(imported.error());
  }
  std::optional<ReadProfile> before;
  if (request.before) {
    auto read = read_profile(*parse_json(*request.before), "/before");
    if (!read) return wrong_input(read.error());
    before = std::move(*read);
  }
  JsonWriter out;
  out.begin_object();
  out.text("kind", "import");
  write_files(out, imported->files);
  out.begin_list("serving");
  for (const ImportedFile& file : imported->files)
    if (file.serving) write_serving(out, file);
  out.end_list();
  if (const auto& read = imported->profile) {
    out.text("profile_digest", read->digest);
    out.key("profile");
    out.verbatim(profile_text(read->profile));
    write_import_rates(out, catalog, *read);
    if (before) write_changes(out, before->profile, read->profile);
  }
  AnswerWriter v(out);
  describe_foot(v, catalog, assumptions, {});
  out.end_object();
  return {out.take(), Outcome::answer};
}

}  // namespace podwright
