// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"
#include "image/basis/basis_universal.h"

namespace winnow {
namespace {

[[noreturn]] void refuse_etc1s() {
  throw Error("cannot be decoded: its ETC1S data are broken");
}

/// Reads a code whose lengths are coded as in Deflate.
HuffmanCode read_code(BitReader& bits) {
  // Symbols of the code of lengths: 0 to 16 are lengths; the others are runs of 0 or of the last
  // length, with the smallest run and the bits of what comes on top.
  struct Run {
    uint32_t least, bits;
    bool repeats;
  };
  constexpr Run kRuns[] = {{3, 3, false}, {11, 7, false}, {3, 2, true}, {7, 7, true}};
  constexpr uint32_t kFirstRun = 17;
  constexpr uint8_t kOrder[] = {17, 18, 19, 20, 0,  8, 7,  9, 6,  10, 5,
                                11, 4,  12, 3,  13, 2, 14, 1, 15, 16};
  constexpr unsigned kSymbolBits = 14, kCountBits = 5, kLengthBits = 3;
  const uint32_t symbol_count = bits.read(kSymbolBits);
  if (symbol_count == 0) return {};
  const uint32_t length_count = bits.read(kCountBits);
  if (length_count < 1 || length_count > std::size(kOrder)) refuse_etc1s();
  std::vector<uint8_t> length_lengths(std::size(kOrder));
  for (uint32_t i = 0; i < length_count; ++i)
    length_lengths[kOrder[i]] = uint8_t(bits.read(kLengthBits));
  const HuffmanCode length_code(length_lengths);

  std::vector<uint8_t> lengths;
  while (lengths.size() < symbol_count) {
    const uint32_t symbol = length_code.decode(bits);
    if (symbol < kFirstRun) {
      lengths.push_back(uint8_t(symbol));
      continue;
    }
    const Run& run = kRuns[symbol - kFirstRun];
    const uint8_t length = run.repeats && !lengths.empty() ? lengths.back() : 0;
    if (run.repeats && length == 0) refuse_etc1s();
    lengths.resize(lengths.size() + run.least + bits.read(run.bits), length);
  }
  if (lengths.size() != symbol_count) refuse_etc1s();
  return HuffmanCode(lengths);
}

/// Reads a number in parts of `part` bits, the lowest first; each part has a bit that announces
/// another one.
uint32_t read_in_parts(BitReader& bits, unsigned part) {
  constexpr unsigned kMaxBits = 32;
  uint64_t number = 0;
  for (unsigned at = 0; at < kMaxBits; at += part) {
    number |= uint64_t{bits.read(part)} << at;
    if (!bits.read_bit()) return uint32_t(number);
  }
  refuse_etc1s();
}

/// Recent selectors. A selector that is used moves halfway to the front.
class SelectorHistory {
 public:
  explicit SelectorHistory(uint32_t size) : selectors_(size), next_(size / 2) {}

  void add(uint32_t selector) {
    if (selectors_.empty()) return;
    selectors_[next_++] = selector;
    if (next_ == selectors_.size()) next_ = selectors_.size() / 2;
  }

  uint32_t use(uint32_t index) {
    if (index >= selectors_.size()) refuse_etc1s();
    std::swap(selectors_[index / 2], selectors_[index]);
    return selectors_[index / 2];
  }

 private:
  std::vector<uint32_t> selectors_;
  size_t next_;
};

/// The prediction of the endpoints of a block.
enum class Prediction : uint32_t { kLeft, kAbove, kAboveLeft, kNone };

/// Reads predictions, which are stored for 2x2 blocks.
class PredictionReader {
 public:
  PredictionReader(const HuffmanCode& code, uint32_t columns)
      : code_(code), second_rows_((columns + 1) / 2) {}

  Prediction read(BitReader& bits, uint32_t column, uint32_t row) {
    constexpr uint32_t kPerBlock = 2, kMask = 3;  // bits
    if (column % 2 == 0)
      current_ = row % 2 == 0 ? read_square(bits, column / 2) : second_rows_[column / 2];
    const auto prediction = Prediction(current_ & kMask);
    current_ >>= kPerBlock;
    return prediction;
  }

