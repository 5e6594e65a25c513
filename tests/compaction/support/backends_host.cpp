// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/scans_on.h"
#include "tests/compaction/support/selects_on.h"

namespace fast {
namespace {

std::unique_ptr<Selects> make_host_selects(const HostPlace& place) {
  if (place.tiles == Tiles::kTiny)
    return std::make_unique<fast_on::SelectsOn<TinyCalls>>(place.schedule);
  return std::make_unique<fast_on::SelectsOn<LibraryTilesCalls>>(place);
}

AllScans make_host_scans(const HostPlace& place) {
  if (place.tiles == Tiles::kTiny) return fast_on::make_scans<TinyCalls>(place.schedule);
  return fast_on::make_scans<LibraryTilesCalls>(place);
}

}  // namespace

std::vector<Backend> host_backends(Tiles tiles) {
  using simt::host::Order;
  struct Named {
    const char* name;
    HostPlace place;
  };
  const Named kPlaces[] = {
      {"tiny_forward_1", {Tiles::kTiny, {Order::kForward, 0, 1}}},
      {"tiny_reverse_2", {Tiles::kTiny, {Order::kReverse, 0, 2}}},
      {"tiny_shuffled_3", {Tiles::kTiny, {Order::kShuffled, 1, 3}}},
      {"tiny_shuffled_5", {Tiles::kTiny, {Order::kShuffled, 2, 5}}},
      {"tiny_forward_8", {Tiles::kTiny, {Order::kForward, 0, 8}}},
      {"library_reverse_1", {Tiles::kLibrary, {Order::kReverse, 0, 1}}},
      {"library_shuffled_3", {Tiles::kLibrary, {Order::kShuffled, 3, 3}}},
      // All items are one wave, most of whose blocks start late. 12 resident blocks would take
      // twice as long, because their stacks do not fit into a cache.
      {"library_shuffled_4_of_12", {Tiles::kLibrary, {Order::kShuffled, 4, 4}, 12}},
      {"small_shuffled_4", {Tiles::kSmall, {Order::kShuffled, 5, 4}}},
  };
  std::vector<Backend> backends;
  for (const auto& [name, place] : kPlaces)
    if (place.tiles == tiles)
      backends.push_back({.name = name,
                          .why_unavailable = [] { return std::string(); },
                          .make_selects = [place] { return make_host_selects(place); },
                          .make_scans = [place] { return make_host_scans(place); }});
  return backends;
}

std::vector<Backend> host_backends() {
  std::vector<Backend> all = host_backends(Tiles::kTiny);
  for (Tiles tiles : {Tiles::kSmall, Tiles::kLibrary})
    for (Backend& backend : host_backends(tiles)) all.push_back(std::move(backend));
  return all;
}

}  // namespace fast
