#include "measure/profile_file.h"

#include <array>
#include <set>
#include <string>

#include "base/digest.h"
#include "base/json_write.h"
#include "base/number_text.h"
#include "base/words.h"
#include "measure/canonical_json.h"
#include "measure/identifiers.h"
#include "measure/profile_fields.h"
#include "measure/sample_summary.h"

namespace podwright {
namespace {

constexpr std::string_view kSchemaName = "podwright-profile/";
constexpr int kMajor = 1;
constexpr int kMinor = 0;

/// Reads one object of a profile; what it holds is read by readers of their own.
class ProfileReader {
 public:
  /// `strict`: keys that no one knows are errors.
  ProfileReader(const JsonNode& node, std::string path, ErrorList& errors, bool strict)
      : reader_(node, std::move(path), errors), strict_(strict) {}
  void finish() {
    if (strict_) reader_.finish();
  }
  ObjectReader& reader() { return reader_; }

  void text(std::string_view key, std::string& x) {
    if (auto value = reader_.text(key)) x = std::move(*value);
  }
  void needed_text(std::string_view key, std::string& x) {
    needed(key);
    text(key, x);
  }
  void number(std::string_view key, std::optional<double>& x, Range range) { x = reader_.number(key, range); }
  void number(std::string_view key, std::optional<int>& x, Range range) {
    if (const auto value = reader_.count(key, range)) x = static_cast<int>(*value);
  }
  template <class T>
  void number(std::string_view key, T& x, Range range) {
    needed(key);
    std::optional<T> value;
    number(key, value, range);
    x = value.value_or(x);
  }
  void flag(std::string_view key, std::optional<bool>& x) { x = reader_.flag(key); }
  void flag(std::string_view key, bool& x) {
    needed(key);
    x = reader_.flag(key).value_or(x);
  }
  template <class Enum, std::size_t N>
  void word(std::string_view key, Enum& x, const std::array<std::string_view, N>& words) {
    const auto value = reader_.word(key, std::vector<std::string>(words.begin(), words.end()));
    if (!value) return;
    if (const auto known = of_word<Enum>(*value, words)) x = *known;
  }
  template <class Enum, std::size_t N>
  void needed_word(std::string_view key, Enum& x, const std::array<std::string_view, N>& words) {
    needed(key);
    word(key, x, words);
  }
  void texts(std::string_view key, std::vector<std::string>& x) {
    const JsonNode* list = reader_.list(key);
    if (list == nullptr) return;
    for (const JsonNode& item : list->items) {
      if (!item.is_text()) wrong_item(key, x.size(), item, "text");
      x.push_back(item.text);
    }
  }
  void numbers(std::string_view key, std::vector<double>& x, Range range) {
    const JsonNode* list = reader_.list(key);
    if (list == nullptr) return;
    for (const JsonNode& item : list->items) {
      if (!item.is_number() || !(item.number >= range.min && item.number <= range.max))
        wrong_item(key, x.size(), item, "a number, " + range_text(range));
      x.push_back(item.number);
    }
  }
  template <class T>
  void object(std::string_view key, T& x) {
    if (const JsonNode* node = reader_.object(key)) read(*node, reader_.path(key), x);
  }
  template <class T>
  void object(std::string_view key, std::optional<T>& x) {
    if (const JsonNode* node = reader_.object(key)) read(*node, reader_.path(key), x.emplace());
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& x) {
    const JsonNode* list = reader_.list(key);
    if (list == nullptr) return;
    for (const JsonNode& item : list->items) {
      x.emplace_back();
      read(item, reader_.path(key) + "/" + std::to_string(x.size() - 1), x.back());
    }
  }

 private:
  void needed(std::string_view key) {
    if (!reader_.has(key)) reader_.missing(key, "every profile has it", "Write the profile again with the probe.");
  }
  void wrong_item(std::string_view key, std::size_t index, const JsonNode& item, const std::string& expected) {
    reader_.errors().add(item.order, {"wrong-type", reader_.path(key) + "/" + std::to_string(index),
                                      "Expected " + expected + ", found " + std::string(type_name(item.type)) +
                                          (item.is_number() ? " " + shortest_number(item.number) : "") + ".",
                                      "Write the profile again with the probe."});
  }
  template <class T>
  void read(const JsonNode& node, const std::string& path, T& x) {
    ProfileReader inner(node, path, reader_.errors(), strict_);
    describe_profile(inner, x);
    inner.finish();
  }

