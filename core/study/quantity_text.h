#pragma once
/// Numbers of questions as people write them.
#include <string>
#include <string_view>

namespace podwright {

/// A number in base units with its unit, three digits and the prefix that suits: 1.41e11 "B" is "141 GB", 3600 "s" is
/// "1 h". Prefixes are decimal; plain numbers have no unit.
std::string quantity_text(double base, std::string_view unit);
/// The same of a number in a unit that is kept as it is: "141 GiB". Whole numbers below a million in full.
std::string in_unit_text(double value, std::string_view unit);
/// "8,192", "0.5".
std::string count_text(double count);
/// "8.03 billion", "70.6 billion", "1.2 trillion".
std::string large_number(double count);
/// "a B200", "an H100": by how the first letter is spoken.
std::string with_article(std::string_view name);
/// "1 GPU", "8 GPUs".
std::string counted(double count, std::string_view singular);

}  // namespace podwright
