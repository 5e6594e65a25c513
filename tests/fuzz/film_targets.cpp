// SPDX-License-Identifier: MIT
// Film files, trees that are kept, masks, and what a film file says of its render.
#include <xxhash.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "app/render/render_record.h"
#include "bvh/build/bvh_cache.h"
#include "compaction/tools/mask_file.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/fuzz/packed_files.h"
#include "tests/fuzz/target.h"

namespace winnow {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Writes `checksum` where it stands in a film file, unless the file ends before.
void put_checksum(std::string& bytes, uint64_t position, uint64_t checksum) {
  if (position <= bytes.size() && bytes.size() - position >= sizeof checksum)
    std::memcpy(&bytes[position], &checksum, sizeof checksum);
}

/// Makes the checksum of the header right, so that what it says is looked at.
void repair_header(std::string& bytes) {
  FilmFixedHeader fixed;
  if (bytes.size() < sizeof fixed) return;
  std::memcpy(&fixed, bytes.data(), sizeof fixed);
  const uint64_t columns = (uint64_t(fixed.width) + kFilmTileSide - 1) / kFilmTileSide,
                 rows = (uint64_t(fixed.height) + kFilmTileSide - 1) / kFilmTileSide;
  const uint64_t end = sizeof fixed + (columns * rows + 7) / 8 + fixed.description_bytes;
  if (end <= bytes.size()) put_checksum(bytes, end, XXH3_64bits(bytes.data(), end));
}

bool fuzz_film(std::string_view input) {
  std::string bytes(input);
  repair_header(bytes);
  const std::filesystem::path file = fuzz_file("f.film", bytes);
  reads([&] {
    const FilmFileReader reader(file);
    reader.check();
    mean_radiance(reader);
  });
  return reads([&] { read_film(file); });
}

std::vector<std::string> film_seeds() {
  const FilmFeatures features{.squares = true, .first_hits = true};
  const HostFilm film = make_host_film(3, 2, features);
  const std::filesystem::path file = fuzz_folder() / "seed.film";
  write_film(file, {features, make_film_tiles(3, 2, true), "{}"}, HostFilmSource(film, features));
  return {text_of(file)};
}

bool fuzz_record(std::string_view input) {
  return reads([&] { parse_record(std::string(input)); });
}

std::vector<std::string> record_seeds() {
  return {record_text(RenderRecord{})};
}

bool fuzz_bvh_cache(std::string_view input) {
  const BvhCache cache(fuzz_folder() / "bvh");
  const std::filesystem::path file = fuzz_file("bvh/f.bvh", input);
  bool is_read = false;
  expect_in_fuzz(reads([&] { is_read = cache.read(file).has_value(); }),
                 "a broken cache is an error");
  return is_read;
}

std::vector<std::string> bvh_cache_seeds() {
  const BvhCache cache(fuzz_folder() / "bvh");
  const std::filesystem::path file = fuzz_folder() / "bvh/f.bvh";
  cache.write(file, {std::vector<WideBvhNode>(1), std::vector<BvhPrimitive>(1)});
  return {text_of(file)};
}

bool fuzz_masks(std::string_view input) {
  const std::filesystem::path file = fuzz_file("f.masks", input);
  try {
    for (const compaction::Mask& mask : compaction::read_masks(file.string())) mask.kept();
    return true;
  } catch (const std::runtime_error&) {  // documented for damaged files
    return false;
  }
}

std::vector<std::string> mask_seeds() {
  std::ostringstream stream;
  compaction::write_masks(stream, {{.entries = 40, .words = {0xf0f0f0f0u, 5}}, {}});
  return {stream.str()};
}

}  // namespace

std::vector<FuzzTarget> film_fuzz_targets() {
  return {{"film", fuzz_film, film_seeds},
          {"record", fuzz_record, record_seeds},
          {"bvh", fuzz_bvh_cache, bvh_cache_seeds},
          {"masks", fuzz_masks, mask_seeds}};
}

}  // namespace winnow
