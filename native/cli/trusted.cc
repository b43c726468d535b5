#include "cli/trusted.h"

#include <iostream>

#include "base/characters.h"
#include "cli/common.h"
#include "cli/minisign.h"

namespace podwright::cli {
namespace {

constexpr std::string_view kBegin = "RW";  // of the base64 of a public key
constexpr std::size_t kLength = 56;

std::optional<std::vector<PublicKey>> read_keys(const TrustedKeys& keys) {
  std::vector<PublicKey> read;
  for (const std::string& one : keys) {
    auto key = one.starts_with(kBegin) && one.size() == kLength ? read_public_key(one) : failure(Errors());
    if (!key) {
      const auto text = read_text(one);
      if (!text) return std::nullopt;
      key = read_public_key(*text);
    }
    if (!key) {
      print_errors(key.error(), "--trusted " + one);
      return std::nullopt;
    }
    read.push_back(*key);
  }
  return read;
}

}  // namespace

int without_signatures() {
  if (has_signatures()) return kAnswer;
  std::cerr << "podwright: this program was built without libsodium, which signatures need: install libsodium-dev and "
               "build it again.\n";
  return kEnvironment;
}

int without_signatures(const TrustedKeys& keys) { return keys.empty() ? kAnswer : without_signatures(); }

void add_trusted_option(CLI::App& app, TrustedKeys& keys) {
  app.add_option("--trusted", keys,
                 "Public key of minisign, a file or its second line: only files that it signed count, by their "
                 "FILE.minisig")
      ->type_name("KEY");
}

std::optional<std::string> read_trusted(const std::string& file, const TrustedKeys& keys, std::string* signer) {
  if (keys.empty()) return read_text(file);
  if (file == "-") {
    std::cerr << "podwright: --trusted needs a file, beside which its signature is; standard input has none.\n";
    return {};
  }
  const auto trusted = read_keys(keys);
  auto text = trusted ? read_text(file) : std::nullopt;
  const auto signature = text ? read_text(file + ".minisig") : std::nullopt;
  if (!signature) return {};
  const auto checked = checked_signature(*trusted, *text, *signature);
  if (!checked) {
    print_errors(checked.error(), file + " is not signed by whom you trust");
    return {};
  }
  if (signer != nullptr) *signer = "signed with the key " + checked->number + ": " + line_of(checked->comment);
  return text;
}

}  // namespace podwright::cli
