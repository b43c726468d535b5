#include "probes/cpu/blas.h"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "probes/cpu/thread_pool.h"
#include "probes/gpu_program.h"

namespace podwright::probes::cpu {
namespace {

using Files = std::vector<std::string>;

/// Threaded builds with 32-bit sizes. Fedora's libopenblas.so.0 runs on one thread, so that its others come first.
const Files kOpenBlas = {"libopenblasp.so.0", "libopenblaso.so.0", "libopenblas.so.0", "libopenblas.so"};
const Files kBlis = {"libblis.so.4", "libblis.so"};
[[maybe_unused]] const Files kAocl = {"libblis-mt.so.5", "libblis-mt.so.4", "libblis-mt.so"};
[[maybe_unused]] const Files kMkl = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
[[maybe_unused]] const Files kNvpl = {"libnvpl_blas_lp64_gomp.so.0", "libnvpl_blas_lp64_gomp.so"};

std::vector<Files> in_order() {
#if defined(__x86_64__)
  if (__builtin_cpu_is("intel")) return {kMkl, kOpenBlas, kBlis};
  if (__builtin_cpu_is("amd")) return {kAocl, kOpenBlas, kMkl, kBlis};
  return {kOpenBlas, kMkl, kBlis};
#else
  return {kNvpl, kOpenBlas, kBlis};
#endif
}

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

/// The first words of a text.
std::string words(const std::string& text, int count) {
  std::istringstream in(text);
  std::string all;
  for (std::string word; count > 0 && in >> word; --count) all += (all.empty() ? "" : " ") + word;
  return all;
}

/// Told by functions that only one library has; file names say less.
std::string name_of(void* library) {
  using Text = const char* (*)();
  using Number = int (*)();
  const auto is_off = [&](const char* name) {
    const auto ask = symbol<Number>(library, name);
    return ask != nullptr && ask() == 0;
  };
  const std::string alone = is_off("openblas_get_parallel") || is_off("bli_info_get_enable_threading") ? " serial" : "";
  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  if (const auto text = symbol<Text>(library, "openblas_get_config")) return words(text(), 2) + alone;
  // "0.9.0", and of AOCL "AOCL-BLIS 5.0.0 Build 20241014"
  if (const auto text = symbol<Text>(library, "bli_info_get_version_str")) {
    const std::string told = words(text(), 2);
    return (told.rfind("AOCL", 0) == 0 ? told : "BLIS " + told) + alone;
  }
  if (const auto number = symbol<Number>(library, "nvpl_blas_get_version")) {
    const int version = number();
    return "NVPL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }
  // "Intel(R) oneAPI Math Kernel Library Version 2024.0-Product Build 20231011 for ..."
  if (const auto tell = symbol<void (*)(char*, int)>(library, "MKL_Get_Version_String")) {
    std::array<char, 200> text{};
    tell(text.data(), static_cast<int>(text.size()) - 1);
    const std::string all = text.data();
    const std::size_t version = all.find("Version ");
    return "MKL " + (version == std::string::npos ? "" : words(all.substr(version + 8), 1));
  }
  return "BLAS of an unknown make";
}

/// Before a library is opened, since some read it only then. What the user set stays, and the library's own function
/// overrides it.
void tell_environment(const std::string& file) {
  setenv("OMP_NUM_THREADS", std::to_string(usable_processors()).c_str(), 0);
  // MKL ends a process in which Intel's threads cannot be opened.
  const bool mkl = file.find("mkl") != std::string::npos;
  if (mkl && dlopen("libiomp5.so", RTLD_LAZY | RTLD_LOCAL) == nullptr) setenv("MKL_THREADING_LAYER", "GNU", 0);
}

/// False where the file does not open, or has no product.
bool open_blas(const std::string& file, Blas& found) {
  tell_environment(file);
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return false;
  found.of_floats = symbol<Blas::Gemm<float, float>>(library, "cblas_sgemm");
  if (found.of_floats == nullptr) return false;
  found.of_doubles = symbol<Blas::Gemm<double, double>>(library, "cblas_dgemm");
  for (const char* name : {"cblas_sbgemm", "cblas_gemm_bf16bf16f32"})
    if (found.of_bf16 == nullptr) found.of_bf16 = symbol<Blas::Gemm<Bf16, float>>(library, name);
  // BLIS takes 64 bits, of which the others read the lower half.
  for (const char* name :
       {"openblas_set_num_threads", "MKL_Set_Num_Threads", "nvpl_blas_set_num_threads", "bli_thread_set_num_threads"})
    if (found.set_threads == nullptr) found.set_threads = symbol<void (*)(std::int64_t)>(library, name);
  found.name = name_of(library);
  return true;
}

Blas find_blas() {
  Blas found;
  if (!opens_libraries()) {
    found.missing = "this program is linked statically and opens no BLAS; podwright-gpu next to it does";
    return found;
  }
  if (const char* file = std::getenv("PODWRIGHT_BLAS"); file != nullptr && *file != '\0') {
    if (!open_blas(file, found))
      found.missing = std::string(file) + ", which PODWRIGHT_BLAS names, is not a BLAS that opens";
    return found;
  }
  for (const Files& files : in_order())
    for (const std::string& file : files)
      if (open_blas(file, found)) return found;
  found.missing =
      "no BLAS was found: install libopenblas0-pthread (Debian, Ubuntu), openblas-threads (Fedora, RHEL), BLIS, MKL "
      "or, "
      "on Arm, NVPL, or name one in PODWRIGHT_BLAS";
  return found;
}

}  // namespace

const Blas& blas() {
  static const Blas found = find_blas();
  return found;
}

}  // namespace podwright::probes::cpu
