#include "export/wired_network.h"

#include "base/number_text.h"

namespace podwright {

std::array<std::string, kCableLengths.size()> cable_length_texts() {
  std::array<std::string, kCableLengths.size()> texts;
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = shortest_number(kCableLengths[i]);
  return texts;
}

}  // namespace podwright
