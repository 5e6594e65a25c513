// SPDX-License-Identifier: MIT
#include "backend/pixel_transfer.h"

#include <gtest/gtest.h>

#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"
#include "tests/processes/support/thread_processes.h"

namespace winnow {
namespace {

constexpr uint32_t kTransferWidth = 2000, kTransferHeight = 101;  // 2 bands

TEST(PixelTransfer, BringsPixelsOfAnyTilesToTheirPlaces) {
  const HostFilm film = random_film(kTransferWidth, kTransferHeight, {});
  const FilmTiles all = make_film_tiles(kTransferWidth, kTransferHeight, true);
  const std::vector<FilmTiles> kinds = {
      all, tiles_of_share(kTransferWidth, kTransferHeight, {1, 3}), tiles_in(all, {4, 5}),
      make_film_tiles(kTransferWidth, kTransferHeight, false),
      tiles_of_share(kTransferWidth, kTransferHeight, {0, 3})};
  ThreadProcesses::run(2, [&](Processes& processes) {
    PixelSender sender;
    PixelReceiver receiver;
    for (const FilmTiles& tiles : kinds) {
      HostFilm packed = pack_pixels(film, tiles, {});
      if (!processes.is_first()) {
        sender.pack(tiles, sizeof(glm::dvec3), reinterpret_cast<std::byte*>(packed.sum.data()));
        sender.send(processes, 0);
        nap_until([&] { return sender.is_complete(); }, kRestlessForBytes);
        continue;
      }
      receiver.start(processes, 1, tiles, sizeof(glm::dvec3));
      nap_until([&] { return receiver.is_complete(); }, kRestlessForBytes);
      HostFilm found = make_host_film(kTransferWidth, kTransferHeight, {});
      receiver.place(reinterpret_cast<std::byte*>(found.sum.data()), 0);
      HostFilm expected = make_host_film(kTransferWidth, kTransferHeight, {});
      packed.samples.assign(packed.samples.size(), 0);
      place_pixels(packed, tiles, {}, expected);
      EXPECT_TRUE(have_same_bits(found, expected)) << tiles.tile_count() << " tiles";
    }
  });
}

TEST(PixelTransfer, PlacesPixelsThatAreHere) {
  const HostFilm film = random_film(kTransferWidth, kTransferHeight, {});
  for (const FilmTiles& tiles : {tiles_of_share(kTransferWidth, kTransferHeight, {1, 3}),
                                 tiles_of_share(kTransferWidth, kTransferHeight, {0, 800}),
                                 make_film_tiles(kTransferWidth, kTransferHeight, false)}) {
    const HostFilm packed = pack_pixels(film, tiles, {});
    HostFilm expected = make_host_film(kTransferWidth, kTransferHeight, {}), found = expected;
    place_pixels(packed, tiles, {}, expected);
    place_at_once(tiles, sizeof(uint32_t),
                  reinterpret_cast<const std::byte*>(packed.samples.data()),
                  reinterpret_cast<std::byte*>(found.samples.data()), 0);
    EXPECT_EQ(found.samples, expected.samples);
  }
}

TEST(PixelTransfer, ReachesAPartOfTheImage) {
  const HostFilm film = random_film(kTransferWidth, kTransferHeight, {});
  const FilmTiles rows = tiles_in(make_film_tiles(kTransferWidth, kTransferHeight, true), {2, 5});
  const size_t first = rows.first_pixel({2, 5}), pixels = rows.pixel_count();
  ThreadProcesses::run(2, [&](Processes& processes) {
    if (!processes.is_first()) {
      PixelSender sender;
      sender.pack(rows, sizeof(uint32_t),
                  reinterpret_cast<const std::byte*>(film.samples.data() + first));
      return sender.send(processes, 0);
    }
    PixelReceiver receiver;
    receiver.start(processes, 1, rows, sizeof(uint32_t));
    nap_until([&] { return receiver.is_complete(); });
    std::vector<uint32_t> found(pixels);
    receiver.place(reinterpret_cast<std::byte*>(found.data()), first);
    EXPECT_TRUE(std::equal(found.begin(), found.end(), film.samples.data() + first));
  });
}

}  // namespace
}  // namespace winnow
