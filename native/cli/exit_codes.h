#pragma once
/// How the program ends.
#include <array>
#include <string_view>

namespace podwright::cli {

/// Exit codes of the command line, as the contract fixes them.
enum ExitCode : int {
  kAnswer = 0,
  kInfeasible = 1,  ///< also: a verdict is low
  kWrongInput = 2,
  kEnvironment = 3,  ///< unusable
  kFault = 4,        ///< a probe found a fault
  kInternal = 5,
};

/// What each of them means, for the end of --help, the manual and docs/commands.md.
struct ExitMeaning {
  ExitCode code;
  std::string_view meaning;
};
inline constexpr std::array<ExitMeaning, 6> kExitMeanings{
    {{kAnswer, "an answer"},
     {kInfeasible,
      "infeasible; also: a claim that is impossible, a machine that does not keep what a plan assumes, a verdict that "
      "is low, a device that is slower than its peers, a fit that is refused or finds no rate"},
     {kWrongInput, "wrong input or wrong options; also: a file that was asked for and cannot be made of the answer"},
     {kEnvironment,
      "the environment cannot be used: a file or standard output that cannot be written, no driver, no device that can "
      "be measured"},
     {kFault, "a probe found a fault: a wrong result, a failed device, a lost rank, or a run that was ended early"},
     {kInternal, "an internal error"}}};

}  // namespace podwright::cli
