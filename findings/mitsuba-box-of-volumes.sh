#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mitsuba's heterogeneous media fill a box along the axes of the world, whatever turns their volume.
#
# Expected: a gridvolume is in the unit cube, placed by its to_world, and the medium is clear outside; a medium whose
#   sigma_t is a number fills its shape, as a homogeneous one does.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb, 2026-11-29. A gridvolume that is turned by 45 degrees continues by its
#   wrap_mode up to the box around it, which has twice its volume: the ray below should meet it from x = -0.1 to 0.1.
#   A number for sigma_t is a constvolume in the unit cube, so that a ray through a ball of radius 3 meets 1 m of it.
# Winnow: follows in scenes of Mitsuba 2 and 3, see scenes/README.md.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1

venv/bin/python >seen <<'PYTHON'
import struct

import mitsuba as mi

mi.set_variant("scalar_rgb")
with open("even.vol", "wb") as file:
    file.write(b"VOL\x03" + struct.pack("<5i7f", 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1))
turned = {"type": "gridvolume", "filename": "even.vol",
          "to_world": mi.ScalarTransform4f().rotate([0, 0, 1], 45)}
for name, extinction, y in ("turned grid", turned, 0.1), ("number", 1.0, 0.5):
    medium = mi.load_dict({"type": "heterogeneous", "sigma_t": extinction})
    _, first, last = medium.intersect_aabb(mi.Ray3f([-3, y, 0.5], [1, 0, 0]))
    print(f"{name}: along x from {abs(first - 3) if abs(first - 3) < 1e-3 else first - 3:.2f} to {last - 3:.2f}")
PYTHON
cat seen
diff - seen <<'EXPECTED'
turned grid: along x from -0.71 to 0.71
number: along x from 0.00 to 1.00
EXPECTED
