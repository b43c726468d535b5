#include <array>
#include <cmath>
#include <string>

#include "base/digest.h"
#include "base/json_write.h"
#include "base/words.h"
#include "measure/canonical_json.h"
#include "measure/profile_fields.h"
#include "measure/profile_file.h"

namespace podwright {
namespace {

/// Writes what is known, object by object.
class ProfileWriter {
 public:
  explicit ProfileWriter(JsonWriter& out) : out_(out) {}

  void needed_text(std::string_view key, const std::string& x) { out_.text(key, x); }
  void text(std::string_view key, const std::string& x) {
    if (!x.empty()) out_.text(key, x);
  }
  void needed_number(std::string_view key, double x, Range) { out_.number(key, x); }
  void number(std::string_view key, const std::optional<double>& x, Range) {
    if (x) out_.number(key, *x);
  }
  void needed_count(std::string_view key, int x, Range) { out_.number(key, x); }
  void count(std::string_view key, const std::optional<int>& x, Range) {
    if (x) out_.number(key, *x);
  }
  void needed_flag(std::string_view key, bool x) { out_.boolean(key, x); }
  void flag(std::string_view key, const std::optional<bool>& x) {
    if (x) out_.boolean(key, *x);
  }
  template <class Enum, std::size_t N>
  void word(std::string_view key, Enum x, const std::array<std::string_view, N>& words) {
    out_.text(key, word_of(x, words));
  }
  template <class Enum, std::size_t N>
  void needed_word(std::string_view key, Enum x, const std::array<std::string_view, N>& words) {
    out_.text(key, word_of(x, words));
  }
  void texts(std::string_view key, const std::vector<std::string>& x) {
    if (x.empty()) return;
    out_.begin_list(key);
    for (const std::string& item : x) out_.text(item);
    out_.end_list();
  }
  void numbers(std::string_view key, const std::vector<double>& x, Range) {
    if (x.empty()) return;
    out_.begin_list(key);
    for (const double item : x) out_.number(item);
    out_.end_list();
  }
  template <class T>
  void object(std::string_view key, T& x) {
    out_.begin_object(key);
    describe_profile(*this, x);
    out_.end_object();
  }
  template <class T>
  void optional_object(std::string_view key, std::optional<T>& x) {
    if (x) object(key, *x);
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& x) {
    if (x.empty()) return;
    out_.begin_list(key);
    for (T& item : x) {
      out_.begin_object();
      describe_profile(*this, item);
      out_.end_object();
    }
    out_.end_list();
  }

 private:
  JsonWriter& out_;
};

void leave_out_private(HardwareProfile& profile) {
  profile.host = {};
  profile.environment.variables.clear();
  profile.run.arguments.clear();
  for (ProfileDevice& device : profile.devices) {
    device.identity_hash.clear();
    device.pci_bus_id.clear();
  }
  for (ProbeResult& result : profile.results) result.samples_s.clear();
}

/// `integrity` is the text of that object; empty leaves it out.
std::string document_text(HardwareProfile& profile, std::string_view integrity) {
  JsonWriter out;
  ProfileWriter writer(out);
  out.begin_object();
  out.text("schema", kProfileSchema);
  describe_profile(writer, profile);
  if (!profile.previous_digests.empty()) writer.texts("previous_digests", profile.previous_digests);
  if (!integrity.empty()) {
    out.key("integrity");
    out.verbatim(integrity);
  }
  out.end_object();
  const Result<JsonNode> document = parse_json(out.take());
  PODWRIGHT_ASSERT(document.has_value());
  return canonical_json(*document);
}

}  // namespace

std::string profile_text(const HardwareProfile& profile, const ProfileTextOptions& options) {
  HardwareProfile written = profile;
  if (options.share) leave_out_private(written);
  const std::string digest = sha256_hex(document_text(written, ""));
  return document_text(written, R"({"alg":"sha256-jcs","digest":")" + digest + "\"}") + "\n";
}

std::string result_text(const ProbeResult& result) {
  ProbeResult written = result;
  JsonWriter out;
  ProfileWriter writer(out);
  out.begin_object();
  describe_profile(writer, written);
  out.end_object();
  return out.take();
}

std::string profile_digest(const JsonNode& document) {
  JsonNode bare = document;
  for (std::size_t i = 0; i < bare.keys.size(); ++i) {
    if (bare.keys[i] != "integrity") continue;
    bare.keys.erase(bare.keys.begin() + static_cast<std::ptrdiff_t>(i));
    bare.items.erase(bare.items.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  return sha256_hex(canonical_json(bare));
}

}  // namespace podwright
