// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <utility>

#include "app/cli/console.h"
#include "app/display/display.h"
#include "app/display/tev_display.h"
#include "app/display/web_display.h"
#include "base/error.h"

namespace winnow {
namespace {

std::unique_ptr<Display> open_web(Address address) try {
  Socket listener = listen_at(address);
  print_message(fmt::format(
      "watch at http://{}/; a finished render waits for viewers, and ends 15 s after the "
      "last one has left",
      address_text(address)));
  return std::make_unique<WebDisplay>(std::move(listener), std::move(address));
} catch (const Error& error) {
  throw UsageError(
      fmt::format("--display: cannot listen at {}: {}; choose another port, as in "
                  "web:8081, or 0 for any that is free",
                  address_text(address), error.what()));
}

}  // namespace

std::unique_ptr<Display> open_display(const DisplayRequest& request) {
  if (request.kind == DisplayRequest::Kind::kWeb) return open_web(request.address);
  return std::make_unique<TevDisplay>(request.address);
}

}  // namespace winnow
