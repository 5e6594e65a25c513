// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/scans_on.h"
#include "tests/compaction/support/selects_on.h"
#include "tests/support/rounds.h"

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
  enum Search { kEach, kLong };  // kLong: only in a long search, as others find most mistakes
  struct Named {
    const char* name;
    HostPlace place;
    Search search = kEach;
  };
  const Named kPlaces[] = {
      {"tiny_forward_1", {Tiles::kTiny, {Order::kForward, 0, 1}}},
      {"tiny_reverse_2", {Tiles::kTiny, {Order::kReverse, 0, 2}}},
      {"tiny_shuffled_3", {Tiles::kTiny, {Order::kShuffled, 1, 3}}},
      {"tiny_shuffled_5", {Tiles::kTiny, {Order::kShuffled, 2, 5}}},
      {"tiny_forward_8", {Tiles::kTiny, {Order::kForward, 0, 8}}},
      {"library_reverse_1", {Tiles::kLibrary, {Order::kReverse, 0, 1}}},
      {"library_shuffled_3", {Tiles::kLibrary, {Order::kShuffled, 3, 3}}, kLong},
      // All items are one wave, half of whose blocks start late. With more resident blocks, their
      // stacks fit into no cache.
      {"library_shuffled_2_of_4", {Tiles::kLibrary, {Order::kShuffled, 4, 2}, 4}},
      {"library_shuffled_3_of_6", {Tiles::kLibrary, {Order::kShuffled, 4, 3}, 6}, kLong},
      {"library_shuffled_4_of_12", {Tiles::kLibrary, {Order::kShuffled, 4, 4}, 12}, kLong},
      {"small_shuffled_2", {Tiles::kSmall, {Order::kShuffled, 5, 2}}},
      {"small_shuffled_3", {Tiles::kSmall, {Order::kShuffled, 5, 3}}, kLong},
  };
  std::vector<Backend> backends;
  for (const auto& [name, place, search] : kPlaces)
    if (place.tiles == tiles && (search == kEach || winnow::is_long_search()))
      backends.push_back({.name = name,
                          .why_unavailable = [] { return std::string(); },
                          .make_selects = [place = place] { return make_host_selects(place); },
                          .make_scans = [place = place] { return make_host_scans(place); }});
  return backends;
}

std::vector<Backend> host_backends() {
  std::vector<Backend> all = host_backends(Tiles::kTiny);
  for (Tiles tiles : {Tiles::kSmall, Tiles::kLibrary})
    for (Backend& backend : host_backends(tiles)) all.push_back(std::move(backend));
  return all;
}

}  // namespace fast
