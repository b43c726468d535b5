/// What a layer does between its products: normalisation, and the activation with its gate.
#include <algorithm>

#include "probes/cuda/operation.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kRowsChecked = 64;

class RowOperation final : public Operation {
 public:
  explicit RowOperation(bool activation) : activation_(activation) {}

  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    rows_ = one.m;
    columns_ = static_cast<int>(one.n);
    out_values_ = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
    in_values_ = activation_ ? 2 * out_values_ : out_values_;
    footprint_bytes = 2 * (in_values_ + out_values_);
    copies = device.copies(footprint_bytes);
    const auto all = static_cast<std::size_t>(copies);
    rotated_bytes = footprint_bytes * all;
    const auto columns = static_cast<std::size_t>(columns_);
    if (!x_.allocate(2 * in_values_ * all, checked) || !y_.allocate(2 * out_values_ * all, checked) ||
        !weights_.allocate(2 * columns, checked) || !out_.allocate(64, checked))
      return false;
    fill_normal(x_.as<void>(), Format::bf16, in_values_ * all, one.seed, stream_);
    fill_normal(weights_.as<void>(), Format::bf16, columns, one.seed + 1, stream_);
    algorithm = activation_ ? "own-silu-multiply" : "own-rms-norm";
    return checked(cudaStreamSynchronize(stream_), "fill");
  }

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const auto copy = static_cast<std::size_t>(index % copies);
    const char* x = x_.as<char>() + 2 * copy * in_values_;
    char* y = y_.as<char>() + 2 * copy * out_values_;
    if (activation_) {
      silu_multiply(y, x, rows_, columns_, stream);
    } else {
      rms_norm(y, x, weights_.as<void>(), rows_, columns_, stream);
    }
    return checked(cudaGetLastError(), "layer.norm_act");
  }

  void verify(PwCheck& check, Checked& checked) override {
    checked(cudaMemsetAsync(y_.as<void>(), 0xff, 2 * out_values_, stream_), "poison");
    checked(cudaMemsetAsync(out_.as<void>(), 0, 64, stream_), "cudaMemset");
    if (!enqueue(0, stream_, checked)) return;
    const int samples = static_cast<int>(std::min<long long>(kRowsChecked, rows_));
    check_rows(y_.as<void>(), x_.as<void>(), activation_ ? nullptr : weights_.as<void>(), rows_, columns_, samples,
               out_.as<double>(), stream_);
    // One rounding to bf16, and the short exponential.
    judge(out_.as<double>(), 0x1p-7, static_cast<std::uint64_t>(samples) * static_cast<std::uint64_t>(columns_),
          "rows in double", stream_, check, checked);
  }

 private:
  bool activation_;
  cudaStream_t stream_ = nullptr;
  long long rows_ = 1;
  int columns_ = 1;
  std::size_t in_values_ = 0;
  std::size_t out_values_ = 0;
  Memory x_, y_, weights_, out_;
};

}  // namespace

std::unique_ptr<Operation> make_row(const std::string& probe) {
  if (probe == "layer.norm_act") return std::make_unique<RowOperation>(false);
  if (probe == "layer.norm_act.silu") return std::make_unique<RowOperation>(true);
  return nullptr;
}

}  // namespace podwright::probes::cuda
