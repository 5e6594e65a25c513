// SPDX-License-Identifier: MIT
#include "app/display/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace winnow {
namespace {

using Timeout = std::chrono::milliseconds;

constexpr size_t kReceiveBytes = 16 * 1024;
constexpr int kWaitingConnections = 32;

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Returns the addresses of a host. Throws Error if its name is unknown.
AddressList addresses_of(const Address& address, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int failure =
      getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (failure != 0) throw Error(fmt::format("{}: {}", address.host, gai_strerror(failure)));
  return {found, &freeaddrinfo};
}

Socket make_socket(const addrinfo& address) {
  return Socket(::socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                         address.ai_protocol));
}

/// Waits until one of `events` has happened. Returns false after `timeout`.
bool wait_for(int descriptor, short events, Timeout timeout) {
  pollfd waited{.fd = descriptor, .events = events, .revents = 0};
  int ready = 0;
  do ready = ::poll(&waited, 1, int(timeout.count()));
  while (ready < 0 && errno == EINTR);
  return ready == 1;
}

/// Returns 0, or the error number of a failed connection.
int finish_connecting(const Socket& socket, const addrinfo& address, Timeout timeout) {
  if (::connect(socket.descriptor(), address.ai_addr, address.ai_addrlen) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (!wait_for(socket.descriptor(), POLLOUT, timeout)) return ETIMEDOUT;
  int failure = 0;
  socklen_t size = sizeof(failure);
  ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &failure, &size);
  return failure;
}

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

uint16_t port_of(const Socket& socket) {
  sockaddr_storage bound{};
  socklen_t size = sizeof(bound);
  ::getsockname(socket.descriptor(), reinterpret_cast<sockaddr*>(&bound), &size);
  return ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(bound).sin6_port
                                           : reinterpret_cast<sockaddr_in&>(bound).sin_port);
}

}  // namespace

std::string address_text(const Address& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return fmt::format("{}:{}", is_ipv6 ? "[" + address.host + "]" : address.host, address.port);
}

bool is_numeric_host(const std::string& host) {
  in6_addr parsed;
  return inet_pton(AF_INET, host.c_str(), &parsed) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &parsed) == 1;
}

void Socket::end_sending() const {
  ::shutdown(descriptor(), SHUT_WR);
}

void Socket::abort() const {
  ::shutdown(descriptor(), SHUT_RDWR);
}

bool Socket::send_all(std::string_view bytes, Timeout timeout) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0)
      bytes.remove_prefix(size_t(sent));
    else if (!would_block() || !wait_for(descriptor(), POLLOUT, timeout))
      return false;
  }
  return true;
}

bool Socket::receive(std::string& bytes, Timeout timeout) const {
  char piece[kReceiveBytes];
  while (wait_for(descriptor(), POLLIN, timeout)) {
    const ssize_t count = ::recv(descriptor(), piece, sizeof(piece), 0);
    if (count > 0) bytes.append(piece, size_t(count));
    if (count >= 0 || !would_block()) return count > 0;
  }
  return false;
}

Socket connect_to(const Address& address, Timeout timeout) {
  const AddressList found = addresses_of(address, 0);
  int failure = 0;
  for (const addrinfo* each = found.get(); each; each = each->ai_next) {
    Socket socket = make_socket(*each);
    failure = finish_connecting(socket, *each, timeout);
    if (failure == 0) return socket;
  }
  throw Error(std::strerror(failure));
}

Socket listen_at(Address& address) {
  const AddressList found = addresses_of(address, AI_PASSIVE);
  Socket socket = make_socket(*found);
  const int yes = 1;  // a port can be reused immediately after its program has ended
  ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (::bind(socket.descriptor(), found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket.descriptor(), kWaitingConnections) != 0)
    throw Error(std::strerror(errno));
  address.port = port_of(socket);
  return socket;
}

Socket accept_from(const Socket& listener, Timeout timeout) {
  if (!wait_for(listener.descriptor(), POLLIN, timeout)) return Socket();
  Socket socket(::accept4(listener.descriptor(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  const int yes = 1;
  if (socket.is_open())
    ::setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return socket;
}

}  // namespace winnow
