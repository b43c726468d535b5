/// Products of experts with uneven numbers of tokens, and the choice of the next token.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"
#include "probes/expert_rows.h"

namespace podwright::probes::cuda {
namespace {

constexpr int kSamplesOfExpert = 64;
constexpr int kSequencesChecked = 8;
constexpr int kKept = 50;
constexpr float kShare = 0.9F;

/// One product of each expert that has tokens, one after the other: Y_e (rows_e x n) = X_e (rows_e x k) · W_e. Engines
/// with a kernel for all experts at once start fewer kernels.
class ExpertProducts final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    n_ = one.n;
    k_ = one.k;
    rows_ = expert_rows(one.experts, one.m, std::string(one.variant) == "zipf");
    const auto values = [](long long a, long long b) { return static_cast<std::size_t>(a * b); };
    const std::size_t weights = values(n_, k_) * rows_.size();
    if (!x_.allocate(2 * values(one.m, k_), checked) || !w_.allocate(2 * weights, checked) ||
        !y_.allocate(2 * values(one.m, n_), checked) || !workspace_.allocate(device.workspace_bytes, checked) ||
        !out_.allocate(8 * check_scratch(n_, k_), checked))
      return false;
    fill_normal(x_.as<void>(), Format::bf16, values(one.m, k_), one.seed, stream_);
    fill_normal(w_.as<void>(), Format::bf16, weights, one.seed + 1, stream_);
    if (!checked(cudaStreamSynchronize(stream_), "fill")) return false;
    footprint_bytes = rotated_bytes = x_.bytes() + w_.bytes() + y_.bytes();
    algorithm = "cublaslt-loop";
    std::int64_t row = 0;
    for (std::size_t expert = 0; expert < rows_.size(); ++expert) {
      if (rows_[expert] > 0) parts_.push_back(part(expert, row));
      row += rows_[expert];
    }
    return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return plan(part, device, checked); });
  }

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (const Part& part : parts_)
      if (!products_[part.rows]->run(part.x, part.w, part.y, stream, checked)) return false;
    return true;
  }
  std::int64_t launches() const override { return static_cast<std::int64_t>(parts_.size()); }

  /// The experts with most and with fewest tokens, and one between them.
  void verify(PwCheck& check, Checked& checked) override {
    checked(cudaMemsetAsync(y_.as<void>(), 0xff, y_.bytes(), stream_), "poison");
    checked(cudaMemsetAsync(out_.as<void>(), 0, out_.bytes(), stream_), "cudaMemset");
    if (!enqueue(0, stream_, checked)) return;
    for (const std::size_t i : {std::size_t{0}, parts_.size() / 2, parts_.size() - 1})
      check_product(parts_[i].x, parts_[i].w, parts_[i].y, Format::bf16, Format::bf16, parts_[i].rows, n_, k_,
                    output_unit("bf16"), kSamplesOfExpert, out_.as<double>(), stream_);
    judge(out_.as<double>(), product_tolerance("bf16", k_), 3 * kSamplesOfExpert,
          "sampled values and Freivalds' test of three experts", stream_, check, checked);
  }

 private:
  struct Part {
    std::int64_t rows;
    const char* x;
    const char* w;
    char* y;
  };

  Part part(std::size_t expert, std::int64_t row) const {
    const auto bytes = [](long long a, long long b) { return 2 * static_cast<std::size_t>(a * b); };
    return {rows_[expert], x_.as<char>() + bytes(row, k_), w_.as<char>() + expert * bytes(n_, k_),
            y_.as<char>() + bytes(row, n_)};
  }

  /// Experts with as many tokens share a plan.
  bool plan(const Part& part, const DeviceFacts& device, Checked& checked) {
    std::unique_ptr<Product>& product = products_[part.rows];
    if (product != nullptr) return true;
    product = std::make_unique<Product>();
    ProductShape shape;
    shape.dtype = "bf16";
    shape.m = part.rows;
    shape.n = n_;
    shape.k = k_;
    return product->plan(shape, part.x, part.w, part.y, workspace_.as<void>(), device.workspace_bytes, stream_,
                         checked);
  }

  cudaStream_t stream_ = nullptr;
  long long n_ = 0;
  long long k_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<Part> parts_;
  std::map<std::int64_t, std::unique_ptr<Product>> products_;
  Memory x_, w_, y_, workspace_, out_;
};

/// From scores to tokens, with a kernel of this project: one block for each sequence.
class TokenChoice final : public Operation {
 public:
  bool prepare(const PwCase& one, const DeviceFacts& device, Checked& checked) override {
    stream_ = device.stream;
    sequences_ = static_cast<int>(one.batch);
    vocabulary_ = static_cast<int>(one.n);
    seed_ = one.seed;
    const std::size_t values = static_cast<std::size_t>(sequences_) * static_cast<std::size_t>(vocabulary_);
    footprint_bytes = 4 * values;
    copies_ = device.copies(footprint_bytes);
    rotated_bytes = footprint_bytes * static_cast<std::size_t>(copies_);
    if (!scores_.allocate(rotated_bytes, checked) ||
        !tokens_.allocate(4 * static_cast<std::size_t>(sequences_), checked) || !out_.allocate(64, checked))
      return false;
    fill_normal(scores_.as<void>(), Format::fp32, rotated_bytes / 4, one.seed, stream_);
    algorithm = "own-radix-top50";
    return checked(cudaStreamSynchronize(stream_), "fill");
  }
  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    const auto copy = static_cast<std::size_t>(index % copies_);
    choose_tokens(scores_.as<float>() + copy * footprint_bytes / 4, sequences_, vocabulary_, kKept, kShare, seed_,
                  tokens_.as<int>(), stream);
    return checked(cudaGetLastError(), "choose_tokens");
  }
  void verify(PwCheck& check, Checked& checked) override {
    checked(cudaMemsetAsync(tokens_.as<void>(), 0xff, tokens_.bytes(), stream_), "poison");  // no token is -1
    checked(cudaMemsetAsync(out_.as<void>(), 0, 64, stream_), "cudaMemset");
    if (!enqueue(0, stream_, checked)) return;
    check_tokens(scores_.as<float>(), sequences_, vocabulary_, kKept, kShare, seed_, tokens_.as<int>(),
                 kSequencesChecked, out_.as<double>(), stream_);
    judge(out_.as<double>(), 0, static_cast<std::uint64_t>(std::min(kSequencesChecked, sequences_)),
          "tokens against a choice in double", stream_, check, checked);
  }

 private:
  cudaStream_t stream_ = nullptr;
  int sequences_ = 1;
  int vocabulary_ = 1;
  int copies_ = 1;
  std::uint64_t seed_ = 0;
  Memory scores_, tokens_, out_;
};

}  // namespace

std::unique_ptr<Operation> make_expert(const std::string& probe) {
  if (probe == "moe.grouped") return std::make_unique<ExpertProducts>();
  if (probe == "sample.topk") return std::make_unique<TokenChoice>();
  return nullptr;
}

}  // namespace podwright::probes::cuda
