#pragma once
/// What the readers of foreign files share.
#include <optional>
#include <string>
#include <string_view>

#include "base/object_reader.h"
#include "base/result.h"
#include "base/told_number.h"
#include "measure/profile.h"

namespace podwright {

inline constexpr double kMs = 1e-3;  ///< what load generators write times in

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// Of a name.
constexpr bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// A whole text as a number that is tellable; absent where it is none.
std::optional<double> number_of_text(std::string_view text);
/// Without spaces at both ends.
std::string_view trimmed(std::string_view text);
/// At most `most` bytes of a text, and no part of a character.
std::string beginning_of(std::string_view text, std::size_t most);
/// An empty profile of an imported file.
HardwareProfile imported_profile(std::string_view program);
/// The device with this id, which is added where there is none.
ProfileDevice& imported_device(HardwareProfile& profile, int index);
/// An error where `object` tells another unit than the expected one; telling none is none.
void check_unit(const JsonNode& object, const std::string& path, std::string_view unit, std::string_view program,
                ErrorList& errors);
Error foreign_error(std::string code, std::string path, std::string message, std::string_view program);

/// A program whose files are read, for errors about them.
struct ForeignProgram {
  std::string_view name;

  Error error(std::string code, std::string path, std::string message) const {
    return foreign_error(std::move(code), std::move(path), std::move(message), name);
  }
};

}  // namespace podwright
