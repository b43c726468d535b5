#pragma once
/// A request that is answered in a process of its own, so that it can be ended when it takes too long, and takes
/// nothing with it when it fails.
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "api/outcome.h"
#include "catalog/catalog.h"

namespace podwright::cli {

class AnswerProcess {
 public:
  /// Starts one; descriptor() is negative where there is none left. A request that names another kind than `kind`,
  /// which may be empty, is wrong input. The calling process must have one thread alone.
  AnswerProcess(const Catalog& catalog, std::string_view request, std::string_view kind);
  AnswerProcess(const AnswerProcess&) = delete;
  AnswerProcess& operator=(const AnswerProcess&) = delete;
  /// Ends it.
  ~AnswerProcess();

  /// Can be read when there is something for read_some().
  int descriptor() const { return descriptor_; }
  /// Reads what is there, without waiting; true when nothing more will come.
  bool read_some();
  /// When nothing more will come: the answer, absent where the process failed.
  std::optional<Answer> take_answer();

 private:
  void end(int signal);

  pid_t pid_ = -1;
  int descriptor_ = -1;
  bool is_whole_ = false;  ///< the process ended as it should
  std::string received_;   ///< the digit of the outcome, then the text
};

}  // namespace podwright::cli
