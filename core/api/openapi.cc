#include "api/kinds.h"
#include "api/outcome.h"
#include "api/schema.h"
#include "base/json_write.h"

namespace podwright {
namespace {

/// What the server says to an HTTP request that it cannot hand to the engine, or whose answer is lost.
struct Refusal {
  std::string_view status;
  std::string_view component;
  std::string_view description;
};
constexpr std::string_view kMisdirected = "421";
constexpr std::string_view kBusy = "503";
constexpr Refusal kRefusals[] = {
    {"413", "TooLarge", "The body is larger than the server takes"},
    {"415", "WrongContentType", "The body is not declared as application/json"},
    {kMisdirected, "Misdirected",
     "The request names another host than this machine, and the server was started for it alone"},
    {"422", "WrongInput", "Every problem of the request, each with its JSON Pointer and a hint"},
    {"500", "Failed", "The answer was lost: memory ran out, or the program has a fault"},
    {kBusy, "Busy", "As many requests wait as the server takes; Retry-After says when to ask again"},
    {"504", "TooLong", "The answer took longer than the server allows"},
};

/// RuleOfThumb of rule_of_thumb.
std::string type_name_of(std::string_view word) {
  std::string name;
  bool begins = true;
  for (const char letter : word) {
    if (letter != '_') name += begins ? static_cast<char>(letter - 'a' + 'A') : letter;
    begins = letter == '_';
  }
  return name;
}
std::string request_name(std::string_view word) { return type_name_of(word) + "Request"; }
std::string answer_name(std::string_view word) { return type_name_of(word) + "Answer"; }
std::string schema_path(const std::string& name) { return "#/components/schemas/" + name; }

/// The schema of a body of JSON.
template <class Write>
void json_content(JsonWriter& out, const Write& write) {
  out.begin_object("content");
  out.begin_object("application/json");
  out.begin_object("schema");
  write();
  out.end_object();
  out.end_object();
  out.end_object();
}

void json_content_of(JsonWriter& out, const std::string& name) {
  json_content(out, [&] { out.text("$ref", schema_path(name)); });
}

/// One of all kinds, told apart by "kind".
void any_kind(JsonWriter& out, std::string_view key, std::string (*name)(std::string_view)) {
  out.begin_list(key);
  for (const std::string& word : kind_words(request_kinds())) {
    out.begin_object();
    out.text("$ref", schema_path(name(word)));
    out.end_object();
  }
  out.end_list();
  out.begin_object("discriminator");
  out.text("propertyName", "kind");
  out.begin_object("mapping");
  for (const std::string& word : kind_words(request_kinds())) out.text(word, schema_path(name(word)));
  out.end_object();
  out.end_object();
}

void refusal_response(JsonWriter& out, const Refusal& refusal) {
  out.begin_object(refusal.status);
  out.text("$ref", "#/components/responses/" + std::string(refusal.component));
  out.end_object();
}

void header_reference(JsonWriter& out, std::string_view header, const std::string& component) {
  out.begin_object("headers");
  out.begin_object(header);
  out.text("$ref", "#/components/headers/" + component);
  out.end_object();
  out.end_object();
}

void responses(JsonWriter& out, const auto& write_answer) {
  out.begin_object("responses");
  out.begin_object("200");
  out.text("description", "The answer; one that is infeasible has reasons, the shortfall and ways out");
  header_reference(out, "Podwright-Outcome", "Outcome");
  json_content(out, write_answer);
  out.end_object();
  for (const Refusal& refusal : kRefusals) refusal_response(out, refusal);
  out.end_object();
}

/// POST of a request to `path`.
void question_path(JsonWriter& out, const std::string& path, std::string_view id, std::string_view summary,
                   const auto& write_request, const auto& write_answer) {
  out.begin_object(path);
  out.begin_object("post");
  out.text("operationId", id);
  out.text("summary", summary);
  out.begin_object("requestBody");
  out.boolean("required", true);
  json_content(out, write_request);
  out.end_object();
  responses(out, write_answer);
  out.end_object();
  out.end_object();
}

void get_path(JsonWriter& out, std::string_view path, std::string_view id, std::string_view summary,
              const auto& write_schema) {
  out.begin_object(path);
  out.begin_object("get");
  out.text("operationId", id);
  out.text("summary", summary);
  out.begin_object("responses");
  out.begin_object("200");
  out.text("description", summary);
  json_content(out, write_schema);
  out.end_object();
  for (const Refusal& refusal : kRefusals)
    if (refusal.status == kMisdirected) refusal_response(out, refusal);
  out.end_object();
  out.end_object();
  out.end_object();
}

void paths(JsonWriter& out) {
  out.begin_object("paths");
  question_path(
      out, "/v1/answer", "answer", "The answer to a request of any kind",
      [&] {
        out.text("type", "object");
        write_texts(out, "required", {"kind"});
        any_kind(out, "oneOf", request_name);
      },
      [&] { any_kind(out, "anyOf", answer_name); });
  for (const std::string& word : kind_words(request_kinds()))
    question_path(
        out, "/v1/" + word, word, find_kind(request_kinds(), word)->help,
        [&] { out.text("$ref", schema_path(request_name(word))); },
        [&] { out.text("$ref", schema_path(answer_name(word))); });
  get_path(out, "/v1/openapi.json", "openapi", "This document", [&] { out.text("type", "object"); });
  get_path(out, "/healthz", "health", "Whether the server answers", [&] { out.text("$ref", schema_path("Health")); });
  out.end_object();
}

void text_property(JsonWriter& out, std::string_view name, std::string_view description) {
  out.begin_object(name);
  out.text("type", "string");
  out.text("description", description);
  out.end_object();
}

/// Schemas of what the server itself says.
void own_schemas(JsonWriter& out) {
  out.begin_object("Health");
  out.text("type", "object");
  out.begin_object("properties");
  text_property(out, "status", "ok");
  text_property(out, "podwright_version", "Version of the program");
  out.end_object();
  write_texts(out, "required", {"status", "podwright_version"});
  out.end_object();
  out.begin_object("Problem");
  out.text("type", "object");
  out.begin_object("properties");
  text_property(out, "code", "Kind of problem");
  text_property(out, "path", "JSON Pointer to what is wrong in the request");
  text_property(out, "message", "What is wrong");
  text_property(out, "hint", "What to write instead");
  out.end_object();
  write_texts(out, "required", {"code", "path", "message", "hint"});
  out.end_object();
  out.begin_object("Problems");
  out.text("type", "object");
  out.begin_object("properties");
  out.begin_object("errors");
  out.text("type", "array");
  out.begin_object("items");
  out.text("$ref", schema_path("Problem"));
  out.end_object();
  out.end_object();
  out.begin_object("error");
  out.text("$ref", schema_path("Problem"));
  out.end_object();
  out.end_object();
  write_texts(out, "required", {"errors"});
  out.end_object();
}

void components(JsonWriter& out, const Catalog& catalog) {
  out.begin_object("components");
  out.begin_object("schemas");
  for (const std::string& word : kind_words(request_kinds())) {
    out.begin_object(request_name(word));
    write_request_schema(out, catalog, word);
    out.end_object();
    out.begin_object(answer_name(word));
    has_answer_schema(word) ? write_answer_schema(out, word) : out.text("type", "object");
    out.end_object();
  }
  own_schemas(out);
  out.end_object();
  out.begin_object("headers");
  out.begin_object("Outcome");
  out.text("description", "answer or infeasible");
  out.begin_object("schema");
  write_texts(out, "enum", {"answer", "infeasible"});
  out.end_object();
  out.end_object();
  out.begin_object("RetryAfter");
  out.text("description", "Seconds after which to ask again");
  out.begin_object("schema");
  out.text("type", "integer");
  out.end_object();
  out.end_object();
  out.end_object();
  out.begin_object("responses");
  for (const Refusal& refusal : kRefusals) {
    out.begin_object(refusal.component);
    out.text("description", refusal.description);
    if (refusal.status == kBusy) header_reference(out, "Retry-After", "RetryAfter");
    json_content_of(out, "Problems");
    out.end_object();
  }
  out.end_object();
  out.end_object();
}

}  // namespace

std::string openapi_json(const Catalog& catalog) {
  JsonWriter out;
  out.begin_object();
  out.text("openapi", "3.1.0");
  out.begin_object("info");
  out.text("title", "Podwright");
  out.text("version", version());
  out.text(
      "description",
      "What to buy or rent to run language models on NVIDIA hardware, how to lay out the work, how fast it will be "
      "and what it costs. Other paths than these are answered with 404, other methods with 405; all refusals are of "
      "the "
      "type Problems.");
  out.begin_object("license");
  out.text("name", "Apache License 2.0");
  out.text("identifier", "Apache-2.0");
  out.end_object();
  out.end_object();
  out.text("jsonSchemaDialect", kSchemaDialect);
  out.begin_list("servers");
  out.begin_object();
  out.text("url", "/");
  out.end_object();
  out.end_list();
  paths(out);
  components(out, catalog);
  out.end_object();
  return out.take();
}

}  // namespace podwright
