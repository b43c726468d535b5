#pragma once
/// Signatures of files as minisign writes them (jedisct1.github.io/minisign): Ed25519 over the BLAKE2b-512 of the file,
/// and a comment that is signed with it. docs/operator.md#signatures.
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace podwright::cli {

/// Was this program built with libsodium? Nothing below works without it.
bool has_signatures();

struct PublicKey {
  std::string number;                   ///< by which a signature names its key, as minisign prints it
  std::array<unsigned char, 32> key{};  ///< of Ed25519
};

struct SecretKey {
  std::array<unsigned char, 8> number{};
  std::array<unsigned char, 64> key{};  ///< of Ed25519

  SecretKey() = default;
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;
  ~SecretKey();  ///< leaves no key in memory
};

/// Texts of the two files of a new key, without a password.
struct NewKey {
  std::string number, secret, open;
};
NewKey new_key();

/// Of a file, or its second line alone. Errors: wrong-type.
Result<PublicKey> read_public_key(std::string_view text);
/// `password` is asked for one if the key has one. Errors: wrong-type; conflict for a wrong password.
Result<SecretKey> read_secret_key(std::string_view text, const std::function<std::string()>& password);

/// The text of the file beside the one with these bytes.
std::string signature_text(const SecretKey& key, std::string_view bytes, std::string_view comment);

/// What a signature says, once it has been checked.
struct Signed {
  std::string number;   ///< of the key
  std::string comment;  ///< signed as well
};
/// Did one of the keys sign these bytes? Errors: wrong-type for what is no signature, unknown-id for one by another
/// key, conflict where bytes or comment are not those that were signed.
Result<Signed> checked_signature(const std::vector<PublicKey>& trusted, std::string_view bytes,
                                 std::string_view signature);

}  // namespace podwright::cli
