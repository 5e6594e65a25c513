// SPDX-License-Identifier: MIT
#include "app/display/display_request.h"

#include <fmt/core.h>

#include "app/cli/option_values.h"
#include "base/error.h"

namespace winnow {
namespace {

constexpr uint16_t kTevPort = 14158, kWebPort = 8080;
constexpr uint64_t kMaxPort = 65535;

/// Parses "HOST:PORT", or "PORT" with the host of `address`.
Address parse_address(const std::string& option, const std::string& text, Address address) {
  const size_t colon = text.rfind(':');
  if (colon != std::string::npos) {
    address.host = text.substr(0, colon);
    const bool has_brackets =
        address.host.size() > 2 && address.host.front() == '[' && address.host.back() == ']';
    if (has_brackets) address.host = address.host.substr(1, address.host.size() - 2);
  }
  if (address.host.empty()) throw UsageError(fmt::format("{}: \"{}\" names no host", option, text));
  address.port =
      uint16_t(parse_whole_number(option, text.substr(colon + 1), 0, kMaxPort));  // npos + 1 is 0
  return address;
}

}  // namespace

OptionRow display_option(std::optional<DisplayRequest>& display) {
  return option(
      "--display", "WHERE", display,
      parsed_by(parse_display, "tev, tev:HOST:PORT, web, web:PORT or web:HOST:PORT"),
      fmt::format(
          "Show the image while it renders: tev, in the image viewer of that name "
          "(tev:localhost:{}), or web, on a page for a browser of this machine (web:{}) with "
          "stop, save, and a camera to move. web:HOST:PORT lets other machines in.",
          kTevPort, kWebPort),
      {.default_text = "none"});
}

DisplayRequest parse_display(const std::string& option, const std::string& text) {
  const size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const bool has_address = colon != std::string::npos;
  const std::string rest = has_address ? text.substr(colon + 1) : "";
  DisplayRequest request;
  if (name == "web") {
    request = {DisplayRequest::Kind::kWeb, {"127.0.0.1", kWebPort}};
  } else if (name == "tev" && (!has_address || rest.find(':') != std::string::npos)) {
    request = {DisplayRequest::Kind::kTev, {"localhost", kTevPort}};
  } else {
    throw UsageError(fmt::format(
        "{}: \"{}\" is none of tev, tev:HOST:PORT, web, web:PORT and web:HOST:PORT", option, text));
  }
  if (has_address) request.address = parse_address(option, rest, request.address);
  return request;
}

}  // namespace winnow
