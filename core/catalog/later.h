#pragma once
/// A part of the catalog that is not read before it is used: the page's first answer needs few of them, and its engine
/// has the texts of the others in the file that it fetches after that answer.
#include <cstddef>
#include <utility>

namespace podwright {

/// A value, or where one is had from. Reads like a `const T`.
template <class T>
class Later {
 public:
  Later() = default;
  Later(T value) : value_(std::move(value)) {}
  /// `read` gives the same object at each call; it outlives all copies.
  explicit Later(const T& (*read)()) : read_(read) {}

  const T& get() const { return read_ == nullptr ? value_ : read_(); }
  operator const T&() const { return get(); }
  bool is_read() const { return read_ == nullptr; }
  /// To be changed: a copy of its own.
  T& own() {
    if (read_ != nullptr) value_ = read_();
    read_ = nullptr;
    return value_;
  }

  auto begin() const { return get().begin(); }
  auto end() const { return get().end(); }
  auto data() const { return get().data(); }
  auto size() const { return get().size(); }
  bool empty() const { return get().empty(); }
  const auto& operator[](std::size_t i) const { return get()[i]; }

 private:
  T value_{};
  const T& (*read_)() = nullptr;
};

}  // namespace podwright
