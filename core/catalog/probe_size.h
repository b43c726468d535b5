#pragma once
/// How a probe runs and the size of what it runs. docs/method/probes.md#results.
#include <array>
#include <optional>
#include <string_view>

namespace podwright {

/// Burst: short samples with rest between them, at the clock the device then chooses. Sustained: back to back, last
/// half.
enum class ProbeMode { burst, sustained };
inline constexpr std::array<std::string_view, 2> kProbeModeWords = {"burst", "sustained"};

/// Only what the probe varies is given.
struct ProbeSize {
  std::optional<double> m, n, k;  ///< of a matrix product m x k by k x n
  std::optional<double> bytes;    ///< of the buffer or message; of one operand where there are several
  std::optional<double> row_bytes;
  std::optional<double> ranks;  ///< devices of a collective
  std::optional<double> nodes;
  std::optional<double> batch;
  std::optional<double> context_tokens;
  std::optional<double> page_tokens;
  std::optional<double> experts;
  std::optional<double> threads;

  friend bool operator==(const ProbeSize&, const ProbeSize&) = default;
};

struct ProbeSizeField {
  std::string_view word;  ///< key of profiles, column of tables
  std::optional<double> ProbeSize::*value;
};
inline constexpr std::array<ProbeSizeField, 12> kProbeSizeFields = {{{"m", &ProbeSize::m},
                                                                     {"n", &ProbeSize::n},
                                                                     {"k", &ProbeSize::k},
                                                                     {"bytes", &ProbeSize::bytes},
                                                                     {"row_bytes", &ProbeSize::row_bytes},
                                                                     {"ranks", &ProbeSize::ranks},
                                                                     {"nodes", &ProbeSize::nodes},
                                                                     {"batch", &ProbeSize::batch},
                                                                     {"context_tokens", &ProbeSize::context_tokens},
                                                                     {"page_tokens", &ProbeSize::page_tokens},
                                                                     {"experts", &ProbeSize::experts},
                                                                     {"threads", &ProbeSize::threads}}};

}  // namespace podwright
