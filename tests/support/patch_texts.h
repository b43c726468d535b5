#pragma once
/// Ways out as a test reads them.
#include <string>
#include <vector>

#include "base/patch.h"

inline std::vector<std::string> texts_of(const std::vector<podwright::Patch>& patches) {
  std::vector<std::string> texts;
  for (const podwright::Patch& patch : patches) texts.push_back(patch.text());
  return texts;
}
