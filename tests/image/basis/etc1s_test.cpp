// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "image/basis/basis_universal.h"

namespace winnow {
namespace {

/// The example of RFC 1951, section 3.2.2: lengths 3, 3, 3, 3, 3, 2, 4, 4 for A to H.
TEST(HuffmanCode, HasTheCodesOfTheRfc) {
  const HuffmanCode code({3, 3, 3, 3, 3, 2, 4, 4});
  // F = 00, A = 010, H = 1111, each from its highest bit.
  const std::string bytes = {char(0b11101000), char(0b1)};
  BitReader bits(bytes);
  EXPECT_EQ(code.decode(bits), 5u);
  EXPECT_EQ(code.decode(bits), 0u);
  EXPECT_EQ(code.decode(bits), 7u);
}

TEST(HuffmanCode, RefusesWhatIsNoCode) {
  EXPECT_THROW(HuffmanCode({1, 1, 1}), Error) << "two codes have one bit";
  const HuffmanCode incomplete({2});
  const std::string ones(4, '\xff');
  BitReader bits(ones);
  EXPECT_THROW(incomplete.decode(bits), Error);
  BitReader empty("");
  EXPECT_THROW(HuffmanCode({1, 1}).decode(empty), Error);
  BitReader zeros(ones);
  EXPECT_THROW(HuffmanCode().decode(zeros), Error) << "no symbol";
}

}  // namespace
}  // namespace winnow
