#include "cli/api_server.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include <algorithm>
#include <utility>

#include "api/kinds.h"
#include "api/schema.h"
#include "cli/http_reply.h"

namespace podwright::cli {
namespace {

/// Requests that wait; more are sent away.
constexpr std::size_t kWaiting = 64;

void reply_with(evhttp_request* request, const Answer& answer) {
  if (answer.outcome == Outcome::wrong_input) return reply_json(request, 422, "Unprocessable Content", answer.text);
  add_field(request, "Podwright-Outcome", answer.outcome == Outcome::answer ? "answer" : "infeasible");
  reply_json(request, HTTP_OK, "OK", answer.text);
}

bool is_json(evhttp_request* request) {
  const char* type = evhttp_find_header(evhttp_request_get_input_headers(request), "Content-Type");
  if (type == nullptr) return false;
  std::string word = std::string(type).substr(0, std::string_view(type).find(';'));
  while (!word.empty() && word.back() == ' ') word.pop_back();
  return evutil_ascii_strcasecmp(word.c_str(), "application/json") == 0;
}

/// Lets pages of the origins that are listed read the answer.
void allow_origin(evhttp_request* request, const std::vector<std::string>& origins) {
  if (origins.empty()) return;
  add_field(request, "Vary", "Origin");
  const char* origin = evhttp_find_header(evhttp_request_get_input_headers(request), "Origin");
  if (origin == nullptr) return;
  const auto is_allowed = [&](const std::string& one) { return one == "*" || one == origin; };
  if (std::none_of(origins.begin(), origins.end(), is_allowed)) return;
  add_field(request, "Access-Control-Allow-Origin", origin);
  add_field(request, "Access-Control-Allow-Methods", "GET, POST");
  add_field(request, "Access-Control-Allow-Headers", "content-type");
  add_field(request, "Access-Control-Expose-Headers", "Podwright-Outcome");
}

timeval time_of(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  return {.tv_sec = whole, .tv_usec = static_cast<suseconds_t>((seconds - static_cast<double>(whole)) * 1e6)};
}

}  // namespace

void refuse_path(evhttp_request* request) {
  refuse(request, HTTP_NOTFOUND, "Not Found", "unknown-key", "There is nothing at this path.",
         "GET /v1/openapi.json lists the paths.");
}

void refuse_method(evhttp_request* request, const std::string& allowed) {
  add_field(request, "Allow", allowed);
  const bool is_preflight =
      evhttp_request_get_command(request) == EVHTTP_REQ_OPTIONS && field_of(request, "Access-Control-Request-Method");
  refuse(request, HTTP_BADMETHOD, "Method Not Allowed", "conflict",
         is_preflight ? "Pages of other origins may not ask." : "The path is not asked with this method.",
         is_preflight ? "Start the server with --cors and the origin of the page."
                      : "Send " + allowed.substr(0, allowed.find(',')) + ".");
}

/// A request from its arrival to its answer.
struct ApiServer::Job {
  ApiServer& server;
  evhttp_request* request;  ///< null when its connection is gone
  std::string text;
  std::string kind;
  std::unique_ptr<AnswerProcess> process{};  ///< null while it waits; its descriptor outlives the event `readable`
  std::unique_ptr<event, decltype(&event_free)> closed{nullptr, event_free};
  std::unique_ptr<event, decltype(&event_free)> late{nullptr, event_free};
  std::unique_ptr<event, decltype(&event_free)> readable{nullptr, event_free};
};

ApiServer::ApiServer(event_base* loop, const Catalog& catalog, ApiOptions options)
    : loop_(loop), catalog_(catalog), options_(std::move(options)), openapi_(openapi_json(catalog)) {}

ApiServer::~ApiServer() = default;

bool ApiServer::answers(evhttp_request* request) {
  const char* path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));
  const std::string_view asked = path == nullptr ? "" : path;
  if (asked != "/healthz" && !asked.starts_with("/v1/")) return false;
  allow_origin(request, options_.cors);
  const evhttp_cmd_type method = evhttp_request_get_command(request);
  const std::string word(asked.substr(std::min(asked.size(), std::string_view("/v1/").size())));
  const bool is_document = asked == "/healthz" || word == "openapi.json";
  if (!is_document && word != "answer" && find_kind(request_kinds(), word) == nullptr) {
    refuse_path(request);
    return true;
  }
  const bool is_get = method == EVHTTP_REQ_GET || method == EVHTTP_REQ_HEAD;
  if (method == EVHTTP_REQ_OPTIONS && !options_.cors.empty()) {
    evhttp_send_reply(request, HTTP_NOCONTENT, "No Content", nullptr);
  } else if (is_document ? !is_get : method != EVHTTP_REQ_POST) {
    refuse_method(request, is_document ? "GET, HEAD" : "POST");
  } else if (is_document) {
    reply_json(
        request, HTTP_OK, "OK",
        asked == "/healthz" ? R"({"status":"ok","podwright_version":")" + std::string(version()) + "\"}" : openapi_);
  } else {
    post(request, word == "answer" ? "" : word);
  }
  return true;
}

