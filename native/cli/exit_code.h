#pragma once
/// Exit codes of the command line, as the contract fixes them.
namespace podwright::cli {

enum ExitCode : int {
  kAnswer = 0,
  kInfeasible = 1,  ///< also: a verdict is low
  kWrongInput = 2,
  kEnvironment = 3,  ///< unusable
  kFault = 4,        ///< a probe found a fault
  kInternal = 5,
};

}  // namespace podwright::cli
