/// Products of experts with uneven numbers of tokens.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"
#include "probes/expert_rows.h"

namespace podwright::probes::cuda {
namespace {

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
        !out_.allocate(8 * check_scratch(k_), checked))
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
    return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return plan(part, checked); });
  }

  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (const Part& part : parts_)
      if (!products_[part.rows]->run(part.x, part.w, part.y, stream, checked)) return false;
    return true;
  }
  std::int64_t launches() const override { return static_cast<std::int64_t>(parts_.size()); }

  /// The experts with most and with fewest tokens, and one between them.
  void verify(PwCheck& check, Checked& checked) override {
    JoinedCheck joined("sampled values and Freivalds' test of three experts");
    for (const std::size_t i : {std::size_t{0}, parts_.size() / 2, parts_.size() - 1}) {
      const Part& part = parts_[i];
      PwCheck one{};
      products_[part.rows]->compare(part.x, part.w, part.y, part.rows, out_.as<double>(), one, stream_, checked);
      joined.take(one);
    }
    if (checked.good()) check = joined.all();
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

  /// Experts with as many tokens share a plan: the library's first proposal, as engines take it. There may be more than
  /// a hundred numbers of tokens, too many to time proposals for each.
  bool plan(const Part& part, Checked& checked) {
    std::unique_ptr<Product>& product = products_[part.rows];
    if (product != nullptr) return true;
    product = std::make_unique<Product>();
    ProductShape shape{"bf16", part.rows, n_, k_};
    shape.proposals = 1;
    return product->plan(shape, {part.x, part.w, part.y}, workspace_, stream_, checked);
  }

  cudaStream_t stream_ = nullptr;
  long long n_ = 0;
  long long k_ = 0;
  std::vector<std::int64_t> rows_;
  std::vector<Part> parts_;
  std::map<std::int64_t, std::unique_ptr<Product>> products_;
  Memory x_, w_, y_, workspace_, out_;
};

}  // namespace

std::unique_ptr<Operation> make_expert(const std::string& probe) {
  return probe == "moe.grouped" ? std::make_unique<ExpertProducts>() : nullptr;
}

}  // namespace podwright::probes::cuda
