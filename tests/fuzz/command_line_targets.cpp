// SPDX-License-Identifier: MIT
#include <optional>
#include <sstream>
#include <utility>

#include "app/bench/bench.h"
#include "app/bench_rays/bench_rays.h"
#include "app/cli/command_line.h"
#include "app/display/display_request.h"
#include "app/display/http_server.h"
#include "app/render/render.h"
#include "app/see/see.h"
#include "tests/fuzz/target.h"

namespace winnow {
namespace {

/// Parses the name of a command and its arguments, one a line. Runs nothing.
bool fuzz_command_line(std::string_view input) {
  std::istringstream lines{std::string(input)};
  std::vector<std::string> arguments;
  std::string name;
  std::getline(lines, name);
  for (std::string line; std::getline(lines, line);) arguments.push_back(line);

  RenderOptions render;
  BenchOptions bench;
  BenchRaysOptions bench_rays;
  SeeOptions see;
  OptionTable options;
  if (name == "render") options = render_options(render);
  if (name == "bench") options = bench_options(bench);
  if (name == "bench-rays") options = bench_rays_options(bench_rays);
  if (name == "see") options = see_options(see);
  return !options.empty() && reads([&] { parse_options(options, arguments); });
}

std::vector<std::string> command_line_seeds() {
  return {"render\ns.json\n-o\na.png\n--spp\n16\n--size\n64x48\n--sky\na.hdr:2:90\n--seed=3",
          "render\ns.json\n--camera\n0,1,2,0,0,-1,40\n--filter\ngaussian:1.5\n--exposure\n+1.5",
          "render\ns.json\n--display\nweb:[::1]:8080",
          "render\ns.json\n--device\ncuda:1\n--devices\n0,2\n--share\n1/4\n--noise\n0.05",
          "bench\ns.json\n--cull\nnone,append\n--roulette\non,off\n--repeat\n3",
          "bench-rays\ns.json\n--threads\n2",
          "see\ns.json\n--pixel\n3,4\n--paths\n64\n--cull\nnone,move"};
}

/// A request to the page of --display web, whose body is a camera.
bool fuzz_http(std::string_view input) {
  std::string left(input);
  const std::optional<HttpRequest> request = read_request([&](std::string& received) {
    received += left;
    return !std::exchange(left, "").empty();
  });
  if (!request) return false;
  expect_in_fuzz(request->path.starts_with('/') && request->body.size() <= kMaxBodyBytes,
                 "a request that should have been refused");
  is_from_own_page(*request, "localhost");
  return reads([&] { moved_camera({}, request->body); });
}

std::vector<std::string> http_seeds() {
  return {
      "POST /camera?a=b&c HTTP/1.1\r\nHost: [::1]:8080\r\nOrigin: http://[::1]:8080\r\n"
      "Content-Length: 47\r\n\r\n{\"position\": [0, 1, 2], \"look_at\": [3, 4, 5.5]}"};
}

}  // namespace

std::vector<FuzzTarget> command_line_fuzz_targets() {
  return {{"command-line", fuzz_command_line, command_line_seeds}, {"http", fuzz_http, http_seeds}};
}

}  // namespace winnow
