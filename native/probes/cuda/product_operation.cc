/// One product of each format, shape and way.
#include <algorithm>

#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"

namespace podwright::probes::cuda {
namespace {

// Of "best": as many proposals as the library makes, and the time to try them all.
constexpr int kMostProposals = 64;
constexpr double kLongSearch = 1.5;

class Gemm final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    dtype_ = one.dtype;
    stream_ = device.stream;
    m_ = one.m;
    shape_ = {dtype_, Product::padded(dtype_, one.m), one.n, one.k};
    const Format in = Product::input(dtype_);
    x_bytes_ = bytes_of(in, static_cast<std::size_t>(shape_.m * shape_.k));
    w_bytes_ = bytes_of(in, static_cast<std::size_t>(shape_.n * shape_.k));
    y_bytes_ = bytes_of(Product::output(dtype_), static_cast<std::size_t>(shape_.m * shape_.n));
    footprint_bytes = x_bytes_ + w_bytes_ + y_bytes_;
    copies = device.copies(footprint_bytes);
    const auto all = [&](std::size_t bytes) { return bytes * static_cast<std::size_t>(copies); };
    rotated_bytes = all(footprint_bytes);
    if (!x_.allocate(all(x_bytes_), checked) || !w_.allocate(all(w_bytes_), checked) ||
        !y_.allocate(all(y_bytes_), checked) || !workspace_.allocate(device.workspace_bytes, checked) ||
        !out_.allocate(8 * check_scratch(shape_.k), checked))
      return false;
    const std::string variant = one.variant;
    if (variant == "zeros") {
      checked(cudaMemsetAsync(x_.as<void>(), 0, x_.bytes(), stream_), "cudaMemset");
      checked(cudaMemsetAsync(w_.as<void>(), 0, w_.bytes(), stream_), "cudaMemset");
    } else {
      const auto values = [&](std::size_t bytes) { return bytes * 8 / static_cast<std::size_t>(bits_of(in)); };
      fill_normal(x_.as<void>(), in, values(x_.bytes()), one.seed, stream_);
      fill_normal(w_.as<void>(), in, values(w_.bytes()), one.seed + 1, stream_);
    }
    checked(cudaStreamSynchronize(stream_), "fill");
    shape_.full_sums = variant == "full_sums";
    if (variant == "best") {
      shape_.proposals = kMostProposals;
      shape_.search_s = kLongSearch;
    }
    operands_ = {x_.as<char>(), w_.as<char>(), y_.as<char>(), x_bytes_, w_bytes_, y_bytes_, static_cast<int>(copies)};
    if (!product_.plan(shape_, operands_, workspace_, stream_, checked)) return false;
    algorithm = "cublaslt-" + std::to_string(product_.algorithm());
    repeats_ = variant == "repeat";
    return !repeats_ || (enqueue(0, stream_, checked) && hash(first_hash_, checked));
  }

  double first_proposal_s() const override { return product_.first_proposal_s(); }

  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    return product_.run(operands_, index, stream, checked);
  }

  void verify(PwCheck& check, Checked& checked) override {
    unsigned long long last_hash = first_hash_;
    if (repeats_ && !hash(last_hash, checked)) return;
    product_.compare(operands_.x, operands_.w, operands_.y, m_, out_.as<double>(), check, stream_, checked);
    if (last_hash == first_hash_) return;
    check.status = PW_CHECK_FAIL;
    std::strcpy(check.note, "the same product gave other bits under load");
  }

 private:
  /// Of the first copy of the output: algorithm and operands are fixed, so its bits must repeat.
  bool hash(unsigned long long& sum, Checked& checked) {
    checked(cudaMemsetAsync(out_.as<void>(), 0, 8, stream_), "cudaMemset");
    add_hash(y_.as<std::uint32_t>(), y_bytes_ / 4, out_.as<unsigned long long>(), stream_);
    checked(cudaMemcpyAsync(&sum, out_.as<void>(), sizeof sum, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
    return checked(cudaStreamSynchronize(stream_), "hash");
  }

  std::string dtype_;
  bool repeats_ = false;
  unsigned long long first_hash_ = 0;
  cudaStream_t stream_ = nullptr;
  long long m_ = 0;
  ProductShape shape_;
  std::size_t x_bytes_ = 0, w_bytes_ = 0, y_bytes_ = 0;
  Memory x_, w_, y_, workspace_, out_;
  ProductOperands operands_;
  Product product_;
};

}  // namespace

std::unique_ptr<Operation> make_product(const std::string& probe) {
  return probe.rfind("gemm.", 0) == 0 ? std::make_unique<Gemm>() : nullptr;
}

}  // namespace podwright::probes::cuda
