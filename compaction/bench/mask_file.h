#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "compaction/bench/options.h"

// Masks that a program recorded: what it had to select, round after round. `winnow render` writes
// such a file with --record-masks. All numbers are of 32 bits, the low byte first:
//
//   8 bytes   "CMPMASKS"
//   number    version, 1
//   number    how many masks follow
//
// and for each mask
//
//   number    its entries, n
//   numbers   ceil(n / 32) words; bit i % 32 of word i / 32 is set where entry i is selected. Bits
//             beyond n do not count.
//
// Nothing follows the last mask.

namespace compaction::bench {

/// What is selected of n entries.
struct Mask {
  static constexpr uint32_t kWordBits = 32;

  uint32_t n = 0;
  std::vector<uint32_t> words;  ///< [ceil(n / 32)]

  bool selected(uint64_t entry) const { return words[entry / kWordBits] >> entry % kWordBits & 1; }

  uint64_t kept() const {
    uint64_t kept = 0;
    for (uint32_t word : words) kept += unsigned(std::popcount(word));
    for (uint64_t beyond = n; beyond < kWordBits * uint64_t(words.size()); ++beyond)
      kept -= selected(beyond);
    return kept;
  }
};

/// Reads a file of masks from front to back.
class MaskReader {
 public:
  explicit MaskReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
    std::error_code error;
    bytes_left_ = std::filesystem::file_size(path, error);
    if (error) fail("cannot be read: " + error.message());
    if (!file_) fail("cannot be read");
  }

  std::vector<Mask> read() {
    constexpr std::string_view kMagic = "CMPMASKS";
    constexpr uint32_t kVersion = 1;
    std::string magic(kMagic.size(), '\0');
    if (bytes_left_ < magic.size()) fail("is not a file of masks");
    read_bytes(magic.data(), magic.size());
    if (magic != kMagic) fail("is not a file of masks");
    if (uint32_t version = read_number(); version != kVersion)
      fail("has version " + std::to_string(version) +
           " of the format; this program reads version " + std::to_string(kVersion));

    std::vector<Mask> masks;
    for (uint32_t left = read_number(); left > 0; --left) masks.push_back(read_mask());
    if (bytes_left_ > 0)
      fail("has " + std::to_string(bytes_left_) + " bytes too many behind its last mask");
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

  uint32_t read_number() {
    constexpr unsigned kByteBits = 8;
    unsigned char bytes[sizeof(uint32_t)];
    read_bytes(reinterpret_cast<char*>(bytes), sizeof bytes);
    uint32_t number = 0;
    for (unsigned i = 0; i < sizeof bytes; ++i) number |= uint32_t(bytes[i]) << kByteBits * i;
    return number;
  }

  Mask read_mask() {
    Mask mask{.n = read_number(), .words = {}};
    if (mask.n > kMaxItems)
      fail("has a mask of " + std::to_string(mask.n) + " entries; more than " +
           std::to_string(kMaxItems) + " cannot be replayed");
    uint64_t words = (uint64_t(mask.n) + Mask::kWordBits - 1) / Mask::kWordBits;
    // Before anything is allocated for a number that may be nonsense.
    if (words * sizeof(uint32_t) > bytes_left_) fail("is truncated");
    mask.words.reserve(words);
    while (mask.words.size() < words) mask.words.push_back(read_number());
    return mask;
  }

  std::string path_;
  std::ifstream file_;
  uint64_t bytes_left_ = 0;
};

/// The masks of a file. Throws std::runtime_error, which names it, where it is not a whole one.
inline std::vector<Mask> read_masks(const std::string& path) {
  return MaskReader(path).read();
}

}  // namespace compaction::bench
