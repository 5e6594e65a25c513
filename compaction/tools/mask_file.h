// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

// Files of selection masks, one mask per bounce of a real render. `winnow render --record-masks`
// writes them, `compaction_bench --masks` replays them. All integers have 32 bits, little-endian:
//
//   8 bytes   "CMPMASKS"
//   integer   version, 1
//   integer   number of masks
//
// and for each mask
//
//   integer   number of its entries, n
//   integers  ceil(n / 32) words; bit i % 32 of word i / 32 is set if entry i is selected. Bits
//             beyond n are ignored.
//
// The file ends after the last mask.

namespace compaction {

struct Mask {
  static constexpr uint32_t kWordBits = 32;

  uint32_t entries = 0;
  std::vector<uint32_t> words;  ///< [ceil(entries / 32)]

  bool selected(uint64_t entry) const { return words[entry / kWordBits] >> entry % kWordBits & 1; }

  uint64_t kept() const {
    uint64_t kept = 0;
    for (uint32_t word : words) kept += unsigned(std::popcount(word));
    for (uint64_t beyond = entries; beyond < kWordBits * uint64_t(words.size()); ++beyond)
      kept -= selected(beyond);
    return kept;
  }
};

namespace detail {

inline constexpr std::string_view kMaskMagic = "CMPMASKS";
inline constexpr uint32_t kMaskVersion = 1;
inline constexpr uint32_t kMaxMaskEntries = uint32_t(1) << 30;  // CUB takes counts as int
inline constexpr unsigned kMaskByteBits = 8;

inline uint64_t mask_word_count(uint64_t entries) {
  return (entries + Mask::kWordBits - 1) / Mask::kWordBits;
}

class MaskReader {
 public:
  explicit MaskReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    std::error_code error;
    bytes_left_ = std::filesystem::file_size(path, error);
    if (error) fail("cannot be read: " + error.message());
    if (!file_) fail("cannot be read");
  }

  std::vector<Mask> read() {
    std::string magic(kMaskMagic.size(), '\0');
    if (bytes_left_ < magic.size()) fail("is not a mask file");
    read_bytes(magic.data(), magic.size());
    if (magic != kMaskMagic) fail("is not a mask file");
    if (uint32_t version = read_integer(); version != kMaskVersion)
      fail("has version " + std::to_string(version) +
           " of the format; this program reads version " + std::to_string(kMaskVersion));

    std::vector<Mask> masks;
    for (uint32_t left = read_integer(); left > 0; --left) masks.push_back(read_mask());
    if (bytes_left_ > 0)
      fail("has " + std::to_string(bytes_left_) + " extra bytes after its last mask");
    return masks;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw std::runtime_error("'" + path_ + "' " + reason);
  }

  void read_bytes(char* bytes, size_t count) {
    if (bytes_left_ < count) fail("is truncated");
    if (!file_.read(bytes, std::streamsize(count))) fail("cannot be read to its end");
    bytes_left_ -= count;
  }

  uint32_t read_integer() {
    unsigned char bytes[sizeof(uint32_t)];
    read_bytes(reinterpret_cast<char*>(bytes), sizeof bytes);
    uint32_t value = 0;
    for (unsigned i = 0; i < sizeof bytes; ++i) value |= uint32_t(bytes[i]) << kMaskByteBits * i;
    return value;
  }

  Mask read_mask() {
    Mask mask{.entries = read_integer(), .words = {}};
    if (mask.entries > kMaxMaskEntries)
      fail("has a mask of " + std::to_string(mask.entries) + " entries; at most " +
           std::to_string(kMaxMaskEntries) + " are supported");
    uint64_t words = mask_word_count(mask.entries);
    // Checked before the allocation: the count may come from a corrupt file.
    if (words * sizeof(uint32_t) > bytes_left_) fail("is truncated");
    mask.words.reserve(words);
    while (mask.words.size() < words) mask.words.push_back(read_integer());
    return mask;
  }

  std::string path_;
  std::ifstream file_;
  uint64_t bytes_left_ = 0;
};

}  // namespace detail

/// Returns the masks of a file. Throws std::runtime_error, which names the file, unless it is a
/// complete mask file.
inline std::vector<Mask> read_masks(const std::string& path) {
  return detail::MaskReader(path).read();
}

inline void write_masks(std::ostream& stream, const std::vector<Mask>& masks) {
  auto put = [&](uint32_t value) {
    for (unsigned byte = 0; byte < sizeof value; ++byte)
      stream.put(char(uint8_t(value >> detail::kMaskByteBits * byte)));
  };
  stream << detail::kMaskMagic;
  put(detail::kMaskVersion);
  put(uint32_t(masks.size()));
  for (const Mask& mask : masks) {
    assert(mask.words.size() == detail::mask_word_count(mask.entries));
    put(mask.entries);
    for (uint32_t word : mask.words) put(word);
  }
}

}  // namespace compaction
