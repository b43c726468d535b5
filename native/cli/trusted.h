#pragma once
/// Files that count only where one of the named keys signed them.
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace podwright::cli {

/// Files of public keys, or their second lines; none: every file counts.
using TrustedKeys = std::vector<std::string>;

/// 3 after a message where this program was built without signatures, else 0; of keys also 0 where there are none.
int without_signatures();
int without_signatures(const TrustedKeys& keys);

/// `--trusted KEY`, several times for several keys.
void add_trusted_option(CLI::App& app, TrustedKeys& keys);

/// The file, or standard input for "-". Empty after a message where it cannot be read, or where keys are named and none
/// of them signed it: FILE.minisig is its signature. `signer` gets a line that says who did.
std::optional<std::string> read_trusted(const std::string& file, const TrustedKeys& keys,
                                        std::string* signer = nullptr);

}  // namespace podwright::cli
