#include "catalog/gguf_file.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "base/number_text.h"
#include "base/whole.h"

namespace podwright {
namespace {

/// std::bit_cast, which the library of the browser build does not have yet.
template <class To, class From>
To same_bits(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result{};
  std::memcpy(&result, &value, sizeof(result));
  return result;
}

constexpr std::string_view kMark = "GGUF";
constexpr double kMostDimensions = 4;
constexpr double kMostNameBytes = 65535;
constexpr double kMostTensors = 1e6;
constexpr double kMostMetadata = 1e5;
constexpr double kMostListDepth = 4;
constexpr double kDefaultAlignment = 32;

/// Types of metadata values, numbered as in the format.
enum class ValueType : std::uint32_t {
  uint8,
  int8,
  uint16,
  int16,
  uint32,
  int32,
  float32,
  boolean,
  text,
  list,
  uint64,
  int64,
  float64
};
/// Bytes of a value of each type; 0 where they differ from value to value.
constexpr std::array<double, 13> kTypeBytes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// Reads front to back. The first problem is kept; everything read after it is zero or empty.
class GgufReader {
 public:
  GgufReader(std::string_view bytes, double file_bytes, const std::vector<GgmlType>& types)
      : bytes_(bytes), file_bytes_(file_bytes), types_(types) {}

  Result<GgufFile> read() {
    GgufFile file;
    read_start(file);
    for (double i = 0; i < metadata_count_ && !failed(); ++i) read_metadata(file);
    for (double i = 0; i < tensor_count_ && !failed(); ++i) read_tensor(file);
    if (!failed()) place_data(file);
    if (failed()) return tl::unexpected<Errors>(std::move(problems_));
    return file;
  }

 private:
  bool failed() const { return !problems_.empty(); }
  void fail(std::string code, std::size_t at, std::string message, std::string hint) {
    if (!failed())
      problems_.push_back({std::move(code), ":" + std::to_string(at), std::move(message), std::move(hint)});
  }
  void broken(std::size_t at, std::string message) {
    fail("not-gguf", at, std::move(message), "Is the file whole, and of GGUF version 2 or 3?");
  }

