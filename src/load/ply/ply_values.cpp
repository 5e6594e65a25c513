// SPDX-License-Identifier: MIT
#include "load/ply/ply_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/one_line.h"
#include "base/text_position.h"
#include "load/text/number.h"

namespace winnow {
namespace {

constexpr const char* kBlanks = " \t\r\n\v\f";

static_assert(std::endian::native == std::endian::little);

template <class T>
double decode(const char* bytes, bool big_endian) {
  char ordered[sizeof(T)];
  std::memcpy(ordered, bytes, sizeof(T));
  if (big_endian) std::reverse(ordered, ordered + sizeof(T));
  T value;
  std::memcpy(&value, ordered, sizeof(T));
  return double(value);
}

double decode(PlyType type, const char* bytes, bool big_endian) {
  switch (type) {
    case PlyType::kInt8:
      return decode<int8_t>(bytes, big_endian);
    case PlyType::kUint8:
      return decode<uint8_t>(bytes, big_endian);
    case PlyType::kInt16:
      return decode<int16_t>(bytes, big_endian);
    case PlyType::kUint16:
      return decode<uint16_t>(bytes, big_endian);
    case PlyType::kInt32:
      return decode<int32_t>(bytes, big_endian);
    case PlyType::kUint32:
      return decode<uint32_t>(bytes, big_endian);
    case PlyType::kFloat32:
      return decode<float>(bytes, big_endian);
    case PlyType::kFloat64:
      return decode<double>(bytes, big_endian);
  }
  return 0.0;
}

}  // namespace

double PlyValues::read(PlyType type) {
  if (encoding_ != PlyEncoding::kAscii) {
    value_ = next_;
    if (bytes_.size() - next_ < ply_type_size(type)) fail_at_end();
    next_ += ply_type_size(type);
    return decode(type, bytes_.data() + value_, encoding_ == PlyEncoding::kBigEndian);
  }
  skip_blanks();
  value_ = next_;
  if (next_ == bytes_.size()) fail_at_end();
  next_ = std::min(bytes_.find_first_of(kBlanks, next_), bytes_.size());
  std::string_view word = bytes_.substr(value_, next_ - value_);
  double number = 0.0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  float spelled = 0.0f;  // "+1", "1e999", "-nan(ind)" and the like
  switch (read_number(word, spelled)) {
    case NumberKind::kFinite:
      return double(spelled);
    case NumberKind::kNotFinite:
      return std::numeric_limits<double>::quiet_NaN();
    case NumberKind::kNone:
      break;
  }
  fail(fmt::format("expected a number, found '{}'", one_line(word)));
}

uint32_t PlyValues::read_index(PlyType type, uint64_t end, const char* what) {
  double number = read(type);
  if (!(number >= 0.0 && number < double(end)) || number != std::floor(number))
    fail(fmt::format("expected {}, a whole number below {}, found {}", what, end, number));
  return uint32_t(number);
}

uint64_t PlyValues::read_list_size(const PlyProperty& list) {
  double number = read(list.size_type);
  if (!(number >= 0.0) || number != std::floor(number))
    fail(fmt::format("expected the length of a list, found {}", number));
  size_t room = (bytes_.size() - next_) / min_size(list.type);
  if (number > double(room))
    fail(fmt::format("the list has {} items, but the rest of the file holds at most {}", number,
                     room));
  return uint64_t(number);
}

void PlyValues::expect_room_for(const PlyElement& element) const {
  size_t row = 0;
  for (const PlyProperty& property : element.properties)
    row += min_size(property.is_list ? property.size_type : property.type);
  size_t left = bytes_.size() - std::min(next_, bytes_.size());
  if (row > 0 &&
      element.count > (left + 1) / row)  // the last word of a text has no blank behind it
    throw Error(
        fmt::format("{}: the element {} has {} rows, but the rest of the file, {} bytes, holds "
                    "at most {}: the file is cut off or its header wrong",
                    file_, in_quotes(element.name), element.count, left, (left + 1) / row));
}

void PlyValues::expect_end() {
  if (encoding_ != PlyEncoding::kAscii) return;
  skip_blanks();
  value_ = next_;
  if (next_ < bytes_.size())
    fail(fmt::format("expected the end of the file, found '{}'",
                     one_line(bytes_.substr(next_, bytes_.find_first_of(kBlanks, next_) - next_))));
}

void PlyValues::fail(const std::string& what) const {
  if (encoding_ != PlyEncoding::kAscii)
    throw Error(fmt::format("{}: byte {}: {}", file_, value_, what));
  TextPosition position = text_position(bytes_, value_);
  throw Error(fmt::format("{}:{}:{}: {}", file_, position.line, position.column, what));
}

size_t PlyValues::min_size(PlyType type) const {
  constexpr size_t kDigitAndBlank = 2;
  return encoding_ == PlyEncoding::kAscii ? kDigitAndBlank : ply_type_size(type);
}

void PlyValues::skip_blanks() {
  next_ = std::min(bytes_.find_first_not_of(kBlanks, next_), bytes_.size());
}

void PlyValues::fail_at_end() const {
  throw Error(fmt::format("{}: the file ends in row {} of {} of the element {}", file_, row_ + 1,
                          element_->count, in_quotes(element_->name)));
}

}  // namespace winnow
