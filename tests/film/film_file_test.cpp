// SPDX-License-Identifier: MIT
#include "film/film_file.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/limits.h"
#include "film/film_source.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class FilmFiles : public FolderTest {
 protected:
  std::string bytes_of(const FilmFileHeader& header, const HostFilm& film) const {
    write_film(written_, header, HostFilmSource(film, header.features));
    return content(written_);
  }
  static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  /// The reason for which a file with these bytes is refused.
  std::string refusal_of(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    const std::string message = message_of([&] { read_film(file_); });
    EXPECT_TRUE(message.empty() || message.starts_with(file_.string() + ": ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    return message;
  }
  /// A file of a film of 20x18 pixels, in which two of four tiles are present.
  std::string small_file() const { return bytes_of({features_, tiles_, "{}"}, film_); }

  /// Puts a number into the header and makes its checksum right again.
  static std::string with_number(std::string bytes, size_t offset, uint32_t number) {
    constexpr size_t kHeaderBytes = 32 + 1 + 2;  // fixed part, tiles, description
    bytes.replace(offset, sizeof number, reinterpret_cast<const char*>(&number), sizeof number);
    const uint64_t checksum = XXH3_64bits(bytes.data(), kHeaderBytes);
    bytes.replace(kHeaderBytes, sizeof checksum, reinterpret_cast<const char*>(&checksum),
                  sizeof checksum);
    return bytes;
  }

  const std::filesystem::path file_ = folder_ / "a.film", written_ = folder_ / "b.film";
  const FilmFeatures features_{.squares = true};
  const FilmTiles tiles_ = tiles_of_share(20, 18, {0, 2});
  const HostFilm film_ = random_film(20, 18, features_);
};

TEST_F(FilmFiles, HoldTheBitsOfAFilmWithAnyFeatures) {
  const FilmTiles all_tiles[] = {make_film_tiles(33, 47, true), tiles_of_share(33, 47, {1, 4}),
                                 make_film_tiles(33, 47, false)};
  for (uint32_t bits = 0; bits < 128; ++bits) {
    const FilmFeatures features{(bits & 1) != 0, (bits & 2) != 0,  (bits & 4) != 0,
                                (bits & 8) != 0, (bits & 16) != 0, (bits & 32) != 0,
                                (bits & 64) != 0};
    const HostFilm film = random_film(33, 47, features);
    const FilmTiles& tiles = all_tiles[bits % 3];  // each with each two features
    ASSERT_EQ(refusal_of(bytes_of({features, tiles, "how"}, film)), "");
    const FilmFile read = read_film(file_);
    EXPECT_EQ(read.tiles, tiles);
    EXPECT_EQ(read.description, "how");
    EXPECT_EQ(read.features, features);
    EXPECT_TRUE(have_same_bits(read.film, pack_pixels(film, tiles, features)));
    EXPECT_EQ(FilmFileReader(file_).header().tiles, tiles);
  }
}

std::string text_of(const auto& value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A header of 16 bytes, the data, and the checksum of both.
std::string chunk_of(uint32_t first, uint32_t second, const std::string& data) {
  const std::string chunk =
      text_of(first) + text_of(second) + text_of(uint64_t(data.size())) + data;
  return chunk + text_of(XXH3_64bits(chunk.data(), chunk.size()));
}

std::string header_of(uint32_t version, const FilmFileHeader& header) {
  const FilmFeatures& f = header.features;
  std::string bytes = "\x89wfilm\r\n";
  for (const uint32_t number :
       {version,
        f.squares + 2u * f.removed + 4u * f.first_hits + 8u * f.terminations + 16u * f.layers +
            32u * f.background + 64u * f.cost,
        header.tiles.width, header.tiles.height, 16u, uint32_t(header.description.size())})
    bytes += text_of(number);
  for (size_t tile = 0; tile < header.tiles.present.size(); ++tile) {
    if (tile % 8 == 0) bytes += '\0';
    bytes.back() = char(bytes.back() | header.tiles.present[tile] << tile % 8);
  }
  bytes += header.description;
  return bytes + text_of(XXH3_64bits(bytes.data(), bytes.size()));
}

/// Makes the bytes of a file as README.md describes them, in one thread.
///
/// @param rows  rows of tiles in a band
std::string expected_bytes(const FilmFileHeader& header, const HostFilm& film, uint32_t rows) {
  std::string bytes = header_of(2, header);
  uint32_t field = 0;
  auto add = [&](FilmArray, size_t per_pixel, const auto& array) {
    per_pixel *= sizeof(array[0]);
    for (uint32_t band = 0; band * rows < header.tiles.rows(); ++band) {
      const FilmTiles tiles =
          tiles_in(header.tiles, {band * rows, std::min((band + 1) * rows, header.tiles.rows())});
      std::vector<std::byte> values(tiles.pixel_count() * per_pixel);
      pack_pixels(reinterpret_cast<const std::byte*>(array.data()), tiles, per_pixel,
                  values.data());
      std::string data(values.size(), '\0');
      data.resize(pack_values(values.data(), values.size(), per_pixel,
                              reinterpret_cast<std::byte*>(data.data())));
      bytes += chunk_of(field, band, data);
    }
    ++field;
  };
  for_each_field(header.features, add, film);
  return bytes;
}

/// Makes the bytes of a file of version 1, which holds arrays as they are in memory.
std::string bytes_of_version_1(const FilmFileHeader& header, const HostFilm& film) {
  std::string bytes = header_of(1, header);
  uint32_t field = 0;
  const HostFilm packed = pack_pixels(film, header.tiles, header.features);
  auto add = [&](FilmArray, size_t per_pixel, const auto& array) {
    bytes += chunk_of(
        field++, uint32_t(per_pixel * sizeof(array[0])),
        std::string(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(array[0])));
  };
  for_each_field(header.features, add, packed);
  return bytes;
}

TEST_F(FilmFiles, OfVersion1AreRead) {
  constexpr uint32_t kWidth = 2000, kHeight = 101;  // 2 bands
  const HostFilm film = random_film(kWidth, kHeight, kAllFilmFeatures);
  const FilmTiles tiles = tiles_of_share(kWidth, kHeight, {1, 3});
  const std::string bytes = bytes_of_version_1({kAllFilmFeatures, tiles, "how"}, film);
  ASSERT_EQ(refusal_of(bytes), "");
  EXPECT_EQ(FilmFileReader(file_).version(), 1u);
  EXPECT_EQ(FilmFileReader(file_).header().description, "how");
  EXPECT_TRUE(have_same_bits(read_film(file_).film, pack_pixels(film, tiles, kAllFilmFeatures)));
  const FilmFileReader reader(file_);
  std::vector<uint32_t> terminations(reader.present_count({2, 6}) * kTerminationCount);
  reader.read_present(8, {2, 6}, reinterpret_cast<std::byte*>(terminations.data()));
  EXPECT_EQ(terminations,
            pack_pixels(film, tiles_in(tiles, {2, 6}), kAllFilmFeatures).terminations);

  std::string altered = bytes;
  altered[bytes.size() / 2] = char(altered[bytes.size() / 2] ^ 1);
  EXPECT_THAT(refusal_of(altered), HasSubstr("the checksum of an array does not match"));
  EXPECT_THAT(refusal_of(bytes.substr(0, bytes.size() - 1)), HasSubstr("is truncated"));
}

TEST_F(FilmFiles, AreReadInAnyRows) {
  constexpr uint32_t kWidth = 2000, kHeight = 280;  // 5 bands of 4 rows
  const HostFilm film = random_film(kWidth, kHeight, features_);
  const FilmTiles tiles = tiles_of_share(kWidth, kHeight, {1, 3});
  write_film(file_, {features_, tiles, "{}"}, HostFilmSource(film, features_));
  const FilmFileReader reader(file_);
  const std::vector<TileRows> some = {{0, 1}, {3, 4}, {3, 5}, {4, 8}, {2, 17}, {17, 18}, {0, 18}};
  for (const TileRows rows : some) {
    const HostFilm expected = pack_pixels(film, tiles_in(tiles, rows), features_);
    std::vector<uint32_t> samples(reader.present_count(rows));
    reader.read_present(kSamplesField, rows, reinterpret_cast<std::byte*>(samples.data()));
    EXPECT_EQ(samples, expected.samples) << rows.first << " to " << rows.end;
    std::vector<glm::dvec3> sums(samples.size());
    reader.read_present(kSumField, rows, reinterpret_cast<std::byte*>(sums.data()));
    EXPECT_EQ(sums, expected.sum) << rows.first << " to " << rows.end;
  }
}

TEST_F(FilmFiles, ThatCannotBeUnpackedAreDamaged) {
  // Bytes that are no compressed samples, with the right checksum.
  const std::string start = header_of(2, {{}, tiles_, "{}"});
  const size_t pixels = tiles_.pixel_count();
  EXPECT_THAT(refusal_of(start + chunk_of(0, 0, std::string(pixels * 24, 'x')) +
                         chunk_of(1, 0, std::string(pixels, 'x'))),
              HasSubstr("is damaged: an array cannot be unpacked"));
}

TEST_F(FilmFiles, WithAnArrayOfMoreBytesThanItsPixelsAreDamaged) {
  const std::string start = header_of(2, {{}, tiles_, "{}"});
  const size_t sum_bytes = tiles_.pixel_count() * sizeof(glm::dvec3);
  const std::string samples = chunk_of(1, 0, std::string(tiles_.pixel_count() * 4, '\0'));
  EXPECT_EQ(refusal_of(start + chunk_of(0, 0, std::string(sum_bytes, '\0')) + samples), "");
  EXPECT_THAT(refusal_of(start + chunk_of(0, 0, std::string(sum_bytes + 1, '\0')) + samples),
              HasSubstr("is damaged: an array is not where it should be"));
}

/// A film that cannot be read to its end.
class BrokenSource : public HostFilmSource {
 public:
  BrokenSource(const HostFilm& film, const FilmFeatures& features, bool is_concurrent)
      : HostFilmSource(film, features), is_concurrent_(is_concurrent) {}
  void read(size_t field, const FilmTiles& tiles, std::byte* packed) const override {
    if (field == 2) throw Error("the GPU is gone");
    HostFilmSource::read(field, tiles, packed);
  }
  bool is_concurrent() const override { return is_concurrent_; }

 private:
  bool is_concurrent_;
};

TEST_F(FilmFiles, HaveTheSameBytesHoweverManyThreadsAndBandsWriteThem) {
  class OneThread : public HostFilmSource {
    using HostFilmSource::HostFilmSource;
    bool is_concurrent() const override { return false; }
  };
  constexpr uint32_t kWidth = 2000, kHeight = 70;  // 2 bands
  const HostFilm film = random_film(kWidth, kHeight, kAllFilmFeatures);
  for (const FilmTiles& tiles :
       {make_film_tiles(kWidth, kHeight, true), tiles_of_share(kWidth, kHeight, {1, 3})}) {
    const FilmFileHeader header{kAllFilmFeatures, tiles, "how"};
    ASSERT_GT(bands_of(HostFilmSource(film, kAllFilmFeatures)).size(), 1u);
    constexpr uint32_t kRows = 4;  // 2000x64 pixels, 28 bytes each, are less than 2^22 bytes
    const std::string expected = expected_bytes(header, film, kRows);
    EXPECT_TRUE(bytes_of(header, film) == expected);
    write_film(written_, header, OneThread(film, kAllFilmFeatures));
    EXPECT_TRUE(content(written_) == expected);
  }
}

TEST_F(FilmFiles, GoThroughAPipe) {
  const std::string expected = small_file();
  const std::filesystem::path pipe = folder_ / "pipe.film";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string found;
  std::jthread reader([&] { found = content(pipe); });
  write_film(pipe, {features_, tiles_, "{}"}, HostFilmSource(film_, features_));
  reader.join();
  EXPECT_EQ(found, expected);
}

TEST_F(FilmFiles, StayWhatTheyWereIfTheFilmCannotBeRead) {
  const std::string old = small_file();
  for (const bool is_concurrent : {false, true}) {
    EXPECT_EQ(message_of([&] {
                write_film(written_, {features_, tiles_, "new"},
                           BrokenSource(film_, features_, is_concurrent));
              }),
              written_.string() + ": the GPU is gone");
    EXPECT_EQ(content(written_), old);
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(FilmFiles, BeyondTheLimitOfFileSizesAreNotWritten) {
  const std::string old = small_file();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit less{.rlim_cur = 5000, .rlim_max = before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &less);
  const std::string message = message_of([&] {
    write_film(written_, {features_, make_film_tiles(20, 18, true), "new"},
               HostFilmSource(film_, features_));
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, written_.string() + ": cannot be written: File too large");
  EXPECT_EQ(content(written_), old);
}

TEST_F(FilmFiles, AreBlackWhereTheyHoldNoPixels) {
  const HostFilm film = random_film(100, 90, kAllFilmFeatures);
  const FilmTiles tiles = tiles_of_share(100, 90, {1, 3});
  write_film(file_, {kAllFilmFeatures, tiles, "{}"}, HostFilmSource(film, kAllFilmFeatures));
  HostFilm expected = make_host_film(100, 90, kAllFilmFeatures);
  std::fill_n(reinterpret_cast<char*>(expected.first_hits.data()),
              expected.first_hits.size() * sizeof(FirstHit), '\0');
  place_pixels(pack_pixels(film, tiles, kAllFilmFeatures), tiles, kAllFilmFeatures, expected);
  const FilmFileReader reader(file_);
  reader.check();
  EXPECT_TRUE(have_same_bits(read_arrays(reader, arrays_of(kAllFilmFeatures)), expected));
  const FilmTiles others = tiles_in(tiles_of_share(100, 90, {0, 2}), {2, 5});
  std::vector<glm::dvec3> sums(others.pixel_count());
  reader.read(kSumField, others, reinterpret_cast<std::byte*>(sums.data()));
  EXPECT_EQ(sums, pack_pixels(expected, others, kAllFilmFeatures).sum);
}

TEST_F(FilmFiles, ThatShrinkWhileTheyAreOpenAreTruncated) {
  write_film(file_, {features_, tiles_, "{}"}, HostFilmSource(film_, features_));
  const FilmFileReader reader(file_);
  reader.check();
  std::filesystem::resize_file(file_, 200);
  EXPECT_EQ(message_of([&] { read_arrays(reader, {FilmArray::kSquares}); }),
            file_.string() + ": is truncated");
}

TEST_F(FilmFiles, TellAnyByteThatHasChanged) {
  const std::string good = small_file();
  ASSERT_EQ(refusal_of(good), "");
  for (size_t i = 0; i < good.size(); i += i < 100 ? 1 : 197) {
    std::string bad = good;
    bad[i] = char(bad[i] ^ (1 << i % 8));
    EXPECT_NE(refusal_of(bad), "") << "byte " << i;
  }
}

TEST_F(FilmFiles, TellThatTheyAreTruncatedAnywhere) {
  const std::string good = small_file();
  for (size_t size = 0; size < good.size(); size += size < 60 ? 1 : 201) {
    const std::string message = refusal_of(good.substr(0, size));
    EXPECT_TRUE(message.ends_with(size < 8 ? ": is not a film file" : ": is truncated")) << message;
  }
  EXPECT_THAT(refusal_of(good + "xyz"), HasSubstr("is damaged: 3 bytes follow its end"));
}

TEST_F(FilmFiles, OfANewerVersionAreRefusedByIt) {
  std::string newer = small_file();
  newer[8] = 3;
  EXPECT_THAT(refusal_of(newer),
              HasSubstr("is a film file of version 3; this program reads versions 1 to 2"));
}

TEST_F(FilmFiles, ThatClaimSizesBeyondTheFileCostNoMemory) {
  const std::string good = small_file();
  ASSERT_EQ(with_number(good, 16, 20), good);
  EXPECT_THAT(refusal_of(with_number(good, 16, 32768)), HasSubstr("is damaged"));
  EXPECT_THAT(refusal_of(with_number(with_number(good, 16, 32768), 20, 32768)),
              HasSubstr("is truncated"));
  EXPECT_THAT(refusal_of(with_number(good, 16, 0xffffffff)), HasSubstr("its size is"));
  EXPECT_THAT(refusal_of(with_number(good, 20, 0)), HasSubstr("its size is 20x0"));
  EXPECT_THAT(refusal_of(with_number(good, 28, 0xffffffff)), HasSubstr("is damaged"));
  EXPECT_THAT(refusal_of(with_number(good, 28, 1u << 25)), HasSubstr("is truncated"));
  EXPECT_THAT(refusal_of(with_number(good, 24, 8)), HasSubstr("is damaged"));
  EXPECT_THAT(refusal_of(with_number(good, 12, 255)), HasSubstr("is damaged"));
  EXPECT_THAT(refusal_of(with_number(good, 12, 31)), HasSubstr("is truncated"));
}

TEST_F(FilmFiles, WithADescriptionThatNoReaderTakesAreNotWritten) {
  const FilmFileHeader header{features_, tiles_, std::string(size_t{kMaxFilmDescription} + 1, ' ')};
  EXPECT_THAT(message_of([&] { write_film(written_, header, HostFilmSource(film_, features_)); }),
              HasSubstr("the description is too long"));
  EXPECT_FALSE(std::filesystem::exists(written_));
}

TEST_F(FilmFiles, ThatAreNoneAreRefusedByWhatTheyAre) {
  EXPECT_THAT(message_of([&] { read_film(folder_ / "none.film"); }),
              HasSubstr("none.film: cannot be opened: No such file"));
  EXPECT_THAT(message_of([&] { read_film(folder_); }), HasSubstr("is a folder, not a film file"));
  EXPECT_THAT(message_of([&] { read_film("/dev/null"); }), HasSubstr("is not a film file"));
  EXPECT_THAT(refusal_of("{\"film\": {}}"), HasSubstr("is not a film file"));
}

TEST_F(FilmFiles, WithMoreSamplesThanAnyRenderAreDamaged) {
  HostFilm film = film_;
  const FilmTiles all = make_film_tiles(20, 18, true);
  film.samples[7] = 0x80000000;
  EXPECT_THAT(refusal_of(bytes_of({features_, all, "{}"}, film)), HasSubstr("more samples"));
}

}  // namespace
}  // namespace winnow