void ApiServer::post(evhttp_request* request, const std::string& kind) {
  if (!is_json(request))
    return refuse(request, 415, "Unsupported Media Type", "wrong-type", "The body must be declared as JSON.",
                  "Send the header Content-Type: application/json.");
  evbuffer* body = evhttp_request_get_input_buffer(request);
  const std::size_t size = evbuffer_get_length(body);
  if (static_cast<double>(size) > options_.body_limit_mb * 1e6)
    return refuse(request, HTTP_ENTITYTOOLARGE, "Content Too Large", "out-of-range",
                  "The body has more bytes than the server takes.",
                  "The option --body-limit of the server raises that.");
  std::size_t waiting = 0;
  std::size_t waiting_bytes = size;
  for (const Job& job : jobs_) {
    waiting += job.process == nullptr ? 1 : 0;
    waiting_bytes += job.text.size();
  }
  if (waiting >= kWaiting || static_cast<double>(waiting_bytes) > kHeldBodies * options_.body_limit_mb * 1e6) {
    add_field(request, "Retry-After", "1");
    return refuse(request, HTTP_SERVUNAVAIL, "Service Unavailable", "conflict", "Too many requests wait.",
                  "Ask again later.");
  }
  std::string text(size, '\0');
  evbuffer_remove(body, text.data(), size);
  Job& job = jobs_.emplace_back(Job{*this, request, std::move(text), kind});
  const auto gone = [](evhttp_connection*, void* of) {
    Job& lost = *static_cast<Job*>(of);
    lost.request = nullptr;
    lost.server.forget(lost);
  };
  evhttp_connection* const connection = evhttp_request_get_connection(request);
  evhttp_connection_set_closecb(connection, gone, &job);
  // Until there is something to send, nobody else looks whether the client is still there.
  const auto closed = [](evutil_socket_t, short, void* of) {
    evhttp_connection_free(evhttp_request_get_connection(static_cast<Job*>(of)->request));
  };
  const evutil_socket_t socket = bufferevent_getfd(evhttp_connection_get_bufferevent(connection));
  job.closed.reset(event_new(loop_, socket, EV_CLOSED, closed, &job));
  event_add(job.closed.get(), nullptr);
  const auto late = [](evutil_socket_t, short, void* of) {
    static_cast<Job*>(of)->server.give_up(*static_cast<Job*>(of));
  };
  job.late.reset(evtimer_new(loop_, late, &job));
  const timeval limit = time_of(options_.time_limit_s);
  evtimer_add(job.late.get(), &limit);
  start_waiting();
}

void ApiServer::start_waiting() {
  std::size_t running = 0;
  for (Job& job : jobs_) {
    if (running >= options_.at_once) return;
    ++running;
    if (job.process != nullptr) continue;
    job.process = std::make_unique<AnswerProcess>(catalog_, job.text, job.kind);
    std::string().swap(job.text);  // the process has its own
    const auto readable = [](evutil_socket_t, short, void* of) {
      Job& read = *static_cast<Job*>(of);
      if (read.process->read_some()) read.server.finish(read);
    };
    const short events = EV_READ | EV_PERSIST;
    job.readable.reset(event_new(loop_, job.process->descriptor(), events, readable, &job));
    event_add(job.readable.get(), nullptr);
    // Without a descriptor there is nothing to wait for.
    if (job.process->descriptor() < 0) event_active(job.readable.get(), EV_READ, 1);
  }
}

void ApiServer::finish(Job& job) {
  const std::optional<Answer> answer = job.process->take_answer();
  evhttp_request* const request = job.request;
  forget(job);
  if (answer) return reply_with(request, *answer);
  refuse(request, HTTP_INTERNAL, "Internal Server Error", "internal", "The answer was lost.",
         "The request may take more memory than the server gives, or it meets a fault of the program, which its log "
         "then tells.");
}

void ApiServer::give_up(Job& job) {
  evhttp_request* const request = job.request;
  const bool was_running = job.process != nullptr;
  forget(job);
  if (was_running)
    return refuse(request, 504, "Gateway Timeout", "out-of-range", "The answer takes longer than the server allows.",
                  "The option --time-limit of the server raises that.");
  add_field(request, "Retry-After", "1");
  refuse(request, HTTP_SERVUNAVAIL, "Service Unavailable", "conflict", "Other requests kept the server busy.",
         "Ask again later.");
}

void ApiServer::forget(Job& job) {
  if (job.request != nullptr)
    evhttp_connection_set_closecb(evhttp_request_get_connection(job.request), nullptr, nullptr);
  jobs_.remove_if([&](const Job& one) { return &one == &job; });
  start_waiting();
}

}  // namespace podwright::cli
