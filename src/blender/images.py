# SPDX-License-Identifier: MIT
"""Pixels of Blender's images, as Blender's shaders see them, and images for glTF."""

import struct
import zlib

import numpy

DATA_SPACES = {"Non-Color", "Raw", "Linear Rec.709", "Linear", "scene_linear", "Working Space"}
SRGB_SPACES = {"sRGB"}
# Rows of matrices to linear Rec.709.
LINEAR_SPACES = {
    "ACEScg": [[1.70505, -0.62179, -0.08326], [-0.13026, 1.14080, -0.01055],
               [-0.02400, -0.12897, 1.15297]],
    "Linear Rec.2020": [[1.66049, -0.58764, -0.07285], [-0.12455, 1.13290, -0.00835],
                        [-0.01815, -0.10058, 1.11873]],
    "Linear DCI-P3 D65": [[1.22494, -0.22494, 0.0], [-0.04206, 1.04206, 0.0],
                          [-0.01964, -0.07864, 1.09828]]}


def is_known(image):
    space = image.colorspace_settings.name
    return space in DATA_SPACES or space in SRGB_SPACES or space in LINEAR_SPACES


def from_srgb(values):
    values = numpy.maximum(values, 0.0)
    return numpy.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def to_srgb(values):
    values = numpy.clip(values, 0.0, 1.0)
    return numpy.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1 / 2.4) - 0.055)


def linear_pixels(image, power=0):
    """Returns the pixels of an image as scene-linear RGBA, [height][width][4], bottom row first.

    Unknown colour spaces are taken as sRGB (bytes) or linear (floats).

    power  1: colours are multiplied by alpha, before they are decoded, as in Cycles; -1: divided
    """
    width, height = image.size
    values = numpy.empty(width * height * image.channels, numpy.float32)
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)
    pixels = numpy.ones((height, width, 4), numpy.float32)
    if image.channels in (1, 2):
        pixels[:, :, :3] = values[:, :, :1]
    else:
        pixels[:, :, :3] = values[:, :, :3]
    if image.channels in (2, 4):
        pixels[:, :, 3] = values[:, :, -1]
    alpha = pixels[:, :, 3:]
    if power > 0:
        pixels[:, :, :3] *= alpha
    elif power < 0:
        pixels[:, :, :3] /= numpy.where(alpha > 0.0, alpha, 1.0)
    space = image.colorspace_settings.name
    if space in SRGB_SPACES or (not is_known(image) and not image.is_float):
        pixels[:, :, :3] = from_srgb(pixels[:, :, :3])
    elif space in LINEAR_SPACES:
        pixels[:, :, :3] = pixels[:, :, :3] @ numpy.array(LINEAR_SPACES[space], numpy.float32).T
    return pixels


def png_bytes(pixels):
    """Returns a 16-bit PNG of values from 0 to 1, [height][width][4], bottom row first."""
    height, width = pixels.shape[:2]
    rows = numpy.rint(numpy.clip(pixels[::-1], 0, 1) * 65535).astype(">u2").reshape(height, -1)
    data = b"".join(b"\0" + row.tobytes() for row in rows)

    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body
                + struct.pack(">I", zlib.crc32(kind + body)))

    header = struct.pack(">IIBBBBB", width, height, 16, 6, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data, 1))
            + chunk(b"IEND", b""))