  ObjectReader reader_;
  bool strict_;
};

Error conflict(std::string path, std::string message) {
  return {"conflict", std::move(path), std::move(message), "The profile contradicts itself; measure again."};
}

/// What no probe can write: values of one result that exclude each other.
void check_result(const ProbeResult& result, const std::set<std::string>& ids, const std::string& path,
                  Errors& errors) {
  if (result.devices.empty())
    errors.push_back({"missing", path + "/devices", "\"devices\" is missing: on which devices it was measured.",
                      "Name at least one of /devices."});
  for (std::size_t i = 0; i < result.devices.size(); ++i)
    if (!ids.contains(result.devices[i]))
      errors.push_back({"unknown-id", path + "/devices/" + std::to_string(i),
                        "The profile has no device \"" + result.devices[i].substr(0, 60) + "\".",
                        "Ids are in /devices."});
  const bool wrong = result.check.status == CheckStatus::fail;
  if (result.time_s && (wrong || result.skip))
    errors.push_back(conflict(path + "/time_s", wrong ? "A wrong result has a time." : "A skipped probe has a time."));
  if (!result.time_s && !wrong && !result.skip)
    errors.push_back(
        {"missing", path + "/time_s", "\"time_s\" is missing and no skip says why.", "Give the time or \"skip\"."});
  if (!result.time_s) return;
  const SampleSummary& time = *result.time_s;
  const bool ordered = time.min <= time.median && time.q1 <= time.median && time.median <= time.q3 &&
                       time.lo95.value_or(time.median) <= time.median && time.median <= time.hi95.value_or(time.median);
  if (!ordered) errors.push_back(conflict(path + "/time_s/median", "The median lies outside its own interval."));
  if (time.n_eff > time.n) errors.push_back(conflict(path + "/time_s/n_eff", "More effective samples than samples."));
  if (time.lo95.has_value() != time.hi95.has_value())
    errors.push_back(conflict(path + "/time_s", "The interval has one end only."));
  if (result.samples_s.empty()) return;
  if (static_cast<int>(result.samples_s.size()) != time.n || median_of(result.samples_s) != time.median)
    errors.push_back(conflict(path + "/samples_s", "The raw samples have another count or median than \"time_s\"."));
}

Errors contradictions(const HardwareProfile& profile, const std::string& path) {
  Errors errors;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < profile.devices.size(); ++i) {
    const ProfileDevice& device = profile.devices[i];
    const std::string at = path + "/devices/" + std::to_string(i);
    if (!ids.insert(device.id).second)
      errors.push_back(conflict(at + "/id", "Two devices have the id " + device.id + "."));
    if (device.memory_allocatable_gib.value_or(0) > device.memory_total_gib.value_or(kToldSize.max))
      errors.push_back(conflict(at + "/memory_allocatable_gib", "More memory was allocated than the device has."));
  }
  for (std::size_t i = 0; i < profile.results.size(); ++i)
    check_result(profile.results[i], ids, path + "/results/" + std::to_string(i), errors);
  return errors;
}

/// Minor version of the schema's text; absent where it is not a schema of this major version.
std::optional<int> minor_of(std::string_view schema) {
  const std::string major = std::string(kSchemaName) + std::to_string(kMajor);
  if (schema == major) return 0;
  if (schema.substr(0, major.size() + 1) != major + ".") return std::nullopt;
  const std::string_view digits = schema.substr(major.size() + 1);
  if (digits.empty() || digits.size() > 4) return std::nullopt;
  int minor = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    minor = 10 * minor + (c - '0');
  }
  return minor;
}

Result<int> schema_minor(const JsonNode& document, const std::string& path) {
  const std::string hint = "This program reads " + std::string(kProfileSchema) + ".";
  const JsonNode* schema = document.find("schema");
  if (schema == nullptr)
    return failure({"missing", path + "/schema", "\"schema\" is missing: this is not a hardware profile.", hint});
  if (!schema->is_text()) return failure({"wrong-type", path + "/schema", "\"schema\" must be text.", hint});
  const auto minor = minor_of(schema->text);
  if (!minor)
    return failure({"out-of-range", path + "/schema",
                    "\"" + schema->text.substr(0, 60) + "\" is not a schema that can be read.", hint});
  return *minor;
}

/// The digest of the document where it is the one that the document tells.
Result<std::string> checked_digest(const JsonNode& document, const std::string& path) {
  const std::string at = path + "/integrity";
  const JsonNode* integrity = document.find("integrity");
  const JsonNode* digest = integrity == nullptr ? nullptr : integrity->find("digest");
  const JsonNode* algorithm = integrity == nullptr ? nullptr : integrity->find("alg");
  if (digest == nullptr || !digest->is_text())
    return failure({"missing", at + "/digest", "\"digest\" is missing: nothing shows that the profile is whole.",
                    "Write the profile again with the probe."});
  if (algorithm == nullptr || algorithm->text != "sha256-jcs")
    return failure({"out-of-range", at + "/alg", "The digest is of a kind that cannot be checked.", "sha256-jcs"});
  std::string found = profile_digest(document);
  if (found != digest->text)
    return failure({"conflict", at + "/digest",
                    "The profile was changed after it was written: its digest is " + found.substr(0, 12) +
                        "..., it says " + digest->text.substr(0, 12) + "....",
                    "Copy the file again, or measure again."});
  return found;
}

