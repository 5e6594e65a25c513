// SPDX-License-Identifier: MIT
#include "film/film_file.h"

#include <gmock/gmock.h>
#include <xxhash.h>

#include <fstream>
#include <sstream>

#include "tests/film/support/random_film.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

class FilmFiles : public FolderTest {
 protected:
  static std::string bytes_of(const FilmFileHeader& header, const HostFilm& film) {
    std::ostringstream stream;
    write_film(stream, header, film);
    return stream.str();
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

  const std::filesystem::path file_ = folder_ / "a.film";
  const FilmFeatures features_{.squares = true};
  const FilmTiles tiles_ = tiles_of_share(20, 18, {0, 2});
  const HostFilm film_ = random_film(20, 18, features_);
};

TEST_F(FilmFiles, HoldTheBitsOfAFilmWithAnyFeatures) {
  for (uint32_t bits = 0; bits < 16; ++bits) {
    const FilmFeatures features{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    const HostFilm film = random_film(33, 47, features);
    for (const FilmTiles& tiles : {make_film_tiles(33, 47, true), tiles_of_share(33, 47, {1, 4}),
                                   make_film_tiles(33, 47, false)}) {
      ASSERT_EQ(refusal_of(bytes_of({features, tiles, "how"}, film)), "");
      const FilmFile read = read_film(file_);
      EXPECT_EQ(read.tiles, tiles);
      EXPECT_EQ(read.description, "how");
      EXPECT_EQ(read.features.deaths, features.deaths);
      EXPECT_TRUE(have_same_bits(read.film, pack_pixels(film, tiles, features)));
      EXPECT_EQ(read_film_header(file_).tiles, tiles);
    }
  }
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
  newer[8] = 2;
  EXPECT_THAT(refusal_of(newer),
              HasSubstr("is a film file of version 2; this program reads version 1"));
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
  EXPECT_THAT(refusal_of(with_number(good, 12, 31)), HasSubstr("is damaged"));
  EXPECT_THAT(refusal_of(with_number(good, 12, 15)), HasSubstr("is truncated"));
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
