#include "probes/cluster/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "probes/elapsed.h"
#include "probes/interrupt.h"

namespace podwright::probes {
namespace {

constexpr std::size_t kLongestText = 256U << 20U;

bool wait_for(int descriptor, short events, const Deadline& deadline) {
  while (true) {
    pollfd one{descriptor, events, 0};
    // In short pieces: a signal that ends the run may reach another thread than this one.
    const int ready = poll(&one, 1, static_cast<int>(1000 * std::clamp(deadline.left(), 0.0, 0.3)) + 1);
    if (ready > 0) return true;
    if ((ready < 0 && errno != EINTR) || deadline.left() <= 0 || interrupted_by() != 0) return false;
  }
}

void make_quick(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

}  // namespace

Connection::Connection(int descriptor) : descriptor_(descriptor) {
  if (descriptor_ >= 0) make_quick(descriptor_);
}
Connection::~Connection() { close(); }
Connection::Connection(Connection&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
Connection& Connection::operator=(Connection&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

void Connection::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

template <class Step>
bool Connection::move_bytes(std::size_t count, short events, double seconds, Step step) {
  const Deadline deadline(seconds);
  for (std::size_t done = 0; done < count;) {
    if (descriptor_ < 0) return false;
    const ssize_t moved = step(done);
    if (moved > 0) {
      done += static_cast<std::size_t>(moved);
      continue;
    }
    // Nothing was received: the peer is gone.
    if (moved == 0 || (errno != EAGAIN && errno != EINTR)) return false;
    if (!wait_for(descriptor_, events, deadline)) return false;
  }
  return true;
}

bool Connection::send_bytes(const void* bytes, std::size_t count, double seconds) {
  return move_bytes(count, POLLOUT, seconds, [&](std::size_t done) {
    return send(descriptor_, static_cast<const char*>(bytes) + done, count - done, MSG_NOSIGNAL);
  });
}

bool Connection::receive_bytes(void* bytes, std::size_t count, double seconds) {
  return move_bytes(count, POLLIN, seconds, [&](std::size_t done) {
    return recv(descriptor_, static_cast<char*>(bytes) + done, count - done, 0);
  });
}

bool Connection::send_text(const std::string& text, double seconds) {
  const std::uint64_t length = htobe64(text.size());
  return send_bytes(&length, sizeof length, seconds) && send_bytes(text.data(), text.size(), seconds);
}

std::optional<std::string> Connection::receive_text(double seconds) {
  std::uint64_t length = 0;
  if (!receive_bytes(&length, sizeof length, seconds)) return std::nullopt;
  length = be64toh(length);
  if (length > kLongestText) return std::nullopt;
  std::string text(length, '\0');
  if (!receive_bytes(text.data(), length, 30)) return std::nullopt;
  return text;
}

Listener::Listener(int port) {
  descriptor_ = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool both = descriptor_ >= 0;
  if (!both) descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) return;
  const int on = 1;
  const int off = 0;
  setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in6 wide{};
  sockaddr_in narrow{};
  int bound = -1;
  if (both) {
    setsockopt(descriptor_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    wide.sin6_family = AF_INET6;
    wide.sin6_addr = in6addr_any;
    wide.sin6_port = htons(static_cast<std::uint16_t>(port));
    bound = bind(descriptor_, reinterpret_cast<sockaddr*>(&wide), sizeof wide);
  } else {
    narrow.sin_family = AF_INET;
    narrow.sin_port = htons(static_cast<std::uint16_t>(port));
    bound = bind(descriptor_, reinterpret_cast<sockaddr*>(&narrow), sizeof narrow);
  }
  if (bound != 0 || listen(descriptor_, 1024) != 0) {
    ::close(descriptor_);
    descriptor_ = -1;
    return;
  }
  sockaddr_storage where{};
  socklen_t size = sizeof where;
  getsockname(descriptor_, reinterpret_cast<sockaddr*>(&where), &size);
  port_ = ntohs(where.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&where)->sin6_port
                                            : reinterpret_cast<sockaddr_in*>(&where)->sin_port);
}

Listener::~Listener() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Connection Listener::accept(double seconds) {
  if (descriptor_ < 0 || !wait_for(descriptor_, POLLIN, Deadline(seconds))) return Connection();
  return Connection(::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC));
}

Connection connect_to(const std::string& address, int port, double seconds) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) return Connection();
  Connection connection;
  for (addrinfo* one = found; one != nullptr && !connection.open(); one = one->ai_next) {
    const int descriptor = socket(one->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0) continue;
    Connection trial(descriptor);
    int error = 0;
    socklen_t size = sizeof error;
    const bool started = connect(descriptor, one->ai_addr, one->ai_addrlen) == 0 || errno == EINPROGRESS;
    if (started && wait_for(descriptor, POLLOUT, Deadline(seconds)) &&
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0)
      connection = std::move(trial);
  }
  freeaddrinfo(found);
  return connection;
}

std::vector<std::string> own_addresses() {
  std::vector<std::string> addresses;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) == 0) {
    for (ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
      if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
      char text[INET_ADDRSTRLEN];
      const auto* address = reinterpret_cast<const sockaddr_in*>(one->ifa_addr);
      if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != nullptr && std::string(text) != "127.0.0.1")
        addresses.emplace_back(text);
    }
    freeifaddrs(list);
  }
  addresses.emplace_back("127.0.0.1");
  return addresses;
}

}  // namespace podwright::probes
