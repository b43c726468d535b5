#pragma once
/// TCP connections between the ranks of a run, which carry orders and results; nothing is measured over them. Every
/// wait has an end; a lost peer is a value, not a signal.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace podwright::probes {

class Connection {
 public:
  Connection() = default;
  explicit Connection(int descriptor);
  ~Connection();
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;

  bool open() const { return descriptor_ >= 0; }
  void close();

  /// Texts travel behind their length.
  bool send_text(const std::string& text, double seconds = 30);
  std::optional<std::string> receive_text(double seconds);

 private:
  /// Moves all bytes in the direction of `events`: `step` moves some of those behind the first `done` ones.
  template <class Step>
  bool move_bytes(std::size_t count, short events, double seconds, Step step);
  bool send_bytes(const void* bytes, std::size_t count, double seconds);
  bool receive_bytes(void* bytes, std::size_t count, double seconds);

  int descriptor_ = -1;
};

class Listener {
 public:
  /// Listens on a port of all addresses; 0 takes a free one. Not open when that fails.
  explicit Listener(int port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  bool open() const { return descriptor_ >= 0; }
  int port() const { return port_; }
  Connection accept(double seconds);

 private:
  int descriptor_ = -1;
  int port_ = 0;
};

/// Not open when no connection came about in the time.
Connection connect_to(const std::string& address, int port, double seconds);

/// Addresses at which other machines may reach this one, the loopback last.
std::vector<std::string> own_addresses();

}  // namespace podwright::probes
