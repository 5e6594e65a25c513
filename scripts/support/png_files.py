# SPDX-License-Identifier: MIT
"""8-bit PNG files, for the scripts that make textures and look at pictures."""

import struct
import zlib


def write_png(path, rows):
    """Writes 8-bit RGB or RGBA from a list of rows of (r, g, b) or (r, g, b, a)."""
    raw = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2 if len(rows[0][0]) == 3 else 6, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def png_rows(data):
    """Yields the rows of bytes of a PNG as `winnow` writes it: 8 bits per channel, not
    interlaced."""
    at, size, packed = 8, (0, 0, 0), b""
    while at + 8 <= len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
            size = (width, height, {0: 1, 2: 3, 4: 2, 6: 4}[color])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    width, height, channels = size
    raw, stride = zlib.decompress(packed), width * channels
    above = bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        above = unfilter(raw[start], raw[start + 1 : start + 1 + stride], above, channels)
        yield above


def unfilter(kind, line, above, step):
    """Undoes the filter of a row of a PNG."""
    row = bytearray(line)
    for x in range(len(row)):
        a = row[x - step] if x >= step else 0
        b = above[x]
        c = above[x - step] if x >= step else 0
        if kind == 1:
            row[x] = (row[x] + a) & 255
        elif kind == 2:
            row[x] = (row[x] + b) & 255
        elif kind == 3:
            row[x] = (row[x] + (a + b) // 2) & 255
        elif kind == 4:
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))
            row[x] = (row[x] + near[2]) & 255
    return bytes(row)
