// SPDX-License-Identifier: MIT
#include "app/display/display_request.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using DisplayKind = DisplayRequest::Kind;

void expect_display(const char* text, DisplayKind kind, const char* host, uint16_t port) {
  const DisplayRequest request = parse_display("--display", text);
  EXPECT_EQ(request.kind, kind) << text;
  EXPECT_EQ(request.address.host, host) << text;
  EXPECT_EQ(request.address.port, port) << text;
}

TEST(DisplayRequests, NameAViewerAndAnAddress) {
  expect_display("tev", DisplayKind::kTev, "localhost", 14158);
  expect_display("tev:desk:15000", DisplayKind::kTev, "desk", 15000);
  expect_display("web", DisplayKind::kWeb, "127.0.0.1", 8080);
  expect_display("web:8081", DisplayKind::kWeb, "127.0.0.1", 8081);
  expect_display("web:0", DisplayKind::kWeb, "127.0.0.1", 0);
  expect_display("web:0.0.0.0:8080", DisplayKind::kWeb, "0.0.0.0", 8080);
  expect_display("web:[::1]:8080", DisplayKind::kWeb, "::1", 8080);
}

TEST(DisplayRequests, ThatAreAnythingElseAreRefusedInOneLine) {
  for (const char* text : {"", "window", "tev:15000", "web:", "web:port", "web:65536", "web::8080",
                           "tev:desk:", "web:host:-1"}) {
    const std::string message = message_of<UsageError>([&] { parse_display("--display", text); });
    EXPECT_THAT(message, testing::StartsWith("--display")) << text;
    EXPECT_EQ(message.find('\n'), std::string::npos) << text;
  }
}

TEST(Addresses, AreWrittenWithBracketsWhereTheyHaveColons) {
  EXPECT_EQ(address_text({"localhost", 80}), "localhost:80");
  EXPECT_EQ(address_text({"::1", 80}), "[::1]:80");
}

}  // namespace
}  // namespace winnow
