#include "cli/minisign.h"

#ifdef PODWRIGHT_SODIUM
#include <sodium.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace podwright::cli {

#ifdef PODWRIGHT_SODIUM
namespace {

using Octets = std::vector<unsigned char>;

constexpr std::string_view kComment = "untrusted comment: ";
constexpr std::string_view kTrusted = "trusted comment: ";
constexpr std::string_view kKeys = "Ed";          // of Ed25519
constexpr std::string_view kHashed = "ED";        // signatures over the hash of the file
constexpr std::string_view kWithPassword = "Sc";  // scrypt
constexpr std::string_view kChecked = "B2";       // the key's sum is BLAKE2b
constexpr std::size_t kNumber = 8;
constexpr std::size_t kSum = 32;
constexpr std::size_t kHead = 2;
// A key file: three algorithms, salt, two limits; then number, key and sum, which a password hides.
constexpr std::size_t kSalt = 3 * kHead;
constexpr std::size_t kLimits = kSalt + crypto_pwhash_scryptsalsa208sha256_SALTBYTES;
constexpr std::size_t kHidden = kLimits + 16;
constexpr std::size_t kHiddenBytes = kNumber + crypto_sign_SECRETKEYBYTES + kSum;
// Four times what minisign asks of a machine; a file that says more would only tie it up.
constexpr std::uint64_t kMostWork = 4ULL * crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE;
constexpr std::uint64_t kMostMemory = 4ULL * crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE;

bool ready() {
  static const bool started = sodium_init() >= 0;
  return started;
}

std::string base64(const Octets& bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();
  return text;
}

/// Absent where the text is no base64 of exactly so many bytes.
std::optional<Octets> from_base64(std::string_view text, std::size_t count) {
  Octets bytes(count + 1);
  std::size_t length = 0;
  const char* end = nullptr;
  if (sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &length, &end,
                        sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size() || length != count)
    return std::nullopt;
  bytes.resize(count);
  return bytes;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
  }
  return lines;
}

bool begins(const Octets& bytes, std::size_t at, std::string_view with) {
  return std::memcmp(bytes.data() + at, with.data(), with.size()) == 0;
}

void extend(Octets& bytes, std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }
void extend(Octets& bytes, const auto& more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

std::uint64_t little_endian(const unsigned char* bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i > 0; --i) value = value << 8 | bytes[i - 1];
  return value;
}

std::string number_of_key(const unsigned char* number) {
  constexpr const char* kDigits = "0123456789ABCDEF";
  std::string text;
  for (std::size_t i = kNumber; i > 0; --i) {
    text += kDigits[number[i - 1] >> 4];
    text += kDigits[number[i - 1] & 15];
  }
  return text;
}

std::array<unsigned char, crypto_generichash_BYTES_MAX> hash_of(std::string_view bytes) {
  std::array<unsigned char, crypto_generichash_BYTES_MAX> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                     nullptr, 0);
  return hash;
}

/// By which a wrong password shows; a key without one has zeros.
std::array<unsigned char, kSum> sum_of(const unsigned char* number_and_key) {
  Octets all;
  extend(all, kKeys);
  all.insert(all.end(), number_and_key, number_and_key + kNumber + crypto_sign_SECRETKEYBYTES);
  std::array<unsigned char, kSum> sum{};
  crypto_generichash(sum.data(), sum.size(), all.data(), all.size(), nullptr, 0);
  sodium_memzero(all.data(), all.size());
  return sum;
}

/// Does the second half follow from the first? Else the file was damaged.
bool is_pair(const SecretKey& key) {
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open{};
  SecretKey again;
  crypto_sign_seed_keypair(open.data(), again.key.data(), key.key.data());
  return sodium_memcmp(again.key.data(), key.key.data(), again.key.size()) == 0;
}

auto no_key(const std::string& kind) {
  return failure({"wrong-type", "", "This is no " + kind + " key of minisign.",
                  "podwright sign --new-key NAME makes NAME.key and NAME.pub."});
}

auto no_signature(const std::string& why) {
  return failure({"wrong-type", "", "The signature cannot be read: " + why + ".",
                  "podwright sign PROFILE --key FILE, or minisign -S, writes one."});
}

/// False where the password takes more work or memory than there is.
bool reveal(Octets& file, std::string password) {
  const std::uint64_t work = little_endian(file.data() + kLimits);
  const std::uint64_t memory = little_endian(file.data() + kLimits + 8);
  Octets stream(kHiddenBytes);
  const bool made =
      work <= kMostWork && memory <= kMostMemory &&
      crypto_pwhash_scryptsalsa208sha256(stream.data(), stream.size(), password.data(), password.size(),
                                         file.data() + kSalt, work, static_cast<std::size_t>(memory)) == 0;
  sodium_memzero(password.data(), password.size());
  for (std::size_t i = 0; i < stream.size(); ++i) file[kHidden + i] ^= stream[i];
  sodium_memzero(stream.data(), stream.size());
  return made;
}

}  // namespace

bool has_signatures() { return ready(); }

SecretKey::~SecretKey() { sodium_memzero(key.data(), key.size()); }

NewKey new_key() {
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open{};
  SecretKey secret;
  crypto_sign_keypair(open.data(), secret.key.data());
  randombytes_buf(secret.number.data(), secret.number.size());
  Octets hidden;
  extend(hidden, secret.number);
  extend(hidden, secret.key);
  Octets file;
  extend(file, kKeys);
  file.resize(2 * kHead);  // no password
  extend(file, kChecked);
  file.resize(kHidden);
  extend(file, hidden);
  file.resize(kHidden + kHiddenBytes);
  Octets shown;
  extend(shown, kKeys);
  extend(shown, secret.number);
  extend(shown, open);
  const std::string number = number_of_key(secret.number.data());
  NewKey made{number, std::string(kComment) + "minisign secret key\n" + base64(file) + "\n",
              std::string(kComment) + "minisign public key " + number + "\n" + base64(shown) + "\n"};
  sodium_memzero(hidden.data(), hidden.size());
  sodium_memzero(file.data(), file.size());
  return made;
}

