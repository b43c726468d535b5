/// One product of each format, shape and way, and the products of experts with uneven numbers of tokens.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "probes/cuda/operation.h"
#include "probes/cuda/product.h"
#include "probes/expert_rows.h"

namespace podwright::probes::cuda {
namespace {

// Of "best": as many proposals as the library makes, and the time to try them all.
constexpr int kMostProposals = 64;
constexpr double kLongSearch = 1.5;

std::size_t area(long long a, long long b) { return static_cast<std::size_t>(a * b); }

class Gemm final : public Operation {
 public:
  bool enqueue(std::int64_t index, cudaStream_t stream, Checked& checked) override {
    return product_.run(operands_, index, stream, checked);
  }

  PwCheck verify(Checked& checked) override {
    const bool same = !repeats_ || hash(checked) == first_hash_;
    const PwCheck check = product_.compare(operands_.x, operands_.w, operands_.y, m_, found_, stream(), checked);
    return same ? check : check_of(false, check.checked, "the same product gave other bits under load");
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    const std::string variant = one.variant;
    m_ = one.m;
    ProductShape shape{one.dtype, Product::padded(one.dtype, m_), one.n, one.k};
    shape.full_sums = variant == "full_sums";
    if (variant == "best") {
      shape.proposals = kMostProposals;
      shape.search_s = kLongSearch;
    }
    const Format in = Product::input(one.dtype);
    const Format out = Product::output(one.dtype);
    const std::size_t x = area(shape.m, shape.k);
    const std::size_t w = area(shape.n, shape.k);
    y_bytes_ = bytes_of(out, area(shape.m, shape.n));
    copies = device_.copies(bytes_of(in, x) + bytes_of(in, w) + y_bytes_);
    const auto all = static_cast<std::size_t>(copies);
    if (!allocate_normal(x_, in, x * all, one.seed, stream(), checked) ||
        !allocate_normal(w_, in, w * all, one.seed + 1, stream(), checked) || !y_.allocate(y_bytes_ * all, checked) ||
        !workspace_.allocate(device_.workspace_bytes, checked) || !found_.allocate(checked, check_scratch(shape.k)) ||
        !hash_.allocate(sizeof first_hash_, checked))
      return false;
    if (variant == "zeros")
      for (const Memory* operand : {&x_, &w_})
        checked(cudaMemsetAsync(operand->as<void>(), 0, operand->bytes(), stream()), "cudaMemset");
    operands_ = {x_.as<char>(),   w_.as<char>(), y_.as<char>(),           bytes_of(in, x),
                 bytes_of(in, w), y_bytes_,      static_cast<int>(copies)};
    if (!product_.plan(shape, operands_, workspace_, stream(), checked)) return false;
    algorithm = "cublaslt-" + std::to_string(product_.algorithm());
    first_proposal_s = product_.first_proposal_s();
    repeats_ = variant == "repeat";
    if (repeats_ && enqueue(0, stream(), checked)) first_hash_ = hash(checked);
    return checked.good();
  }

 private:
  /// Of the first copy of the output: algorithm and operands are fixed, so its bits must repeat.
  unsigned long long hash(Checked& checked) {
    unsigned long long sum = 0;
    checked(cudaMemsetAsync(hash_.as<void>(), 0, sizeof sum, stream()), "cudaMemset");
    add_hash(y_.as<std::uint32_t>(), y_bytes_ / 4, hash_.as<unsigned long long>(), stream());
    read_back(&sum, hash_.as<void>(), sizeof sum, stream(), checked);
    return sum;
  }

  bool repeats_ = false;
  unsigned long long first_hash_ = 0;
  long long m_ = 0;
  std::size_t y_bytes_ = 0;
  Memory x_, w_, y_, workspace_, hash_;
  Findings found_;
  ProductOperands operands_;
  Product product_;
};

/// One product of each expert that has tokens, one after the other: Y_e (rows_e x n) = X_e (rows_e x k) · W_e. Engines
/// with a kernel for all experts at once start fewer kernels.
class ExpertProducts final : public Operation {
 public:
  bool enqueue(std::int64_t, cudaStream_t stream, Checked& checked) override {
    for (const Part& part : parts_)
      if (!products_[part.rows]->run(part.x, part.w, part.y, stream, checked)) return false;
    return true;
  }
  std::int64_t launches() const override { return static_cast<std::int64_t>(parts_.size()); }

  /// The experts with most and with fewest tokens, and one between them.
  PwCheck verify(Checked& checked) override {
    JoinedCheck joined("sampled values and Freivalds' test of three experts");
    for (const std::size_t i : {std::size_t{0}, parts_.size() / 2, parts_.size() - 1}) {
      const Part& part = parts_[i];
      joined.take(products_[part.rows]->compare(part.x, part.w, part.y, part.rows, found_, stream(), checked));
    }
    return joined.all();
  }

 protected:
  bool set_up(const PwCase& one, Checked& checked) override {
    const std::vector<std::int64_t> rows = expert_rows(one.experts, one.m, std::string(one.variant) == "zipf");
    const std::size_t weight = area(one.n, one.k);
    if (!allocate_normal(x_, Format::bf16, area(one.m, one.k), one.seed, stream(), checked) ||
        !allocate_normal(w_, Format::bf16, weight * rows.size(), one.seed + 1, stream(), checked) ||
        !y_.allocate(2 * area(one.m, one.n), checked) || !workspace_.allocate(device_.workspace_bytes, checked) ||
        !found_.allocate(checked, check_scratch(one.k)))
      return false;
    algorithm = "cublaslt-loop";
    std::int64_t row = 0;
    for (std::size_t expert = 0; expert < rows.size(); ++expert) {
      if (rows[expert] > 0)
        parts_.push_back({rows[expert], x_.as<char>() + 2 * area(row, one.k), w_.as<char>() + 2 * expert * weight,
                          y_.as<char>() + 2 * area(row, one.n)});
      row += rows[expert];
    }
    return std::all_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return plan(part, one.n, one.k, checked); });
  }

 private:
  struct Part {
    std::int64_t rows;
    const char* x;
    const char* w;
    char* y;
  };

  /// Experts with as many tokens share a plan: the library's first proposal, as engines take it. There may be more than
  /// a hundred numbers of tokens, too many to time proposals for each.
  bool plan(const Part& part, long long n, long long k, Checked& checked) {
    std::unique_ptr<Product>& product = products_[part.rows];
    if (product != nullptr) return true;
    product = std::make_unique<Product>();
    ProductShape shape{"bf16", part.rows, n, k};
    shape.proposals = 1;
    return product->plan(shape, {part.x, part.w, part.y}, workspace_, stream(), checked);
  }

  std::vector<Part> parts_;
  std::map<std::int64_t, std::unique_ptr<Product>> products_;
  Memory x_, w_, y_, workspace_;
  Findings found_;
};

}  // namespace

std::unique_ptr<Operation> make_product(const std::string& probe) {
  if (probe.rfind("gemm.", 0) == 0) return std::make_unique<Gemm>();
  return probe == "moe.grouped" ? std::make_unique<ExpertProducts>() : nullptr;
}

}  // namespace podwright::probes::cuda