/// Writes what is known, object by object.
class ProfileWriter {
 public:
  explicit ProfileWriter(JsonWriter& out) : out_(out) {}

  void needed_text(std::string_view key, const std::string& x) { out_.text(key, x); }
  void text(std::string_view key, const std::string& x) {
    if (!x.empty()) out_.text(key, x);
  }
  template <class T>
  void number(std::string_view key, const T& x, Range) {
    out_.number(key, x);
  }
  template <class T>
  void number(std::string_view key, const std::optional<T>& x, Range) {
    if (x) out_.number(key, *x);
  }
  void flag(std::string_view key, bool x) { out_.boolean(key, x); }
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
    items(key, x, [&](const std::string& item) { out_.text(item); });
  }
  void numbers(std::string_view key, const std::vector<double>& x, Range) {
    items(key, x, [&](double item) { out_.number(item); });
  }
  template <class T>
  void object(std::string_view key, T& x) {
    out_.begin_object(key);
    describe_profile(*this, x);
    out_.end_object();
  }
  template <class T>
  void object(std::string_view key, std::optional<T>& x) {
    if (x) object(key, *x);
  }
  template <class T>
  void list(std::string_view key, std::vector<T>& x) {
    items(key, x, [&](T& item) {
      out_.begin_object();
      describe_profile(*this, item);
      out_.end_object();
    });
  }

 private:
  /// A list that is empty is left out.
  template <class List, class Write>
  void items(std::string_view key, List& list, const Write& write) {
    if (list.empty()) return;
    out_.begin_list(key);
    for (auto& item : list) write(item);
    out_.end_list();
  }

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
  if (profile.run.rank) profile.run.rank->node.clear();
  for (std::vector<ProbeResult>* results : {&profile.results, &profile.exchanges})
    for (ProbeResult& result : *results) {
      result.samples_s.clear();
      if (result.skip) result.skip->message = without_identifiers(result.skip->message);
    }
  // Libraries tell which addresses they could not reach.
  for (std::string& limit : profile.limits) limit = without_identifiers(limit);
  for (HealthEvent& event : profile.health_events) event.message = without_identifiers(event.message);
}

/// `integrity` is the text of that object; empty leaves it out.
std::string document_text(HardwareProfile& profile, std::string_view integrity) {
  JsonWriter out;
  ProfileWriter writer(out);
  out.begin_object();
  out.text("schema", kProfileSchema);
  describe_profile(writer, profile);
  writer.texts("previous_digests", profile.previous_digests);
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

Result<ReadProfile> read_profile(const JsonNode& document, const std::string& path) {
  if (!document.is_object())
    return failure({"wrong-type", path, "A profile is an object, found " + std::string(type_name(document.type)) + ".",
                    "Give the file that the probe wrote."});
  const auto minor = schema_minor(document, path);
  if (!minor) return failure(minor.error());
  const auto digest = checked_digest(document, path);
  if (!digest) return failure(digest.error());
  ReadProfile read;
  read.digest = *digest;
  ErrorList list;
  const bool strict = *minor <= kMinor;
  ProfileReader reader(document, path, list, strict);
  for (const std::string_view known : {"schema", "integrity"}) reader.reader().find(known);
  describe_profile(reader, read.profile);
  reader.texts("previous_digests", read.profile.previous_digests);
  reader.finish();
  if (!list.empty()) return failure(list.take());
  if (Errors problems = contradictions(read.profile, path); !problems.empty()) return failure(std::move(problems));
  if (!strict)
    read.profile.limits.push_back("The profile is of version 1." + std::to_string(*minor) +
                                  "; what this program does not know of it was passed over.");
  return read;
}

Result<ProbeResult> read_result(const JsonNode& node) {
  ProbeResult result;
  ErrorList list;
  ProfileReader reader(node, "", list, true);
  describe_profile(reader, result);
  reader.finish();
  if (!list.empty()) return failure(list.take());
  return result;
}

Result<ReadProfile> read_profile(std::string_view text) {
  const auto document = parse_json(text);
  if (!document) return failure(document.error());
  auto read = read_profile(*document, "");
  if (!read) return read;
  // A file of one line is as the probe wrote it, or damaged where the meaning happens to be the same.
  const std::string_view line = !text.empty() && text.back() == '\n' ? text.substr(0, text.size() - 1) : text;
  const bool one_line = line.find('\n') == std::string_view::npos;
  if (one_line && canonical_json(*document) != line)
    return failure({"conflict", "", "The profile was changed after it was written: its text is not in canonical form.",
                    "Copy the file again, or measure again."});
  return read;
}

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
