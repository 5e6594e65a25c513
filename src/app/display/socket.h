// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace winnow {

/// Where a program listens.
struct Address {
  std::string host;   ///< name, or IPv4 or IPv6 address without brackets
  uint16_t port = 0;  ///< 0, where this program listens: any that is free
};

/// "HOST:PORT", with brackets around an IPv6 address.
std::string address_text(const Address& address);

/// Whether `host` is an IPv4 or IPv6 address, not a name.
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

  /// Says that nothing more will be sent.
  void end_sending() const;

  /// Ends what other threads wait for at this socket. They may still use it.
  void abort() const;

  /// Sends all bytes. False if the other side has gone, or takes nothing for `patience`.
  bool send_all(std::string_view bytes, std::chrono::milliseconds patience) const;

  /// Appends what has arrived to `bytes`, at most 16 KB. False if the other side has gone, or sends
  /// nothing for `patience`.
  bool receive(std::string& bytes, std::chrono::milliseconds patience) const;

 private:
  int descriptor_ = -1;
};

/// Connects to a program that listens. Throws Error with the reason alone.
Socket connect_to(const Address& address, std::chrono::milliseconds patience);

/// Listens at `address`, whose port 0 is replaced by the one that was chosen. Throws Error with the
/// reason alone.
Socket listen_at(Address& address);

/// The next connection to a listening socket; none if there is none within `patience`.
Socket accept_from(const Socket& listener, std::chrono::milliseconds patience);

}  // namespace winnow
