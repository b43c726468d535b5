#include "cli/answer_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "api/answer.h"
#include "api/kinds.h"
#include "base/json_read.h"

namespace podwright::cli {
namespace {

/// More than the largest answer takes by far, and less than brings a machine down.
constexpr rlim_t kMemory = rlim_t{4} << 30;

constexpr int kAnswerEnd = STDERR_FILENO + 1;

/// Puts the descriptor at kAnswerEnd and closes all behind it: the connections of other clients end when the server
/// closes them, not when this process ends.
void keep_only(int descriptor) {
  dup2(descriptor, kAnswerEnd);
  if (syscall(SYS_close_range, kAnswerEnd + 1, ~0U, 0) == 0) return;
  const long most = sysconf(_SC_OPEN_MAX);  // kernels before 5.9
  for (int other = kAnswerEnd + 1; other < most; ++other) close(other);
}

/// The kind that a request names; empty where it names none that there is, of which the engine then speaks.
std::string kind_in(std::string_view request) {
  const auto document = parse_json(request);
  const JsonNode* kind = document && document->is_object() ? document->find("kind") : nullptr;
  return kind != nullptr && kind->is_text() && find_kind(request_kinds(), kind->text) != nullptr ? kind->text : "";
}

/// The answer to a request of that kind, or of any where it is empty.
Answer answer_of_kind(const Catalog& catalog, std::string_view request, std::string_view kind) {
  const std::string named = kind.empty() ? "" : kind_in(request);
  if (named.empty() || named == kind) return answer_request(catalog, request, kind);
  return wrong_input({{"conflict", "/kind", "The path takes \"" + std::string(kind) + "\", found \"" + named + "\".",
                       "Send it to /v1/" + named + " or /v1/answer."}});
}

[[noreturn]] void answer_into(int descriptor, const Catalog& catalog, std::string_view request, std::string_view kind) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int own : {SIGINT, SIGTERM, SIGPIPE}) signal(own, SIG_DFL);
  keep_only(descriptor);
  const rlimit memory{kMemory, kMemory};
  setrlimit(RLIMIT_AS, &memory);
  // Where memory runs out all the same, the system ends this process before the server.
  std::ofstream("/proc/self/oom_score_adj") << 1000;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const Answer answer = answer_of_kind(catalog, request, kind);
  const std::string sent = std::to_string(static_cast<int>(answer.outcome)) + answer.text;
  for (std::size_t done = 0; done < sent.size();) {
    const ssize_t more = write(kAnswerEnd, sent.data() + done, sent.size() - done);
    if (more < 0 && errno != EINTR) _exit(1);
    if (more > 0) done += static_cast<std::size_t>(more);
  }
  _exit(0);
}

}  // namespace

AnswerProcess::AnswerProcess(const Catalog& catalog, std::string_view request, std::string_view kind) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) answer_into(ends[1], catalog, request, kind);
  close(ends[1]);
  descriptor_ = ends[0];
  fcntl(descriptor_, F_SETFL, O_NONBLOCK);
}

AnswerProcess::~AnswerProcess() {
  end(SIGKILL);
  if (descriptor_ >= 0) close(descriptor_);
}

void AnswerProcess::end(int signal) {
  if (pid_ <= 0) return;
  if (signal != 0) kill(pid_, signal);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  is_whole_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  pid_ = -1;
}

bool AnswerProcess::read_some() {
  char piece[65536];
  while (true) {
    const ssize_t size = read(descriptor_, piece, sizeof piece);
    if (size > 0) {
      received_.append(piece, static_cast<std::size_t>(size));
      continue;
    }
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) return false;
    end(0);
    return true;
  }
}

std::optional<Answer> AnswerProcess::take_answer() {
  if (!is_whole_ || received_.empty()) return {};
  const auto outcome = static_cast<Outcome>(received_.front() - '0');
  return Answer{received_.substr(1), outcome};
}

}  // namespace podwright::cli