 private:
  uint32_t read_square(BitReader& bits, uint32_t square) {
    constexpr uint32_t kRepeat = 256, kLeast = 3, kRowBits = 4;
    constexpr unsigned kPart = 4;
    if (repeats_ > 0) {
      --repeats_;
    } else if (const uint32_t symbol = code_.decode(bits); symbol == kRepeat) {
      repeats_ = uint64_t{read_in_parts(bits, kPart)} + kLeast - 1;
    } else {
      last_ = symbol;
    }
    second_rows_[square] = last_ >> kRowBits;
    return last_;
  }

  const HuffmanCode& code_;
  std::vector<uint32_t> second_rows_;  ///< [square], predictions of its second row
  uint32_t current_ = 0, last_ = 0;
  uint64_t repeats_ = 0;
};

}  // namespace

HuffmanCode::HuffmanCode(const std::vector<uint8_t>& lengths) {
  for (const uint8_t length : lengths)
    if (length > 0) ++counts_[length];
  int64_t free = 1;  // codes of the current length that no shorter code begins
  for (size_t length = 1; length <= kMaxLength; ++length) {
    free = 2 * free - counts_[length];
    if (free < 0) refuse_etc1s();
  }
  for (size_t length = 1; length <= kMaxLength; ++length)
    for (uint32_t symbol = 0; symbol < lengths.size(); ++symbol)
      if (lengths[symbol] == length) symbols_.push_back(symbol);
}

uint32_t HuffmanCode::decode(BitReader& bits) const {
  // Codes of a length are consecutive; `first` is the first one, `before` the symbols of shorter
  // codes.
  uint32_t code = 0, first = 0, before = 0;
  for (size_t length = 1; length <= kMaxLength; ++length) {
    code = code << 1 | uint32_t(bits.read_bit());
    first <<= 1;
    if (code - first < counts_[length]) return symbols_[before + code - first];
    first += counts_[length];
    before += counts_[length];
  }
  refuse_etc1s();
}

Etc1sDecoder::Etc1sDecoder(std::string_view endpoints, uint32_t endpoint_count,
                           std::string_view selectors, uint32_t selector_count,
                           std::string_view tables) {
  constexpr unsigned kHistoryBits = 13;
  read_endpoints(BitReader(endpoints), endpoint_count);
  read_selectors(BitReader(selectors), selector_count);
  BitReader bits(tables);
  predictions_ = read_code(bits);
  endpoint_deltas_ = read_code(bits);
  selector_symbols_ = read_code(bits);
  run_lengths_ = read_code(bits);
  history_size_ = bits.read(kHistoryBits);
}

void Etc1sDecoder::read_endpoints(BitReader bits, uint32_t count) {
  constexpr uint32_t kFirstColor = 16, kColorMask = 31, kIntensityMask = 7;
  constexpr uint32_t kMiddle = 10, kHigh = 22;  // first values of these ranges
  HuffmanCode colors[3];                        // by the range of the last value
  for (HuffmanCode& code : colors) code = read_code(bits);
  const HuffmanCode intensities = read_code(bits);
  const bool is_grey = bits.read_bit();
  Endpoint last{glm::u8vec3(kFirstColor), 0};
  auto add_delta = [&](uint8_t& value) {
    const HuffmanCode& code = colors[(value >= kMiddle) + (value >= kHigh)];
    value = uint8_t((value + code.decode(bits)) & kColorMask);
  };
  for (uint32_t i = 0; i < count; ++i) {
    last.intensity = uint8_t((last.intensity + intensities.decode(bits)) & kIntensityMask);
    for (int channel = 0; channel < (is_grey ? 1 : 3); ++channel) add_delta(last.color[channel]);
    if (is_grey) last.color = glm::u8vec3(last.color.x);
    endpoints_.push_back(last);
  }
}

void Etc1sDecoder::read_selectors(BitReader bits, uint32_t count) {
  constexpr unsigned kReservedBits = 2, kRowBits = 8;
  if (bits.read(kReservedBits) != 0) refuse_etc1s();
  const bool is_plain = bits.read_bit();
  const HuffmanCode deltas = is_plain ? HuffmanCode() : read_code(bits);
  Selector last{};
  for (uint32_t i = 0; i < count; ++i) {
    for (uint8_t& row : last)
      row = uint8_t(is_plain || i == 0 ? bits.read(kRowBits) : row ^ deltas.decode(bits));
    selectors_.push_back(last);
  }
}

std::vector<Etc1sDecoder::Block> Etc1sDecoder::read_blocks(BitReader bits, uint32_t columns,
                                                           uint32_t rows) const {
  constexpr uint32_t kLeastRun = 3, kLongRun = 63;
  constexpr unsigned kPart = 7;
  const auto endpoint_count = uint32_t(endpoints_.size());
  const auto selector_count = uint32_t(selectors_.size());
  PredictionReader predictions(predictions_, columns);
  SelectorHistory history(history_size_);
  std::vector<Block> blocks(size_t{columns} * rows);
  uint32_t last_endpoint = 0;
  uint64_t selector_run = 0;  // blocks that still use the front of the history

  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column) {
      const size_t at = size_t{row} * columns + column;
      Block& block = blocks[at];
      const Prediction prediction = predictions.read(bits, column, row);
      const bool is_left = prediction == Prediction::kLeft;
      const bool is_above_left = prediction == Prediction::kAboveLeft;
      if ((column == 0 && (is_left || is_above_left)) ||
          (row == 0 && (prediction == Prediction::kAbove || is_above_left)))
        refuse_etc1s();
      if (prediction == Prediction::kNone) {
        block.endpoint = last_endpoint + endpoint_deltas_.decode(bits);
        if (block.endpoint >= endpoint_count) block.endpoint -= endpoint_count;
      } else {
        block.endpoint =
            is_left ? last_endpoint : blocks[at - columns - size_t(is_above_left)].endpoint;
      }
      last_endpoint = block.endpoint;

      uint32_t symbol = selector_count;  // the front of the history
      if (selector_run > 0) {
        --selector_run;
      } else {
        symbol = selector_symbols_.decode(bits);
        if (symbol == selector_count + history_size_) {
          const uint32_t run = run_lengths_.decode(bits);
          selector_run =
              uint64_t{run == kLongRun ? read_in_parts(bits, kPart) : run} + kLeastRun - 1;
          symbol = selector_count;
        }
      }
      if (symbol >= selector_count) {
        block.selector = history.use(symbol - selector_count);
      } else {
        block.selector = symbol;
        history.add(symbol);
      }
      if (block.endpoint >= endpoint_count || block.selector >= selector_count) refuse_etc1s();
    }
  return blocks;
}

