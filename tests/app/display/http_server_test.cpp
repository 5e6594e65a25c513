// SPDX-License-Identifier: MIT
#include "app/display/http_server.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace winnow {
namespace {

/// Returns the request that arrives in pieces of this size.
std::optional<HttpRequest> request_of(std::string bytes, size_t piece_bytes = SIZE_MAX) {
  return read_request([&](std::string& received) {
    const std::string piece = bytes.substr(0, piece_bytes);
    bytes.erase(0, piece.size());
    received += piece;
    return !piece.empty();
  });
}

TEST(HttpRequests, AreReadWithQueryHostOriginAndBody) {
  const std::string bytes =
      "POST /frame?picture=normal&flag HTTP/1.1\r\nHost: localhost:8080\r\nX-Other: a b\r\n"
      "origin:http://localhost:8080 \r\nContent-Length: 12\r\n\r\nTwelve bytes";
  for (const size_t piece_bytes : {size_t{1}, size_t{7}, bytes.size()}) {
    const std::optional<HttpRequest> request = request_of(bytes, piece_bytes);
    ASSERT_TRUE(request) << piece_bytes;
    EXPECT_EQ(request->method, "POST");
    EXPECT_EQ(request->path, "/frame");
    EXPECT_EQ(request->query.at("picture"), "normal");
    EXPECT_EQ(request->query.at("flag"), "");
    EXPECT_EQ(request->host, "localhost:8080");
    EXPECT_EQ(request->origin, "http://localhost:8080");
    EXPECT_EQ(request->body, "Twelve bytes");
  }
}

TEST(HttpRequests, ThatAreMalformedOrAmbiguousAreNone) {
  const std::string host = "Host: a\r\n";
  for (const std::string& head : std::vector<std::string>{
           "",
           "\r\n\r\n",
           "GET / HTTP/1.1\r\n" + host,                  // does not end
           "GET / HTTP/1.1\r\n\r\n",                     // no host
           "GET / HTTP/1.1\r\n" + host + host + "\r\n",  // two
           "GET / HTTP/2.0\r\n" + host + "\r\n",
           "GET  / HTTP/1.1\r\n" + host + "\r\n",
           "GET /\r\n" + host + "\r\n",
           "GET http://a/ HTTP/1.1\r\n" + host + "\r\n",
           "GET /a\tb HTTP/1.1\r\n" + host + "\r\n",
           "G(T / HTTP/1.1\r\n" + host + "\r\n",
           "GET / HTTP/1.1\r\n" + host + "no colon\r\n\r\n",
           "GET / HTTP/1.1\r\n" + host + "Name : value\r\n\r\n",
           "GET / HTTP/1.1\r\n" + host + "Name: a\nb\r\n\r\n",
           "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n",
           "POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\n" + host + "Content-Length: 1x\r\n\r\n",
           "POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\n",
           "POST / HTTP/1.1\r\n" + host + "Content-Length: 16385\r\n\r\n",
           "GET /" + std::string(kMaxHeadBytes, 'a') + " HTTP/1.1\r\n" + host + "\r\n",
       })
    EXPECT_FALSE(request_of(head)) << head;
}

bool is_own(const std::string& host, std::optional<std::string> origin = std::nullopt) {
  HttpRequest request;
  request.host = host;
  request.origin = std::move(origin);
  return is_from_own_page(request, "Render.example");
}

TEST(HttpRequests, OfTheOwnPageNameThisMachine) {
  for (const char* host : {"localhost", "LocalHost:9000", "127.0.0.1:8080", "[::1]:8080",
                           "192.168.1.5", "render.example:8080"}) {
    EXPECT_TRUE(is_own(host)) << host;
    EXPECT_TRUE(is_own(host, std::string("http://") + host)) << host;
  }
}

TEST(HttpRequests, OfOtherPagesAndUnderOtherNamesAreToldApart) {
  EXPECT_FALSE(is_own("evil.example:8080"));  // a name that was let point to this machine
  EXPECT_FALSE(is_own(""));
  EXPECT_FALSE(is_own("[::1"));
  EXPECT_FALSE(is_own("localhost:8080", "http://evil.example"));
  EXPECT_FALSE(is_own("localhost:8080", "http://localhost:9999"));
  EXPECT_FALSE(is_own("localhost:8080", "null"));
}

}  // namespace
}  // namespace winnow
