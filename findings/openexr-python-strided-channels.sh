#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# OpenEXR's Python module writes another picture than the array holds, if the array is a slice of a larger one.
#
# Expected: a channel is what its array holds, whatever its strides, or an error says that it must be contiguous.
# Seen: OpenEXR 3.5.3 (PyPI) with numpy 2.4.6, 2026-11-28. Of `image[..., 0]`, the usual way to pass one channel, the
#   first numbers in memory are written: red, green and blue of a third of the pixels. There is no error and no warning.
#   `numpy.ascontiguousarray(image[..., 0])` is written as it is, and so is "RGB" with all three channels.
# Winnow: reads what the file holds. Files that were written so are wrong in every program.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet OpenEXR==3.5.3 numpy

venv/bin/python >seen <<'PYTHON'
import numpy
import OpenEXR

image = numpy.arange(24, dtype=numpy.float32).reshape(2, 4, 3)
header = {"compression": OpenEXR.NO_COMPRESSION, "type": OpenEXR.scanlineimage}
for name, red in ("slice", image[..., 0]), ("copy", numpy.ascontiguousarray(image[..., 0])):
    with OpenEXR.File(header, {"R": red, "G": red, "B": red}) as file:
        file.write("a.exr")
    read = OpenEXR.File("a.exr", separate_channels=True).channels()["R"].pixels
    print(f"{name}: {red.ravel().astype(int).tolist()} is written as {read.ravel().astype(int).tolist()}")
PYTHON
cat seen
diff - seen <<'EXPECTED'
slice: [0, 3, 6, 9, 12, 15, 18, 21] is written as [0, 1, 2, 3, 4, 5, 6, 7]
copy: [0, 3, 6, 9, 12, 15, 18, 21] is written as [0, 3, 6, 9, 12, 15, 18, 21]
EXPECTED