Result<PublicKey> read_public_key(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  PublicKey key;
  const bool file = lines.size() == 2 && lines.front().starts_with(kComment);
  const auto bytes =
      file || lines.size() == 1 ? from_base64(lines.back(), kHead + kNumber + key.key.size()) : std::nullopt;
  if (!bytes || !begins(*bytes, 0, kKeys)) return no_key("public");
  key.number = number_of_key(bytes->data() + kHead);
  std::copy(bytes->begin() + kHead + kNumber, bytes->end(), key.key.begin());
  return key;
}

Result<SecretKey> read_secret_key(std::string_view text, const std::function<std::string()>& password) {
  const std::vector<std::string_view> lines = lines_of(text);
  const bool file = lines.size() == 2 && lines.front().starts_with(kComment);
  auto bytes = file ? from_base64(lines.back(), kHidden + kHiddenBytes) : std::nullopt;
  const bool hidden = bytes && begins(*bytes, kHead, kWithPassword);
  if (!bytes || !begins(*bytes, 0, kKeys) || !begins(*bytes, 2 * kHead, kChecked) ||
      (!hidden && !begins(*bytes, kHead, std::string_view("\0\0", kHead))))
    return no_key("secret");
  const unsigned char* const number = bytes->data() + kHidden;
  const unsigned char* const sum = number + kHiddenBytes - kSum;
  const bool shown = !hidden || (reveal(*bytes, password()) && sodium_memcmp(sum_of(number).data(), sum, kSum) == 0);
  SecretKey key;
  std::copy_n(number, kNumber, key.number.begin());
  std::copy_n(number + kNumber, key.key.size(), key.key.begin());
  sodium_memzero(bytes->data(), bytes->size());
  if (shown && is_pair(key)) return key;
  if (!hidden) return no_key("secret");
  return failure({"conflict", "", "The password is not that of this key, or the file was changed.", "Try again."});
}

std::string signature_text(const SecretKey& key, std::string_view bytes, std::string_view comment) {
  const auto hash = hash_of(bytes);
  std::array<unsigned char, crypto_sign_BYTES> signature{};
  crypto_sign_detached(signature.data(), nullptr, hash.data(), hash.size(), key.key.data());
  Octets file;
  extend(file, kHashed);
  extend(file, key.number);
  extend(file, signature);
  Octets all;
  extend(all, signature);
  extend(all, comment);
  std::array<unsigned char, crypto_sign_BYTES> of_all{};
  crypto_sign_detached(of_all.data(), nullptr, all.data(), all.size(), key.key.data());
  return std::string(kComment) + "signature by podwright\n" + base64(file) + "\n" + std::string(kTrusted) +
         std::string(comment) + "\n" + base64({of_all.begin(), of_all.end()}) + "\n";
}

Result<Signed> checked_signature(const std::vector<PublicKey>& trusted, std::string_view bytes,
                                 std::string_view signature) {
  const std::vector<std::string_view> lines = lines_of(signature);
  if (lines.size() != 4 || !lines[0].starts_with(kComment) || !lines[2].starts_with(kTrusted))
    return no_signature("it is not the four lines that minisign writes");
  const auto file = from_base64(lines[1], kHead + kNumber + crypto_sign_BYTES);
  const auto of_all = from_base64(lines[3], crypto_sign_BYTES);
  if (!file || !of_all) return no_signature("line " + std::string(file ? "4" : "2") + " is cut off or damaged");
  if (!begins(*file, 0, kHashed))
    return no_signature(begins(*file, 0, kKeys) ? "it is of the file itself, not of its hash, as minisign -l makes them"
                                                : "its algorithm is not known");
  const Signed said{number_of_key(file->data() + kHead), std::string(lines[2].substr(kTrusted.size()))};
  const auto key =
      std::find_if(trusted.begin(), trusted.end(), [&](const PublicKey& one) { return one.number == said.number; });
  if (key == trusted.end())
    return failure({"unknown-id", "", "It was signed with the key " + said.number + ", which is not trusted.",
                    "--trusted takes the public key of whoever measured."});
  const unsigned char* const of_file = file->data() + kHead + kNumber;
  const auto hash = hash_of(bytes);
  if (crypto_sign_verify_detached(of_file, hash.data(), hash.size(), key->key.data()) != 0)
    return failure({"conflict", "", "The file is not the one that was signed.", "Ask for the file again."});
  Octets all(of_file, of_file + crypto_sign_BYTES);
  extend(all, said.comment);
  if (crypto_sign_verify_detached(of_all->data(), all.data(), all.size(), key->key.data()) != 0)
    return failure({"conflict", "", "The trusted comment is not the one that was signed.", "Ask for the file again."});
  return said;
}

#else

bool has_signatures() { return false; }
SecretKey::~SecretKey() = default;
NewKey new_key() { return {}; }
Result<PublicKey> read_public_key(std::string_view) { return failure(Errors()); }
Result<SecretKey> read_secret_key(std::string_view, const std::function<std::string()>&) { return failure(Errors()); }
std::string signature_text(const SecretKey&, std::string_view, std::string_view) { return ""; }
Result<Signed> checked_signature(const std::vector<PublicKey>&, std::string_view, std::string_view) {
  return failure(Errors());
}

#endif

}  // namespace podwright::cli
