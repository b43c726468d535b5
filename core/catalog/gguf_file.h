#pragma once
/// The header of a GGUF file: metadata and the table of tensors. Versions 2 and 3, little-endian.
/// Source: github.com/ggml-org/ggml, docs/gguf.md.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/ggml_type.h"
#include "catalog/weight_file.h"

namespace podwright {

/// A value of the metadata. Of a list its length; its numbers only where it is short, its texts never.
struct GgufValue {
  enum class Kind { number, flag, text, list };
  Kind kind = Kind::number;
  double number = 0;  ///< number, as it stands: it may be infinite or none; flag: 0 or 1
  std::string text;
  double count = 0;             ///< of a list
  std::vector<double> numbers;  ///< of a list of at most kKeptListValues numbers or flags
};
inline constexpr double kKeptListValues = 4096;

struct GgufFile : WeightFile {
  double version = 0;
  std::map<std::string, GgufValue> metadata;

  std::optional<double> number(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  const GgufValue* list(const std::string& key) const;
};

/// True where a file begins with the mark of the format.
bool is_gguf(std::string_view beginning);

/// Reads the header from the beginning of a file of `file_bytes` bytes. Safe for any bytes: nothing is reserved that
/// the text does not hold. Errors have the path ":<byte>". Code "truncated": the header goes on behind `beginning`;
/// "not-gguf": the bytes break the format.
Result<GgufFile> read_gguf(std::string_view beginning, double file_bytes, const std::vector<GgmlType>& types);

}  // namespace podwright
