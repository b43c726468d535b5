#include "measure/foreign_parts.h"

#include <cstdlib>

namespace podwright {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return std::string(text.substr(0, most));
}

std::optional<double> number_of_text(std::string_view text) {
  const std::string digits(trimmed(text));
  if (digits.empty() || digits.find_first_not_of("0123456789.+-eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (end != digits.c_str() + digits.size() || !is_tellable(value)) return std::nullopt;
  return value;
}

HardwareProfile imported_profile(std::string_view program) {
  HardwareProfile profile;
  profile.run.mode = RunMode::imported;
  profile.run.backend = program;
  profile.limits.push_back("Imported from " + std::string(program) +
                           ": no intervals, no verification by this program, no record of clocks and other users.");
  return profile;
}

ProfileDevice& imported_device(HardwareProfile& profile, int index) {
  const std::string id = "d" + std::to_string(index);
  for (ProfileDevice& device : profile.devices)
    if (device.id == id) return device;
  ProfileDevice device;
  device.id = id;
  device.kind = "gpu";
  profile.devices.push_back(device);
  return profile.devices.back();
}

void check_unit(const JsonNode& object, const std::string& path, std::string_view unit, std::string_view program,
                ErrorList& errors) {
  const JsonNode* found = object.find("unit");
  if (found == nullptr || found->text == unit) return;
  errors.add(
      found->order,
      foreign_error("out-of-range", path + "/unit",
                    "The unit is \"" + found->text.substr(0, 40) + "\", expected " + std::string(unit) + ".", program));
}

Error foreign_error(std::string code, std::string path, std::string message, std::string_view program) {
  return {std::move(code), std::move(path), std::move(message),
          "Give the unchanged output of " + std::string(program) + "."};
}

}  // namespace podwright
