#include "probes/cuda/cudnn.h"

#include <cmath>
#include <vector>

namespace podwright::probes::cuda {
namespace {

// Enumerations of cudnn_graph.h.
namespace kind {
constexpr int engine_config = 3, heuristics = 4, plan = 5, graph = 15, pack = 16, tensor = 17, attention = 41;
}
namespace type {
constexpr int handle = 0, data_type = 1, boolean = 2, int64 = 3, pointer = 6, heuristic_mode = 8, descriptor = 15;
}
namespace name {
constexpr int heuristic_mode = 200, heuristic_graph = 201, heuristic_results = 202;
constexpr int plan_handle = 400, plan_config = 401, plan_workspace = 402;
constexpr int graph_handle = 800, graph_operations = 801;
constexpr int alignment = 900, data_type = 901, sizes = 902, steps = 903, id = 906, is_virtual = 907, by_value = 908;
constexpr int pack_ids = 1000, pack_pointers = 1001, pack_workspace = 1003;
constexpr int query = 2800, keys = 2801, values = 2802, out = 2803, scale = 2805;
constexpr int key_pages = 2807, value_pages = 2808, query_lengths = 2809, key_lengths = 2810;
}  // namespace name
namespace data {
constexpr int fp32 = 0, int32 = 4, bf16 = 9;
}
constexpr int kHeuristicModeA = 3;
enum Id : std::int64_t { kQuery = 1, kKeys, kValues, kOut, kScale, kKeyPages, kValuePages, kQueryLengths, kKeyLengths };

/// A process has one device. The handle stays: at the end of the process the driver may already be gone.
void* handle_of_process(int& status) {
  static void* handle = nullptr;
  if (handle == nullptr) status = Cudnn::instance().create(&handle);
  return handle;
}

}  // namespace

Cudnn::Cudnn() : VendorLibrary("libcudnn", {"libcudnn.so.9", "libcudnn.so"}) {
  constexpr std::size_t kOldest = 91500;  // 9.15: the first whose attention reads pages as one operation
  if (there()) version = get_version();
  if (there() && version < kOldest)
    missing = "libcudnn " + std::to_string(version) + " is older than 9.15, which these probes need";
}

const Cudnn& Cudnn::instance() {
  static const Cudnn found;
  return found;
}

CudnnDescriptor::CudnnDescriptor(int kind, int& status) : status_(status) {
  if (status_ == Cudnn::kSuccess) status_ = Cudnn::instance().create_descriptor(kind, &descriptor_);
}

CudnnDescriptor::~CudnnDescriptor() {
  if (descriptor_ != nullptr) Cudnn::instance().destroy_descriptor(descriptor_);
}

void CudnnDescriptor::set(int name, int type, std::int64_t count, const void* values) {
  if (status_ == Cudnn::kSuccess) status_ = Cudnn::instance().set_attribute(descriptor_, name, type, count, values);
}

void CudnnDescriptor::set(int name, const CudnnDescriptor& other) {
  set(name, type::descriptor, 1, &other.descriptor_);
}

void CudnnDescriptor::finish() {
  if (status_ == Cudnn::kSuccess) status_ = Cudnn::instance().finalize(descriptor_);
}

CudnnDescriptor& FusedAttention::tensor(std::int64_t id, int data_type, const std::int64_t (&sizes)[4],
                                        const std::int64_t (&steps)[4], bool by_value) {
  CudnnDescriptor& made = add(kind::tensor);
  const std::int64_t alignment = 16;
  const bool is_virtual = false;
  made.set(name::id, type::int64, 1, &id);
  made.set(name::data_type, type::data_type, 1, &data_type);
  made.set(name::sizes, type::int64, 4, sizes);
  made.set(name::steps, type::int64, 4, steps);
  made.set(name::alignment, type::int64, 1, &alignment);
  made.set(name::is_virtual, type::boolean, 1, &is_virtual);
  if (by_value) made.set(name::by_value, type::boolean, 1, &by_value);
  made.finish();
  return made;
}

/// Sizes and distances are given in the order batch, head, token, value. Pages keep the values of all groups of a token
/// together.
int FusedAttention::describe(const Sizes& x) {
  sizes_ = x;
  scale_ = 1 / std::sqrt(static_cast<float>(kDimension));
  constexpr std::int64_t d = kDimension;
  const std::int64_t of_queries[4] = {x.batch, x.heads, x.queries, d};
  const std::int64_t query_steps[4] = {x.heads * x.queries * d, x.queries * d, d, 1};
  const bool paged = x.page > 0;
  const std::int64_t of_keys[4] = {paged ? x.pages : x.batch, x.groups, paged ? x.page : x.context, d};
  const std::int64_t together[4] = {x.groups * x.context * d, x.context * d, d, 1};
  const std::int64_t in_pages[4] = {x.page * x.groups * d, d, x.groups * d, 1};
  const auto& key_steps = paged ? in_pages : together;
  const std::int64_t one[4] = {1, 1, 1, 1};
  operation_ = &add(kind::attention);
  operation_->set(name::query, tensor(kQuery, data::bf16, of_queries, query_steps));
  operation_->set(name::keys, tensor(kKeys, data::bf16, of_keys, key_steps));
  operation_->set(name::values, tensor(kValues, data::bf16, of_keys, key_steps));
  operation_->set(name::out, tensor(kOut, data::bf16, of_queries, query_steps));
  operation_->set(name::scale, tensor(kScale, data::fp32, one, one, true));
  if (paged) {
    const std::int64_t each = (x.context + x.page - 1) / x.page;
    const std::int64_t of_table[4] = {x.batch, 1, each, 1};
    const std::int64_t table_steps[4] = {each, each, 1, 1};
    const std::int64_t of_lengths[4] = {x.batch, 1, 1, 1};
    operation_->set(name::key_pages, tensor(kKeyPages, data::int32, of_table, table_steps));
    operation_->set(name::value_pages, tensor(kValuePages, data::int32, of_table, table_steps));
    operation_->set(name::query_lengths, tensor(kQueryLengths, data::int32, of_lengths, one));
    operation_->set(name::key_lengths, tensor(kKeyLengths, data::int32, of_lengths, one));
  }
  operation_->finish();
  return status_;
}

bool FusedAttention::failed(const char* what, Checked& checked) const {
  if (status_ == Cudnn::kSuccess) return !checked.good();
  // An error of a kernel shows in the runtime, with its own gravity.
  checked(cudaGetLastError(), what);
  checked.fail(PW_SKIP, "not_supported", std::string(what) + ": cuDNN status " + std::to_string(status_));
  return true;
}

bool FusedAttention::plan(const Sizes& sizes, cudaStream_t stream, Checked& checked) {
  const Cudnn& cudnn = Cudnn::instance();
  if (!cudnn.there()) {
    checked.fail(PW_SKIP, "library_missing", cudnn.missing);
    return false;
  }
  void* const handle = handle_of_process(status_);
  describe(sizes);
  if (failed("attention", checked)) return false;
  CudnnDescriptor& graph = add(kind::graph);
  graph.set(name::graph_handle, type::handle, 1, &handle);
  graph.set(name::graph_operations, *operation_);
  graph.finish();
  CudnnDescriptor& heuristics = add(kind::heuristics);
  heuristics.set(name::heuristic_graph, graph);
  heuristics.set(name::heuristic_mode, type::heuristic_mode, 1, &kHeuristicModeA);
  heuristics.finish();
  if (failed("heuristics of attention", checked)) return false;
  std::int64_t found = 0;
  status_ = cudnn.get_attribute(heuristics.get(), name::heuristic_results, type::descriptor, 0, &found, nullptr);
  std::vector<void*> configs;
  for (std::int64_t i = 0; i < found; ++i) configs.push_back(add(kind::engine_config).get());
  if (status_ == Cudnn::kSuccess)
    status_ =
        cudnn.get_attribute(heuristics.get(), name::heuristic_results, type::descriptor, found, &found, configs.data());
  if (failed("engines of attention", checked)) return false;
  std::int64_t workspace = 0;
  for (std::int64_t i = 0; i < found && plan_ == nullptr; ++i) {
    status_ = Cudnn::kSuccess;
    CudnnDescriptor& plan = add(kind::plan);
    plan.set(name::plan_handle, type::handle, 1, &handle);
    plan.set(name::plan_config, type::descriptor, 1, &configs[static_cast<std::size_t>(i)]);
    plan.finish();
    std::int64_t one = 0;
    if (status_ == Cudnn::kSuccess)
      status_ = cudnn.get_attribute(plan.get(), name::plan_workspace, type::int64, 1, &one, &workspace);
    if (status_ == Cudnn::kSuccess) plan_ = &plan;
  }
  if (failed("no engine of attention", checked)) return false;
  if (plan_ == nullptr) {
    checked.fail(PW_SKIP, "not_supported", "cuDNN proposes no engine for this attention");
    return false;
  }
  std::vector<std::int32_t> lengths(static_cast<std::size_t>(2 * sizes.batch), 1);
  for (long long i = 0; i < sizes.batch; ++i)
    lengths[static_cast<std::size_t>(sizes.batch + i)] = static_cast<std::int32_t>(sizes.context);
  return workspace_.allocate(static_cast<std::size_t>(workspace) + 16, checked) &&
         lengths_.allocate(4 * lengths.size(), checked) &&
         checked(cudaMemcpyAsync(lengths_.as<void>(), lengths.data(), lengths_.bytes(), cudaMemcpyHostToDevice, stream),
                 "lengths") &&
         checked(cudaStreamSynchronize(stream), "lengths");
}

bool FusedAttention::run(const DecodeAttention& x, cudaStream_t stream, Checked& checked) {
  const Cudnn& cudnn = Cudnn::instance();
  auto* const pages = const_cast<int*>(x.pages);
  const std::int64_t ids[] = {kQuery, kKeys, kValues, kOut, kScale, kKeyPages, kValuePages, kQueryLengths, kKeyLengths};
  void* const places[] = {const_cast<void*>(x.query),
                          const_cast<void*>(x.keys),
                          const_cast<void*>(x.values),
                          x.out,
                          &scale_,
                          pages,
                          pages,
                          lengths_.as<void>(),
                          lengths_.as<std::int32_t>() + sizes_.batch};
  const std::int64_t used = sizes_.page > 0 ? 9 : 5;
  CudnnDescriptor pack(kind::pack, status_);
  void* const workspace = workspace_.as<void>();
  pack.set(name::pack_ids, type::int64, used, ids);
  pack.set(name::pack_pointers, type::pointer, used, places);
  pack.set(name::pack_workspace, type::pointer, 1, &workspace);
  pack.finish();
  void* const handle = handle_of_process(status_);
  if (status_ == Cudnn::kSuccess) status_ = cudnn.set_stream(handle, stream);
  if (status_ == Cudnn::kSuccess) status_ = cudnn.execute(handle, plan_->get(), pack.get());
  return !failed("attention", checked);
}

}  // namespace podwright::probes::cuda
