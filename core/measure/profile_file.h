#pragma once
/// The profile as text: one JSON document with a digest over its canonical form (RFC 8785). docs/method/probes.md#file.
#include <string>
#include <string_view>

#include "base/json_read.h"
#include "base/result.h"
#include "measure/profile.h"

namespace podwright {

inline constexpr std::string_view kProfileSchema = "podwright-profile/1.0";

struct ProfileTextOptions {
  bool share = false;  ///< leaves out host, environment variables, arguments and raw samples
};

/// Canonical JSON with one line break at the end. All numbers must be finite. What may name a machine or its owner
/// (host name, hashes of UUIDs) is in it only where the profile holds it.
std::string profile_text(const HardwareProfile& profile, const ProfileTextOptions& options = {});

struct ReadProfile {
  HardwareProfile profile;
  std::string digest;  ///< 64 hex digits, as recomputed
};

/// Errors, each with the key's path: not-json; out-of-range at /schema for another major version; conflict at
/// /integrity/digest where a byte was changed, and elsewhere where values contradict each other; unknown-key,
/// wrong-type, out-of-range, missing, unknown-id. A text of one line must be canonical to the byte. Keys that a newer
/// minor version added are passed over, and `limits` says so.
Result<ReadProfile> read_profile(std::string_view text);
/// The same of a document that stands at `path` inside another one.
Result<ReadProfile> read_profile(const JsonNode& document, const std::string& path);

/// One result alone, as it is in a profile; its numbers must be finite.
std::string result_text(const ProbeResult& result);
Result<ProbeResult> read_result(const JsonNode& node);

/// SHA-256 of the canonical form of a document without its key `integrity`.
std::string profile_digest(const JsonNode& document);

}  // namespace podwright
