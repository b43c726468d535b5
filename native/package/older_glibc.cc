/// Functions of glibc 2.35 and 2.36 that the C++ library and the server were built to use, made of older ones, so that
/// a program that is linked with this file starts with glibc 2.34. They are hidden: libraries opened later use their
/// own.
#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

#define HIDDEN __attribute__((visibility("hidden")))

extern "C" {

#ifdef DLFO_STRUCT_HAS_EH_DBASE
/// Where the tables are by which exceptions leave the object around `address`.
HIDDEN int _dl_find_object(void* address, dl_find_object* found) noexcept {
  struct Search {
    ElfW(Addr) address;
    dl_find_object* found;
  } search{reinterpret_cast<ElfW(Addr)>(address), found};
  const auto look = [](dl_phdr_info* object, std::size_t, void* data) {
    const Search& wanted = *static_cast<Search*>(data);
    void* tables = nullptr;
    bool is_inside = false;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = object->dlpi_phdr[i];
      const ElfW(Addr) begin = object->dlpi_addr + part.p_vaddr;
      if (part.p_type == PT_GNU_EH_FRAME) tables = reinterpret_cast<void*>(begin);
      if (part.p_type != PT_LOAD || wanted.address < begin || wanted.address - begin >= part.p_memsz) continue;
      is_inside = true;
      wanted.found->dlfo_map_start = reinterpret_cast<void*>(begin);
      wanted.found->dlfo_map_end = reinterpret_cast<void*>(begin + part.p_memsz);
    }
    if (!is_inside || tables == nullptr) return 0;
    wanted.found->dlfo_eh_frame = tables;
    return 1;
  };
  *found = {};
  return dl_iterate_phdr(look, &search) > 0 ? 0 : -1;
}
#endif

HIDDEN void arc4random_buf(void* bytes, std::size_t count) noexcept {
  for (std::size_t filled = 0; filled < count;) {
    const ssize_t more = getrandom(static_cast<char*>(bytes) + filled, count - filled, 0);
    if (more > 0) filled += static_cast<std::size_t>(more);
  }
}

HIDDEN std::uint32_t arc4random() noexcept {
  std::uint32_t number = 0;
  arc4random_buf(&number, sizeof number);
  return number;
}
}