glm::u8vec3 Etc1sDecoder::texel(const Block& block, uint32_t x, uint32_t y) const {
  constexpr int kModifiers[][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                   {18, 60}, {24, 80}, {33, 106}, {47, 183}};  // [intensity]
  constexpr int kWhite = 255;
  const Endpoint& endpoint = endpoints_[block.endpoint];
  const unsigned choice = selectors_[block.selector][y] >> (2 * x) & 3u;
  const int* modifiers = kModifiers[endpoint.intensity];
  const int by_choice[] = {-modifiers[1], -modifiers[0], modifiers[0], modifiers[1]};
  glm::u8vec3 color;
  for (int channel = 0; channel < 3; ++channel) {
    const int base = endpoint.color[channel] << 3 | endpoint.color[channel] >> 2;
    color[channel] = uint8_t(std::clamp(base + by_choice[choice], 0, kWhite));
  }
  return color;
}

std::vector<glm::u8vec3> Etc1sDecoder::decode(std::string_view slice, uint32_t width,
                                              uint32_t height) const {
  constexpr uint32_t kSide = 4;
  const uint32_t columns = (width + kSide - 1) / kSide, rows = (height + kSide - 1) / kSide;
  const std::vector<Block> blocks = read_blocks(BitReader(slice), columns, rows);
  std::vector<glm::u8vec3> texels;
  texels.reserve(size_t{width} * height);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x)
      texels.push_back(
          texel(blocks[size_t{y / kSide} * columns + x / kSide], x % kSide, y % kSide));
  return texels;
}

}  // namespace winnow
