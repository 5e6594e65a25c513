#include "image/jpg_tables.h"

#include <istream>

#include "base/error.h"

namespace winnow {
namespace {

constexpr int kEnd = std::istream::traits_type::eof();
constexpr int kMarkerPrefix = 0xff, kStuffedZero = 0x00;
constexpr int kFirstRestart = 0xd0, kEndOfImage = 0xd9;  // all in between stand alone
constexpr int kHuffmanTables = 0xc4;
constexpr int kLengthBytes = 2;

/// The next marker, or kEnd. Passes over entropy-coded data, in which a prefix is followed by a
/// stuffed zero or is part of a restart marker.
int next_marker(std::istream& stream) {
  for (int byte = stream.get(); byte != kEnd; byte = stream.get()) {
    if (byte != kMarkerPrefix) continue;
    while (byte == kMarkerPrefix) byte = stream.get();
    if (byte == kEnd) return kEnd;
    bool stands_alone = byte >= kFirstRestart && byte <= kEndOfImage;
    if (byte != kStuffedZero && !stands_alone) return byte;
  }
  return kEnd;
}

/// Reads the tables of one segment: class and number, 16 counts by code length, that many symbols.
void check_tables(std::istream& stream, int length) {
  constexpr int kCodeLengths = 16, kMaxCodes = 256;
  while (length > 0 && stream) {
    stream.get();
    int code_count = 0;
    for (int bits = 1; bits <= kCodeLengths; ++bits) {
      int count = stream.get();
      if (count != kEnd) code_count += count;
    }
    if (code_count > kMaxCodes) throw Error("corrupt: a Huffman table has too many codes");
    stream.ignore(code_count);
    length -= 1 + kCodeLengths + code_count;
  }
}

}  // namespace

void check_jpg_tables(std::istream& stream) {
  for (int marker = next_marker(stream); marker != kEnd; marker = next_marker(stream)) {
    int high = stream.get(), low = stream.get();
    if (high == kEnd || low == kEnd) return;
    int length = (high << 8 | low) - kLengthBytes;
    if (marker == kHuffmanTables)
      check_tables(stream, length);
    else if (length > 0)
      stream.ignore(length);
  }
}

}  // namespace winnow
