#pragma once
/// The engine over HTTP: POST /v1/answer and /v1/KIND, GET /v1/openapi.json and /healthz. Answers are the bytes that
/// the program prints with --json.
#include <event2/event.h>
#include <event2/http.h>

#include <deque>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "cli/answer_process.h"

namespace podwright::cli {

/// Requests of the largest size that may be kept before they are worked on; beyond that, clients are sent away.
inline constexpr double kHeldBodies = 8;

struct ApiOptions {
  double time_limit_s = 60;       ///< of an answer, with the time that it waits
  double body_limit_mb = 16;      ///< of a request
  std::size_t at_once = 1;        ///< answers that are worked out at the same time; more requests wait
  std::vector<std::string> cors;  ///< origins whose pages may read answers, or "*"
};

/// Says that there is nothing at the path of a request.
void refuse_path(evhttp_request* request);
/// Says that the path is asked with other methods: `allowed`, such as "GET, HEAD".
void refuse_method(evhttp_request* request, const std::string& allowed);

class ApiServer {
 public:
  ApiServer(event_base* loop, const Catalog& catalog, ApiOptions options);
  ~ApiServer();

  /// Replies, at once or later, to a request for one of its paths; false for other paths.
  bool answers(evhttp_request* request);

 private:
  struct Job;

  void post(evhttp_request* request, const std::string& kind);
  void start_waiting();
  void finish(Job& job);
  void give_up(Job& job);
  void forget(Job& job);

  event_base* loop_;
  const Catalog& catalog_;
  ApiOptions options_;
  std::string openapi_;
  std::list<Job> jobs_;  ///< in the order in which they came
};

}  // namespace podwright::cli