  /// `count` bytes from here; empty where there are not so many.
  std::string_view take(double count) {
    if (failed()) return {};
    if (static_cast<double>(at_) + count > kMostHeaderBytes) {
      broken(at_, "The header would be longer than 100 MB.");
      return {};
    }
    if (count > static_cast<double>(bytes_.size() - at_)) {
      const bool more = file_bytes_ > static_cast<double>(bytes_.size());
      fail("truncated", at_,
           std::string("The header continues past the ") + std::to_string(bytes_.size()) +
               (more ? " bytes given." : " bytes of the file."),
           more ? "Give more of the file's beginning." : "The file is incomplete.");
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

  std::uint64_t whole(std::size_t width) {
    const std::string_view taken = take(static_cast<double>(width));
    std::uint64_t value = 0;
    for (std::size_t i = taken.size(); i > 0; --i) value = value << 8 | static_cast<unsigned char>(taken[i - 1]);
    return value;
  }
  std::int64_t with_sign(std::size_t width) {
    const unsigned empty_bits = static_cast<unsigned>(64 - 8 * width);
    return static_cast<std::int64_t>(whole(width) << empty_bits) >> empty_bits;
  }

  /// A count or an offset.
  double size(std::string_view what, double most = kExactWhole) {
    const std::size_t at = at_;
    const std::uint64_t value = whole(8);
    if (static_cast<double>(value) > most)
      broken(at, std::string(what) +
                     (most == kExactWhole ? " is beyond 2^53." : " is above " + shortest_number(most) + "."));
    return failed() ? 0 : static_cast<double>(value);
  }

  std::string name(std::string_view of) {
    return std::string(take(size("The length of the name of " + std::string(of), kMostNameBytes)));
  }

  static double width_of(ValueType type) { return kTypeBytes[static_cast<std::size_t>(type)]; }

  ValueType value_type() {
    const std::size_t at = at_;
    const std::uint64_t number = whole(4);
    if (number > static_cast<std::uint64_t>(ValueType::float64))
      broken(at, "There is no type of metadata with the number " + std::to_string(number) + ".");
    return static_cast<ValueType>(failed() ? 0 : number);
  }

  double number(ValueType type) {
    switch (type) {
      case ValueType::float32:
        return static_cast<double>(same_bits<float>(static_cast<std::uint32_t>(whole(4))));
      case ValueType::float64:
        return same_bits<double>(whole(8));
      case ValueType::int8:
      case ValueType::int16:
      case ValueType::int32:
      case ValueType::int64:
        return static_cast<double>(with_sign(static_cast<std::size_t>(width_of(type))));
      default:
        return static_cast<double>(whole(static_cast<std::size_t>(width_of(type))));
    }
  }

  void read_list(GgufValue& value, double depth) {
    const std::size_t at = at_;
    const ValueType type = value_type();
    value.kind = GgufValue::Kind::list;
    value.count = size("The length of a list");
    if (depth > kMostListDepth) broken(at, "Lists are nested more than 4 deep.");
    if (const double width = width_of(type); width > 0) {
      if (value.count > kKeptListValues) {
        take(value.count * width);
        return;
      }
      for (double i = 0; i < value.count && !failed(); ++i) value.numbers.push_back(number(type));
      return;
    }
    for (double i = 0; i < value.count && !failed(); ++i) {
      if (type == ValueType::text) {
        take(size("The length of a text"));
      } else {
        GgufValue inner;
        read_list(inner, depth + 1);
      }
    }
  }

  void read_start(GgufFile& file) {
    if (take(4) != kMark) {
      if (!failed() || bytes_.substr(0, 4) != kMark.substr(0, bytes_.size())) {
        problems_.clear();
        broken(0, "The file does not begin with GGUF.");
      }
      return;
    }
    const std::uint64_t version = whole(4);
    if (failed()) return;
    if (version != 0 && (version & 0xffff) == 0)
      return fail("not-gguf", 4, "The file is big-endian.", "Convert it to little-endian.");
    if (version < 2 || version > 3)
      return fail("not-gguf", 4, "GGUF version " + std::to_string(version) + " is not read.",
                  "Versions 2 and 3; convert older files with llama.cpp.");
    file.version = static_cast<double>(version);
    tensor_count_ = size("The number of tensors", kMostTensors);
    metadata_count_ = size("The number of metadata values", kMostMetadata);
  }

  void read_metadata(GgufFile& file) {
    const std::size_t at = at_;
    std::string key = name("a metadata value");
    const ValueType type = value_type();
    GgufValue value;
    if (type == ValueType::text) {
      value.kind = GgufValue::Kind::text;
      value.text = std::string(take(size("The length of a text")));
    } else if (type == ValueType::list) {
      read_list(value, 1);
    } else {
      value.kind = type == ValueType::boolean ? GgufValue::Kind::flag : GgufValue::Kind::number;
      value.number = number(type);
    }
    if (failed()) return;
    if (!file.metadata.emplace(std::move(key), std::move(value)).second) broken(at, "A metadata value occurs twice.");
  }

  void read_tensor(GgufFile& file) {
    const std::size_t at = at_;
    WeightTensor tensor;
    tensor.name = name("a tensor");
    const double dimensions = static_cast<double>(whole(4));
    if (dimensions > kMostDimensions) broken(at, "The tensor \"" + tensor.name + "\" has more than 4 dimensions.");
    double weights = 1;
    for (double i = 0; i < dimensions && !failed(); ++i) {
      tensor.shape.push_back(size("A dimension"));
      weights *= tensor.shape.back();
    }
    if (weights > kExactWhole) broken(at, "The tensor \"" + tensor.name + "\" has more than 2^53 weights.");
    const std::size_t type_at = at_;
    const std::uint64_t number = whole(4);
    const double offset = size("The place of a tensor");
    if (failed()) return;
    const GgmlType* type = find_ggml_type(types_, static_cast<double>(number));
    if (type == nullptr)
      return fail("unknown-id", type_at,
                  "The tensor \"" + tensor.name.substr(0, 60) + "\" has the type " + std::to_string(number) +
                      ", which the catalog does not know.",
                  "The types are rows of ggml_types.csv; --catalog adds more.");
    const double row = tensor.shape.empty() ? 1 : tensor.shape.front();
    if (std::fmod(row, type->block_weights) != 0)
      return broken(at, "The rows of the tensor \"" + tensor.name.substr(0, 60) + "\" are not whole blocks of " +
                            type->name + ".");
    tensor.type = type->name;
    tensor.weights = weights;
    tensor.bytes = weights / type->block_weights * type->block_bytes;
    if (tensor.bytes > kExactWhole || offset > kExactWhole - tensor.bytes)
      return broken(at, "The tensor \"" + tensor.name.substr(0, 60) + "\" ends beyond 2^53 bytes.");
    tensor.offset = offset;
    file.data_bytes = std::max(file.data_bytes, offset + tensor.bytes);
    file.tensors.push_back(std::move(tensor));
  }

  /// The data begins at the next multiple of the alignment.
  void place_data(GgufFile& file) {
    const double alignment = file.number("general.alignment").value_or(kDefaultAlignment);
    if (!(alignment >= 1 && alignment <= 1048576 && alignment == std::floor(alignment)))
      return broken(at_, "general.alignment is not a whole number from 1 to 1048576.");
    if (const auto twice = tensor_that_stands_twice(file.tensors))
      return broken(at_, "The tensor \"" + *twice + "\" stands twice.");
    if (const auto overlap = tensors_that_overlap(file.tensors)) return broken(at_, *overlap);
    file.header_bytes = std::ceil(static_cast<double>(at_) / alignment) * alignment;
    if (file_bytes_ > 0 && file.header_bytes + file.data_bytes > file_bytes_)
      fail("truncated", at_,
           "The tensors end at byte " + shortest_number(file.header_bytes + file.data_bytes) + ", the file has " +
               shortest_number(file_bytes_) + ".",
           "The file is incomplete.");
  }

  std::string_view bytes_;
  double file_bytes_;
  const std::vector<GgmlType>& types_;
  std::size_t at_ = 0;
  double tensor_count_ = 0;
  double metadata_count_ = 0;
  Errors problems_;
};

}  // namespace

std::optional<double> GgufFile::number(const std::string& key) const {
  const auto found = metadata.find(key);
  const bool numeric = found != metadata.end() &&
                       (found->second.kind == GgufValue::Kind::number || found->second.kind == GgufValue::Kind::flag);
  if (!numeric) return {};
  return found->second.number;
}

std::optional<std::string> GgufFile::text(const std::string& key) const {
  const auto found = metadata.find(key);
  if (found == metadata.end() || found->second.kind != GgufValue::Kind::text) return {};
  return found->second.text;
}

const GgufValue* GgufFile::list(const std::string& key) const {
  const auto found = metadata.find(key);
  return found == metadata.end() || found->second.kind != GgufValue::Kind::list ? nullptr : &found->second;
}

bool is_gguf(std::string_view beginning) { return beginning.substr(0, kMark.size()) == kMark; }

Result<GgufFile> read_gguf(std::string_view beginning, double file_bytes, const std::vector<GgmlType>& types) {
  return GgufReader(beginning, file_bytes, types).read();
}

}  // namespace podwright
