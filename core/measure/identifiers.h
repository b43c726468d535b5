#pragma once
/// What in a file may name a machine or a person: told by kind and number, never by value.
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

enum class IdentifierKind { host_name, serial_number, uuid, ip_address, mac_address, user_name };
inline constexpr std::array<std::string_view, 6> kIdentifierWords = {"host_name",  "serial_number", "uuid",
                                                                     "ip_address", "mac_address",   "user_name"};

struct IdentifierCount {
  IdentifierKind kind = IdentifierKind::host_name;
  int count = 0;  ///< different values
};

/// By the names of keys and elements ("serial", "hostname", "uuid") and by shape: UUIDs, addresses, folders of users.
/// Kinds that do not occur are left out. What has neither name nor shape is not found.
std::vector<IdentifierCount> identifiers_in(std::string_view text);

/// The text with "(hidden)" in place of what has such a shape.
std::string without_identifiers(std::string_view text);

}  // namespace podwright
