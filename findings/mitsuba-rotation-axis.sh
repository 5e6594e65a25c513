#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mitsuba's <rotate> about an axis that is not of unit length is no rotation.
#
# Expected: <rotate x="1" y="1" angle="90"/> turns about the diagonal: only the direction of an axis matters, as in
#   pbrt's Rotate. Lengths and areas stay.
# Seen: mitsuba 3.9.1 (PyPI), scalar_rgb, 2026-11-27. The axis enters Rodrigues' formula as it is, without an error or
#   a warning. This element scales volumes by 4 and the area of the rectangle below by 2.83, and with it the power of an area
#   light.
# Winnow: follows in scenes of Mitsuba, with a warning, see scenes/README.md.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip install --quiet mitsuba==3.9.1

venv/bin/python >seen <<'PYTHON'
import mitsuba as mi

mi.set_variant("scalar_rgb")
for axis in 'x="0" y="1"', 'x="1" y="1"':
    shape = mi.load_string(f"""<scene version="3.0.0"><shape type="rectangle"><transform name="to_world">
      <rotate {axis} angle="90"/></transform></shape></scene>""").shapes()[0]
    print(f"{axis}: area {shape.surface_area():.3f}")
PYTHON
cat seen
diff - seen <<'EXPECTED'
x="0" y="1": area 4.000
x="1" y="1": area 11.314
EXPECTED
