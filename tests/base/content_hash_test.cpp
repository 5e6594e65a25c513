#include "base/content_hash.h"

#include <gtest/gtest.h>

#include <bitset>
#include <set>
#include <vector>

namespace winnow {
namespace {

ContentHash::Value hash_of(const std::vector<uint8_t>& bytes) {
  ContentHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

TEST(ContentHash, IsTheSameForTheSameBytes) {
  EXPECT_EQ(hash_of({1, 2, 3}), hash_of({1, 2, 3}));
  EXPECT_EQ(hash_of(std::vector<uint8_t>(100, 7)), hash_of(std::vector<uint8_t>(100, 7)));
}

TEST(ContentHash, TellsLengthsAndPartsApart) {
  std::set<ContentHash::Value> seen;
  for (size_t size = 0; size < 64; ++size)
    EXPECT_TRUE(seen.insert(hash_of(std::vector<uint8_t>(size, 0))).second) << size;
  ContentHash whole, parts;
  const uint64_t words[2] = {1, 2};
  whole.add(words, sizeof words);
  parts.add(words, sizeof words[0]);
  parts.add(words + 1, sizeof words[1]);
  EXPECT_NE(whole.value(), parts.value());
}

TEST(ContentHash, ChangesAboutHalfOfItsBitsWithEachBit) {
  std::vector<uint8_t> bytes(37);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = uint8_t(37 * i + 11);
  const ContentHash::Value before = hash_of(bytes);
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= uint8_t(1 << bit % 8);
    const ContentHash::Value after = hash_of(bytes);
    bytes[bit / 8] ^= uint8_t(1 << bit % 8);
    for (int half = 0; half < 2; ++half) {
      const size_t changed = std::bitset<64>(before[half] ^ after[half]).count();
      EXPECT_GT(changed, 10u) << "bit " << bit;
      EXPECT_LT(changed, 54u) << "bit " << bit;
    }
  }
}

}  // namespace
}  // namespace winnow
