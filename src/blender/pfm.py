# SPDX-License-Identifier: MIT
"""PFM images: floats, the bottom row first, as in Blender's images and render passes."""

import numpy


def read_pfm(path):
    """Returns an image as float32, [height][width][3] or [height][width][1]."""
    with open(path, "rb") as file:
        kind = file.readline().strip()
        width, height = (int(word) for word in file.readline().split())
        scale = float(file.readline())
        channels = {b"PF": 3, b"Pf": 1}[kind]
        values = numpy.frombuffer(file.read(), numpy.dtype("<f4" if scale < 0 else ">f4"))
    return values.astype(numpy.float32).reshape(height, width, channels)


def write_pfm(path, pixels):
    """Writes an image of three channels, [height][width][3]."""
    height, width = pixels.shape[:2]
    with open(path, "wb") as file:
        file.write(f"PF\n{width} {height}\n-1.0\n".encode())
        file.write(numpy.ascontiguousarray(pixels[:, :, :3], "<f4").tobytes())
