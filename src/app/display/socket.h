// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace winnow {

/// An address at which a program listens.
struct Address {
  std::string host;   ///< name, or IPv4 or IPv6 address without brackets
  uint16_t port = 0;  ///< 0 for a listener: any free port
};

/// Returns "HOST:PORT", with brackets around an IPv6 address.
std::string address_text(const Address& address);

/// Returns whether `host` is an IPv4 or IPv6 address, not a name.
bool is_numeric_host(const std::string& host);

/// A TCP socket that closes itself. Never raises SIGPIPE.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;
  ~Socket() { close(); }

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  void close();

  /// Shuts down the sending direction.
  void end_sending() const;

  /// Wakes threads that wait at this socket. They may still use it.
  void abort() const;

  /// Sends all bytes. Returns false if the peer has disconnected or receives nothing for
  /// `patience`.
  bool send_all(std::string_view bytes, std::chrono::milliseconds patience) const;

  /// Appends received bytes to `bytes`, at most 16 KB. Returns false if the peer has disconnected
  /// or sends nothing for `patience`.
  bool receive(std::string& bytes, std::chrono::milliseconds patience) const;

 private:
  int descriptor_ = -1;
};

/// Connects to a listening program. Throws Error with the reason, without the address.
Socket connect_to(const Address& address, std::chrono::milliseconds patience);

/// Listens at `address` and replaces port 0 by the chosen one. Throws Error with the reason,
/// without the address.
Socket listen_at(Address& address);

/// Returns the next connection to a listening socket; none if there is none within `patience`.
Socket accept_from(const Socket& listener, std::chrono::milliseconds patience);

}  // namespace winnow
