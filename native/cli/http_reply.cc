#include "cli/http_reply.h"

#include <event2/buffer.h>
#include <event2/keyvalq_struct.h>

#include <string_view>
#include <utility>

#include "api/outcome.h"

namespace podwright::cli {

void add_field(evhttp_request* request, const char* name, const std::string& value) {
  evhttp_add_header(evhttp_request_get_output_headers(request), name, value.c_str());
}

std::optional<std::string> field_of(evhttp_request* request, const char* name) {
  std::optional<std::string> joined;
  const evkeyvalq* headers = evhttp_request_get_input_headers(request);
  for (const evkeyval* line = headers->tqh_first; line != nullptr; line = line->next.tqe_next)
    if (evutil_ascii_strcasecmp(line->key, name) == 0) joined = joined ? *joined + ", " + line->value : line->value;
  return joined;
}

bool has_plain_names(evhttp_request* request) {
  const evkeyvalq* headers = evhttp_request_get_input_headers(request);
  for (const evkeyval* line = headers->tqh_first; line != nullptr; line = line->next.tqe_next)
    if (std::string_view(line->key).find_first_of(" \t") != std::string_view::npos) return false;
  return true;
}

void add_guards(evhttp_request* request) {
  add_field(request, "X-Content-Type-Options", "nosniff");
  add_field(request, "Referrer-Policy", "no-referrer");
  // The policy in the page itself cannot say who may frame it.
  add_field(request, "Content-Security-Policy", "frame-ancestors 'none'");
  add_field(request, "Cross-Origin-Opener-Policy", "same-origin");
  add_field(request, "Cross-Origin-Resource-Policy", "same-origin");
}

void reply_json(evhttp_request* request, int status, const char* reason, std::string text) {
  add_field(request, "Content-Type", "application/json");
  add_field(request, "Cache-Control", "no-store");
  text += '\n';
  add_field(request, "Content-Length", std::to_string(text.size()));
  if (evhttp_request_get_command(request) != EVHTTP_REQ_HEAD)
    evbuffer_add(evhttp_request_get_output_buffer(request), text.data(), text.size());
  evhttp_send_reply(request, status, reason, nullptr);
}

void refuse(evhttp_request* request, int status, const char* reason, const char* code, std::string message,
            std::string hint) {
  reply_json(request, status, reason, wrong_input({{code, "", std::move(message), std::move(hint)}}).text);
}

}  // namespace podwright::cli
