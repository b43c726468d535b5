#include "memory/exact_weights.h"

#include <string>

#include "base/number_text.h"
#include "base/trace.h"
#include "model/parameters.h"

namespace podwright {
namespace {

constexpr double kFewestBits = 0.5;
constexpr double kMostBits = 64;

class ExactBits {
 public:
  ExactBits(const WeightBytes& bytes, Errors& errors) : bytes_(bytes), errors_(errors) {}

  double given(TensorClass part) const { return bytes_[place(part)].value_or(Bytes(0)).base_units(); }

  /// Bits of a class with this many parameters; absent where it has none.
  std::optional<double> bits(TensorClass part, double parameters) {
    const std::string path = "/weights/" + std::string(kTensorClassWords[place(part)]) + "_bytes";
    const double stored = given(part);
    if (parameters <= 0) {
      if (stored > 0)
        errors_.push_back(
            {"conflict", path,
             "The model has no such tensors, the weights have " + shortest_number(stored) + " bytes of them.",
             "Name the model that the file holds, or leave this key out."});
      return {};
    }
    const double bits = 8.0 * stored / parameters;
    if (stored <= 0)
      errors_.push_back({"missing", path, "The model has " + human_number(parameters) + " such parameters.",
                         "Give the bytes of all its tensors: \"podwright model FILE\" prints them."});
    else if (bits < kFewestBits || bits > kMostBits)
      errors_.push_back({"out-of-range", path,
                         human_number(stored) + " bytes are " + human_number(bits) + " bits for each of " +
                             human_number(parameters) + " parameters.",
                         "Legal: 0.5 to 64 bits; is it the model that the file holds?"});
    return bits;
  }

 private:
  static std::size_t place(TensorClass part) { return static_cast<std::size_t>(part); }
  const WeightBytes& bytes_;
  Errors& errors_;
};

}  // namespace

Result<WeightFormat> exact_weight_format(const WeightFormat& format, const Model& model, const WeightBytes& bytes) {
  NoTrace trace;
  const ParameterParts<NoTrace> parts = parameter_parts(trace, model);
  Errors errors;
  ExactBits exact(bytes, errors);
  WeightFormat own = format;
  own.origin = "request/weights";
  own.sources.clear();
  own.source = "request";
  own.embedding_bits = exact.bits(TensorClass::embedding, parts.embedding).value_or(format.embedding_bits);
  own.head_bits = exact.bits(TensorClass::output_head, parts.output_head).value_or(own.embedding_bits);
  own.attention_bits = exact.bits(TensorClass::attention, parts.attention);
  exact.bits(TensorClass::dense_mlp, parts.dense_mlp);
  exact.bits(TensorClass::shared_experts, parts.shared_experts);
  own.beside_experts_bits.reset();
  own.expert_bits = exact.bits(TensorClass::experts, parts.experts);
  exact.bits(TensorClass::router, parts.router);
  exact.bits(TensorClass::norms, parts.norms + parts.other);
  if (!errors.empty()) return tl::unexpected<Errors>(std::move(errors));

  const auto average = [](double stored, double parameters, double otherwise) {
    return parameters > 0 ? 8.0 * stored / parameters : otherwise;
  };
  const double attention = exact.given(TensorClass::attention);
  const double mlp = exact.given(TensorClass::dense_mlp) + exact.given(TensorClass::shared_experts);
  const double experts = exact.given(TensorClass::experts);
  const double mlp_parameters = parts.dense_mlp + parts.shared_experts;
  own.bits_per_weight =
      average(attention + mlp + experts, parts.attention + mlp_parameters + parts.experts, format.bits_per_weight);
  own.mlp_bits = average(mlp, mlp_parameters, own.bits_per_weight);
  own.norm_bits = average(exact.given(TensorClass::router) + exact.given(TensorClass::norms),
                          parts.router + parts.norms + parts.other, format.norm_bits);
  own.other_bytes = Bytes(exact.given(TensorClass::other));
  return own;
}

}  // namespace podwright
